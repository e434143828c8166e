"""Common parts of all groups of benchmarks: what a reading is, how a rate is taken, how names are found."""

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

ROUNDS: Final = 8
TURN: Final = "turn"
"""What a process says when it waits for its turn."""
GO: Final = "go"
"""What it is told then."""


class Reading(NamedTuple):
    """One measured value. Units of time and size are better when smaller, rates when larger."""

    value: float
    unit: str


Readings = Iterator[tuple[str, Reading]]


@dataclass(frozen=True)
class Task:
    """What a process is to measure: the checkout, and how many seconds a measurement takes."""

    side: Path
    seconds: float
    soak_seconds: float


def take_turns() -> None:
    """Let the process that measures the other side work, and wait for the next turn."""
    print(TURN, flush=True)
    sys.stdin.readline()


def rate(work: Callable[[], int], seconds: float) -> float:
    """Return how much of its work a function does per second of processor time: the best of some rounds.

    The function is called once before, so that everything is compiled and loaded. The other side's process works
    between the rounds.
    """
    work()
    best = 0.0
    for _ in range(ROUNDS):
        take_turns()
        done, spent, before = 0, 0.0, time.process_time()
        while spent < seconds / ROUNDS:
            done += work()
            spent = time.process_time() - before
        best = max(best, done / spent)
    return best


def repeated(call: Callable[[], object], number: int) -> Callable[[], int]:
    """Return a function that calls another one so many times and returns the number."""

    def work() -> int:
        for _ in range(number):
            call()
        return number

    return work


def named(*candidates: str) -> Any:
    """Return the first of several ``module:name`` that exists; internal names differ between checkouts."""
    problems = []
    for candidate in candidates:
        module, _, name = candidate.partition(":")
        try:
            return getattr(import_module(module), name)
        except (ImportError, AttributeError) as error:
            problems.append(str(error))
    raise ImportError("; ".join(problems))
