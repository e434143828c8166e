"""Clocks: what is charged, what is not, and what happens when time is up."""

import shutil
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from cartagena import Move
from cartagena.server.live import timers
from cartagena.server.protocol.errors import Refused
from cartagena.server.protocol.requests import BankClock, NoClock, TableSetup, TurnClock
from cartagena.server.storage.rows import EventRow
from cartagena.server.tables import decide
from cartagena.server.tables.clocks import DAY, HOUR, Clocks, Moment, TrustedTime
from cartagena.server.tables.decide import Change
from cartagena.server.tables.events import Dealt, Joined, read_event
from cartagena.server.tables.state import Table
from cartagena.server.tables.tokens import Requester

from .rig import PATIENCE, Person, Server, running
from .test_operation import run_cli
from .test_seating import LINK, wait_for

START = 1_800_000_000_000


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


def dealt(clock: dict[str, Any]) -> Table:
    """A game of two people with a clock; seat 1 has begun to think at 0 ms of the steady clock."""
    setup = TableSetup.model_validate({"seats": LINK, "clock": clock, "lots": False, "replace": "8"})
    table = Table("t", 0, setup, "00", [])
    table.apply(Joined(2, "Ben", ""))
    table.apply(Dealt.drawn(table))
    return table


def carry_out(table: Table, change: Change) -> None:
    """Apply a change as the registry does."""
    for event in change.events:
        table.apply(event)
        if event.restarts_thinking:
            table.thinking_since = change.steady


FIRST = Requester(1, (1,), (1,))
BANK = {"kind": "bank", "seconds": 60, "increment": 30}


def test_leaving_and_coming_back_gains_no_time() -> None:
    table = dealt(BANK)
    carry_out(table, decide.leave(table, [1], "left", Moment(0, 41_000), "8"))
    assert table.clocks.left(1, 0) == 20_000
    for second in range(50, 54):  # the computer plays the turn; none of it is charged or credited
        move = decide.must_play(table).legal_moves[0] if second < 53 else Move("end")
        carry_out(table, decide.play_for(table, move, Moment(0, second * 1000)))
    assert table.clocks.left(1, 0) == 20_000
    carry_out(table, decide.come_back(table, FIRST, None, Moment(0, 60_000)))
    assert (table.clocks.left(1, 0), table.chairs[0].away) == (20_000, None)
    carry_out(table, decide.leave(table, [1], "left", Moment(0, 61_000), "8"))
    carry_out(table, decide.come_back(table, FIRST, None, Moment(0, 62_000)))
    assert table.clocks.left(1, 0) == 20_000


@pytest.mark.parametrize("clock", [{"kind": "bank", "seconds": 60}, {"kind": "turn", "seconds": 60}])
def test_a_seat_without_time_stays_with_the_computer(clock: dict[str, Any]) -> None:
    table = dealt(clock)
    carry_out(table, decide.leave(table, [1], "time", Moment(0, 61_000), "8"))
    with pytest.raises(Refused, match="used up"):
        decide.come_back(table, FIRST, None, Moment(0, 62_000))
    for number in range(4):
        move = decide.must_play(table).legal_moves[0] if number < 3 else Move("end")
        carry_out(table, decide.play_for(table, move, Moment(0, 63_000)))
    if clock["kind"] == "turn":
        assert decide.come_back(table, FIRST, None, Moment(0, 64_000)).events, "the next turn has its own time"


def test_a_row_of_an_older_version_still_refills() -> None:
    table = dealt(BANK)
    rows = [
        EventRow(3, 0, "away", {"seat": 1, "why": "left", "level": "8", "ms": 90_000}),
        EventRow(4, 0, "back", {"seat": 1, "ms": 0}),
    ]
    table.replay(map(read_event, rows))
    assert table.clocks.left(1, 0) == 60_000


def test_a_jump_of_the_wall_clock_charges_no_time() -> None:
    table = dealt(BANK)
    for jump in (10**12, -(10**12)):
        change = decide.play_for(
            table, decide.must_play(table).legal_moves[0], Moment(jump, table.thinking_since + 500)
        )
        assert change.events[0].data()["ms"] == 500
        carry_out(table, change)


