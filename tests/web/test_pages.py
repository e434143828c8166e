"""Pages as such: titles, the focus and the height after a navigation, ids and toolbars."""

from typing import Any

from playwright.sync_api import Page

from .conftest import Opener
from .playing import wait
from .rig import Served, Visit

POSITION = (
    "position/tortuga-en%20BPHSDK%2FDBKPHS%2FPKDHSB%2FHKPBSD%2FKBSDHP%2FHDKBPS%20"
    "s,6,6,17,18,b%2Fs,8,17,17,22,30%2Fs,5,9,12,26,34%20BD4H%2FBHKP%2FBHKPS%20BDDHKSPBH%20"
    "B6D5H6K6P6S7%20B6D6H6K8P8S8%20-%201.0"
)
ROUTES = (
    "", "new", "learn", "lesson/tunnel/1", "lesson/nest/2", "rules", "rules/nest-nl", "replay", "review", "analysis",
    "puzzles", "puzzle/jamaica/2026-01-01", POSITION, "nowhere",
)  # fmt: skip
TWICE = """() => {
  const ids = [...document.querySelectorAll('[id]')].map(({id}) => id);
  return ids.filter((id, at) => ids.indexOf(id) !== at);
}"""
FOCUSED = "() => document.activeElement?.localName === 'h1'"


def table_route(served: Served, visit: Visit) -> str:
    seats = [{"kind": "here", "name": "Ann"}, {"kind": "computer", "level": "sailor"}]
    made: dict[str, Any] = served.post("/tables", {"rules": "jamaica-en", "seats": seats})
    visit.sit(made, "jamaica-en")
    return f"table/{made['table']}"


def join_route(served: Served) -> str:
    seats = [{"kind": "here", "name": "Ann"}, {"kind": "link"}]
    made: dict[str, Any] = served.post("/tables", {"rules": "jamaica-en", "seats": seats})
    return f"join/{made['table']}/{made['invites'][0]['invite']}"


def visited(visit: Visit, route: str) -> Page:
    page = visit.go(route)
    page.wait_for_selector("h1")
    return page


def test_every_page_has_a_title_of_its_own_in_the_language_and_no_id_twice(visits: Opener, served: Served) -> None:
    spoken: dict[str, list[str]] = {}
    for language in ("en", "nl"):
        visit = visits(settings={"language": language})
        spoken[language] = titles = []
        for route in (*ROUTES, table_route(served, visit), join_route(served)):
            page = visited(visit, route)
            titles.append(page.title())
            assert page.evaluate(TWICE) == [], route
            assert page.locator("[role=toolbar]").count() == 0, route
        assert len(set(titles)) == len(titles)
        assert all("Cartagena" in title for title in titles)
    same = [title for title in spoken["en"] if title in spoken["nl"]]
    assert same == ["Cartagena", "Analysis board · Cartagena"][: len(same)]


def test_the_focus_goes_to_the_heading_and_back_returns_to_the_place_left(visits: Opener) -> None:
    visit = visits(viewport={"width": 900, "height": 420})
    page = visited(visit, "rules")
    page.mouse.wheel(0, 700)
    page.wait_for_function("() => scrollY > 300")
    left = page.evaluate("() => scrollY")
    page.evaluate("() => { location.hash = '#/learn' }")
    page.wait_for_function(FOCUSED)
    assert page.evaluate("() => scrollY") == 0
    page.go_back()
    page.wait_for_function("height => Math.abs(scrollY - height) < 2", arg=left)
    page.wait_for_function(FOCUSED)
    page.go_forward()
    page.wait_for_function("() => scrollY === 0")
    page.wait_for_function(FOCUSED)


def test_a_page_that_is_fetched_while_the_keyboard_waits_is_read_from_its_heading(visits: Opener) -> None:
    visit = visits()
    page = visited(visit, "")
    page.locator("a[href='#/learn']").first.press("Enter")
    page.wait_for_function(FOCUSED)
    page.locator("a.button.primary").first.press("Enter")
    page.wait_for_function(FOCUSED)
    assert wait(page) == "choose"
    page.keyboard.press("Tab")
    assert not page.evaluate(FOCUSED)
