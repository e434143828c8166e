"""Backup and restore, between databases of either kind."""

import gzip
import json
import os
from collections.abc import Iterator
from itertools import groupby, islice
from pathlib import Path
from typing import Final, TextIO, TypedDict

from sqlalchemy import Table as SqlTable
from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from . import schema as db
from .database import Database, StorageError
from .migrate import MIGRATIONS, SoleServer, current_revision, revisions, upgrade

FORM: Final = "cartagena-backup"
PARTS: Final = (db.tables, *(part for part in db.metadata.sorted_tables if part is not db.tables))
"""Everything that the schema names. Tables come before their events and keys, which are checked against them."""
CHUNK: Final = 500


class BackupLine(TypedDict, total=False):
    """A line of a backup: its head, the row of a part, or the number of tables at its end."""

    form: str
    revision: str
    part: str
    row: list[object]
    end: int


async def backup(database: Database, path: Path) -> int:
    """Write a consistent copy of everything to a file, also while a server runs, and return the number of tables.

    A file of that name is replaced by the whole backup or left as it is. Raises StorageError for anything but a file.
    """
    if path.exists() and not path.is_file():
        raise StorageError(f"{path} is not a file; name a new one.")
    partial = path.with_name(path.name + ".partial")
    partial.unlink(missing_ok=True)
    os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))  # it holds the secrets of running games
    try:
        number = await _write(database, partial)
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    return number


async def _write(database: Database, path: Path) -> int:
    """Write everything to a file and sync it. Returns the number of tables."""
    number = 0
    async with database.guarded(), database.engine.connect() as connection:
        if database.is_sqlite:
            await connection.exec_driver_sql("BEGIN")
        else:
            await connection.execution_options(isolation_level="REPEATABLE READ")
        revision = await connection.run_sync(current_revision)
        if revision is None:
            raise StorageError("The database is empty; there is nothing to back up.")
        with gzip.open(path, "wt", encoding="utf-8") as file:
            file.write(json.dumps({"form": FORM, "revision": revision}) + "\n")
            for part in PARTS:
                number = await _dump(connection, part, file, number)
            file.write(json.dumps({"end": number}) + "\n")
    with path.open("rb") as written:
        os.fsync(written.fileno())
    return number


async def _dump(connection: AsyncConnection, part: SqlTable, file: TextIO, number: int) -> int:
    columns = await connection.run_sync(db.stored_columns, part)
    if not columns:
        return number
    async with connection.stream(select(*columns).order_by(*part.primary_key)) as rows:
        async for row in rows:
            file.write(json.dumps({"part": part.name, "row": list(row)}, ensure_ascii=False) + "\n")
            number += part is db.tables
    return number


async def restore(database: Database, path: Path) -> int:
    """Fill an empty database from a backup, all or nothing, and return the number of tables.

    The whole backup is checked before anything is written, also before an empty database gets its schema.
    """
    try:
        check_backup(path)
        return await _restore(database, path)
    except StorageError:
        raise
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        raise StorageError(f"{path} cannot be read: a line is damaged.") from None


async def _restore(database: Database, path: Path) -> int:
    database.make_folder()
    sole = SoleServer(database)
    await sole.take()
    try:
        await upgrade(database)
        async with database.writing() as connection:
            return await _fill(connection, path)
    finally:
        await sole.free()


def check_backup(path: Path) -> None:
    """Raise StorageError for a backup that is incomplete, of a newer version, or whose rows do not fit together."""
    lines = read_backup(path)
    head = next(lines, BackupLine())
    if head.get("form") != FORM:
        raise StorageError(f"{path} is not a backup of Cartagena.")
    if head.get("revision") not in revisions(MIGRATIONS):
        raise StorageError(f"{path} was made by a newer version of the program; update the program.")
    checked = Checked()
    for line in lines:
        checked.add(line)
    if checked.end is None or checked.end != len(checked.last):
        raise StorageError(f"{path} is not complete; nothing was restored.")


class Checked:
    """What is known of a backup line by line. Raises ValueError and the like for a line that does not fit."""

    def __init__(self) -> None:
        self.last: dict[str, dict[str, int]] = {}
        """Of each table, the last number of its events and of its keys."""
        self.end: int | None = None
        self.parts = {part.name: part for part in PARTS}

    def add(self, line: BackupLine) -> None:
        if self.end is not None:
            raise ValueError("lines after the end")
        if "end" in line:
            self.end = line["end"]
            return
        part = self.parts[line["part"]]
        row = values_of(part, line["row"])
        for name, value in row.items():
            if value is None and part.columns[name].nullable:
                continue
            if type(value) is not part.columns[name].type.python_type:
                raise ValueError(f"{name} is of another type")
        if part is db.tables:
            json.loads(str(row["setup"]))
            self.last[str(row["id"])] = {}
        elif part in (db.events, db.keys):
            self._follow(part.name, row)

    def _follow(self, part: str, row: dict[str, object]) -> None:
        """Events and keys belong to a table and are numbered from 1."""
        numbers = self.last[str(row["table_id"])]
        numbers[part] = numbers.get(part, 0) + 1
        if row["number"] != numbers[part]:
            raise ValueError("a number is missing")
        if part == db.events.name:
            json.loads(str(row["data"]))


async def _fill(connection: AsyncConnection, path: Path) -> int:
    for part in PARTS:
        if await connection.scalar(select(func.count()).select_from(part)):
            raise StorageError("The database is in use already; restore into an empty one.")
    lines = read_backup(path)
    if next(lines, BackupLine()).get("form") != FORM:
        raise StorageError(f"{path} is not a backup of Cartagena.")
    parts = {part.name: part for part in PARTS}
    number, end = 0, None
    for name, items in groupby(lines, lambda item: item.get("part")):
        if name is None:
            end = next(items).get("end")
        else:
            for rows in _chunks(parts[name], items):
                await connection.execute(parts[name].insert(), rows)
                number += len(rows) if name == db.tables.name else 0
    if end != number:
        raise StorageError(f"{path} is not complete; nothing was restored.")
    return number


def values_of(part: SqlTable, row: list[object]) -> dict[str, object]:
    """A row's values by column. A backup of an older version lacks the last columns, which are empty then."""
    names = part.columns.keys()
    missing = names[len(row) :]
    if len(row) > len(names) or not all(part.columns[name].nullable for name in missing):
        raise ValueError(f"a row of {part.name} has {len(row)} values")
    return dict(zip(names, [*row, *(None for _ in missing)], strict=True))


def _chunks(part: SqlTable, items: Iterator[BackupLine]) -> Iterator[list[dict[str, object]]]:
    """Rows as values by column, in chunks for one statement."""
    while rows := [values_of(part, item["row"]) for item in islice(items, CHUNK)]:
        yield rows


def read_backup(path: Path) -> Iterator[BackupLine]:
    """Yield the lines of a backup, the header first."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)
    except (OSError, EOFError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "it is damaged or not a backup"
        raise StorageError(f"{path} cannot be read: {why}.") from None


async def find_damage(database: Database) -> str | None:
    """Damage that SQLite finds in its file, None if there is none. Raises StorageError for an empty database."""
    async with database.reading() as connection:
        if await connection.run_sync(current_revision) is None:
            raise StorageError("The database is empty.")
        if not database.is_sqlite:
            return None
        problems = list((await connection.execute(text("PRAGMA integrity_check"))).scalars())
    return None if problems == ["ok"] else f"The file is damaged: {problems[0]}."
