"""Cartagena and Cartagena 2, the Pirate's Nest: play, study, research.

>>> import cartagena
>>> game = cartagena.Game.new("tortuga-en", seats=3, seed=7)
>>> game.turn
1
"""

from cartagena.game import (
    CHANCE,
    CartagenaError,
    Entry,
    Game,
    IllegalMove,
    ImpossiblePosition,
    LegalMoves,
    Move,
    NotationError,
    Outcome,
    Position,
    Record,
    perft,
)
from cartagena.rulesets import RuleSet, RuleSetError

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
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
    "RuleSet",
    "RuleSetError",
    "__version__",
    "perft",
]
