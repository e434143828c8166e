"""``cartagena train``: train a network by self-play."""

import shlex
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import shared_options

if TYPE_CHECKING:
    from cartagena.arena.train_config import TrainConfig


@dataclass(frozen=True)
class Learning:
    """What is learned from how much play: the fields of ``TrainConfig``."""

    generations: Annotated[int, typer.Option(min=1, help="Networks to train, one after the other.")] = 3
    games: Annotated[int, typer.Option(min=4, help="Games per generation.")] = 2000
    epochs: Annotated[float, typer.Option(min=0.01, help="How often a generation trains on each sample.")] = 6.0
    seconds: Annotated[
        float, typer.Option(min=0, help="Seconds to play per generation, instead of a number of games.")
    ] = 0.0
    nodes: Annotated[int, typer.Option(min=16, help="Nodes of a search.")] = 300
    gate: Annotated[int, typer.Option(min=2, help="Games that decide whether a network replaces the champion.")] = 1000
    window: Annotated[int, typer.Option(min=1, help="Generations of games to learn from.")] = 5
    share: Annotated[float, typer.Option(min=0, max=1, help="Part of a game's result in the target.")] = 0.3
    rate: Annotated[float, typer.Option(min=1e-6, max=1, help="Learning rate.")] = 1.5e-3
    seed: Annotated[int, typer.Option(help="Seed; the same seed and games find the same network.")] = 1
    start: Annotated[
        str,
        typer.Option(metavar="FILE", help="First champion: tuned, hand, or a file; for more seats also one for two."),
    ] = "tuned"
    trainer: Annotated[str, typer.Option(help="torch (extra train), numpy, or auto.")] = "auto"
    device: Annotated[str, typer.Option(help="cuda, cpu, or auto.")] = "auto"
    quick: Annotated[
        int, typer.Option(min=0, help="Games of each round of quick self-play before the first generation; 0: none.")
    ] = 0
    rounds: Annotated[int, typer.Option(min=1, max=9, help="Rounds of quick self-play.")] = 2
    mix: Annotated[
        float, typer.Option(min=0.01, max=1, help="Part of searched games in what is learned after quick self-play.")
    ] = 0.4


@dataclass(frozen=True)
class Work:
    """Where the work is done, and for how long."""

    minutes: Annotated[float, typer.Option(min=0, help="Finish within this many minutes; 0: no limit.")] = 0.0
    processes: Annotated[int, typer.Option(min=0, help="Processes that play games; 0: all cores.")] = 0
    on: shared_options.On = "local"


@shared_options.takes(Learning, "learning")
@shared_options.takes(Work, "work")
def command(
    rules: shared_options.Rules = "tortuga-en",
    *,
    learning: Learning,
    work: Work,
    seats: Annotated[
        list[int] | None, typer.Option(help="Number of seats: 2, or any above. Repeatable.", show_default="2")
    ] = None,
    data: Annotated[str | None, typer.Option(metavar="FOLDER", help="Games and progress.", show_default="NAME")] = None,
    out: Annotated[str | None, typer.Option(metavar="FILE", help="File to write.", show_default="NAME.network")] = None,
) -> None:
    """Train a network by self-play. The same command continues after an interruption."""
    from cartagena.arena.train import Training
    from cartagena.arena.train_config import TrainConfig
    from cartagena.jobs import executor

    tables = tuple(sorted(set(seats or [2])))
    config = TrainConfig(rules, tables, **asdict(learning))
    target = Path(out or f"{config.stem}.network")
    typer.echo(f"Training {config.name}. The first run compiles the search, which takes a minute.", err=True)
    tell = lambda line: typer.echo(line, err=True)  # noqa: E731
    workers = executor(work.on, work.processes or None)
    Training(config, Path(data or config.stem), target, workers, tell, work.minutes).run()
    if target.exists():
        typer.echo(str(target))
    else:
        typer.echo(
            "No network has beaten the start. Train longer in another folder: "
            f"{more_games(config)} --data {shlex.quote(f'{config.stem}-more')}",
            err=True,
        )


def more_games(config: "TrainConfig") -> str:
    """The command of a training with twice the games."""
    return replace(config, games=2 * config.games).command
