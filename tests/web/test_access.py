"""The table for everybody: keys alone, the accessibility tree alone, and axe on every screen, theme and language."""

import re

import pytest
from playwright.sync_api import Page

from .conftest import Opener
from .playing import look, wait
from .rig import ROOT, Served, Visit

AXE = (ROOT / "web/node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")
SEATS = [{"kind": "here", "name": "Ann"}, {"kind": "computer", "level": "sailor"}]
SMALL = {"rules": "jamaica-en", "seats": SEATS, "pirates": 2, "pieces": 3, "lots": False}
CARDS = "document.querySelectorAll('[data-card]')"
SCREENS = (
    "",
    "new",
    "learn",
    "lesson/tunnel/4",
    "rules/tortuga-de",
    "rules/nest-nl",
    "replay",
    "join/unknown1234",
    "nowhere",
)


def test_a_game_by_keys_alone(visit: Visit, served: Served) -> None:
    page = visit.sit(served.post("/tables", SMALL), "jamaica-en")
    for _ in range(600):
        state = look(page)
        if state["what"] == "over":
            break
        press(page, state["what"])
    assert page.locator(".over").count() == 1


def press(page: Page, what: str) -> None:
    """The keys for what is to be done: a number for a card, arrows and Enter for a place, E for the end."""
    if what == "card":
        live = page.evaluate(
            "() => [...document.querySelectorAll('[data-card]')].findIndex((card) => card.matches('.live'))"
        )
        page.keyboard.press(str(live + 1))
    elif what in ("pirate", "advance", "go"):
        kind = "target" if what == "go" else "source"
        for _ in range(60):
            page.keyboard.press("ArrowRight")
            if page.evaluate("kind => document.activeElement.matches(`[data-kinds~=${kind}]`)", kind):
                break
        page.keyboard.press("Enter")
    elif what == "chooser":
        page.keyboard.press("Enter")
    else:
        page.keyboard.press("e")


def test_single_keys_can_be_switched_off(visits: Opener, served: Served) -> None:
    visit = visits(settings={"keys": False})
    page = visit.sit(served.post("/tables", SMALL), "jamaica-en")
    wait(page)
    page.keyboard.press("1")
    assert page.locator("[aria-pressed=true][data-card]").count() == 0


def test_a_game_through_the_accessibility_tree_alone(visit: Visit, served: Served) -> None:
    page = visit.sit(served.post("/tables", SMALL), "jamaica-en")
    for _ in range(400):
        if wait(page) == "over":
            break
        act_by_names(page)
    assert page.get_by_role("status").filter(has_text=re.compile("has won|Nobody")).count() >= 1


def act_by_names(page: Page) -> None:
    """What a screen reader offers: cards, places that can move, the toolbar."""
    hand = page.get_by_role("group", name=re.compile("^Your hand"))
    cards = hand.get_by_role("button") if hand.count() else page.get_by_role("button", name="no such")
    movers = page.get_by_role("button", name=re.compile("can move$"))
    end = page.get_by_role("toolbar", name="Actions").get_by_role("button", name="End turn", disabled=False)
    if movers.count() and cards.count():
        cards.first.click()
        movers.first.click()
    elif movers.count():
        movers.first.click()
        page.get_by_role("button", name=re.compile("Go back from")).first.click()
    elif end.count():
        end.click()


def test_every_move_is_told_and_board_hand_and_options_can_be_asked(visit: Visit, served: Served) -> None:
    page = visit.sit(served.post("/tables", SMALL), "jamaica-en")
    wait(page)
    told = page.locator("#announcements")
    page.keyboard.press("Shift+H")
    assert told.inner_text()
    page.keyboard.press("Shift+O")
    assert "Play" in told.inner_text()
    page.keyboard.press("Shift+B")
    assert "field 1" in told.inner_text()
    page.locator("[data-card].live").first.click()
    page.locator(".mark.pickable[data-kinds~=source]").first.click()
    page.wait_for_function("() => document.querySelector('#announcements').innerText.includes('Ann (blue) plays')")


def serious(page: Page) -> list[str]:
    """What axe finds and calls serious or critical."""
    page.evaluate(AXE)
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    grave = [item for item in found["violations"] if item["impact"] in ("serious", "critical")]
    return [f"{item['id']}: {node['html'][:160]}" for item in grave for node in item["nodes"][:3]]


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_axe_finds_nothing_serious_in_any_theme(visits: Opener, served: Served, theme: str) -> None:
    visit = visits(settings={"theme": theme})
    assert check(visit, served, SCREENS) == {}


@pytest.mark.parametrize("language", ["de", "nl", "sv"])
def test_axe_finds_nothing_serious_in_any_language(visits: Opener, served: Served, language: str) -> None:
    visit = visits(settings={"language": language}, locale=language)
    assert check(visit, served, ("", "new", "learn")) == {}
    assert visit.page.locator("html").get_attribute("lang") == language


def check(visit: Visit, served: Served, screens: tuple[str, ...]) -> dict[str, list[str]]:
    """Look at these screens and at a table in play."""
    wrong = {}
    for screen in screens:
        page = visit.go(screen)
        page.wait_for_selector("h1")
        page.wait_for_timeout(150)
        if found := serious(page):
            wrong[screen] = found
    page = visit.sit(served.post("/tables", SMALL | {"rules": "tortuga-en", "pieces": 6, "pirates": 6}), "tortuga-en")
    wait(page)
    page.locator(".mark.pickable[data-kinds~=source]").first.click()
    if found := serious(page):
        wrong["table"] = found
    return wrong
