"""The write queue survives every failure, and a damaged row harms its own table only."""

import asyncio
import shutil
import sqlite3
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from cartagena.server.bots.computer_seats import ComputerSeats
from cartagena.server.live import loading
from cartagena.server.storage import migrate, write_queue
from cartagena.server.storage.database import Database, StorageError
from cartagena.server.storage.rows import EventRow, TableRow, TableWrite
from cartagena.server.storage.write_queue import WriteQueue

from .rig import PATIENCE, running
from .test_operation import file_of


def row(name: str) -> TableRow:
    return TableRow(name, 1, 1, "waiting", lobby=False, wake=False, setup="{}", secret="")


def new_table(name: str, **data: Any) -> TableWrite:
    return TableWrite(name, [EventRow(1, 1, "talk", data)], row=row(name))


def with_queue(address: str, work: Callable[[WriteQueue], Awaitable[None]]) -> None:
    """Run ``work`` with a queue on an empty database, for a limited time."""

    async def main() -> None:
        database = Database(address)
        await migrate.upgrade(database)
        queue = WriteQueue(database, 10)
        queue.start()
        try:
            await asyncio.wait_for(work(queue), PATIENCE)
        finally:
            await queue.stop()
            await database.close()

    asyncio.run(main())


def test_a_value_that_cannot_be_stored_fails_its_own_write_only(sqlite: str) -> None:
    async def work(queue: WriteQueue) -> None:
        writes = [new_table("aaaa"), new_table("bbbb", bad=object()), new_table("cccc")]
        found = await asyncio.gather(*(queue.write(write) for write in writes), return_exceptions=True)
        assert [type(item) for item in found] == [type(None), write_queue.Unexpected, type(None)]
        assert [table.id for table in await queue.database.all_tables()] == ["aaaa", "cccc"]
        await queue.write(new_table("dddd"))

    with_queue(sqlite, work)


