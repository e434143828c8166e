"""Split a game into luck and decisions by one fixed evaluation of the complete record.

The value V of a position is the evaluation of all cards, hidden ones too; it is the same for every seat and depends on
the position only. The luck of a card is V after it, less the mean of V over all cards that could have come, weighted by
their exact probabilities. So luck has mean 0 however rough V is. What remains between two decisions is the share of the
first one, so that all shares add up to the result.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from cartagena.errors import StudyError
from cartagena.game import Move, Outcome, Position, Record
from cartagena.kernel.layout import MAX_SEATS
from cartagena.players.compiled.evaluation import SCRATCH, look
from cartagena.players.compiled.features import SIZE
from cartagena.players.weights import TUNED, weights_for

Values: TypeAlias = tuple[float, ...]
"""A number for each seat."""


RESIGNED: Final = re.compile(r"resigned, seat ([1-5]) wins")
"""The tag ``Termination`` of a game that ended by resignation."""
FEW: Final = 2
"""V is a mean over the due cards up to this number of them; a whole row has too many orders."""


@dataclass(frozen=True)
class Draw:
    """One dealt card: the number of its move in the record, the seat whose turn it was, and what it changed.

    >>> from cartagena import Limit, Record
    >>> from cartagena.study import review
    >>> record = Record.parse("jamaica-en BDHKPS 4,b/2,2 B/H2 - B16D17H15K17P17S17 - - 1.0\\nb< +H 4:B 4:H")
    >>> [(draw.number, str(draw.move)) for draw in review(record, Limit(nodes=20)).draws]
    [(2, '+H')]
    """

    number: int
    seat: int
    move: Move
    luck: Values
    """The change of V for each seat against the mean of all cards that could have come."""


@dataclass(frozen=True)
class Split:
    """A record as a sum: opening + all draws + all choices + ending = result - an equal share for each seat."""

    opening: Values
    """What the opening deal and the order of play were worth, against an equal share for each seat."""
    draws: tuple[Draw, ...]
    choices: dict[int, Values]
    """What each decision changed, by the number of its move in the record."""
    ending: Values
    """What was given away by resigning: 0 in a game that was played to its end."""
    course: tuple[Values, ...]
    """V of every position of the record."""


class Valuation:
    """V for the positions of one game, each computed once."""

    def __init__(self, opening: Position) -> None:
        self.weights = weights_for(opening, TUNED)
        self.table: Any = np.array(opening.table, np.int64)
        self.known: dict[tuple[int, ...], Values] = {}

    def __call__(self, position: Position) -> Values:
        """Return V of a position: where one or two cards are due, the mean over them."""
        key = position.words
        if key not in self.known:
            self.known[key] = self.mean(position) if self.looks_ahead(position) else self.look(position)
        return self.known[key]

    def looks_ahead(self, position: Position) -> bool:
        """Return whether V of a position is the mean over the cards that are due."""
        return position.is_chance and position.owed + position.row_due <= FEW

    def mean(self, position: Position) -> Values:
        """Return the mean of V after each card that may be dealt."""
        chances = position.chances()
        whole = sum(chances.values())
        parts = [(number / whole, self(self.after(position, card))) for card, number in chances.items()]
        return tuple(sum(share * values[seat] for share, values in parts) for seat in range(position.seats))

    def after(self, position: Position, card: str) -> Position:
        """Return the position after a card that may be dealt."""
        return position.play(f"+{card}")

    def look(self, position: Position) -> Values:
        """Return the evaluation of a position, or the result of a game that is over."""
        outcome = position.outcome()
        if outcome is not None:
            return outcome.shares(position.seats)
        features, values = np.zeros(MAX_SEATS * SIZE), np.zeros(MAX_SEATS)
        look(self.table, np.array(position.words, np.int64), features, values, self.weights, np.zeros(SCRATCH))
        return tuple(float(value) for value in values[: position.seats])


def split(record: Record, valuation: Valuation | None = None) -> Split:
    """Split a record into the opening deal, the luck of each card, and the share of each decision."""
    moves = [entry.move for entry in record.moves]
    return split_course(list(record.positions()), moves, result_of(record), valuation or Valuation(record.opening))


def split_course(positions: Sequence[Position], moves: Sequence[Move], result: Values, worth: Valuation) -> Split:
    """Split the course of a game. A dealt card that is not shown (``+?``) has no luck of its own."""
    course = tuple(map(worth, positions))
    fair = 1.0 / positions[0].seats
    opening = tuple(value - fair for value in course[0])
    draws: list[Draw] = []
    choices: dict[int, Values] = {}
    decided = 0
    for number, move in enumerate(moves, 1):
        position, rest = positions[number - 1], minus(course[number], course[number - 1])
        if not position.is_chance:
            decided = number
        elif not move.is_hidden:
            luck = minus(course[number], worth.mean(position))
            draws.append(Draw(number, position.active, move, luck))
            rest = minus(rest, luck)
        if decided:
            choices[decided] = plus(choices.get(decided, (0.0,) * position.seats), rest)
        else:
            opening = plus(opening, rest)
    return Split(opening, tuple(draws), choices, minus(result, course[-1]), course)


def result_of(record: Record) -> Values:
    """Return what the result of a finished record is worth to each seat. Raises StudyError for other records."""
    outcome, seats = record.final.outcome(), record.final.seats
    found = RESIGNED.fullmatch(record.tags.get("Termination", ""))
    if outcome is None and found and int(found[1]) <= seats:
        outcome = Outcome(int(found[1]))
    if outcome is None:
        raise StudyError("The game of this record is not over; only a finished game can be reviewed.")
    return outcome.shares(seats)


def plus(left: Values, right: Values) -> Values:
    """Add two values seat by seat."""
    return tuple(a + b for a, b in zip(left, right, strict=True))


def minus(left: Values, right: Values) -> Values:
    """Subtract two values seat by seat."""
    return tuple(a - b for a, b in zip(left, right, strict=True))
