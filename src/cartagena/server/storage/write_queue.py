"""The queue of writes: one task commits the waiting writes of all tables together.

A commit for each move would be much slower.
"""

import asyncio
import logging
import time
from dataclasses import dataclass, field
from typing import Final

from ..metrics import BATCH, COMMIT
from .database import Conflict, Database, StorageError, Uncertain
from .rows import Write, collect

log = logging.getLogger("cartagena.storage")
RESOLVE_TRIES: Final = 50
RESOLVE_PAUSE: Final = 0.2
"""Seconds between two tries; all writes wait meanwhile, so it adds to the pause of every table."""
FAULT_SECONDS: Final = 60.0
"""How long a failure is reported unless a later commit succeeds."""


@dataclass(slots=True)
class Waiting:
    """Writes that are committed together or not at all, and the future of the task that waits for them."""

    writes: tuple[Write, ...]
    done: "asyncio.Future[None]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    over: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the writes are stored or have failed, even if the task that waited for them was cancelled."""

    def settle(self, error: StorageError | None) -> None:
        """Answer the waiting task unless it was cancelled."""
        self.over.set()
        if self.done.done():
            return
        if error is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(error)


class WriteQueue:
    """Commits writes in batches of at most ``most`` and answers each sender when its write is durable."""

    def __init__(self, database: Database, most: int) -> None:
        self.database = database
        self.most = max(1, most)
        self.waiting: list[Waiting] = []
        self.arrived = asyncio.Event()
        self.task: asyncio.Task[None] | None = None
        self.stopping = False
        self._fault: tuple[float, str] | None = None

    def start(self) -> None:
        """Start the task that commits."""
        self.task = asyncio.create_task(self._run(), name="write-queue")

    @property
    def fault(self) -> str | None:
        """Why the last commit failed, in one sentence, or None after a success or a minute without a failure."""
        if self.task is None or (self.task.done() and not self.stopping):
            return "The write queue is not running."
        if self._fault is None or time.monotonic() - self._fault[0] > FAULT_SECONDS:
            return None
        return self._fault[1]

    def forget_fault(self) -> None:
        """Report no failure any more: the database is there again."""
        self._fault = None

    async def write(self, write: Write) -> None:
        """Return when the write is durable. Raises StorageError if it is not and will not be."""
        await self.put(write).done

    def put(self, *writes: Write) -> Waiting:
        """Add writes of one commit. ``done`` has the result of ``write``; the commit does not need anyone to wait."""
        item = Waiting(writes)
        if self.stopping or (self.task is not None and self.task.done()):
            item.settle(StorageError("The server is stopping."))
        else:
            self.waiting.append(item)
            self.arrived.set()
        return item

    async def _run(self) -> None:
        try:
            while not self.stopping or self.waiting:
                await self.arrived.wait()
                self.arrived.clear()
                while self.waiting:
                    await asyncio.sleep(0)  # changes that are decided in the next turn of the event loop come along
                    items = self.waiting[: self.most]
                    await self._commit(items)
                    del self.waiting[: len(items)]
        finally:
            for item in self.waiting:
                item.settle(StorageError("The server is stopping."))

    async def _commit(self, items: list[Waiting]) -> None:
        """Write the items together. If one of them is at fault, write halves, so that only that one fails."""
        BATCH.observe(len(items))
        error: StorageError | None = None
        try:
            with COMMIT.time():
                await self.database.write(collect([write for item in items for write in item.writes]))
        except Uncertain as failure:
            self._note(failure, len(items))
            await self._resolve(items, failure)
            return
        except StorageError as failure:
            error = failure
        except Exception as failure:
            log.exception("a commit failed unexpectedly")
            error = Unexpected(f"The write failed: {type(failure).__name__}.")
        if len(items) > 1 and isinstance(error, Conflict | Unexpected):
            middle = len(items) // 2
            await self._commit(items[:middle])
            await self._commit(items[middle:])
            return
        self._note(error, len(items))
        for item in items:
            item.settle(error)

    async def _resolve(self, items: list[Waiting], failure: Uncertain) -> None:
        """Read back whether an uncertain commit was stored, and answer each sender accordingly."""
        for _ in range(RESOLVE_TRIES):
            try:
                stored = [await self.database.is_stored(item.writes[0]) for item in items]
            except StorageError:
                await asyncio.sleep(RESOLVE_PAUSE)
                continue
            for item, there in zip(items, stored, strict=True):
                item.settle(None if there else StorageError("The connection was lost before the change was stored."))
            return
        for item in items:
            item.settle(failure)

    def _note(self, error: StorageError | None, changes: int) -> None:
        if error is None:
            self._fault = None
            return
        if isinstance(error, Conflict):  # another server was first: the change is decided again
            log.debug("a change was contested", extra={"changes": changes})
            return
        log.warning("changes were not stored", extra={"changes": changes, "why": str(error)})
        self._fault = (time.monotonic(), str(error))

    async def stop(self) -> None:
        """Commit what is waiting and end."""
        self.stopping = True
        self.arrived.set()
        if self.task is not None:
            await asyncio.wait({self.task})


class Unexpected(StorageError):
    """A write failed for a reason other than the database, such as a value that cannot be stored."""
