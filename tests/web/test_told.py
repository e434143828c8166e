"""What is told without being asked: a turn without a move, the result, a lost line, an absent player, a rematch."""

from .conftest import Opener
from .playing import settle, wait
from .rig import Served, Visit
from .test_coach import COMPUTER, HERE, sit_down
from .test_people import ANN, BEN, LINK, TUNNEL, joined, phone

STUCK = f"jamaica-en {TUNNEL} s,b,b,b,b,b/s,b,b,b,b,b -/- - B17D17H17K17P17S17 - - 1.0"
"""Without cards and with nobody in the tunnel no crew can move."""
TOLD = "words => document.querySelector('#announcements')?.textContent.includes(words)"


def test_a_turn_without_a_move_and_the_draw_that_follows_are_told(visit: Visit) -> None:
    page = sit_down(visit, [HERE, COMPUTER], STUCK)
    assert wait(page) == "choose"
    assert page.inner_text(".status").strip() == "You cannot move. End your turn."
    page.focus("[data-action=end]")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-result=draw]")
    page.wait_for_function(TOLD, arg="No one can move any more: the game is a draw.")
    passed = page.locator(".side .turn")
    assert [passed.nth(at).inner_text().count("Passes.") for at in range(passed.count())] == [1, 1]


def test_a_lost_line_is_told_at_once_and_comes_back_by_itself(visits: Opener, served: Served) -> None:
    visit = phone(visits, "contrast")
    made = served.post("/tables", {"rules": "jamaica-en", "seats": [ANN, BEN], "lots": False})
    page = visit.sit(made, "jamaica-en")
    page.click("[data-action=lift]")
    assert wait(page) == "choose"
    visit.forgive("net::ERR_INTERNET_DISCONNECTED")
    visit.context.set_offline(True)
    page.wait_for_selector(".banner >> text=Connection lost")
    visit.context.set_offline(False)
    page.wait_for_selector(".banner", state="detached")
    assert wait(page) == "choose"


def test_a_player_hears_of_an_absent_one_and_of_a_rematch(visits: Opener, served: Served) -> None:
    setup = {"rules": "tortuga-en", "seats": [LINK, ANN], "lots": False, "spectators": "public", "absence": 500}
    made = served.post("/tables", setup)
    other = joined(served, made, "Bartholomew Roberts")
    visit, watcher = phone(visits), phone(visits, "dark")
    page = visit.sit(made, "tortuga-en")
    page.wait_for_function(TOLD, arg="Bartholomew Roberts is not connected.")
    watcher.go(f"table/{made['table']}").wait_for_selector(".watching")
    served.post(f"/tables/{made['table']}/resign", {}, other)
    for window in (page, watcher.page):
        window.wait_for_selector(".over")
        assert window.locator("[data-news]").count() == 0  # the result says it
    page.wait_for_function(TOLD, arg="You have won!")
    settle(page)
    names = page.locator(".crew .name")  # on a phone the standings are above the board
    assert names.count() == 2
    assert names.evaluate_all("nodes => nodes.every((node) => node.scrollWidth <= node.clientWidth)")
    assert page.inner_text("[data-action=rematch]") == "Rematch"
    again = served.post(f"/tables/{made['table']}/rematch", {}, other)["table"]
    page.wait_for_selector(".over [data-note] >> text=Another game has been set up.")
    assert page.inner_text("[data-action=rematch]") == "Join the next game"
    watcher.page.click("[data-action=follow]")
    watcher.page.wait_for_selector("text=You are watching. The game starts here")
    assert watcher.page.locator("text=Your games").count() == 0
    page.click("[data-action=rematch]")
    page.wait_for_url(f"**/#/table/{again}")
    for window in (page, watcher.page):
        window.wait_for_selector(".table")


# Names with more lines than words.
BROKEN = """names => names.filter((name) => {
  const text = document.createRange();
  text.selectNodeContents(name);
  return text.getClientRects().length > name.textContent.split(' ').length;
}).map((name) => name.textContent)"""


