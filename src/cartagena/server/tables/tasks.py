"""Tasks that run to their end even if what started them is cancelled."""

import asyncio
import logging
from collections.abc import Awaitable
from typing import Any, TypeVar

from ..ending import cancel_all
from ..protocol.errors import Refused
from ..storage.database import StorageError

log = logging.getLogger("cartagena.tables")
T = TypeVar("T")


class Tasks:
    """The tasks in progress. One that fails is logged."""

    def __init__(self) -> None:
        self.running: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Awaitable[T]) -> "asyncio.Task[T]":
        """Start a task."""
        task = asyncio.ensure_future(work)
        self.running.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: "asyncio.Task[Any]") -> None:
        self.running.discard(task)
        if not task.cancelled() and (error := task.exception()) and not isinstance(error, Refused | StorageError):
            log.error("a task failed", exc_info=error)

    async def finish(self, seconds: float) -> None:
        """Let all tasks end; cancel those that take longer."""
        tasks = set(self.running)
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=seconds)
            await cancel_all(*late)
