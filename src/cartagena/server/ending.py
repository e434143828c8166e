"""The end of tasks that wait for Redis."""

import asyncio
from typing import Any, Final

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
