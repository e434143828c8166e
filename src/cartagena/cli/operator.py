"""How ``cartagena db`` has something done: by itself where no server runs, otherwise by a server that runs.

Every verb that changes something uses ``carry_out``; the verbs themselves are in ``server.live.operator``.
"""

import asyncio
import getpass
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from cartagena.errors import CartagenaError
from cartagena.server.live.operator import Operator, ask, socket_path
from cartagena.server.live.registry import TableRegistry
from cartagena.server.settings import load_settings
from cartagena.server.storage import commands
from cartagena.server.storage.commands import Command
from cartagena.server.storage.database import Database, StorageError
from cartagena.server.storage.migrate import (
    MIGRATIONS,
    Locked,
    SoleServer,
    current_revision,
    head,
    revisions,
    upgrade,
)
from cartagena.server.storage.write_queue import WriteQueue
from cartagena.server.tasks import ignore

PATIENCE: Final = 15.0  # seconds in which a server must take a command and answer it
PAUSE: Final = 0.2


def sender() -> str:
    """Who sends a command: the user and the machine."""
    try:
        return f"{getpass.getuser()}@{socket.gethostname()}"
    except (KeyError, OSError):
        return f"?@{socket.gethostname()}"


@asynccontextmanager
async def alone(database: Database, tries: int = 1) -> AsyncIterator[TableRegistry]:
    """All tables while no server runs. Raises Locked if one does."""
    settings = load_settings()
    sole, writes = SoleServer(database), WriteQueue(database, settings.batch_moves)
    try:
        await sole.take(tries)
        await upgrade(database)
        writes.start()
        registry = TableRegistry(database, writes, settings)
        yield registry
        await asyncio.gather(*registry.tasks.running)
    finally:
        await writes.stop()
        await sole.free()


@asynccontextmanager
async def beside(database: Database) -> AsyncIterator[TableRegistry]:
    """All tables to be read only, also while servers run. Raises StorageError for a database of another version."""
    async with database.reading() as connection:
        revision = await connection.run_sync(current_revision)
    if revision != head(revisions(MIGRATIONS)):
        raise StorageError("The database is of another version; start a server of this version once.")
    settings = load_settings()
    yield TableRegistry(database, WriteQueue(database, settings.batch_moves), settings)


async def carry_out(database: Database, verb: str, data: dict[str, object]) -> str:
    """Have a command carried out, and return the sentence that says what was done. Raises CartagenaError."""
    command = Command.new(sender(), verb, data)
    try:
        async with alone(database) as registry:
            if not database.is_sqlite:
                await commands.post(database, command)
            result = await Operator(registry, ignore).carry_out(command)
    except Locked:
        result = await _ask_server(database, command)
    if "error" in result:
        raise CartagenaError(str(result["error"]))
    return str(result["done"])


async def _ask_server(database: Database, command: Command) -> dict[str, Any]:
    """The answer of the server that runs, or of one of them."""
    if database.is_sqlite:
        return await ask(socket_path(database.file), command)
    await commands.post(database, command)
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        await asyncio.sleep(PAUSE)
        result = await commands.result_of(database, command)
        if result is not None:
            return result
    if await commands.withdraw(database, command):
        return {"error": "No server has taken the command, and nothing was done; are the servers of this version?"}
    return {"error": "A server has taken the command and not answered yet; see `cartagena db log` later."}