def test_the_result_of_five_players_lies_below_the_board_of_a_phone(visits: Opener, served: Served) -> None:
    visit = visits(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    seats = [{"kind": "here", "name": name} for name in ("Ann", "Ben", "Catherine", "Dora", "Bartholomew Roberts")]
    made = served.post("/tables", {"rules": "tortuga-en", "seats": seats, "lots": False})
    page = visit.sit(made, "tortuga-en")
    page.wait_for_selector(".table")
    for seat in range(1, 5):
        served.post(f"/tables/{made['table']}/resign", {"seat": seat}, made["token"])
    page.wait_for_selector(".over")
    settle(page)
    board, over, home = (
        page.locator(name).evaluate("node => node.getBoundingClientRect().toJSON()")
        for name in (".board", ".over", ".over [data-action=home]")
    )
    assert over["top"] >= board["bottom"]
    assert home["bottom"] <= over["bottom"] <= 640
    page.set_viewport_size({"width": 1280, "height": 800})  # the card stands beside the board, a line for each player
    settle(page)
    assert page.locator(".ending").evaluate("node => node.scrollHeight <= node.clientHeight")
    assert page.locator(".over .name").evaluate_all(BROKEN) == []


def test_a_proxy_without_its_server_ends_nothing(visits: Opener, served: Served) -> None:
    visit = phone(visits)
    made = served.post("/tables", {"rules": "jamaica-en", "seats": [ANN, BEN], "lots": False})
    page = visit.sit(made, "jamaica-en")
    page.click("[data-action=lift]")
    assert wait(page) == "choose"
    visit.forgive("status of 502")
    page.route("**/api/**", lambda route: route.fulfill(status=502, content_type="text/html", body="<h1>nginx</h1>"))
    page.reload()
    page.wait_for_selector(".banner >> text=Connection lost")
    other = visits()
    other.forgive("status of 502")
    other.page.route(
        "**/api/**", lambda route: route.fulfill(status=502, content_type="text/html", body="<h1>nginx</h1>")
    )
    home = other.go("")
    home.reload()
    home.wait_for_selector("[data-alone]")
    home.wait_for_selector("[data-play=jamaica]:not([disabled])")
    home.unroute("**/api/**")
    home.wait_for_selector("[data-alone]", state="detached")
    page.unroute("**/api/**")
    page.wait_for_selector(".table")
    page.wait_for_selector(".banner", state="detached")


def test_what_is_told_goes_away_though_more_happens_and_a_reader_stays_where_he_reads(
    visits: Opener, served: Served
) -> None:
    visit = visits()
    made = served.post("/tables", {"rules": "jamaica-en", "seats": [LINK, ANN], "lots": False})
    other = joined(served, made, "Ben")
    table = f"/tables/{made['table']}"
    for number in range(40):
        served.post(f"{table}/talk", {"text": f"Word {number}"}, other)
    page = visit.sit(made, "jamaica-en")
    page.wait_for_selector(".talk >> text=Word 39")
    lines = page.locator(".talk ol")
    assert lines.evaluate("node => node.scrollTop > 0")
    lines.evaluate("node => node.scrollTo(0, 0)")
    page.wait_for_function("() => document.querySelector('.talk ol').scrollTop === 0")
    served.post(f"{table}/leave", {}, other)
    page.wait_for_selector("[data-news]")
    served.post(f"{table}/talk", {"text": "Gone"}, other)
    page.wait_for_selector(".toast >> text=Gone", state="attached")  # seen where the talk is not
    served.post(f"{table}/talk", {"text": "Well"}, made["token"])
    page.wait_for_selector(".talk >> text=Well")
    assert lines.evaluate("node => node.scrollTop") == 0
    page.wait_for_selector("[data-news]", state="detached")
    page.wait_for_selector(".toast", state="detached")
