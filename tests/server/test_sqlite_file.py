"""The file of a SQLite database: locked under every name, private, watched, checked at start."""

import asyncio
import logging
import os
import sqlite3
import stat
import threading
import time
from pathlib import Path

import pytest

from cartagena.server.run import StartFailed
from cartagena.server.storage import database
from cartagena.server.storage import sqlite as sqlite_storage
from cartagena.server.storage.database import Database, StorageError
from cartagena.server.storage.sqlite import SoundnessCheck, has_log_fault, warn_of_faults

from .rig import PATIENCE, running
from .test_operation import file_of, run_cli


@pytest.mark.parametrize("kind", ["symbolic", "hard"])
def test_another_name_for_the_file_does_not_let_a_second_server_in(sqlite: str, tmp_path: Path, kind: str) -> None:
    other = tmp_path / "elsewhere" / "other.db"
    other.parent.mkdir()
    with running(sqlite):
        other.symlink_to(file_of(sqlite)) if kind == "symbolic" else other.hardlink_to(file_of(sqlite))
        with pytest.raises(StartFailed, match="locked by another server"), running(f"sqlite:///{other}"):
            pass


def test_a_file_that_is_moved_away_is_noticed_at_the_next_write(sqlite: str) -> None:
    path = file_of(sqlite)
    with running(sqlite) as server:
        ann = server.table("tortuga-en")
        seen = ann.play(2)
        move = seen["options"]["legal"][0]["move"]
        path.rename(path.with_name("away.db"))
        refused = ann.move(move, seen["version"])
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "storage")
        assert server.http.get("/readyz").status_code == 503
        path.write_bytes(b"")  # another file in its place
        assert server.post("/api/tables", {"seats": [{"kind": "here"}] * 2}).status_code == 503
        path.with_name("away.db").rename(path)
        again = server.get(ann.path, ann.token).json()
        assert ann.move(move, again["version"]).status_code == 200
    assert run_cli("db", "check", "--database", sqlite).stdout == "1 table, 0 with problems.\n"


def test_nothing_is_acknowledged_into_a_log_that_was_deleted(sqlite: str) -> None:
    path = file_of(sqlite)
    with running(sqlite) as server:
        ann = server.table("tortuga-en")
        seen = ann.play(2)
        path.with_name(path.name + "-wal").unlink()
        refused = ann.move(seen["options"]["legal"][0]["move"], seen["version"])
        assert refused.json()["error"]["code"] == "storage"


def test_files_and_backups_are_private(tmp_path: Path) -> None:
    sqlite = f"sqlite:///{tmp_path / 'new' / 'tables.db'}"
    before = os.umask(0o022)
    try:
        with running(sqlite) as server:
            server.table()
            target = tmp_path / "backup.gz"
            (tmp_path / "backup.gz.partial").touch(0o644)
            assert run_cli("db", "backup", str(target), "--database", sqlite).returncode == 0
            files = [*file_of(sqlite).parent.glob(f"{file_of(sqlite).name}*"), target]
            assert len(files) >= 4
            modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in files}
    finally:
        os.umask(before)
    assert set(modes.values()) == {0o600}, modes


def test_a_file_with_a_damaged_page_is_refused_at_start(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(sqlite) as server:
        server.table("nest-nl").play(40)
    base = sqlite3.connect(file_of(sqlite))
    base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    [page] = base.execute("SELECT rootpage FROM sqlite_master WHERE name = 'events_by_move_id'").fetchone()
    base.close()
    with file_of(sqlite).open("r+b") as file:
        file.seek((page - 1) * 4096 + 8)
        file.write(b"\xff" * 64)
    with pytest.raises(StartFailed, match="is damaged; restore a backup"), running(sqlite):
        pass
    monkeypatch.setattr(database, "LARGEST_CHECKED", 0)  # every file counts as a very large one
    with running(sqlite) as server:
        deadline = time.monotonic() + PATIENCE
        while (answer := server.http.get("/readyz")).status_code == 200:
            assert time.monotonic() < deadline, "the damage is not found"
            time.sleep(0.05)
        assert answer.text == "the database is damaged; restore a backup\n"


def test_a_very_large_file_is_checked_while_the_server_runs(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "LARGEST_CHECKED", 0)
    monkeypatch.setattr(sqlite_storage, "STEPS", 1)
    held = threading.Event()
    look = SoundnessCheck._read_file

    def wait(check: SoundnessCheck) -> None:
        assert held.wait(PATIENCE)
        look(check)

    monkeypatch.setattr(SoundnessCheck, "_read_file", wait)
    with running(sqlite) as server:
        assert server.http.get("/readyz").text == "ready\nthe database is being checked for damage\n"
        held.set()
        deadline = time.monotonic() + PATIENCE
        while server.http.get("/readyz").text != "ready\n":
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_only_the_one_writer_writes(sqlite: str) -> None:
    with running(sqlite):
        pass

    async def main() -> None:
        store = Database(sqlite)
        try:
            with pytest.raises(StorageError, match="read-only"):
                async with store.reading() as connection:
                    await connection.exec_driver_sql("DELETE FROM events")
        finally:
            await store.close()

    asyncio.run(main())


def test_versions_of_sqlite_with_the_fault_of_the_log_are_named(caplog: pytest.LogCaptureFixture) -> None:
    assert all(map(has_log_fault, ((3, 40, 1), (3, 44, 5), (3, 45, 0), (3, 50, 6), (3, 51, 2))))
    assert not any(map(has_log_fault, ((3, 44, 6), (3, 50, 7), (3, 51, 3), (3, 53, 0))))
    log = logging.getLogger("cartagena.storage")
    caplog.set_level("WARNING", log.name)
    log.addHandler(caplog.handler)  # servers of other tests keep their logs to themselves
    warn_of_faults((3, 40, 1))
    warn_of_faults((3, 53, 0))
    assert {record.sqlite for record in caplog.records} == {"3.40.1"}  # type: ignore[attr-defined]
    log.removeHandler(caplog.handler)
