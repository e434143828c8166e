"""Compiling the players ahead: importing this lets ``cartagena warmup`` compile them too."""

from typing import Final

from cartagena.backends.warmup import also
from cartagena.game import Game

from .model import Limit, analyse
from .registry import create

SHORT: Final = Limit(nodes=8)


def warm_gunner() -> None:
    """Compile what looks through whole turns."""
    analyse(create("gunner"), Game.new("jamaica-en", seed=1).view(1))


def warm_search() -> None:
    """Compile the search; all games, levels and numbers of seats share it."""
    analyse(create("captain"), Game.new("jamaica-en", seed=1).view(1), SHORT)


also("computer players: search", warm_search)
also("computer players: turns", warm_gunner)
