"""Whole games in the browser, by clicking alone."""

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Page

from .conftest import Opener
from .playing import LOOK, EndlessError, ask_for_a_short_game, clicked, look, play_out, step, tap, wait
from .rig import PATIENCE, Served, Visit

AGAINST_COMPUTER = [{"kind": "here", "name": "Ann"}, {"kind": "computer", "level": "sailor"}]
HOT_SEAT = [{"kind": "here", "name": "Ann"}, {"kind": "here", "name": "Ben"}]
HAND_SIZES = (
    "() => [...document.querySelectorAll('.crew .facts > span:first-child')].map((node) => parseInt(node.innerText))"
)


def play_until_one_ends(visit: Visit, setup: dict[str, Any], most: int = 3) -> set[str]:
    """What was met in a game that ended.

    About 1 game in 300 of the nest never ends: no seat holds a card, no pirate can be moved, and the captain only
    sails to and fro. Three such games in a row are a fault.
    """
    for _ in range(most - 1):
        with suppress(EndlessError):
            return play_out(visit.sit(visit.served.post("/tables", setup), setup["rules"]))
    return play_out(visit.sit(visit.served.post("/tables", setup), setup["rules"]))


@pytest.mark.parametrize(
    ("rules", "size"),
    [
        ("jamaica-en", {"pirates": 4, "pieces": 2}),  # more than the dealt cards can bring home
        pytest.param("tortuga-de", {"pirates": 3, "pieces": 3}, marks=pytest.mark.whole),
        pytest.param("hispaniola-sv", {"pirates": 3, "pieces": 3}, marks=pytest.mark.whole),
        pytest.param("nest-nl", {"pirates": 2}, marks=pytest.mark.whole),  # below: by touch, and by two at one device
    ],
)
def test_a_person_plays_the_computer_to_the_end(
    visit: Visit, rules: str, size: dict[str, int], request: pytest.FixtureRequest
) -> None:
    """A short game; whole ones of each kind before a release. The other kinds are played without a server."""
    setup = {"rules": rules, "seats": AGAINST_COMPUTER, **({} if request.config.getoption("whole") else size)}
    fetched: set[str] = set() if rules == "nest-nl" else {"pirate", "back"}
    for _ in range(3):  # in some deals the cards dealt are enough
        page, met = visit.page, play_until_one_ends(visit, setup)
        if fetched <= met:
            break
    assert {"card", "advance", "over"} | fetched <= met
    assert page.locator(".over").get_attribute("data-result") in ("won", "lost", "draw")
    log = page.inner_text(".log")
    assert "Ann plays" in log
    assert "sails" in log if rules == "nest-nl" else "goes back" in log


