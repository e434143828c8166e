"""``cartagena legal``: the legal moves of a position."""

from typing import Annotated

import typer

from .. import inputs
from ..output import AsJson, emit

PositionWords = Annotated[
    list[str], typer.Argument(metavar="POSITION", help="A position in one word or nine, or - for standard input.")
]


def command(position: PositionWords, as_json: AsJson = False) -> None:
    """List the legal moves of a position, one a line."""
    moves = inputs.read_position(position).legal_words()
    if moves or as_json:
        emit("\n".join(moves), {"moves": moves}, as_json)
