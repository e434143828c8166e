"""A coroutine that is charged for the CPU time it uses on the event loop."""

import random
import time
from collections.abc import Callable, Coroutine, Generator
from typing import Any, Final

SOCKET_STEPS: Final = 32  # one step of a socket in this many is measured


class Meter:
    """Adds up seconds."""

    seconds = 0.0

    def add(self, seconds: float) -> None:
        self.seconds += seconds


class Metered:
    """Awaits a coroutine and reports the CPU seconds of its steps.

    Reading the CPU clock takes longer than many steps do. A coroutine of many short steps is therefore sampled:
    one step in ``every`` on average, chosen at random, is measured and counted ``every`` times.
    """

    __slots__ = ("charge", "every", "work")

    def __init__(self, work: Coroutine[Any, Any, None], charge: Callable[[float], None], every: int = 1) -> None:
        self.work = work
        self.charge = charge
        self.every = every

    def _pause(self) -> int:
        """The number of steps until the next one that is measured."""
        return random.randrange(2 * self.every - 1)

    def __await__(self) -> Generator[Any, Any, None]:
        work, charge, every, clock = self.work, self.charge, self.every, time.thread_time
        thrown: BaseException | None = None
        pause = self._pause()
        while True:
            measured = pause == 0
            pause = self._pause() if measured else pause - 1
            began = clock() if measured else 0.0
            try:
                waits_for = work.send(None) if thrown is None else work.throw(thrown)
            except StopIteration:
                return
            finally:
                if measured:
                    charge((clock() - began) * every)
            try:
                yield waits_for
                thrown = None
            except BaseException as error:  # handed on to the coroutine, a cancellation for example
                thrown = error
