"""``cartagena tune``: find weights for the evaluation by self-play."""

from pathlib import Path
from typing import Annotated

import typer

from .. import options


def command(
    rules: options.Rules = "jamaica-en",
    *,
    seats: Annotated[list[int] | None, typer.Option(help="Number of seats. Repeatable.", show_default="2")] = None,
    generations: Annotated[int, typer.Option(min=1, help="Rounds of playing and fitting.")] = 5,
    games: Annotated[int, typer.Option(min=100, help="Games per generation.")] = 12_000,
    seed: Annotated[int, typer.Option(help="Seed; the same seed finds the same weights.")] = 1,
    whole_turns: Annotated[
        int,
        typer.Option(
            min=0, help="The last generations that play whole turns, which is slower and closer to real play."
        ),
    ] = 0,
    half_way: Annotated[
        bool, typer.Option("--half-way", help="Stop the last generation half-way between the old and the new weights.")
    ] = False,
    nodes: Annotated[
        int, typer.Option(min=0, help="Search every decision with so many nodes; 0: play one action ahead.")
    ] = 0,
    start: Annotated[str | None, typer.Option(metavar="FILE", help="Weights to start from: a file, or tuned.")] = None,
    out: Annotated[str | None, typer.Option(metavar="FILE", help="File to write.", show_default="SET.json")] = None,
    on: options.On = "local",
) -> None:
    """Tune the evaluation's weights by self-play, and write them after every generation."""
    from cartagena.arena.tune import TuneConfig, tune
    from cartagena.jobs import executor

    tables = tuple(sorted(set(seats or [2])))
    config = TuneConfig(rules, tables, generations, games, seed, start or "", whole_turns, half_way, nodes)
    target = Path(out or f"{config.name}.json")

    def tell(generation: int, what: str, number: float) -> None:
        typer.echo(f"generation {generation + 1} of {generations}: {what} {number:g}", err=True)

    typer.echo(f"Tuning {config.name}. The first run compiles the players, which takes half a minute.", err=True)
    tune(config, target, tell, executor(on))
    typer.echo(str(target))
