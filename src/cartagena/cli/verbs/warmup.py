"""``cartagena warmup``: compile ahead of time what is compiled on first use."""

import time
from importlib.util import find_spec
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


def warm_training() -> None:
    """Compile the games that networks learn from, and their inputs."""
    from cartagena.arena.game_chunks import inputs_of
    from cartagena.arena.quick import QuickPlay
    from cartagena.arena.searched import SearchedPlay, play_searched
    from cartagena.players.weights import HAND
    from cartagena.rulesets import rule_set

    rules = rule_set("jamaica-en", pieces=1, pirates=1)
    quick = QuickPlay(rules, 2, HAND, seed=1)
    quick.games(0, 1)
    inputs_of(quick.room.opening.reshape(1, -1), quick.room.rules)
    play_searched(SearchedPlay(rules, 2, HAND, nodes=2, seed=1), 0, 1)


def warm_datasets() -> None:
    """Compile the games of the simple levels that data sets hold, with their observations and masks."""
    from cartagena.rl.dataset import DatasetConfig, play_game

    config = DatasetConfig.of(
        ["gunner"], 1, rules="jamaica-en", seats=2, seed="1", nodes=1, turns=2, columns=["observation", "mask"]
    )
    play_game(config, 0)


def warm_reviews() -> None:
    """Compile what splits a game into luck and decisions."""
    from cartagena.players.luck import get_ready

    get_ready()


PARTS: Final[tuple[Part, ...]] = (
    *BACKENDS,
    ("tuning: games of the evaluation", warm_tuning),
    ("computer players: search", warm_search),
    ("training: games to learn from", warm_training),
    ("computer players: turns", warm_gunner),
    ("reviews and arena: luck and decisions", warm_reviews),
    ("environments", warm_environments),
    ("environments: opponents", warm_opponents),
    ("environments: one game", warm_one_game),
    *((("data sets: games of the simple levels", warm_datasets),) if find_spec("pyarrow") else ()),
)
"""Everything that is compiled, in order. Data sets are written only where the extra ``rl`` is installed."""


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
    """Compile the computer players, rollouts, environments, data sets, tuning and training ahead of time."""
    if players:
        return warm_players()
    before = time.monotonic()
    compile_parts(PARTS, ProgressLines())
    return typer.echo(f"Everything is compiled ({time.monotonic() - before:.1f} s).")
