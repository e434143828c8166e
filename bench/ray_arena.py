"""Games a second of an arena on Ray with one worker and with more, and whether the results are the same.

``python -m bench.ray_arena`` starts a Ray cluster of one node for each number of workers, plays the same contest on it
and writes bench/results/ray.md. The rate leaves out the first games, during which the workers start. Results are
compared without the measured times of the players.
"""

import argparse
import json
import os
import platform
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from cartagena.arena import Contest, run
from cartagena.jobs import cores, executor
from cartagena.players import create

RESULT = Path(__file__).parent / "results" / "ray.md"
PLAYERS = ("captain@1000n", "gunner")
START = 0.15
"""Share of the games that are played before the clock of the rate starts."""
TIMES = ("seconds", "slowest", "overruns")
"""Fields of a result that are measured times."""


@dataclass(frozen=True)
class Found:
    """What one run measured."""

    workers: int
    games: int
    seconds: float
    rate: float
    lines: list[dict[str, Any]]


@contextmanager
def cluster(workers: int) -> Iterator[None]:
    """A Ray cluster of one node that does so many tasks at a time. ``--on ray`` finds it by RAY_ADDRESS."""
    from ray.cluster_utils import Cluster

    nodes: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": workers, "include_dashboard": False})
    os.environ["RAY_ADDRESS"] = str(nodes.address)
    try:
        yield
    finally:
        del os.environ["RAY_ADDRESS"]
        nodes.shutdown()


def results(path: Path) -> list[dict[str, Any]]:
    """The lines of a file of results without measured times."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [{key: value for key, value in line.items() if key not in TIMES} for line in lines]


def measure(workers: int, games: int, folder: Path) -> Found:
    """Play the contest with so many workers."""
    contest, out, ends = Contest(PLAYERS, games=games), folder / f"{workers}.jsonl", []
    with cluster(workers):
        begin = time.perf_counter()
        run(contest, out, None, lambda _: ends.append(time.perf_counter()), place=executor("ray", workers))
    first = int(len(ends) * START)
    rate = (len(ends) - 1 - first) / (ends[-1] - ends[first])
    return Found(workers, len(ends), ends[-1] - begin, rate, results(out))


def page(found: list[Found]) -> str:
    """The page of results."""
    base = found[0]
    lines = [
        "# An arena on Ray, measured",
        "",
        (
            f"Repeat with `python -m bench.ray_arena --workers {' '.join(str(each.workers) for each in found)} "
            f"--games {base.games}` on a quiet machine. The contest is {' against '.join(PLAYERS)} in games of Jamaica "
            "for two, each deal played from both seats."
        ),
        "",
        "Target: with 8 workers on 16 cores 6.5 times the games a second of one, and the same file of results.",
        "",
        "| workers | games | whole run | games/s after the start | against one worker | results |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for each in found:
        same = "the same" if each.lines == base.lines else "DIFFERENT"
        cells = (
            each.workers,
            each.games,
            f"{each.seconds:.1f} s",
            f"{each.rate:.2f}",
            f"{each.rate / base.rate:.2f} ×",
        )
        lines.append(f"| {' | '.join(map(str, cells))} | {'' if each is base else same} |")
    date = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    lines += [
        "",
        "The whole run includes the start of the workers. Ray's own processes and the command share the cores with",
        "them. Results are compared line by line, without the measured times of the players.",
        "",
        f"- {date}: {platform.machine()}, {cores()} cores, Python {platform.python_version()}, Ray {version('ray')}.",
    ]
    return "\n".join(lines) + "\n"


def warm_up() -> None:
    """Compile what the players need before the clock starts."""
    for spec in PLAYERS:
        player: Any = create(spec.partition("@")[0])
        player.get_ready()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, min(8, cores())], help="numbers of workers")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--out", type=Path, default=RESULT, help="page of results")
    given = parser.parse_args()
    warm_up()
    with tempfile.TemporaryDirectory() as folder:
        found = [measure(workers, given.games, Path(folder)) for workers in given.workers]
    text = page(found)
    given.out.write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
