"""``cartagena warmup``: compile ahead of time what is compiled on first use."""

import time
from threading import Event, Timer
from typing import Annotated, Final

import typer

from cartagena.backends.warmup import PARTS as BACKENDS
from cartagena.backends.warmup import Part, compile_parts

NOTICED = 3.0
"""Seconds after which a message explains the wait."""


class ProgressLines:
    """Prints one line per part: its name when it begins, and the seconds it took when it is done."""

    def __init__(self) -> None:
        self.begin = 0.0

    def __call__(self, done: int, parts: int, what: str) -> None:
        if done:
            typer.echo(f" {time.monotonic() - self.begin:.1f} s", err=True)
        self.begin = time.monotonic()
        if what:
            typer.echo(f"{done + 1} of {parts}: {what} ...", err=True, nl=False)


# --- what is compiled


def warm_gunner() -> None:
    """Compile the comparison of whole turns."""
    from cartagena.players.gunner import Gunner

    Gunner().get_ready()


def warm_search() -> None:
    """Compile the search, which all games, levels and numbers of seats share."""
    from cartagena.players.ismcts import load_search

    load_search()


def warm_environments() -> None:
    """Compile the vector engine of the environments, which all games and numbers of seats share."""
    from cartagena.rl.tables import EnvSettings, Tables

    tables = Tables(EnvSettings.of("jamaica-en", 2))
    tables.start()
    tables.step(tables.sample())
    tables.observe(0)
    tables.afterstates()


def warm_opponents() -> None:
    """Compile the levels that play inside the vector environment, and the state with open hands."""
    import numpy as np

    from cartagena.rl.tables import LEVELS, EnvSettings, Tables

    tables = Tables(EnvSettings.of("jamaica-en", 2), len(LEVELS))
    tables.start()
    tables.reply(np.arange(len(LEVELS)))
    tables.state()


def warm_one_game() -> None:
    """Compile the steps of a single game, which OpenSpiel takes."""
    from cartagena.rl.history import set_up_game
    from cartagena.rl.stepping import SteppedGame

    game = SteppedGame(set_up_game("jamaica-en", 2, "", 1))
    while game.player < 0:
        game.play(game.outcomes()[0][0])
    game.observation(0)


def warm_tuning() -> None:
    """Compile the games that the evaluation plays against itself."""
    import numpy as np

    from cartagena.arena.tune import EVERY_ACTION, HEATS, SharedSetup
    from cartagena.game import Game
    from cartagena.players.weights import by_hand

    opening = Game.new("jamaica-en", seed=1).position
    table, starts = np.array(opening.table, np.int64), np.array(opening.words, np.int64)
    SharedSetup(table, starts, by_hand(opening.rules), np.array([HEATS[0], EVERY_ACTION, False]), seed=1).samples(0, 1)


def warm_reviews() -> None:
    """Compile what splits a game into luck and decisions."""
    from cartagena.players.luck import get_ready

    get_ready()


PARTS: Final[tuple[Part, ...]] = (
    *BACKENDS,
    ("tuning: games of the evaluation", warm_tuning),
    ("computer players: search", warm_search),
    ("computer players: turns", warm_gunner),
    ("reviews and arena: luck and decisions", warm_reviews),
    ("environments", warm_environments),
    ("environments: opponents", warm_opponents),
    ("environments: one game", warm_one_game),
)
"""Everything that is compiled, in order."""


# --- the verb


def warm_players() -> None:
    """Compile the computer players, silently if they are compiled already."""
    before, noticed = time.monotonic(), Event()
    telling = Timer(NOTICED, tell_of_the_wait, [noticed])
    telling.daemon = True
    telling.start()
    warm_gunner()
    warm_search()
    telling.cancel()
    telling.join()  # the end is announced only if the wait was
    if noticed.is_set():
        typer.echo(f"The computer players are ready ({time.monotonic() - before:.0f} s).")


def tell_of_the_wait(noticed: Event) -> None:
    """Announce the wait, and note that it was announced."""
    noticed.set()
    typer.echo("Compiling the computer players; the first time takes half a minute ...")


def command(
    players: Annotated[
        bool, typer.Option("--players", help="Only the computer players; silent if it is quick.")
    ] = False,
) -> None:
    """Compile the computer players, rollouts, environments and tuning ahead of time."""
    if players:
        return warm_players()
    before = time.monotonic()
    compile_parts(PARTS, ProgressLines())
    return typer.echo(f"Everything is compiled ({time.monotonic() - before:.1f} s).")
