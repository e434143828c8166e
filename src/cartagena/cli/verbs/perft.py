"""``cartagena perft``: count move sequences."""

from typing import Annotated

import typer

from cartagena.game import Position, perft

from .. import inputs, shared_options
from ..output import AsJson, emit
from .legal import PositionWords

MAX_DEPTH = 12


def command(
    depth: Annotated[int, typer.Argument(min=0, max=MAX_DEPTH, help="Length of the sequences, 0 to 12.")],
    position: PositionWords,
    divide: Annotated[bool, typer.Option("--divide", help="Count each first move separately.")] = False,
    rules: shared_options.RulesOf = None,
    as_json: AsJson = False,
) -> None:
    """Count the move sequences of a given length, chance moves included."""
    start = inputs.read_position(position, rules)
    if divide and depth > 0:
        show_divided(start, depth, as_json)
    else:
        number = perft(start, depth)
        emit(str(number), {"perft": number}, as_json)


def show_divided(start: Position, depth: int, as_json: bool) -> None:
    """Print the count of each first move, and the total."""
    counts = {move: perft(start.play(move), depth - 1) for move in start.legal_words()}
    total = sum(counts.values())
    lines = [f"{move} {number}" for move, number in counts.items()]
    emit("\n".join([*lines, f"total {total}"]), {"perft": total, "divide": counts}, as_json)
