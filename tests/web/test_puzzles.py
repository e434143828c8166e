"""Puzzles by clicking: the daily one, a wrong and a right turn, a streak that is kept, and damaged progress."""

import datetime as dt
import re

from playwright.sync_api import Page

from cartagena.game import Move
from cartagena.study import puzzles

from .conftest import Opener
from .playing import settle, wait
from .rig import Visit
from .test_access import AXE, SERIOUS, THEMES
from .test_screens import CLIPPED, play_word

NOON = "2026-11-16T12:00:00Z"
DAY = dt.date(2026, 11, 16)
LINES = """selector => {
  const heading = document.querySelector(selector);
  return Math.round(heading.clientHeight / parseFloat(getComputedStyle(heading).lineHeight));
}"""
FULL = "() => { Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }; }"


def wrong_turn(puzzle: puzzles.Puzzle) -> str:
    """One action that is not the best turn, and the end of the turn."""
    for move in puzzle.position.legal_moves:
        after = puzzle.position.play(move)
        if ":" in str(move) and not after.is_over and not puzzle.is_solved_by((move, Move("end"))):
            return f"{move} end"
    raise AssertionError(puzzle.name)


def play_turn(visit: Visit, moves: str) -> None:
    for move in moves.split():
        assert wait(visit.page) == "choose"
        play_word(visit, move)


def state(page: Page, wanted: str) -> None:
    page.wait_for_selector(f"[data-state={wanted}]")


def shown_puzzle(page: Page, game: str) -> puzzles.Puzzle:
    return puzzles.named(game, page.get_attribute("[data-puzzle]", "data-puzzle") or "")


def test_the_daily_puzzle_a_wrong_and_a_right_turn_and_a_streak_that_is_kept(visits: Opener) -> None:
    visit = visits()
    page = visit.page
    page.clock.set_fixed_time(NOON)
    page.click("[data-go=puzzles]")
    page.click("[data-daily=tortuga]")
    state(page, "open")
    daily = shown_puzzle(page, "tortuga")
    assert daily == puzzles.daily("tortuga", DAY)
    play_turn(visit, wrong_turn(daily))
    state(page, "wrong")
    page.wait_for_selector("[data-reply]")
    best, mine = map(int, re.findall(r"(\d+)%", page.inner_text(".note")))
    assert best > mine
    page.evaluate(AXE)
    assert page.evaluate(SERIOUS, list(THEMES)) == []
    page.click("[data-action=again]")
    state(page, "open")
    play_turn(visit, " ".join(map(str, daily.solution)))
    state(page, "right")
    assert page.inner_text(".note").startswith("Right!")
    page.click("[data-action=next]")
    page.wait_for_function("name => document.querySelector('[data-puzzle]')?.dataset.puzzle !== name", arg=daily.name)
    state(page, "open")
    assert page.get_attribute("[data-streak]", "data-streak") == "0"
    other = shown_puzzle(page, "tortuga")
    play_turn(visit, " ".join(map(str, other.solution)))
    state(page, "right")
    visit.go("puzzles")
    page.reload()
    page.wait_for_selector("[data-streak='1']")
    assert page.locator("[data-daily].done").get_attribute("data-daily") == "tortuga"
    page.select_option("[data-choice=game]", "tortuga")
    page.wait_for_selector(f"text={len(puzzles.load('tortuga'))} puzzles, 2 solved")


def test_choosing_a_theme_on_a_phone_in_german_after_the_progress_was_damaged(visits: Opener) -> None:
    phone = {"width": 390, "height": 844}
    visit = visits(viewport=phone, has_touch=True, is_mobile=True, locale="de", color_scheme="dark")
    page = visit.page
    page.evaluate("() => localStorage.setItem('cartagena.puzzles', '{\"form\":')")
    visit.go("puzzles")
    assert "beiseitegelegt" in page.inner_text("[role=alert]")
    assert page.evaluate("() => localStorage.getItem('cartagena.puzzles.damaged')") == '{"form":'
    page.select_option("[data-choice=game]", "nest")
    page.select_option("[data-choice=theme]", "use the captain")
    page.select_option("[data-choice=difficulty]", "medium")
    assert re.search(r"\d+ Rätsel", page.inner_text("[data-fitting]"))
    page.click("button.go")
    state(page, "open")
    puzzle = shown_puzzle(page, "nest")
    assert "use the captain" in puzzle.themes
    assert 8 < puzzle.rating <= 30
    wait(page)
    settle(page)
    assert page.evaluate(CLIPPED, "[data-action], .words, header h1") == []
    assert page.evaluate(LINES, "header h1") <= 2
    page.evaluate(FULL)
    page.click("[data-action=solution]")
    state(page, "shown")
    assert "Als Kapitän segeln" in page.inner_text(".note")
    assert "konnte deinen Stand nicht speichern" in page.inner_text("[role=alert]")
    page.evaluate(AXE)
    assert page.evaluate(SERIOUS, list(THEMES)) == []
    page.route("**/puzzles-tortuga*.json", lambda route: route.abort())
    visit.go("puzzles")
    page.reload()  # the board of the day's puzzle had them already
    page.select_option("[data-choice=game]", "tortuga")
    page.get_by_text("Die Rätsel konnten nicht geladen werden").wait_for()
    assert page.locator("button.go").is_disabled()
    page.unroute("**/puzzles-tortuga*.json")
    page.click("[role=alert] button")
    page.wait_for_selector("[data-fitting]")
    visit.forgive("net::ERR_FAILED")
    visit.go("puzzle/nest/nest-0")
    page.get_by_text("Dieses Rätsel gibt es nicht").wait_for()
