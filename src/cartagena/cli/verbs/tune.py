"""``cartagena tune``: find weights for the evaluation by self-play."""

from pathlib import Path
from typing import Annotated

import typer

from .. import options


def command(
    rules: options.Rules = "jamaica-en",
    *,
    seats: Annotated[list[int] | None, typer.Option(help="Seats; several times for several.", show_default="2")] = None,
    generations: Annotated[int, typer.Option(min=1, help="How often to play and fit.")] = 5,
    games: Annotated[int, typer.Option(min=100, help="Games a generation.")] = 12_000,
    seed: Annotated[int, typer.Option(help="The same seed finds the same weights.")] = 1,
    whole_turns: Annotated[
        int, typer.Option(min=0, help="How many of them, the last ones, play whole turns; slower, and closer to play.")
    ] = 0,
    half_way: Annotated[
        bool, typer.Option("--half-way", help="The last generation goes half of its way only.")
    ] = False,
    start: Annotated[str | None, typer.Option(metavar="FILE", help="Weights to start from.")] = None,
    out: Annotated[str | None, typer.Option(metavar="FILE", help="Where to write.", show_default="SET.json")] = None,
) -> None:
    """Tune the evaluation's weights by self-play, and write them after every generation."""
    from cartagena.arena.tune import TuneConfig, tune

    tables = tuple(sorted(set(seats or [2])))
    config = TuneConfig(rules, tables, generations, games, seed, start or "", whole_turns, half_way)
    target = Path(out or f"{config.name}.json")

    def tell(generation: int, what: str, number: float) -> None:
        typer.echo(f"generation {generation + 1} of {generations}: {what} {number:g}", err=True)

    typer.echo(f"Tuning {config.name}; the first time the players are compiled, which takes half a minute.", err=True)
    tune(config, target, tell)
    typer.echo(str(target))
