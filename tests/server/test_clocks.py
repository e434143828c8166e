"""Clocks: what is charged, what is not, and what happens when time is up."""

import sqlite3
import time

from cartagena.server.protocol.requests import BankClock, NoClock, TurnClock
from cartagena.server.tables.clocks import Clocks

from .rig import PATIENCE, Person, Server, running
from .test_seating import LINK, wait_for


def test_no_clock_runs_without_one() -> None:
    clocks = Clocks(NoClock(), 1000)
    clocks.start(2, 1)
    assert not clocks.runs
    assert clocks.left(1, 5000) is None


def test_a_bank_is_charged_beyond_the_grace_of_each_turn_and_grows_by_the_increment() -> None:
    clocks = Clocks(BankClock(kind="bank", seconds=60, increment=5), 1000)
    clocks.start(2, 1)
    clocks.spend(800)
    clocks.pass_to(1, turn_over=False)
    clocks.spend(3200)
    assert clocks.left(1, 0) == 57_000
    assert clocks.left(1, 500) == 56_500
    clocks.pass_to(2, turn_over=True)
    assert clocks.left(1, 0) == 62_000
    clocks.spend(900)
    clocks.pass_to(1, turn_over=True)
    assert clocks.left(2, 0) == 65_000, "network delay up to a second a turn is not charged"


def test_a_turn_clock_starts_anew_each_turn() -> None:
    clocks = Clocks(TurnClock(kind="turn", seconds=10), 1000)
    clocks.start(2, 1)
    clocks.spend(6000)
    assert clocks.allowance() == 5000
    clocks.pass_to(2, turn_over=True)
    assert clocks.allowance() == 11_000
    clocks.pass_to(1, turn_over=True)
    assert clocks.left(1, 0) == 10_000


def test_a_seat_that_comes_back_has_time_to_play() -> None:
    clocks = Clocks(BankClock(kind="bank", seconds=60), 1000)
    clocks.start(2, 1)
    clocks.spend(90_000)
    clocks.pass_to(2, turn_over=True)
    assert clocks.left(1, 0) == 0
    clocks.refill(1)
    assert clocks.left(1, 0) == 15_000


def test_who_runs_out_of_time_is_replaced_and_may_come_back(sqlite: str) -> None:
    with running(sqlite, grace_seconds=0.2) as server:
        ann = server.table(seats=LINK, lots=False, replace="8", clock={"kind": "turn", "seconds": 5})
        ben = ann.join()
        assert 0 < ann.look()["clock"]["left"] <= 5000
        seen = wait_for(ben, lambda found: found["seats"][0]["away"] is not None)
        assert seen["seats"][0]["away"] == "time"
        ann.do("back")
        assert ann.look()["seats"][0]["away"] is None
        events = [event["type"] for event in ben.look()["events"]]
        assert events[:3] == ["joined", "deal", "left"]


def test_a_clock_goes_on_after_a_restart_but_the_time_between_is_free(sqlite: str) -> None:
    with running(sqlite) as server:
        ann = server.table(seats=LINK, lots=False, clock={"kind": "bank", "seconds": 600})
        ann.join()
    base = sqlite3.connect(sqlite.removeprefix("sqlite:///"))
    base.execute("UPDATE events SET at = at - 3600000")  # the server was down for an hour
    base.commit()
    base.close()
    with running(sqlite) as server:
        again = Person(server, ann.table, ann.token)
        deadline = time.monotonic() + PATIENCE
        while (left := again.look()["clock"]["left"]) == 600_000:
            assert time.monotonic() < deadline, "the clock stands still"
            time.sleep(0.1)
        assert left > 300_000


def test_thinking_time_is_in_the_events_so_a_replay_gives_the_same_clocks(server: Server) -> None:
    ann = server.table(lots=False, clock={"kind": "bank", "seconds": 600, "increment": 0})
    time.sleep(1.6)
    ann.play(4)
    seat = ann.look()["seats"][0]
    assert seat["clock"] < 600_000


def test_a_rematch_keeps_the_grace_of_the_server(sqlite: str) -> None:
    with running(sqlite, grace_seconds=60.0) as server:
        ann = server.table(clock={"kind": "bank", "seconds": 100}, lots=False)
        ann.do("resign", {"seat": 1})
        again = Person(server, ann.do("rematch").json()["table"], ann.token)
        assert again.look()["stage"] == "playing"
        time.sleep(1.3)
        assert again.look()["seats"][0]["clock"] == 100_000, "a minute of each turn is not charged"
