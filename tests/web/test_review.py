"""The review and the analysis board, by clicking: from a finished game and from a dropped file, wide and narrow."""

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from cartagena.game import Record
from cartagena.study import puzzles
from tests.catalogues import messages

from .conftest import Opener
from .playing import saved, settle, step
from .rig import PATIENCE, ROOT, Served, Visit
from .test_access import AXE, SERIOUS, THEMES

TOLD: list[dict[str, Any]] = json.loads((ROOT / "tests/study/vectors.json").read_text(encoding="utf-8"))
JAMAICA = str(TOLD[0]["record"])
OWN = next(each for each in TOLD if each["seat"] == 1 and each["record"] == JAMAICA)
"""The review of the same game from the first seat's view."""
SEATS = [{"kind": "here", "name": "Ann"}, {"kind": "computer", "level": "sailor"}]
DROP = """text => {
  const data = new DataTransfer();
  data.items.add(new File([text], 'game.txt', {type: 'text/plain'}));
  window.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
}"""
BESIDE = """() => [...document.querySelectorAll('.editor label.line')].map((label) => {
  const words = document.createRange();
  words.selectNode(label.lastChild);
  const [box, text] = [label.querySelector('input'), words].map((part) => part.getBoundingClientRect());
  return box.right <= text.left && text.top < box.bottom && box.top < text.bottom;
})"""
MOVED = "() => document.querySelector('[data-notation]').value.split(' ')[2].startsWith('s,s,s,s,s,3')"
WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def shown(page: Page) -> int:
    """The step that the graph shows."""
    return int(page.get_attribute("[role=slider]", "aria-valuenow") or -1)


def walk_the_graph(page: Page, steps: int) -> None:
    """Go through the game by keys, by clicking and by dragging."""
    slider = page.locator("[role=slider]")
    slider.focus()
    page.keyboard.press("End")
    assert shown(page) == steps
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert shown(page) == 1
    box = slider.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 34 + (box["width"] - 62) / 2, box["y"] + 60)
    page.mouse.down()
    half = shown(page)
    assert abs(half - steps / 2) <= 1
    page.mouse.move(box["x"] + box["width"], box["y"] + 60)
    page.mouse.up()
    assert shown(page) == steps


def goes_where_the_story_says(page: Page) -> None:
    """The review opens with a sentence; mistakes and turning points lead to the board and to the turn of that name."""
    assert re.search(
        r"You won: \+[\d.]+ points from your decisions, \+[\d.]+ points from the cards", page.inner_text("[data-story]")
    )
    page.click("[data-action=mistake]")
    mark = page.locator("[data-step][aria-current=step] [data-kind]").get_attribute("data-kind")
    assert mark in ("mistake", "blunder")
    turning = page.locator("[data-turning]").first
    turning.scroll_into_view_if_needed()
    turning.click()
    named = turning.inner_text().split("(")[0].strip()
    turn = page.locator("li.turn:has([aria-current=step]) .who").inner_text()
    assert named == "Turn " + turn.replace(". ", ": ")
    top, bottom = page.locator(".show .board").evaluate("node => [node.getBoundingClientRect().top, innerHeight]")
    assert -1 < top < bottom


def keep_a_line(page: Page) -> None:
    """Play on from the opening and keep what was played."""
    page.focus("[role=slider]")
    page.keyboard.press("Home")
    page.click("[data-action=try]")
    step(page, 1)
    page.click("[data-action=keep]:enabled")
    page.wait_for_selector("button[data-line='1']")
    page.wait_for_selector("[data-action=drop-line]")


def list_covers_nothing(page: Page) -> None:
    """The list of moves has its place also on a low screen, where words are long."""
    page.wait_for_selector("[data-review=done]")
    for _ in range(9):
        page.click("[data-action=next]")
    page.wait_for_selector("[data-live=done]")
    settle(page)
    list_, below = (
        page.locator(name).evaluate("node => node.getBoundingClientRect().toJSON()") for name in (".list", ".below")
    )
    assert list_["bottom"] <= below["top"]
    assert list_["height"] >= 200


