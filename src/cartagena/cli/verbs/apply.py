"""``cartagena apply``: play moves on a position."""

from typing import Annotated

import typer

from .. import inputs, shared_options
from ..output import AsJson, emit


def command(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="POSITION MOVE...",
            help="A position (quoted, or as nine words, or - for standard input) and the moves to play.",
        ),
    ],
    rules: shared_options.RulesOf = None,
    as_json: AsJson = False,
) -> None:
    """Play moves on a position and print the result."""
    position, moves = inputs.split_position(words, rules)
    after = str(position.play(*moves))
    emit(after, {"position": after}, as_json)
