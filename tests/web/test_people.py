"""People at tables: waiting, absence, spectators, lists of tables, lost connections, and links that lead nowhere."""

import re
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, Route
from playwright.sync_api import TimeoutError as TooLate

from .conftest import Opener
from .playing import settle, step, wait
from .rig import Served, Visit
from .test_coach import HERE, sit_down
from .test_screens import play_word

ANN = {"kind": "here", "name": "Ann"}
BEN = {"kind": "here", "name": "Ben"}
LINK = {"kind": "link"}
TUNNEL = "BPHSDK/DBKPHS/PKDHSB/HKPBSD/KBSDHP/HDKBPS"
CARDS = f"jamaica-en {TUNNEL} s,s,s,s,s,8/s,s,s,11,11,11 BHK/DP - B16D16H16K16P16S17 - - 1.0"
STATUS_4 = "the server responded with a status of 4"


def phone(visits: Opener, theme: str = "light", **settings: Any) -> Visit:
    chosen = {"theme": theme} | settings
    return visits(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, settings=chosen)


def wide(visits: Opener, theme: str, size: tuple[int, int] = (1280, 720)) -> Visit:
    chosen = {"theme": theme}
    return visits(viewport={"width": size[0], "height": size[1]}, settings=chosen)


def joined(served: Served, made: dict[str, Any], name: str = "Ben", number: int = 0) -> str:
    """Join over HTTP as another person. Returns the token."""
    body = {"name": name, "invite": made["invites"][number]["invite"], "salt": ""}
    return str(served.post(f"/tables/{made['table']}/join", body)["token"])


def test_a_host_manages_the_waiting_room_and_can_close_the_table(visits: Opener, served: Served) -> None:
    visit = phone(visits, "dark")
    made = served.post("/tables", {"rules": "jamaica-en", "seats": [ANN, LINK, LINK], "lots": False, "lobby": True})
    page = visit.sit(made, "jamaica-en")
    page.wait_for_selector("[data-seat='3'] [data-invite]")
    joined(served, made)
    page.click("[data-seat='2'] [data-action=remove]")
    page.click("[data-seat='2'] [data-action=remove-sure]")  # asked once more
    link = page.locator("[data-seat='2'] [data-invite]").input_value()
    page.locator("[data-seat='3'] select").select_option("deckhand")
    page.locator("[data-seat='3'] [data-action=computer]").click()
    page.wait_for_selector("[data-seat='3'].taken >> text=Deckhand")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    guest = wide(visits, "contrast")
    guest.page.goto(link)
    guest.page.locator("form button.primary").click()
    guest.page.wait_for_selector(".table")
    page.wait_for_selector(".table")
    closing = served.post("/tables", {"rules": "jamaica-en", "seats": [ANN, LINK, LINK]})
    token = joined(served, closing)
    guest.sit({"table": closing["table"], "token": token, "invites": []}, "jamaica-en")
    guest.page.wait_for_selector("[data-seat]")
    assert guest.page.locator("[data-action=close], [data-action=computer]").count() == 0
    visit.sit(closing, "jamaica-en")
    page.wait_for_selector("[data-seat]")
    page.locator("[data-action=close]").click()
    page.locator("[data-action=close]").click()
    for window in (page, guest.page):
        window.get_by_role("heading", name="This table was cancelled").wait_for()
    assert visit.go().wait_for_selector("[data-play]:enabled")
    assert page.locator(f"[data-mine='{closing['table']}']").count() == 0


