"""What a player is: something that is shown a seat's view and answers with a move."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol, runtime_checkable

from cartagena.errors import PlayerError
from cartagena.game import Move, Position

WHY: Final = (
    "only-move",
    "wins",
    "brings-home",
    "boards",
    "long-jump",
    "moves-straggler",
    "draws-two",
    "draws-one",
    "saves-actions",
    "breaks-chain",
    "takes-pair",
    "sails",
    "takes-captaincy",
    "cuts-hands",
    "best-value",
)
"""The closed list of reasons a player may give for a move."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How much one call may cost: seconds, nodes, or both (whatever comes first)."""

    time: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        if self.time is not None and not (isinstance(self.time, int | float) and 0 < self.time < math.inf):
            raise PlayerError(f"a time limit is a number of seconds above 0, not {self.time!r}")
        if self.nodes is not None and (isinstance(self.nodes, bool) or not self.nodes >= 1):
            raise PlayerError(f"a node limit is a whole number from 1, not {self.nodes!r}")


@dataclass(frozen=True, slots=True)
class Line:
    """A whole turn, as far as chance lets it be known, with the win chance of each seat after it."""

    moves: tuple[Move, ...]
    value: tuple[float, ...]
    visits: int = 0


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a player thinks: its move, the win chance of each seat, the best whole turns, why, and what it cost."""

    move: Move
    value: tuple[float, ...] = ()
    turns: Sequence[Line] = ()
    why: tuple[str, ...] = ()
    nodes: int = 0
    depth: int = field(default=0, compare=False)


@runtime_checkable
class Player(Protocol):
    """A player. ``view`` is what the seat to choose may know, and all it is ever shown."""

    @property
    def name(self) -> str: ...

    def decide(self, view: Position, limit: Limit | None = None) -> Move:
        """The move to play; ``view`` has at least one legal move and is no chance position."""
        ...


@runtime_checkable
class Analyst(Player, Protocol):
    """A player that can also say what it thinks."""

    def analyse(self, view: Position, limit: Limit | None = None) -> Analysis:
        """The move with values and reasons."""
        ...


def analyse(player: Player, view: Position, limit: Limit | None = None) -> Analysis:
    """What the player thinks; just its move where it cannot say more."""
    if isinstance(player, Analyst):
        return player.analyse(view, limit)
    return Analysis(player.decide(view, limit))


def check_view(view: Position) -> None:
    """A player can be asked only where a seat must choose."""
    if view.turn == 0:
        raise PlayerError("there is nothing to choose in this position: a card is to be dealt, or the game is over")
