"""Review a finished game: every decision judged from its seat's own view, and the result split into luck and skill."""

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from types import NoneType
from typing import Any, Final, TypeAlias

from cartagena.backends.arguments import checked_number
from cartagena.errors import StudyError, shown, takes
from cartagena.game import Move, Position, Record
from cartagena.game.plurals import counted
from cartagena.jobs import Executor, executor, in_order
from cartagena.players import Limit
from cartagena.players.advice import strongest
from cartagena.players.luck import VALUE, Values

from .journal import Journal, decision_data
from .judge import CLASSES, Decision, Judge
from .luck import Draw, Split, result_of, seat_of, split

NODES: Final = 3_000
"""Nodes for each decision unless a limit says otherwise."""
Choice: TypeAlias = tuple[int, Position, Move]
"""A chosen move: its number in the record, the position before it, and the move."""
SLIP: Final = 0.1
"""The loss of win chance at which a decision counts 37 % towards the accuracy."""


@dataclass(frozen=True)
class TurningPoint:
    """The move of the record after which the win chance of a seat had changed most.

    >>> from cartagena.study import TurningPoint
    >>> TurningPoint(number=3, change=-0.25).number
    3
    """

    number: int
    change: float


@dataclass(frozen=True)
class SeatReview:
    """The game of one seat in numbers. Win chances are from 0 to 1.

    >>> from cartagena import Limit, Record
    >>> from cartagena.study import review
    >>> record = Record.parse("jamaica-en BDHKPS 5,b/2,2 BS/H2 - B16D17H15K17P17S16 - - 1.0\\n5:S 6:B")
    >>> first = review(record, Limit(nodes=50)).seats[0]
    >>> first.name, first.result
    ('Seat 1', 1.0)
    """

    seat: int
    name: str
    accuracy: float
    """From 0 to 100: the mean of exp(-cost / 0.1) over the seat's free decisions, times 100."""
    lost: float
    """Win chance lost by all decisions together, as the judge saw it from the seat's view."""
    kinds: dict[str, int]
    """The number of free decisions of each class."""
    opening: float
    """What the opening deal and the order of play were worth."""
    luck: float
    """What all dealt cards together changed, against the mean of what could have come."""
    decisions: float
    """What the decisions of all seats together changed."""
    ending: float
    """What resigning changed; 0 in a game that was played to its end."""
    result: float
    turning_point: TurningPoint | None


@dataclass(frozen=True)
class Review:
    """A reviewed game: ``opening + luck + decisions + ending + an equal share = result``, exactly, for each seat.

    In a review from one seat's view, ``seat`` is that seat and nothing here depends on what it could not know at the
    time: ``decisions`` and ``seats`` are its own, ``draws`` those that it saw, and the split uses its views.

    >>> from cartagena import Limit, Record
    >>> from cartagena.study import review
    >>> record = Record.parse("jamaica-en BDHKPS 5,b/2,2 BS/H2 - B16D17H15K17P17S16 - - 1.0\\n5:S 6:B")
    >>> found = review(record, Limit(nodes=50))
    >>> len(found.decisions), len(found.draws), sorted(found.to_json())[:3]
    (2, 0, ['classes', 'course', 'decisions'])
    """

    record: Record
    nodes: int
    seed: int
    decisions: tuple[Decision, ...]
    draws: tuple[Draw, ...]
    split: Split
    seats: tuple[SeatReview, ...]
    seat: int | None = None
    """The seat from whose view the game was reviewed, or None where all cards were used."""

    def __repr__(self) -> str:
        """A line, not the whole report."""
        by = f", seen by seat {self.seat}" if self.seat else ""
        rules = self.record.opening.rules
        return f"<Review of {rules.variant or rules.name}: {counted(len(self.decisions), 'decision')}{by}>"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all seats."""
        return tuple(name_of(self.record, seat) for seat in range(1, self.record.opening.seats + 1))

    @property
    def judge(self) -> str:
        """The player that judged the decisions: the admiral where it has a network for the game, else the captain."""
        return strongest(self.record.opening)

    def shown(self, position: Position) -> Position:
        """Return a position of the record as this review may show it: whole, or as its seat saw it."""
        return position if self.seat is None else position.view(self.seat)

    def move(self, number: int) -> Move:
        """Return a move of the record as this review may show it: a card that its seat did not see is ``+?``."""
        number = checked_number("number", number, 1, len(self.record.moves), StudyError)
        move = self.record.moves[number - 1].move
        if self.seat is None or not move.is_chance:
            return move
        return next(islice(self.record.positions(), number - 1, None)).seen(move, self.seat)

    def to_json(self) -> dict[str, Any]:
        """The review as plain data."""
        return {
            "rules": self.record.opening.rules.name,
            "judge": self.judge,
            "luck": VALUE,
            "nodes": self.nodes,
            "seed": self.seed,
            "seat": self.seat,
            "classes": {name: bound for name, bound in CLASSES.items() if bound < math.inf},
            "seats": [seat_data(each) for each in self.seats],
            "decisions": [decision_data(each) for each in self.decisions],
            "draws": [{"number": d.number, "seat": d.seat, "move": str(d.move), "luck": d.luck} for d in self.draws],
            "shares": {str(number): values for number, values in self.split.choices.items()},
            "course": self.split.course,
        }


def name_of(record: Record, seat: int) -> str:
    """Return the name of a seat in a record."""
    return record.tags.get(f"Seat{seat}", f"Seat {seat}")


def seat_data(seat: SeatReview) -> dict[str, Any]:
    """A seat's review as plain data."""
    point = seat.turning_point
    return {**vars(seat), "turning_point": None if point is None else vars(point)}


