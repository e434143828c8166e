"""What an operator may do to a running server: close a table, revoke a token, block a network, see what was done.

A command comes from ``cartagena db`` through the database or a local socket. Every verb is a coroutine that gets the
data of the command and returns what is to be shown. A refusal is a result too. All commands are logged.

The server of a SQLite database listens on a socket beside the database file, which only its owner can open: one JSON
object a line in, one out. A name that is too long for the system is reached through its folder.
"""

import asyncio
import json
import logging
import os
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from cartagena.game.plurals import counted

from ..addresses import network_named
from ..protocol.errors import Refused
from ..storage import commands
from ..storage.commands import Command
from ..storage.database import StorageError
from ..storage.rows import Key
from ..tables.clocks import Moment
from ..tables.decide import Change
from ..tables.events import Cancelled
from ..tables.state import Table
from ..tasks import repeat
from .live_table import LiveTable
from .privacy import end_devices
from .registry import TableRegistry

log = logging.getLogger("cartagena.operator")
LOOK: Final = 1.0  # seconds between two looks for commands
BLOCKS_EVERY: Final = 5  # looks between two looks at the blocks, which another server may have changed
CLEAN_EVERY: Final = 60  # looks between two deletions of what is kept no longer
MINUTE: Final = 60_000
MAX_LINE: Final = 65_536
LONGEST: Final = 100  # bytes of a socket's name that every system takes
SECONDS: Final = 30.0  # time in which a command over the socket must be answered
Decide = Callable[[Table, Moment], Change]
Verb = Callable[[dict[str, Any]], Awaitable[dict[str, object]]]


class Operator:
    """Carries out commands. ``on_blocks`` is called with all blocked networks, and their ends, when they may differ."""

    def __init__(self, registry: TableRegistry, on_blocks: Callable[[dict[str, int]], None]) -> None:
        self.registry = registry
        self.database = registry.database
        self.on_blocks = on_blocks
        self.looks = 0
        self.turn = asyncio.Lock()
        self.verbs: dict[str, Verb] = {"close": self.close, "revoke": self.revoke, "block": self.block}

    # --- commands

    async def carry_out(self, command: Command) -> dict[str, object]:
        """The result of a command: ``done`` with a sentence, or ``error``."""
        async with self.turn:
            result = await self._try(command)
            log.warning("operator", extra={"verb": command.verb, "sender": command.sender, **result})
            try:
                await commands.answer(self.database, command, result)
            except StorageError as error:
                log.warning("a command could not be logged", extra={"why": str(error)})
        return result

    async def _try(self, command: Command) -> dict[str, object]:
        verb = self.verbs.get(command.verb)
        if verb is None:
            return {"error": f"This server does not know the command {command.verb}."}
        try:
            return await verb(command.fields())
        except (Refused, StorageError) as error:
            return {"error": str(error)}
        except (KeyError, TypeError, ValueError):
            return {"error": "The command is not complete."}
        except Exception:
            log.exception("a command of the operator failed")
            return {"error": "The server failed; the error is logged."}

    async def watch(self) -> None:
        """Look for commands in PostgreSQL, keep the blocks up to date and delete what is kept no longer, for ever."""
        await repeat(self._look, LOOK, "commands of the operator could not be looked for")

    async def _look(self) -> None:
        if self.looks % BLOCKS_EVERY == 0:
            self.on_blocks(await commands.blocks(self.database))
        if self.looks % CLEAN_EVERY == 0:
            await commands.forget_old(self.database)
        self.looks += 1
        if not self.database.is_sqlite:
            for command in await commands.take(self.database):
                await self.carry_out(command)

    # --- verbs

    async def close(self, data: dict[str, Any]) -> dict[str, object]:
        """Close a table, whatever happens there."""

        def closed(table: Table, now: Moment) -> Change:
            if table.stage == "over":
                raise Refused("over", "That table is over.")
            return Change().add(table, now, Cancelled())

        async with self.registry.lease(str(data["table"])) as live:
            await self.registry.change(live, closed)
        return {"done": f"Table {data['table']} is closed."}

    async def revoke(self, data: dict[str, Any]) -> dict[str, object]:
        """Revoke a token by its digest everywhere, or the tokens to a chair of a table. The seats stay as they are.

        It is done at all tables in one transaction. No rematch copies keys meanwhile; one that another server has
        set up meanwhile is found by a second look.
        """
        digest, chair = data.get("digest"), data.get("chair")

        async def held() -> list[str]:
            return await self.registry.tables_of(str(digest)) if digest else [str(data["table"])]

        def is_meant(key: Key) -> bool:
            return key.digest == digest if digest else key.kind == "seat" and chair in key.chairs

        def revoked(table: Table, _now: Moment) -> Change:
            return Change(revoked=[key.number for key in table.keys if not key.revoked and is_meant(key)])

        number = await self._change_all(held, revoked)
        if digest and self.registry.sharing is not None:
            number += await self._change_all(held, revoked)
        if not number:
            return {"error": "No such token holds a seat here."}
        await end_devices(self.registry, commands.now_wall() - MINUTE)  # a new one is linked in a moment
        return {"done": f"The token is revoked at {number} table{'s' * (number > 1)}."}

    async def _change_all(self, find: Callable[[], Awaitable[list[str]]], decide: Decide) -> int:
        """Change the keys of tables, all or none. Returns the number of keys that are revoked.

        ``find`` is asked again while they are held: a rematch may have been set up before.
        """
        async with self.registry.renewals, AsyncExitStack() as stack:
            tables: dict[str, LiveTable] = {}
            while others := [each for each in await find() if each not in tables]:
                for table_id in others:
                    tables[table_id] = live = await stack.enter_async_context(self.registry.lease(table_id))
                    await stack.enter_async_context(live.rematch_lock)
            changes = await self.registry.change_together(list(tables.values()), decide)
        return sum(len(change.revoked) for change in changes)

    async def block(self, data: dict[str, Any]) -> dict[str, object]:
        """Block a network for a time; a time of 0 ends the block."""
        network = str(network_named(str(data["network"])))
        minutes = int(data["minutes"])
        await commands.block(self.database, network, commands.now_wall() + minutes * 60_000)
        self.on_blocks(await commands.blocks(self.database))
        return {
            "done": f"{network} is blocked for {counted(minutes, 'minute')}."
            if minutes
            else f"{network} is not blocked."
        }


