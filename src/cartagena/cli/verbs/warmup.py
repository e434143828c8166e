"""``cartagena warmup``: compile ahead of time what is compiled on first use."""

import time
from threading import Event, Timer
from typing import Annotated

import typer

from cartagena.backends import warmup

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


def warm_players() -> None:
    """Compile the computer players, silently if they are compiled already."""
    from cartagena.players.warmup import warm_gunner, warm_search

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
    import cartagena.arena.warmup
    import cartagena.players.warmup
    import cartagena.rl.warmup  # noqa: F401  # they add the players, tuning and environments to what is compiled

    if players:
        return warm_players()
    before = time.monotonic()
    warmup(ProgressLines())
    return typer.echo(f"Everything is compiled ({time.monotonic() - before:.1f} s).")
