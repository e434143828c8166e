"""``cartagena new``: deal a game."""

from typing import Annotated

import typer

from ..output import AsJson, emit
from ..shared_options import Rules, Setup, takes


@takes(Setup, "setup")
def command(
    rules: Rules = "jamaica-en",
    *,
    setup: Setup,
    record: Annotated[bool, typer.Option("--record", help="Print a record instead of the position.")] = False,
    as_json: AsJson = False,
) -> None:
    """Deal a new game and print its position."""
    game = setup.new_game(rules)
    data = {"position": str(game.position), "rules": game.rules.name, "seats": game.seats, "seed": game.tags["Seed"]}
    if record:
        emit(str(game.record()).rstrip("\n"), game.record().to_json(), as_json)
    else:
        emit(str(game.position), data, as_json)
