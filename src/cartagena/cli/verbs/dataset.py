"""``cartagena dataset``: games of computer players as a Parquet file for research."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cartagena.game import CartagenaError

if TYPE_CHECKING:
    from rich.progress import Progress


def command(
    out: Annotated[Path, typer.Argument(help="The file to write, for example games.parquet.")],
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 100,
    players: Annotated[
        str, typer.Option(help="One player for all seats, or one for each with commas between them.")
    ] = "sailor",
    rules: Annotated[str, typer.Option(help="A rule set such as tortuga-en, or your own .toml file.")] = "jamaica-en",
    seats: Annotated[int | None, typer.Option(help="Players at the table, 2 to 5.", show_default="as named")] = None,
    seed: Annotated[str, typer.Option(help="The same seed gives the same file.")] = "1",
    nodes: Annotated[int, typer.Option(min=1, help="How far a player may look for one choice, in nodes.")] = 1000,
    turns: Annotated[int, typer.Option(min=1, help="A game is stopped after so many turns.")] = 1000,
) -> None:
    """Let players play among themselves and write every position, view, move and result to a Parquet file.

    Work that was interrupted goes on where it was when the same command is given again.
    """
    try:
        from cartagena.rl.dataset import Plan, write_dataset
    except ModuleNotFoundError as error:
        raise CartagenaError(f"datasets need {error.name}: pip install 'cartagena[rl]'.") from None
    names = [name.strip() for name in players.split(",")]
    plan = Plan.of(names, games, rules=rules, seats=seats, seed=seed, nodes=nodes, turns=turns)
    with bar() as progress:
        task = progress.add_task("games", total=games)
        write_dataset(plan, out, lambda done: progress.update(task, completed=done))
    typer.echo(f"{out}: {games} games.")


def bar() -> "Progress":
    """A progress bar on standard error, where a person looks at it."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(file=sys.stderr), disable=not sys.stderr.isatty())
