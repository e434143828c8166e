"""``cartagena warmup``: compile ahead what is compiled on first use."""

import time

import typer

from cartagena.backends import warmup


def say(done: int, parts: int, what: str) -> None:
    """One line for each part."""
    if what:
        typer.echo(f"{done + 1} of {parts}: {what} ...", err=True)


def command() -> None:
    """Compile ahead what computer players, rollouts and batches need, so that nobody waits for it later."""
    import cartagena.players.warm  # noqa: F401  # adds the players to what is compiled

    before = time.monotonic()
    warmup(say)
    typer.echo(f"Everything is compiled ({time.monotonic() - before:.1f} s).")
