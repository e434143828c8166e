"""Solve the small variants of the table that ships, and measure the captain in them: ``python -m bench.solved``."""

import json
import random
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from tests.players.solver import endgame

import cartagena
from cartagena import Game, Position
from cartagena.study.solved import solve_variant, table_data, text

TARGET = Path(cartagena.__file__).parent / "study" / "data" / "solved.json"
WANTED = 20
GAMES = 2
MOST = 20_000
SMALL = {"pieces": 2, "pirates": 1, "deal": 2}
OPENINGS = ("tortuga-en+actions1+cards2", "jamaica-en+actions1+cards2")
ENDGAMES = ("tortuga-en+actions1+cards3", "tortuga-en+actions2+cards3", "tortuga-en+cards3")
ENDGAMES += ("jamaica-en+actions1+cards3", "jamaica-en+actions2+cards3", "jamaica-en+cards3", "nest-nl+actions1+cards3")


def openings(rules: str) -> Iterator[Position]:
    return (Game.new(rules, seats=2, seed=seed, **SMALL).position for seed in range(1, 60))


def endgames(rules: str) -> Iterator[Position]:
    chance = random.Random(f"solved {rules}")
    return (endgame(rules, chance) for _ in count())


def main() -> None:
    families = [(f"{rules}: openings of 2 pieces, 1 pirate", openings(rules)) for rules in OPENINGS]
    families += [(f"{rules}: endgames of 2 pirates", endgames(rules)) for rules in ENDGAMES]
    found = []
    for title, starts in families:
        begin = time.perf_counter()
        found.append(solve_variant(title, starts, WANTED, most=MOST, games=GAMES))
        sys.stderr.write(f"{title}: {time.perf_counter() - begin:.1f} s\n")
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(json.dumps(table_data(found, "python -m bench.solved"), indent=0) + "\n", encoding="utf-8")
    sys.stdout.write(text(found) + "\n")


if __name__ == "__main__":
    main()
