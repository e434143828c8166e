"""Tasks of the event loop: those that run to their end whatever becomes of their caller, how tasks are ended, turns
that many owners share, and work that waits until the event loop has little to do."""

import asyncio
import heapq
import itertools
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final, TypeVar

from .addresses import shares, widest
from .protocol.errors import Refused
from .storage.database import StorageError

log = logging.getLogger("cartagena.tables")
T = TypeVar("T")

AGAIN: Final = 2.0  # seconds before a task that goes on is cancelled again
SHORT_TURN: Final = 0.001  # seconds of work in a turn of the event loop that has little to do
LONGEST_WAIT: Final = 0.02  # seconds that the first of those who wait for such a turn waits at most


def ignore(*_given: object) -> None:
    """No-op default callback."""


async def cancel_all(*tasks: "asyncio.Task[object]") -> None:
    """Cancel tasks until they have ended, whatever their error is.

    One cancellation is not enough: the client of Redis drops one that arrives together with an answer.
    """
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=AGAIN)
    await asyncio.gather(*tasks, return_exceptions=True)  # retrieve errors so that asyncio does not log them


async def end_tasks(*tasks: "asyncio.Task[object]") -> None:
    """Cancel tasks until they have ended. Raises the error of one that failed."""
    await cancel_all(*tasks)
    for task in tasks:
        if not task.cancelled() and (error := task.exception()) is not None:
            raise error


async def repeat(work: Callable[[], Awaitable[None]], pause: float, failure: str) -> None:
    """Do some work again and again, for ever. ``failure`` is logged when it fails."""
    while True:
        try:
            await work()
        except StorageError as error:
            log.warning(failure, extra={"why": str(error)})
        except Exception:
            log.exception(failure)
        await asyncio.sleep(pause)


class Tasks:
    """The tasks in progress. One that fails is logged."""

    def __init__(self) -> None:
        self.running: set[asyncio.Task[object]] = set()

    def spawn(self, work: Awaitable[T]) -> "asyncio.Task[T]":
        """Start a task."""
        task = asyncio.ensure_future(work)
        self.running.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: "asyncio.Task[object]") -> None:
        self.running.discard(task)
        if not task.cancelled() and (error := task.exception()) and not isinstance(error, Refused | StorageError):
            log.error("a task failed", exc_info=error)

    async def finish(self, seconds: float) -> None:
        """Let all tasks end; cancel those that take longer."""
        tasks = set(self.running)
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=seconds)
            await cancel_all(*late)


class Lull:
    """Lets work begin when the event loop has little to do, one after another: messages of people are answered first.

    Only the time of the processor counts, so a busy machine does not look like a busy event loop.
    """

    def __init__(self) -> None:
        self.line = asyncio.Lock()

    async def wait(self) -> None:
        """Wait for two short turns of the event loop: what the first one read from the sockets begins in the second.

        The first in the line waits ``LONGEST_WAIT`` seconds at most.
        """
        async with self.line:
            end, short = time.monotonic() + LONGEST_WAIT, 0
            while short < 2 and time.monotonic() < end:
                short = short + 1 if await turn_work() < SHORT_TURN else 0


async def turn_work() -> float:
    """Let the event loop make one turn. Returns the seconds of processor time that it took."""
    began = time.thread_time()
    await asyncio.sleep(0)
    return time.thread_time() - began


class QueueFull(Exception):
    """Too many wait already, or too many of this owner or of its network."""


Owners = tuple[str, ...]
"""The addresses that a turn is for, or any other name where no address is known."""


Line = tuple[int, Owners]
"""Those of one rank whose turns are for the same owners wait in one line."""


