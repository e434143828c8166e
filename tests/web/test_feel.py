"""What a player sees and feels: trails, answers, endings, a board that never jumps, drag and sound."""

import re
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page

from .conftest import Opener
from .playing import EndlessError, look, play_out, settle, step, tap, wait
from .rig import Served, Visit

ANN = {"kind": "here", "name": "Ann"}
BEN = {"kind": "here", "name": "Ben"}
COMPUTER = {"kind": "computer", "level": "sailor"}
SHORT = {"pirates": 2, "pieces": 2, "lots": False}
TUNNEL = "BPHSDK/DBKPHS/PKDHSB/HKPBSD/KBSDHP/HDKBPS"
# A hat from field 8 leaps over 11, which is taken, to 16; three cards lead from 35 to the sloop.
LEAPS = f"jamaica-en {TUNNEL} s,s,s,s,s,8/s,s,s,11,11,11 BHK/DP - B16D16H16K16P16S17 - - 1.0"
MEANT = f"jamaica-en {TUNNEL} s,s,s,s,8,35/s,s,s,11,11,11 BHK/DP - B16D16H16K16P16S17 - - 1.0"
BOARD = """() => {
  const {x, y, width, height} = document.querySelector('.board').getBoundingClientRect();
  return [x, y, width, height];
}"""
SHIFTS = """
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const {value, sources} of list.getEntries()) {
      window.shifts.push([value, sources.map(({node}) => node?.className ?? node?.nodeName)]);
    }
  }).observe({type: 'layout-shift', buffered: true});
"""
HEARD = """
  window.tones = [];
  const set = AudioParam.prototype.setValueAtTime;
  AudioParam.prototype.setValueAtTime = function (value, at) {
    window.tones.push(value);
    return set.call(this, value, at);
  };
"""
# Notes even a change that lasts less than the time between two looks at the page.
NOTE_CHANGE = """() => {
  const figures = FIGURES;
  const now = figures();
  const note = () => { window.changed ||= figures() !== now; };
  const all = {subtree: true, childList: true, attributes: true};
  new MutationObserver(note).observe(document.querySelector('.board'), all);
}"""
WHOLE = pytest.mark.whole
SIZES = [(360, 640), (390, 844), (1280, 720), (2560, 1440)]


def at_size(visits: Opener, size: tuple[int, int], **more: Any) -> Visit:
    phone = {"has_touch": True, "is_mobile": True} if size[0] < 500 else {}
    return visits(viewport={"width": size[0], "height": size[1]}, **phone, **more)


def end_turn(page: Page) -> None:
    """Play until the turn is over and the next choice is due."""
    for number in range(40):
        if step(page, number) == "end":
            break
    assert wait(page) == "choose"


def poke(page: Page, selector: str) -> None:
    """Click in the middle of something, whatever lies above it."""
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_the_others_moves_stay_drawn_until_the_first_action_and_are_shown_again(visit: Visit, served: Served) -> None:
    setup = {"rules": "jamaica-en", "seats": [ANN, COMPUTER], "lots": False}
    page = visit.sit(served.post("/tables", setup), "jamaica-en")
    end_turn(page)
    settle(page)
    trails = page.locator("[data-trail]")
    drawn = trails.count()
    assert drawn >= 1
    assert page.locator(".gone.crew-red").count() == drawn
    assert page.locator(".gone .chips").count() >= 1
    figures = (
        "() => [...document.querySelectorAll('.figure')].map((node) => node.getAttribute('transform')).sort().join()"
    )
    now = page.evaluate(figures)
    page.evaluate(NOTE_CHANGE.replace("FIGURES", figures))
    page.click("[data-action=again]")
    page.wait_for_function("() => window.changed")  # the pirates are back where they came from
    page.wait_for_selector(".table[data-ready=true]")
    assert page.evaluate(figures) == now
    assert trails.count() == drawn
    line = page.locator(".side .log .turn.crew-red button").first
    line.hover()
    page.wait_for_selector(".side .log button.lit")
    assert trails.count() == 1
    page.mouse.move(5, 5)
    page.wait_for_selector(".side .log button.lit", state="detached")
    line.focus()
    page.wait_for_selector(".side .log button.lit")
    page.locator("[data-action=again]").focus()
    assert page.locator(".side .log .turn .card").count() >= 2  # cards are pictures
    assert page.locator(".side .log .turn").count() == 2
    tap(page, 0)
    step(page, 0)
    page.wait_for_selector(".pip.spent")
    assert trails.count() == 0


