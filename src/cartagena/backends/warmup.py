"""Compiling ahead, so that nobody waits for it later."""

from collections.abc import Callable
from typing import Any

import numpy as np

from cartagena.kernel import layout as at

from .openings import start_of

Progress = Callable[[int, int, str], Any]
"""Called with how many parts are done, how many there are, and what comes next (empty at the end)."""


def quiet(_done: int, _parts: int, _what: str) -> None:
    """Say nothing."""


def warm_rollouts() -> None:
    from .rollouts import rollouts

    rollouts("jamaica-en", 1, backend="cpu", threads=1)


def warm_batches() -> None:
    from .vector import Batch

    batch = Batch("jamaica-en", 1)
    batch.step(batch.legal().argmax(axis=1))
    batch.views()


def warm_single() -> None:
    from .cpu.loader import compiled

    single = compiled.load("backends.cpu.single")
    start = start_of("jamaica-en")
    table, state, out = np.array(start.table, np.int64), np.zeros(at.WORDS, np.int64), np.zeros(at.MAX_LEGAL, np.int64)
    single.count(table, state)
    single.legal(table, state, out)
    single.nth(table, state, 0)
    single.step(table, state, at.END)
    single.view(table, state, 0, out)


def warm_perft() -> None:
    from .cpu.counting import perft

    class Empty:
        table = start_of("jamaica-en").table
        words = (0,) * at.WORDS

    perft(Empty(), 1)


PARTS: list[tuple[str, Callable[[], None]]] = [
    ("rollouts", warm_rollouts),
    ("single games", warm_single),
    ("batches", warm_batches),
    ("counting", warm_perft),
]
"""What is compiled, in order; other rooms add their own with ``also``."""


def also(name: str, work: Callable[[], None]) -> None:
    """Let ``warmup`` compile something more."""
    if all(known != name for known, _ in PARTS):
        PARTS.append((name, work))


def warmup(progress: Progress = quiet) -> None:
    """Compile what can be compiled ahead and keep it on disk; quick when it is there already."""
    for done, (name, work) in enumerate(PARTS):
        progress(done, len(PARTS), name)
        work()
    progress(len(PARTS), len(PARTS), "")
