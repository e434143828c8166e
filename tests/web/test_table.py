"""What a table does besides the game: lost servers, taking back, playing again, dragging."""

from urllib.parse import quote

import pytest
from playwright.sync_api import Page

from .conftest import Opener
from .playing import EndlessError, play_out, settle, step, tap, wait
from .rig import Served, Visit

SMALL = {"pirates": 1, "lots": False}
HOT_SEAT = [{"kind": "here", "name": "Ann"}, {"kind": "here", "name": "Ben"}]
EXAMPLE_A = (
    "tortuga-en BPHSDK/DBKPHS/PKDHSB/HKPBSD/KBSDHP/HDKBPS s,6,6,17,18,b/s,8,17,17,22,30/s,5,9,12,26,34 "
    "BD4H/BHKP/BHKPS BDDHKSPBH B6D5H6K6P6S7 B6D6H6K8P8S8 - 1.0"
)
ELSEWHERE = """
  window.hiddenNow = false; window.bells = 0; window.notes = [];
  const state = () => (window.hiddenNow ? 'hidden' : 'visible');
  Object.defineProperty(document, 'visibilityState', {get: state});
  const set = AudioParam.prototype.setValueAtTime;
  AudioParam.prototype.setValueAtTime = function (value, at) {
    if (value === 880) window.bells += 1;  // the first tone of the bell
    return set.call(this, value, at);
  };
  const Note = window.Notification;
  window.Notification = class extends Note {
    static get permission() { return 'granted'; }  // a browser without windows grants none
    constructor(words) { super(words); window.notes.push(words); }
  };
"""

# News is asked for in short questions, and in none while it is held.
ASKED_SELDOM = """
  window.held = false; window.asking = 0;
  const real = window.fetch;
  window.fetch = async (...asked) => {
    const request = new Request(...asked);
    if (!request.url.includes('/events')) return real(request);
    do await new Promise((done) => setTimeout(done, 50)); while (window.held);
    window.asking += 1;
    try { return await real(new Request(request.url.replace('wait=20', 'wait=0'), request)); }
    finally { window.asking -= 1; }
  };
"""


def test_the_server_is_killed_in_mid_turn_and_nothing_is_lost(
    visits: Opener, tmp_path_factory: pytest.TempPathFactory
) -> None:
    own = Served(tmp_path_factory.mktemp("killed"))
    setup = {
        "rules": "jamaica-en",
        "seats": [{"kind": "here", "name": "Ann"}, {"kind": "here", "name": "Ben"}],
        "lots": False,
    }
    visit = visits(own)
    visit.sit(own.post("/tables", setup), "jamaica-en")
    page = visit.page
    page.click("[data-action=lift]")
    step(page, 0)
    page.wait_for_function("() => document.querySelectorAll('.pip.spent').length === 1")
    own.kill()
    page.wait_for_selector(".banner")
    own.start()
    page.wait_for_selector(".banner", state="detached")
    assert page.locator(".pip.spent").count() == 1
    step(page, 1)
    page.wait_for_function("() => document.querySelectorAll('.pip.spent').length === 2")
    visit.context.close()  # before the server goes again, or it would go on complaining
    own.kill()
    visit.forgive("ERR_CONNECTION")
    visit.forgive("WebSocket")


def test_undo_says_why_it_is_off_and_works_when_on(visit: Visit, served: Served) -> None:
    setup = {
        "rules": "tortuga-en",
        "seats": [{"kind": "here", "name": "Ann"}, {"kind": "here", "name": "Ben"}],
        "lots": False,
    }
    visit.sit(served.post("/tables", setup), "tortuga-en")
    page = visit.page
    assert wait(page) == "choose"
    settle(page)
    page.locator("[data-action=undo]").click(force=True)
    page.wait_for_selector(".answer[data-at='action undo'] >> text=You have not moved yet")
    step(page, 0)
    page.wait_for_selector(".pip.spent")
    page.click("[data-action=undo]")
    page.wait_for_function("() => document.querySelectorAll('.pip.spent').length === 0")


