"""Mine puzzles for several games in a limited time: ``python bench/mine_puzzles.py OUT --seconds 400``.

Every game gets its share of the processes and of the time. The files are written after each puzzle, so that work that
is cut off leaves what it found.
"""

import argparse
import json
import os
import time
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import count
from multiprocessing import get_context
from pathlib import Path

from cartagena.study.mining import RULES, puzzles_of_game
from cartagena.study.puzzles import Puzzle


def write(path: Path, found: list[Puzzle]) -> None:
    """Write the puzzles found so far, one a line."""
    lines = ",\n".join(json.dumps(puzzle.to_json(), separators=(",", ":")) for puzzle in found)
    path.write_text(f"[\n{lines}\n]\n", "utf-8")


def main() -> None:
    """Mine until every game has its number of puzzles or the time is over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seconds", type=float, default=400)
    parser.add_argument("--number", type=int, default=330)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    os.environ["CARTAGENA_THREADS"] = "1"
    found: dict[str, list[Puzzle]] = {game: [] for game in RULES}
    seeds = {game: count(options.seed * 1_000_000) for game in RULES}
    started = time.monotonic()
    list(puzzles_of_game("tortuga", 0))  # compiles once, for all processes
    print(f"compiled after {time.monotonic() - started:.0f} s", flush=True)
    pool = ProcessPoolExecutor(options.workers, mp_context=get_context("spawn"))
    running: dict[Future[list[Puzzle]], str] = {}
    told = time.monotonic()
    while time.monotonic() - started < options.seconds:
        wanted = [game for game in found if len(found[game]) < options.number]
        if not wanted:
            break
        while len(running) < 2 * options.workers:
            game = min(wanted, key=lambda each: len(found[each]) + 20 * list(running.values()).count(each))
            running[pool.submit(puzzles_of_game, game, next(seeds[game]))] = game
        done, _ = wait(running, timeout=2, return_when=FIRST_COMPLETED)
        for future in done:
            game = running.pop(future)
            if new := future.result():
                found[game] += new
                write(options.out / f"puzzles-{game}.json", found[game])
        if time.monotonic() - told > 20:
            told = time.monotonic()
            print(f"{told - started:.0f} s", {game: len(each) for game, each in found.items()}, flush=True)
    print({game: len(each) for game, each in found.items()}, flush=True)
    os._exit(0)  # games that are still searched are of no use


if __name__ == "__main__":
    main()