def readable(row: Any) -> str:
    """A line of the log of commands."""
    result = json.loads(row.result) if row.result else {"error": "no server has answered"}
    return f"{row.sender}  {row.verb} {row.data}  {result.get('done') or result.get('error')}"


# --- the local socket


def socket_path(database: Path) -> Path:
    """The socket of a database file."""
    return database.with_name(f"{database.name}.socket")


@asynccontextmanager
async def short_name(path: Path) -> AsyncIterator[str]:
    """A name of the socket that is short enough for the system."""
    if len(os.fsencode(path)) <= LONGEST or not sys.platform.startswith("linux"):
        yield str(path)
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)


@asynccontextmanager
async def listening(operator: Operator, path: Path) -> AsyncIterator[None]:
    """Take commands at the socket. A server that cannot listen there serves without it."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, ValueError, TypeError, TimeoutError):
            line = await asyncio.wait_for(reader.readline(), SECONDS)
            result = await operator.carry_out(Command(**json.loads(line)))
            writer.write(json.dumps(result).encode() + b"\n")
            await writer.drain()
        writer.close()

    try:
        path.unlink(missing_ok=True)
        async with short_name(path) as name:
            line = private_socket(name)
        server = await asyncio.start_unix_server(serve, sock=line, limit=MAX_LINE)
    except OSError as error:
        log.warning("commands of the operator cannot be taken", extra={"why": error.strerror})
        yield
        return
    try:
        yield
    finally:
        server.close()
        path.unlink(missing_ok=True)


def private_socket(name: str) -> socket.socket:
    """A bound socket that only its owner can open: its permissions are set before anything can connect."""
    line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        line.bind(name)
        os.chmod(name, 0o600)  # noqa: PTH101 - the name may lead through a descriptor
    except BaseException:
        line.close()
        raise
    return line  # it listens once the server has started


async def ask(path: Path, command: Command) -> dict[str, Any]:
    """The result of a command that the server of a database carries out. Raises StorageError if none answers."""
    try:
        async with short_name(path) as name, asyncio.timeout(SECONDS):
            reader, writer = await asyncio.open_unix_connection(name, limit=MAX_LINE)
            writer.write(json.dumps(asdict(command)).encode() + b"\n")
            line = await reader.readline()
            writer.close()
            result: dict[str, Any] = json.loads(line)
    except PermissionError:
        raise StorageError("Only the user who runs the server can send it commands.") from None
    except (OSError, ValueError, TimeoutError):
        raise StorageError("The server of this database does not answer; is it of this version?") from None
    return result
