"""``cartagena warmup``: compile ahead what is compiled on first use."""

import time
from threading import Event, Timer
from typing import Annotated

import typer

from cartagena.backends import warmup

NOTICED = 3.0
"""Seconds after which somebody may wonder what is going on."""


def say(done: int, parts: int, what: str) -> None:
    """One line for each part."""
    if what:
        typer.echo(f"{done + 1} of {parts}: {what} ...", err=True)


def warm_players() -> None:
    """Compile the computer players; what was compiled before is ready at once and not worth a word."""
    from cartagena.players.warmup import warm_gunner, warm_search

    before, noticed = time.monotonic(), Event()
    telling = Timer(NOTICED, tell_of_the_wait, [noticed])
    telling.daemon = True
    telling.start()
    warm_gunner()
    warm_search()
    telling.cancel()
    telling.join()  # so that who was told of the wait, and nobody else, is told of its end
    if noticed.is_set():
        typer.echo(f"The computer players are ready ({time.monotonic() - before:.0f} s).")


def tell_of_the_wait(noticed: Event) -> None:
    """Say that it takes a while, and note that it was said."""
    noticed.set()
    typer.echo("Getting the computer players ready; the first time takes half a minute ...")


def command(
    players: Annotated[
        bool, typer.Option("--players", help="Only the computer players; no word if it is quick.")
    ] = False,
) -> None:
    """Compile ahead what computer players, rollouts and batches need, so that nobody waits for it later."""
    import cartagena.players.warmup  # noqa: F401  # adds the players to what is compiled

    if players:
        return warm_players()
    before = time.monotonic()
    warmup(say)
    return typer.echo(f"Everything is compiled ({time.monotonic() - before:.1f} s).")
