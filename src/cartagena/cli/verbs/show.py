"""``cartagena show``: a position, or the last position of a record, as text or as a picture."""

from typing import Annotated

import typer

from cartagena.game.files import write_whole

from .. import inputs, shared_options
from ..terminal.colours import paint

STDOUT = "-"


def command(
    what: Annotated[
        list[str], typer.Argument(metavar="POSITION|RECORD", help="A position, a record file, or - for standard input.")
    ],
    svg: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write an SVG picture instead; - is standard output.")
    ] = None,
    seat: Annotated[int | None, typer.Option(help="Show only what this seat may know; 0 is a spectator.")] = None,
    rules: shared_options.RulesOf = None,
) -> None:
    """Show a position, or the last position of a record, as text or as a picture."""
    position = inputs.read_shown(what, rules)
    if seat is not None:
        position = position.view(seat)
    if svg is None:
        typer.echo(paint(position.text()))  # echo drops colours unless the output is a terminal
    elif svg == STDOUT:
        typer.echo(position.svg().rstrip("\n"))
    else:
        write_whole(svg, position.svg())