def test_an_absent_opponent_and_the_end_of_the_clock_are_told(visits: Opener, served: Served) -> None:
    visit = wide(visits, "dark", (2560, 1440))
    setup = {"rules": "jamaica-en", "seats": [LINK, ANN], "lots": False, "absence": 500, "replace": "deckhand"}
    made = served.post("/tables", setup)
    joined(served, made)
    page = visit.sit(made, "jamaica-en")
    banner = page.locator("[data-absent]").filter(has_text="takes over")
    assert re.fullmatch(r"Ben is not connected\. The computer takes over in [5-8]:\d\d\.", banner.inner_text())
    assert "not connected" in page.locator("li.crew").first.inner_text()
    clock = {"kind": "turn", "seconds": 5}
    waits = {"clock": clock, "absence": None, "hold": True}  # the clock begins when both pages are there
    timed = served.post("/tables", setup | {"seats": [ANN, BEN, LINK]} | waits)
    cas = joined(served, timed, "Cas")
    visit.sit(timed, "jamaica-en")
    other = phone(visits, "contrast")
    other.sit({"table": timed["table"], "token": cas, "invites": []}, "jamaica-en")
    for window in (page, other.page):
        window.wait_for_selector("[data-seat]")
    served.post(f"/tables/{timed['table']}/start", {}, timed["token"])
    other.page.wait_for_selector("[data-news] >> text=Ann has run out of time; the computer plays on.")
    page.wait_for_selector("[data-away=time] >> text=Ann has run out of time")  # Ben sits at this device, too
    assert "Ann has run out of time" in page.inner_text(".side .log")
    page.set_viewport_size({"width": 1280, "height": 720})
    edges = "() => ['.away', '.clock'].map((name) => document.querySelector(`.crew ${name}`).getBoundingClientRect())"
    away, clock = page.evaluate(f"() => ({edges})().map((box) => box.toJSON())")
    assert away["right"] <= clock["left"]  # beside each other, in a narrow column too


def test_a_spectator_knows_it_looks_back_and_follows_the_rematch(visits: Opener, served: Served) -> None:
    setup = {"rules": "tortuga-en", "seats": [ANN, BEN], "spectators": "public", "lots": False}
    made = served.post("/tables", setup)
    served.play(made["table"], made["token"], 3)
    watcher = phone(visits, "light")
    page = watcher.go(f"table/{made['table']}")
    page.wait_for_selector(".watching >> text=You are watching")
    page.wait_for_selector("[data-action=back]")
    settle(page)
    figures = "() => [...document.querySelectorAll('.figure')].map((n) => n.getAttribute('transform')).sort().join()"
    now = page.evaluate(figures)
    assert "Move 3 of 3" in page.inner_text(".lookback")
    page.click("[data-action=first]")
    page.wait_for_function(f"now => ({figures})() !== now", arg=now)
    served.play(made["table"], made["token"])  # what goes on does not disturb a look back
    page.wait_for_function("() => document.querySelector('.lookback').innerText.includes('Move 0 of 4')")
    page.click("[data-action=next]")
    page.wait_for_function("() => document.querySelector('.status').innerText.includes('Ann')")
    page.click("[data-action=now]")
    page.wait_for_function("() => document.querySelector('.lookback').innerText.includes('Move 4 of 4')")
    served.post(f"/tables/{made['table']}/resign", {"seat": 1}, made["token"])
    page.wait_for_selector(".over")
    page.click("[data-action=lookback]")
    page.wait_for_selector(".over.small")
    page.click(".over .fold")
    again = served.post(f"/tables/{made['table']}/rematch", {}, made["token"])["table"]
    page.click("[data-action=follow]")
    page.wait_for_url(f"**/#/table/{again}")
    page.wait_for_selector(".watching")
    page = watcher.go(f"replay/{made['table']}")  # the record is not theirs, the table is
    page.wait_for_url(f"**/#/table/{made['table']}")


