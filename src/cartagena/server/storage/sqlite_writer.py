"""The pen: the one connection through which SQLite is written, in a thread of its own.

A commit is one trip to that thread, and every statement one call into SQLite. Python's lock changes hands at each
call, and the thread may have to wait for it each time, so a row at a time would be slower by far.
"""

import asyncio
import sqlite3
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Final

from sqlalchemy import Executable
from sqlalchemy import Table as SqlTable
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

from . import schema as db

BUSY_SECONDS: Final = 5
STATEMENTS: Final = 600  # one of each number of rows is kept ready
ROWS: Final = 250  # SQLite takes so many values in one statement, and a few more


@dataclass
class Batch:
    """Everything one commit writes, as values by column."""

    new: list[dict[str, Any]]
    events: list[dict[str, Any]]
    keys: list[dict[str, Any]]
    revoked: list[dict[str, Any]]
    stages: list[dict[str, Any]]


def set_pragmas(connection: Any, _record: Any = None) -> None:
    """Durable and quick: write-ahead log, every commit synced, and BEGIN left to us."""
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


@lru_cache(maxsize=16)
def named(statement: Executable) -> str:
    """A statement as SQLite reads it, with values by name."""
    return str(statement.compile(dialect=SQLiteDialect_pysqlite(paramstyle="named")))  # type: ignore[attr-defined]


@lru_cache(maxsize=STATEMENTS)
def insertion(table: SqlTable, rows: int) -> str:
    """The statement that inserts so many rows at once."""
    one = str(table.insert().compile(dialect=SQLiteDialect_pysqlite(paramstyle="qmark")))
    marks = one[one.index("VALUES") + len("VALUES") :]
    return one + f",{marks}" * (rows - 1)


class Pen:
    """Writes batches, each in one transaction that takes the write lock at once."""

    def __init__(self, arguments: Sequence[Any], options: Mapping[str, Any], most_mb: int = 0) -> None:
        self.connect = partial(sqlite3.connect, *arguments, **options, cached_statements=STATEMENTS)
        self.most_mb = most_mb
        self.thread = ThreadPoolExecutor(1, "pen")
        self.connection: sqlite3.Connection | None = None

    async def write(self, batch: Batch) -> None:
        """When this returns the batch is on disk; when it raises nothing of it is."""
        await asyncio.get_running_loop().run_in_executor(self.thread, self._write, batch)

    async def check(self) -> None:
        """Raises where nothing can be written; changes nothing."""
        await asyncio.get_running_loop().run_in_executor(self.thread, self._check)

    def _check(self) -> None:
        connection = self._open()
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("PRAGMA user_version=0")  # a read-only file lets itself be locked, but not be written
        finally:
            self._close()

    def _write(self, batch: Batch) -> None:
        connection = self._open()
        try:
            connection.execute("BEGIN IMMEDIATE")
            for table, rows in ((db.tables, batch.new), (db.events, batch.events), (db.keys, batch.keys)):
                for first in range(0, len(rows), ROWS):
                    self._insert(connection, table, rows[first : first + ROWS])
            if batch.revoked:
                connection.executemany(named(db.REVOKE), batch.revoked)
            if batch.stages:
                connection.executemany(named(db.STAGE), batch.stages)
            connection.execute("COMMIT")
        except BaseException:
            self._close()  # whatever was begun is undone by that
            raise

    def _insert(self, connection: sqlite3.Connection, table: SqlTable, rows: list[dict[str, Any]]) -> None:
        names = table.columns.keys()
        connection.execute(insertion(table, len(rows)), [row[name] for row in rows for name in names])

    def _open(self) -> sqlite3.Connection:
        if self.connection is None:
            self.connection = self.connect()
            set_pragmas(self.connection)
            if self.most_mb:
                page: int = self.connection.execute("PRAGMA page_size").fetchone()[0]
                self.connection.execute(f"PRAGMA max_page_count={self.most_mb * (1 << 20) // page}")
        return self.connection

    def _close(self) -> None:
        if self.connection is not None:
            with suppress(sqlite3.Error):
                self.connection.close()
            self.connection = None

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self.thread, self._close)
        self.thread.shutdown()
