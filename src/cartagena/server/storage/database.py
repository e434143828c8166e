"""The store: SQLite or PostgreSQL behind the same few questions. Nothing here knows what an event means."""

import json
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import event, func, select, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from ..tables.events import Event, Key
from . import schema as db
from .sqlite_writer import Batch, Pen, set_pragmas


class StoreError(Exception):
    """The database cannot be used; one clear sentence."""


class Conflict(StoreError):
    """What was to be written contradicts what is there."""


@dataclass(frozen=True, slots=True)
class Row:
    """What is stored about a table besides its events."""

    id: str
    created: int
    touched: int
    stage: str
    lobby: bool
    wake: bool
    setup: str
    secret: str


def parse_url(database: str) -> URL:
    """The database URL with the driver that speaks it."""
    try:
        url = make_url(database)
    except ArgumentError:
        raise StoreError(
            "The database must be a URL such as sqlite:///tables.db or postgresql://user:password@host/name."
        ) from None
    if url.get_backend_name() == "sqlite":
        return url.set(drivername="sqlite+aiosqlite")
    if url.get_backend_name() in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+asyncpg")
    raise StoreError(f"A database of kind {url.drivername} is not known; there are sqlite and postgresql.")


def say(error: BaseException, url: URL) -> str:
    """What is wrong with the database, in one sentence for the person who runs it."""
    where = url.render_as_string(hide_password=True).replace("+aiosqlite", "").replace("+asyncpg", "")
    original: BaseException = error
    while isinstance(original, DBAPIError) and original.orig is not None:
        original = original.orig
    cause = str(original.__cause__ or original)
    for sign, sentence in SENTENCES.items():
        if sign in cause.lower() or sign in str(original).lower():
            return f"The database {where} {sentence}"
    first = cause.strip().splitlines()[0] if cause.strip() else type(original).__name__
    return f"The database {where} cannot be used: {first.rstrip('.')}."


SENTENCES: Final = {
    "malformed": "is damaged; restore a backup with `cartagena db restore`.",
    "not a database": "is not a database file; name another one or restore a backup.",
    "disk i/o error": "cannot be read or written: the disk reports an error.",
    "disk is full": "cannot be written: the disk is full.",
    "no space left": "cannot be written: the disk is full.",
    "file or disk is full": "cannot be written: the disk is full.",
    "readonly": "cannot be written: it is read-only.",
    "read-only": "cannot be written: it is read-only.",
    "locked": "is locked by another program; stop that one first.",
    "unable to open": "cannot be opened: check that the folder exists and may be written.",
    "connection refused": "does not answer; is the database server running?",
    "connect call failed": "does not answer; is the database server running?",
    "password authentication": "refuses the user name or password.",
}


