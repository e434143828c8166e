"""Tables by post at a server: those that sleep, days that run out, stops, several servers, and the interface.

All clocks are set by the tests; none is waited for.
"""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from cartagena.server.live import seating
from cartagena.server.live.live_table import LiveTable
from cartagena.server.live.privacy import Pruning
from cartagena.server.live.registry import OLD_SERVER, TableRegistry
from cartagena.server.live.timers import BATCH, Deadlines
from cartagena.server.protocol.errors import Refused
from cartagena.server.protocol.requests import CreateTable, JoinTable
from cartagena.server.settings import Settings
from cartagena.server.storage import migrate
from cartagena.server.storage.database import Database
from cartagena.server.storage.peers import FORMAT, Living
from cartagena.server.storage.schema import due_tables
from cartagena.server.storage.write_queue import WriteQueue
from cartagena.server.tables import decide
from cartagena.server.tables.clocks import DAY, HOUR, Moment
from cartagena.server.tables.tokens import SPECTATOR

from .cluster import until
from .rig import Server, running
from .test_deadline import START, play_move
from .test_operation import file_of

LINK: list[dict[str, Any]] = [{"kind": "here", "name": "Ann"}, {"kind": "link"}]


# --- tables that sleep


class House:
    """A registry without a server in front of it, with clocks of its own."""

    def __init__(self, registry: TableRegistry) -> None:
        self.registry = registry
        self.wall, self.steady = START, 0
        registry.now = lambda: Moment(self.wall, self.steady)  # type: ignore[method-assign]
        self.deadlines = Deadlines(registry, lambda: self.steady)
        registry.observers.connect(self.deadlines)

    def set(self, wall: int) -> None:
        """Set the wall clock. Time passes by the steady clock as well."""
        self.steady += wall - self.wall
        self.wall = wall

    async def pass_by(self, milliseconds: int) -> None:
        """Let time pass, with a look every half hour."""
        end = self.wall + milliseconds
        while self.wall < end:
            self.set(min(end, self.wall + HOUR // 2))
            await self.deadlines.look()

    async def table(self, rules: str = "tortuga-en", **clock: Any) -> str:
        """A table by post at which Ann has the turn and no page is open."""
        post = {"kind": "post", "days": 2, **clock}
        want = CreateTable.model_validate({"rules": rules, "seats": LINK, "clock": post, "lots": False})
        made = await seating.create(self.registry, want)
        async with self.registry.lease(made.id) as live:
            await seating.join(self.registry, live, JoinTable(invite=made.invites[2], name="Ben"), None)
        self.drop(made.id)
        return made.id

    def drop(self, table: str) -> None:
        live = self.registry.tables.peek(table)
        if live is not None:
            self.registry.tables.forget(live)
        assert table not in self.registry.tables, "no timer and no lease"

    async def kinds(self, table: str) -> list[str]:
        return [row.kind for row in await self.registry.database.table_events(table)]

    async def due(self, table: str) -> int | None:
        row = await self.registry.database.table_row(table)
        assert row is not None
        return row.due


@asynccontextmanager
async def house(database: str, **changes: Any) -> AsyncIterator[House]:
    store = Database(database)
    await migrate.upgrade(store)
    writes = WriteQueue(store, 256)
    writes.start()
    settings = Settings(**{"database": database, "salt_seconds": 0, "levels": "sailor", **changes})
    try:
        yield House(TableRegistry(store, writes, settings))
    finally:
        await writes.stop()
        await store.close()


def test_one_query_finds_a_sleeping_table_reminds_its_person_once_and_ends_the_turn(database: str) -> None:
    async def work() -> None:
        async with house(database) as home:
            table = await home.table()
            assert await home.due(table) == START + 2 * DAY - 12 * HOUR, "written with the deal"
            assert await home.registry.database.to_wake() == []
            await home.pass_by(DAY + 11 * HOUR)
            assert await home.due(table) == START + 2 * DAY - 12 * HOUR
        async with house(database) as home:  # a restart, within an hour
            home.set(START + DAY + 11 * HOUR)
            await home.deadlines.look()
            await home.pass_by(2 * HOUR)
            assert await home.due(table) == START + 2 * DAY, "reminded; next, the end"
            await home.pass_by(10 * HOUR)
            assert await home.kinds(table) == ["seat", "deal"]
            await home.pass_by(2 * HOUR)
            assert await home.kinds(table) == ["seat", "deal", "away"]
            assert await home.due(table) is None
            assert await home.registry.database.to_wake() == [table], "now it waits for a computer"

    asyncio.run(work())


def test_the_due_query_reads_nothing_but_its_index(sqlite: str) -> None:
    async def work() -> None:
        async with house(sqlite) as home:
            question = due_tables(START, BATCH).compile(compile_kwargs={"literal_binds": True})
            [step] = await home.registry.database.rows(text(f"EXPLAIN QUERY PLAN {question}"))
            assert step.detail == "SEARCH tables USING INDEX tables_by_due (due<?)", "no scan and no sorting"

    asyncio.run(work())


def shown_due(live: LiveTable) -> int:
    """Until when the person may choose, as a page shows it."""
    due: int = json.loads(live.updates.update(SPECTATOR, 0, 0, 0))["clock"]["due"]
    return due


def test_a_table_whose_turn_ended_while_no_server_ran_gets_twelve_hours_from_the_start(sqlite: str) -> None:
    async def work() -> None:
        async with house(sqlite) as home:
            await home.deadlines.look()
            table = await home.table(days=1, late="resign")
            await home.pass_by(18 * HOUR)
        async with house(sqlite) as home:
            home.set(START + 28 * HOUR)
            async with home.registry.lease(table) as live:
                assert shown_due(live) == START + 24 * HOUR, "a page comes before the first look"
                await home.deadlines.look()
                assert shown_due(live) == START + 40 * HOUR
            await home.pass_by(11 * HOUR)
            assert await home.kinds(table) == ["seat", "deal"]
            await home.pass_by(2 * HOUR)
            assert await home.kinds(table) == ["seat", "deal", "resign"]

    asyncio.run(work())


@pytest.mark.parametrize("jump", [DAY, -DAY])
def test_a_table_outlives_a_clock_that_is_set_by_a_day(sqlite: str, jump: int) -> None:
    async def work() -> None:
        async with house(sqlite) as home:
            await home.deadlines.look()
            table = await home.table(days=1, late="resign")
            await home.pass_by(20 * HOUR)
            home.wall += jump  # the steady clock goes on as before
            await home.deadlines.look()
            assert home.deadlines.notes == [
                "no days by post run out: the clock of the system was set while the server ran\n"
            ]
            home.wall -= jump
            await home.pass_by(11 * HOUR)
            assert home.deadlines.notes == []
            assert await home.kinds(table) == ["seat", "deal"], "twelve hours after the clock is right again"
            await home.pass_by(2 * HOUR)
            assert await home.kinds(table) == ["seat", "deal", "resign"]

    asyncio.run(work())


def test_a_person_with_one_decision_left_does_not_have_to_come_for_it(sqlite: str) -> None:
    async def work() -> None:
        async with house(sqlite) as home:
            made = await home.table("jamaica-en")
            async with home.registry.lease(made) as live:
                for sign in (":", ":", "<"):  # the last action draws cards, which cannot be taken back
                    move = next(each for each in decide.must_play(live.table).legal_words() if sign in each)
                    await home.registry.change(live, partial(play_move, move))
                while live.id in home.deadlines.playing:
                    await asyncio.sleep(0)
                assert live.table.chooser == 2
            assert (await home.kinds(made)).count("move") == 4, "the end of the turn was played for her"

    asyncio.run(work())


def test_two_servers_that_find_the_same_table_end_its_turn_once(database: str) -> None:
    async def work() -> None:
        async with house(database) as home, house(database) as other:
            for each in (home, other):
                await each.deadlines.look()
            table = await home.table()
            for each in (home, other):
                assert each.deadlines.time is not None
                each.deadlines.time.earliest = 0
                each.set(START + 2 * DAY)
                each.deadlines.time.looked = each.steady
            await asyncio.gather(home.deadlines.look(), other.deadlines.look())
            assert await home.kinds(table) == ["seat", "deal", "away"]

    asyncio.run(work())


def test_the_reminder_reaches_the_outbox_once(sqlite: str) -> None:
    async def work() -> None:
        async with house(sqlite) as home:
            table = await home.table()
            with closing(sqlite3.connect(file_of(sqlite))) as base:
                base.execute("INSERT INTO webhooks VALUES (?, 'https://example.org', 's')", (table,))
                base.commit()
            await home.pass_by(DAY + 13 * HOUR)
            async with home.registry.lease(table) as live:  # Ann comes, and has not ended her turn yet
                move = next(each for each in decide.must_play(live.table).legal_words() if each != "end")
                await home.registry.change(live, partial(play_move, move))
            assert await home.due(table) == START + 2 * DAY
            await home.pass_by(HOUR)
            with closing(sqlite3.connect(file_of(sqlite))) as base:
                rows = base.execute("SELECT cause, kind, chairs FROM outbox WHERE kind = 'late'").fetchall()
            assert rows == [(f"{table}-2-h", "late", "1")]

    asyncio.run(work())


def test_a_waiting_table_by_post_is_kept_for_thirty_days(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        async with house(sqlite) as home:
            post = {"kind": "post", "days": 7}
            want = {"seats": [{**LINK[0], "name": '"clock":{"kind":"post"'[:24]}, LINK[1]]}
            plain = (await seating.create(home.registry, CreateTable.model_validate(want))).id
            by_mail = (await seating.create(home.registry, CreateTable.model_validate({**want, "clock": post}))).id
            for table in (plain, by_mail):
                home.drop(table)
            pruning = Pruning(home.registry)
            for days, left in ((8, {by_mail}), (31, set())):
                monkeypatch.setattr("cartagena.server.live.privacy.wall_ms", lambda days=days: START + days * DAY)
                monkeypatch.setattr(pruning, "distrust", lambda _now, _newest: None)
                monkeypatch.setattr("cartagena.server.live.privacy.WAIT", 0)
                await pruning.prune()
                await pruning.prune()
                assert {row.id for row in await home.registry.database.all_tables()} == left

    asyncio.run(work())


def test_no_table_by_post_is_set_up_while_an_older_server_runs(sqlite: str) -> None:
    def servers(*formats: int) -> Living:
        names = tuple(f"cartagena format {number} version 1" for number in formats)
        return Living(frozenset(range(len(formats))), names, 0, 0)

    assert (servers(FORMAT, FORMAT).format, servers(FORMAT, FORMAT - 1).format) == (FORMAT, FORMAT - 1)

    async def work() -> None:
        async with house(sqlite) as home:
            home.registry.knows_post = False
            with pytest.raises(Refused, match=OLD_SERVER):
                await home.table()

    asyncio.run(work())


# --- over HTTP


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(f"sqlite:///{tmp_path_factory.mktemp('post') / 'tables.db'}", levels="") as found:
        yield found


def test_a_table_by_post_over_http(server: Server) -> None:
    about = server.get("/api/about").json()
    assert about["post"] == {"days": [1, 2, 3, 7, 14], "why": None}
    wrong = {"seats": LINK, "clock": {"kind": "post", "days": 2}}
    assert server.post("/api/tables", wrong).json()["error"]["code"] == "no-computer"
    assert server.post("/api/tables", {**wrong, "clock": {"kind": "post", "days": 5}}).status_code == 422
    ann = server.table("tortuga-en", LINK, clock={"kind": "post", "days": 3, "late": "resign"}, lots=False)
    ben = ann.join(name="Ben")
    seen = ann.look()
    assert seen["clock"]["seat"] == 1
    assert seen["clock"]["due"] - seen["events"][-1]["at"] == 3 * DAY
    assert ben.do("holiday", {"days": 4}).status_code == 200
    seat = ann.look()["seats"][1]
    assert (seat["holidays"], seat["holiday"] - ann.look()["events"][-1]["at"]) == (6, 4 * DAY)
    assert ben.do("holiday", {"days": 7}).json()["error"]["message"] == "You have 6 days of holiday left in this game."
    live = server.table("tortuga-en", LINK, lots=False)
    live.join()
    assert live.do("holiday", {"days": 1}).json()["error"]["code"] == "off"
    assert server.get("/readyz").text == "ready\n"


def test_a_clock_that_is_not_trusted_is_told_by_readyz(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    with running(url, levels=""):
        until(lambda: known_uptime(tmp_path) is not None, "it is not noted that the server runs")
    with closing(sqlite3.connect(tmp_path / "tables.db")) as base:
        base.execute("UPDATE uptime SET alive = alive + ?", (2 * DAY,))  # as if it had run the day after tomorrow
        base.commit()
    with running(url, levels="") as server:
        note = "no days by post run out: the clock of the system is behind the time at which a server last ran\n"
        until(lambda: server.get("/readyz").text == f"ready\n{note}", "the clock's fault is not told")
        assert server.get("/readyz").status_code == 200


def known_uptime(folder: Path) -> tuple[int, ...] | None:
    """When the servers of a database are known to have run last."""
    with closing(sqlite3.connect(folder / "tables.db")) as base:
        found: tuple[int, ...] | None = base.execute("SELECT alive FROM uptime").fetchone()
        return found


def test_a_bot_waits_for_its_turn_at_all_its_tables_on_one_stream(server: Server) -> None:
    clock = {"kind": "post", "days": 3, "late": "resign"}
    first, second = (server.table("tortuga-en", LINK, clock=clock, lots=False) for _ in range(2))
    guests = [first.join(), second.join()]
    seats = [{"table": each.table, "token": each.token} for each in guests]
    asked = server.post("/api/turns", {"seats": [*seats, {"table": first.table, "token": "x"}]}).json()["tables"]
    assert [(each["yours"], each["code"]) for each in asked] == [(False, None), (False, None), (False, "not-seated")]
    with server.http.stream("POST", "/api/turns/stream", json={"seats": seats}) as stream:
        second.play(1)
        assert second.move("end").status_code == 200
        assert guests[0].do("resign").status_code == 200
        lines = (json.loads(line) for line in stream.iter_lines() if line != "{}")
        told = {line["table"]: line for line in (next(lines), next(lines))}
    assert (told[first.table]["stage"], told[second.table]["yours"]) == ("over", True)
    assert told[second.table]["due"] - second.look()["events"][-1]["at"] == 3 * DAY
