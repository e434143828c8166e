"""Time the review of an ordinary two-player game of Jamaica: ``python -m bench.review``.

Targets: 3,000 nodes a decision, luck included, at most 20 s on two cores, the first result after at most 1 s. The
compiled search is loaded before the clock starts, as ``cartagena warmup`` does; starting worker processes counts.
"""

import argparse
import time
from pathlib import Path

from cartagena import Game, Limit, Record
from cartagena.jobs import Executor, cores, executor
from cartagena.players import create
from cartagena.study import review
from cartagena.study.review import number_of_decisions

RESULT = Path(__file__).parent / "results" / "review.md"
DECISIONS = 140
HEAD = """# Time of a review

`python -m bench.review --nodes {nodes}` on {cores} cores: a game of Jamaica for two between captains with 200 nodes a
decision, {decisions} decisions and {draws} dealt cards, each decision judged with {nodes} nodes, luck included.
Targets: 20 s on two cores, the first result within 1 s.

| how | first result | whole review |
| --- | --- | --- |
"""


def ordinary(seeds: int) -> Record:
    """Of some games between captains, the one whose number of decisions is nearest to 140."""
    found = []
    for seed in range(1, seeds + 1):
        game = Game.new("jamaica-en", seats=2, seed=f"review-{seed}")
        players = [create("captain", seed), create("captain", seed + 1)]
        while not game.is_over:
            game.play(players[game.turn - 1].decide(game.view(game.turn), Limit(nodes=200)))
        found.append(game.record())
    return min(found, key=lambda record: abs(number_of_decisions(record) - DECISIONS))


def timed(record: Record, nodes: int, place: Executor) -> tuple[float, float]:
    """Seconds to the first result and to the whole review."""
    begin, first = time.perf_counter(), []

    def tell(_done: int, _total: int) -> None:
        if not first:
            first.append(time.perf_counter() - begin)

    review(record, Limit(nodes=nodes), place=place, progress=tell)
    return first[0], time.perf_counter() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=3000)
    parser.add_argument("--seeds", type=int, default=8, help="games of which the most ordinary one is reviewed")
    given = parser.parse_args()
    record = ordinary(given.seeds)
    review(record, Limit(nodes=1))  # loads the compiled code
    draws = sum(entry.move.is_chance for entry in record.moves)
    text = HEAD.format(nodes=given.nodes, cores=cores(), decisions=number_of_decisions(record), draws=draws)
    for name, workers in (("one process, a thread for each core", 1), (f"{cores()} processes", cores())):
        first, whole = timed(record, given.nodes, executor(workers=workers))
        text += f"| {name} | {first:.2f} s | {whole:.1f} s |\n"
    RESULT.write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
