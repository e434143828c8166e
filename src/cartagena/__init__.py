"""Cartagena and Cartagena 2, the Pirate's Nest: play, study, research.

>>> import cartagena
>>> game = cartagena.Game.new("tortuga-en", seats=3, seed=7)
>>> game.turn
1
"""

from cartagena.errors import (
    BackendError,
    CartagenaError,
    IllegalMove,
    ImpossiblePosition,
    NotationError,
    PlayerError,
    PlayerFailed,
    RuleSetError,
    TooMuchWork,
    UnfairDeal,
)
from cartagena.game import NO_SEAT, Entry, Game, LegalMoves, Move, Outcome, Position, Record, perft
from cartagena.rulesets import RuleSet, rule_set, rule_sets

__version__ = "0.2.0.dev0"

__all__ = [
    "NO_SEAT",
    "BackendError",
    "CartagenaError",
    "Entry",
    "Game",
    "IllegalMove",
    "ImpossiblePosition",
    "LegalMoves",
    "Move",
    "NotationError",
    "Outcome",
    "PlayerError",
    "PlayerFailed",
    "Position",
    "Record",
    "RuleSet",
    "RuleSetError",
    "TooMuchWork",
    "UnfairDeal",
    "__version__",
    "perft",
    "rule_set",
    "rule_sets",
]
