"""Is a blunder worth what the review says? Give it back, and play on with equals from both sides of it.

    python -m bench.thresholds            # all games; go on with the same command

A sailor and a gunner play. The game is reviewed, and the seat that lost more by its decisions is the worse player. For
each of its inaccuracies, mistakes and blunders the position after its own move and the one after the best move are
played out --times times by equals (the strongest evaluation, --play nodes a decision), with the cards as they really
lay. If the review is right, the best move raises the result by as much as the review said, on average. Finished games
are kept in --out. Writes thresholds.json and thresholds.md to bench/results.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from bench.calibration import RESULTS, RULES, read
from bench.equals import play

from cartagena import Game, Position, Record
from cartagena.jobs import cores, executor
from cartagena.kernel.layout import DEADLOCK
from cartagena.players import create
from cartagena.players.weights import NETWORK
from cartagena.study.judge import Decision, Judge
from cartagena.study.review import choices_of
from cartagena.study.review_text import BAD

PLAYERS = ("sailor", "gunner")
MOST_MOVES = 600
OF_A_CLASS = 3
"""Decisions of one class that are taken from one game at most."""
ROUNDS = 2000
ALL = "all games"


@dataclass(frozen=True)
class Task:
    """One game, and how it is judged and played out."""

    game: str
    number: int
    look: int
    nodes: int
    play: int
    times: int

    @property
    def key(self) -> str:
        return f"{self.game}-{self.number}"


def played(task: Task) -> Record:
    """A game between two players of different strength, the first seat by turns."""
    game = Game.new(RULES[task.game], seats=2, seed=f"thresholds-{task.number}")
    names = PLAYERS if task.number % 2 else PLAYERS[::-1]
    players = [create(name, task.number) for name in names]
    while not game.is_over and len(game.moves) < MOST_MOVES:
        game.play(players[game.turn - 1].decide(game.view(game.turn)))
    return game.record()


def result(position: Position, seat: int, task: Task, salt: int) -> float:
    """What a seat wins from a position on average, between equals."""
    seeds = [((task.number * 1000 + salt) << 20) + each for each in range(task.times)]
    ends = play([position] * task.times, seeds, task.play, NETWORK).ends
    return sum(0.5 if end == DEADLOCK else float(end == seat) for end in ends if end) / max(1, sum(map(bool, ends)))


def work(task: Task) -> dict[str, Any]:
    """Review a game and play out the costly decisions of the worse player."""
    record = played(task)
    quick, judge = Judge(task.look), Judge(task.nodes)
    seen = [(position, quick.judge(position, number, move)) for number, position, move in choices_of(record)]
    lost = [sum(each.cost for _, each in seen if each.seat == seat) for seat in (1, 2)]
    worse = 1 if lost[0] >= lost[1] else 2
    rows: list[dict[str, Any]] = []
    for position, first in seen:
        if first.seat != worse or first.kind not in BAD:
            continue
        found = judge.judge(position, first.number, first.move)
        if found.kind in BAD and sum(row["kind"] == found.kind for row in rows) < OF_A_CLASS:
            rows.append(row_of(position, found, task))
    return {"task": task.key, "rows": rows}


def row_of(position: Position, found: Decision, task: Task) -> dict[str, Any]:
    """What the review said of a decision, and what playing on from both moves brought."""
    best, own = (
        result(position.play(move), found.seat, task, 2 * found.number + side)
        for side, move in enumerate((found.best, found.move))
    )
    return {"kind": found.kind, "said": round(found.cost, 4), "raised": round(best - own, 4)}


def tasks(given: argparse.Namespace) -> Iterator[Task]:
    for number in range(given.games):
        for game in RULES:
            yield Task(game, number, given.look, given.nodes, given.play, given.times)


def table(done: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Said and raised for each game and class, with 95 % intervals by drawing the reviewed games anew."""
    found = []
    for game in (*RULES, ALL):
        lines = [line for key, line in done.items() if game == ALL or key.startswith(f"{game}-")]
        for kind in BAD:
            groups = [[row for row in line["rows"] if row["kind"] == kind] for line in lines]
            groups = [group for group in groups if group]
            if len(groups) > 1:
                found.append({"game": game, "class": kind, "games": len(groups), **compared(groups)})
    return found


def compared(groups: list[list[dict[str, Any]]]) -> dict[str, Any]:
    """The means of what was said and of what was gained, and the interval of their difference."""
    sums = np.array([[len(group), *(sum(row[key] for row in group) for key in ("said", "raised"))] for group in groups])
    chance = np.random.default_rng(1)
    drawn = (sums[chance.integers(len(sums), size=len(sums))].sum(axis=0) for _ in range(ROUNDS))
    low, high = np.percentile([(each[2] - each[1]) / each[0] for each in drawn], [2.5, 97.5])
    number, said, raised = sums.sum(axis=0)
    return {
        "decisions": int(number),
        "said": round(said / number, 4),
        "raised": round(raised / number, 4),
        "low": round(float(low), 4),
        "high": round(float(high), 4),
        "agrees": bool(low <= 0 <= high),
    }


HEAD = """# Is a blunder worth what the review says?

`python -m bench.thresholds --games {games} --look {look} --nodes {nodes} --play {play} --times {times}`: decisions of
the worse player in games between a sailor and a gunner. "Said" is the mean cost by the review with {nodes} nodes,
"raised" what the best move wins more than the move that was played when equals with {play} nodes a decision play on,
{times} times each, with the cards as they lay. The interval is of raised less said, in points of 100, 95 % by drawing
the games anew.

| game | class | decisions | said | raised | raised less said | within error |
| --- | --- | --- | --- | --- | --- | --- |
"""


def page(rows: list[dict[str, Any]], given: argparse.Namespace) -> str:
    text = HEAD.format(**vars(given))
    for row in rows:
        numbers = [f"{100 * row[key]:.1f}" for key in ("said", "raised")]
        between = f"{100 * row['low']:+.1f} to {100 * row['high']:+.1f}"
        cells = [row["game"], row["class"], str(row["decisions"]), *numbers, between, "yes" if row["agrees"] else "no"]
        text += f"| {' | '.join(cells)} |\n"
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100, help="reviewed games of each game")
    parser.add_argument("--look", type=int, default=200, help="nodes of the first review, which finds the worse player")
    parser.add_argument("--nodes", type=int, default=3000, help="nodes of the review")
    parser.add_argument("--play", type=int, default=32, help="nodes of a decision when playing on")
    parser.add_argument("--times", type=int, default=20, help="games played on from each side")
    parser.add_argument("--workers", type=int, default=cores())
    parser.add_argument("--out", type=Path, default=Path("build/thresholds"), help="folder of finished work")
    given = parser.parse_args()
    head = {key: value for key, value in vars(given).items() if key not in {"games", "workers", "out"}}
    path = given.out / "thresholds.jsonl"
    done = read(path, head)
    waiting = [task for task in tasks(given) if task.key not in done]
    with executor(workers=given.workers) as place, path.open("a", encoding="utf-8") as file:
        for count, line in enumerate(place.map(work, iter(waiting)), 1):
            file.write(json.dumps(line) + "\n")
            file.flush()
            done[line["task"]] = line
            print(f"{count} of {len(waiting)} games", flush=True)
    rows = table(done)
    (RESULTS / "thresholds.json").write_text(json.dumps({**head, "rows": rows}, indent=1) + "\n", "utf-8")
    (RESULTS / "thresholds.md").write_text(page(rows, given), "utf-8")
    print(page(rows, given))


if __name__ == "__main__":
    main()
