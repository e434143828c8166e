"""``cartagena play``: a game in the terminal."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from cartagena.game import CartagenaError, Game, Record
from cartagena.game.rng import Chance, new_seed

from .. import INTERRUPTED
from ..shared_options import Code, Rules, Setup, load_code, takes
from ..terminal.play import Chooser, Leave, TerminalGame
from ..terminal.screen import Terminal

YOU = "you"


def resumed(name: str) -> Game:
    """The game of a record. A record without a seed gets a new one for the cards still to be dealt."""
    game = Game.from_record(Record.read(name))
    if game.chance is None:
        game.tags["Seed"] = new_seed()
        game.chance = Chance.from_seed(game.tags["Seed"])
    return game


@takes(Setup, "setup")
def command(
    rules: Rules = "tortuga-en",
    *,
    setup: Setup,
    seat: Annotated[
        list[str] | None,
        typer.Option(help="The player of the next seat: you, or a computer player such as captain. Repeatable."),
    ] = None,
    resume: Annotated[str | None, typer.Option(metavar="FILE", help="Continue a saved game.")] = None,
    code: Code = None,
) -> None:
    """Play in the terminal: one to five people at one keyboard, hidden hands covered between turns."""
    load_code(code)
    if seat and setup.seats is None:
        setup = replace(setup, seats=len(seat))
    game = resumed(resume) if resume else setup.new_game(rules)
    table = TerminalGame(game, Terminal(), choosers(seat or [], game.seats))
    if resume:
        table.saved_as.add(Path(resume).expanduser())
    sit(table)


def choosers(names: list[str], seats: int) -> dict[int, Chooser]:
    """The computer players by seat. The other seats are people."""
    if len(names) > seats:
        raise CartagenaError(f"there are {seats} seats, but {len(names)} players were named")
    by_seat: dict[int, Chooser] = {}
    for number, name in enumerate(names, 1):
        if name != YOU:
            from cartagena.players import create

            by_seat[number] = create(name, number).decide
    return by_seat


def sit(table: TerminalGame) -> None:
    """Play, and say goodbye however the game ends."""
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


def farewell(table: TerminalGame) -> None:
    table.terminal.say("Fair winds!" if table.game.is_over else "\nThe game is not finished. Fair winds!")
