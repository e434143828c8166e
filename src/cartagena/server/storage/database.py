"""The database: SQLite or PostgreSQL behind one small interface."""

import json
import logging
import os
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Executable, event, exists, func, select, text
from sqlalchemy import Table as SqlTable
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from cartagena.errors import CartagenaError

from . import schema as db
from .postgres import CONNECT, CommitUnknown, SoleConnection, hold_newest, is_deadlock
from .rows import CommitRows, EventRow, Key, PlainWrite, TableRow, Write, read_chairs
from .sentences import error_sentence, what_is_full
from .sqlite import GONE, LARGEST_CHECKED, SoundnessCheck, SqliteWriter, make_private, set_reader_pragmas

log = logging.getLogger("cartagena.storage")


class StorageError(CartagenaError):
    """The database cannot be used. The message is one sentence for the person who runs the server."""


class Conflict(StorageError):
    """A write contradicts what is stored."""


class Uncertain(StorageError):
    """The connection was lost during a commit, and it could not be found out whether the change is stored."""


def parse_url(database: str) -> URL:
    """Parse a database URL and choose its driver."""
    try:
        url = make_url(database)
    except ArgumentError:
        raise StorageError(
            "The database must be a URL such as sqlite:///tables.db or postgresql://user:password@host/name."
        ) from None
    if url.get_backend_name() == "sqlite":
        return url.set(drivername="sqlite+aiosqlite")
    if url.get_backend_name() in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+asyncpg")
    raise StorageError(f"A database of kind {url.drivername} is not supported; use sqlite or postgresql.")


PROOF_SECONDS: Final = 2.0
"""How long a commit proves that writing works."""
BY_POST: Final = '"clock":{"kind":"post"'
"""Part of the set-up of a table by post. No name can contain it, since JSON escapes its quotes."""
MOST_OLD: Final = 10_000
"""Most old tables of a stage that are looked at in one run."""


