"""The coach by clicking: it asks before a blunder, takes the turn back, tells afterwards, and can be switched off."""

import time
from typing import Any

import pytest
from playwright.sync_api import Page

from .conftest import Opener
from .playing import settle, step, wait
from .rig import Visit
from .test_offline import SAVE
from .test_screens import CLIPPED, play_word

RACE = (
    "jamaica-en BPHSDK/DBKPHS/PKDHSB/HKPBSD/KBSDHP/HDKBPS 30,b,b,b,b,b/28,33,35,b,b,b PS/BDHK2"
    " - B16D16H16K15P16S16 - - 1.0"
)
"""Blue, to move, wins at once with a pistol; if not, red may win next."""
PATIENT = """
  const real = window.setTimeout;
  window.setTimeout = (work, time, ...more) => real(work, time === 1500 ? 60_000 : time, ...more);
"""
"""On a slow machine the coach needs longer than a move waits for it."""
HERE, COMPUTER = {"kind": "here", "name": "Ann"}, {"kind": "computer", "level": "deckhand"}


def sit_down(visit: Visit, seats: list[dict[str, Any]], opening: str = RACE) -> Page:
    """Open a saved game of this browser, in the middle of a race unless told."""
    now = int(time.time() * 1000)
    setup = {"rules": "jamaica-en", "seats": seats, "clock": {"kind": "none"}, "hints": True, "lots": False}
    here = [chair for chair, seat in enumerate(seats, 1) if seat["kind"] == "here"]
    events = [
        {"kind": "salt", "at": now, "chairs": here, "salt": ""},
        {"kind": "deal", "at": now, "opening": opening, "order": [1, 2]},
    ]
    about = {"form": 1, "id": f"local-{now % 10**12:012}", "created": now, "changed": now, "over": False}
    visit.page.evaluate(SAVE, about | {"setup": setup, "secret": "00" * 32, "events": events})
    return visit.go(f"table/{about['id']}")


def switch(page: Page, name: str, *, on: bool) -> None:
    """Set a switch of the table's menu."""
    page.locator("button.menu").click()
    page.locator(f"dialog[open] [data-switch=coach-{name}]").set_checked(on)
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog[open]", state="detached")


def blunder(visit: Visit) -> None:
    """Move up to the sloop and end the turn, although a pistol wins."""
    for move in ("30:S", "end"):
        assert wait(visit.page) == "choose"
        play_word(visit, move)


@pytest.mark.parametrize(("language", "width", "words"), [("en", 1280, "Sure?"), ("nl", 390, "Zeker weten?")])
def test_the_coach_asks_tells_and_is_switched_off(visits: Opener, language: str, width: int, words: str) -> None:
    visit = visits(viewport={"width": width, "height": 800}, locale=language, has_touch=width < 500)
    visit.context.add_init_script(PATIENT)
    visit.page.reload()
    page = sit_down(visit, [HERE, COMPUTER])
    wait(page)
    switch(page, "on", on=True)
    page.wait_for_selector("[data-coached]")
    blunder(visit)
    page.wait_for_selector("[data-coach=asks]")
    assert words in page.inner_text("[data-coach=asks]")
    assert "100" in page.inner_text("[data-coach=asks]")
    settle(page)
    assert page.evaluate(CLIPPED, "[data-coach], [data-coach] button") == []
    assert page.locator(".pip.spent").count() == 1  # nothing is played before the answer
    page.click("[data-coach=back]")
    page.wait_for_selector("[data-coach=asks]", state="detached")
    page.wait_for_selector("[data-action=undo][aria-disabled=true]")  # the whole turn was taken back
    assert page.locator(".pip.spent").count() == 0
    switch(page, "asking", on=False)
    blunder(visit)
    page.wait_for_selector("[data-coach=worse]:visible")
    assert page.locator("[data-coach=asks]").count() == 0
    assert page.locator("[data-coach=worse]:visible li").count() == 1
    switch(page, "on", on=False)
    page.wait_for_selector("[data-coach=worse]", state="detached")


FOCUS = "name => document.activeElement.dataset.action === name"
APART = """() => {
  const told = [...document.querySelectorAll('[data-coach=worse]')].find((node) => node.checkVisibility());
  const {top, bottom} = told.getBoundingClientRect();
  const marks = [...document.querySelectorAll('.board .mark.pickable')].map((mark) => mark.getBoundingClientRect());
  return marks.length > 0 && marks.every((mark) => mark.bottom <= top + 1 || mark.top >= bottom - 1);
}"""


def test_escape_takes_the_turn_back_and_on_a_phone_no_pirate_is_covered(visits: Opener) -> None:
    visit = visits(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    visit.context.add_init_script(PATIENT)
    visit.page.reload()
    page = sit_down(visit, [HERE, COMPUTER])
    wait(page)
    switch(page, "on", on=True)
    page.wait_for_selector("[data-coached]")
    blunder(visit)
    page.wait_for_selector("[data-coach=asks]")
    page.keyboard.press("Escape")
    page.wait_for_selector("[data-coach=asks]", state="detached")
    page.wait_for_selector("[data-action=undo][aria-disabled=true]")
    page.wait_for_function(FOCUS, arg="end")
    blunder(visit)
    page.click("[data-coach=back]")
    page.wait_for_selector("[data-action=undo][aria-disabled=true]")
    page.wait_for_function(FOCUS, arg="end")  # also after a click
    blunder(visit)
    page.click("[data-coach=play]")
    page.wait_for_selector("[data-coach=worse]:visible")
    assert wait(page) == "choose"
    page.wait_for_function(APART)


def test_no_coach_against_other_people(visit: Visit) -> None:
    page = sit_down(visit, [HERE, HERE | {"name": "Ben"}])
    page.evaluate("() => localStorage.setItem('cartagena.settings', JSON.stringify({coach: true, known: 'jamaica'}))")
    page.reload()
    page.click("[data-action=lift]")
    blunder(visit)
    page.wait_for_selector("dialog.curtain[open]")  # the turn has ended without a question
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.closest('.board')")  # the keyboard is at the table, too
    page.wait_for_function("() => document.querySelector('#announcements').innerText.includes('Ben')")
    page.locator("button.menu").click()
    assert page.locator("dialog[open] [data-switch^=coach]").count() == 0
    page = visit.go("new")
    page.click("[data-more]")
    page.wait_for_selector("[data-coach=on]")
    page.get_by_label("Seat 2: player").select_option("here")
    page.wait_for_selector("[data-coach=on]", state="detached")


def test_a_coach_chosen_for_a_table_of_the_server_tells_about_the_first_turn(visits: Opener) -> None:
    visit = visits(settings={"coachAsks": False}, locale="sv")
    asked: list[str] = []
    visit.page.on("request", lambda request: asked.append(request.url))
    page = visit.go("new")
    page.click("[data-more]")
    page.check("[data-coach=on]")
    page.click("button.go")
    page.wait_for_selector("[data-coached]")  # the coach has arrived
    for number in range(20):
        wait(page)
        if step(page, number) == "end":
            break
    page.wait_for_selector(".side [data-coach]")
    assert "aptenen" in page.inner_text(".side [data-coach]")
    assert "table/local-" not in page.url
    assert not any(url.endswith("/hint") for url in asked)
