"""``cartagena play``: a game in the terminal."""

from pathlib import Path
from typing import Annotated

import typer

from cartagena.game import CartagenaError, Game, Record
from cartagena.game.rng import Chance, new_seed

from .. import INTERRUPTED, options
from ..terminal.game import Chooser, Leave, Table
from ..terminal.screen import Terminal

YOU = "you"


def resumed(name: str) -> Game:
    """The game a record tells; one without a seed gets a new one for the cards still to come."""
    game = Game.from_record(Record.read(name))
    if game.chance is None:
        game.tags["Seed"] = new_seed()
        game.chance = Chance.from_seed(game.tags["Seed"])
    return game


def command(
    rules: options.Rules = "tortuga-en",
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
    seat: Annotated[
        list[str] | None, typer.Option(help="Who sits there: you, or a player such as captain; once for each seat.")
    ] = None,
    resume: Annotated[str | None, typer.Option(metavar="FILE", help="Go on with a game that was saved.")] = None,
) -> None:
    """Play in the terminal: one to five people at one keyboard, hidden hands covered between turns."""
    sizes = options.given(pieces=pieces, pirates=pirates, deal=deal, actions=actions, cards=cards, style=style)
    if seat and seats is None:
        seats = len(seat)
    game = resumed(resume) if resume else Game.new(rules, seats=seats, seed=seed, board=board, **sizes)
    table = Table(game, Terminal(), choosers(seat or [], game.seats))
    if resume:
        table.saved_as.add(Path(resume).expanduser())
    sit(table)


def choosers(names: list[str], seats: int) -> dict[int, Chooser]:
    """The seats that computer players take; a seat that is not named is a person's."""
    if len(names) > seats:
        raise CartagenaError(f"there are {seats} seats, but {len(names)} were named")
    found: dict[int, Chooser] = {}
    for number, name in enumerate(names, 1):
        if name != YOU:
            from cartagena.players import create

            found[number] = create(name, number).decide
    return found


def sit(table: Table) -> None:
    """Play, and leave politely however it ends."""
    try:
        table.terminal.say(f"{table.game.rules.title}, {table.game.seats} players. Type help at any time.")
        table.run()
    except (EOFError, Leave):
        farewell(table)
    except KeyboardInterrupt:
        farewell(table)
        raise typer.Exit(INTERRUPTED) from None
    else:
        farewell(table)


def farewell(table: Table) -> None:
    table.terminal.say("Fair winds!" if table.game.is_over else "\nThe game is not finished. Fair winds!")
