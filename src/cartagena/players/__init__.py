"""Computer players: one protocol, one registry, six levels, and external programs.

>>> import cartagena
>>> from cartagena.players import Limit, create
>>> game = cartagena.Game.new("jamaica-en", seats=2, seed=1)
>>> move = create("sailor", seed=1).decide(game.view(game.turn))
>>> move in game.legal_moves
True
"""

from cartagena.errors import PlayerError, PlayerFailed

from .advice import analyse, hint
from .model import WHY, Analysis, Analyst, GamePlayer, Limit, Line, Player, PolicyPlayer, choose
from .registry import LEVELS, create, load_code, names, register

__all__ = [
    "LEVELS",
    "WHY",
    "Analysis",
    "Analyst",
    "GamePlayer",
    "Limit",
    "Line",
    "Player",
    "PlayerError",
    "PlayerFailed",
    "PolicyPlayer",
    "analyse",
    "choose",
    "create",
    "hint",
    "load_code",
    "names",
    "register",
]
