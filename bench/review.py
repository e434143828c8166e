"""Time the review of an ordinary two-player game of Jamaica: ``python -m bench.review`` (``--browser``: in Chromium).

Targets: 3,000 nodes a decision, luck included, at most 20 s on two cores, the first result after at most 1 s; in the
browser at most 60 s with 50 frames a second, and the first live value at most 150 ms after a step. The compiled search
is loaded before the clock starts, as ``cartagena warmup`` does; starting worker processes counts.

Both ways keep their numbers in ``results/review.json`` and write ``results/review.md``. Numbers of the other way are
kept if they are of the same game.
"""

import argparse
import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cartagena import Game, Limit, Record
from cartagena.jobs import Executor, cores, executor
from cartagena.players import create
from cartagena.study import review
from cartagena.study.review import NODES, number_of_decisions

RESULTS = Path(__file__).parent / "results"
KEPT = RESULTS / "review.json"
DECISIONS = 140
HEAD = """# Time of a review

A game of Jamaica for two between sailors is reviewed, each decision with 3,000 nodes, luck included. Of 40 games it is
the one whose number of decisions is nearest to 140. The load is the mean number of running processes in the minute
before the measurement, which other work may have caused.
"""
NATIVE = """
## `python -m bench.review`

{date}, {cores} cores, load {load}: {decisions} decisions and {draws} dealt cards. Targets: 20 s on two cores, the first
result within 1 s.

| how | first result | whole review |
| --- | --- | --- |
"""
BROWSER = """
## `python -m bench.review --browser`

{date}, {cores} cores, load {load}, Chromium {browser} without a graphics processor: {decisions} decisions and {draws}
dealt cards. The page is stepped through while it judges the game. Steps are measured 20 times each, from the click to
the frame that has the first live value.

| what | target | measured |
| --- | --- | --- |
| first judged decision, from opening the record | 1 s | {first_s} s |
| whole review | 60 s | {whole_s} s |
| frames a second meanwhile (mean) | 50 | {frames_a_second} |
| longest frame meanwhile | | {longest_frame_ms} ms |
| first live value after a step, while the review runs | 150 ms | {meanwhile} |
| first live value after a step, after the review | 150 ms | {after} |
| first live value of another position on the analysis board | 150 ms | {analysis} |
| decisions with the same evaluation as in Python | all {decisions} | {same_numbers} |
| console errors | 0 | {console_errors} |
"""


def ordinary(seeds: int) -> Record:
    """Of some games between sailors, the one whose number of decisions is nearest to 140."""
    found = []
    for seed in range(1, seeds + 1):
        game = Game.new("jamaica-en", seats=2, seed=f"review-{seed}")
        players = [create("sailor", seed), create("sailor", seed + 1)]
        while not game.is_over:
            game.play(players[game.turn - 1].decide(game.view(game.turn)))
        found.append(game.record())
    return min(found, key=lambda record: abs(number_of_decisions(record) - DECISIONS))


def timed(record: Record, place: Executor) -> tuple[float, float]:
    """Seconds to the first result and to the whole review."""
    begin = time.perf_counter()
    first: list[float] = []

    def tell(_done: int, _total: int) -> None:
        if not first:
            first.append(time.perf_counter() - begin)

    review(record, Limit(nodes=NODES), place=place, progress=tell)
    return first[0], time.perf_counter() - begin


def native(record: Record) -> dict[str, Any]:
    """The review in this process and in one process for each core."""
    ways = (("one process, a thread for each core", 1), (f"{cores()} processes", cores()))
    times = [(name, timed(record, executor(workers=workers))) for name, workers in ways]
    return {"rows": [[name, round(first, 2), round(whole, 1)] for name, (first, whole) in times]}


def page(kept: dict[str, Any]) -> str:
    """The page of results, from what both ways have measured."""
    text = HEAD
    if told := kept.get("native"):
        lines = (f"| {name} | {first:.2f} s | {whole:.1f} s |\n" for name, first, whole in told["rows"])
        text += NATIVE.format(**told) + "".join(lines)
    if told := kept.get("browser"):
        steps = {
            name: "median {median} ms, worst {worst} ms".format(**told[f"step_{name}_ms"])
            for name in ("meanwhile", "after", "analysis")
        }
        text += BROWSER.format(**told, **steps)
    return text


def main() -> None:
    """Measure one way, and keep the numbers of the other one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--browser", action="store_true", help="measure in Chromium; needs the built table")
    parser.add_argument("--seeds", type=int, default=40, help="games of which the most ordinary one is reviewed")
    given = parser.parse_args()
    record = ordinary(given.seeds)
    review(record, Limit(nodes=1))  # loads the compiled code
    about: dict[str, Any] = {"date": datetime.now(UTC).strftime("%Y-%m-%d"), "cores": cores()}
    about |= {"load": round(os.getloadavg()[0], 1), "game": str(record.opening)}
    about |= {"decisions": number_of_decisions(record), "draws": sum(entry.move.is_chance for entry in record.moves)}
    if given.browser:
        from bench.review_browser import measure

        told = {"browser": about | measure(record)}
    else:
        told = {"native": about | native(record)}
    known = json.loads(KEPT.read_text("utf-8")) if KEPT.is_file() else {}
    kept = {way: each for way, each in known.items() if each.get("game") == about["game"]} | told
    KEPT.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
    (RESULTS / "review.md").write_text(page(kept), "utf-8")
    print(page(kept))


if __name__ == "__main__":
    main()
