"""Compare 10,000 games of every game, edition and number of seats, state by state: python -m tests.conformance.run

Writes a report. Uses all cores; takes hours on 2 cores.
"""

import argparse
import platform
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.conformance.tracing import cases, compare

from cartagena.backends.arguments import cores

SEED = 20_000
PORTION = 50


def part(work: tuple[int, int, int]) -> tuple[int, int]:
    """Compare some games of one case and return its number and the number of states."""
    number, first, last = work
    return number, compare(cases()[number], SEED, range(first, last))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=cores())
    parser.add_argument("--out", type=Path, default=Path("bench/results/conformance.md"))
    chosen = parser.parse_args()
    compare(cases()[0], SEED, range(1))  # compile once, before the workers start
    portions = [
        (number, first, min(first + PORTION, chosen.games))
        for number in range(len(cases()))
        for first in range(0, chosen.games, PORTION)
    ]
    states = [0] * len(cases())
    before = time.perf_counter()
    with ProcessPoolExecutor(chosen.jobs) as pool:
        for done, (number, found) in enumerate(pool.map(part, portions), 1):
            states[number] += found
            print(f"\r{done} of {len(portions)} portions", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    facts = f"seed {SEED}, {time.strftime('%Y-%m-%d', time.gmtime())}, Python {platform.python_version()}"
    seconds = f"{time.perf_counter() - before:.0f} s on {chosen.jobs} processes"
    lines = ["# Conformance: plain and cpu, state by state", ""]
    lines += [f"{chosen.games} games each, {facts}, {platform.machine()}, {seconds}."]
    lines += ["Rule sets with equal numbers are one row. Every state of every game was equal."]
    lines += ["Repeat it with `make conformance`, or alone with `python -m tests.conformance.run`.", ""]
    lines += ["| rule sets | seats | games | states compared |", "| --- | --- | --- | --- |"]
    lines += [
        f"| {', '.join(case.names)} | {case.seats} | {chosen.games} | {number} |"
        for case, number in zip(cases(), states, strict=True)
    ]
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    chosen.out.write_text("\n".join(lines) + "\n")
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