@pytest.mark.parametrize(
    ("rules", "size"),
    [
        ("jamaica-en", (360, 640)),
        ("nest-nl", (1280, 720)),
        pytest.param("jamaica-en", (1280, 720), marks=WHOLE),
        pytest.param("nest-nl", (360, 640), marks=WHOLE),
    ],
)
def test_a_stranger_is_told_what_to_do(visits: Opener, served: Served, rules: str, size: tuple[int, int]) -> None:
    visit = at_size(visits, size, settings={"known": ""})
    page = visit.sit(served.post("/tables", {"rules": rules, "seats": [ANN, COMPUTER], "lots": False}), rules)
    assert wait(page) == "choose"
    guide = page.locator("[data-guide]:visible")
    assert guide.count() == 1
    assert "Be the first" in guide.inner_text()
    assert "Pick a pirate or a card" in guide.inner_text()
    assert guide.get_by_role("link").get_attribute("href") == f"#/lesson/{'nest' if 'nest' in rules else 'tunnel'}/1"
    assert "Your turn: 3 actions left" in page.inner_text(".status")
    before = page.evaluate(BOARD)
    page.keyboard.press("1")
    page.locator(".mark.pickable[data-kinds~=source]").last.click()
    page.wait_for_selector(".pip.spent")
    page.wait_for_selector("[data-guide]", state="detached")
    assert page.evaluate(BOARD) == before
    assert "Your turn: 2 actions left" in page.inner_text(".status")


def test_the_captain_is_told_beside_the_turn_and_the_level_beside_play_now(visit: Visit) -> None:
    board = "STMDCPG/DCGMPST|GPDCMTS/TPMCGSD/PSGDCTM"
    captain = f"nest-nl {board} s,s,s,3,b,b/s,s,s,s,5,b CD/MP - C13C!D13D!G14G!M13M!P13P!S14S!T14T! - 1 1.0c"
    page = visit.go(f"position/{quote(captain, safe='')}")
    assert wait(page) == "choose"
    assert re.search(r"3 actions left.*You are captain", page.inner_text(".status"), re.DOTALL)
    page = visit.go()
    page.wait_for_selector("[data-play=jamaica]:enabled")
    page.select_option("[data-level]", "deckhand")
    page.click("[data-play=jamaica]")
    assert wait(page) == "choose"
    assert "Deckhand" in page.inner_text(".crews")


def test_a_wrong_click_answers_where_it_was_made(visit: Visit) -> None:
    page = visit.go(f"position/{quote(LEAPS, safe='')}")
    assert wait(page) == "choose"
    settle(page)

    def answer(selector: str, words: str, at: str) -> None:
        poke(page, selector)
        page.wait_for_selector(f".answer[data-at='{at}'] >> text={words}")
        bubble, node = page.locator(".answer").bounding_box(), page.locator(selector).first.bounding_box()
        assert bubble is not None
        assert node is not None
        assert bubble["y"] + bubble["height"] <= node["y"] + 1 or bubble["y"] >= node["y"] + node["height"] - 1
        assert abs(bubble["y"] - node["y"]) < 160

    answer("[data-spot='20']", "You have no pirate on field 20", "place 20")  # an empty field
    answer("[data-spot='11']", "You have no pirate on field 11", "place 11")  # an opponent's pirates
    answer("[data-spot='b']", "You have no pirate aboard the sloop", "place b")
    page.click("[data-card='H']")
    answer("[data-spot='11']", "Field 11 is occupied, so the hat card takes you on to field 16", "place 11")
    answer("[data-spot='21']", "This card takes none of your pirates here", "place 21")
    assert page.locator("[data-card='H'][aria-pressed=true]").count() == 1
    page.keyboard.press("Escape")
    page.click("[data-place='8']")
    answer("[data-spot='3']", "The selected pirate cannot get here", "place 3")
    page.keyboard.press("Escape")
    assert page.locator(".answer").count() == 0
    page.keyboard.press("u")
    page.wait_for_selector(".answer[data-at='action undo']")
    page.keyboard.press("e")
    page.wait_for_selector(".answer[data-at='action end'] >> text=Take at least one action")
    assert "Your turn: 3 actions left" in page.inner_text(".status")