@dataclass(eq=False)
class Ticket:
    """A request that waits in the queue."""

    owners: Owners
    rank: int
    number: int
    called: "asyncio.Future[None]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class FairQueue:
    """Turns for work. An owner with many requests delays its own, not those of others.

    A turn is charged to all its owners and to their networks, which may have more turns than one owner. Its place in
    the queue is that of the owner who was charged least. So sharing work with a busy owner makes no wait longer, and
    adding an owner brings no more turns.

    Where all places are taken, the network for which most wait gives one up to a network with fewer.

    Charges are times of a clock that stands where the last turn was due, so that no one is charged for turns that no
    other owner waited for.
    """

    def __init__(self, turns: int, most: int = 10**9, per_owner: int = 10**9) -> None:
        self.turns = self.free = turns
        self.most, self.per_owner = most, per_owner
        self.waiting: dict[Ticket, None] = {}
        """All who wait, the first first."""
        self.lines: dict[Line, dict[Ticket, None]] = {}
        """The same by rank and owners. A line that became empty stays until its place in ``order`` is reached."""
        self.order: list[tuple[int, float, int, Line]] = []
        """A heap with one place for each line: when it was due when it was last looked at. It is never due sooner."""
        self.asked: Counter[str] = Counter()
        """The turns that each owner waits for."""
        self.clock = 0.0
        self.charged: dict[str, float] = {}
        """For each owner and network, when its next turn is due."""
        self.numbers = itertools.count(1)

    @asynccontextmanager
    async def turn(self, owners: Owners, rank: int = 0) -> AsyncIterator[None]:
        """Wait for a turn and hold it. Raises QueueFull."""
        await self._take(owners, rank)
        try:
            yield
        finally:
            self._give_back()

    async def _take(self, owners: Owners, rank: int) -> None:
        if self.free > 0 and not self.waiting:
            self._serve(owners)
            return
        if any(self.asked[owner] >= self.per_owner for owner in owners):
            raise QueueFull
        if len(self.waiting) >= self.most:
            self._make_room(owners)
        ticket = Ticket(owners, rank, next(self.numbers))
        self._enter(ticket)
        try:
            await ticket.called
        except BaseException:
            if ticket in self.waiting:
                self._leave(ticket)
            elif ticket.called.done() and not ticket.called.cancelled() and ticket.called.exception() is None:
                self._give_back()
            raise

    def _make_room(self, owners: Owners) -> None:
        """Send the last one of the network away for which most wait. Raises QueueFull if the newcomer's has as many."""
        networks = {ticket: {widest(owner) for owner in ticket.owners} for ticket in self.waiting}
        held = Counter(network for each in networks.values() for network in each)
        [(holder, most)] = held.most_common(1) or [("", 0)]
        if max((held[widest(owner)] for owner in owners), default=0) + 1 >= most:
            raise QueueFull
        ticket = next(each for each in reversed(self.waiting) if holder in networks[each])
        self._leave(ticket)
        if not ticket.called.done():
            ticket.called.set_exception(QueueFull())

    def _enter(self, ticket: Ticket) -> None:
        self.waiting[ticket] = None
        self.asked.update(set(ticket.owners))
        line = ticket.rank, ticket.owners
        if line not in self.lines:
            self.lines[line] = {}
            heapq.heappush(self.order, (ticket.rank, self._due(ticket.owners), ticket.number, line))
        self.lines[line][ticket] = None

    def _leave(self, ticket: Ticket) -> None:
        del self.waiting[ticket], self.lines[ticket.rank, ticket.owners][ticket]
        for owner in set(ticket.owners):
            self.asked[owner] -= 1
            if not self.asked[owner]:
                del self.asked[owner]

    def _due(self, owners: Owners) -> float:
        """When a turn is due: for each owner when its most charged network allows it, and of these the earliest."""
        return min(
            (max(self.charged.get(share.key, self.clock) for share in shares(owner)) for owner in owners),
            default=self.clock,
        )

    def _serve(self, owners: Owners) -> None:
        self.free -= 1
        self.clock = max(self.clock, self._due(owners))
        for key, visitors in {share for owner in owners for share in shares(owner)}:
            self.charged[key] = max(self.charged.get(key, 0.0), self.clock) + 1 / visitors

    def resize(self, turns: int) -> None:
        """Change the number of turns. Turns that are held stay held, and fewer are given until enough came back."""
        self.free += turns - self.turns
        self.turns = turns
        self._call()

    def _give_back(self) -> None:
        self.free += 1
        self._call()
        self.charged = {key: due for key, due in self.charged.items() if due > self.clock}
        if self.free == self.turns and not self.waiting:
            self.charged, self.lines, self.order = {}, {}, []

    def _call(self) -> None:
        """Give the free turns to the waiting tickets, in order."""
        while self.free > 0 and self.waiting:
            ticket = self._next()
            self._leave(ticket)
            if not ticket.called.done():
                self._serve(ticket.owners)
                ticket.called.set_result(None)

    def _next(self) -> Ticket:
        """Of the lowest rank the first one of the line that is due first. Lines that are due later by now move back."""
        while True:
            rank, due, number, line = self.order[0]
            if not self.lines[line]:
                del self.lines[heapq.heappop(self.order)[-1]]
                continue
            ticket = next(iter(self.lines[line]))
            place = rank, max(self._due(ticket.owners), self.clock), ticket.number, line
            if place == (rank, due, number, line):
                return ticket
            heapq.heapreplace(self.order, place)
