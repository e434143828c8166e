"""``cartagena apply``: play moves on a position."""

from typing import Annotated

import typer

from .. import inputs
from ..output import AsJson, emit


def command(
    words: Annotated[
        list[str],
        typer.Argument(metavar="POSITION MOVE...", help="A position in one word or nine, or -, and the moves to play."),
    ],
    as_json: AsJson = False,
) -> None:
    """Play moves on a position and print the one they lead to."""
    position, moves = inputs.split_position(words)
    after = str(position.play(*moves))
    emit(after, {"position": after}, as_json)
