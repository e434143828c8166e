"""``cartagena new``: deal a game."""

from typing import Annotated

import typer

from cartagena.game import Game

from .. import options
from ..output import AsJson, emit


def command(
    rules: options.Rules = "jamaica-en",
    *,
    seats: options.Seats = None,
    seed: options.Seed = None,
    pieces: options.Pieces = None,
    pirates: options.Pirates = None,
    deal: options.Deal = None,
    actions: options.Actions = None,
    cards: options.Cards = None,
    style: options.Style = None,
    board: options.Board = None,
    record: Annotated[
        bool, typer.Option("--record", help="Print a record to go on with, not only the position.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Deal a new game and print its position."""
    sizes = options.given(pieces=pieces, pirates=pirates, deal=deal, actions=actions, cards=cards, style=style)
    game = Game.new(rules, seats=seats, seed=seed, board=board, **sizes)
    data = {"position": str(game.position), "rules": game.rules.name, "seats": game.seats, "seed": game.tags["Seed"]}
    if record:
        emit(str(game.record()).rstrip("\n"), game.record().to_json(), as_json)
    else:
        emit(str(game.position), data, as_json)
