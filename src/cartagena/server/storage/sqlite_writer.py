"""The one connection that writes to SQLite, in a thread of its own.

A commit is one job of that thread, and each statement inserts many rows: Python's global lock is given up at every call
into SQLite, and waiting for it again after each single row would be much slower.
"""

import asyncio
import sqlite3
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Executable
from sqlalchemy import Table as SqlTable
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

from . import schema as db
from .rows import Batch
from .sqlite_file import Identity

GONE: Final = "A change to a table that was removed is refused."
BUSY_SECONDS: Final = 5
STATEMENTS: Final = 600  # prepared statements kept: one for each number of rows
ROWS: Final = 250  # rows of one statement; SQLite limits its values


def set_pragmas(connection: Any, _record: Any = None) -> None:
    """Use a write-ahead log, sync every commit, and leave BEGIN to the caller."""
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def set_reader_pragmas(connection: Any, record: Any = None) -> None:
    """As ``set_pragmas``, for a connection that only reads until ``Database.connecting`` says otherwise."""
    set_pragmas(connection, record)
    cursor = connection.cursor()
    cursor.execute("PRAGMA query_only=ON")
    cursor.close()


@lru_cache(maxsize=16)
def named(statement: Executable) -> str:
    """Compile a statement for SQLite, with values by name."""
    return str(statement.compile(dialect=SQLiteDialect_pysqlite(paramstyle="named")))  # type: ignore[attr-defined]


@lru_cache(maxsize=STATEMENTS)
def insertion(table: SqlTable, rows: int) -> str:
    """Compile a statement that inserts ``rows`` rows."""
    one = str(table.insert().compile(dialect=SQLiteDialect_pysqlite(paramstyle="qmark")))
    marks = one[one.index("VALUES") + len("VALUES") :]
    return one + f",{marks}" * (rows - 1)


class SqliteWriter:
    """Writes batches, each in one transaction that takes the write lock at its beginning."""

    def __init__(self, path: Path, arguments: Sequence[Any], options: Mapping[str, Any], most_mb: int = 0) -> None:
        self.path = path
        self.identity: Identity | None = None
        self.connect = partial(sqlite3.connect, *arguments, **options, cached_statements=STATEMENTS)
        self.most_mb = most_mb
        self.thread = ThreadPoolExecutor(1, "sqlite-writer")
        self.connection: sqlite3.Connection | None = None

    async def write(self, batch: Batch) -> None:
        """Write a batch. It is durable when this returns. If this raises, nothing of it is written."""
        await asyncio.get_running_loop().run_in_executor(self.thread, self._write, batch)

    async def prove(self) -> None:
        """Commit a change that changes nothing. Raises an error if nothing can be written."""
        await asyncio.get_running_loop().run_in_executor(self.thread, self._prove)

    def _prove(self) -> None:
        connection = self._open()
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("UPDATE alembic_version SET version_num = version_num")
            self._commit(connection)
        except BaseException:
            self._close()
            raise

    async def check(self) -> None:
        """Raise an error if nothing can be written. Changes nothing."""
        await asyncio.get_running_loop().run_in_executor(self.thread, self._check)

    def _check(self) -> None:
        connection = self._open()
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("PRAGMA user_version=0")  # a read-only file can be locked but not written
        finally:
            self._close()

    def _write(self, batch: Batch) -> None:
        connection = self._open()
        try:
            connection.execute("BEGIN IMMEDIATE")
            self._must_exist(connection, batch.needed)
            for table, rows in ((db.tables, batch.new), (db.events, batch.events), (db.keys, batch.keys)):
                for first in range(0, len(rows), ROWS):
                    self._insert(connection, table, rows[first : first + ROWS])
            for statement, values in batch.updates():
                connection.executemany(named(statement), values)
            self._commit(connection)
        except BaseException:
            self._close()  # closing rolls the transaction back
            raise

    def _commit(self, connection: sqlite3.Connection) -> None:
        """Commit, and make sure that the change is in the file that will be read after a restart."""
        connection.execute("COMMIT")
        if self.identity is not None:
            self.identity.check_log()

    def _must_exist(self, connection: sqlite3.Connection, tables: list[str]) -> None:
        """Refuse to write to a table that was removed."""
        for first in range(0, len(tables), ROWS):
            ids = tables[first : first + ROWS]
            marks = ",".join("?" * len(ids))
            if connection.execute(f"SELECT count(*) FROM tables WHERE id IN ({marks})", ids).fetchone()[0] != len(ids):  # noqa: S608
                raise sqlite3.IntegrityError(GONE)

    def _insert(self, connection: sqlite3.Connection, table: SqlTable, rows: list[dict[str, Any]]) -> None:
        names = table.columns.keys()
        connection.execute(insertion(table, len(rows)), [row[name] for row in rows for name in names])

    def _open(self) -> sqlite3.Connection:
        if self.identity is not None:
            self.identity.check()
        if self.connection is None:
            self.connection = self.connect()
            set_pragmas(self.connection)
            self.identity = self.identity or Identity(self.path)
            self.identity.log_file = None
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
