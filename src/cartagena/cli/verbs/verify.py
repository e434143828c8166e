"""``cartagena verify``: verify the deal of a record."""

from typing import Annotated

import typer

from cartagena.game import fair_deal

from .. import inputs


def command(
    record: Annotated[str, typer.Argument(metavar="RECORD", help="A record file, or - for standard input.")],
) -> None:
    """Verify that every card of a recorded game follows from the secret that was committed to before the deal."""
    typer.echo(fair_deal.check(inputs.read_record(record)))
