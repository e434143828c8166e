"""Whole games in the browser, by clicking alone."""

import json

import pytest
from playwright.sync_api import Page

from .conftest import Opener
from .playing import play_out, step, wait
from .rig import Served, Visit

SMALL = {"pirates": 1, "lots": False}


@pytest.mark.parametrize("rules", ["jamaica-en", "tortuga-de", "hispaniola-sv"])
def test_a_person_beats_or_loses_to_the_computer(visit: Visit, served: Served, rules: str) -> None:
    setup = {"rules": rules, "seats": [{"kind": "here", "name": "Ann"}, {"kind": "computer", "level": "sailor"}]}
    visit.sit(served.post("/tables", setup | SMALL | {"pieces": 4}), rules)
    assert "over" in play_out(visit.page)
    assert visit.page.locator(".over strong").inner_text()


def test_play_now_is_one_click(visit: Visit) -> None:
    visit.page.click("[data-play=jamaica]")
    assert wait(visit.page) == "choose"
    step(visit.page, 0)
    assert visit.page.locator(".log li").count() >= 2


def test_hot_seat_nest_with_freebooter_and_drops(visit: Visit, served: Served) -> None:
    setup = {"rules": "nest-nl", "seats": [{"kind": "here", "name": "Ann"}, {"kind": "here", "name": "Ben"}]}
    visit.sit(served.post("/tables", setup | SMALL), "nest-nl")
    page = visit.page
    met = play_out(page)
    assert {"curtain", "over"} <= met
    assert "sails" in page.inner_text(".log")


def test_a_freebooter_makes_hands_drop(visit: Visit) -> None:
    page = visit.go("lesson/nest/4")
    page.click("[data-card='C!']")
    page.locator(".mark.pickable[data-kinds~=source]").last.click()
    page.wait_for_function("() => document.querySelector('.status').innerText.includes('Drop cards')")
    for _ in range(1):
        page.locator("[data-card].live").first.click()
    page.wait_for_selector("[data-action=next]")


def test_two_browsers_online_see_nothing_hidden(visits: Opener) -> None:
    host = visits()
    page = host.go("new")
    page.select_option("[aria-label='Seat 2: who plays']", "link")
    page.get_by_role("button", name="Set the table").click()
    link = page.locator("[data-invite]").input_value()
    guest = visits()
    guest.page.goto(link)
    guest.page.get_by_role("main").get_by_label("Your name").fill("Ben")
    guest.page.get_by_role("button", name="Sit down").click()
    for window in (host, guest):
        window.page.wait_for_selector(".table")
    for number in range(24):
        for window in (host, guest):
            if window.page.locator("[data-card].live, [data-action=end][aria-disabled=false]").count():
                step(window.page, number)
                window.page.wait_for_timeout(60)
    seen = {id(window): [json.loads(frame) for frame in window.frames] for window in (host, guest)}
    for window in (host, guest):
        updates = [frame for frame in seen[id(window)] if frame.get("type") == "update" and frame["text"]]
        assert len(updates) > 5
        for update in updates:
            mine = update["you"]["seat"]
            hands = update["text"].split(" ")[3].split("/")
            assert hands[2 - mine].startswith(("?", "-"))
            assert update["position"]["hands"][2 - mine]["cards"] in (None, {})
            assert all(
                card == "+?"
                for event in update["events"]
                if event.get("seat") == 3 - mine
                for card in event.get("cards") or []
            )
            assert update["fair"]["secret"] is None


def test_a_spectator_sees_the_public_table_only(visits: Opener, served: Served) -> None:
    seats = [{"kind": "here", "name": "Ann"}, {"kind": "computer", "level": "sailor"}]
    made = served.post("/tables", {"rules": "jamaica-en", "seats": seats, "spectators": "public", "lots": False})
    watcher = visits()
    watcher.go(f"table/{made['table']}")
    watcher.page.wait_for_selector(".table")
    assert watcher.page.locator("[data-card]").count() == 0
    assert watcher.page.locator(".mark.pickable").count() == 0


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
