"""The options that say how a table is laid: shared by ``new`` and ``play``."""

from typing import Annotated, Any

import typer

Rules = Annotated[
    str, typer.Argument(help="A rule set such as tortuga-en or jamaica-de+cards9, or your own .toml file.")
]
Seats = Annotated[int | None, typer.Option(help="Players, 2 to 5.", show_default="2")]
Seed = Annotated[str | None, typer.Option(help="The same seed deals the same game.", show_default="a new one")]
Pieces = Annotated[int | None, typer.Option(help="Pieces in the tunnel, 1 to 6, to 8 with style random.")]
Pirates = Annotated[int | None, typer.Option(help="Pirates a player, 1 to 8.")]
Deal = Annotated[int | None, typer.Option(help="Cards dealt to each player, 0 to 12.")]
Actions = Annotated[int | None, typer.Option(help="Actions a turn, 1 to 5.")]
Cards = Annotated[int | None, typer.Option(help="Cards of each sign, 2 to 20.")]
Style = Annotated[str | None, typer.Option(help="Board style: printed, or random for shuffled signs.")]
Board = Annotated[str | None, typer.Option(help="The board itself, for example BPHSDK/DBKPHS.")]


def given(**sizes: Any) -> dict[str, Any]:
    """Those of the options that were given."""
    return {key: value for key, value in sizes.items() if value is not None}
