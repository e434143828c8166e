"""Removal of old tables: marked first, removed a day later, in small shares, and never where the clock is wrong."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import func, select, text

from cartagena.server.live import privacy, seating
from cartagena.server.live.privacy import Pruning, limits
from cartagena.server.live.registry import TableRegistry
from cartagena.server.protocol.errors import Refused
from cartagena.server.protocol.requests import CreateTable
from cartagena.server.settings import Settings
from cartagena.server.storage import migrate
from cartagena.server.storage import schema as db
from cartagena.server.storage.database import Conflict, Database
from cartagena.server.storage.rows import EventRow, TableWrite
from cartagena.server.storage.write_queue import WriteQueue
from cartagena.server.tables.decide import Change
from cartagena.server.tables.events import Talked

from .rig import PATIENCE, TWO_HERE, running

DAY = 86_400_000
AGE = 400 * DAY


def test_each_stage_has_its_own_age_limit() -> None:
    settings = Settings(keep_finished_days=90, keep_waiting_days=7, keep_idle_days=0)
    assert limits(settings, 100 * DAY) == {"over": 10 * DAY, "waiting": 93 * DAY, "waiting post": 70 * DAY}


class House:
    """A registry without a server in front of it."""

    def __init__(self, database: Database, registry: TableRegistry) -> None:
        self.database, self.registry = database, registry
        self.pruning = Pruning(registry)

    async def table(self) -> str:
        return (await seating.create(self.registry, CreateTable.model_validate({"seats": TWO_HERE}))).id

    def drop(self, table: str) -> None:
        """Drop a table from memory that is not held."""
        live = self.registry.tables.peek(table)
        if live is not None:
            self.registry.tables.forget(live)
        assert table not in self.registry.tables

    async def run(self, statement: str, **values: object) -> None:
        async with self.database.writing() as connection:
            await connection.execute(text(statement), values)

    async def age(self, *tables: str) -> None:
        """Make tables old, and drop them from memory."""
        for table in tables:
            await self.run("UPDATE events SET at = at - :age WHERE table_id = :id", age=AGE, id=table)
            old = "UPDATE tables SET created = created - :age, touched = touched - :age WHERE id = :id"
            await self.run(old, age=AGE, id=table)
            self.drop(table)

    async def wait_a_day(self) -> None:
        await self.run("UPDATE marks SET at = at - :age", age=DAY)

    async def left(self) -> set[str]:
        return {row.id for row in await self.database.all_tables()}


@asynccontextmanager
async def house(database: str) -> AsyncIterator[House]:
    store = Database(database)
    await migrate.upgrade(store)
    writes = WriteQueue(store, 256)
    writes.start()
    try:
        yield House(store, TableRegistry(store, writes, Settings(database=database, salt_seconds=0)))
    finally:
        await writes.stop()
        await store.close()


def at_home(database: str, work: Callable[[House], Awaitable[None]]) -> None:
    async def main() -> None:
        async with house(database) as found:
            await work(found)

    asyncio.run(main())


def test_an_old_table_is_marked_first_and_removed_a_day_later(database: str) -> None:
    async def work(home: House) -> None:
        old, back, new = [await home.table() for _ in range(3)]
        await home.age(old, back)
        await home.pruning.prune()
        assert set(await home.database.marked_tables()) == {old, back}
        await home.pruning.prune()
        assert await home.left() == {old, back, new}
        await home.wait_a_day()
        await home.run("UPDATE events SET at = at + :age WHERE table_id = :id", age=AGE, id=back)  # it was played on
        await home.pruning.prune()
        assert await home.left() == {back, new}
        assert await home.database.marked_tables() == [], "a table that is played on loses its mark"
        async with home.database.reading() as connection:
            for rows in (db.events, db.keys):
                kept = select(func.count()).select_from(rows).where(rows.c.table_id == old)
                assert await connection.scalar(kept) == 0

    at_home(database, work)


def test_a_table_in_memory_is_never_removed(sqlite: str) -> None:
    async def work(home: House) -> None:
        old, _new = await home.table(), await home.table()
        await home.age(old)
        await home.pruning.prune()
        await home.wait_a_day()
        async with home.registry.lease(old):
            pass
        await home.pruning.prune()
        assert old in await home.left()

    at_home(sqlite, work)


def test_nothing_is_removed_where_the_clock_is_wrong(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(home: House) -> None:
        old = await home.table()
        await home.age(old)
        await home.pruning.prune()
        assert await home.database.marked_tables() == [], "the clock is far past the newest change"
        await home.table()
        real = time.time_ns
        monkeypatch.setattr(time, "time_ns", lambda: real() + 10**6 * DAY)
        await home.pruning.prune()
        assert await home.database.marked_tables() == [], "the clock has jumped"
        monkeypatch.undo()
        await home.pruning.prune()
        assert await home.database.marked_tables() == [old]

    at_home(sqlite, work)


def test_an_empty_database_says_nothing_of_the_clock(sqlite: str, caplog: pytest.LogCaptureFixture) -> None:
    async def work(home: House) -> None:
        await home.pruning.prune()
        assert "no table was removed" not in caplog.text

    at_home(sqlite, work)


def test_a_run_takes_a_small_share(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(privacy, "FEWEST", 2)

    async def work(home: House) -> None:
        tables = [await home.table() for _ in range(6)]
        await home.age(*tables[1:])
        await home.pruning.prune()
        assert len(await home.database.marked_tables()) == 2
        await home.wait_a_day()
        await home.pruning.prune()
        assert len(await home.left()) == 4

    at_home(sqlite, work)


def test_a_commit_to_a_removed_table_fails_loudly(database: str) -> None:
    async def work(home: House) -> None:
        gone, kept = await home.table(), await home.table()
        home.drop(gone)
        assert await home.registry.remove(gone)
        lost = TableWrite(gone, [EventRow(2, 0, "talk", {"seat": 1, "text": "x"})])
        good = TableWrite(kept, [EventRow(2, 0, "talk", {"seat": 1, "text": "x"})])
        answers = await asyncio.gather(*map(home.registry.writes.write, (lost, good)), return_exceptions=True)
        assert [type(answer) for answer in answers] == [Conflict, type(None)]
        async with home.registry.lease(kept) as live:
            await home.run("DELETE FROM events WHERE table_id = :id", id=kept)
            await home.run("DELETE FROM keys WHERE table_id = :id", id=kept)
            await home.run("DELETE FROM tables WHERE id = :id", id=kept)
            with pytest.raises(Refused, match="could not be stored"):
                await home.registry.change(live, lambda table, now: Change().add(table, now, Talked(1, "x")))
            with pytest.raises(Refused, match="no such table"):
                await home.registry.check(live)

    at_home(database, work)


def test_removing_old_tables_goes_on_after_any_exception(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    async def fail(_self: Database) -> tuple[int, int]:
        calls.append(1)
        raise RuntimeError

    monkeypatch.setattr(privacy, "PAUSE", 0.01)
    monkeypatch.setattr(Database, "extent", fail)
    with running(sqlite):
        deadline = time.monotonic() + PATIENCE
        while len(calls) < 3:
            assert time.monotonic() < deadline, "it was tried once only"
            time.sleep(0.05)