class Store:
    """One database. Reads go through a pool, writes through one connection of one writer."""

    def __init__(self, database: str, most_mb: int = 0) -> None:
        self.url = parse_url(database)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.engine = self._make_engine()
        self.pen = Pen(*self.engine.dialect.create_connect_args(self.url), most_mb) if self.is_sqlite else None

    def _make_engine(self) -> AsyncEngine:
        if not self.is_sqlite:
            return create_async_engine(self.url, pool_size=5, max_overflow=5, pool_pre_ping=True)
        if self.url.database in (None, "", ":memory:"):
            raise StoreError("The database must be a file: tables in memory would be lost.")
        engine = create_async_engine(self.url, pool_size=5, max_overflow=5)
        event.listen(engine.sync_engine, "connect", set_pragmas)
        return engine

    @property
    def file(self) -> Path:
        """The file of a SQLite database; it may be named as a path or as ``file:PATH``."""
        return Path(str(self.url.database).removeprefix("file:")).absolute()

    def make_folder(self) -> None:
        """Make the folder that a SQLite file lies in."""
        if self.is_sqlite:
            try:
                self.file.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StoreError(f"The folder of {self.file} cannot be made: {error.strerror}.") from None

    async def check_writable(self) -> None:
        """Say at once, and not at the first move, that nothing can be written."""
        async with self.guarded():
            if self.pen is not None:
                await self.pen.check()
            else:
                async with self.engine.connect() as connection:
                    if await connection.scalar(text("SHOW transaction_read_only")) == "on":
                        raise OSError("read-only")

    @asynccontextmanager
    async def guarded(self) -> AsyncIterator[None]:
        """Turn whatever the database throws into one sentence."""
        try:
            yield
        except (IntegrityError, sqlite3.IntegrityError) as error:
            raise Conflict(say(error, self.url)) from error
        except (TimeoutError, SQLAlchemyError, sqlite3.Error, OSError) as error:
            raise StoreError(say(error, self.url)) from error

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        async with self.guarded(), self.engine.connect() as connection:
            yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that takes the write lock at once and is committed at the end."""
        async with self.guarded(), self.engine.connect() as connection:
            if self.is_sqlite:
                await connection.exec_driver_sql("BEGIN IMMEDIATE")
            try:
                yield connection
                await connection.commit()
            except BaseException:
                await connection.rollback()
                raise

    # --- reading

    async def table_row(self, table_id: str) -> Row | None:
        async with self.reading() as connection:
            found = (await connection.execute(select(db.tables).where(db.tables.c.id == table_id))).first()
        return Row(*found) if found is not None else None

    async def table_events(self, table_id: str) -> list[Event]:
        question = select(db.events).where(db.events.c.table_id == table_id).order_by(db.events.c.number)
        async with self.reading() as connection:
            rows = (await connection.execute(question)).all()
        return [Event(row.number, row.at, row.kind, json.loads(row.data), row.move_id) for row in rows]

    async def table_keys(self, table_id: str) -> list[Key]:
        question = select(db.keys).where(db.keys.c.table_id == table_id).order_by(db.keys.c.number)
        async with self.reading() as connection:
            rows = (await connection.execute(question)).all()
        return [Key(row.number, row.kind, row.digest, read_chairs(row.chairs), row.revoked, row.host) for row in rows]

    async def lobby(self, limit: int) -> list[Row]:
        listed = db.tables.c.lobby & db.tables.c.stage.in_(("waiting", "playing"))
        question = select(db.tables).where(listed).order_by(db.tables.c.created.desc()).limit(limit)
        async with self.reading() as connection:
            return [Row(*row) for row in (await connection.execute(question)).all()]

    async def to_wake(self) -> list[str]:
        """The games that go on by themselves: a computer must move or a clock runs."""
        question = select(db.tables.c.id).where(db.tables.c.wake & (db.tables.c.stage == "playing"))
        async with self.reading() as connection:
            return list((await connection.execute(question)).scalars())

    async def ping(self) -> None:
        async with self.reading() as connection:
            await connection.execute(text("SELECT 1"))

    # --- writing

    async def write(self, batch: Batch) -> None:
        """One commit. When this returns the batch is on disk."""
        if self.pen is not None:
            async with self.guarded():
                await self.pen.write(batch)
            return
        async with self.writing() as connection:
            for target, rows in ((db.tables, batch.new), (db.events, batch.events), (db.keys, batch.keys)):
                if rows:
                    await connection.execute(target.insert(), rows)
            if batch.revoked:
                await connection.execute(db.REVOKE, batch.revoked)
            if batch.stages:
                await connection.execute(db.STAGE, batch.stages)

    async def prune(self, limits: dict[str, int]) -> int:
        """Remove the tables of each stage whose last event is older than its limit; how many there were."""
        last = select(func.max(db.events.c.at)).where(db.events.c.table_id == db.tables.c.id).scalar_subquery()
        removed: list[str] = []
        async with self.writing() as connection:
            for stage, before in limits.items():
                quiet = func.coalesce(last, db.tables.c.created) < before
                question = select(db.tables.c.id).where((db.tables.c.stage == stage) & quiet).limit(500)
                removed += (await connection.execute(question)).scalars()
            for table in (db.events, db.keys):
                await connection.execute(table.delete().where(table.c.table_id.in_(removed)))
            await connection.execute(db.tables.delete().where(db.tables.c.id.in_(removed)))
        return len(removed)

    async def close(self) -> None:
        if self.pen is not None:
            await self.pen.close()
        await self.engine.dispose()


def read_chairs(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in text.split(",") if word)


def write_chairs(chairs: Sequence[int]) -> str:
    return ",".join(map(str, chairs))
