"""The database as its keeper sees it: migrations, backups, restoring and checks."""

import asyncio
import gzip
import json
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Table as SqlTable
from sqlalchemy import inspect, select

from cartagena.server.storage import backup, migrate
from cartagena.server.storage.database import Database, StorageError
from cartagena.server.storage.schema import metadata, tables

from .cluster import until
from .rig import running
from .test_operation import run_cli
from .test_post import house


def test_migrations_go_up_and_down_and_end_at_the_schema(database: str) -> None:
    async def there(store: Database) -> dict[str, set[str]]:
        def look(connection: Any) -> dict[str, set[str]]:
            found = inspect(connection)
            return {name: {column["name"] for column in found.get_columns(name)} for name in found.get_table_names()}

        async with store.engine.connect() as connection:
            return await connection.run_sync(look)

    async def main() -> None:
        store = Database(database)
        expected = {name: set(table.columns.keys()) for name, table in metadata.tables.items()}
        for _ in range(2):
            await migrate.upgrade(store)
            found = await there(store)
            found.pop("alembic_version")
            assert found == expected
            await migrate.downgrade(store, "base")
            assert set(await there(store)) == {"alembic_version"}
        await store.close()

    asyncio.run(main())


def test_backup_restore_and_check_between_databases(database: str, tmp_path: Path) -> None:
    with running(database) as server:
        ann = server.table("nest-nl")
        truth = ann.play(30)
        made = run_cli("db", "backup", str(tmp_path / "b.gz"), CARTAGENA_DATABASE=database)
        assert made.stdout == f"1 table written to {tmp_path / 'b.gz'}.\n"
    assert run_cli("db", "restore", str(tmp_path / "b.gz"), "--database", database).returncode == 2
    copy = f"sqlite:///{tmp_path / 'copy.db'}"
    assert run_cli("db", "restore", str(tmp_path / "b.gz"), "--database", copy).stdout == "1 table restored.\n"
    assert run_cli("db", "check", "--database", copy).stdout == "1 table, 0 with problems.\n"
    with running(copy) as server:
        assert server.get(ann.path, ann.token).json()["position"] == truth["position"]
    with sqlite3.connect(tmp_path / "copy.db") as base:
        base.execute('UPDATE events SET data = replace(data, \'"move":"end"\', \'"move":"sail"\') WHERE number > 3')
    base.close()
    wrong = run_cli("db", "check", "--database", copy)
    assert wrong.returncode == 1
    assert "does not replay" in wrong.stdout


def values_for(part: SqlTable) -> dict[str, object]:
    """A row of a part, with a value in every column."""
    kinds: dict[type, object] = {str: "{}", int: 1, bool: True}
    return {name: kinds[column.type.python_type] for name, column in part.columns.items()} | (
        {"id": "t"} if part is tables else {"table_id": "t"} if "table_id" in part.columns else {}
    )


async def all_rows(address: str) -> dict[str, list[tuple[object, ...]]]:
    """The rows of every part of a database."""
    opened = Database(address)
    try:
        return {part.name: [tuple(row) for row in await opened.rows(select(part))] for part in metadata.tables.values()}
    finally:
        await opened.close()


def test_a_backup_holds_every_part_of_the_schema_and_restoring_brings_it_back(database: str, tmp_path: Path) -> None:
    copy = f"sqlite:///{tmp_path / 'copy.db'}"

    async def work() -> None:
        async with house(database) as home, home.registry.database.writing() as connection:
            for part in metadata.tables.values():
                await connection.execute(part.insert(), [values_for(part)])
        kept = await all_rows(database)
        assert all(kept.values())
        opened = Database(database)
        assert await backup.backup(opened, tmp_path / "b.gz") == 1
        await opened.close()
        restored = Database(copy)
        assert await backup.restore(restored, tmp_path / "b.gz") == 1
        await restored.close()
        assert await all_rows(copy) == kept

    asyncio.run(work())


def test_the_blocks_of_the_operator_outlive_a_restored_backup(sqlite: str, tmp_path: Path) -> None:
    copy = f"sqlite:///{tmp_path / 'copy.db'}"
    with running(sqlite):
        assert run_cli("db", "block", "203.0.113.0/24", "--database", sqlite).returncode == 0
        assert run_cli("db", "backup", str(tmp_path / "b.gz"), "--database", sqlite).returncode == 0
    assert run_cli("db", "restore", str(tmp_path / "b.gz"), "--database", copy).returncode == 0
    with running(copy, forwarded="127.0.0.1") as server:
        visitor = {"x-forwarded-for": "203.0.113.5"}
        until(lambda: server.http.get("/healthz", headers=visitor).status_code == 403, "the network is not blocked")
        assert server.get("/healthz").status_code == 200


