"""``cartagena balance``: how balanced a rule set is."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import shared_options
from ..output import AsJson, emit, progress_bar

if TYPE_CHECKING:
    from cartagena.arena import Result


def command(
    rules: shared_options.Rules,
    *,
    seats: Annotated[
        int | None, typer.Option(min=2, max=5, help="Number of seats.", show_default="the rule set's, or 2")
    ] = None,
    games: Annotated[int, typer.Option(min=1, max=10_000_000, help="Random games.")] = 20_000,
    player: Annotated[
        str, typer.Option(help="The level that plays against itself, such as captain@200n.")
    ] = "gunner@1n",
    level_games: Annotated[int, typer.Option(min=1, max=100_000, help="Games of the level.")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the deals; the same seed deals the same games.")] = 1,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a picture of what each seat won.")] = None,
    processes: Annotated[int | None, typer.Option(min=1, help="Games at a time.", show_default="all cores")] = None,
    as_json: AsJson = False,
) -> None:
    """Play a rule set at random and with one level at every seat: wins by seat, length, deadlocks, luck."""
    from cartagena.arena.balance import BalanceConfig, measure
    from cartagena.game.files import write_whole
    from cartagena.jobs import executor

    config = BalanceConfig(rules, seats or 0, player, games, level_games, seed)
    workers = executor("local", processes, wanted=config.contest().wanted())
    with progress_bar() as progress:
        task = progress.add_task(f"games of {player}", total=level_games)

        def tell(_: "Result") -> None:
            progress.update(task, advance=1)

        found = measure(config, tell, workers)
    emit(found.text(), found.data(), as_json)
    if svg:
        write_whole(svg, found.svg())
