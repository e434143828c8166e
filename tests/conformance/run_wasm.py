"""Compare WebAssembly under Node and in Chromium with cpu and plain: python -m tests.conformance.run_wasm

10,000 games of every case by their hashes (see ``portable/trace``), the perft files, and the moves of every level.
Writes a report.
"""

import argparse
import platform
import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.conformance.engine import ask_chromium, ask_node, traces
from tests.conformance.run import SEED
from tests.conformance.tracing import Case, cases, plain_trace, traced
from tests.perft.test_perft_files import FILES, rows

from cartagena import Game, Limit, Position
from cartagena.backends.rollouts import CAP
from cartagena.players import LEVELS, choose, create

PORTION = 1_000
NODES = 200
EVERY = 5
"""Of so many decisions of a game, one is compared."""
RESULTS = Path("bench/results")
ROW = re.compile(r"^\| (.+?) \| (\d) \| (\d+) \| (\d+) \|$", re.MULTILINE)

Question = dict[str, Any]


def views(number: int) -> list[Position]:
    """Views with a choice from games of every case, which the weakest level plays."""
    found: list[Position] = []
    for at, case in enumerate(cases()):
        wanted = number * (at + 1) // len(cases())
        found += take(choices(case), wanted - len(found))
    return found


def take(choosing: Iterator[Position], number: int) -> list[Position]:
    return [next(choosing) for _ in range(number)]


def choices(case: Case) -> Iterator[Position]:
    """One in ``EVERY`` decisions of many games."""
    for seed in range(1_000):
        game = Game.new(case.names[seed % len(case.names)], seats=case.seats, seed=seed)
        player = create("deckhand", seed)
        for turn in range(300):
            if game.is_over:
                break
            view = game.view(game.turn)
            if turn % EVERY == seed % EVERY and len(view.legal_moves) > 1:
                yield view
            game.play(choose(player, view, game=str(seed)).move)


def perft_questions() -> list[tuple[Question, list[int]]]:
    """The positions of the perft files, each with its counts."""
    lines = [line for path in FILES for line in rows(path)]
    return [({"kind": "perft", "position": text, "depths": len(counts)}, list(counts)) for text, counts in lines]


def levels_question(level: str, seen: list[Position]) -> Question:
    limits = {"nodes": NODES, "seed": SEED}
    return {"kind": "levels", "level": level, "limits": limits, "views": [str(view) for view in seen]}


def native_answers(level: str, seen: list[Position]) -> list[dict[str, Any]]:
    """What a level answers on this processor."""
    player = create(level, SEED)
    found = []
    for view in seen:
        told = choose(player, view, Limit(nodes=NODES))
        visits = {str(view.move(action)): times for action, times in told.visits if times}
        found.append({"move": str(told.move), "value": list(told.value), "why": list(told.why), "visits": visits})
    return found


def as_native(answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**answer, "visits": dict(answer["visits"])} for answer in answers]


class Difference(Exception):
    """What is not the same."""


def expect(found: object, wanted: object, what: str) -> None:
    """Raise Difference where an answer is not the expected one."""
    if found != wanted:
        raise Difference(what)


def everywhere(questions: list[Question]) -> dict[str, list[Any]]:
    """The answers of the engine in Chromium and under Node, asked at the same time."""
    with ThreadPoolExecutor(2) as pool:
        asked = {"Node": pool.submit(ask_node, questions), "Chromium": pool.submit(ask_chromium, questions)}
        return {where: each.result() for where, each in asked.items()}


def compare_levels(positions: int) -> None:
    """Compare the moves of every level."""
    seen = views(positions)
    runs = everywhere([levels_question(level, seen) for level in LEVELS])
    for number, level in enumerate(LEVELS):
        right = native_answers(level, seen)
        for where, found in runs.items():
            expect(as_native(found[number]), right, f"{level} answers otherwise in {where}")
        tell(f"{level}: {positions} positions")