def test_the_queue_goes_on_after_any_exception_and_says_so(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(queue: WriteQueue) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(queue.database, "write", lambda _batch: 1 / 0)
            for name in ("aaaa", "bbbb"):
                with pytest.raises(StorageError, match="ZeroDivisionError"):
                    await queue.write(new_table(name))
            assert queue.fault == "The write failed: ZeroDivisionError."
        await queue.write(new_table("cccc"))
        assert queue.fault is None

    with_queue(sqlite, work)


def test_a_failure_is_reported_for_a_minute_at_most(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(queue: WriteQueue) -> None:
        with pytest.raises(StorageError):
            await queue.write(new_table("aaaa", bad=object()))
        assert queue.fault is not None
        monkeypatch.setattr(write_queue, "FAULT_SECONDS", -1.0)
        assert queue.fault is None

    with_queue(sqlite, work)


def test_a_write_whose_sender_was_cancelled_goes_on_and_can_be_waited_for(sqlite: str) -> None:
    async def work(queue: WriteQueue) -> None:
        item = queue.put(new_table("aaaa"))
        sender = asyncio.gather(item.done)
        await asyncio.sleep(0)
        sender.cancel()
        await asyncio.wait({sender})
        assert item.done.cancelled()
        await item.over.wait()
        assert [table.id for table in await queue.database.all_tables()] == ["aaaa"]

    with_queue(sqlite, work)


def test_writes_fail_at_once_when_the_queue_was_cancelled(sqlite: str) -> None:
    async def work(queue: WriteQueue) -> None:
        assert queue.task is not None
        waiting = asyncio.create_task(queue.write(new_table("aaaa")))
        await asyncio.sleep(0)
        queue.task.cancel()
        with pytest.raises(StorageError):
            await waiting
        with pytest.raises(StorageError):
            await queue.write(new_table("bbbb"))
        assert queue.fault == "The write queue is not running."

    with_queue(sqlite, work)


def test_a_conflict_fails_its_own_write_only(database: str) -> None:
    async def work(queue: WriteQueue) -> None:
        await queue.write(new_table("aaaa"))
        writes = [new_table("aaaa"), new_table("bbbb")]
        found = await asyncio.gather(*(queue.write(write) for write in writes), return_exceptions=True)
        assert isinstance(found[0], StorageError)
        assert found[1] is None

    with_queue(database, work)


def test_a_move_that_fails_unexpectedly_is_refused_and_readiness_tells(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(sqlite) as server:
        ann = server.table("tortuga-en")
        seen = ann.play(3)
        move = seen["options"]["legal"][0]["move"]
        with monkeypatch.context() as patch:
            patch.setattr(Database, "write", lambda _self, _batch: 1 / 0)
            refused = ann.move(move, seen["version"])
            assert (refused.status_code, refused.json()["error"]["code"]) == (503, "storage")
            ready = server.get("/readyz")
            assert (ready.status_code, ready.text) == (503, "changes cannot be stored\n")
        assert ann.move(move, seen["version"]).status_code == 200
        assert server.get("/readyz").text == "ready\n"


@pytest.mark.parametrize("change", ["kind = 'unheard'", f"data = '{'[' * 100_000}'", "data = '[]'", "data = '{}'"])
def test_a_damaged_event_harms_its_own_table_only(sqlite: str, change: str) -> None:
    seats = [{"kind": "here", "name": "Ann"}, {"kind": "computer", "level": "7"}]
    with running(sqlite) as server:
        ann, ben = (server.table("tortuga-en", seats, lots=False, lobby=True) for _ in range(2))
        ann.play(3)
    with sqlite3.connect(file_of(sqlite)) as base:
        base.execute(f"UPDATE events SET {change} WHERE table_id = ? AND number = 2", (ann.table,))
    base.close()
    with running(sqlite) as server:
        refused = server.get(ann.path, ann.token)
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "storage")
        ben.server = server
        ben.play(8)
        assert [item["table"] for item in server.get("/api/tables").json()["tables"]] == [ben.table]
        assert server.get("/readyz").text == "ready\n"


# --- what runs by itself


def stored_kinds(database: str, table: str) -> list[str]:
    with sqlite3.connect(file_of(database)) as base:
        found = base.execute("SELECT kind FROM events WHERE table_id = ? ORDER BY number", (table,)).fetchall()
    base.close()
    return [kind for (kind,) in found]


def test_a_clock_goes_on_after_a_write_failed(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "RELOAD", 0.2)
    with running(sqlite) as server:
        ann = server.table("tortuga-en", clock={"kind": "turn", "seconds": 5})
        with monkeypatch.context() as patch:
            patch.setattr(Database, "write", lambda _self, _batch: 1 / 0)
            deadline = time.monotonic() + PATIENCE
            while server.get("/readyz").status_code == 200:
                assert time.monotonic() < deadline, "the clock did not run out"
                time.sleep(0.05)
        while "away" not in stored_kinds(sqlite, ann.table):
            assert time.monotonic() < deadline, "the clock stood still"
            time.sleep(0.05)


def test_an_error_in_what_watches_a_table_does_not_harm_its_moves(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ComputerSeats, "changed", lambda _self, _live: 1 / 0)
    with running(sqlite) as server:
        ann = server.table("tortuga-en", clock={"kind": "turn", "seconds": 600})
        seen = ann.play(2)
        assert ann.move(seen["options"]["legal"][0]["move"], seen["version"]).status_code == 200
        assert ann.look()["clock"] is not None


# --- migrations


def test_the_newest_revision_is_the_one_alembic_finds() -> None:
    from alembic.script import ScriptDirectory

    found = ScriptDirectory.from_config(migrate.configuration())
    assert migrate.head(migrate.revisions(migrate.MIGRATIONS)) == found.get_current_head()
    assert set(migrate.revisions(migrate.MIGRATIONS)) == {script.revision for script in found.walk_revisions()}


def test_a_new_migration_is_applied_without_another_edit(
    sqlite: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "migrations"
    shutil.copytree(migrate.MIGRATIONS, folder)
    head = migrate.head(migrate.revisions(folder))
    (folder / "versions" / "9999_next.py").write_text(
        f'revision = "9999"\ndown_revision = "{head}"\n\n\ndef upgrade() -> None:\n    pass\n'
    )

    async def main() -> str | None:
        database = Database(sqlite)
        await migrate.upgrade(database)
        monkeypatch.setattr(migrate, "MIGRATIONS", folder)
        await migrate.upgrade(database)
        async with database.reading() as connection:
            found: str | None = await connection.scalar(text("SELECT version_num FROM alembic_version"))
        await database.close()
        return found

    assert asyncio.run(main()) == "9999"