@pytest.mark.parametrize(
    "size", [SIZES[0], pytest.param(SIZES[1], marks=WHOLE), SIZES[2], pytest.param(SIZES[3], marks=WHOLE)]
)
def test_nothing_moves_the_board(visits: Opener, served: Served, size: tuple[int, int]) -> None:
    """Answers, questions, hints, lost connections, talk and the end leave the board where it was."""
    visit = at_size(visits, size)
    setup = {"rules": "tortuga-en", "seats": [ANN, BEN], "hints": True, "lots": False}
    made = served.post("/tables", setup)
    page = visit.sit(made, "tortuga-en")
    assert wait(page) == "choose"
    settle(page)
    board = page.evaluate(BOARD)

    def same(what: str) -> None:
        settle(page)
        assert page.evaluate(BOARD) == board, what

    poke(page, "[data-spot='20']")
    page.wait_for_selector(".answer")
    same("answer")
    page.locator("[data-card].live").first.click()
    same("picked card")
    page.keyboard.press("Escape")
    target = page.evaluate("() => document.querySelectorAll('[data-card]').length")
    assert target > 0
    page.click("[data-action=hint]")
    page.wait_for_selector("p.hint button")  # the hint itself, not that it is thought about
    same("hint")
    page.click("p.hint button")
    page.wait_for_selector("p.hint", state="detached")
    served.post(f"/tables/{made['table']}/talk", {"text": "Ahoy there, all of you " * 6}, made["token"])
    page.wait_for_function("() => document.querySelector('.talk')?.textContent.includes('Ahoy')")
    same("talk")
    step(page, 0)
    page.wait_for_selector(".pip.spent")
    same("a move")
    served.post(f"/tables/{made['table']}/resign", {}, made["token"])
    page.wait_for_selector(".over")
    same("the end")
    ending = page.locator(".over").bounding_box()
    assert ending is not None
    assert ending["x"] >= 0
    assert ending["x"] + ending["width"] <= size[0]
    beside = ending["x"] >= board[0] + board[2] - 1
    assert beside or ending["y"] >= board[1] + board[3] - 1  # it covers neither sloop nor nest


def test_which_one_is_answered_on_the_table(visit: Visit) -> None:
    page = visit.go(f"position/{quote(MEANT, safe='')}")
    assert wait(page) == "choose"
    page.click("[data-place='35']")
    page.click("[data-place='b']")
    page.wait_for_selector("[data-card].ask")
    assert page.locator("dialog[open]").count() == 0
    asked = page.locator("[data-card].ask")
    assert sorted(card.get_attribute("data-card") or "" for card in asked.all()) == ["B", "H", "K"]
    page.click("[data-card='K']")
    page.wait_for_selector(".pip.spent")
    assert page.locator("[data-card].ask").count() == 0
    assert page.locator("[data-card='K']").count() == 0


def test_an_ending_shows_the_result_the_standings_and_what_next(visits: Opener, served: Served) -> None:
    visit = visits(reduced_motion="no-preference", settings={"pace": "instant"})
    for _ in range(3):  # about 1 game in 300 never ends
        page = visit.sit(
            served.post("/tables", {"rules": "jamaica-en", "seats": [ANN, COMPUTER]} | SHORT), "jamaica-en"
        )
        try:
            play_out(page)
            break
        except EndlessError:
            continue
    over = page.locator(".over")
    result = over.get_attribute("data-result")
    headline = page.inner_text(".over strong")
    pattern = {"won": r"You win, 2 to [01]!", "lost": r".+ wins, 2 to [01]\.", "draw": "The game is a draw"}[
        str(result)
    ]
    assert re.match(pattern, headline)
    assert over.locator("li").count() == 2
    assert page.locator(".cheering").count() == (0 if result == "draw" else 2)
    for action in ("rematch", "replay", "home"):
        assert over.locator(f"[data-action={action}]").is_visible()
    page.click(".over .fold")
    page.wait_for_selector(".over.small")
    page.click(".over .fold")
    page.click("[data-action=home]")
    page.wait_for_selector("[data-play]")


def test_a_tap_shows_what_computers_played_and_picks_nothing(visits: Opener, served: Served) -> None:
    visit = visits(settings={"pace": "slow"})  # to show the moves of four computers takes a quarter of a minute
    made = served.post("/tables", {"rules": "jamaica-en", "seats": [ANN, *[COMPUTER] * 4], "lots": False})
    page = visit.sit(made)
    assert wait(page) == "choose"
    step(page, 1)
    page.click("[data-action=end]")
    page.wait_for_selector("[data-action=end]", state="detached")
    while served.look(made["table"], made["token"])["position"]["turn"]["chooser"] != 1:
        page.wait_for_timeout(50)
    card = page.locator("[data-card]").first
    card.click()
    assert wait(page) == "choose"
    assert page.locator("[data-card][aria-pressed=true]").count() == 0
    card.click()
    assert page.locator("[data-card][aria-pressed=true]").count() == 1


