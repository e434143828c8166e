"""Two browsers through a game and its rematch, and the promise that each of them checks by itself."""

import json
import urllib.request
from pathlib import Path
from typing import Any

from cartagena import Record
from cartagena.game import fair_deal

from .conftest import Opener
from .rig import PATIENCE, Served, Visit


def promise_at(visit: Visit, table: str) -> dict[str, Any]:
    """What the browser has stored about the deal of a table."""
    items = json.loads(visit.page.evaluate("() => localStorage.getItem('cartagena.promises')"))
    found: dict[str, Any] = next(item for item in items if item["table"] == table)
    return found


def token_at(visit: Visit, table: str) -> str:
    found = visit.page.evaluate("key => localStorage.getItem(key)", f"cartagena.seat.{table}")
    return str(json.loads(found)["token"])


def table_of(visit: Visit) -> str:
    return str(visit.page.url).rsplit("/", 1)[1]


def proved(visit: Visit, table: str) -> None:
    """The page says that the promise was kept, and the record proves it with what the browser stored."""
    visit.page.wait_for_selector("[data-promise=kept]", state="attached")
    address = f"{visit.served.address}api/tables/{table}/record"
    token = token_at(visit, table)
    request = urllib.request.Request(address, headers={"authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=PATIENCE / 1000) as answer:
        record = Record.parse(answer.read().decode())
    promise = promise_at(visit, table)
    told = fair_deal.check(record, promise["commitment"], [promise["salt"]], promise["chairs"], promise["computers"])
    assert "Not proved" not in told


def test_two_browsers_play_a_rematch_and_prove_both_deals(visits: Opener, tmp_path: Path) -> None:
    server = Served(tmp_path, SALT_SECONDS="600")
    try:
        host, guest = visits(server), visits(server)
        page = host.go("new")
        page.select_option("[aria-label='Seat 2: player']", "link")
        page.get_by_role("button", name="Create table").click()
        link = page.locator("[data-invite]").input_value()
        first = table_of(host)
        assert link.startswith(f"{server.address}#/join/{first}/"), "the link that docs/server-api.md describes"
        guest.page.goto(link)
        told = guest.page.locator("[data-commitment]").text_content() or ""
        commitment = promise_at(host, first)["commitment"]
        assert all(word in told for word in ("Jamaica", "No clock", "Random seating", commitment)), told
        guest.page.get_by_role("button", name="Join").click()
        for window in (host, guest):
            window.page.wait_for_selector(".table")
        server.post(f"/tables/{first}/resign", {}, token_at(host, first))
        for window in (host, guest):
            proved(window, first)
        host.page.click("[data-action=rematch]")
        host.page.wait_for_url(lambda url: not url.endswith(first))
        home = guest.go("")  # the guest went home before the rematch was there, and looks at the old game
        home.wait_for_selector(f"[data-mine='{first}'] [data-action=rematch]")
        guest.go(f"replay/{first}").click("[data-action=rematch]")
        for window in (host, guest):
            window.page.wait_for_url(lambda url: not url.endswith(first))
            window.page.wait_for_selector(".table")
        second = table_of(host)
        assert second == table_of(guest) != first
        server.post(f"/tables/{second}/resign", {}, token_at(guest, second))
        for window in (host, guest):
            proved(window, second)
        for window in (host, guest):
            window.context.close()  # before the server goes, or its pages would complain
    finally:
        server.kill()
