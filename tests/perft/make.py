"""Makes the perft files: ``python -m tests.perft.make``, or only those of the rule sets that are named after it.

Positions of every game and edition as they come up in random play, chosen so that each kind of situation is there. The
counts are the engine's; the referee confirms each that it can count in reasonable time, and refuses to write any other.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.referee import rules as referee
from tests.referee.positions import EDITIONS, random_opening, random_position

from cartagena import Position, perft
from cartagena.game import TooMuchWork

HERE = Path(__file__).parent
DEPTHS = (1, 2, 3, 4)
LARGEST = 4_000  # positions looked at; a deeper count that needs more is left out
CONFIRMED = 8_000  # the referee counts up to this number itself

SITUATIONS: dict[str, Callable[[referee.Table], bool]] = {
    "opening": lambda table: all(set(places) == {"s"} for places in table.pirates),
    "middle": lambda table: table.used == 1 and not table.owed and not table.row_due,
    "row due": lambda table: table.row_due > 0,
    "cards owed": lambda table: table.owed > 0 and not table.row_due,
    "row due and cards owed": lambda table: table.owed > 0 and table.row_due > 0,
    "drop due": lambda table: table.dropper is not None,
    "captain": lambda table: table.captain,
    "passes": lambda table: table.passes > 0 and table.used == 0,
    "empty stock": lambda table: referee.size(table.stock) == 0 and referee.size(table.discard) > 0,
    "no card left": lambda table: referee.size(table.stock) + referee.size(table.discard) == 0,
    "five seats": lambda table: len(table.pirates) == 5 and table.used == 0,
    "option": lambda table: len(table.rules.word) > len("hispaniola-en"),
    "one piece": lambda table: len(table.signs) == 6,
    "eight pieces": lambda table: len(table.signs) == 48,
    "eight pirates": lambda table: len(table.pirates[0]) == 8,
}


def candidates(name: str, rng: random.Random) -> Iterator[str]:
    """Positions of one edition, half of them with its rules unchanged."""
    game = name.split("-", maxsplit=1)[0]
    while True:
        text = (random_opening if rng.random() < 0.2 else random_position)(rng, game)
        if not text.startswith(name):
            continue
        if rng.random() < 0.5 and not text.startswith(name + " "):
            continue
        yield text


def counts(text: str) -> list[int]:
    """Counts of the engine as deep as is feasible, confirmed by the referee where it can."""
    position, table = Position.parse(text), referee.read(text)
    found: list[int] = []
    for depth in DEPTHS:
        try:
            number = perft(position, depth, LARGEST)
        except TooMuchWork:
            break
        if number <= CONFIRMED and referee.perft(table, depth) != number:
            raise AssertionError(f"the referee does not confirm perft {depth} of {text}")
        found.append(number)
    return found


def lines(name: str) -> Iterator[str]:
    rng = random.Random(f"perft {name}")
    pool = candidates(name, rng)
    for situation, fits in SITUATIONS.items():
        for _ in range(400):
            text = next(pool)
            if fits(referee.read(text)) and Position.parse(text).legal_moves:
                yield f"# {situation}\n{text} ; {' '.join(map(str, counts(text)))}"
                break


def main(chosen: list[str]) -> None:
    known = [f"{game}-{edition}" for game, editions in EDITIONS.items() for edition in editions.split()]
    for name in chosen or known:
        if name not in known:
            raise SystemExit(f"{name} is not in EDITIONS of tests/referee/positions.py")
        text = "\n".join(lines(name))
        (HERE / f"{name}.txt").write_text(text + "\n", encoding="utf-8")
        print(name, text.count(" ; "))


if __name__ == "__main__":
    main(sys.argv[1:])
