"""Computer players: one protocol, one registry, five levels, and other people's programs.

>>> import cartagena
>>> from cartagena.players import Limit, create
>>> game = cartagena.Game.new("jamaica-en", seats=2, seed=1)
>>> move = create("sailor", seed=1).decide(game.view(game.turn))
>>> move in game.legal_moves
True
"""

from cartagena.errors import PlayerError, PlayerFailed

from .model import WHY, Analysis, Analyst, Limit, Line, Player, analyse
from .registry import LEVELS, create, load_code, names, register

__all__ = [
    "LEVELS",
    "WHY",
    "Analysis",
    "Analyst",
    "Limit",
    "Line",
    "Player",
    "PlayerError",
    "PlayerFailed",
    "analyse",
    "create",
    "load_code",
    "names",
    "register",
]