def test_what_was_picked_stays_picked_while_others_talk(visit: Visit, served: Served) -> None:
    made = served.post("/tables", {"rules": "tortuga-en", "seats": HOT_SEAT, "lots": False})
    page = visit.sit(made, "tortuga-en")
    assert tap(page, 0) == "card"
    served.post(f"/tables/{made['table']}/talk", {"text": "Ahoy there"}, made["token"])
    page.wait_for_function("() => document.querySelector('.talk')?.innerText.includes('Ahoy there')")
    assert page.locator("[data-card][aria-pressed=true]").count() == 1
    assert step(page, 0) == "advance"
    page.wait_for_selector(".pip.spent")


def test_rematch_passes_the_start_on(visit: Visit, served: Served) -> None:
    setup = {"rules": "jamaica-en", "seats": [{"kind": "here", "name": "Ann"}, {"kind": "computer", "level": "sailor"}]}
    made = served.post("/tables", setup | SMALL)
    page = visit.sit(made, "jamaica-en")
    wait(page)
    served.post(f"/tables/{made['table']}/resign", {}, made["token"])
    page.click("[data-action=rematch]")
    page.wait_for_function("table => !location.hash.includes(table)", arg=made["table"])
    page.wait_for_selector(".over", state="detached")  # the address changes before the table does
    assert wait(page) == "choose"
    assert page.locator(".crew .name").nth(1).inner_text().startswith("Ann")


def test_pirates_and_cards_can_be_dragged(visit: Visit) -> None:
    page = visit.go("lesson/tunnel/7")
    assert wait(page) == "choose"
    settle(page)
    drag(page, "[data-card='B']", "[data-place='8']")
    page.wait_for_selector(".pip.spent")
    assert wait(page) == "choose"
    settle(page)
    drag(page, "[data-place='18']", "[data-place='12']")
    page.wait_for_function("() => document.querySelectorAll('.pip.spent').length === 2")


def drag(page: Page, start: str, end: str) -> None:
    """Pick something up and put it down; what it can be put on shows only once it is lifted."""
    box = page.locator(start).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 + 20, box["y"] + box["height"] / 2 - 20, steps=4)
    goal = page.locator(end).bounding_box()
    assert goal is not None
    page.mouse.move(goal["x"] + goal["width"] / 2, goal["y"] + goal["height"] / 2, steps=6)
    page.mouse.up()


def test_a_draw_is_told_in_the_log_also_where_it_comes_from_the_open_row(visit: Visit) -> None:
    page = visit.go(f"position/{quote(EXAMPLE_A, safe='')}")
    assert wait(page) == "choose"
    page.click("[data-place='18']")
    page.click("[data-place='12'][data-kinds~=target]")
    page.wait_for_function("() => document.querySelector('.log').innerText.includes('draws 1 card.')")


