"""The functions that play spends its time in, one by one: nanoseconds per call, and rates of counting and batches.

The compiled functions of the kernel are called on positions of random games in loops that are compiled too; the cost
of the loop itself is taken off. They need internal names, so they come last.
"""

import math
from collections.abc import Callable
from functools import partial
from time import process_time_ns
from typing import Any, Final

import numpy as np
from bench.versus.readings import ROUNDS, Reading, Readings, Task, named, rate, repeated, take_turns

from cartagena import Position
from cartagena import perft as plain_perft
from cartagena.backends import Batch, perft

POSITIONS: Final = 4096
CALLS: Final = 5
Loop = Callable[..., int]
Times = dict[Loop, float]
"""The best nanoseconds of one round of each loop."""
GAMES: Final = ("jamaica-en", "tortuga-en", "nest-nl")
TEXT: Final = (
    "tortuga-en BPHSDK/DBKPHS/PKDHSB/HKPBSD/KBSDHP/HDKBPS s,6,6,17,18,b/s,8,17,17,22,30/s,5,9,12,26,34 "
    "BD4H/BHKP/BHKPS BDDHKSPBH B6D5H6K6P6S7 B6D6H6K8P8S8 - 1.0"
)


def measure(task: Task) -> Readings:
    """Measure the public functions, then the compiled ones."""
    yield from plain_functions(task.seconds / 2)
    yield from counting(task.seconds)
    yield from batches(task.seconds)
    yield from kernel_functions(task.seconds)


def nanoseconds(call: Callable[[], object], seconds: float, number: int) -> Reading:
    """Measure one call from Python."""
    return Reading(1e9 / rate(repeated(call, number), seconds), "ns")


def plain_functions(seconds: float) -> Readings:
    """Measure the functions of a position, in plain Python."""
    position = Position.parse(TEXT)
    move = str(position.legal_moves[0])
    calls: dict[str, Callable[[], object]] = {
        "Position.parse": lambda: Position.parse(TEXT),
        "str of a position": lambda: str(position),
        "Position.legal_moves": lambda: list(position.legal_moves),
        "Position.play": lambda: position.play(move),
        "Position.view": lambda: position.view(2),
        "Position.svg": position.svg,
    }
    for name, call in calls.items():
        yield f"plain: {name}", nanoseconds(call, seconds, 20)


def counting(seconds: float) -> Readings:
    """Measure the counting of move sequences."""
    position = Position.parse(TEXT)
    yield "perft, plain", Reading(rate(lambda: plain_perft(position, 2), seconds), "sequences/s")
    yield "perft, compiled", Reading(rate(lambda: perft(position, 5), seconds), "sequences/s")


def batches(seconds: float) -> Readings:
    """Measure many games side by side: choosing and stepping, masks, views."""
    for rules in GAMES:
        batch = Batch(rules, POSITIONS, seed=3, backend="cpu", threads=1)
        for _ in range(20):
            sample_and_step(batch)
        calls: dict[str, Callable[[], object]] = {
            "legal": batch.legal,
            "views": batch.views,
            "sample, step and reset": partial(sample_and_step, batch),
        }
        for name, call in calls.items():
            reading = nanoseconds(call, seconds / 2, 1)
            yield f"batch: {name}, {rules}", Reading(reading.value / POSITIONS, "ns")


def sample_and_step(batch: Batch) -> None:
    """Play one random action in every game; those that are over start anew."""
    batch.step(batch.sample(), check=False)
    batch.reset(batch.states[:, named("cartagena.kernel.layout:OVER")] != 0)


def kernel_functions(seconds: float) -> Readings:
    """Measure the compiled functions of the kernel."""
    from bench.versus import kernel_loops

    for rules in GAMES:
        given = positions(rules)
        times: Times = {}
        for loop, base in kernel_loops.LOOPS.values():
            note_times(times, (loop, base), given, seconds / 4)
        for name, (loop, base) in kernel_loops.LOOPS.items():
            yield f"kernel: {name}, {rules}", Reading(max(times[loop] - times[base], 0.01), "ns")


def positions(rules: str) -> tuple[Any, ...]:
    """Return positions of random games, with a legal action for each, as the loops take them."""
    over, most = named("cartagena.kernel.layout:OVER"), named("cartagena.kernel.layout:MAX_LEGAL")
    batch = Batch(rules, POSITIONS, seed=3, backend="cpu", threads=1)
    for turn in range(60):
        moving = np.arange(POSITIONS) % 60 >= turn  # so that every stage of a game is there
        batch.step(np.where(moving, batch.sample(), -1))
        batch.reset(batch.states[:, over] != 0)
    return np.array(batch.table, np.int64), batch.states, batch.sample(), np.zeros(most, np.int64)


def call_time(loop: Loop, given: tuple[Any, ...]) -> float:
    """Return the nanoseconds of one round of a loop."""
    before = process_time_ns()
    for _ in range(CALLS):
        loop(*given, POSITIONS)
    return (process_time_ns() - before) / CALLS / POSITIONS


def note_times(times: Times, loops: tuple[Loop, Loop], given: tuple[Any, ...], seconds: float) -> None:
    """Measure two loops in turns for so long, and keep the best times."""
    for loop in loops:
        loop(*given, 1)
    for _ in range(ROUNDS):
        take_turns()
        end = process_time_ns() + seconds * 1e9 / ROUNDS
        while process_time_ns() < end:
            for loop in loops:
                times[loop] = min(times.get(loop, math.inf), call_time(loop, given))
