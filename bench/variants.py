"""Do designers' variants give the same games on two backends? Needs only the package's sources and, for CUDA, Numba's.

    python -m tests.variants 40 > variants.jsonl
    python bench/variants.py variants.jsonl --backends cpu cuda --seconds 60

A line of the file is a JSON object: ``seats`` and ``entries``, the keys of a variant's file. Every variant is compared
by the whole table of results (winners, deadlocks, cut games, actions, lengths), and on cpu and cuda also by all states
and masks of a batch that plays its first legal moves. After ``--seconds`` no other variant is begun; the last line says
how many of all were compared.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from cartagena.backends import Batch, rollouts
from cartagena.kernel import layout
from cartagena.rulesets import RuleSet, from_data

CAP = 60
STEPS = 40


def table_of(rules: RuleSet, seats: int, games: int, backend: str) -> tuple[Any, ...]:
    """The results of random games."""
    found = rollouts(rules, games, 11, backend=backend, seats=seats, cap=CAP)
    return found.wins, found.deadlocks, found.cut, found.actions, found.lengths.counts.tolist()


def host(array: Any) -> Any:
    return array.copy_to_host() if hasattr(array, "copy_to_host") else array


def same_batches(rules: RuleSet, seats: int, size: int) -> bool:
    """Step the same games on the processor and the device, and compare states, masks and views."""
    theirs, ours = (Batch(rules, size, 9, backend, seats=seats) for backend in ("cpu", "cuda"))
    for _ in range(STEPS):
        actions = theirs.legal().argmax(axis=1)
        actions[theirs.states[:, layout.OVER] != 0] = -1
        ours.step(actions)
        theirs.step(actions)
    pairs = ((ours.states, theirs.states), (ours.legal(), theirs.legal()), (ours.views(), theirs.views()))
    return all(bool((host(one) == host(other)).all()) for one, other in pairs)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--backends", nargs=2, default=["cpu", "cuda"], choices=["plain", "cpu", "cuda"])
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no other variant after so long")
    chosen = parser.parse_args()
    begin, wrong, actions, number = time.perf_counter(), 0, 0, 0
    lines = [json.loads(line) for line in chosen.file.read_text().splitlines()]
    for number, line in enumerate(lines, 1):
        rules, seats = from_data(line["entries"]), line["seats"]
        one, other = (table_of(rules, seats, chosen.games, backend) for backend in chosen.backends)
        same = one == other and ("cuda" not in chosen.backends or same_batches(rules, seats, 256))
        wrong, actions = wrong + (not same), actions + one[3]
        print(number, seats, *one[:4], "same" if same else f"DIFFERENT {line['entries']}", flush=True)
        if time.perf_counter() - begin > chosen.seconds:
            break
    seconds = time.perf_counter() - begin
    told = f"{number} of {len(lines)} variants, {actions} actions, {wrong} different, {seconds:.1f} s"
    print(f"{told}: {' and '.join(chosen.backends)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
