"""How strong are the players? Contests that go on where they stopped, and one page with all results.

    python -m bench.strength levels                  # ratings of all levels, every game, 2 to 5 seats
    python -m bench.strength growth --seconds 3600   # the admiral against itself with half the nodes
    python -m bench.strength equal-time crowd gunners quarter cost
    python -m bench.strength gunners --read --out FOLDER --machine "x86_64, 16 cores"   # games of another machine
    python -m bench.strength page                    # only write the page again

A group plays until all its games are played or --seconds are over; the row with the least time spent goes on first.
Games are kept in --out, the results of all rows in bench/results/strength.json and strength.md. Groups whose players
are limited by time (equal-time, crowd, gunners) and ``cost`` need a machine with nothing else on it.
"""

import argparse
import json
import os
import platform
import time
from collections import Counter
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

from bench.growth_plot import plot
from bench.strength_page import page
from bench.strength_rows import DRAWN, GAMES, Row, rows

from cartagena.arena import Result, ratings, read, run, share_of
from cartagena.jobs import cores

RESULTS = Path(__file__).parent / "results"
AT_LEAST = 4
"""Games a worker plays of a row before another row goes on."""
POSITIONS, ROUNDS, SEARCHED, TRIES = 500, 100, 20_000, 5


def played(row: Row, out: Path) -> list[Result]:
    """The games of a row so far."""
    path = out / f"{row.name}.jsonl"
    return read(path)[1] if path.exists() else []


def spent(results: Sequence[Result]) -> float:
    """Seconds that the players of these games thought."""
    return sum(sum(result.seconds) for result in results)


def step_of(row: Row, workers: int) -> int:
    """Games that are played at a time: whole rounds, enough for all workers."""
    size = sum(map(len, row.contest(1).round(0)))
    return size * max(1, AT_LEAST * workers // size)


def go_on(chosen: Sequence[Row], given: argparse.Namespace, told: dict[str, Any]) -> None:
    """Play until all is played or the time is over."""
    deadline = time.monotonic() + given.seconds
    state = {row: played(row, given.out) for row in chosen}
    while time.monotonic() < deadline:
        waiting = [row for row in chosen if len(state[row]) < row.games]
        if not waiting:
            return
        row = min(waiting, key=lambda each: spent(state[each]))
        wanted = min(row.games, len(state[row]) + step_of(row, given.workers))
        state[row] = run(row.contest(wanted), given.out / f"{row.name}.jsonl", given.workers)
        told[row.name] = summary(row, state[row], given)
        save(told)
        print(f"{row.name}: {len(state[row])} games, {told[row.name]['result']}", flush=True)


def take_in(chosen: Sequence[Row], given: argparse.Namespace, told: dict[str, Any]) -> None:
    """Sum up the games that are in the folder already, perhaps played on another machine."""
    for row in chosen:
        if results := whole_deals(row, played(row, given.out)):
            told[row.name] = summary(row, results, given)
            print(f"{row.name}: {len(results)} games, {told[row.name]['result']}", flush=True)


def whole_deals(row: Row, results: Sequence[Result]) -> list[Result]:
    """The games of the deals that are played from every seat."""
    last = max((result.number for result in results), default=0)
    wanted = Counter(fixture.deal for fixture in row.contest(last + 1).fixtures())
    got = Counter(result.deal for result in results)
    return [result for result in results if got[result.deal] == wanted[result.deal]]


def summary(row: Row, results: Sequence[Result], given: argparse.Namespace) -> dict[str, Any]:
    """The result of a row as data."""
    found: dict[str, Any] = {"games": len(results), "machine": given.machine, "note": given.note}
    if row.group == "levels":
        rated = {each.label: [round(each.elo), round(each.error)] for each in ratings(results)}
        return {**found, "ratings": rated, "result": ", ".join(f"{name} {elo}" for name, (elo, _) in rated.items())}
    share = share_of(results, row.players[0])
    low, high = share.interval()
    found |= {"share": round(share.mean, 4), "low": round(low, 4), "high": round(high, 4), "target": row.target}
    return {**found, "result": str(share)}


# --- the cost of an evaluation


def cost(note: str) -> dict[str, Any]:
    """Nanoseconds of an evaluation and nodes a second of a search, by the old weights and by networks.

    At four seats the network is a new one: what an evaluation costs does not depend on what was learned.
    """
    import numpy as np
    from bench.equals import basis_of, evaluate_all, play

    from cartagena import Game
    from cartagena.players.compiled.ismcts import run as search
    from cartagena.players.compiled.tree import emptied, new_tree
    from cartagena.players.networks import fresh, network_for, pack

    found: dict[str, Any] = {"machine": machine(), "note": note, "games": {}}
    for game, seats in product(GAMES, (2, 4)):
        starts = [Game.new(GAMES[game], seats=seats, seed=f"cost-{number}").position for number in range(POSITIONS)]
        kept = play(starts, list(range(POSITIONS)), 8, "2026-11").kept
        states = np.array([position.words for position in kept], np.int64).reshape(-1)
        view = kept[0].view(kept[0].turn)
        network = network_for(view)
        old = basis_of(view, "2026-11")
        new = old._replace(weights=pack(fresh(1)) if network is None else network)
        tree, row = new_tree(SEARCHED), {}
        for name, basis in (("old", old), ("network", new)):
            evaluate_all(basis, tree, states, 1)
            times = [timed(lambda: evaluate_all(basis, tree, states, ROUNDS)) for _ in range(TRIES)]  # noqa: B023
            row[f"{name}_ns"] = round(min(times) / ROUNDS / POSITIONS * 1e9)
            tree, root = emptied(tree, SEARCHED), np.array(view.words, np.int64)
            took = timed(lambda: search(basis, tree, root, view.turn - 1, 1, SEARCHED))  # noqa: B023
            row[f"{name}_nodes_a_second"] = round(SEARCHED / took)
        label = f"{game}, {seats} seats"
        found["games"][label] = {**row, "ratio": round(row["network_ns"] / row["old_ns"], 3)}
        print(label, found["games"][label], flush=True)
    return found


def timed(work: Any) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def machine() -> str:
    return f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def known() -> dict[str, Any]:
    path = RESULTS / "strength.json"
    found: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return found


def save(told: dict[str, Any]) -> None:
    lines = (f"{json.dumps(name)}: {json.dumps(row, sort_keys=True)}" for name, row in sorted(told.items()))
    (RESULTS / "strength.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    (RESULTS / "strength.md").write_text(page(told), "utf-8")
    (RESULTS / "strength.svg").write_text(plot(told, tuple(GAMES), DRAWN), "utf-8")


def main() -> None:
    groups = list(dict.fromkeys(row.group for row in rows()))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", nargs="+", choices=[*groups, "cost", "page"])
    parser.add_argument("--seconds", type=float, default=1800.0, help="for each group")
    parser.add_argument("--workers", type=int, default=cores(), help="games at a time")
    parser.add_argument("--out", type=Path, default=Path("build/strength"), help="folder of the games")
    parser.add_argument("--read", action="store_true", help="play nothing, sum up the games in the folder")
    parser.add_argument("--machine", default=machine(), help="the machine that played, for the page")
    parser.add_argument("--note", default="", help="what else runs on the machine, for the page")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    told = known()
    for group in given.groups:
        if group == "cost":
            told["cost"] = cost(given.note)
        (take_in if given.read else go_on)([row for row in rows() if row.group == group], given, told)
    save(told)
    print(f"written: {RESULTS / 'strength.md'}")


if __name__ == "__main__":
    main()
