"""Compile the players ahead of time. Importing this module adds them to ``cartagena warmup``."""

from typing import Final

from cartagena.backends.warmup import also
from cartagena.game import Game

from .model import Limit, analyse
from .registry import create

SHORT: Final = Limit(nodes=8)


def warm_gunner() -> None:
    """Compile the comparison of whole turns."""
    analyse(create("gunner"), Game.new("jamaica-en", seed=1).view(1))


def warm_search() -> None:
    """Compile the search, which all games, levels and numbers of seats share."""
    analyse(create("captain"), Game.new("jamaica-en", seed=1).view(1), SHORT)


also("computer players: search", warm_search)
also("computer players: turns", warm_gunner)
