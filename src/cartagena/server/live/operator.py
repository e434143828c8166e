"""What an operator may do to a running server: close a table, revoke a token, block a network, see what was done.

A command comes from ``cartagena db`` through the database or a local socket. Every verb is a coroutine that gets the
data of the command and returns what is to be shown. A refusal is a result too. All commands are logged.
"""

import asyncio
import ipaddress
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

from ..protocol.errors import Refused
from ..storage import commands
from ..storage.commands import Command, now_wall
from ..storage.database import StorageError
from ..storage.rows import Key
from ..tables.clocks import Moment
from ..tables.decide import Change
from ..tables.events import Cancelled
from ..tables.state import Table
from ..tasks import repeat
from .registry import TableRegistry

log = logging.getLogger("cartagena.operator")
LOOK: Final = 1.0  # seconds between two looks for commands
BLOCKS_EVERY: Final = 5  # looks between two looks at the blocks, which another server may have changed
CLEAN_EVERY: Final = 60  # looks between two deletions of what is kept no longer
Verb = Callable[[dict[str, Any]], Awaitable[dict[str, object]]]


class Operator:
    """Carries out commands. ``on_blocks`` is given all blocked networks with their ends whenever they may differ."""

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
        """Revoke a token by its digest everywhere, or the tokens to a chair of a table. The seats stay as they are."""
        digest, chair = data.get("digest"), data.get("chair")
        held = await self.registry.tables_of(str(digest)) if digest else [str(data["table"])]

        def is_meant(key: Key) -> bool:
            return key.digest == digest if digest else key.kind == "seat" and chair in key.chairs

        def revoked(table: Table, _now: Moment) -> Change:
            return Change(revoked=[key.number for key in table.keys if not key.revoked and is_meant(key)])

        number = 0
        for table_id in held:
            async with self.registry.lease(table_id) as live:
                number += len((await self.registry.change(live, revoked)).revoked)
        if not number:
            return {"error": "No such token holds a seat here."}
        return {"done": f"The token is revoked at {number} table{'s' * (number > 1)}."}

    async def block(self, data: dict[str, Any]) -> dict[str, object]:
        """Block a network for a time; a time of 0 ends the block."""
        network = str(ipaddress.ip_network(str(data["network"]), strict=False))
        minutes = int(data["minutes"])
        await commands.block(self.database, network, now_wall() + minutes * 60_000)
        self.on_blocks(await commands.blocks(self.database))
        return {"done": f"{network} is blocked for {minutes} minutes." if minutes else f"{network} is not blocked."}


def readable(row: Any) -> str:
    """A line of the log of commands."""
    result = json.loads(row.result) if row.result else {"error": "no server has answered"}
    return f"{row.sender}  {row.verb} {row.data}  {result.get('done') or result.get('error')}"
