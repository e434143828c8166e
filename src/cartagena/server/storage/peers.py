"""What the servers of a cluster learn from PostgreSQL: which of them live, how far tables are, and whose turn it is."""

import secrets
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from sqlalchemy import func, select, text

import cartagena

from . import schema as db
from .database import Database, StorageError
from .postgres import MEMBERS, Member

FORMAT: Final = 1
"""Raised by one when the version before cannot pass over a new kind of event or field."""
MOST_APART: Final = 1
"""Formats that may differ between servers of one database: two versions stand side by side during an upgrade."""
MOST_SKEW: Final = 30_000
"""Milliseconds by which a clock may differ from the database's, so that no two servers are a minute apart."""
CHUNK: Final = 1000
"""Most tables that one statement asks about."""
NAME: Final = "cartagena format {format} version {version}"
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
    """The servers that live: their numbers, since when the oldest one does, and how far our clock is behind."""

    numbers: frozenset[int]
    names: tuple[str, ...]
    since: int
    behind: int
    """Milliseconds to add to the clock of this machine to get the time of the database."""


def new_member() -> Member:
    """A number for this server that no other one has, and its name among PostgreSQL's sessions."""
    return Member(1 + secrets.randbelow(2**31 - 2), NAME.format(format=FORMAT, version=cartagena.__version__))


async def living(database: Database) -> Living | None:
    """The servers that live; None if there is none."""
    async with database.reading() as connection:
        before = time.time_ns() // 1_000_000
        rows = (await connection.execute(LIVING, {"members": MEMBERS})).all()
        after = time.time_ns() // 1_000_000
    if not rows:
        return None
    since = min((row.since for row in rows if row.since is not None), default=rows[0].now)
    names = tuple(str(row.name or "") for row in rows)
    return Living(frozenset(row.number for row in rows), names, since, rows[0].now - (before + after) // 2)


def format_of(name: str) -> tuple[int, str] | None:
    """The format and the version that a session's name states; None for a name that states none."""
    words = name.split()
    if len(words) != 5 or words[:2] != ["cartagena", "format"] or not words[2].isdigit():
        return None
    return int(words[2]), words[4]


def must_fit(found: Living) -> None:
    """Raise StorageError if a server of a version too far from this one lives, or if the clocks differ too much."""
    for stated in filter(None, map(format_of, found.names)):
        if abs(stated[0] - FORMAT) > MOST_APART:
            raise StorageError(
                f"A server of version {stated[1]} uses this database, too far from {cartagena.__version__}; "
                "upgrade version by version, or stop that server first."
            )
    if abs(found.behind) > MOST_SKEW:
        side = "behind" if found.behind > 0 else "ahead of"
        raise StorageError(
            f"The clock of this machine is {abs(found.behind) / 1000:.0f} seconds {side} the database's; "
            "let both follow a time server."
        )


async def fingerprint(database: Database) -> str:
    """What tells this database from any other one."""
    async with database.reading() as connection:
        may_ask = await connection.scalar(text("SELECT has_function_privilege('pg_control_system()', 'execute')"))
        installation = (
            "pg_control_system()" if may_ask else "(SELECT current_setting('port') AS system_identifier) AS it"
        )
        question = f"SELECT system_identifier::text FROM {installation}"  # noqa: S608 - both are ours
        where = "SELECT oid::text FROM pg_database WHERE datname = current_database()"
        return f"{await connection.scalar(text(question))}-{await connection.scalar(text(where))}"


async def extents(database: Database, table_ids: Sequence[str]) -> dict[str, tuple[int, int]]:
    """For each table that exists, the numbers of its last event and of its last key."""
    found: dict[str, tuple[int, int]] = {}
    last = [
        select(func.coalesce(func.max(part.c.number), 0)).where(part.c.table_id == db.tables.c.id).scalar_subquery()
        for part in (db.events, db.keys)
    ]
    for first in range(0, len(table_ids), CHUNK):
        question = select(db.tables.c.id, *last).where(db.tables.c.id.in_(table_ids[first : first + CHUNK]))
        async with database.reading() as connection:
            found.update({row[0]: (row[1], row[2]) for row in (await connection.execute(question)).all()})
    return found


@asynccontextmanager
async def turn(database: Database, number: int) -> AsyncIterator[bool]:
    """Whether this server does a work that only one of them may do at a time. Without other servers it does."""
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