def test_a_dropped_record_is_reviewed_commented_continued_saved_and_shared(visits: Opener, tmp_path: Path) -> None:
    visit = visits()
    page = visit.page
    page.wait_for_selector("[data-play=jamaica]:enabled")
    page.evaluate(DROP, JAMAICA.replace("[Result", '[Level2 "sailor"]\n[Result'))  # the first seat is the reader's
    page.wait_for_selector("[data-review=going], [data-review=done]")
    page.wait_for_selector("[data-review=done]")
    steps = len(TOLD[0]["decisions"])
    assert page.locator("path[data-line]").count() == 2  # the win chances of each seat
    walk_the_graph(page, steps)
    assert page.locator("tr[data-seat] [data-accuracy]").count() == 2
    goes_where_the_story_says(page)
    keep_a_line(page)
    page.click("[data-step='1']")
    page.wait_for_selector("[data-live=going], [data-live=done]")
    page.wait_for_selector("[data-turn='0']")
    page.wait_for_selector("[data-trail][data-kind=hint]")
    page.fill("[data-comment]", "quiet {but} sound")
    record = saved(page, tmp_path)
    assert [entry.move for entry in record.moves] == [entry.move for entry in Record.parse(JAMAICA).moves]
    assert record.moves[0].comment.startswith("quiet {but} sound [%line ")
    line = re.findall(r"\[%line ([^\]]*)\]", record.moves[0].comment)[0].split()
    Record(record.opening, line)  # it can be played instead of the first move
    assert sum(bool(entry.evaluation) for entry in record.moves) == steps
    assert Record.parse(str(record)) == record
    page.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }")
    page.click("[data-action=share]")
    page.get_by_role("button", name="Copied").wait_for()
    link = page.input_value("[data-invite]")
    assert page.evaluate("() => window.copied") == link
    assert link.endswith(f"/{shown(page)}")
    hidden_cards(page)
    page.evaluate(AXE)
    assert page.evaluate(SERIOUS, list(THEMES)) == []
    practises_its_mistakes(page)
    page.goto(link)
    page.wait_for_selector("button[data-line='1']")
    assert shown(page) == int(link.rpartition("/")[2])
    wrong_records_lose_nothing(page, str(Record(record.opening, record.moves[:3])))
    prints_the_whole_list(page)


def practises_its_mistakes(page: Page) -> None:
    """The reader's mistakes become puzzles, which are found again among the others."""
    page.click("[data-action=practise]")
    page.wait_for_selector("h1:text-is('Jamaica: from your own game')")
    page.click("[data-action=solution]")
    page.wait_for_selector("[data-state=shown]")
    page.click(".note [data-action=next]")
    page.wait_for_selector("[data-state=open]")
    page.evaluate("() => { location.hash = '#/puzzles'; }")
    page.wait_for_selector("[data-own]")


def wrong_records_lose_nothing(page: Page, running: str) -> None:
    """What is no finished game is refused in a sentence, and the review that is open stays."""
    page.evaluate(DROP, "hello")
    page.wait_for_selector("[role=alert] >> text=This is not a saved game of Cartagena.")
    if not page.is_visible("[data-text]"):  # a slow page may have kept it open from before the record was there
        page.click("summary:has-text('Open')")
    page.fill("[data-text]", running)
    page.click("[data-action=read]")
    page.wait_for_selector("[role=alert] >> text=This game is not over yet.")
    assert page.locator("button[data-line='1']").count() == 1
    page.fill("[data-text]", str(TOLD[3]["record"]))
    page.click("[data-action=read]")
    page.wait_for_selector("button[data-line='1']", state="detached")
    page.wait_for_selector(f"[role=slider][aria-valuemax='{len(TOLD[3]['decisions'])}']")


def prints_the_whole_list(page: Page) -> None:
    """On paper there are no buttons for the screen, and nothing of the list of moves is cut off."""
    page.emulate_media(media="print")
    assert not page.is_visible("[data-action=next]")
    assert not page.is_visible("header .buttons")
    assert page.is_visible("[data-step='1']")
    assert page.locator(".moves ol").evaluate("list => getComputedStyle(list).overflowY") == "visible"
    assert page.locator(".story button").evaluate_all("nodes => nodes.every((node) => !node.checkVisibility())")
    screen = page.viewport_size
    assert screen is not None
    page.set_viewport_size({"width": 740, "height": 1050})
    assert page.locator(".scroll").evaluate("node => node.scrollWidth <= node.clientWidth")
    page.set_viewport_size(screen)
    page.emulate_media(media="screen")


def test_review_analysis_and_puzzles_are_used_in_every_language(visit: Visit, request: pytest.FixtureRequest) -> None:
    """In two languages; in all of them before a release."""
    page = visit.page
    puzzle = min(puzzles.load("nest"), key=lambda each: len(each.solution))
    for language in ("de", "es", "fr", "it", "nl", "sv", "en") if request.config.getoption("whole") else ("it", "en"):
        page.evaluate("code => localStorage.setItem('cartagena.settings', JSON.stringify({language: code}))", language)
        page.reload()
        said = messages(language)
        record = JAMAICA if language == "sv" else str(TOLD[3]["record"])  # a short one
        visit.go(f"review/r/{base64.urlsafe_b64encode(zlib.compress(record.encode())).decode().rstrip('=')}")
        page.wait_for_selector(f"h2:text-is('{said['review.moves']}')")
        page.click("[data-action=next]")
        page.wait_for_selector("[data-verdict]")
        if language == "sv":
            list_covers_nothing(page)
        visit.go(f"puzzle/nest/{puzzle.name}")
        page.click("[data-action=solution]")
        page.wait_for_selector("[data-state=shown]")
        page.wait_for_selector(f".note >> text={said['puzzle.shown']}")
        visit.go("analysis")
        page.wait_for_selector(f"label:has-text('{said['analysis.notation']}')")
        page.click("[data-spot=s]")
        page.click("[data-place='3']")
        page.wait_for_function(MOVED)


