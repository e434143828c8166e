"""Are win chances what they say? Predicted against played, one position from each self-played game.

    python -m bench.calibration                       # 10,000 games of each game; go on with the same command
    python -m bench.calibration nest --positions 2000 # one game, fewer positions

Equals play: the strongest evaluation for two seats, the same number of nodes (--play) for each decision of both seats.
Of each game one decision with a choice is drawn evenly, and the judge of ``cartagena review`` searches it from its
seat's view with --nodes nodes. What it says is compared with the result of the game. Finished work is kept in --out.
Writes calibration.json, calibration.md and calibration.svg to bench/results.
"""

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from bench.calibration_plot import plot
from bench.equals import play

from cartagena import Game, Position
from cartagena.jobs import cores, executor
from cartagena.kernel.layout import DEADLOCK
from cartagena.players.weights import NETWORK
from cartagena.study.judge import POWERS, Judge

RULES = {"jamaica": "jamaica-en", "tortuga": "tortuga-en", "nest": "nest-nl", "hispaniola": "hispaniola-en"}
RESULTS = Path(__file__).parent / "results"
CHUNK = 50
BINS = 10
ROUNDS = 1000
TARGET = 0.03
EDGE = 1e-6


@dataclass(frozen=True)
class Task:
    """Some games to be played, and how."""

    game: str
    number: int
    play: int
    nodes: int
    seed: int

    @property
    def key(self) -> str:
        return f"{self.game}-{self.number}"

    def openings(self) -> list[Position]:
        names = (f"calibration-{self.seed}-{CHUNK * self.number + each}" for each in range(CHUNK))
        return [Game.new(RULES[self.game], seats=2, seed=name).position for name in names]


def work(task: Task) -> dict[str, Any]:
    """Play the games of a task and judge one position of each: what was said to the mover, and what it got."""
    seeds = [(task.seed << 32) + CHUNK * task.number + each for each in range(CHUNK)]
    found = play(task.openings(), seeds, task.play, NETWORK)
    judge, said, got = Judge(task.nodes, task.seed), [], []
    for position, end in zip(found.kept, found.ends, strict=True):
        if end:
            said.append(round(judge.win_chances(position.view(position.turn))[position.turn - 1], 5))
            got.append(0.5 if end == DEADLOCK else float(end == position.turn))
    return {"task": task.key, "said": said, "got": got}


# --- keeping