@pytest.mark.usefixtures("compiled_code")
def test_the_strongest_level_says_what_to_do_and_why(visits: Opener, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The captain, where the network of the admiral cannot be fetched."""
    own = Served(tmp_path_factory.mktemp("captain"), LEVELS="admiral,sailor,captain")
    visit = visits(own)
    page = visit.go()
    page.click("[data-play=jamaica]")
    assert wait(page) == "choose"
    page.route("**/*.network", lambda route: route.abort())
    for level in ("Captain", "Admiral"):
        page.click("[data-action=hint]")
        page.wait_for_selector(f".hint >> text=/suggests \\({level}\\): .+\\. .+\\. Win chance: \\d+%/")
        assert page.locator(".ring.hint").count() >= 1
        page.unroute("**/*.network")
    visit.forgive("ERR_FAILED")
    step(page, 0)
    page.wait_for_selector(".hint", state="detached")
    visit.context.close()
    own.kill()


def test_clocks_run_for_the_seat_to_move(visit: Visit, served: Served) -> None:
    setup = {"rules": "tortuga-en", "seats": HOT_SEAT, "clock": {"kind": "bank", "seconds": 600, "increment": 0}}
    page = visit.sit(served.post("/tables", setup | SMALL), "tortuga-en")
    assert wait(page) == "choose"
    clocks = "() => [...document.querySelectorAll('.crew .clock')].map((node) => node.innerText)"
    first = page.evaluate(clocks)
    assert len(first) == 2
    assert first[1] == "10:00"
    page.wait_for_function(f"first => ({clocks})()[0] !== first", arg=first[0])
    assert page.evaluate(clocks)[1] == "10:00"


def test_a_turn_is_told_by_title_bell_and_notification(visits: Opener, served: Served) -> None:
    """Where one looks elsewhere: the page is told that it is hidden, and what it asks of the browser is noted."""
    visit = visits(settings={"notify": True})
    visit.context.grant_permissions(["notifications"])
    visit.context.add_init_script(ELSEWHERE)
    seats = [{"kind": "here", "name": "Ann"}, {"kind": "computer", "level": "sailor"}]
    page = visit.sit(served.post("/tables", {"rules": "jamaica-en", "seats": seats} | SMALL), "jamaica-en")
    page.reload()
    assert wait(page) == "choose"
    page.evaluate("() => { window.hiddenNow = true }")
    while step(page, 0) not in ("end", "over"):
        pass
    page.wait_for_function("() => document.title.includes('It is your turn')")
    page.wait_for_function("() => window.bells === 1 && window.notes.length === 1")
    page.evaluate("() => { window.hiddenNow = false; document.dispatchEvent(new Event('visibilitychange')) }")
    page.wait_for_function("() => document.title === 'Table: Jamaica · Cartagena'")


def test_a_turn_is_told_also_where_the_others_turn_came_in_one_piece_with_the_end_of_ones_own(
    visits: Opener, served: Served
) -> None:
    visit = visits(settings={"notify": False})
    visit.context.add_init_script(ELSEWHERE)
    visit.context.add_init_script(ASKED_SELDOM)
    seats = [{"kind": "here", "name": "Ann"}, {"kind": "computer", "level": "sailor"}]
    made = served.post("/tables", {"rules": "jamaica-en", "seats": seats} | SMALL)
    visit.page.route_web_socket("**/live", lambda socket: socket.close())
    page = visit.sit(made, "jamaica-en")
    page.reload()
    page.wait_for_selector(".banner >> text=Live updates are blocked")
    step(page, 0)
    page.wait_for_selector("[data-action=end][aria-disabled=false]")
    page.evaluate("() => { window.hiddenNow = true; window.held = true; }")
    page.wait_for_function("() => window.asking === 0")
    page.click("[data-action=end]")
    while not played_by_both(page, f"{served.address}api/tables/{made['table']}", made["token"]):
        page.wait_for_timeout(50)
    assert page.evaluate("() => window.bells") == 0
    page.evaluate("() => { window.held = false }")
    page.wait_for_function("() => window.bells === 1")


def played_by_both(page: Page, table: str, token: str) -> bool:
    """Whether the second seat has played and the first must choose again, as the server has it."""
    told = page.request.get(table, headers={"authorization": f"Bearer {token}"}).json()
    return told["options"] is not None and 2 in {event.get("seat") for event in told["events"]}


def test_where_sockets_do_not_get_through_a_whole_game_is_played_over_http(visits: Opener, served: Served) -> None:
    visit = visits()
    visit.page.route_web_socket("**/live", lambda socket: socket.close())
    seats = [{"kind": "here", "name": "Ann"}, {"kind": "computer", "level": "sailor"}]
    # With one pirate each a game may never end: a seat that is behind and has no cards cannot move again.
    short = {"pirates": 2, "pieces": 2, "lots": False}
    for number in range(3):  # about 1 game in 300 never ends
        page = visit.sit(served.post("/tables", {"rules": "jamaica-en", "seats": seats} | short), "jamaica-en")
        page.wait_for_selector(".banner >> text=Live updates are blocked")
        try:
            play_out(page)
            break
        except EndlessError:
            assert number < 2
    assert page.locator(".over").get_attribute("data-result") in ("won", "lost", "draw")
    assert "Ann plays" in page.inner_text(".log")
    assert page.inner_text(".log").count("ends the turn") >= 1
    assert visit.frames == []
