"""Cartagena and Cartagena 2, the Pirate's Nest: play, study, research.

>>> import cartagena
>>> game = cartagena.Game.new("tortuga-en", seats=3, seed=7)
>>> game.turn
1
>>> game.play("s:D")
[Move('s:D')]

Everything that most programs need is a name of this package. Players, matches and rollouts are imported when they are
first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cartagena.errors import (
    BackendError,
    CartagenaError,
    IllegalMove,
    ImpossiblePosition,
    NotationError,
    PlayerError,
    PlayerFailed,
    RuleSetError,
    StudyError,
    TooMuchWork,
    UnfairDeal,
)
from cartagena.game import NO_SEAT, Entry, Game, LegalMoves, Move, Outcome, Position, Record, Turn, perft
from cartagena.rulesets import RuleSet, rule_set, rule_sets

if TYPE_CHECKING:
    from cartagena.arena import play_match
    from cartagena.backends import Rollouts, rollouts
    from cartagena.players import Analysis, Limit, Line, Player, analyse, hint
    from cartagena.players import create as create_player

__version__ = "0.2.0.dev0"

__all__ = [
    "NO_SEAT",
    "Analysis",
    "BackendError",
    "CartagenaError",
    "Entry",
    "Game",
    "IllegalMove",
    "ImpossiblePosition",
    "LegalMoves",
    "Limit",
    "Line",
    "Move",
    "NotationError",
    "Outcome",
    "Player",
    "PlayerError",
    "PlayerFailed",
    "Position",
    "Record",
    "Rollouts",
    "RuleSet",
    "RuleSetError",
    "StudyError",
    "TooMuchWork",
    "Turn",
    "UnfairDeal",
    "__version__",
    "analyse",
    "create_player",
    "hint",
    "perft",
    "play_match",
    "rollouts",
    "rule_set",
    "rule_sets",
]

_LATER = {
    "Analysis": ("players", "Analysis"),
    "Limit": ("players", "Limit"),
    "Line": ("players", "Line"),
    "Player": ("players", "Player"),
    "Rollouts": ("backends", "Rollouts"),
    "analyse": ("players", "analyse"),
    "create_player": ("players", "create"),
    "hint": ("players", "hint"),
    "play_match": ("arena", "play_match"),
    "rollouts": ("backends", "rollouts"),
}
"""Names that are imported when they are first used, each with its room and its name there."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'cartagena' has no attribute {name!r}")
    room, original = _LATER[name]
    value = globals()[name] = getattr(import_module(f"cartagena.{room}"), original)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
