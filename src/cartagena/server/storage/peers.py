"""What the servers of a cluster learn from PostgreSQL: which of them live, how far tables are, and whose turn it is."""

import asyncio
import json
import secrets
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import text

import cartagena

from .database import Database, StorageError, readable
from .postgres import FAILURES, MEMBERS, Member
from .rows import EventRow

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

FORMAT: Final = 3
"""Raised by one when the version before cannot pass over a new kind of event or field."""
PROMISE_3: Final = 2
"""The first format that reads the third form of the promise of the deal."""
BY_POST: Final = 3
"""The first format that knows tables by post."""
MOST_APART: Final = 1
"""Formats that may differ between servers of one database: two versions stand side by side during an upgrade."""
MOST_SKEW: Final = 30_000
"""Milliseconds by which a clock may differ from the database's, so that no two servers are a minute apart."""
CHUNK: Final = 1000
"""Most tables that one statement asks about."""
NAME: Final = "cartagena format {format} version {version}"
ANSWER: Final = 10.0
"""Seconds to wait for an answer about tables."""
EVENTS: Final = "SELECT number, at, kind, data, move_id FROM events WHERE table_id = $1 AND number > $2 ORDER BY number"
EXTENTS: Final = (
    "SELECT tables.id AS id, "
    "(SELECT coalesce(max(number), 0) FROM events WHERE table_id = tables.id) AS events, "
    "(SELECT coalesce(max(number), 0) FROM keys WHERE table_id = tables.id) AS keys "
    "FROM tables WHERE id = ANY($1::text[])"
)
LIVING: Final = text(
    "SELECT held.objid::bigint AS number, session.application_name AS name, "
    "(extract(epoch FROM session.backend_start) * 1000)::bigint AS since, "
    "(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now "
    "FROM pg_locks AS held LEFT JOIN pg_stat_activity AS session ON session.pid = held.pid "
    "WHERE held.locktype = 'advisory' AND held.granted AND held.objsubid = 2 AND held.classid = :members "
    "AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


@dataclass(frozen=True, slots=True)
class Living:
    """The living servers: their numbers, when the oldest one began, and how far our clock is behind."""

    numbers: frozenset[int]
    names: tuple[str, ...]
    since: int
    behind: int
    """Milliseconds to add to the wall clock of this machine to get the time of the database."""
    offset: int = 0
    """The same for the steady clock, which is never set."""
    trip: int = 0
    """Milliseconds that the question took: no time can be known better than that."""

    @property
    def promise(self) -> int:
        """The newest form of the promise that all of them can read."""
        return 3 if self.format >= PROMISE_3 else 2

    @property
    def format(self) -> int:
        """The oldest format among them; that of a name that states none is 0."""
        return min(((format_of(name) or (0,))[0] for name in self.names), default=0)


def new_member() -> Member:
    """A number for this server that no other one has, and its name among PostgreSQL's sessions."""
    return Member(1 + secrets.randbelow(2**31 - 2), NAME.format(format=FORMAT, version=cartagena.__version__))


async def living(database: Database) -> Living | None:
    """The servers that live; None if there is none."""
    async with database.reading() as connection:
        wall, steady = time.time_ns() // 1_000_000, time.monotonic_ns() // 1_000_000
        rows = (await connection.execute(LIVING, {"members": MEMBERS})).all()
        trip = time.monotonic_ns() // 1_000_000 - steady
    if not rows:
        return None
    since = min((row.since for row in rows if row.since is not None), default=rows[0].now)
    names = tuple(str(row.name or "") for row in rows)
    there = rows[0].now - trip // 2
    return Living(frozenset(row.number for row in rows), names, since, there - wall, there - steady, trip)


def format_of(name: str) -> tuple[int, str] | None:
    """The format and the version that a session's name states; None for a name that states none."""
    words = name.split()
    if len(words) != 5 or words[:2] != ["cartagena", "format"] or not words[2].isdigit():
        return None
    return int(words[2]), words[4]


def must_fit(servers: Living) -> None:
    """Raise StorageError if a server of a version too far from this one lives, or if the clocks differ too much."""
    for stated in filter(None, map(format_of, servers.names)):
        if abs(stated[0] - FORMAT) > MOST_APART:
            raise StorageError(
                f"A server of version {stated[1]} uses this database, too far from {cartagena.__version__}; "
                "upgrade version by version, or stop that server first."
            )
    if abs(servers.behind) > MOST_SKEW:
        side = "behind" if servers.behind > 0 else "ahead of"
        raise StorageError(
            f"The clock of this machine is {abs(servers.behind) / 1000:.0f} seconds {side} the database's; "
            "let both follow a time server."
        )


async def fingerprint(database: Database) -> str:
    """An identifier that no other database has."""
    async with database.reading() as connection:
        may_ask = await connection.scalar(text("SELECT has_function_privilege('pg_control_system()', 'execute')"))
        installation = (
            "pg_control_system()" if may_ask else "(SELECT current_setting('port') AS system_identifier) AS it"
        )
        question = f"SELECT system_identifier::text FROM {installation}"  # noqa: S608 - both are ours
        where = "SELECT oid::text FROM pg_database WHERE datname = current_database()"
        return f"{await connection.scalar(text(question))}-{await connection.scalar(text(where))}"


class Reader:
    """A lasting connection for reading: servers often ask about each other's tables.

    It bypasses SQLAlchemy, whose statements take more processor time than such a question.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self.connection: AsyncConnection | None = None
        self.turn = asyncio.Lock()

    async def events(self, table_id: str, after: int) -> list[EventRow]:
        """A table's events after that number. Raises StorageError if they cannot be read."""
        rows = await self._fetch(EVENTS, table_id, after)
        with readable(f"An event of table {table_id}"):
            return [EventRow(r["number"], r["at"], r["kind"], json.loads(r["data"]), r["move_id"]) for r in rows]

    async def extents(self, table_ids: Sequence[str]) -> dict[str, tuple[int, int]]:
        """For each table that exists, the numbers of its last event and of its last key."""
        extents: dict[str, tuple[int, int]] = {}
        for first in range(0, len(table_ids), CHUNK):
            rows = await self._fetch(EXTENTS, table_ids[first : first + CHUNK])
            extents.update({row["id"]: (row["events"], row["keys"]) for row in rows})
        return extents

    async def _fetch(self, question: str, *values: Any) -> list[Any]:
        async with self.turn, self.database.guarded():
            try:
                if self.connection is None:
                    self.connection = await self.database.engine.connect()
                raw = await self.connection.get_raw_connection()
                driver: Any = raw.driver_connection
                rows: list[Any] = await driver.fetch(question, *values, timeout=ANSWER)
            except BaseException as error:
                await self._drop()
                if type(error).__module__.startswith("asyncpg"):
                    raise OSError(str(error)) from error
                raise
            return rows

    async def _drop(self) -> None:
        """Leave a connection that may be broken; the next question takes a new one."""
        connection, self.connection = self.connection, None
        if connection is not None:
            with suppress(*FAILURES):
                await connection.invalidate()
            with suppress(*FAILURES):
                await connection.close()

    async def close(self) -> None:
        async with self.turn:
            await self._drop()


@asynccontextmanager
async def turn(database: Database, number: int) -> AsyncIterator[bool]:
    """A lock for work that one server does at a time. Yields whether this server holds it; a sole server does."""
    if not database.is_shared:
        yield True
        return
    async with database.reading() as connection:
        taken = bool(await connection.scalar(text(f"SELECT pg_try_advisory_lock({number})")))
        await connection.commit()
        try:
            yield taken
        finally:
            if taken:
                await connection.scalar(text(f"SELECT pg_advisory_unlock({number})"))
                await connection.commit()
