"""Compile the games of tuning ahead of time. Importing this module adds them to ``cartagena warmup``."""

import numpy as np

from cartagena.backends.warmup import also
from cartagena.game import Game
from cartagena.players.weights import by_hand

from .tune import EVERY_ACTION, HEATS, SharedSetup


def warm_tuning() -> None:
    """Compile the games that the evaluation plays against itself."""
    opening = Game.new("jamaica-en", seed=1).position
    table, starts = np.array(opening.table, np.int64), np.array(opening.words, np.int64)
    SharedSetup(table, starts, by_hand(opening.rules), np.array([HEATS[0], EVERY_ACTION, False]), seed=1).samples(0, 1)


also("tuning: games of the evaluation", warm_tuning)