@takes(StudyError, seed=int, journal=(str, Path, NoneType), progress=(Callable, NoneType), place=(Executor, NoneType))
def review(
    record: Record,
    limit: Limit | None = None,
    *,
    seed: int = 0,
    seat: int | None = None,
    journal: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
    place: Executor | None = None,
) -> Review:
    """Review a finished game.

    Args:
        record: a finished game with all its cards.
        limit: the nodes for each decision, 3,000 by default. A limit of time would not give the same result twice.
        seed: the same seed, record and nodes give the same review.
        seat: review the game from the view of this seat: its own decisions, and nothing that it could not know.
        journal: a file that keeps finished decisions, so that interrupted work goes on where it stopped.
        progress: is called after each decision with the number of those done and of all.
        place: where decisions are judged, by default one after another in this process.

    Raises StudyError for a game that is not over, a record with hidden cards, a limit of time, or a seat that does not
    play.

    >>> from cartagena import Limit, Record
    >>> from cartagena.study import review
    >>> record = Record.parse("jamaica-en BDHKPS 5,b/2,2 BS/H2 - B16D17H15K17P17S16 - - 1.0\\n5:S 6:B")
    >>> [str(decision.move) for decision in review(record, Limit(nodes=50)).decisions]
    ['5:S', '6:B']
    """
    nodes = nodes_of(limit)
    check_record(record)
    seat = None if seat is None else seat_of(record, seat)
    choices = [choice for choice in choices_of(record) if seat in (None, choice[1].turn)]
    kept = None if journal is None else Journal(journal, record, nodes, seed)
    decisions = []
    with place or executor(workers=1) as opened:
        for done, decision in enumerate(judged(choices, Judge(nodes, seed), kept, opened), 1):
            decisions.append(decision)
            if progress is not None:
                progress(done, len(choices))
    return summarised(record, Judge(nodes, seed), tuple(decisions), seat)


def nodes_of(limit: Limit | None) -> int:
    """Return the nodes of a limit. Raises StudyError for a limit of time."""
    if not isinstance(limit, Limit | None):
        raise StudyError(f"a review is limited by Limit(nodes=3000), not by {shown(limit)}")
    if limit in (None, Limit()):
        return NODES
    if limit.time is not None or limit.nodes is None:
        raise StudyError("A review is limited by nodes, not by time, so that it gives the same result every time.")
    return limit.nodes


def check_record(record: Record) -> None:
    """Raise StudyError for a record that cannot be reviewed."""
    if not isinstance(record, Record):
        raise StudyError("A review needs a record: game.record(), or Record.read(file).")
    if record.opening.is_view:
        raise StudyError("The opening of this record hides cards; a review needs all of them.")
    result_of(record)
    if not record.moves:
        raise StudyError("This record has no moves.")


def choices_of(record: Record) -> Iterator[Choice]:
    """The chosen moves of a record, each with its number and the position before it."""
    for number, (position, entry) in enumerate(zip(record.positions(), record.moves, strict=False), 1):
        if not position.is_chance:
            yield number, position, entry.move


def number_of_decisions(record: Record) -> int:
    """Count the decisions of a record."""
    return sum(not entry.move.is_chance for entry in record.moves)


def judged(choices: list[Choice], judge: Judge, journal: Journal | None, workers: Executor) -> Iterator[Decision]:
    """Judge decisions in their order, those in the journal without searching again."""
    known = {} if journal is None else dict(journal.known)
    fresh = in_order(workers, partial(judge_choice, judge), (choice for choice in choices if choice[0] not in known))
    for number, *_ in choices:
        if number in known:
            yield known[number]
            continue
        decision = next(fresh)
        if journal is not None:
            journal.add(decision)
        yield decision


def judge_choice(judge: Judge, choice: Choice) -> Decision:
    """Judge one decision, in any process."""
    number, position, move = choice
    return judge.judge(position, number, move)


def summarised(record: Record, judge: Judge, decisions: tuple[Decision, ...], seat: int | None = None) -> Review:
    """Add the split and the numbers of each seat, or of one seat from its own view, to the judged decisions."""
    parts = split(record, seat or 0)
    result = result_of(record)
    shown = range(1, record.opening.seats + 1) if seat is None else (seat,)
    seats = tuple(seat_review(record, each, decisions, parts, result) for each in shown)
    return Review(record, judge.nodes, judge.seed, decisions, parts.draws, parts, seats, seat)


def seat_review(record: Record, seat: int, decisions: tuple[Decision, ...], parts: Split, result: Values) -> SeatReview:
    """Sum up the game of one seat."""
    own = [each for each in decisions if each.seat == seat and not each.forced]
    kinds = Counter(each.kind for each in own)
    turning = parts.turning[seat - 1]
    return SeatReview(
        seat=seat,
        name=name_of(record, seat),
        accuracy=100 * math.fsum(math.exp(-each.cost / SLIP) for each in own) / len(own) if own else 100.0,
        lost=math.fsum(each.cost for each in own),
        kinds={name: kinds[name] for name in CLASSES},
        opening=parts.opening[seat - 1],
        luck=parts.luck[seat - 1],
        decisions=parts.decisions[seat - 1],
        ending=parts.ending[seat - 1],
        result=result[seat - 1],
        turning_point=TurningPoint(*turning) if turning[0] else None,
    )
