"""Databases that are damaged, full, locked, read-only or newer than the program: one sentence, and nothing is lost."""

import asyncio
import json
import shutil
import sqlite3
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import text

from cartagena.server.run import StartFailed
from cartagena.server.storage import migrate
from cartagena.server.storage.database import Database, StorageError, parse_url
from cartagena.server.storage.sentences import FAULT, FULL, LIMIT, error_sentence

from .rig import receive, running
from .test_operation import file_of, run_cli


def test_a_database_of_a_newer_program_is_left_alone(database: str) -> None:
    async def main() -> None:
        store = Database(database)
        await migrate.upgrade(store)
        async with store.writing() as connection:
            await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        with pytest.raises(StorageError, match="newer version of the program"):
            await migrate.upgrade(store)
        await store.close()

    asyncio.run(main())
    with pytest.raises(StartFailed, match="newer version"), running(database):
        pass


def test_a_damaged_database_is_reported_in_one_sentence_and_restored_from_a_backup(sqlite: str, tmp_path: Path) -> None:
    file_of(sqlite).write_bytes(b"this is not a database" * 100)
    with pytest.raises(StartFailed, match="is not a database"), running(sqlite):
        pass
    file_of(sqlite).unlink()
    with running(sqlite) as server:
        ann = server.table()
        truth = ann.play(20)
    assert run_cli("db", "backup", str(tmp_path / "kept.gz"), "--database", sqlite).returncode == 0
    sqlite3.connect(file_of(sqlite)).execute("PRAGMA wal_checkpoint(TRUNCATE)").connection.close()
    size = file_of(sqlite).stat().st_size
    with file_of(sqlite).open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))
    with pytest.raises(StartFailed, match="is damaged; restore a backup"), running(sqlite):
        pass
    found = run_cli("db", "check", "--database", sqlite)
    assert found.returncode != 0
    assert "damaged" in found.stdout + found.stderr
    assert "Traceback" not in found.stderr
    file_of(sqlite).unlink()
    assert run_cli("db", "restore", str(tmp_path / "kept.gz"), "--database", sqlite).returncode == 0
    with running(sqlite) as server:
        assert server.get(ann.path, ann.token).json()["position"] == truth["position"]


def test_a_table_that_cannot_be_read_is_refused_and_the_others_play_on(sqlite: str) -> None:
    with running(sqlite) as server:
        ann, ben = server.table("tortuga-en", lobby=True), server.table("tortuga-en", lobby=True)
        ann.play(5)
    base = sqlite3.connect(file_of(sqlite))
    base.execute("UPDATE events SET data = 'nonsense' WHERE table_id = ? AND number = 3", (ann.table,))
    base.commit()
    base.close()
    with running(sqlite) as server:
        refused = server.get(ann.path, ann.token)
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "storage")
        assert server.get(ben.path, ben.token).status_code == 200
        assert [item["table"] for item in server.get("/api/tables").json()["tables"]] == [ben.table]
        assert server.get("/readyz").status_code == 200
    found = run_cli("db", "check", "--database", sqlite)
    assert f"Table {ann.table}" in found.stdout
    assert found.stdout.endswith("2 tables, 1 with problems.\n")


def test_a_database_that_cannot_be_opened_is_reported_in_one_sentence(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(StartFailed, match="folder"), running(f"sqlite:///{blocked / 'tables.db'}"):
        pass
    with pytest.raises(StartFailed, match="must be a URL"), running("nonsense"):
        pass
    with pytest.raises(StartFailed, match="not supported"), running("mysql://x/y"):
        pass
    with pytest.raises(StartFailed, match="does not answer"), running("postgresql://u:geheim@127.0.0.1:1/x") as _:
        pass


def test_a_database_error_becomes_one_sentence_without_the_password() -> None:
    url = parse_url("postgresql://u:geheim@h/x")
    for words, sentence in (
        ("attempt to write a readonly database", "read-only"),
        ("database or disk is full", "the disk is full"),
        ("database is locked", "locked by another program"),
        ("database disk image is malformed", "damaged"),
        ("something else", "cannot be used: something else."),
    ):
        told = error_sentence(sqlite3.OperationalError(words), url)
        assert sentence in told
        assert "geheim" not in told


def test_it_is_said_whether_the_disk_or_the_limit_of_the_file_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full, fault = sqlite3.OperationalError("database or disk is full"), sqlite3.OperationalError("disk I/O error")

    async def told(most_mb: int, error: Exception) -> str:
        database = Database(f"sqlite:///{tmp_path}/tables.db", most_mb)
        with pytest.raises(StorageError) as found:
            async with database.guarded():
                raise error
        await database.close()
        return str(found.value)

    assert asyncio.run(told(1, full)).endswith(f" {LIMIT}")
    assert asyncio.run(told(0, full)).endswith(f" {FULL}")
    assert asyncio.run(told(0, fault)).endswith(f" {FAULT}")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=4096))
    for most_mb, error in ((1, full), (0, full), (0, fault)):
        assert asyncio.run(told(most_mb, error)).endswith(f" {FULL}")


def test_a_read_only_database_is_reported_at_start_and_not_changed(sqlite: str) -> None:
    with running(sqlite) as server:
        server.table("tortuga-en").play(5)
    before = file_of(sqlite).read_bytes()
    read_only = f"sqlite:///file:{file_of(sqlite)}?mode=ro&uri=true"
    with pytest.raises(StartFailed, match="cannot be written: it is read-only"), running(read_only):
        pass
    assert file_of(sqlite).read_bytes() == before
    assert run_cli("db", "check", "--database", sqlite).returncode == 0


def test_a_locked_database_refuses_the_move_and_loses_nothing(sqlite: str) -> None:
    with running(sqlite) as server:
        ann = server.table("tortuga-en")
        seen = ann.play(3)
        other = sqlite3.connect(file_of(sqlite), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        refused = ann.move(seen["options"]["legal"][0]["move"], seen["version"])
        assert refused.status_code == 503
        assert refused.json()["error"]["code"] == "storage"
        assert str(file_of(sqlite)) not in refused.text
        other.execute("ROLLBACK")
        assert ann.look()["position"] == seen["position"]
        assert ann.move(seen["options"]["legal"][0]["move"], seen["version"]).status_code == 200
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StartFailed, match="is locked by another program"), running(sqlite):
        pass
    other.close()


def test_a_full_database_refuses_moves_and_loses_nothing(sqlite: str) -> None:
    with running(sqlite, database_mb=1, talk_lines=10**6) as server:
        ann = server.table("tortuga-en")
        seen, answers = ann.play(3), []
        other = sqlite3.connect(file_of(sqlite))
        other.execute("CREATE TABLE ballast AS SELECT zeroblob(850000)")
        other.commit()
        other.close()
        with server.socket(ann.table, {"token": ann.token, "detail": "text"}) as live:
            while "rejected" not in answers:
                live.send(json.dumps({"type": "talk", "text": "x" * 200}))
                answers.append((answer := receive(live, "ack", "rejected"))["type"])
        said = len(answers) - 1
        assert answer["code"] == "storage"
        assert said > 50
        refused = [server.post("/api/tables", {"seats": [{"kind": "here"}] * 2}).status_code for _ in range(40)]
        assert refused[-1] == 503
        now = ann.look()
        assert (now["position"], now["seq"]) == (seen["position"], seen["seq"] + said)
    with running(sqlite) as server:
        again = server.get(ann.path, ann.token).json()
        assert (again["position"], again["seq"]) == (now["position"], now["seq"])
        ann.server = server
        assert ann.move(again["options"]["legal"][0]["move"], again["version"]).status_code == 200
