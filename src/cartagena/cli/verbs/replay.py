"""``cartagena replay``: a recorded game, turn by turn."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Annotated

import typer

from cartagena.game import Entry, Position, Record
from cartagena.game.entries import write_entry
from cartagena.game.seats import colour

from .. import inputs, shared_options
from ..output import AsJson, emit
from ..sentences import harmless, why_no_winner


@dataclass(frozen=True)
class ReplayTurn:
    """One turn: its number, its seat, what was played, and the position after it."""

    number: int
    seat: int
    entries: list[Entry]
    after: Position


def turns(record: Record) -> Iterator[ReplayTurn]:
    """The turns of a record."""
    positions = record.positions()
    position = next(positions)
    for number, entries in enumerate(record.turns(), 1):
        seat = position.active
        *_, position = islice(positions, len(entries))
        yield ReplayTurn(number, seat, entries, position)


def tell(turn: ReplayTurn) -> str:
    """A turn as one line of text."""
    moves = harmless(" ".join(map(write_entry, turn.entries)))
    return f"{turn.number}. {colour(turn.seat - 1)}: {moves}"


def as_data(turn: ReplayTurn) -> dict[str, object]:
    """A turn as data."""
    return {
        "turn": turn.number,
        "seat": turn.seat,
        "moves": [entry.to_json() for entry in turn.entries],
        "position": str(turn.after),
    }


def result(record: Record) -> str:
    """The result in words."""
    outcome = record.final.outcome() if record.final else None
    if outcome is None:
        return "The game is not finished."
    return f"{colour(outcome.winner - 1).capitalize()} has won." if outcome.winner else why_no_winner(record.final)


def page(record: Record, boards: bool) -> str:
    """The whole game as text."""
    lines = [harmless(f"{key}: {value}") for key, value in record.tags.items() if key != "Result"]
    lines += ["", record.opening.text(), ""]
    for turn in turns(record):
        lines.append(tell(turn))
        if boards:
            lines += ["", turn.after.text(), ""]
    if record.moves and not boards:
        lines += ["", (record.final or record.opening).text(), ""]
    return "\n".join([*lines, result(record)])


def command(
    name: Annotated[str, typer.Argument(metavar="RECORD", help="A record file, or - for standard input.")],
    boards: Annotated[bool, typer.Option("--boards", help="Show the board after every turn.")] = False,
    rules: shared_options.RulesOf = None,
    as_json: AsJson = False,
) -> None:
    """Print a recorded game turn by turn, after checking every move."""
    record = inputs.read_record(name, rules)
    if as_json:
        replayed = [as_data(turn) for turn in turns(record)]
        data = {"tags": dict(record.tags), "opening": str(record.opening), "turns": replayed}
        emit("", {**data, "result": record.tags["Result"]}, as_json=True)
    else:
        emit(page(record, boards), None, as_json=False)
