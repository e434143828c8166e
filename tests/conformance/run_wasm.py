"""Compare 10,000 games of every case on WebAssembly and cpu, state by state: python -m tests.conformance.run_wasm

``run`` compares the same games on cpu and plain. Writes a report.
"""

import argparse
import hashlib
import platform
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from tests.conformance.run import SEED
from tests.conformance.tracing import ROOM, Case, cases, trace
from tests.conformance.wasm import ask, games

from cartagena.backends.rollouts import CAP
from cartagena.kernel import layout

PORTION = 500


def native(case: Case, numbers: range) -> tuple[list[str], int]:
    """The hash of each game on this processor, and the number of states."""
    table, plan, opening = (np.array(x, np.int64) for x in (case.start.table, case.start.plan, case.start.words))
    rows: Any = np.zeros((ROOM, layout.WORDS), np.int64)
    hashes, states = [], 0
    for game in numbers:
        number = trace(table, plan, opening, np.uint64(SEED), np.uint64(game), CAP, rows)
        hashes.append(hashlib.sha256(rows[:number].tobytes()).hexdigest())
        states += number
    return hashes, states


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--out", type=Path, default=Path("bench/results/conformance-wasm.md"))
    chosen = parser.parse_args()
    before = time.perf_counter()
    lines = []
    for case in cases():
        total = 0
        for first in range(0, chosen.games, PORTION):
            last = min(first + PORTION, chosen.games)
            wanted, states = native(case, range(first, last))
            [found] = ask([games(case, SEED, first, last, CAP, closely=False)])
            differing = [first + at for at, pair in enumerate(zip(found, wanted, strict=True)) if pair[0] != pair[1]]
            if differing:
                print(f"{case}: game {differing[0]} of seed {SEED} differs on WebAssembly", file=sys.stderr)
                return 1
            total += states
        lines.append(f"| {', '.join(case.names)} | {case.seats} | {chosen.games} | {total} |")
        print(lines[-1], file=sys.stderr, flush=True)
    facts = f"seed {SEED}, {time.strftime('%Y-%m-%d', time.gmtime())}, {platform.machine()}"
    head = ["# Conformance: WebAssembly (Node) and cpu, state by state", ""]
    head += [f"{chosen.games} games each, {facts}, {time.perf_counter() - before:.0f} s."]
    head += ["Rule sets with equal numbers are one row. Every state of every game was equal.", ""]
    head += ["| rule sets | seats | games | states compared |", "| --- | --- | --- | --- |"]
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    chosen.out.write_text("\n".join(head + lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
