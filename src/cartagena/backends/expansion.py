"""The successors of many states at once, compiled: for solving and for counting."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from cartagena.kernel import layout as at

ROOM: Final = 1 << 16
"""Successors that there is room for at a time."""


class Expansion(NamedTuple):
    """The successors of some states.

    ``states`` has a row for each; ``origins`` says which of the given states it comes from, by which of the
    ``actions``. ``weights`` are those of dealt cards, 0 for other moves. ``choosers`` are the seats (from 0) that must
    choose then, -1 where a card is due or the game is over; ``results`` are as in ``layout.OVER``. ``keys`` are hashes
    of the rows (``portable.state_key``).
    """

    states: Any
    origins: Any
    actions: Any
    weights: Any
    choosers: Any
    results: Any
    keys: Any


def expand(table: Any, states: Any, room: int = ROOM) -> Iterator[Expansion]:
    """The successors of states (rows of words), in parts that follow the order of the states."""
    from .cpu.loader import compiled

    module = compiled.load("backends.cpu.successors")
    room = max(room, 2 * at.MAX_LEGAL)
    after, keys = np.zeros((room, at.WORDS), np.int64), np.zeros(room, np.uint64)
    numbers = np.zeros(room * module.COLUMNS + 1, np.int64)
    rules, given = np.array(table, np.int64), np.ascontiguousarray(states, np.int64)
    first = 0
    while first < len(given):
        size = int(module.expand(rules, given[first:], after, numbers, keys))
        told = numbers[: size * module.COLUMNS].reshape(size, module.COLUMNS).T.copy()
        origins, actions, weights, choosers, results = told
        states = after[:size].copy()
        yield Expansion(states, origins + first, actions, weights, choosers, results, keys[:size].copy())
        first += int(numbers[-1])
