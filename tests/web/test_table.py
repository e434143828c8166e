"""What a table does besides the game: lost servers, taking back, playing again, dragging."""

import pytest
from playwright.sync_api import Page

from .conftest import Opener
from .playing import step, wait
from .rig import Served, Visit

SMALL = {"pirates": 1, "lots": False}


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
    own.kill()
    visit.errors[:] = [error for error in visit.errors if "ERR_CONNECTION" not in error and "WebSocket" not in error]


def test_undo_says_why_it_is_off_and_works_when_on(visit: Visit, served: Served) -> None:
    setup = {
        "rules": "tortuga-en",
        "seats": [{"kind": "here", "name": "Ann"}, {"kind": "here", "name": "Ben"}],
        "lots": False,
    }
    visit.sit(served.post("/tables", setup), "tortuga-en")
    page = visit.page
    assert wait(page) == "choose"
    page.locator("[data-action=undo]").click(force=True)
    assert "Nothing was played" in page.inner_text(".status")
    step(page, 0)
    page.wait_for_selector(".pip.spent")
    page.click("[data-action=undo]")
    page.wait_for_function("() => document.querySelectorAll('.pip.spent').length === 0")


def test_rematch_passes_the_start_on(visit: Visit, served: Served) -> None:
    setup = {"rules": "jamaica-en", "seats": [{"kind": "here", "name": "Ann"}, {"kind": "computer", "level": "sailor"}]}
    made = served.post("/tables", setup | SMALL)
    page = visit.sit(made, "jamaica-en")
    wait(page)
    served.post(f"/tables/{made['table']}/resign", {}, made["token"])
    page.click("[data-action=rematch]")
    page.wait_for_function("table => !location.hash.includes(table)", arg=made["table"])
    assert wait(page) in ("choose", "over")
    assert page.locator(".crew .name").nth(1).inner_text().startswith("Ann")


def test_pirates_and_cards_can_be_dragged(visit: Visit) -> None:
    page = visit.go("lesson/tunnel/7")
    assert wait(page) == "choose"
    drag(page, "[data-card='B']", "[data-place='8']")
    page.wait_for_selector(".pip.spent")
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
