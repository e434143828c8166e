"""Absent players: the computer takes over while another player waits, and the seat can be taken back."""

import contextlib
import json
from typing import Any

import pytest
from websockets.sync.client import ClientConnection

from cartagena.server.live.live_table import LiveTable, TableObserver, now_ms
from cartagena.server.protocol.requests import TableSetup, stored_setup
from cartagena.server.tables.state import Table
from cartagena.server.tables.tokens import SPECTATOR, Requester
from tests.local.vectors import Recorded, set_up

from .rig import Server, receive, running
from .test_seating import LINK, wait_for


@pytest.fixture
def server(shared: Server) -> Server:
    return shared


def test_an_absent_person_is_replaced_and_may_come_back(sqlite: str) -> None:
    with running(sqlite, absent_seconds=0.3) as server:
        ann = server.table(seats=LINK, lots=False, replace="8")
        ben = ann.join()
        with server.socket(ann.table, {"token": ben.token, "after": 0}) as live:
            seen = receive(live)
            while seen["position"]["turn"]["chooser"] != 2:
                seen = receive(live)
            assert (seen["seats"][0]["away"], seen["seats"][0]["level"]) == ("left", "8")
        ann.do("back")
        ben.play(9)
        assert wait_for(ann, lambda found: found["position"]["turn"]["chooser"] == 1)["options"]


def test_the_others_are_told_how_long_they_wait_for_an_absent_person(server: Server) -> None:
    ann = server.table(seats=LINK, lots=False, absence=500)
    ben = ann.join()
    with server.socket(ann.table, {"token": ben.token, "after": 0}) as live:
        absent = receive(live)["absent"]
        assert absent["seat"] == 1
        assert 0 < absent["left"] <= 500_000
        with server.socket(ann.table, {"token": ann.token, "after": 0}) as other:
            assert receive(other)["absent"] is None
            while receive(live)["absent"]:
                pass
        while (absent := receive(live)["absent"]) is None:
            pass
        assert absent["left"] <= 500_000


def test_what_becomes_known_between_two_events_is_in_the_next_update() -> None:
    table = Recorded(0, set_up(0, "jamaica-en", 2))

    def told(name: str) -> object:
        return json.loads(table.builder.update(SPECTATOR, 0, 0, 0)).get(name)

    assert (told("absent"), told("hurried")) == (None, None)
    table.builder.until_takeover = lambda: 5.0
    table.builder.hurried = "captain"
    assert told("absent") == {"seat": table.table.chooser, "left": 5000}
    assert told("hurried") == "captain"


def until_quiet(live: ClientConnection) -> None:
    """Read until nothing has come for a while."""
    with contextlib.suppress(TimeoutError):
        while live.recv(timeout=0.7):
            pass


@pytest.mark.parametrize("more", [{"absence": 0}, {"clock": {"kind": "turn", "seconds": 600}}])
def test_no_player_is_replaced_where_the_table_waits_for_ever_or_a_clock_decides(
    sqlite: str, more: dict[str, Any]
) -> None:
    with running(sqlite, absent_seconds=0.01) as server:
        ann = server.table(seats=LINK, lots=False, **more)
        ben = ann.join()
        with server.socket(ann.table, {"token": ben.token}) as live:
            receive(live)
            until_quiet(live)
        assert ben.look()["seats"][0]["away"] is None


def test_no_player_is_replaced_while_no_other_waits(sqlite: str) -> None:
    with running(sqlite, absent_seconds=0.01) as server:
        ann = server.table(seats=LINK, lots=False, spectators="public")
        ann.join()
        with server.socket(ann.table, {}) as live:
            receive(live)
            until_quiet(live)
        assert ann.look()["seats"][0]["away"] is None


def test_a_plain_request_counts_as_being_there() -> None:
    setup = TableSetup.model_validate({"seats": LINK})
    live = LiveTable("t", TableObserver())
    live.fill(Table("t", now_ms(), setup, "00", []), lambda _: None, lambda _: None)
    live.loaded_at -= 100
    live.note(SPECTATOR)
    assert live.away_for(1) >= 100
    live.note(Requester(1, (1,), (1,)))
    assert live.away_for(1) < 100
    assert live.away_for(2) >= 100


def test_absence_is_bounded(server: Server) -> None:
    for seconds, status in {-1: 422, 0: 201, 1: 422, 19: 422, 20: 201, 86400: 201, 86401: 422}.items():
        assert server.post("/api/tables", {"seats": LINK, "absence": seconds}).status_code == status, seconds
    stored = TableSetup.model_validate({"seats": LINK}).model_dump_json().replace('"absence":null', '"absence":1')
    assert stored_setup(stored).absence == 1, "tables of older versions can be read"


def test_a_table_can_be_read_again_whatever_absence_the_server_is_set_to(sqlite: str) -> None:
    with running(sqlite, absent_seconds=172_800.0) as server:
        ann = server.table(seats=LINK)
    with running(sqlite, absent_seconds=172_800.0) as server:
        assert server.get(ann.path, ann.token).status_code == 200
    stored = TableSetup.model_validate({"seats": LINK}).model_dump_json().replace('"absence":null', '"absence":172800')
    assert stored_setup(stored).absence == 172_800, "tables that were set up with such a setting can be read"
