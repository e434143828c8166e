"""Judge the known puzzles again and mine new ones in a limited time: ``python -m bench.mine_puzzles OUT``.

The strongest player for each position judges (``cartagena.study.puzzles``). Known puzzles come first; those that hold
are kept under their names, with a new margin, rating and themes; those of a judge that has not changed (--trust) are
kept as they are. Then every game gets its share of the processes until
it has its number of puzzles. The files are written after each puzzle, so that work that is cut off leaves what it
found. It needs numpy and numba only.
"""

import argparse
import json
import os
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import chain, count, islice, zip_longest
from multiprocessing import active_children, get_context
from pathlib import Path

from cartagena.game import Game
from cartagena.players import create
from cartagena.study import puzzles
from cartagena.study.judge import style_of
from cartagena.study.mining import RULES, judged, puzzles_of_game
from cartagena.study.puzzles import Puzzle

DATA = Path(puzzles.__file__).parent / "data"
TELL = 20
"""Seconds between two lines of progress."""


class Found:
    """The puzzles of one game: those that were known, and what has come of them and of new games so far."""

    def __init__(self, game: str, out: Path, known: list[Puzzle]) -> None:
        self.path = out / path_of(game)
        self.order = {each.name: place for place, each in enumerate(known)}
        self.seeds = {int(each.name.split("-")[1]) for each in known}
        self.puzzles: dict[str, Puzzle] = {}
        self.dropped = 0

    def add(self, new: list[Puzzle]) -> None:
        """Add puzzles with new positions and write the file: known puzzles in their old order, then the others."""
        positions = {str(each.position) for each in self.puzzles.values()}
        fresh = {each.name: each for each in new if str(each.position) not in positions}
        if not fresh:
            return
        self.puzzles |= fresh
        last = len(self.order)
        names = sorted(self.puzzles, key=lambda name: (self.order.get(name, last), *map(int, name.split("-")[1:])))
        lines = ",\n".join(json.dumps(self.puzzles[name].to_json(), separators=(",", ":")) for name in names)
        self.path.write_text(f"[\n{lines}\n]\n", "utf-8")

    def told(self) -> str:
        """How many puzzles there are, and how many of them are known ones."""
        kept = len(self.puzzles.keys() & self.order.keys())
        left = len(self.order) - kept - self.dropped
        return f"{len(self.puzzles)} ({kept} known ones kept, {self.dropped} dropped, {left} not judged)"


def path_of(game: str) -> str:
    """The name of a game's file."""
    return f"puzzles-{game}.json"


def read(folder: Path, game: str) -> list[Puzzle]:
    """The puzzles in a folder, none where it has no file of the game."""
    path = folder / path_of(game)
    return [puzzles.from_json(each) for each in json.loads(path.read_text("utf-8"))] if path.exists() else []


def compile_all() -> None:
    """Compile everything once, so that all processes find it in the cache."""
    for game, rules in RULES.items():
        for seats in (2, 3):
            view = Game.new(rules[0], seats=seats, seed=1).view(1)
            create("gunner").decide(view)
            best = puzzles.best_turn(view, 100, 1)
            puzzles.themes_of(view, best.moves)
            print(f"{game} with {seats} seats is judged by the {style_of(view).name}", flush=True)


def main() -> None:
    """Judge and mine until every game has its number of puzzles or the time is over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seconds", type=float, default=400)
    parser.add_argument("--number", type=int, default=305)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--trust", default="", help="a judge whose puzzles are kept as they are: captain or admiral")
    parser.add_argument("--keep", type=Path, default=DATA, help="folder with the known puzzles")
    options = parser.parse_args()
    os.environ["CARTAGENA_THREADS"] = "1"
    options.out.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    known = {game: read(options.keep, game) for game in RULES}
    found = {game: Found(game, options.out, known[game]) for game in RULES}
    compile_all()
    print(f"compiled after {time.monotonic() - started:.0f} s", flush=True)
    work(options, known, found, started)
    told = {game: each.told() for game, each in found.items()}
    print(f"{time.monotonic() - started:.0f} s", json.dumps(told, indent=1), flush=True)
    for child in active_children():  # games that are still searched are of no use
        child.kill()
    os._exit(0)


def work(options: argparse.Namespace, known: dict[str, list[Puzzle]], found: dict[str, Found], started: float) -> None:
    """Keep all processes at work: known puzzles first, then new games of the game with the fewest puzzles."""
    pool = ProcessPoolExecutor(options.workers, mp_context=get_context("spawn"))
    again: dict[Future[list[Puzzle]], str] = {}
    mined: dict[Future[list[Puzzle]], str] = {}
    old = in_turn(known)
    seeds = {game: unused(options.seed, each.seeds) for game, each in found.items()}
    told = started
    while time.monotonic() - started < options.seconds:
        for game, puzzle in islice(old, 2 * options.workers - len(again)):
            again[pool.submit(judged_again, puzzle, options.trust)] = game
        wanted = [game for game, each in found.items() if len(each.puzzles) < options.number]
        if not again and not wanted:
            return
        while wanted and len(again) + len(mined) < 2 * options.workers:
            busy = list(mined.values())
            game = min(wanted, key=lambda each: len(found[each].puzzles) + 20 * busy.count(each))
            mined[pool.submit(puzzles_of_game, game, next(seeds[game]))] = game
        done, _ = wait([*again, *mined], timeout=2, return_when=FIRST_COMPLETED)
        for future in done:
            if future in again:
                found[again[future]].dropped += not future.result()
            found[again.pop(future, None) or mined.pop(future)].add(future.result())
        if time.monotonic() - told > TELL:
            told = time.monotonic()
            print(f"{told - started:.0f} s", {game: each.told() for game, each in found.items()}, flush=True)


def in_turn(known: dict[str, list[Puzzle]]) -> Iterator[tuple[str, Puzzle]]:
    """The known puzzles, one of each game in turn."""
    columns = ([(game, each) for each in some] for game, some in known.items())
    return (each for each in chain.from_iterable(zip_longest(*columns)) if each is not None)


def unused(seed: int, used: set[int]) -> Iterator[int]:
    """The seeds of new games, without those of the known puzzles, so that no name is given twice."""
    return (each for each in count(seed * 1_000_000) if each not in used)


def judged_again(known: Puzzle, trust: str) -> list[Puzzle]:
    """A known puzzle as the strongest player judges it now: one, or none where the solution is not clearly best."""
    if trust == known.judge == style_of(known.position).name:
        return [known]
    new = judged(known.position, known.name)
    return [new] if new is not None and known.is_solved_by(new.solution) else []


if __name__ == "__main__":
    main()
