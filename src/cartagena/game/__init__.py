"""Games, positions, moves and records: the layer that programs and people use."""

from cartagena.backends.openings import read_positions_with
from cartagena.errors import CartagenaError, IllegalMove, ImpossiblePosition, NotationError, TooMuchWork

from .entries import Entry
from .game import Game
from .move import Move
from .outcome import Outcome
from .perft import perft
from .position import LegalMoves, Position
from .record import Record
from .seats import NO_SEAT
from .turns import Turn

__all__ = [
    "NO_SEAT",
    "CartagenaError",
    "Entry",
    "Game",
    "IllegalMove",
    "ImpossiblePosition",
    "LegalMoves",
    "Move",
    "NotationError",
    "Outcome",
    "Position",
    "Record",
    "TooMuchWork",
    "Turn",
    "perft",
]

read_positions_with(Position)
