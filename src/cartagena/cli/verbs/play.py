"""``cartagena play``: a game in the terminal."""

import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from cartagena.game import CartagenaError, Game, Record
from cartagena.game.render.captions import title_of
from cartagena.game.rng import Chance, new_seed
from cartagena.rulesets import load

from ..interrupts import INTERRUPTED
from ..shared_options import Code, Rules, Setup, load_code, takes
from ..terminal.play import Chooser, Leave, TerminalGame
from ..terminal.screen import Terminal
from ..terminal.words import Words, language_of

YOU = "you"
LINK: Final = "link"
"""The seat of a person who joins by an invitation, at a server."""
AT_SERVER: Final = ("seats", "style", "pirates", "pieces", "deal")
"""The options of the deal that a server leaves to the person who sets a table up."""


@dataclass(frozen=True)
class AtServer:
    """The options of a game at a server."""

    server: Annotated[
        str | None, typer.Option(metavar="URL", help="Play at this server; an invitation is joined at once.")
    ] = None
    name: Annotated[str, typer.Option(help="Your name at a server.")] = ""
    days: Annotated[
        int | None, typer.Option(help="Set tables up by post, with 1, 2, 3, 7 or 14 days a turn.", show_default="live")
    ] = None
    late: Annotated[str, typer.Option(help="By post, what follows when days run out: computer or resign.")] = "computer"

    def new_table(self, rules: str, setup: Setup, seats: list[str]) -> dict[str, Any]:
        """What a server is asked to set up."""
        given = {key: value for key, value in asdict(setup).items() if value is not None}
        for key in given.keys() - set(AT_SERVER):
            raise CartagenaError(f"--{key} cannot be chosen at a server")
        wanted = given.pop("seats", 2)
        named = seats or [YOU, *[LINK] * (wanted - 1)]
        people = {YOU: {"kind": "here", "name": self.name}, LINK: {"kind": "link"}}
        chosen = load(rules)
        variant = {"variant": chosen.to_data()} if chosen.is_variant else {}
        clock = {} if self.days is None else {"clock": {"kind": "post", "days": self.days, "late": self.late}}
        players = [people.get(each, {"kind": "computer", "level": each}) for each in named]
        return {"rules": chosen.name, "seats": players, **given, **variant, **clock}


def resumed(name: str) -> Game:
    """The game of a record. A record without a seed gets a new one for the cards still to be dealt."""
    game = Game.from_record(Record.read(name))
    if game.chance is None:
        game.tags["Seed"] = new_seed()
        game.chance = Chance.from_seed(game.tags["Seed"])
    return game


@takes(AtServer, "at_server")
@takes(Setup, "setup")
def command(
    rules: Rules = "tortuga-en",
    *,
    setup: Setup,
    at_server: AtServer,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            help="The player of the next seat: you, a computer player such as captain, or at a server link. Repeatable."
        ),
    ] = None,
    resume: Annotated[str | None, typer.Option(metavar="FILE", help="Continue a saved game.")] = None,
    code: Code = None,
    language: Annotated[
        str | None, typer.Option(metavar="CODE", help="en, de, es, fr, it, nl or sv.", show_default="by LANG")
    ] = None,
) -> None:
    """Play in the terminal: one to five people at one keyboard, or with others at a server."""
    words = Words(language_of(language, os.environ))
    if at_server.server is not None:
        if resume or code:
            raise CartagenaError("--resume and --code belong to a game without a server")
        visit(at_server.server, at_server.new_table(rules, setup, seat or []), at_server.name, words)
        return
    load_code(code)
    if seat and setup.seats is None:
        setup = replace(setup, seats=len(seat))
    game = resumed(resume) if resume else setup.new_game(rules)
    table = TerminalGame(game, Terminal(), choosers(seat or [], game.seats), words)
    if resume:
        table.saved_as.add(Path(resume).expanduser())
    sit(table)


def visit(address: str, new_table: dict[str, Any], name: str, words: Words) -> None:
    """Play at a server until the person leaves."""
    from ..terminal.connection import INVITATION, Connection, split_link
    from ..terminal.my_tables import MyTables

    connection = Connection(split_link(address)[0], words)
    terminal = Terminal()
    try:
        MyTables(connection, terminal, new_table, name).run(address if INVITATION in address else "")
    except (EOFError, Leave):
        terminal.say(words("finished"))
    except KeyboardInterrupt:
        terminal.say("\n" + words("finished"))
        raise typer.Exit(INTERRUPTED) from None


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
        table.terminal.say(
            table.words("welcome", title=title_of(table.game.rules, table.words.board), seats=table.game.seats)
        )
        table.run()
    except (EOFError, Leave):
        farewell(table)
    except KeyboardInterrupt:
        farewell(table)
        raise typer.Exit(INTERRUPTED) from None
    else:
        farewell(table)


def farewell(table: TerminalGame) -> None:
    over = table.game.is_over
    table.terminal.say(table.words("finished") if over else f"\n{table.words('unfinished')}")
