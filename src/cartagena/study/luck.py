"""Split a game into luck and decisions by one fixed evaluation of the complete record.

The value V of a position is the evaluation of all cards, hidden ones too; it is the same for every seat and depends on
the position only. The luck of a card is V after it, less the mean of V over all cards that could have come, weighted by
their exact probabilities. So luck has mean 0 however rough V is. What remains between two decisions is the share of the
first one, so that all shares add up to the result.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cartagena.errors import StudyError, shown, whole
from cartagena.game import Move, Outcome, Position, Record
from cartagena.players.compiled.valuation import TOTALS
from cartagena.players.luck import Values, valued

RESIGNED: Final = re.compile(r"resigned, seat ([1-5]) wins")
"""The tag ``Termination`` of a game that ended by resignation."""


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
    luck: Values
    """What all dealt cards together changed."""
    decisions: Values
    """What all decisions together changed."""
    turning: tuple[tuple[int, float], ...]
    """For each seat the number of the move after which V had changed most, or 0 for none, and that change."""


def split(record: Record, seat: int = 0) -> Split:
    """Split a record into the opening deal, the luck of each card, and the share of each decision.

    With a seat, V is that of its views, and a dealt card that the seat was not shown has no luck of its own.
    """
    return split_course(list(record.positions()), [entry.move for entry in record.moves], result_of(record), seat)


def split_course(positions: Sequence[Position], moves: Sequence[Move], result: Values, seat: int = 0) -> Split:
    """Split the course of a game, which compiled code does, the same one as in browsers."""
    number = len(moves)
    marks, rows = valued(positions, seat)
    course, lucks, shares = rows[: number + 1], rows[number + 1 : 2 * number + 1], rows[2 * number + 1 : -TOTALS]
    luck, decisions, points, changes = rows[-TOTALS:]
    steps = list(enumerate(zip(marks, moves, lucks, shares[1:], strict=True), 1))
    draws = tuple(Draw(at, mark, move, luck) for at, (mark, move, luck, _) in steps if mark > 0)
    choices = {at: share for at, (mark, _, _, share) in steps if mark == 0}
    ending, turning = minus(result, course[-1]), tuple(zip(map(int, points), changes, strict=True))
    return Split(shares[0], draws, choices, ending, tuple(course), luck, decisions, turning)


def seat_of(record: Record, seat: object) -> int:
    """The number of a seat that plays in the game of a record. Raises StudyError for others."""
    number, seats = whole(seat), record.opening.seats
    if number is None or not 1 <= number <= seats:
        raise StudyError(f"There is no seat {shown(seat)} in this game; its seats are 1 to {seats}.")
    return number


def result_of(record: Record) -> Values:
    """Return what the result of a finished record is worth to each seat. Raises StudyError for other records."""
    outcome, seats = record.final.outcome(), record.final.seats
    resigned = RESIGNED.fullmatch(record.tags.get("Termination", ""))
    if outcome is None and resigned and int(resigned[1]) <= seats:
        outcome = Outcome(int(resigned[1]))
    if outcome is None:
        raise StudyError("The game of this record is not over; only a finished game can be reviewed.")
    return outcome.shares(seats)


def minus(left: Values, right: Values) -> Values:
    """Subtract two values seat by seat."""
    return tuple(a - b for a, b in zip(left, right, strict=True))