class Database:
    """One database. Reads use a pool of connections, writes one connection."""

    def __init__(self, address: str, most_mb: int = 0) -> None:
        self.url = parse_url(address)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.engine = self._make_engine()
        self.writer: SqliteWriter | None = None
        self.sole: SoleConnection | None = None
        """Set by the server, which writes through it."""
        self.held: list[int] = []
        """Descriptors to close after all connections."""
        self.check: SoundnessCheck | None = None
        """The search for damage in a SQLite file, once it has begun."""
        self._proved = 0.0
        if self.is_sqlite:
            self.writer = SqliteWriter(self.file, *self.engine.dialect.create_connect_args(self.url), most_mb)

    def _make_engine(self) -> AsyncEngine:
        if not self.is_sqlite:
            return create_async_engine(
                self.url, pool_size=5, max_overflow=5, pool_pre_ping=True, pool_timeout=10, connect_args=CONNECT
            )
        if self.url.database in (None, "", ":memory:"):
            raise StorageError("The database must be a file: tables in memory would be lost.")
        engine = create_async_engine(self.url, pool_size=5, max_overflow=5)
        event.listen(engine.sync_engine, "connect", set_reader_pragmas)
        return engine

    @property
    def is_shared(self) -> bool:
        """Whether other servers may write to the database at the same time."""
        return self.sole is not None and self.sole.member is not None

    @property
    def file(self) -> Path:
        """The file of a SQLite database, whether its URL has a path or ``file:PATH``."""
        return Path(str(self.url.database).removeprefix("file:")).resolve()

    def make_folder(self) -> None:
        """Create the folder of a SQLite file, and the file, which only its owner may read."""
        if self.is_sqlite:
            what = "folder of"
            try:
                self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                what = "file"
                make_private(self.file)
            except OSError as error:
                raise StorageError(f"The {what} {self.file} cannot be created: {error.strerror}.") from None

    async def check_writable(self) -> None:
        """Raise StorageError if nothing can be written. Changes nothing."""
        async with self.guarded():
            if self.writer is not None:
                await self.writer.check()
            else:
                async with self.engine.connect() as connection:
                    if await connection.scalar(text("SHOW transaction_read_only")) == "on":
                        raise OSError("read-only")

    @asynccontextmanager
    async def guarded(self) -> AsyncIterator[None]:
        """Turn errors of the database into StorageError."""
        try:
            yield
        except (IntegrityError, sqlite3.IntegrityError) as error:
            raise Conflict(self._sentence(error)) from error
        except CommitUnknown as error:
            raise Uncertain("The connection to the database was lost during a commit.") from error
        except (TimeoutError, SQLAlchemyError, sqlite3.Error, OSError) as error:
            kind = Conflict if self.is_shared and is_deadlock(error) else StorageError
            raise kind(self._sentence(error)) from error

    def _sentence(self, error: BaseException) -> str:
        sentence = error_sentence(error, self.url)
        return sentence if self.writer is None else what_is_full(sentence, self.file, self.writer.most_mb)

    async def prove_writing(self) -> None:
        """Raise StorageError unless a commit succeeds now, or did in the last seconds."""
        if time.monotonic() - self._proved < PROOF_SECONDS:
            return
        async with self.guarded():
            if self.writer is not None:
                await self.writer.prove()
            elif self.sole is not None:
                await self.sole.write(_change_nothing)
        self._proved = time.monotonic()

    async def must_be_sound(self) -> None:
        """Raise StorageError for a damaged SQLite file. A very large one is left to ``look_for_damage``."""
        if not self.is_sqlite or not 0 < self.file.stat().st_size <= LARGEST_CHECKED:
            return
        async with self.reading() as connection:
            problems = list((await connection.execute(text("PRAGMA quick_check(1)"))).scalars())
        if problems != ["ok"]:
            raise StorageError(error_sentence(sqlite3.DatabaseError("malformed"), self.url))

    async def look_for_damage(self) -> None:
        """Check a very large SQLite file while the server runs. ``check`` has the result."""
        if self.is_sqlite and self.file.stat().st_size > LARGEST_CHECKED:
            self.check = SoundnessCheck(self.file)
            await self.check.run()
            if self.check.damaged:
                log.error(error_sentence(sqlite3.DatabaseError("malformed"), self.url))

    @asynccontextmanager
    async def connecting(self) -> AsyncIterator[AsyncConnection]:
        """A connection of the pool that may write: for migrations and backups, not while tables are played."""
        async with self.guarded(), self.engine.connect() as connection:
            if self.is_sqlite:
                await connection.exec_driver_sql("PRAGMA query_only=OFF")
            else:
                await connection.exec_driver_sql("SET statement_timeout = 0")
                await connection.commit()
            try:
                yield connection
            finally:
                if self.is_sqlite:
                    await connection.exec_driver_sql("PRAGMA query_only=ON")

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection of the pool."""
        async with self.guarded(), self.engine.connect() as connection:
            yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that takes the write lock at its beginning and commits at its end."""
        async with self.connecting() as connection:
            if self.is_sqlite:
                await connection.exec_driver_sql("BEGIN IMMEDIATE")
            try:
                yield connection
                await connection.commit()
            except BaseException:
                await connection.rollback()
                raise

    # --- reading

    async def rows(self, question: Executable) -> Sequence[Any]:
        """The rows that answer a question."""
        async with self.reading() as connection:
            return (await connection.execute(question)).all()

    async def _rows_of(self, kind: SqlTable, table_id: str) -> Sequence[Any]:
        """Rows of one table's events or keys, in order."""
        return await self.rows(select(kind).where(kind.c.table_id == table_id).order_by(kind.c.number))

    async def table_row(self, table_id: str) -> TableRow | None:
        """A table's row, or None."""
        rows = await self.rows(select(db.tables).where(db.tables.c.id == table_id))
        return TableRow(*rows[0]) if rows else None

    async def all_tables(self) -> list[TableRow]:
        """Every table's row, ordered by id, also of a database that is not migrated yet."""
        async with self.reading() as connection:
            columns = await connection.run_sync(db.stored_columns, db.tables)
            rows = await connection.execute(select(*columns).order_by(db.tables.c.id))
            return [TableRow(**row) for row in rows.mappings()]

    async def table_events(self, table_id: str) -> list[EventRow]:
        """A table's events. Raises StorageError if one of them cannot be read."""
        rows = await self._rows_of(db.events, table_id)
        with readable(f"An event of table {table_id}"):
            return [EventRow(row.number, row.at, row.kind, json.loads(row.data), row.move_id) for row in rows]

    async def table_keys(self, table_id: str) -> list[Key]:
        """A table's keys. Raises StorageError if one of them cannot be read."""
        rows = await self._rows_of(db.keys, table_id)
        with readable(f"A key of table {table_id}"):
            return [Key(r.number, r.kind, r.digest, read_chairs(r.chairs), r.revoked, r.host) for r in rows]

    async def tables_of(self, digest: str) -> list[str]:
        """Ids of the tables where the token of that digest holds seats: a game and its rematches."""
        held = (db.keys.c.digest == digest) & (db.keys.c.kind == "seat") & db.keys.c.revoked.is_(False)
        question = select(db.keys.c.table_id).where(held).distinct().order_by(db.keys.c.table_id)
        return [row.table_id for row in await self.rows(question)]

    async def lobby(self, limit: int) -> list[TableRow]:
        """The newest tables of the lobby that are not over."""
        listed = db.tables.c.lobby & db.tables.c.stage.in_(("waiting", "playing"))
        question = select(db.tables).where(listed).order_by(db.tables.c.created.desc()).limit(limit)
        return [TableRow(*row) for row in await self.rows(question)]

    async def to_wake(self, since: int = 0) -> list[str]:
        """Ids of running games with computer players or a clock whose stage changed at ``since`` or later."""
        running = (db.tables.c.stage == "playing") & (db.tables.c.touched >= since)
        question = select(db.tables.c.id).where(db.tables.c.wake & running)
        return [row.id for row in await self.rows(question)]

    async def due_tables(self, now: int, most: int) -> list[tuple[str, int]]:
        """Tables by post that are due, each with its due time, the longest overdue first."""
        return [(row.id, row.due) for row in await self.rows(db.due_tables(now, most))]

    async def uptime(self) -> tuple[int | None, int]:
        """When a server last said that it runs, if one did, and the earliest time at which days by post may end."""
        rows = await self.rows(select(db.uptime.c.alive, db.uptime.c.earliest))
        return (rows[0].alive, rows[0].earliest) if rows else (None, 0)

    async def extent(self) -> tuple[int, int]:
        """The number of tables, and when one was last set up or changed its stage."""
        newest = func.max(func.coalesce(db.tables.c.touched, 0)), func.max(db.tables.c.created)
        [row] = await self.rows(select(func.count(), *newest).select_from(db.tables))
        return row[0], max(row[1] or 0, row[2] or 0)

    async def old_tables(self, limits: dict[str, int]) -> dict[str, int | None]:
        """Tables whose last event is older than the limit of their stage, with when they were marked.

        Tables that wait for people to play by post have the limit ``waiting post``.
        """
        last = select(func.max(db.events.c.at)).where(db.events.c.table_id == db.tables.c.id).scalar_subquery()
        old: dict[str, int | None] = {}
        for name, before in limits.items():
            stage, _, post = name.partition(" ")
            quiet = (db.tables.c.touched < before) & (func.coalesce(last, db.tables.c.created) < before)
            if stage == "waiting":
                by_post = db.tables.c.setup.contains(BY_POST, autoescape=True)
                quiet &= by_post if post else ~by_post
            marked = db.tables.outerjoin(db.marks, db.marks.c.table_id == db.tables.c.id)
            question = select(db.tables.c.id, db.marks.c.at).select_from(marked)
            rows = await self.rows(question.where((db.tables.c.stage == stage) & quiet).limit(MOST_OLD))
            old.update({row.id: row.at for row in rows})
        return old

    async def marked_tables(self) -> list[str]:
        """Ids of the tables that are marked for removal."""
        return [row.table_id for row in await self.rows(select(db.marks.c.table_id))]

    # --- writing

    async def write(self, batch: CommitRows) -> None:
        """Write a batch in one commit. It is durable when this returns."""
        async with self.guarded():
            if self.writer is not None:
                await self.writer.write(batch)
            elif self.sole is not None:
                await self.sole.write(lambda connection: _write(connection, batch, shared=self.is_shared))
            else:
                async with self.writing() as connection:
                    await _write(connection, batch)

    async def is_stored(self, write: Write) -> bool:
        """Whether a write whose commit was uncertain is in the database. A plain write is taken as lost."""
        async with self.reading() as connection:
            if self.sole is not None:
                await self.sole.must_be_over(connection)
                await connection.commit()
            if isinstance(write, PlainWrite):
                return False
            for part, rows in ((db.events, write.events), (db.keys, write.keys)):
                for row in rows[:1]:
                    alike = (part.c.table_id == write.table_id) & (part.c.number == row.number)
                    same = part.c.digest == row.digest if isinstance(row, Key) else db.is_event(row.at, row.dump())
                    return bool(await connection.scalar(select(func.count()).select_from(part).where(alike & same)))
        return False

    async def close(self) -> None:
        """Close all connections."""
        if self.writer is not None:
            await self.writer.close()
        await self.engine.dispose()
        while self.held:
            os.close(self.held.pop())