def read(path: Path, head: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The finished work of a file with the same head. An incomplete last line is dropped."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(head) + "\n", "utf-8")
        return {}
    lines = path.read_text("utf-8").splitlines()
    if not lines or json.loads(lines[0]) != head:
        raise SystemExit(f"{path}: has results of other settings; choose another --out")
    found = {}
    for text in lines[1:]:
        try:
            line = json.loads(text)
        except ValueError:
            continue
        found[line["task"]] = line
    return found


def collect(given: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """Do what is not done yet, a little of every game in turn."""
    path = given.out / "calibration.jsonl"
    done = read(path, {"play": given.play, "nodes": given.nodes, "seed": given.seed, "chunk": CHUNK})
    waiting = iter(()) if given.page else tasks(given, done)
    with executor(workers=given.workers) as place, path.open("a", encoding="utf-8") as file:
        for line in place.map(work, waiting):
            file.write(json.dumps(line) + "\n")
            file.flush()
            done[line["task"]] = line
            print(", ".join(f"{game} {positions_of(game, done)}" for game in given.games), flush=True)
    return done


def positions_of(game: str, done: dict[str, dict[str, Any]]) -> int:
    return sum(len(line["said"]) for key, line in done.items() if key.startswith(f"{game}-"))


def tasks(given: argparse.Namespace, done: dict[str, dict[str, Any]]) -> Iterator[Task]:
    """What is not done yet, until every game has its positions: some games do not end and have none."""
    for number in range(2 * math.ceil(given.positions / CHUNK)):
        for game in given.games:
            task = Task(game, number, given.play, given.nodes, given.seed)
            if task.key not in done and positions_of(game, done) < given.positions:
                yield task


# --- measuring


def error(said: Any, got: Any) -> float:
    """The expected calibration error in equal bins: the mean distance of what is said from what happens."""
    places = np.minimum((said * BINS).astype(int), BINS - 1)
    sums = np.bincount(places, weights=said - got, minlength=BINS)
    return float(np.abs(sums).sum() / len(said))


def interval(said: Any, got: Any) -> tuple[float, float]:
    """The 95 % interval of the error by drawing the positions anew."""
    chance = np.random.default_rng(1)
    drawn = (chance.integers(len(said), size=len(said)) for _ in range(ROUNDS))
    low, high = np.percentile([error(said[rows], got[rows]) for rows in drawn], [2.5, 97.5])
    return float(low), float(high)


def heated(said: Any, power: float) -> Any:
    """The chances after a map that is monotone: the odds to a power."""
    inside = np.clip(said, EDGE, 1 - EDGE)
    return 1 / (1 + np.exp(-power * np.log(inside / (1 - inside))))


def fitted(said: Any, got: Any) -> float:
    """The power of the odds that makes the results least surprising."""
    powers = np.linspace(0.3, 2.0, 341)
    loss = [-np.mean(got * np.log(p) + (1 - got) * np.log(1 - p)) for p in (heated(said, each) for each in powers)]
    return float(powers[int(np.argmin(loss))])


@dataclass(frozen=True)
class Row:
    """The calibration of one game: by the review's map, and without it.

    ``fitted`` is the best power for one half of the games; ``before`` and ``after`` are errors on the other half,
    without a map and with that one.
    """

    game: str
    positions: int
    error: float
    low: float
    high: float
    searched: float
    power: float
    fitted: float
    before: float
    after: float
    bins: list[list[float]]


def bins_of(said: Any, got: Any) -> list[list[float]]:
    """For each bin: positions, mean of what was said, mean of what happened."""
    places = np.minimum((said * BINS).astype(int), BINS - 1)
    chosen = [places == number for number in range(BINS)]
    return [
        [int(each.sum()), round(float(said[each].mean()), 4), round(float(got[each].mean()), 4)] if each.any() else [0]
        for each in chosen
    ]


def row_of(game: str, lines: Sequence[dict[str, Any]]) -> Row:
    """Measure one game. The map is fitted to every second piece of work and tried on the others."""
    parts = [[(np.array(line["said"]), np.array(line["got"])) for line in lines[half::2]] for half in (0, 1)]
    one, other = ([np.concatenate(column) for column in zip(*half, strict=True)] for half in parts)
    said, got = np.concatenate([one[0], other[0]]), np.concatenate([one[1], other[1]])
    power, best = POWERS.get(game, 1.0), fitted(*one)
    told = heated(said, power)
    errors = error(told, got), *interval(told, got), error(said, got)
    halves = power, best, error(*other), error(heated(other[0], best), other[1])
    return Row(game, len(said), *(round(each, 4) for each in (*errors, *halves)), bins_of(told, got))


HEAD = """# Are win chances what they say?

`python -m bench.calibration --play {play} --nodes {nodes} --seed {seed}`: two seats; equals with {play} nodes a
decision play each game to its end; the judge of `cartagena review` says with {nodes} nodes what the mover of one
position of each game will win. Games of more than 1,500 moves are left out. The expected calibration error is the
mean distance of what was said from what happened, in ten equal bins; the interval is 95 % by drawing the positions
anew. Target: at most {target}.

| game | positions | calibration error | interval | met |
| --- | --- | --- | --- | --- |
"""
MAP = """
A review raises the odds of the search to a power, which keeps their order. Above 1 the search alone is not sure enough:
its values are means over good and bad moves that it tried. "Fitted" is the best power for one half of the games; the
last two columns are errors on the other half, without a map and with the fitted power. The powers of the review lie
between what fits few nodes and many: with 3,000 nodes the search is about 8 % surer than with 300.

| game | power in reviews | error of the search alone | fitted | other half before | after |
| --- | --- | --- | --- | --- | --- |
"""


def verdict(row: Row) -> str:
    if row.positions < 10_000:
        return "too few positions yet"
    return "yes" if row.error <= TARGET else "no"


def page(rows: Sequence[Row], given: argparse.Namespace) -> str:
    """The results as text."""
    text = HEAD.format(play=given.play, nodes=given.nodes, seed=given.seed, target=TARGET)
    for row in rows:
        cells = (row.game, f"{row.positions:,}", f"{row.error:.4f}", f"{row.low:.4f} to {row.high:.4f}", verdict(row))
        text += f"| {' | '.join(cells)} |\n"
    text += "\n![Predicted and played, game by game](calibration.svg)\n" + MAP
    for row in rows:
        numbers = f"{row.searched:.4f} | {row.fitted:.3f} | {row.before:.4f} | {row.after:.4f}"
        text += f"| {row.game} | {row.power:g} | {numbers} |\n"
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(RULES)}; all by default")
    parser.add_argument("--positions", type=int, default=10_000, help="of each game")
    parser.add_argument("--play", type=int, default=16, help="nodes of a decision in the games")
    parser.add_argument("--nodes", type=int, default=300, help="nodes of the judge")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=cores())
    parser.add_argument("--out", type=Path, default=Path("build/calibration"), help="folder of finished work")
    parser.add_argument("--page", action="store_true", help="only write the results of finished work")
    given = parser.parse_args()
    given.games = given.games or list(RULES)
    if unknown := [game for game in given.games if game not in RULES]:
        parser.error(f"there is no game {unknown[0]}")
    done = collect(given)
    rows = []
    for game in RULES:
        lines = [line for key, line in sorted(done.items()) if key.startswith(f"{game}-")]
        if len(lines) > 1:
            rows.append(row_of(game, lines))
    told = {"play": given.play, "nodes": given.nodes, "seed": given.seed, "rows": [asdict(row) for row in rows]}
    (RESULTS / "calibration.json").write_text(json.dumps(told, indent=1) + "\n", "utf-8")
    (RESULTS / "calibration.svg").write_text(plot([asdict(row) for row in rows]), "utf-8")
    (RESULTS / "calibration.md").write_text(page(rows, given), "utf-8")
    print(page(rows, given))


if __name__ == "__main__":
    main()
