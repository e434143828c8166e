"""The players' targets: ``python bench/players.py [ROW ...]`` plays and writes ``results/players-ROW.json``.

Every row is a contest of ``cartagena arena``; the file says with which command. A row that was broken off goes on
where it was. ``playouts`` measures the speed of the heuristic policy.
"""

import json
import platform
import sys
import time
from itertools import pairwise
from pathlib import Path

import numpy as np

from cartagena import Game
from cartagena.arena import Contest, Sequential, run
from cartagena.arena.report import summary, text
from cartagena.players.core.playout import playouts

RESULTS = Path(__file__).parent / "results"
GAMES = {"jamaica": "jamaica-en", "tortuga": "tortuga-en", "nest": "nest-nl"}
LADDER = ("deckhand", "sailor", "gunner", "quartermaster", "captain")


def rows() -> dict[str, Contest]:
    """All contests by name."""
    found: dict[str, Contest] = {}
    step = Sequential(0.6, 0.75)
    for game, rules in GAMES.items():
        for lower, upper in pairwise(LADDER):
            found[f"{upper}-{lower}-{game}"] = Contest((upper, lower), rules, games=200, stop=step)
        found[f"captain-0.1s-gunner-{game}"] = Contest(
            ("captain@0.1s", "gunner"), rules, games=200, stop=Sequential(0.8, 0.9)
        )
        found[f"captain-4000n-quartermaster-400n-{game}"] = Contest(
            ("captain@4000n", "quartermaster@400n"), rules, games=200, stop=step
        )
        found[f"captain-0.1s-three-gunners-{game}"] = Contest(
            ("captain@0.1s", "gunner", "gunner", "gunner"), rules, seats=4, games=200, stop=Sequential(0.5, 0.65)
        )
        found[f"finishing-{game}"] = Contest(
            ("sailor", "gunner", "quartermaster@100n", "captain@400n"), rules, games=336
        )
    return found


def command(contest: Contest) -> str:
    stop = f" --stop {contest.stop.low},{contest.stop.high}" if contest.stop else ""
    return (
        f"cartagena arena {' '.join(contest.players)} --rules {contest.rules} --seats {contest.seats}"
        f" --games {contest.games} --seed {contest.seed}{stop}"
    )


def play(name: str, contest: Contest, processes: int) -> None:
    """Play a row and write what came of it."""
    kept = RESULTS / f"players-{name}.jsonl"
    results = run(contest, kept, processes)
    found = {"command": command(contest), "machine": machine(), **summary(contest, results)}
    (RESULTS / f"players-{name}.json").write_text(json.dumps(found, indent=1) + "\n")
    kept.unlink()
    print(text(contest, results), flush=True)


def machine() -> str:
    return f"{platform.machine()}, Python {platform.python_version()}"


def measure_playouts() -> None:
    """Playouts a second from the opening, two seats, one core (processor time)."""
    found: dict[str, object] = {"command": "python bench/players.py playouts", "machine": machine()}
    for game, rules in GAMES.items():
        view = Game.new(rules, seats=2, seed=1).view(1)
        table, start = np.array(view.table, np.int64), np.array(view.words, np.int64)
        work, wins = start.copy(), np.zeros(8, np.int64)
        playouts(table, start, work, 1, 10, 2000, wins)
        begin = time.process_time()
        moves = playouts(table, start, work, 2, 20_000, 2000, wins)
        rate = 20_000 / (time.process_time() - begin)
        found[game] = {"playouts_per_second": round(rate), "moves_per_playout": round(moves / 20_000, 1)}
    (RESULTS / "players-playouts.json").write_text(json.dumps(found, indent=1) + "\n")
    print(json.dumps(found), flush=True)


def main() -> None:
    RESULTS.mkdir(exist_ok=True)
    known = rows()
    processes = 2
    for name in sys.argv[1:] or ["playouts", *known]:
        if name == "playouts":
            measure_playouts()
        else:
            play(name, known[name], processes)


if __name__ == "__main__":
    main()
