"""Exact values of small games by forward search, chance included.

From the start, the moves that look best to each seat are followed, and the positions at their ends are looked at, until
the bounds on the value of the start meet. So only a part of all positions is ever seen: moves that cannot be best are
left alone. Games can go round in circles: a game without end counts as lost in the lower bound and as won in the upper
one, so the bounds stay apart where a seat can make the game endless.
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from cartagena.backends.arguments import checked_number
from cartagena.errors import StudyError, TooMuchWork, of_kind, shown
from cartagena.game import Move, Position

from .graph import CHANCE, CLOSE, Graph

MOST: Final = 500_000
"""Positions that are looked at unless another number is given."""
MOST_OF_ALL: Final = 10**9
ROUNDS: Final = 3
"""Rounds of updates before the search goes on."""
ALL_ROUNDS: Final = 10_000
DIGITS: Final = 12
"""Decimal places of the values; the last ones of a sum are not exact."""


@dataclass(frozen=True)
class Solution:
    """A solved game. Positions that can follow are solved when they are asked for.

    >>> from cartagena.study import solve
    >>> endgame = "jamaica-en+cards3 DBKPHS/KBSDHP 7,12/9,12 S/BKP - - B2D3H3K2P2S2 - 1.0"
    >>> solution = solve(endgame, open_hands=True)
    >>> solution.value, solution.is_exact, solution.best(solution.start)
    ((0.6, 0.4), True, [Move('7:S')])
    """

    start: Position
    graph: Graph = field(repr=False)

    @property
    def positions(self) -> int:
        """The number of positions that were looked at."""
        return len(self.graph)

    @property
    def value(self) -> tuple[float, float]:
        """The chance of each seat to win when both play as well as possible; a game without a winner counts half."""
        return self.value_of(self.start)

    @property
    def is_exact(self) -> bool:
        """True where the value is certain. Else it lies between the ``bounds``, because a seat can go in circles."""
        low, high = self.bounds
        return high - low < CLOSE

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the most that the first seat can get."""
        return float(self.graph.low[0]), float(self.graph.high[0])

    def value_of(self, position: Position) -> tuple[float, float]:
        """The value of a position that can follow, for each seat. Raises StudyError for others."""
        first = self._first(self._number(position))
        return first, round(1.0 - first, DIGITS)

    def moves(self, position: Position) -> dict[Move, float]:
        """The legal moves of a position that can follow, each with its value to the seat that chooses, best first."""
        number = self._number(position)
        seat = int(self.graph.movers[number])
        if seat == CHANCE:
            raise StudyError("there is nothing to choose in this position: a card is to be dealt, or the game is over")
        if self.graph.is_leaf[number]:
            self.graph.grow(np.array([number]))
        values = {}
        for action, after in self.graph.moves(number):
            first = self._first(after)
            values[position.move(action)] = first if seat == 0 else round(1.0 - first, DIGITS)
        return dict(sorted(values.items(), key=lambda item: -item[1]))

    def best(self, position: Position) -> list[Move]:
        """All best moves of a position that can follow."""
        values = self.moves(position)
        return [move for move, value in values.items() if value > max(values.values()) - CLOSE]

    def regret(self, position: Position, move: Move | str) -> float:
        """How much less a move is worth than the best one."""
        values = self.moves(position)
        chosen = Move(move) if isinstance(move, str) else move
        if chosen not in values:
            raise StudyError(f"{chosen} is not a legal move of this position")
        return max(values.values()) - values[chosen]

    def _number(self, position: Position) -> int:
        if not isinstance(position, Position):
            raise StudyError(f"a value is looked up by a Position, not by {shown(position)}")
        number = self.graph.index.find(position)
        if number is None:
            raise StudyError("this position does not follow from the one that was solved, or was not looked at")
        return number

    def _first(self, number: int) -> float:
        """The value to the first seat: in the middle of its bounds where they do not meet."""
        settle(self.graph, number)
        return round(float(self.graph.low[number] + self.graph.high[number]) / 2, DIGITS)


def solve(position: Position | str, *, open_hands: bool = False, most: int = MOST) -> Solution:
    """Solve a small game for two: what each seat wins when both play as well as possible.

    Args:
        position: where the game starts.
        open_hands: solve a game of hidden hands as if the hands lay open. Without it such games are refused.
        most: how many positions may be looked at; half a million take about a minute and 300 MB.

    Raises:
        StudyError: the game has more than two seats, or hidden hands, or cards are hidden in the position.
        TooMuchWork: more positions are needed.

    >>> from cartagena import Game
    >>> from cartagena.study import solve
    >>> solution = solve(Game.new("tortuga-en+cards2", pieces=1, pirates=1, deal=2, seed=1).position)
    >>> solution.value, [str(move) for move in solution.best(solution.start)][:1]
    ((1.0, 0.0), ['s:B'])
    """
    start = position if isinstance(position, Position) else Position(position)
    check(start, open_hands=open_hands)
    graph = Graph(start, checked_number("most", most, 1, MOST_OF_ALL, StudyError))
    settle(graph, 0)
    return Solution(start, graph)


def check(position: Position, *, open_hands: bool) -> None:
    """Raise StudyError for a position that cannot be solved."""
    if position.seats != 2:
        raise StudyError(f"games for two can be solved, this one has {position.seats} seats")
    if position.is_view:
        raise StudyError("this is a view, in which cards are hidden; solve the position itself")
    if not of_kind(StudyError, "open_hands", open_hands, bool) and position.rules.hidden_hands:
        raise StudyError(
            f"{position.rules.name} has hidden hands; open_hands=True solves it as if they lay open,"
            " and cartagena.rl.openspiel leads to solvers of hidden information"
        )


def settle(graph: Graph, root: int) -> None:
    """Look at positions until the bounds of a state meet, or no position is left that could move them.

    Raises TooMuchWork where the positions do not fit into memory.
    """
    try:
        narrow(graph, root)
    except MemoryError:
        raise TooMuchWork(f"there is not enough memory for more than {len(graph)} positions") from None


def narrow(graph: Graph, root: int) -> None:
    """Look at positions until the bounds of a state meet, or no position is left that could move them."""
    while graph.gap(root) > CLOSE:
        leaves = graph.leaves(root, hopeful=True)
        if not len(leaves):
            graph.update(ALL_ROUNDS)
            leaves = graph.leaves(root, hopeful=False)
        if not len(leaves):
            return
        graph.grow(leaves)
        graph.update(ROUNDS)
