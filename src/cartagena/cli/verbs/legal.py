"""``cartagena legal``: the legal moves of a position."""

from typing import Annotated

import typer

from .. import inputs, shared_options
from ..output import AsJson, emit

PositionWords = Annotated[
    list[str], typer.Argument(metavar="POSITION", help="A position: quoted, or as nine words, or - for standard input.")
]


def command(position: PositionWords, rules: shared_options.RulesOf = None, as_json: AsJson = False) -> None:
    """List the legal moves of a position, one per line."""
    moves = inputs.read_position(position, rules).legal_words()
    if moves or as_json:
        emit("\n".join(moves), {"moves": moves}, as_json)
