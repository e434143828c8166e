"""Decisions and rollouts of the compiled code, as JSON on standard output.

``test_uncompiled`` compares what this prints with and without the compiler (``NUMBA_DISABLE_JIT=1``).
"""

import json
import sys
import warnings
from typing import Any

from cartagena import Game
from cartagena.backends import rollouts
from cartagena.players import Limit, analyse, create


def decisions(rules: str, level: str, seats: int) -> list[Any]:
    """What a player thinks of two positions of a game, with few nodes."""
    game = Game.new(rules, seats=seats, seed=5)
    found = []
    for _ in range(2):
        told = analyse(create(level, 1), game.view(game.turn), Limit(nodes=40))
        found.append([str(told.move), [round(value, 6) for value in told.value]])
        for _ in range(6):
            game.play(game.legal_moves[-1])
    return found


def games(rules: str) -> list[Any]:
    """The totals of a few random games."""
    result = rollouts(rules, games=2, seed=3, backend="cpu", threads=1, cap=40)
    return [list(map(int, result.wins)), int(result.actions)]


def everything() -> dict[str, Any]:
    levels = [("jamaica-en", "gunner", 2), ("tortuga-en", "quartermaster", 3), ("nest-nl", "captain", 3)]
    levels += [("nest-nl", "gunner", 2), ("nest-nl", "quartermaster", 2), ("hispaniola-en", "captain", 2)]
    found: dict[str, Any] = {" ".join(map(str, case)): decisions(*case) for case in levels}
    return found | {f"rollouts {rules}": games(rules) for rules in ("jamaica-en", "tortuga-en", "nest-nl")}


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # 64-bit words wrap around, which NumPy remarks on
    json.dump(everything(), sys.stdout)