def test_resigning_closes_the_menu_and_the_lists_tell_of_tables(visits: Opener, served: Served) -> None:
    visit = wide(visits, "contrast")
    seats = [ANN, {"kind": "computer", "level": "sailor", "name": "Bartholomew of Roberts"}]
    made = served.post("/tables", {"rules": "jamaica-en", "seats": seats, "lots": False})
    page = visit.sit(made, "jamaica-en")
    wait(page)
    page.locator("button.menu").click()
    page.locator("[data-menu=resign]").dblclick()  # in haste: that is asked, not answered
    page.locator("[data-menu=resign]").get_by_text("Resign now?").click()
    page.wait_for_selector(".over >> text=You resigned.")
    names = page.locator(".over .name")
    assert names.evaluate_all("nodes => nodes.filter((node) => node.scrollWidth > node.clientWidth).length") == 0
    assert page.locator("dialog[open]").count() == 0
    clock = {"kind": "bank", "seconds": 600, "increment": 0}
    lobby = {"seats": [{"kind": "here", "name": "Grace"}, LINK], "lobby": True}
    timed = served.post("/tables", lobby | {"rules": "nest-nl", "clock": clock})
    calm = served.post("/tables", lobby | {"rules": "tortuga-en"})
    page = visit.go()
    mine = page.locator(f"[data-mine='{made['table']}'][data-state=lost]").inner_text()
    assert re.search(r"against [\w ’]+\s+[\w ’]+ won", mine)
    assert "now" in mine or "ago" in mine
    told = page.locator(f"[data-open='{timed['table']}']").inner_text()
    for words in ("The Pirate’s Nest", "Host: Grace", "1 of 2 seats taken", "10\N{NO-BREAK SPACE}min per player"):
        assert words in told
    later = served.post("/tables", lobby | {"rules": "jamaica-en"})
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")  # back from another window
    page.wait_for_selector(f"[data-open='{later['table']}']")
    page.select_option("[data-filter=clock]", "without")
    page.wait_for_selector(f"[data-open='{timed['table']}']", state="detached")
    assert page.locator(f"[data-open='{calm['table']}']").count() == 1
    page.select_option("[data-filter=game]", "nest")
    page.wait_for_selector("text=No open table matches.")
    visit.sit({"table": "zzzz9999", "token": "long-gone", "invites": []}, "jamaica-en")
    page.get_by_role("heading", name="Table not found").wait_for()
    lost = visit.go().locator("[data-mine=zzzz9999]")
    lost.get_by_text("No longer available").wait_for()
    page.wait_for_selector("[data-continue]", state="detached")
    for _ in range(2):
        lost.locator("[data-remove]").click()
    lost.wait_for(state="detached")
    visit.forgive(STATUS_4)


def refuse(route: Route) -> None:
    route.abort("connectionrefused")


def test_home_is_honest_without_a_server_and_an_unsent_move_is_sent_once(visits: Opener, served: Served) -> None:
    visit = phone(visits, "contrast")
    page = visit.page
    page.route_web_socket("**/live", lambda socket: socket.close())
    made = served.post("/tables", {"rules": "tortuga-en", "seats": [ANN, BEN], "lots": False})
    visit.sit(made, "tortuga-en")
    page.reload()
    page.wait_for_selector(".banner >> text=Live updates are blocked")
    assert wait(page) == "choose"
    page.route("**/api/**", refuse)
    page.locator("[data-card].live").first.tap()
    page.locator(".mark.pickable[data-kinds~=source]").last.tap()
    page.wait_for_selector(".banner >> text=Your move is kept")
    visit.go()
    told = page.locator("[data-offline], [data-alone]").inner_text()
    assert "server" in told
    page.get_by_text("Your move is waiting to be sent").first.wait_for()
    page.unroute("**/api/**")
    page.wait_for_selector("[data-offline], [data-alone]", state="detached")
    page.wait_for_function("() => localStorage.getItem('cartagena.unsent') === '[]'")
    assert page.wait_for_selector(f"[data-mine='{made['table']}'] >> text=Your turn")
    visit.go(f"table/{made['table']}")
    page.wait_for_selector(".pip.spent")
    events = served.look(made["table"], made["token"])["events"]
    assert [event["type"] for event in events].count("move") == 1
    visit.forgive("ERR_CONNECTION_REFUSED")


@pytest.mark.parametrize(
    ("route", "words"),
    [
        ("table/{}", "This table is private"),
        ("replay/{}", "Only the players"),
        ("replay/zz99", "no table with this link"),
    ],
)
def test_a_link_to_what_a_stranger_may_not_see_tells_the_truth(
    visit: Visit, served: Served, route: str, words: str
) -> None:
    made = served.post("/tables", {"rules": "jamaica-en", "seats": [ANN, BEN]})
    visit.go(route.format(made["table"])).wait_for_selector(f"text={words}")
    visit.forgive(STATUS_4)