def test_a_server_whose_wall_clock_jumps_a_year_charges_and_removes_nothing(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(sqlite) as server:
        ann = server.table(lots=False, clock={"kind": "bank", "seconds": 600})
        real = time.time_ns
        monkeypatch.setattr(time, "time_ns", lambda: real() + 366 * 86_400 * 10**9)
        ann.play(4)
        assert min(seat["clock"] for seat in ann.look()["seats"]) > 300_000
        assert ann.look()["events"][-1]["at"] > real() // 10**6 + 10**10
    with running(sqlite) as server:
        assert server.get(ann.path, ann.token).json()["clock"]["left"] > 300_000


def test_who_runs_out_of_time_is_replaced_and_may_come_back(sqlite: str) -> None:
    with running(sqlite, grace_seconds=0.2) as server:
        ann = server.table(seats=LINK, lots=False, replace="8", clock={"kind": "turn", "seconds": 5})
        ben = ann.join()
        assert 0 < ann.look()["clock"]["left"] <= 5000
        seen = wait_for(ben, lambda found: found["seats"][0]["away"] is not None)
        assert seen["seats"][0]["away"] == "time"
        wait_for(ben, lambda found: found["position"]["turn"]["chooser"] == 2)
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


def test_what_was_thought_before_a_graceful_restart_stays_charged(sqlite: str) -> None:
    clock = {"kind": "bank", "seconds": 600}
    with running(sqlite, grace_seconds=0.0) as server:
        ann = server.table(lots=False, clock=clock)
        deadline = time.monotonic() + PATIENCE
        while (before := ann.look()["clock"]["left"]) > 599_500:
            assert time.monotonic() < deadline, "the clock stands still"
            time.sleep(0.1)
        seen = ann.look()
    with running(sqlite, grace_seconds=0.0) as server:
        again = Person(server, ann.table, ann.token)
        assert again.look()["clock"]["left"] <= before
        assert again.look()["events"] == seen["events"], "the pause is not an event for players"
        again.play(4)
    assert run_cli("db", "check", "--database", sqlite).stdout == "1 table, 0 with problems.\n"


def test_what_was_thought_before_a_crash_stays_charged_but_for_a_moment(
    sqlite: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timers, "FIRST_NOTE", 200)
    file, copy = Path(sqlite.removeprefix("sqlite:///")), tmp_path / "crashed" / "tables.db"
    copy.parent.mkdir()

    def noted(path: Path) -> int:
        base = sqlite3.connect(path)
        rows = base.execute("SELECT json_extract(data, '$.ms') FROM events WHERE kind = 'pause' ORDER BY number")
        times = [int(row[0]) for row in rows]
        base.close()
        return sum(times)

    with running(sqlite, grace_seconds=0.0) as server:
        ann = server.table(lots=False, clock={"kind": "bank", "seconds": 600})
        deadline = time.monotonic() + PATIENCE
        while noted(file) < 800:
            assert time.monotonic() < deadline, "the clock is not stored"
            time.sleep(0.05)
        for part in ("", "-wal"):  # as a power cut would leave them
            shutil.copy(f"{file}{part}", f"{copy}{part}")
        before = ann.look()
    assert before["events"][-1]["type"] == "deal", "what is stored of the clock is not an event for players"
    with running(f"sqlite:///{copy}", grace_seconds=0.0) as server:
        assert Person(server, ann.table, ann.token).look()["clock"]["left"] <= 600_000 - 800
    assert run_cli("db", "check", "--database", f"sqlite:///{copy}").stdout == "1 table, 0 with problems.\n"


def test_thinking_time_is_in_the_events_so_a_replay_gives_the_same_clocks(sqlite: str) -> None:
    with running(sqlite, grace_seconds=0.0) as server:
        ann = server.table(lots=False, clock={"kind": "bank", "seconds": 600, "increment": 0})
        time.sleep(0.1)
        ann.play(4)
        assert ann.look()["seats"][0]["clock"] <= 599_900


def test_a_rematch_keeps_the_grace_of_the_server(sqlite: str) -> None:
    with running(sqlite, grace_seconds=60.0) as server:
        ann = server.table(clock={"kind": "bank", "seconds": 100}, lots=False)
        ann.do("resign", {"seat": 1})
        again = Person(server, ann.do("rematch").json()["table"], ann.token)
        assert again.look()["stage"] == "playing"
        time.sleep(1.3)
        assert again.look()["seats"][0]["clock"] == 100_000, "a minute of each turn is not charged"


# --- a turn that another seat's choice interrupts


@pytest.mark.parametrize(("form", "left"), [(2, 6_000), (1, 60_000)])
def test_the_time_of_a_turn_goes_on_after_a_rival_has_dropped_a_card(form: Any, left: int) -> None:
    """Tables of the older form replay as before."""
    clocks = Clocks(TurnClock(kind="turn", seconds=60, form=form), 0)
    clocks.start(2, 1)
    clocks.spend(54_000)
    clocks.pass_to(2, turn_over=False)
    assert clocks.left(2, 10_000) == 50_000
    clocks.spend(10_000)
    clocks.pass_to(1, turn_over=False)
    assert clocks.left(1, 0) == clocks.allowance() == left
    clocks.pass_to(2, turn_over=False)
    assert clocks.left(2, 0) == (50_000 if form == 2 else 60_000)
    clocks.pass_to(1, turn_over=False)
    clocks.pass_to(2, turn_over=True)
    assert (clocks.left(2, 0), clocks.allowance()) == (60_000, 60_000)


@pytest.mark.parametrize(("form", "left"), [(2, [53_000, 59_000]), (1, [54_000, 60_000])])
def test_the_grace_of_a_bank_is_given_once_a_turn(form: Any, left: list[int]) -> None:
    clocks = Clocks(BankClock(kind="bank", seconds=60, increment=5, form=form), 1000)
    clocks.start(2, 1)
    for _ in range(2):
        clocks.spend(4_000)
        clocks.pass_to(2, turn_over=False)
        clocks.spend(1_000)
        clocks.pass_to(1, turn_over=False)
    assert [clocks.left(seat, 0) for seat in (1, 2)] == left
    assert not clocks.is_up(2)
    clocks.pass_to(2, turn_over=True)
    assert [clocks.left(seat, 0) for seat in (1, 2)] == [left[0] + 5_000, left[1]]
    clocks.spend(1_000)
    assert clocks.left(2, 0) == left[1], "the next turn has its own grace"


def test_new_tables_and_rematches_count_time_in_the_newer_form(server: Server) -> None:
    ann = server.table(clock={"kind": "turn", "seconds": 600, "form": 1}, lots=False)
    assert ann.look()["setup"]["clock"]["form"] == 2
    ann.do("resign", {"seat": 1})
    again = Person(server, ann.do("rematch").json()["table"], ann.token)
    assert again.look()["setup"]["clock"]["form"] == 2


# --- clocks that cannot be trusted


def test_after_ten_hours_without_a_server_nobodys_time_ends_within_twelve_hours() -> None:
    assert TrustedTime.start(START, 5, START - 10 * HOUR, 0).earliest == START + 12 * HOUR
    assert TrustedTime.start(START, 5, START - HOUR // 2, 7).earliest == 7, "a short stop changes nothing"
    assert TrustedTime.start(START, 5, None, 0).earliest == START + 12 * HOUR, "such as after a backup was restored"
    asleep = TrustedTime.start(START, 0, START, 0)
    assert asleep.check(START + 10 * HOUR, 10 * HOUR) is None
    assert asleep.earliest == START + 22 * HOUR, "a machine that sleeps runs no server"


@pytest.mark.parametrize("jump", [DAY, -DAY])
def test_a_clock_that_jumps_by_a_day_ends_nobodys_time(jump: int) -> None:
    trusted = TrustedTime.start(START, 0, START, 0)
    assert trusted.check(START + 20_000, 20_000) is None
    assert trusted.check(START + jump, 40_000) == "the clock of the system was set while the server ran"
    assert trusted.alive == START + 20_000
    assert trusted.check(START + 60_000, 60_000) is None
    assert trusted.earliest == START + 60_000 + 12 * HOUR, "deadlines may have been set by the wrong clock"


def test_a_clock_behind_the_last_run_is_distrusted_until_it_is_set_or_half_a_day_has_passed() -> None:
    behind = TrustedTime.start(START - DAY, 0, START, 0)
    assert behind.why == "the clock of the system is behind the time at which a server last ran"
    assert behind.check(START + HOUR, HOUR // 2) is None
    assert behind.earliest == START + 13 * HOUR
    assert behind.check(START + HOUR + 20_000, HOUR // 2 + 20_000) is None, "the clock as it was set is taken as right"
