"""Judge the decisions of a game, each from what its own seat could know at the time."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from zlib import crc32

import numpy as np

from cartagena.game import Move, Outcome, Position
from cartagena.kernel.layout import DEADLOCK, MAX_SEATS, OVER
from cartagena.kernel.step import step
from cartagena.players import Limit, Line
from cartagena.players.advice import strongest
from cartagena.players.compiled.tree import SUMS
from cartagena.players.explain import reasons
from cartagena.players.ismcts import ADMIRAL, CAPTAIN, Searcher, SearchRun, Style, capacity_for
from cartagena.players.threads import with_threads

CLASSES: Final = {"best": 0.005, "good": 0.03, "inaccuracy": 0.08, "mistake": 0.15, "blunder": math.inf}
"""The classes of a decision, with the loss of win chance below which each one applies.

>>> from cartagena.study import CLASSES
>>> [kind for kind, bound in CLASSES.items() if 0.1 < bound][0]
'mistake'
"""
TURNS: Final = 3
"""Number of best whole turns listed for a position."""

POWERS: Final = {"tortuga": 1.25, "hispaniola": 1.25}
"""Powers to which a review raises the admiral's odds, by game, 1 elsewhere; found by ``bench.calibration``."""


@dataclass(frozen=True)
class Decision:
    """One choice of a seat, as the judge sees it from that seat's view.

    Win chances are numbers from 0 to 1, one for each seat. ``cost`` is the win chance that the mover lost against the
    best move; ``kind`` is its class in ``CLASSES``.

    >>> from cartagena import Limit, Record
    >>> from cartagena.study import review
    >>> record = Record.parse("jamaica-en BDHKPS 5,b/2,2 BS/H2 - B16D17H15K17P17S16 - - 1.0\\n5:S 6:B")
    >>> decision = review(record, Limit(nodes=50)).decisions[0]
    >>> decision.number, decision.seat, str(decision.move), len(decision.before)
    (1, 1, '5:S', 2)
    """

    number: int
    """The number of the move in the record, from 1."""
    seat: int
    move: Move
    best: Move
    before: tuple[float, ...]
    after: tuple[float, ...]
    cost: float
    kind: str
    turns: tuple[Line, ...]
    """The best whole turns from here, each with the win chances after it."""
    why: tuple[str, ...]
    """Reasons for the best move, as codes of ``cartagena.players.WHY``."""
    forced: bool = False
    """True where only one move was legal."""


def class_of(cost: float) -> str:
    """Return the class of a loss of win chance.

    >>> class_of(0.0), class_of(0.05), class_of(0.4)
    ('best', 'inaccuracy', 'blunder')
    """
    return next(name for name, bound in CLASSES.items() if cost < bound)


def power_for(view: Position) -> float:
    """Return the power to which the odds of a judged position are raised, so that they agree with results."""
    return POWERS.get(view.rules.game, 1.0) if view.seats == 2 and strongest(view) == "admiral" else 1.0


def calibrated(values: tuple[float, ...], power: float) -> tuple[float, ...]:
    """Return win chances with their odds raised to a power. Their order stays, and so do 0, 1 and equal chances.

    >>> [round(value, 3) for value in calibrated((0.8, 0.2), 1.25)]
    [0.85, 0.15]
    """
    if power == 1.0:
        return values
    raised = [value**power for value in values]
    return tuple(value / sum(raised) for value in raised)


STYLES: Final = {style.name: style for style in (CAPTAIN, ADMIRAL)}
"""The players that judge, by name."""


def style_of(view: Position) -> Style:
    """Return how the strongest player for a position searches."""
    return STYLES[strongest(view)]


class Judge:
    """Values moves by searching. The same position, seed and nodes give the same values, in any order of questions.

    Unless a style is given, the strongest player for the game judges.
    """

    def __init__(self, nodes: int, seed: int = 0, style: Style | None = None) -> None:
        self.nodes = nodes
        self.seed = seed
        self.style = style

    def judge(self, position: Position, number: int, move: Move) -> Decision:
        """Judge a move that was chosen in a position of a record."""
        seat = position.turn
        view = position.view(seat)
        searcher = self.searcher(view)
        analysis = searcher.analyse(view, Limit(nodes=self.nodes))
        forced = len(view.legal_actions()) == 1
        power, cost = power_for(view), 0.0
        before = calibrated(analysis.value, power)
        after = before if forced else calibrated(self.value_after(searcher, view, move), power)
        if move != analysis.move:
            ideal = calibrated(self.value_after(searcher, view, analysis.move), power)
            cost = max(0.0, ideal[seat - 1] - after[seat - 1])
        why = analysis.why or reasons(view, analysis.move)
        turns = tuple(replace(turn, value=calibrated(turn.value, power)) for turn in analysis.turns[:TURNS])
        return Decision(number, seat, move, analysis.move, before, after, cost, class_of(cost), turns, why, forced)

    def searcher(self, view: Position) -> Searcher:
        """Return a new search for a view."""
        return Searcher(self.style or style_of(view), self.seed_of(view))

    def win_chances(self, view: Position) -> tuple[float, ...]:
        """Return the win chances of a view as the search finds them, before they are calibrated."""
        return self.searcher(view).analyse(view, Limit(nodes=self.nodes)).value

    def seed_of(self, view: Position) -> int:
        """Return a seed that depends on the judge's own seed and on what the seat sees, and on nothing else."""
        return crc32(f"{self.seed} {view}".encode()) & 0xFFFFFF

    def value_after(self, searcher: Searcher, view: Position, move: Move) -> tuple[float, ...]:
        """Return the win chances after a move, as its own seat can judge them before a card is dealt."""
        words = view.state()
        step(view.table, words, view.action(move))
        if words[OVER]:
            return Outcome(None if words[OVER] == DEADLOCK else words[OVER]).shares(view.seats)
        forest = searcher.analysing
        limit = Limit(nodes=self.nodes)
        trees = searcher.style.trees_for(limit)
        forest.prepare(None, trees, capacity_for(limit, trees))
        job = SearchRun(searcher, view, forest.trees)
        job.root = np.array(words, np.int64)
        wanted = math.ceil(self.nodes / trees)
        with_threads(trees, lambda number: job.grow(number, wanted, math.inf))
        return shares([tree.values for tree in forest.trees], view.seats)


def shares(values: Sequence[Any], seats: int) -> tuple[float, ...]:
    """Return the win chance of each seat from what all iterations brought; an equal one where that is nothing."""
    total = np.sum([np.asarray(each)[SUMS : SUMS + MAX_SEATS] for each in values], axis=0)[:seats]
    whole = float(total.sum())
    return tuple(float(each) / whole for each in total) if whole > 0 else (1.0 / seats,) * seats