def test_the_discard_pile_shows_the_card_played_last_and_the_focus_stays_at_the_table(visit: Visit) -> None:
    visit.context.add_init_script("delete Element.prototype.checkVisibility")  # Safari has it from 17.4 on
    page = visit.go(f"position/{quote(CARDS, safe='')}")
    assert wait(page) == "choose"
    for card, spent in (("K", 1), ("B", 2)):
        page.locator(f"[data-card='{card}']").focus()
        page.keyboard.press("Enter")
        page.locator("[data-place='s']").focus()
        page.keyboard.press("Enter")
        page.wait_for_function("n => document.querySelectorAll('.pip.spent').length === n", arg=spent)
        page.wait_for_selector(f"[data-pile=discard][data-top='{card}']")
        page.wait_for_function("() => document.activeElement.closest('.table')")
    page.locator("[data-action=end]").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => !document.querySelector('.pip.spent')")
    page.wait_for_function("() => document.activeElement.closest('.table')")


def test_your_turn_is_told_when_the_board_is_ready(visits: Opener, served: Served) -> None:
    visit = visits(settings={"pace": "normal"})
    seats = [ANN, {"kind": "computer", "level": "deckhand"}]
    page = visit.sit(served.post("/tables", {"rules": "jamaica-en", "seats": seats, "lots": False}), "jamaica-en")
    while step(page, 0) != "end":
        pass
    page.wait_for_function("() => !document.querySelector('.status').innerText.includes('Your turn')")
    told = page.wait_for_function("""() => {
      const ready = document.querySelector('.table').dataset.ready;
      return document.querySelector('.status').innerText.includes('Your turn') ? ready : '';
    }""")
    assert told.json_value() == "true"
    page.wait_for_function("() => document.querySelector('#announcements').innerText.includes('Your turn')")


AT_FIRST_ITEM = """() => {
  const items = document.querySelectorAll('dialog[open] > .stack > :not(.panel) :is(summary, button, a, input)');
  return [...items].find((node) => node.checkVisibility()) === document.activeElement;
}"""


@pytest.mark.parametrize(("size", "theme"), [((360, 640), "dark"), ((1280, 720), "light")])
def test_menu_and_settings_keep_their_way_out_in_sight(
    visits: Opener, served: Served, size: tuple[int, int], theme: str
) -> None:
    visit = wide(visits, theme, size)
    made = served.post("/tables", {"rules": "tortuga-en", "seats": [ANN, BEN], "spectators": "public", "lots": False})
    page = visit.sit(made, "tortuga-en")
    wait(page)
    page.locator("button.menu").click()
    inside(page, size)
    page.wait_for_function(AT_FIRST_ITEM)
    page.locator("dialog[open] button.icon").first.click()
    page.wait_for_function("() => document.querySelectorAll('dialog[open]').length === 2")
    inside(page, size)


def inside(page: Page, size: tuple[int, int]) -> None:
    """The uppermost dialog and its last button are wholly on the page, without scrolling."""
    dialog = page.locator("dialog[open]").last
    dialog.wait_for()
    for part in (dialog, dialog.locator("> .stack > .foot button").last):
        box = part.bounding_box()
        assert box is not None
        assert 0 <= box["y"] <= box["y"] + box["height"] <= size[1]
        assert 0 <= box["x"] <= box["x"] + box["width"] <= size[0]


