"""Counting move sequences: the sharpest comparison between two implementations of the rules."""

from cartagena.kernel import layout as at
from cartagena.kernel.legal import count, legal
from cartagena.kernel.machine import Table, Words
from cartagena.kernel.step import step

from .position import Position


def count_sequences(table: Table, state: Words, depth: int) -> int:
    """The number of move sequences of that length, chance moves counted like any other."""
    if depth == 0:
        return 1
    if depth == 1:
        return count(table, state)
    out = [0] * at.MAX_LEGAL
    number = 0
    for action in out[: legal(table, state, out)]:
        after = list(state)
        step(table, after, action)
        number += count_sequences(table, after, depth - 1)
    return number


def perft(position: Position, depth: int) -> int:
    """The number of move sequences of length ``depth`` from the position."""
    if depth < 0:
        raise ValueError("depth must be 0 or more")
    return count_sequences(position.table, position.state(), depth)