def test_a_backup_is_restored_into_an_empty_database_only(sqlite: str, tmp_path: Path) -> None:
    with running(sqlite):  # no table was set up, but the server has keys of its own by now
        assert run_cli("db", "backup", str(tmp_path / "b.gz"), "--database", sqlite).returncode == 0
    done = run_cli("db", "restore", str(tmp_path / "b.gz"), "--database", sqlite)
    assert (done.returncode, done.stderr) == (2, "The database is in use already; restore into an empty one.\n")


def test_a_backup_replaces_files_only_and_leaves_no_draft(sqlite: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with running(sqlite):
        for name in (tmp_path / "folder", tmp_path / "pipe", ".", ""):
            done = run_cli("db", "backup", str(name), "--database", sqlite)
            assert (done.returncode, done.stderr) == (2, f"{Path(name)} is not a file; name a new one.\n")
        done = run_cli("db", "backup", str(tmp_path / "none" / "a.gz"), "--database", sqlite)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    for verb in (("backup", str(tmp_path / "a.gz")), ("check",)):
        done = run_cli("db", *verb, "--database", f"sqlite:///{tmp_path / 'typo.db'}")
        assert (done.returncode, done.stderr) == (2, f"There is no database {tmp_path / 'typo.db'}.\n")
    empty = tmp_path / "empty.db"
    empty.touch()
    assert run_cli("db", "backup", str(tmp_path / "a.gz"), "--database", f"sqlite:///{empty}").returncode == 2
    names = {path.name for path in tmp_path.iterdir()}
    assert {name for name in names if not name.startswith(("tables.db", "empty.db"))} == {"folder", "pipe"}


def test_a_backup_that_is_broken_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    head = '{"form": "cartagena-backup", "revision": "0001"}\n'
    table = '{"part": "tables", "row": ["t", 7, 7, "over", false, false, "{}", "00"]}'
    orphan = '{"part": "events", "row": ["u", 1, 7, "talk", "{}", null]}'
    gap = '{"part": "events", "row": ["t", 2, 7, "talk", "{}", null]}'
    backups = {
        "none.gz": (None, "No such file"),
        "broken.gz": (b"\x1f\x8bnot really", "damaged or not a backup"),
        "other.gz": (gzip.compress(b'{"form": "other"}\n'), "is not a backup of Cartagena"),
        "short.gz": (gzip.compress(head.encode()), "is not complete"),
        "part.gz": (gzip.compress(f'{head}{{"part": "new", "row": []}}\n'.encode()), "a line is damaged"),
        "row.gz": (gzip.compress(f'{head}{{"part": "tables", "row": [1]}}\n'.encode()), "a line is damaged"),
        "newer.gz": (gzip.compress(head.replace("0001", "9999").encode()), "newer version of the program"),
        "orphan.gz": (gzip.compress(f"{head}{orphan}\n".encode()), "a line is damaged"),
        "gap.gz": (gzip.compress(f"{head}{table}\n{gap}\n".encode()), "a line is damaged"),
        "type.gz": (gzip.compress(f"{head}{table.replace('7', 'null')}\n".encode()), "a line is damaged"),
    }

    async def restore(path: Path) -> None:
        opened = Database(f"sqlite:///{tmp_path / 'new.db'}")
        try:
            await backup.restore(opened, path)
        finally:
            await opened.close()

    for name, (content, problem) in backups.items():
        if content is not None:
            (tmp_path / name).write_bytes(content)
        with pytest.raises(StorageError, match=problem):
            asyncio.run(restore(tmp_path / name))
        assert not (tmp_path / "new.db").exists(), "the backup is checked before anything is written"
    found = run_cli("db", "restore", str(tmp_path / "none.gz"), "--database", f"sqlite:///{tmp_path / 'new.db'}")
    assert found.returncode == 2
    assert len(found.stderr.strip().splitlines()) == 1


def test_a_backup_of_the_version_before_is_restored(sqlite: str, tmp_path: Path) -> None:
    async def work() -> None:
        async with house(sqlite) as home:
            await home.table()

    asyncio.run(work())
    kept, older = tmp_path / "kept.gz", tmp_path / "older.gz"
    assert run_cli("db", "backup", str(kept), "--database", sqlite).returncode == 0
    with gzip.open(kept, "rt") as file:
        lines = [json.loads(line) for line in file]
    lines[0]["revision"] = "0004"
    for line in lines:
        if line.get("part") == "tables":
            line["row"].pop()
    with gzip.open(older, "wt") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    for number, name in enumerate((kept, older)):
        answer = run_cli("db", "restore", str(name), "--database", f"sqlite:///{tmp_path / f'{number}.db'}")
        assert answer.returncode == 0, answer.stderr
