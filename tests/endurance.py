"""Long runs of what the tests run briefly: python -m tests.endurance [--share 0.1]. Writes a report.

A pooled player must make the decisions of a fresh one in 200 games in a row, for every level and game. An engine that
has answered must take the next ``go`` at once, 10,000 times in a row while all cores are busy.
"""

import argparse
import json
import multiprocessing
import platform
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE

from cartagena import Game
from cartagena.backends.arguments import cores
from cartagena.players import LEVELS
from tests.cli.helpers import PROGRAM
from tests.players.pooled import GAMES, compare

IN_A_ROW = 200
REQUESTS = 10_000
MOST = 200
"""Moves after which a game counts as played; random replies make some games very long."""
BUSY = 2
"""Processes for each core that do nothing but keep it busy."""


def pooled_row(work: tuple[str, str, int]) -> tuple[str, str, int]:
    """Compare one level in one game and return the number of decisions."""
    level, rules, games = work
    return level, rules, compare(level, rules, range(games), MOST)


def pooled_players(games: int) -> list[str]:
    """Compare all levels in all games; the lines of the report."""
    work = [(level, rules, games) for level in reversed(["random", *LEVELS]) for rules in GAMES]
    found: dict[tuple[str, str], int] = {}
    compare("admiral", GAMES[0], range(1))  # compile once, before the workers start
    with ProcessPoolExecutor(cores(), multiprocessing.get_context("spawn")) as pool:
        for done, (level, rules, decisions) in enumerate(pool.map(pooled_row, work), 1):
            found[level, rules] = decisions
            sys.stderr.write(f"\r{done} of {len(work)} pooled players")
    sys.stderr.write("\n")
    rows = [
        f"| {level} | " + " | ".join(str(found[level, rules]) for rules in GAMES) + " |"
        for level in ("random", *LEVELS)
    ]
    return [f"| level | {' | '.join(GAMES)} |", "| --- |" + " --- |" * len(GAMES), *rows]


def spin() -> None:
    """Keep a core busy."""
    while True:
        pass


@contextmanager
def loaded_machine(processes: int) -> Iterator[None]:
    """Keep all cores busy."""
    started = [multiprocessing.get_context("spawn").Process(target=spin, daemon=True) for _ in range(processes)]
    for process in started:
        process.start()
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.join()


def requests_in_a_row(number: int) -> float:
    """Send each ``go`` the moment the last answer is read. Returns the seconds; a refusal raises an error."""
    view = str(Game.new("tortuga-en", seed=1).view(1))
    command = [*PROGRAM, "engine", "--player", "deckhand"]
    with loaded_machine(BUSY * cores()), subprocess.Popen(command, stdin=PIPE, stdout=PIPE) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        begun = time.perf_counter()
        for number_sent in range(number):
            engine.stdin.write(json.dumps({"id": number_sent, "cmd": "go", "view": view}).encode() + b"\n")
            engine.stdin.flush()
            answer = json.loads(engine.stdout.readline())
            assert answer["id"] == number_sent, answer
            assert "move" in answer, answer
        return time.perf_counter() - begun


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("--share", type=float, default=1.0, help="the part of the games and requests to run")
    parser.add_argument("--out", type=Path, default=Path("bench/results/endurance.md"))
    chosen = parser.parse_args()
    games, requests = (max(1, round(whole * chosen.share)) for whole in (IN_A_ROW, REQUESTS))
    begun = time.perf_counter()
    table = pooled_players(games)
    seconds = time.perf_counter() - begun
    spent = requests_in_a_row(requests)
    facts = f"{time.strftime('%Y-%m-%d', time.gmtime())}, Python {platform.python_version()}, {cores()} cores"
    lines = [
        "# Long runs",
        "",
        f"`make endurance`, {facts}.",
        "",
        "## Pooled players",
        "",
        f"One player of each level in {games} games in a row, against a fresh player for each game: all decisions",
        f"were equal. The table counts them. At most {MOST} moves a game, 16 nodes a decision, {seconds:.0f} s.",
        "",
        *table,
        "",
        "## Requests in a row",
        "",
        f"{requests} times `go` to one engine process, each the moment the last answer was read, while",
        f"{BUSY * cores()} other processes kept all cores busy: none was refused. {spent:.0f} s.",
    ]
    chosen.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
