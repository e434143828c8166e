"""Measure the kernel functions in which play spends its time, one by one: nanoseconds and instructions per call.

    python bench/micro.py [--out bench/results]

Each is called on the same few thousand positions of random games, in a compiled loop; the cost of the loop (measured
with an empty body) is subtracted. Instructions are counted one at a time, see instructions.py.
"""

import argparse
import json
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

from cartagena.backends import Batch
from cartagena.kernel import layout as at
from instructions import instructions

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bench.versus.kernel_loops import LOOPS

POSITIONS: Final = 4096
COUNTED: Final = 512
GAMES: Final = ("jamaica-en", "tortuga-en", "nest-nl")


def positions(rules: str) -> tuple[Any, ...]:
    """Return positions of random games with a legal action for each, as the loops take them."""
    batch = Batch(rules, POSITIONS, seed=3, backend="cpu")
    for turn in range(60):
        moving = np.arange(POSITIONS) % 60 >= turn  # so that every stage of a game occurs
        batch.step(np.where(moving, batch.sample(), -1))
        batch.reset(batch.states[:, at.OVER] != 0)
    actions = batch.sample()
    return np.array(batch.table, np.int64), batch.states, actions, np.zeros(at.MAX_LEGAL, np.int64)


def seconds(loop: Callable[..., int], given: tuple[Any, ...]) -> float:
    """Return the time of one call of the function, the best of many rounds."""
    best = float("inf")
    for _ in range(50):
        before = time.perf_counter()
        for _ in range(10):
            loop(*given, POSITIONS)
        best = min(best, time.perf_counter() - before)
    return best / 10 / POSITIONS


def steps_taken(loop: Callable[..., int], given: tuple[Any, ...]) -> float:
    """Return the instructions of one call of the function; those of the interpreter cancel out."""
    return (instructions(lambda: loop(*given, COUNTED)) - instructions(lambda: loop(*given, 0))) / COUNTED


def measured(rules: str) -> dict[str, dict[str, float]]:
    given = positions(rules)
    found = {}
    for name, (loop, base) in LOOPS.items():
        loop(*given, 1), base(*given, 1)
        found[name] = {
            "nanoseconds": (seconds(loop, given) - seconds(base, given)) * 1e9,
            "instructions": steps_taken(loop, given) - steps_taken(base, given),
        }
        print(rules, name, found[name], flush=True)
    return found


def page(found: dict[str, Any]) -> str:
    lines = ["# One call of each kernel function, compiled, on one core", ""]
    lines += [f"{found['date']}, {found['machine']}. Nanoseconds / instructions. Command: `python bench/micro.py`", ""]
    lines += ["| function | " + " | ".join(GAMES) + " |", "| --- |" + " --- |" * len(GAMES)]
    for name in LOOPS:
        cells = [found["games"][game][name] for game in GAMES]
        shown = [f"{cell['nanoseconds']:.1f} / {cell['instructions']:.0f}" for cell in cells]
        lines.append(f"| {name} | " + " | ".join(shown) + " |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("bench/results"))
    out: Path = parser.parse_args().out
    found: dict[str, Any] = {"date": time.strftime("%Y-%m-%d", time.gmtime()), "machine": platform.machine()}
    found["games"] = {rules: measured(rules) for rules in GAMES}
    (out / "micro.json").write_text(json.dumps(found, indent=1) + "\n")
    (out / "micro.md").write_text(page(found))
    print(page(found))


if __name__ == "__main__":
    main()
