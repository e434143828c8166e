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
from .rows import CommitRows
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
    """Compile a statement that inserts ``rows`` rows, except those of tables that were removed.

    Looking for them in the same statement saves a call into SQLite, and a wait for Python's global lock after it.
    """
    one = str(table.insert().compile(dialect=SQLiteDialect_pysqlite(paramstyle="qmark")))
    head, marks = one.split("VALUES")
    if table is db.tables:
        return one + f",{marks}" * (rows - 1)
    values = ",".join([marks] * rows)
    return f"{head} SELECT * FROM (VALUES {values}) WHERE EXISTS (SELECT 1 FROM tables WHERE id = column1)"  # noqa: S608


class SqliteWriter:
    """Writes batches, each in one transaction that takes the write lock at its beginning."""

    def __init__(self, path: Path, arguments: Sequence[Any], options: Mapping[str, Any], most_mb: int = 0) -> None:
        self.path = path
        self.identity: Identity | None = None
        self.connect = partial(sqlite3.connect, *arguments, **options, cached_statements=STATEMENTS)
        self.most_mb = most_mb
        self.thread = ThreadPoolExecutor(1, "sqlite-writer")
        self.connection: sqlite3.Connection | None = None

    async def write(self, batch: CommitRows) -> None:
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

    def _write(self, batch: CommitRows) -> None:
        connection = self._open()
        try:
            connection.execute("BEGIN IMMEDIATE")
            self._must_exist(connection, batch)
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

    def _must_exist(self, connection: sqlite3.Connection, batch: CommitRows) -> None:
        """Refuse to write to a table that was removed. Insertions find out by themselves."""
        inserted = {row["table_id"] for rows in (batch.events, batch.keys) for row in rows}
        for table_id in set(batch.needed) - inserted:
            if connection.execute("SELECT count(*) FROM tables WHERE id = ?", (table_id,)).fetchone() != (1,):
                raise sqlite3.IntegrityError(GONE)

    def _insert(self, connection: sqlite3.Connection, table: SqlTable, rows: list[dict[str, Any]]) -> None:
        names = table.columns.keys()
        done = connection.execute(insertion(table, len(rows)), [row[name] for row in rows for name in names])
        if done.rowcount != len(rows):
            raise sqlite3.IntegrityError(GONE)

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
