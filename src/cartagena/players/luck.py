"""The luck of the cards in the course of a game, by one frozen value for each game.

The value is a file of its own, ``luck-GAME-2.network`` or ``luck-GAME-many.network``, which no player uses: a new
network of the players changes no luck that was measured before. Reviews and the arena use it, and browsers have the
same numbers.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np

from cartagena.errors import PlayerError
from cartagena.game import Game, Position

from .compiled.valuation import ROOM, TOTALS, split_arrays
from .networks import LUCK, Weights, packaged, set_name

Values: TypeAlias = tuple[float, ...]
"""A number for each seat."""
VALUE: Final = "2026-11"
"""The generation of the frozen value, which reviews name: those that name none are older."""
LUCK_ROW: Final = -TOTALS
"""Where the rows of a course have the luck of all cards together."""


def luck_value(position: Position) -> Weights:
    """The frozen network by which luck is measured in a game, with any sizes of it."""
    found = packaged(LUCK + set_name(position.rules.game, position.seats))
    if found is None:
        raise PlayerError(f"There is no value to measure luck by in {position.rules.name}.")
    return found[0]


def valued(positions: Sequence[Position], seat: int = 0) -> tuple[list[int], list[Values]]:
    """The marks and rows of the course of a game (see ``compiled.valuation.split_game``), which compiled code finds.

    With a seat, the value is that of its views.
    """
    seats, moves = positions[0].seats, len(positions) - 1
    rules = np.array(positions[0].table, np.int64)
    states = np.array([position.words for position in positions], np.int64)
    space = np.zeros(moves + ROOM, np.int64)
    out = np.zeros((3 * moves + 2 + TOTALS) * seats)
    split_arrays(rules, luck_value(positions[0]), states, moves, seat - 1, space, out)
    return space[:moves].tolist(), [tuple(row) for row in out.reshape(-1, seats).tolist()]


def get_ready() -> None:
    """Compile what measures luck, once for all processes."""
    valued([Game.new("jamaica-en", seed=1).position])


def luck_of(positions: Sequence[Position]) -> Values:
    """The sum of what each dealt card changed for each seat. Its mean over many games is 0, however well a seat plays.

    >>> from cartagena import Record
    >>> from cartagena.players.luck import luck_of
    >>> record = Record.parse("jamaica-en BDHKPS 4,b/2,2 B/H2 - B16D17H15K17P17S17 - - 1.0\\nb< +H 4:B 4:H")
    >>> lucky, other = luck_of(list(record.positions()))
    >>> lucky > 0, abs(lucky + other) < 1e-9
    (True, True)
    """
    return valued(positions)[1][LUCK_ROW]