async def _write(connection: AsyncConnection, batch: CommitRows, *, shared: bool = False) -> None:
    """Write the rows of a batch. Raises Conflict for a table that was removed."""
    if shared and batch.removed:
        await _keep_used(connection, batch)
    if shared and not await hold_newest(connection, batch):
        raise Conflict("Another server has changed the seats of a table.")
    for target, rows in ((db.tables, batch.new), (db.events, batch.events), (db.keys, batch.keys)):
        if rows:
            await connection.execute(target.insert(), rows)
    if batch.needed:  # after the insertions: a removal waits for them, or is seen here
        there = select(func.count()).select_from(db.tables).where(db.tables.c.id.in_(batch.needed))
        if await connection.scalar(there) != len(batch.needed):
            raise Conflict(GONE)
    for statement, values in batch.updates():
        await connection.execute(statement, values)


async def _keep_used(connection: AsyncConnection, batch: CommitRows) -> None:
    """Drop removals of tables that another server has used since they were marked; no event can come in between."""
    await connection.execute(text("LOCK TABLE events, keys IN SHARE MODE"))
    later = (db.events.c.table_id == db.marks.c.table_id) & (db.events.c.at >= db.marks.c.at)
    removed = [item["of_table"] for item in batch.removed]
    quiet = select(db.marks.c.table_id).where(db.marks.c.table_id.in_(removed) & ~exists().where(later))
    unused = set((await connection.execute(quiet)).scalars())
    batch.removed[:] = [item for item in batch.removed if item["of_table"] in unused]


async def _change_nothing(connection: AsyncConnection) -> None:
    await connection.execute(text("UPDATE alembic_version SET version_num = version_num"))


@contextmanager
def readable(what: str) -> Iterator[None]:
    """Turn the errors of damaged rows into StorageError."""
    try:
        yield
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise StorageError(f"{what} cannot be read.") from error
