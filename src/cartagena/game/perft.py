"""Perft: counting move sequences, the sharpest comparison between two implementations of the rules."""

from typing import Final

from cartagena.errors import CartagenaError, TooMuchWork, shown, whole
from cartagena.kernel import layout as at
from cartagena.kernel.intrinsics import RuleTable
from cartagena.kernel.legal import count, legal
from cartagena.kernel.step import step

from .game import Game
from .position import Position, as_position, require_choice

DEEPEST: Final = 200


class Budget:
    """The number of positions that may still be looked at."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.left = limit

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise TooMuchWork(f"counting that far takes more than {self.limit} positions")


def count_sequences(rules: RuleTable, state: list[int], depth: int, budget: Budget | None = None) -> int:
    """Count the move sequences of that length. Dealt cards count like any other move."""
    if depth == 0:
        return 1
    if budget is not None:
        budget.spend()
    require_choice(state)
    if depth == 1:
        return count(rules, state)
    out = [0] * at.MAX_LEGAL
    number = 0
    for action in out[: legal(rules, state, out)]:
        after = list(state)
        step(rules, after, action)
        number += count_sequences(rules, after, depth - 1, budget)
    return number


def counting_number(name: str, value: object) -> int:
    """A whole number from 0. Raises CartagenaError for anything else."""
    number = whole(value)
    if number is None or number < 0:
        raise CartagenaError(f"{name} must be a whole number from 0, not {shown(value)}")
    return number


def perft(start: Game | Position | str, depth: int, limit: int | None = None) -> int:
    """Count the move sequences of length ``depth``, dealt cards included.

    Args:
        start: A game, a position, or the text of a position.
        depth: How many moves each sequence has, 0 or more.
        limit: The most positions to look at. By default there is no limit.

    Raises:
        TooMuchWork: If more than ``limit`` positions would have to be looked at.
        IllegalMove: If a view hides a hand that the sequences depend on.

    >>> perft(Game.new("tortuga-en", seats=3, seed=7), 3)
    268
    """
    depth, most = counting_number("depth", depth), None if limit is None else counting_number("limit", limit)
    if depth > DEEPEST:
        raise CartagenaError(f"depth must be at most {DEEPEST}: longer sequences are beyond counting")
    position = start.position if isinstance(start, Game) else as_position(start)
    budget = None if most is None else Budget(most)
    return count_sequences(position.table, position.state(), depth, budget)
