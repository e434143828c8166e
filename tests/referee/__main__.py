"""The long comparison: ``python -m tests.referee --positions 300000``."""

from __future__ import annotations

import argparse
import time

from tests.referee.compare import Difference, compare
from tests.referee.positions import EDITIONS


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.referee", description=__doc__)
    parser.add_argument("--positions", type=int, default=300_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=sorted(EDITIONS))
    options = parser.parse_args()
    start = time.perf_counter()
    try:
        tally = compare(options.positions, options.seed, options.game)
    except Difference as difference:
        print(f"DIFFERENCE: {difference}")
        return 1
    print(
        f"no difference: {tally.positions} positions, {tally.moves} resulting positions, {tally.views} views, "
        f"{tally.perfts} perft trees in {time.perf_counter() - start:.0f} s"
    )
    print("played: " + ", ".join(f"{number} {kind}" for kind, number in tally.kinds.most_common()))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
