"""The local socket through which ``cartagena db`` asks the server of a SQLite database. Only its owner can open it.

One JSON object a line in, one out. The socket is beside the database file; a name that is too long for the system is
reached through its folder.
"""

import asyncio
import json
import logging
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from ..storage.commands import Command
from ..storage.database import StorageError
from .operator import Operator

log = logging.getLogger("cartagena.operator")
MAX_LINE: Final = 65_536
LONGEST: Final = 100  # bytes of a name that every system takes
SECONDS: Final = 30.0  # time in which a command must be answered


def socket_path(database: Path) -> Path:
    """The socket of a database file."""
    return database.with_name(f"{database.name}.socket")


@asynccontextmanager
async def short_name(path: Path) -> AsyncIterator[str]:
    """A name of the socket that is short enough for the system."""
    if len(os.fsencode(path)) <= LONGEST:
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

    path.unlink(missing_ok=True)
    try:
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
