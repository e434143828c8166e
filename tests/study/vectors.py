"""Reviews that the browser repeats in ``web/tests/review.test.ts``: python -m tests.study.vectors

Both sides test the committed file ``vectors.json``; this writes it anew.
"""

import json
from pathlib import Path
from typing import Any

from cartagena import Limit, Record
from cartagena.study import review

from .test_review import random_game

PATH = Path(__file__).parent / "vectors.json"
NODES = 48
SEED = 3
DIGITS = 12


def new_row(record: Record) -> Record:
    """The part of a game in which a new row is laid out; then it ended by resignation."""
    first = next(number for number, entry in enumerate(record.moves) if entry.move.is_chance) - 3
    opening = list(record.positions())[first]
    tags = {"Termination": "resigned, seat 1 wins", "Seat1": "Ann"}
    return Record(opening, record.moves[first : first + 18], tags)


def ending(record: Record, moves: int) -> Record:
    """The last moves of a game."""
    return Record(list(record.positions())[-moves - 1], record.moves[-moves:])


def records() -> list[Record]:
    """Short games with hidden cards, an open row, three seats, captains, one resigned, one judged by a network."""
    return [
        random_game("jamaica-en", 0, pirates=2),
        random_game("tortuga-de", 9, seats=3, pirates=1),
        random_game("nest-nl", 7, pirates=1),
        new_row(random_game("hispaniola-en", 2, pirates=2)),
        ending(random_game("tortuga-en", 6, pieces=6), 12),
    ]


def seat_views() -> list[tuple[Record, int]]:
    """Some of these games with a seat from whose view they are reviewed: hidden hands, and a row that is laid anew."""
    jamaica, _, nest, hispaniola, _ = records()
    return [(jamaica, 1), (nest, 2), (hispaniola, 1)]


def rounded(data: Any) -> Any:
    """The same data with numbers that are no longer than they need be."""
    if isinstance(data, float):
        return round(data, DIGITS)
    if isinstance(data, dict):
        return {str(key): rounded(value) for key, value in data.items()}
    return [rounded(value) for value in data] if isinstance(data, list | tuple) else data


def reviewed(record: Record, seat: int | None = None) -> dict[str, Any]:
    """A record with its review as plain data."""
    found = review(record, Limit(nodes=NODES), seed=SEED, seat=seat).to_json()
    return {"record": str(record), **rounded(found)}


if __name__ == "__main__":
    asked = [*((record, None) for record in records()), *seat_views()]
    lines = [json.dumps(reviewed(record, seat), separators=(",", ":")) for record, seat in asked]
    PATH.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