def test_a_slow_hint_says_why_and_a_position_to_try_is_no_dead_end(visit: Visit, served: Served) -> None:
    page = visit.page
    made = served.post("/tables", {"rules": "tortuga-en", "seats": [ANN, BEN], "hints": True, "lots": False})
    held: list[Route] = []
    page.route("**/*.wasm", refuse)
    page.route("**/hint", lambda route: held.append(route))  # noqa: PLW0108 - it must be a function
    visit.sit(made, "tortuga-en")
    wait(page)
    page.click("[data-action=hint]")
    page.wait_for_selector("p.hint >> text=/getting ready.+can take half a minute/")
    for route in held:
        route.continue_()
    page.wait_for_selector("p.hint button")
    served.play(made["table"], made["token"])
    served.post(f"/tables/{made['table']}/resign", {"seat": 1}, made["token"])
    page.click("[data-action=replay]")
    page.click("[data-action=next]")
    words = page.inner_text(".words")
    page.click("[data-action=try]")
    wait(page)
    page.click("[data-action=back]")
    page.wait_for_function("words => document.querySelector('.words')?.innerText === words", arg=words)
    page = visit.go("learn")
    page.locator("a[href*=position]").first.click()
    wait(page)
    page.click("[data-action=show]")
    page.wait_for_function("() => document.querySelectorAll('.pip.spent').length === 3")
    page.click("a[data-action=next]")
    page.wait_for_function("() => !document.querySelector('.pip.spent')")
    visit.forgive("ERR_CONNECTION_REFUSED")


@pytest.mark.parametrize(
    ("rules", "theme"),
    [pytest.param("jamaica-en", "light", marks=pytest.mark.whole), ("tortuga-en", "dark"), ("nest-nl", "contrast")],
)
def test_a_stranger_who_only_reads_the_screen_makes_a_legal_first_move(
    visits: Opener, served: Served, rules: str, theme: str
) -> None:
    """Only roles and texts are used: what the first steps name is tried until the status line says that it counted."""
    visit = phone(visits, theme, known="")
    seats = [ANN, {"kind": "computer", "level": "deckhand"}]
    page = visit.sit(served.post("/tables", {"rules": rules, "seats": seats, "lots": False}), rules)
    assert "a pirate or a card" in page.get_by_role("note").last.inner_text()
    actions = re.compile(r"Your turn: (\d) actions? left")
    before = page.get_by_text(actions).first.inner_text()
    hand, board = page.get_by_role("group", name=re.compile("hand")), page.get_by_role("region", name="Board")
    hand.get_by_role("button").first.tap()
    for choice in board.get_by_role("button").all():
        choice.tap()
        try:
            page.get_by_text(actions).filter(has_not_text=before).first.wait_for(timeout=60_000)
            break
        except TooLate:
            continue
    assert page.get_by_text(actions).first.inner_text() != before
    logged = page.locator("[id=announcements]").inner_text()
    assert "Ann" in logged


def test_of_two_people_at_one_device_neither_sees_what_the_other_drew(visit: Visit) -> None:
    page = sit_down(visit, [HERE, HERE | {"name": "Ben"}])
    page.click("[data-action=lift]")
    assert wait(page) == "choose"
    play_word(visit, "30")  # back to the pirate behind, which brings a card
    page.wait_for_selector(".side .log .plus .face")
    page.click("[data-action=end][aria-disabled=false]")
    page.wait_for_selector("dialog.curtain[open] >> text=Ben")
    assert page.locator(".log .plus .face").count() == 0
    page.click("[data-action=lift]")
    page.wait_for_selector("[data-trail='30-28'] .brought rect.back")
    assert page.locator("[data-trail='30-28'] .brought .sign").count() == 0
    assert [page.locator(f".side .log .plus .{side}").count() for side in ("face", "back")] == [0, 1]
    assert page.locator(".crews .open").count() == 0
    step(page, 0)
    play_word(visit, "end")
    page.wait_for_selector("dialog.curtain[open] >> text=Ann")
    page.click("[data-action=lift]")
    page.wait_for_selector(".side .log .plus .face")


def test_a_key_that_is_held_down_ends_one_turn(visit: Visit, served: Served) -> None:
    made = served.post("/tables", {"rules": "tortuga-de", "seats": [ANN, BEN], "lots": False})
    page = visit.sit(made, "tortuga-de")
    assert wait(page) == "choose"
    for number in range(20):  # without going up in between: the key repeats
        page.keyboard.down("e")
        if number == 0:
            page.wait_for_selector(".crew.own.turn >> text=Ben")
        settle(page)
    page.keyboard.up("e")
    events = served.look(made["table"], made["token"])["events"]
    assert [event["seat"] for event in events if event["type"] == "move"] == [1]
    page.keyboard.press("e")
    page.wait_for_selector(".crew.own.turn >> text=Ann")