@pytest.mark.parametrize(("rules", "pirates"), [pytest.param("jamaica-en", 3, marks=pytest.mark.whole), ("nest-nl", 2)])
def test_a_game_on_a_phone_by_touch(visits: Opener, rules: str, pirates: int) -> None:
    visit = visits(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    setup = {"rules": rules, "seats": AGAINST_COMPUTER, "pirates": pirates}
    assert "over" in play_until_one_ends(visit, setup)


def test_play_now_is_one_click(visit: Visit) -> None:
    visit.page.click("[data-play=jamaica]")
    assert wait(visit.page) == "choose"
    assert step(visit.page, 0) == "advance"
    visit.page.wait_for_selector(".pip.spent")


def test_hot_seat_nest_with_a_freebooter_and_drops(visit: Visit, served: Served) -> None:
    """Cards are gathered until a freebooter cuts the hands to seven; then the game is played to its end."""
    setup = {"rules": "nest-nl+cards4", "seats": HOT_SEAT, "pirates": 2, "lots": False}
    for _ in range(3):  # in some deals no freebooter comes before the end, and about 1 game in 300 never ends
        page = visit.sit(served.post("/tables", setup), "nest-nl+cards4")
        page.wait_for_selector(".over", state="detached")  # of the game before
        met = gather_until_drops(page)
        if "drop" not in met:
            continue
        assert max(page.evaluate(HAND_SIZES)) <= 7
        log = page.inner_text(".log")
        assert "freebooter" in log
        assert "discards" in log
        with suppress(EndlessError):
            met |= play_out(page)
            break
    assert {"drop", "curtain", "over"} <= met
    assert "sails" in page.inner_text(".log")


def gather_until_drops(page: Page) -> set[str]:
    """Gather cards until all who have too many have dropped some; what was met on the way."""
    met: set[str] = set()
    for number in range(400):
        met.add(tap(page, number, gather=True))
        # Behind a curtain another one may have to drop too.
        if "over" in met or ("drop" in met and look(page)["what"] not in ("drop", "discard", "curtain")):
            break
    return met


def hidden_leaves(value: Any, skip: tuple[str, ...] = ("discard",)) -> Iterator[Any]:
    """Every word and every object of a message but those that lie open to all."""
    if isinstance(value, dict):
        yield value
        for key, inner in value.items():
            if key not in skip:
                yield from hidden_leaves(inner, skip)
    elif isinstance(value, list):
        for inner in value:
            yield from hidden_leaves(inner, skip)
    elif isinstance(value, str):
        yield from value.replace("/", " ").split(" ")


def notation(cards: dict[str, int]) -> str:
    return "".join(f"{card}{count if count > 1 else ''}" for card, count in sorted(cards.items()))


def check_secrecy(updates: list[dict[str, Any]], others: dict[int, dict[str, int]]) -> int:
    """Compare each message with the hand that the other seat had then. Returns how many were compared."""
    held = 0
    for update in updates:
        mine, position = update["you"]["seat"], update["position"]
        assert position["hands"][2 - mine]["cards"] in (None, {})
        assert update["text"] is None
        assert update["fair"]["secret"] is None
        dealt = [
            card for event in update["events"] if event.get("seat") == 3 - mine for card in event.get("cards") or []
        ]
        assert set(dealt) <= {"+?"}
        theirs, own = others.get(update["version"], {}), position["hands"][mine - 1]["cards"]
        if len(notation(theirs)) < 3 or theirs in (own, position["discard"]["cards"]):
            continue
        held += 1
        leaves = list(hidden_leaves(update))
        assert theirs not in leaves
        assert notation(theirs) not in leaves
    return held


def test_two_browsers_play_online_and_see_nothing_hidden(visits: Opener) -> None:
    host = visits()
    host.page.route("**/api/tables", ask_for_a_short_game)
    page = host.go("new")
    page.select_option("[aria-label='Seat 2: player']", "link")
    page.get_by_role("button", name="Create table").click()
    link = page.locator("[data-invite]").input_value()
    guest = visits()
    guest.page.goto(link)
    guest.page.get_by_role("main").get_by_label("Your name").fill("Ben")
    guest.page.get_by_role("button", name="Join").click()
    windows = (host, guest)
    for window in windows:
        window.page.wait_for_selector(".table")
    play_together([window.page for window in windows])
    updates = [[json.loads(frame) for frame in window.frames] for window in windows]
    playing = [
        [u for u in all_ if u.get("type") == "update" and u["position"] and u["stage"] == "playing"] for all_ in updates
    ]
    hands = [{u["version"]: u["position"]["hands"][u["you"]["seat"] - 1]["cards"] for u in all_} for all_ in playing]
    for all_, others in zip(playing, reversed(hands), strict=True):
        assert len(all_) > 12  # a short game differs with its deal
        assert check_secrecy(all_, others) > 10


def play_together(pages: list[Page], most: int = 3000) -> None:
    """Play on each page that must act until the game is over for both; first they fill their hands."""
    for number in range(most):
        busy = look_at_all(pages, number)
        if not busy:
            return
        clicked(*busy[0])
    raise AssertionError("the game did not end")


def look_at_all(pages: list[Page], number: int) -> list[tuple[Page, dict[str, Any]]]:
    """Wait until there is something to do on any of the pages; nothing once the game is over on all of them."""
    patience = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < patience:
        seen = [page.evaluate(LOOK, [number, number < 50, None]) for page in pages]
        busy = [(page, item) for page, item in zip(pages, seen, strict=True) if item and item["what"] != "over"]
        if busy or all(seen):
            return busy
        pages[0].wait_for_timeout(10)
    raise AssertionError("no page has anything to do")


def test_a_spectator_sees_the_public_table_only(visits: Opener, served: Served) -> None:
    setup = {"rules": "jamaica-en", "seats": AGAINST_COMPUTER, "spectators": "public", "lots": False}
    made = served.post("/tables", setup)
    watcher = visits()
    watcher.go(f"table/{made['table']}")
    watcher.page.wait_for_selector(".table")
    assert watcher.page.locator("[data-card]").count() == 0
    assert watcher.page.locator(".mark.pickable").count() == 0
    player = visits()
    player.sit(made, "jamaica-en")
    assert step(player.page, 0) == "advance"
    player.page.wait_for_selector(".pip.spent")
    watcher.page.wait_for_function("() => document.querySelector('.log').innerText.includes('Ann plays')")
    for number in range(60):
        if "draws" in player.page.inner_text(".log"):
            break
        tap(player.page, number, gather=True)
    watcher.page.wait_for_function("() => document.querySelector('.log').innerText.includes('draws')")
    told = [event for frame in watcher.frames for event in json.loads(frame).get("events", ())]
    drawn = [event for event in told if event.get("draws")]
    assert drawn
    assert {card for event in drawn for card in event["cards"]} == {"+?"}
