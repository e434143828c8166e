"""Compile the environments ahead of time. Importing this module adds them to ``cartagena warmup``."""

import numpy as np

from cartagena.backends.warmup import also

from .tables import LEVELS, EnvSettings, Tables


def warm_environments() -> None:
    """Compile the vector engine of the environments, which all games and numbers of seats share."""
    tables = Tables(EnvSettings.of("jamaica-en", 2))
    tables.start()
    tables.step(tables.sample())
    tables.look(0)
    tables.afterstates()


def warm_opponents() -> None:
    """Compile the levels that play inside the vector environment, and the state with open hands."""
    tables = Tables(EnvSettings.of("jamaica-en", 2), len(LEVELS))
    tables.start()
    tables.reply(np.arange(len(LEVELS)))
    tables.state()


def warm_one_game() -> None:
    """Compile the steps of a single game, which OpenSpiel takes."""
    from .history import set_up_game
    from .stepping import SteppedGame

    game = SteppedGame(set_up_game("jamaica-en", 2, "", 1))
    while game.player < 0:
        game.play(game.outcomes()[0][0])
    game.observation(0)


also("environments", warm_environments)
also("environments: opponents", warm_opponents)
also("environments: one game", warm_one_game)
