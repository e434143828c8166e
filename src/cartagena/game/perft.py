"""Counting move sequences: the sharpest comparison between two implementations of the rules."""

from cartagena.errors import TooMuchWork
from cartagena.kernel import layout as at
from cartagena.kernel.intrinsics import RuleTable, Words
from cartagena.kernel.legal import count, legal
from cartagena.kernel.step import step

from .position import Position, require_choice


class Budget:
    """How many positions may still be looked at."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.left = limit

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise TooMuchWork(f"counting that far takes more than {self.limit} positions")


def count_sequences(table: RuleTable, state: Words, depth: int, budget: Budget | None = None) -> int:
    """The number of move sequences of that length, chance moves counted like any other."""
    if depth == 0:
        return 1
    if budget is not None:
        budget.spend()
    require_choice(state)
    if depth == 1:
        return count(table, state)
    out = [0] * at.MAX_LEGAL
    number = 0
    for action in out[: legal(table, state, out)]:
        after = list(state)
        step(table, after, action)
        number += count_sequences(table, after, depth - 1, budget)
    return number


def perft(position: Position, depth: int, limit: int | None = None) -> int:
    """The number of move sequences of length ``depth`` from the position.

    Raises TooMuchWork once more than ``limit`` positions would have to be looked at, and IllegalMove where a view
    hides a hand that the sequences depend on.
    """
    if depth < 0:
        raise ValueError("depth must be 0 or more")
    budget = None if limit is None else Budget(limit)
    return count_sequences(position.table, position.state(), depth, budget)