def hidden_cards(page: Page) -> None:
    """From one seat's view nothing is told of what the others held or drew; the split is that of Python."""
    page.select_option("[data-view]", "1")
    page.wait_for_selector("[data-note]")
    page.wait_for_selector("tr[data-seat='1']")
    assert page.locator("tr[data-seat]").count() == 1
    luck = page.inner_text("tr[data-seat] [data-luck]").replace("\N{MINUS SIGN}", "-")
    assert float(luck) == pytest.approx(100 * OWN["seats"][0]["luck"], abs=0.06)
    judged = page.locator("[data-step]:has([data-kind])").evaluate_all("nodes => nodes.map(node => +node.dataset.step)")
    seats = [each["seat"] for each in TOLD[0]["decisions"]]
    assert {seats[number - 1] for number in judged} == {1}
    assert page.locator("[data-action=try]").is_disabled()


def test_a_finished_game_is_one_click_from_its_review_and_its_positions_from_the_board(
    visits: Opener, served: Served
) -> None:
    visit = visits(
        settings={"language": "de", "theme": "dark"},
        viewport={"width": 390, "height": 844},
        locale="de-DE",
        has_touch=True,
    )
    made = served.post("/tables", {"rules": "nest-nl", "seats": SEATS, "lots": False})
    served.play(made["table"], made["token"], 2)
    running = visit.go(f"review/{made['table']}")
    running.wait_for_selector("[role=alert]")
    served.post(f"/tables/{made['table']}/resign", {}, made["token"])
    page = visit.sit(made, "nest-nl")
    page.click("[data-action=review]")
    page.wait_for_selector("[data-review=done] >> text=Alle Entscheidungen beurteilt")
    page.wait_for_selector("tr[data-seat] [data-result]")
    for width in (844, 1000, 390):  # no column of numbers lies beyond the edge
        page.set_viewport_size({"width": width, "height": 844})
        assert page.locator(".scroll").evaluate("node => node.scrollWidth <= node.clientWidth"), width
        assert page.evaluate(WIDE) <= 0
    page.click("[data-action=analyse]")
    page.wait_for_selector("[data-live=going], [data-live=done]")
    text = page.input_value("[data-notation]")
    page.fill("[data-notation]", text.replace(" 1 1.", " 1 9."))
    page.wait_for_selector("[data-problem]")
    page.fill("[data-notation]", text)
    page.wait_for_selector("[data-live=going], [data-live=done]")
    page.fill("[data-pirates='1']", "b,b,b,b,b,b")
    page.keyboard.press("Tab")
    page.wait_for_selector("[data-problem] >> text=nicht möglich")
    page.click("[data-action=deal]")
    page.wait_for_selector("[data-live=going], [data-live=done]")
    page.click("[data-spot=s]")
    page.click("[data-place='3']")
    page.wait_for_function(MOVED)
    page.select_option("[data-view]", "2")
    page.wait_for_selector("[data-turn='0']", state="detached")
    page.select_option("[data-choice=turn]", "2")
    page.wait_for_selector("[data-turn='0']")
    assert page.evaluate(WIDE) <= 0
    assert page.evaluate(BESIDE) == [True, True]
    page.set_viewport_size({"width": 1280, "height": 720})
    assert page.evaluate(BESIDE) == [True, True]
    page.evaluate(AXE)
    assert page.evaluate(SERIOUS, list(THEMES)) == []


@pytest.mark.usefixtures("compiled_code")
def test_a_browser_that_cannot_run_the_engine_gets_the_review_of_the_server(visits: Opener) -> None:
    visit = visits(locale="sv")
    visit.context.set_default_timeout(5 * PATIENCE)  # the server works at low priority, and may have to compile first
    visit.context.add_init_script("delete window.WebAssembly")
    page = visit.go("review")
    page.reload()
    page.fill("[data-text]", JAMAICA)
    page.click("[data-action=read]")
    page.wait_for_selector("[data-served] >> text=Servern")
    page.wait_for_selector("[data-review=done]")
    assert page.locator("[data-step] [data-kind]").count() > 5
    visit.go("analysis")
    page.wait_for_selector("[data-served] >> text=servern visar och kontrollerar")
    page.click("[data-spot=s]")
    page.click("[data-place='3']")
    page.wait_for_function(MOVED)
    page.wait_for_selector("[data-action=try][href*='s,s,s,s,s,3'], [data-action=try][href*='s%2Cs%2Cs%2Cs%2Cs%2C3']")
    page.fill("[data-pirates='1']", "b,b,b,b,b,b")
    page.keyboard.press("Tab")
    page.wait_for_selector("[data-problem] >> text=kan inte visas")
    visit.forgive("status of 409")  # Chromium tells of refusals
