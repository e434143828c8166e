"""``cartagena tune``: find weights for the evaluation by self-play."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import shared_options

if TYPE_CHECKING:
    from cartagena.arena.tune import TuneConfig


@dataclass(frozen=True)
class Learning:
    """What the weights are learned from: fields of ``TuneConfig``."""

    generations: Annotated[int, typer.Option(min=1, help="Rounds of playing and fitting.")] = 5
    games: Annotated[int, typer.Option(min=100, help="Games per generation.")] = 12_000
    seed: Annotated[int, typer.Option(help="Seed; the same seed finds the same weights.")] = 1
    whole_turns: Annotated[
        int,
        typer.Option(
            min=0, help="The last generations that play whole turns, which is slower and closer to real play."
        ),
    ] = 0
    half_way: Annotated[
        bool, typer.Option("--half-way", help="Stop the last generation half-way between the old and the new weights.")
    ] = False
    nodes: Annotated[
        int, typer.Option(min=0, help="Nodes to search every decision with; 0: play one action ahead.")
    ] = 0
    start: Annotated[str | None, typer.Option(metavar="FILE", help="Weights to start from: a file, or tuned.")] = None

    def config(self, rules: str, tables: tuple[int, ...]) -> "TuneConfig":
        """The configuration for a rule set and numbers of seats."""
        from cartagena.arena.tune import TuneConfig

        return TuneConfig(
            rules,
            tables,
            self.generations,
            self.games,
            self.seed,
            start=self.start or "",
            whole=self.whole_turns,
            half=self.half_way,
            nodes=self.nodes,
        )


@shared_options.takes(Learning, "learning")
def command(
    rules: shared_options.Rules = "jamaica-en",
    *,
    learning: Learning,
    seats: Annotated[list[int] | None, typer.Option(help="Number of seats. Repeatable.", show_default="2")] = None,
    out: Annotated[str | None, typer.Option(metavar="FILE", help="File to write.", show_default="SET.json")] = None,
    on: shared_options.On = "local",
) -> None:
    """Tune the evaluation's weights by self-play, and write them after every generation."""
    from cartagena.arena.tune import tune
    from cartagena.jobs import executor

    config = learning.config(rules, tuple(sorted(set(seats or [2]))))
    target = Path(out or f"{config.name}.json")

    def tell(generation: int, what: str, number: float) -> None:
        typer.echo(f"generation {generation + 1} of {config.generations}: {what} {number:g}", err=True)

    typer.echo(f"Tuning {config.name}. The first run compiles the players, which takes half a minute.", err=True)
    tune(config, target, tell, executor(on))
    typer.echo(str(target))
