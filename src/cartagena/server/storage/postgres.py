"""The one connection that writes to PostgreSQL. It holds the lock of the server, so a lost lock ends writing.

A sole server holds the lock alone. The servers of a cluster share it, and each holds a second lock with its own number,
which tells the others that it lives.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Row, func, select, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from . import schema as db
from .rows import CommitRows, Known

LOCK_NUMBER: Final = 0x0CA27A6E
MEMBERS: Final = 0x0CA27A6F
"""First half of the locks that the servers of a cluster hold; the second half is the number of the server."""
LOST: Final = "the lock of the server was lost, and nothing is written until it is held again"
FAILURES: Final = (SQLAlchemyError, OSError, TimeoutError)
CHECK_SECONDS: Final = 10.0
DEADLOCKS: Final = ("40P01", "40001")
CONNECT: Final[dict[str, object]] = {
    "timeout": 10,
    "command_timeout": 60,
    "server_settings": {
        "statement_timeout": "30000",
        "lock_timeout": "10000",
        "idle_in_transaction_session_timeout": "60000",
    },
}
"""Seconds to connect and to wait for an answer, and milliseconds after which the database server gives up."""


QUICK_END: Final = {
    "idle_in_transaction_session_timeout": "5s",
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
}
"""Settings of a session in a cluster: if its machine fails, its locks are free within seconds."""


@dataclass(frozen=True, slots=True)
class Member:
    """A server of a cluster: its number, and what it is called among the sessions of PostgreSQL."""

    number: int
    name: str


def is_deadlock(error: BaseException) -> bool:
    """Whether PostgreSQL ended a transaction because it and another one waited for each other."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) in DEADLOCKS


class CommitUnknown(Exception):
    """The connection was lost during a commit: it is not known whether the change is stored."""


class SoleConnection:
    """A session with the advisory lock, through which everything is written. A ``member`` shares the lock.

    What has begun goes on if its caller is cancelled: a cancelled query would end the session, and the lock with it.
    """

    def __init__(self, engine: AsyncEngine, member: Member | None = None) -> None:
        self.engine = engine
        self.member = member
        self.connection: AsyncConnection | None = None
        self.session: Row[tuple[int, datetime]] | None = None
        self.lost = True
        self.turn = asyncio.Lock()

    async def take(self) -> bool:
        """Connect anew and try to take the lock. Returns whether it is held."""
        async with self.turn:
            await self._leave()
            connection = self.connection = await self.engine.connect()
            taken = await self._lock(connection)
            mine = "SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()"
            session = (await connection.execute(text(mine))).one()
            await connection.commit()
            if taken:
                self.session, self.lost = session, False
            return bool(taken)

    async def _lock(self, connection: AsyncConnection) -> bool:
        """Try to take the lock. Returns whether it is held."""
        if self.member is None:
            return bool(await connection.scalar(text(f"SELECT pg_try_advisory_lock({LOCK_NUMBER})")))
        if not await connection.scalar(text(f"SELECT pg_try_advisory_lock_shared({LOCK_NUMBER})")):
            return False
        values = {**QUICK_END, "application_name": self.member.name}
        settings = ", ".join(f"set_config('{name}', :{name}, false)" for name in values)  # one trip for all of them
        await connection.execute(text(f"SELECT {settings}"), values)
        return bool(await connection.scalar(text(f"SELECT pg_try_advisory_lock({MEMBERS}, {self.member.number})")))

    async def holds(self) -> bool:
        """Whether the session that has the lock still answers."""
        return await asyncio.shield(self._holds())

    async def _holds(self) -> bool:
        async with self.turn:
            try:
                async with asyncio.timeout(CHECK_SECONDS):
                    connection = self._held()
                    pid = await connection.scalar(text("SELECT pg_backend_pid()"))
                    await connection.commit()
            except FAILURES:
                self.lost = True
            else:
                self.lost = self.session is None or pid != self.session.pid
            return not self.lost

    def _held(self) -> AsyncConnection:
        """The connection with the lock. SQLAlchemy would replace one that was lost, and the new one has no lock."""
        if self.lost or self.connection is None or self.connection.invalidated:
            self.lost = True
            raise OSError(LOST)
        return self.connection

    async def write(self, work: Callable[[AsyncConnection], Awaitable[None]]) -> None:
        """Do the work in one transaction. Raises CommitUnknown if the connection is lost during the commit."""
        await asyncio.shield(self._write(work))

    async def _write(self, work: Callable[[AsyncConnection], Awaitable[None]]) -> None:
        async with self.turn:
            connection = self._held()
            try:
                await work(connection)
            except BaseException:
                with suppress(*FAILURES):
                    await connection.rollback()
                self.lost = self.lost or connection.invalidated  # so that the lock is taken again at once
                raise
            try:
                await connection.commit()
            except FAILURES as error:
                self.lost = True
                raise CommitUnknown from error

    async def must_be_over(self, connection: AsyncConnection) -> None:
        """End the session that was lost, so that no commit arrives later. Raises OSError while it lives."""
        if self.session is None or not self.lost:
            return
        which = "FROM pg_stat_activity WHERE pid = :pid AND backend_start = :began"
        session = {"pid": self.session.pid, "began": self.session.backend_start}
        await connection.execute(text(f"SELECT pg_terminate_backend(pid) {which}"), session)
        if await connection.scalar(text(f"SELECT count(*) {which}"), session):
            raise OSError("the session that was lost still runs")

    async def _leave(self) -> None:
        if self.connection is not None:
            with suppress(*FAILURES):
                await self.connection.invalidate()
            with suppress(*FAILURES):
                await self.connection.close()
        self.connection = None

    async def free(self) -> None:
        """Release the lock by ending the session."""
        async with self.turn:
            self.lost = True
            await self._leave()


async def hold_newest(connection: AsyncConnection, batch: CommitRows) -> bool:
    """Let changes of the seats or keys of a table come one after another. False: one was not decided on the newest.

    Two servers that write different rows, such as an event and a key, would not meet otherwise. Whatever writes to the
    row of a table later in its transaction waits here first, so that no two wait for each other.
    """
    held = sorted({*batch.known, *(str(stage["of_table"]) for stage in batch.stages)})
    if held:
        rows = select(db.tables.c.id).where(db.tables.c.id.in_(held)).order_by(db.tables.c.id)
        await connection.execute(rows.with_for_update(key_share=True))
    return not batch.known or await _extents(connection, list(batch.known)) == batch.known


async def _extents(connection: AsyncConnection, table_ids: list[str]) -> dict[str, Known]:
    """What is stored of some tables."""
    events, keys = db.events.c, db.keys.c
    last = select(func.max(events.number)).where(events.table_id == db.tables.c.id).scalar_subquery()
    number = select(func.count()).where(keys.table_id == db.tables.c.id)
    revoked = number.where(keys.revoked).scalar_subquery()
    columns = db.tables.c.id, func.coalesce(last, 0), number.scalar_subquery(), revoked
    rows = await connection.execute(select(*columns).where(db.tables.c.id.in_(table_ids)))
    return {row[0]: Known(*row[1:]) for row in rows}
