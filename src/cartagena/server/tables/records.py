"""The record of a finished table, and the commitment to its deal, published before any person adds randomness."""

from dataclasses import replace
from datetime import UTC, datetime

from cartagena.game import Move, Record
from cartagena.game.fair_deal import Terms, commitment
from cartagena.game.variants import SIZES

from ..protocol.errors import Refused
from .events.game import table_rules
from .state import Table
from .tokens import Requester


def table_record(table: Table, who: Requester) -> Record:
    """The complete record of a finished game, for its players."""
    if not who.seats:
        raise Refused("not-seated", "Only seated players can read the record.")
    if table.stage != "over" or table.opening is None:
        raise Refused("not-over", "The record is available when the game is over.")
    moves = [move for item in table.played.values() for move in (item.move, *(Move(f"+{card}") for card in item.cards))]
    return Record(table.opening, moves, tags=record_tags(table))


def record_tags(table: Table) -> dict[str, str]:
    """Players, date and the proof of the deal. A resignation is a tag, since the rules do not know it.

    A person without a name has no tag; a computer has its level as a tag of its own, so that a person may be called
    like a level.
    """
    tags = {"Date": datetime.fromtimestamp(table.created / 1000, UTC).strftime("%Y-%m-%d"), "Table": table.id}
    for seat in range(1, table.seats + 1):
        chair = table.chair(seat)
        level = chair.level if chair.kind == "computer" else None
        if chair.name or level:
            tags[f"Seat{seat}"] = chair.name or level or ""
        if level:
            tags[f"Level{seat}"] = level
    if table.setup.style != "printed":
        tags["Style"] = table.setup.style
    for tag, key in SIZES.items():
        if getattr(table.setup, key) is not None:
            tags[tag] = str(getattr(table.setup, key))
    tags |= {f"Salt{number}": salt for number, salt in enumerate(table.salts, 1) if salt}
    tags |= computer_tags(table) if table.setup.promise > 2 else {}
    if table.setup.lots:
        tags["Lots"] = " ".join(map(str, table.order))
    if table.outcome is not None and table.outcome[1] == "resigned":
        tags["Termination"] = f"resigned, seat {table.outcome[0]} wins"
    return tags | {"Commitment": table_commitment(table), "Secret": table.secret}


def computer_tags(table: Table) -> dict[str, str]:
    """The chairs of computers: those that the set-up gives them, and those that they were given later."""
    first = chairs_for_computers(table)
    later = [number for number, chair in enumerate(table.chairs, 1) if chair.kind == "computer" and number not in first]
    named = {"Computers": first, "ComputersLater": later}
    return {tag: " ".join(map(str, chairs)) for tag, chairs in named.items() if chairs}


def chairs_for_computers(table: Table) -> tuple[int, ...]:
    """The chairs that the set-up gives to computers."""
    return tuple(number for number, seat in enumerate(table.setup.seats, 1) if seat.kind == "computer")


def table_terms(table: Table) -> Terms:
    """What the commitment of a table binds besides its secret."""
    setup, rules = table.setup, table_rules(table.setup)
    sizes = tuple(getattr(setup, key) for key in SIZES.values())
    terms = Terms(table.id, rules.name, table.seats, setup.style, sizes, setup.lots)
    if setup.promise < 3:
        return terms
    return replace(terms, content=rules.content_hash, computers=chairs_for_computers(table))


def table_commitment(table: Table) -> str:
    """The commitment to the deal; that of a table of version 0.1.0 binds the secret only."""
    return commitment(table.secret, table_terms(table) if table.setup.promise > 1 else None)
