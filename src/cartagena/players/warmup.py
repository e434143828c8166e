"""Compile the players ahead of time. Importing this module adds them to ``cartagena warmup``."""

from typing import Any

from cartagena.backends.warmup import also

from .registry import create


def warm_gunner() -> None:
    """Compile the comparison of whole turns."""
    create_ready("gunner")


def warm_search() -> None:
    """Compile the search, which all games, levels and numbers of seats share."""
    create_ready("captain")


def create_ready(name: str) -> None:
    """Create a player and let it load what it needs."""
    player: Any = create(name)
    player.get_ready()


also("computer players: search", warm_search)
also("computer players: turns", warm_gunner)
