"""The record of a finished table, with what is needed to prove its deal."""

from datetime import UTC, datetime

from cartagena.game import Move, Record
from cartagena.game.fair_deal import SIZES, commitment

from ..protocol.errors import Refused
from .events import Requester
from .state import Table


def table_record(table: Table, who: Requester) -> Record:
    """Everything, for those who sat there, once the game is over."""
    if not who.seats:
        raise Refused("not-seated", "The record is for those who sat at the table.")
    if table.stage != "over" or table.opening is None:
        raise Refused("not-over", "The record is open when the game is over.")
    moves: list[Move] = []
    for item in table.played:
        moves.append(item.move)
        moves += [Move(f"+{card}") for card in item.cards]
    return Record(table.opening, moves, tags=record_tags(table))


def record_tags(table: Table) -> dict[str, str]:
    """Who played when, and the proof of the deal. A resignation is told here, since the rules do not know it."""
    tags = {"Date": datetime.fromtimestamp(table.created / 1000, UTC).strftime("%Y-%m-%d"), "Table": table.id}
    for seat in range(1, table.seats + 1):
        chair = table.chair(seat)
        tags[f"Seat{seat}"] = chair.name or chair.level or f"Seat {seat}"
    if table.setup.style != "printed":
        tags["Style"] = table.setup.style
    for tag, key in SIZES.items():
        if getattr(table.setup, key) is not None:
            tags[tag] = str(getattr(table.setup, key))
    tags |= {f"Salt{number}": salt for number, salt in enumerate(table.salts, 1) if salt}
    if table.setup.lots:
        tags["Lots"] = " ".join(map(str, table.order))
    if table.outcome is not None and table.outcome[1] == "resigned":
        tags["Termination"] = f"resigned, seat {table.outcome[0]} wins"
    return tags | {"Commitment": commitment(table.secret), "Secret": table.secret}
