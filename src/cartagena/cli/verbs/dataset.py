"""``cartagena dataset``: games of computer players as a Parquet file."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cartagena.game import CartagenaError
from cartagena.game.plurals import counted

from .. import shared_options
from ..output import progress_bar

if TYPE_CHECKING:
    from cartagena.rl.dataset import DatasetConfig


@dataclass(frozen=True)
class GameOptions:
    """Which games are played, and what is kept of them."""

    games: Annotated[int, typer.Option(min=1, help="Number of games.")] = 100
    players: Annotated[str, typer.Option(help="One player for all seats, or one per seat, separated by commas.")] = (
        "sailor"
    )
    rules: Annotated[str, typer.Option(help="A rule set, such as tortuga-en, or a .toml file.")] = "jamaica-en"
    seats: Annotated[int | None, typer.Option(help="Players at the table, 2 to 5.", show_default="as named")] = None
    seed: Annotated[str, typer.Option(help="The same seed gives the same file.")] = "1"
    nodes: Annotated[int, typer.Option(min=1, help="Nodes that a player may search per decision.")] = 1000
    turns: Annotated[int, typer.Option(min=1, help="Turns after which a game is broken off.")] = 1000
    columns: Annotated[
        str, typer.Option(help="More columns, separated by commas: observation, mask, policy, value.")
    ] = ""
    shard: Annotated[int, typer.Option(min=0, help="Write a folder of files with this many games each.")] = 0

    @property
    def names(self) -> list[str]:
        """The names of the players."""
        return [name.strip() for name in self.players.split(",")]

    def config(self) -> "DatasetConfig":
        """The configuration of the dataset. Raises CartagenaError."""
        from cartagena.rl.dataset import DatasetConfig

        more = [name.strip() for name in self.columns.split(",") if name.strip()]
        given = {key: value for key, value in asdict(self).items() if key not in ("players", "games", "columns")}
        return DatasetConfig.of(self.names, self.games, columns=more, **given)


WITHOUT: Final = {"policy": ("random", "deckhand", "sailor", "gunner"), "value": ("random", "deckhand", "sailor")}
"""The columns that some players leave empty, with the names of these."""


@shared_options.takes(GameOptions, "played")
def command(
    out: Annotated[Path, typer.Argument(help="The file to write, for example games.parquet.")],
    *,
    played: GameOptions,
    code: shared_options.Code = None,
    processes: Annotated[int | None, typer.Option(min=1, help="Games at a time.", show_default="all cores")] = None,
    on: shared_options.On = "local",
) -> None:
    """Write every position, view, move and result of games between players to a Parquet file.

    Run the same command again to continue interrupted work. A folder of shards grows when it is run with more games.
    """
    if played.shard and out.suffix:
        raise CartagenaError(f"{out}: shards are written to a folder; choose a name without an ending")
    if out.suffix not in ("", ".parquet"):
        raise CartagenaError(f"{out}: datasets are Parquet files; choose a name that ends in .parquet")
    try:
        from cartagena.rl.dataset import write_dataset
    except ModuleNotFoundError as error:
        raise CartagenaError(f"datasets need {error.name}: pip install 'cartagena[rl]'.") from None
    from cartagena.jobs import executor

    shared_options.load_code(code)
    config = played.config()
    for column, without in WITHOUT.items():
        if column in config.columns and set(config.players) <= set(without):
            typer.echo(
                f"The column {column} will be empty: no player of this data set gives one; captain does.", err=True
            )
    with progress_bar() as progress:
        task = progress.add_task("games", total=config.games)
        workers = executor(on, processes, wanted=frozenset(played.names))
        write_dataset(config, out, lambda done: progress.update(task, completed=done), workers)
    typer.echo(f"{out}: {counted(config.games, 'game')}.")
