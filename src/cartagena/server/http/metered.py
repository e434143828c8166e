"""A coroutine that is charged for the CPU time it uses on the event loop."""

import time
from collections.abc import Callable, Coroutine, Generator
from typing import Any


class Meter:
    """Adds up seconds."""

    seconds = 0.0

    def add(self, seconds: float) -> None:
        self.seconds += seconds


class Metered:
    """Awaits a coroutine and reports the CPU seconds of each of its steps."""

    __slots__ = ("charge", "work")

    def __init__(self, work: Coroutine[Any, Any, None], charge: Callable[[float], None]) -> None:
        self.work = work
        self.charge = charge

    def __await__(self) -> Generator[Any, Any, None]:
        work, charge, clock = self.work, self.charge, time.thread_time
        thrown: BaseException | None = None
        while True:
            began = clock()
            try:
                waits_for = work.send(None) if thrown is None else work.throw(thrown)
            except StopIteration:
                return
            finally:
                charge(clock() - began)
            try:
                yield waits_for
                thrown = None
            except BaseException as error:  # handed on to the coroutine, a cancellation for example
                thrown = error
