"""``cartagena leaderboard``: results of several files together, as text, data or a page."""

from pathlib import Path
from typing import Annotated

import typer

from cartagena.game import CartagenaError
from cartagena.game.files import write_whole

from ..output import AsJson, emit


def command(
    files: Annotated[list[Path], typer.Argument(help="Files of results that arena --out has written.")],
    *,
    html: Annotated[str | None, typer.Option(metavar="FILE", help="Write a page that needs nothing else.")] = None,
    merged: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the results of all files to one, for one kind of game.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Rate the players of several contests together: by rule set, number of seats and suite of openings."""
    from cartagena.arena.leaderboard import data, merge, page, text, write_merged

    boards = merge(files)
    emit(text(boards), data(boards), as_json)
    if html:
        write_whole(html, page(boards))
    if merged:
        if len(boards) > 1:
            raise CartagenaError(f"{merged}: the files have {len(boards)} kinds of games; merge one kind at a time")
        write_merged(boards[0], Path(merged))
