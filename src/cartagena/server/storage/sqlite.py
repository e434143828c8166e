"""SQLite: its file and what may be wrong with it, and the one connection that writes."""

import asyncio
import logging
import os
import sqlite3
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import IO, Any, Final

from sqlalchemy import Executable
from sqlalchemy import Table as SqlTable
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

from . import schema as db
from .rows import CommitRows

if sys.platform != "win32":
    import fcntl

log = logging.getLogger("cartagena.storage")
GONE: Final = "A change to a table that was removed is refused."
BUSY_SECONDS: Final = 5
STATEMENTS: Final = 600  # prepared statements kept: one for each number of rows
ROWS: Final = 250  # rows of one statement; SQLite limits its values
MOVED: Final = "The file was moved, replaced or deleted."
Version = tuple[int, ...]
FIXED: Final = ((3, 44, 6), (3, 50, 7), (3, 51, 3))
"""The first release of each line without the fault that can damage a database when its write-ahead log is reset."""
LARGEST_CHECKED: Final = 512 << 20
"""Bytes up to which a file is checked for damage before the start; a larger one is checked afterwards."""
STEPS: Final = 100_000
"""Steps of SQLite between two looks whether a check is to be stopped."""


def has_log_fault(version: Version) -> bool:
    """Whether this SQLite can damage a file that two connections write to or checkpoint at the same instant."""
    line = [fixed for fixed in FIXED if fixed[:2] == version[:2]]
    return version < (line[0] if line else FIXED[-1])


def warn_of_faults(version: Version = sqlite3.sqlite_version_info) -> None:
    """Log a warning about a version of the library with a known fault."""
    if has_log_fault(version):
        log.warning(
            "SQLite has a fault in its write-ahead log, mended in 3.51.3: two connections that write at the same "
            "instant can damage the file; this server writes through one, so let no other program write to it",
            extra={"sqlite": ".".join(map(str, version))},
        )


def make_private(path: Path) -> None:
    """Create the file, readable by its owner only, if there is none. SQLite gives its log the same permissions."""
    if not path.exists():
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    elif path.stat().st_mode & 0o077:
        log.warning("other users of this machine may read the database; chmod 600 prevents it", extra={"file": path})


class SoundnessCheck:
    """Looks for damage in a file, in a thread, while the server goes on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.running = False
        self.damaged = False
        self._stop = False

    async def run(self) -> None:
        """Read the whole file. ``damaged`` says what was found."""
        self.running = True
        try:
            await asyncio.shield(asyncio.get_running_loop().run_in_executor(None, self._read_file))
        except asyncio.CancelledError:
            self._stop = True
            raise
        finally:
            self.running = False

    def _read_file(self) -> None:
        connection = sqlite3.connect(self.path)
        try:
            connection.execute("PRAGMA query_only=ON")
            connection.set_progress_handler(lambda: int(self._stop), STEPS)
            self.damaged = connection.execute("PRAGMA quick_check(1)").fetchall() != [("ok",)]
        except sqlite3.DatabaseError as error:
            self.damaged = not isinstance(error, sqlite3.OperationalError)  # that is how a stopped check ends
        finally:
            connection.close()


def lock_identity(path: Path) -> int:
    """Lock the file itself, so that other names for it do not help. Raises BlockingIOError if another server has it.

    Close the descriptor only after all connections of this process: closing it drops the locks of SQLite too.
    """
    descriptor = os.open(path, os.O_RDONLY)
    try:
        lock(descriptor)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


class Identity:
    """Which file a connection writes to, and its write-ahead log."""

    def __init__(self, path: Path) -> None:
        self.path, self.log = str(path), f"{path}-wal"
        self.file = identify(self.path)
        self.log_file: tuple[int, int] | None = None

    def check(self) -> None:
        """Raise an error if the file was moved, replaced or deleted."""
        if self.file is None or identify(self.path) != self.file:
            raise sqlite3.OperationalError(MOVED)

    def check_log(self) -> None:
        """Raise an error if a commit went to a log that was moved, replaced or deleted."""
        self.check()
        log_file = identify(self.log)
        self.log_file = self.log_file or log_file
        if log_file is None or log_file != self.log_file:
            raise sqlite3.OperationalError(MOVED)


def identify(path: str) -> tuple[int, int] | None:
    """Device and number of a file, or None if there is none."""
    try:
        status = os.stat(path)  # noqa: PTH116  (Path.stat costs more than the call itself)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def set_pragmas(connection: sqlite3.Connection, _record: object = None) -> None:
    """Use a write-ahead log, sync every commit, and leave BEGIN to the caller."""
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def set_reader_pragmas(connection: sqlite3.Connection, record: object = None) -> None:
    """As ``set_pragmas``, for a connection that only reads until ``Database.connecting`` says otherwise."""
    set_pragmas(connection, record)
    cursor = connection.cursor()
    cursor.execute("PRAGMA query_only=ON")
    cursor.close()


@lru_cache(maxsize=64)
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

    def __init__(self, path: Path, arguments: Sequence[str], options: Mapping[str, Any], most_mb: int = 0) -> None:
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

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """The connection with the write lock. Closing it after an error rolls the transaction back."""
        connection = self._open()
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
        except BaseException:
            self._close()
            raise

    def _prove(self) -> None:
        with self._transaction() as connection:
            connection.execute("UPDATE alembic_version SET version_num = version_num")
            self._commit(connection)

    async def check(self) -> None:
        """Raise an error if nothing can be written. Changes nothing."""
        await asyncio.get_running_loop().run_in_executor(self.thread, self._check)

    def _check(self) -> None:
        with self._transaction() as connection:
            connection.execute("PRAGMA user_version=0")  # a read-only file can be locked but not written
        self._close()

    def _write(self, batch: CommitRows) -> None:
        with self._transaction() as connection:
            self._must_exist(connection, batch)
            for table, rows in ((db.tables, batch.new), (db.events, batch.events), (db.keys, batch.keys)):
                for first in range(0, len(rows), ROWS):
                    self._insert(connection, table, rows[first : first + ROWS])
            for statement, values in batch.updates():
                connection.executemany(named(statement), values)
            self._commit(connection)

    def _commit(self, connection: sqlite3.Connection) -> None:
        """Commit, and make sure that the change is in the file that will be read after a restart."""
        connection.execute("COMMIT")
        if self.identity is not None:
            self.identity.check_log()

    def _must_exist(self, connection: sqlite3.Connection, batch: CommitRows) -> None:
        """Refuse to write to a table that was removed. Insertions find out by themselves."""
        inserted = {str(row["table_id"]) for rows in (batch.events, batch.keys) for row in rows}
        for table_id in set(batch.needed) - inserted:
            if connection.execute("SELECT count(*) FROM tables WHERE id = ?", (table_id,)).fetchone() != (1,):
                raise sqlite3.IntegrityError(GONE)

    def _insert(self, connection: sqlite3.Connection, table: SqlTable, rows: list[dict[str, object]]) -> None:
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


def lock(file: int | IO[str]) -> None:
    """Lock a file for this process until it is unlocked or closed. Raises BlockingIOError if another one has it.

    Windows has no locks of this kind: there every lock is granted.
    """
    if sys.platform != "win32":
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def unlock(file: int | IO[str]) -> None:
    """Release the lock of a file."""
    if sys.platform != "win32":
        fcntl.flock(file, fcntl.LOCK_UN)
