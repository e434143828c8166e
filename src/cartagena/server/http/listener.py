"""Listening for connections: few are accepted in one turn of the event loop, and unwelcome ones cost next to nothing.

The event loops' own servers accept all that wait at once and build a transport and a protocol for each, before the gate
is asked. Thousands of refused connections then hold up the moves of others. Here the gate is asked first.
"""

import asyncio
import errno
import logging
import random
import socket
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from ..addresses import address_key
from .gate import SAMPLED, Gate

log = logging.getLogger("cartagena.server")
AT_ONCE: Final = 64  # connections that are accepted in one turn of the event loop
AT_END: Final = 2048  # connections that are accepted before the listener closes
BUILDING: Final = 0.0005  # seconds that it is expected to take to build a connection and to read its first bytes
PAUSE: Final = 0.2  # seconds without accepting after the system had no room for another connection
NO_ROOM: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
ABORT: Final = struct.pack("ii", 1, 0)  # close at once, without a farewell that the other side must answer


async def bound_sockets(host: str, port: int, backlog: int) -> list[socket.socket]:
    """Sockets that listen on all addresses of a host. Raises OSError if one cannot be used."""
    loop = asyncio.get_running_loop()
    entries = await loop.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    sockets: list[socket.socket] = []
    try:
        for family, kind, protocol, _, address in dict.fromkeys(entries):
            sockets.append(listening := socket.socket(family, kind, protocol))
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            listening.bind(address)
            listening.listen(backlog)
            listening.setblocking(False)
    except OSError:
        for each in sockets:
            each.close()
        raise
    return sockets


class Listener:
    """Accepts connections at some sockets, with the interface of asyncio's servers that uvicorn uses."""

    def __init__(self, sockets: list[socket.socket], gate: Gate, protocol: Callable[[], asyncio.Protocol]) -> None:
        self.sockets = sockets
        self.gate = gate
        self.protocol = protocol
        self.loop = asyncio.get_running_loop()
        self.tasks: set[asyncio.Task[object]] = set()
        self.is_closed = False
        for each in sockets:
            self._watch(each)

    def _watch(self, listening: socket.socket) -> None:
        if not self.is_closed:
            self.loop.add_reader(listening.fileno(), self._accept, listening)

    def _accept(self, listening: socket.socket, most: int = AT_ONCE) -> None:
        """Accept a few of the connections that wait; the event loop calls again for the others."""
        for _ in range(most):
            try:
                connection, address = listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                self._rest(listening, error)
                return
            if self.gate.knock(str(address[0])):
                self._serve(connection, str(address[0]))
            else:
                refuse(connection)

    def _serve(self, connection: socket.socket, host: str) -> None:
        """Let a protocol take over a connection, and charge its visitor for the time of one in ``SAMPLED``."""
        began = time.thread_time() if random.random() < 1 / SAMPLED else 0.0
        task = self.loop.create_task(self._take_over(connection, host))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        if began:
            self.gate.visitor(host).charge((time.thread_time() - began) * SAMPLED)

    async def _take_over(self, connection: socket.socket, host: str) -> None:
        """Build a connection when its network has its turn."""
        await self.gate.turns.take(address_key(host), BUILDING)
        try:
            await self.loop.connect_accepted_socket(self.protocol, connection)
        except OSError:  # the client is gone
            connection.close()

    def _rest(self, listening: socket.socket, error: OSError) -> None:
        """Stop accepting for a moment where the system has no room; other errors belong to one connection."""
        if error.errno not in NO_ROOM:
            return
        log.warning("no connection can be accepted", extra={"why": error.strerror})
        self.loop.remove_reader(listening.fileno())
        self.loop.call_later(PAUSE, self._watch, listening)

    def close(self) -> None:
        """Stop listening. Connections that are open stay, and those that wait are accepted first."""
        if not self.is_closed:
            self.is_closed = True
            for each in self.sockets:
                self.loop.remove_reader(each.fileno())
                self._accept(each, AT_END)
                each.close()

    async def wait_closed(self) -> None:
        """Wait for connections that are being taken over."""
        await asyncio.gather(*self.tasks, return_exceptions=True)


def refuse(connection: socket.socket) -> None:
    """Close a connection at once."""
    with suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, ABORT)
    connection.close()
