"""Solve the small variants of the table that ships, and measure captain and admiral: ``python -m bench.solved``.

Endgames of whole size have all pieces and pirates, most of them home, so that the admiral's networks fit them. Finished
variants are kept in --out, and the same command goes on after an interruption; choose another folder to measure anew.
"""

import argparse
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
from cartagena.players.files import save
from cartagena.study.solved import SolvedVariant, solve_variant, table_data, text

TARGET = Path(cartagena.__file__).parent / "study" / "data" / "solved.json"
RESULT = Path(__file__).parent / "results" / "solved.md"
WANTED = 20
GAMES = 2
MOST = 20_000
SMALL = {"pieces": 2, "pirates": 1, "deal": 2}
OPENINGS = ("tortuga-en+actions1+cards2", "jamaica-en+actions1+cards2")
ENDGAMES = ("tortuga-en+actions1+cards3", "tortuga-en+actions2+cards3", "tortuga-en+cards3")
ENDGAMES += ("jamaica-en+actions1+cards3", "jamaica-en+actions2+cards3", "jamaica-en+cards3", "nest-nl+actions1+cards3")

WHOLE = ("tortuga-en+actions1+cards3", "tortuga-en+actions2+cards3", "jamaica-en+actions1+cards3")
WHOLE += ("hispaniola-en+actions1+cards3", "nest-nl+actions1+cards3")
HOME = ",b,b,b,b"
HEAD = """# Solved small variants

`python -m bench.solved` solves them and writes the table that `cartagena solve` prints. Decisions are those in which
not all moves are equally good; both players search 1,000 nodes for each. Where hands are hidden the variants are solved
as if they lay open, so that what a player gives away there includes the price of what it cannot see.

```
"""


def openings(rules: str) -> Iterator[Position]:
    return (Game.new(rules, seats=2, seed=seed, **SMALL).position for seed in range(1, 60))


def endgames(rules: str) -> Iterator[Position]:
    chance = random.Random(f"solved {rules}")
    return (endgame(rules, chance) for _ in count())


def whole_size(rules: str) -> Iterator[Position]:
    chance = random.Random(f"whole {rules}")
    return (enlarged(endgame(rules, chance), chance) for _ in count())


def enlarged(small: Position, chance: random.Random) -> Position:
    """The same cards on a whole board: four pirates of each seat are home, the others nearly."""
    words = str(small).split()
    if small.rules.nest:
        words[2] = "/".join(pair + ",n,n,n,n" for pair in words[2].split("/"))
    else:
        words[1] = "/".join(chance.sample(["BPHSDK", "DBKPHS", "HKPBSD", "KBSDHP", "PKDHSB", "HDKBPS"], 6))
        lasts = [chance.choice(["b", "b", "36"]) for _ in range(2)]
        words[2] = "/".join(f"{chance.randint(29, 35)},{last}{HOME}" for last in lasts)
    return Position.parse(" ".join(words))


def measured(title: str, starts: Iterator[Position], folder: Path) -> SolvedVariant:
    """Solve and measure one variant, or read it where it is finished."""
    path = folder / f"{title.replace(': ', '-').replace(', ', '-').replace(' ', '-')}.json"
    if not path.exists():
        begin = time.perf_counter()
        found = solve_variant(title, starts, WANTED, most=MOST, games=GAMES)
        save(path, json.dumps(found.to_data()).encode())
        sys.stderr.write(f"{title}: {time.perf_counter() - begin:.1f} s\n")
    return SolvedVariant.from_data(json.loads(path.read_text("utf-8")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("build/solved"), help="folder of finished variants")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    families = [(f"{rules}: openings of 2 pieces, 1 pirate", openings(rules)) for rules in OPENINGS]
    families += [(f"{rules}: endgames of 2 pirates", endgames(rules)) for rules in ENDGAMES]
    families += [(f"{rules}: endgames of whole size", whole_size(rules)) for rules in WHOLE]
    found = [measured(title, starts, given.out) for title, starts in families]
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(json.dumps(table_data(found, "python -m bench.solved"), indent=0) + "\n", encoding="utf-8")
    RESULT.write_text(f"{HEAD}{text(found)}\n```\n", encoding="utf-8")
    sys.stdout.write(text(found) + "\n")


if __name__ == "__main__":
    main()