def compare_perft() -> int:
    """Compare the counts of the perft files. Returns the number of positions."""
    asked = perft_questions()
    for where, found in everywhere([question for question, _ in asked]).items():
        expect(found, [counts for _, counts in asked], f"perft differs in {where}")
    return len(asked)


def compare_games(first: int, last: int, plain: int) -> list[int]:
    """Compare some games of every case, and the first ones with plain Python too. Returns the states of each case."""
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(everywhere, [traces(case, SEED, first, last, CAP) for case in cases()])
        wanted = [traced(case.start, SEED, first, last, CAP) for case in cases()]
        runs = running.result()
    for case, (sums, states), *found in zip(cases(), wanted, *runs.values(), strict=True):
        for where, told in zip(runs, found, strict=True):
            expect(told, {"states": states, "sums": sums}, f"{case}: a game from {first} to {last} differs in {where}")
        for game in range(first, min(last, plain)):
            _, number = plain_trace(case.start, SEED, game, CAP)
            expect(f"{number:x}", sums[game - first], f"{case}: game {game} of seed {SEED} differs in plain Python")
    tell(f"{last} games of each case")
    return [states for _, states in wanted]


def tell(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def report(chosen: argparse.Namespace, states: list[int], perfts: int, seconds: float) -> str:
    """The report as Markdown."""
    facts = f"seed {SEED}, {time.strftime('%Y-%m-%d', time.gmtime())}, {platform.machine()}, {seconds:.0f} s"
    lines = [
        "# Conformance: WebAssembly (Node and Chromium) and cpu",
        "",
        f"{chosen.games} games each, {facts}. A game is compared by a hash of all its states with their legal moves,",
        "and of one view and one reason of each state in turn. Every game was equal. Rule sets with equal numbers are",
        "one row. `conformance.md` compares the same games on plain and cpu;",
        f"the first {chosen.plain} games of each row were also hashed in plain Python.",
        "Repeat it with `make conformance`, or alone with `python -m tests.conformance.run_wasm`.",
        "",
        "| rule sets | seats | games | states compared |",
        "| --- | --- | --- | --- |",
    ]
    pairs = zip(cases(), states, strict=True)
    lines += [f"| {', '.join(case.names)} | {case.seats} | {chosen.games} | {number} |" for case, number in pairs]
    lines += [
        "",
        f"The {perfts} positions of the perft files: equal counts. Moves, win chances, reasons and visits of every",
        f"level with {NODES} nodes and one seed, in views of all cases:",
        "",
        "| level | positions | equal in Node | equal in Chromium |",
        "| --- | --- | --- | --- |",
        *(f"| {level} | {chosen.positions} | {chosen.positions} | {chosen.positions} |" for level in LEVELS),
    ]
    return "\n".join(lines) + "\n"


def check_against(path: Path, states: list[int], games: int) -> None:
    """Compare the numbers of states with those of the report on plain and cpu, where it has as many games."""
    told = [int(found[4]) for found in ROW.finditer(path.read_text(encoding="utf-8")) if int(found[3]) == games]
    if told:
        expect(states, told, f"the numbers of states differ from {path}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--plain", type=int, default=10, help="games of each case that plain Python plays too")
    parser.add_argument("--minutes", type=float, default=60.0, help="after so many no further games are begun")
    parser.add_argument("--positions", type=int, default=2_000)
    parser.add_argument("--out", type=Path, default=RESULTS / "conformance-wasm.md")
    chosen = parser.parse_args()
    before = time.perf_counter()
    states = [0] * len(cases())
    done = 0
    try:
        perfts = compare_perft()
        compare_levels(chosen.positions)
        while done < chosen.games and time.perf_counter() - before < 60 * chosen.minutes:
            last = min(done + PORTION, chosen.games)
            found = compare_games(done, last, chosen.plain)
            states = [sum(pair) for pair in zip(states, found, strict=True)]
            done = last
        check_against(RESULTS / "conformance.md", states, done)
    except Difference as error:
        print(error, file=sys.stderr)
        return 1
    chosen.games = done
    text = report(chosen, states, perfts, time.perf_counter() - before)
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    chosen.out.write_text(text, encoding="utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
