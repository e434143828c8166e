"""``cartagena verify``: verify the deal of a record."""

from typing import Annotated

import typer

from cartagena.game import fair_deal

from .. import inputs, shared_options


def command(
    record: Annotated[str, typer.Argument(metavar="RECORD", help="A record file, or - for standard input.")],
    commitment: Annotated[
        str | None, typer.Option(metavar="HEX", help="The commitment that you saw before the deal.")
    ] = None,
    salt: Annotated[
        list[str] | None, typer.Option(metavar="TEXT", help="The randomness that you added; once for each.")
    ] = None,
    chair: Annotated[
        list[int] | None, typer.Option(metavar="NUMBER", help="The chair where you added it; once for each --salt.")
    ] = None,
    computer: Annotated[
        list[int] | None, typer.Option(metavar="NUMBER", help="A chair that a computer had at the deal; all, or none.")
    ] = None,
    rules: shared_options.RulesOf = None,
) -> None:
    """Verify that every card of a recorded game follows from the secret that was committed to before the deal.

    With --commitment, --salt and --chair it proves that the deal was the promised one. Without them it says what is not
    proved.
    """
    typer.echo(fair_deal.check(inputs.read_record(record, rules), commitment, salt or (), chair or (), computer))
