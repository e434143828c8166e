"""Commands of the operator: how they reach a server through the database, and the log of what was done.

With PostgreSQL a command is a row that one server takes and answers. With SQLite the server is the only writer: it is
asked over a socket (``live.operator``), and writes the row when it has answered.
"""

import json
import secrets
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from sqlalchemy import Executable, bindparam, delete, insert, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from . import schema as db
from .database import Database
from .rows import CommitRows

KEEP_DAYS: Final = 30
"""How long a command is kept in the log."""
DAY: Final = 86_400_000
TAKE: Final = text(
    "UPDATE commands SET taken = :now WHERE id IN "
    "(SELECT id FROM commands WHERE taken IS NULL ORDER BY at FOR UPDATE SKIP LOCKED) "
    "RETURNING id, at, sender, verb, data"
)
POST: Final = insert(db.commands)
ANSWER: Final = (
    update(db.commands)
    .where(db.commands.c.id == bindparam("of_id"))
    .values(done=bindparam("new_done"), result=bindparam("new_result"))
)
WITHDRAW: Final = delete(db.commands).where((db.commands.c.id == bindparam("of_id")) & db.commands.c.taken.is_(None))
BLOCK: Final = insert(db.blocks)
UNBLOCK: Final = delete(db.blocks).where(db.blocks.c.network == bindparam("of_network"))
END_BLOCKS: Final = delete(db.blocks).where(db.blocks.c.until <= bindparam("now"))
FORGET: Final = delete(db.commands).where(db.commands.c.at < bindparam("before"))


def now_wall() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Command:
    """What an operator wants done. ``data`` is JSON and holds no token, only hashes of tokens."""

    id: str
    at: int
    sender: str
    verb: str
    data: str

    @classmethod
    def new(cls, sender: str, verb: str, data: dict[str, object]) -> "Command":
        return cls(secrets.token_hex(16), now_wall(), sender[:100], verb, json.dumps(data))

    def fields(self) -> dict[str, Any]:
        """The data as a dictionary."""
        fields: dict[str, Any] = json.loads(self.data)
        return fields


async def post(database: Database, command: Command) -> None:
    """Leave a command for a server."""
    await _write(database, POST, asdict(command))


async def take(database: Database) -> list[Command]:
    """Take the commands that wait, if there are any. Each is taken by one server."""
    taken: list[Command] = []
    sole = database.sole
    if sole is not None and await _any(database, select(db.commands.c.id).where(db.commands.c.taken.is_(None))):
        async with database.guarded():
            await sole.write(lambda connection: _take(connection, taken))
    return taken


async def _take(connection: AsyncConnection, taken: list[Command]) -> None:
    taken += [Command(*row) for row in await connection.execute(TAKE, {"now": now_wall()})]


async def answer(database: Database, command: Command, result: dict[str, object]) -> None:
    """Store the result of a command that was taken, or that came over a socket."""
    done, text = now_wall(), json.dumps(result)
    if database.is_sqlite:
        row = {**asdict(command), "taken": command.at, "done": done, "result": text}
        await _write(database, POST, row)
    else:
        await _write(database, ANSWER, {"of_id": command.id, "new_done": done, "new_result": text})


async def result_of(database: Database, command: Command) -> dict[str, Any] | None:
    """The result of a command, None until there is one."""
    async with database.reading() as connection:
        result = await connection.scalar(select(db.commands.c.result).where(db.commands.c.id == command.id))
    return None if result is None else dict(json.loads(result))


async def withdraw(database: Database, command: Command) -> bool:
    """Take a command back that no server has taken. Returns whether none had."""
    await _write(database, WITHDRAW, {"of_id": command.id})
    return not await _any(database, select(db.commands.c.id).where(db.commands.c.id == command.id))


async def log_of(database: Database) -> Sequence[Any]:
    """All commands that are kept, the oldest first, as rows."""
    async with database.reading() as connection:
        return (await connection.execute(select(db.commands).order_by(db.commands.c.at))).all()


# --- blocks


async def block(database: Database, network: str, until: int) -> None:
    """Block a network until a time, which replaces an earlier one. A time that is over ends the block."""
    rows = CommitRows(others=[(UNBLOCK, [{"of_network": network}])])
    if until > now_wall():
        rows.others.append((BLOCK, [{"network": network, "until": until}]))
    await database.write(rows)


async def blocks(database: Database) -> dict[str, int]:
    """The networks that are blocked, each with its end."""
    async with database.reading() as connection:
        rows = (await connection.execute(select(db.blocks).where(db.blocks.c.until > now_wall()))).all()
    return {row.network: row.until for row in rows}


async def forget_old(database: Database) -> None:
    """Delete blocks that have ended and commands that are kept no longer."""
    now = now_wall()
    before = now - KEEP_DAYS * DAY
    ended = select(db.blocks.c.network).where(db.blocks.c.until <= now)
    if await _any(database, ended) or await _any(database, select(db.commands.c.id).where(db.commands.c.at < before)):
        await database.write(CommitRows(others=[(END_BLOCKS, [{"now": now}]), (FORGET, [{"before": before}])]))


async def _any(database: Database, question: Executable) -> bool:
    """Whether a question has an answer."""
    async with database.reading() as connection:
        return (await connection.execute(question)).first() is not None


async def _write(database: Database, statement: Executable, values: dict[str, object]) -> None:
    await database.write(CommitRows(others=[(statement, [values])]))
