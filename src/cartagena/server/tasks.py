"""Tasks: those that run to their end whatever becomes of their caller, and how tasks are ended."""

import asyncio
import logging
from collections.abc import Awaitable
from typing import Any, Final, TypeVar

from .protocol.errors import Refused
from .storage.database import StorageError

log = logging.getLogger("cartagena.tables")
T = TypeVar("T")

AGAIN: Final = 2.0  # seconds before a task that goes on is cancelled again


async def cancel_all(*tasks: "asyncio.Task[Any]") -> None:
    """Cancel tasks until they have ended, whatever their error is.

    One cancellation is not enough: the client of Redis drops one that arrives together with an answer.
    """
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=AGAIN)
    await asyncio.gather(*tasks, return_exceptions=True)  # retrieve errors so that asyncio does not log them


async def end_tasks(*tasks: "asyncio.Task[Any]") -> None:
    """Cancel tasks until they have ended. Raises the error of one that failed."""
    await cancel_all(*tasks)
    for task in tasks:
        if not task.cancelled() and (error := task.exception()) is not None:
            raise error


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