def test_dragging_lifts_a_ghost_that_snaps_and_sounds_come_after_a_gesture(visits: Opener) -> None:
    visit = visits()
    visit.context.add_init_script(HEARD)
    page = visit.go(f"position/{quote(LEAPS, safe='')}")
    page.reload()
    assert wait(page) == "choose"
    settle(page)
    assert page.evaluate("() => window.tones.length") == 0
    box = page.locator("[data-place='8']").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 15, y + 15, steps=3)
    page.wait_for_selector(".ghost")
    assert page.locator(".lifted").count() == 1
    goal = page.locator("[data-place='16']").bounding_box()
    assert goal is not None
    page.mouse.move(goal["x"] + goal["width"] / 3, goal["y"] + goal["height"] / 3, steps=4)
    page.wait_for_selector(".ghost.snapped")
    page.mouse.up()
    page.wait_for_selector(".pip.spent")
    assert page.locator(".ghost").count() == 0
    page.wait_for_function("() => window.tones.length > 0")
    page.locator("header button.icon").click()
    page.get_by_label("Mute").check()
    page.get_by_role("button", name="Close").click()
    page.evaluate("() => { window.tones = []; }")
    step(page, 0)
    page.wait_for_function("() => document.querySelectorAll('.pip.spent').length === 2")
    assert page.evaluate("() => window.tones.length") == 0


def test_talk_is_told_where_it_is_not_in_sight_and_a_player_can_delete_what_is_kept(
    visits: Opener, served: Served
) -> None:
    visit = at_size(visits, (390, 844))
    made = served.post("/tables", {"rules": "jamaica-en", "seats": [ANN, {"kind": "link"}], "lots": False})
    invite = made["invites"][0]
    other = served.post(f"/tables/{made['table']}/join", {"name": "Ben", "invite": invite["invite"], "salt": ""})
    page = visit.sit(made, "jamaica-en")
    wait(page)
    served.post(f"/tables/{made['table']}/talk", {"text": "Ahoy there"}, other["token"])
    page.wait_for_selector(".toast >> text=Ahoy there")
    assert page.inner_text(".menu .badge") == "1"
    page.locator("button.menu").click()
    page.wait_for_selector("dialog[open] .talk >> text=Ahoy there")
    assert page.locator(".badge").count() == 0
    page.reload()
    wait(page)
    assert page.locator(".toast, .menu .badge").count() == 0  # what was said before is not news
    page.locator("button.menu").click()
    page.route("**/talk", lambda route: route.fulfill(status=429, json={"error": {"code": "too-many", "message": ""}}))
    line = page.locator("dialog[open] .talk input")
    line.fill("Land in sight")
    line.press("Enter")
    page.wait_for_selector("dialog[open] .talk [role=alert] >> text=too fast")
    assert line.input_value() == "Land in sight"
    page.locator("dialog summary", has_text="Your data").click()
    with page.expect_download() as kept:
        page.locator("[data-yours=download]").click()
    assert '"name": "Ann"' in kept.value.path().read_text()
    served.post(f"/tables/{made['table']}/forget", {}, other["token"])
    page.wait_for_selector("dialog[open] .talk >> text=Message deleted")
    assert "Ahoy there" not in page.content()
    page.locator("[data-yours=delete]").click()
    page.wait_for_selector("text=This cannot be undone.")
    page.locator("[data-yours=sure]").click()
    page.wait_for_url("**/#/")
    page.wait_for_selector("h1")
    assert page.locator(f"[data-mine='{made['table']}']").count() == 0
    visit.forgive("status of 429")


def test_computers_at_one_table_have_different_names(visit: Visit, served: Served) -> None:
    setup = {"rules": "jamaica-en", "seats": [ANN, *[COMPUTER] * 4], "lots": False}
    page = visit.sit(served.post("/tables", setup), "jamaica-en")
    wait(page)
    names = page.locator(".crew .name").all_inner_texts()
    assert len(set(names)) == 5
    assert page.locator(".crew .facts .soft").all_inner_texts() == ["Sailor"] * 4


@pytest.mark.parametrize("size", [SIZES[0], pytest.param(SIZES[2], marks=WHOLE)])
def test_a_whole_game_shifts_nothing(visits: Opener, served: Served, size: tuple[int, int]) -> None:
    """The sum of all layout shifts, also of those right after a click."""
    visit = at_size(visits, size)
    visit.context.add_init_script(SHIFTS)
    page = visit.sit(served.post("/tables", {"rules": "tortuga-en", "seats": [ANN, COMPUTER]} | SHORT), "tortuga-en")
    page.reload()
    try:
        play_out(page)
    except EndlessError:
        assert look(page)
    shifts = page.evaluate("() => window.shifts")
    assert sum(value for value, _ in shifts) < 0.005, shifts
