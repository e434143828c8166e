"""Several servers on one database: faults under load, the way of a move to another server, and the cost of --redis.

Part of ``make soak``: ``make soak ONLY=cluster`` runs it alone and writes bench/results/cluster.md.
"""

import asyncio
import random
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import uvloop
from tests.postgres import start_postgres
from tests.server import trials
from tests.server.cluster import Cluster, faults, slowest, start_cluster, start_redis
from tests.server.conftest import new_postgres_database
from tests.server.players import load
from tests.server.rig import process
from tests.server.secrecy import compare_all, store_new_pairs

from .hung_page import trial_hung_page
from .recovery import trial_recovery
from .restarts import RESTARTS, trial_restarts, trial_workers

T = TypeVar("T")
FAULTS = 200
KINDS = ("kill", "kill", "kill", "drain", "redis", "postgres")
"""Half of the faults kill a server."""
ROUND = 20
"""Faults in one round of games."""
TABLES, PAUSE = 8, 0.03
"""Clients that play during the faults, and seconds between two moves of each: about 200 moves a second together."""


def run(work: Coroutine[Any, Any, T]) -> T:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


@contextmanager
def cluster_of(postgres: Any, folder: Path, **changes: Any) -> Iterator[Cluster]:
    folder.mkdir()
    with start_cluster(postgres, new_postgres_database(postgres), folder, **changes) as found:
        yield found


def trial_faults(postgres: Any, folder: Path, number: int, seed: int) -> dict[str, Any]:
    """Random faults while games are played through the balancer."""
    chance = random.Random(seed)
    total: dict[str, Any] = {"faults": 0, "acked": 0, "lost": 0, "doubled": 0}
    back: dict[str, float] = {}
    with cluster_of(postgres, folder) as cluster:
        while total["faults"] < number:
            kinds = [chance.choice(KINDS) for _ in range(min(ROUND, number - total["faults"]))]
            trial, wrong = run(faults(cluster, kinds, TABLES, chance.randrange(10**6), PAUSE))
            total["faults"] += len(kinds)
            total["acked"] += trial.acked()
            for key, value in wrong.items():
                total[key] += value
            for fault, seconds in slowest(trial).items():
                back[fault] = max(back.get(fault, 0.0), seconds)
    return {**total, "slowest_back_s": back}


def trial_cases(postgres: Any, folder: Path, share: float, seed: int) -> dict[str, Any]:
    """Duplicated sends and pairs of games that differ in secrets, through the balancer."""
    with cluster_of(postgres, folder, levels="", cached_tables=50) as cluster:
        sent = run(trials.duplicates(cluster.front.port, max(500, int(10_000 * share)), tables=8, seed=seed))
        made, tokens, _ = store_new_pairs(cluster.database, max(5, int(200 * share)), seed)
        pairs = compare_all(cluster.front, made, tokens, several=True)
    return {"duplicates": sent, "secrecy": {"pairs": len(made), **pairs}}


def trial_way(postgres: Any, folder: Path, seconds: float) -> dict[str, Any]:
    """200 moves a second at one server; the time until a viewer at another server has each."""
    with cluster_of(postgres, folder) as cluster:
        one, two, _ = cluster.servers
        return run(load(one.port, 100, 2, 200, seconds, elsewhere=two.port)).report()


def trial_cost(postgres: Any, folder: Path, seconds: float) -> dict[str, Any]:
    """Most moves a second of one server on PostgreSQL, without and with --redis, in turns."""
    folder.mkdir()
    rounds: dict[str, list[float]] = {"alone": [], "redis": []}
    with start_redis(folder) as redis:
        for number in range(6):
            name = ("alone", "redis")[number % 2]
            place = folder / f"round{number}"
            place.mkdir()
            given = {"redis": redis.url.replace("/0", f"/{number + 1}")} if name == "redis" else {}
            with process(new_postgres_database(postgres), place, **given) as server:
                found = run(load(server.port, 60, 3, 0, seconds, detail="text")).report()
            assert found["errors"] == 0, found
            rounds[name].append(found["moves_per_second"])
    middle = {name: sorted(values)[1] for name, values in rounds.items()}
    return {**middle, "ratio": round(middle["redis"] / middle["alone"], 3), "rounds": rounds}


def trial(folder: Path, share: float, seed: int) -> dict[str, Any]:
    """All parts."""
    with start_postgres() as postgres:
        return {
            "faults": trial_faults(postgres, folder / "faults", max(6, int(FAULTS * share)), seed),
            "cases": trial_cases(postgres, folder / "cases", share, seed),
            "way": trial_way(postgres, folder / "way", max(5.0, 60 * share)),
            "cost": trial_cost(postgres, folder / "cost", max(4.0, 12 * share)),
            "restarts": trial_restarts(postgres, folder / "restarts", max(2, int(RESTARTS * share))),
            "hung_page": trial_hung_page(postgres, folder / "hung"),
            "recovery": trial_recovery(postgres, folder / "recovery", max(1, int(10 * share))),
            "workers": trial_workers(folder / "workers", max(2, int(10 * share))),
        }


def total(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """All runs together: counts are added, and of times and ratios the worst one counts."""

    def added(parts: list[dict[str, Any]]) -> dict[str, Any]:
        return {key: sum(part[key] for part in parts) for key, value in parts[0].items() if isinstance(value, int)}

    struck = [run["faults"] for run in runs]
    back: dict[str, float] = {}
    for fault, seconds in [pair for each in struck for pair in each["slowest_back_s"].items()]:
        back[fault] = max(back.get(fault, 0.0), seconds)
    cases = {name: added([run["cases"][name] for run in runs]) for name in ("duplicates", "secrecy")}
    return {
        "faults": {**added(struck), "slowest_back_s": back},
        "cases": cases,
        "way": max((run["way"] for run in runs), key=lambda way: way["p99_ms"]),
        "cost": min((run["cost"] for run in runs), key=lambda cost: cost["ratio"]),
        "restarts": runs[-1].get("restarts", {}),
        "hung_page": runs[-1].get("hung_page", {}),
        "recovery": runs[-1].get("recovery", {}),
        "workers": runs[-1].get("workers", {}),
    }


def beside(each: dict[str, float]) -> str:
    """How long a fault lasted, and what clients of the database and of the balancer alone had to wait at worst."""
    bare = f", bare writes {each['database_s']} s, bare requests {each['front_s']} s" if "front_s" in each else ""
    return f"it lasted {each['lasted_s']} s{bare}"


def write_table(runs: list[dict[str, Any]], path: Path, about: dict[str, Any]) -> None:
    """Write the page of results."""
    found = total(runs)
    struck, cases, way, cost = found["faults"], found["cases"], found["way"], found["cost"]
    back = ", ".join(f"{fault} {seconds:.2f} s" for fault, seconds in struck["slowest_back_s"].items())
    back = back or "none: no client was at a server that was struck"
    rows = [
        (
            "three servers, kill -9 of servers, restarts of Redis and PostgreSQL under load",
            "200 faults, 0 acknowledged moves lost or doubled, clients back ≤ 3 s after their server died",
            (
                f"{struck['faults']} faults, {struck['acked']:,} moves acknowledged: {struck['lost']} lost, "
                f"{struck['doubled']} doubled; slowest client back after {back}"
            ),
        ),
        (
            "a move at one server reaches a viewer at another",
            "p99 ≤ 50 ms at 200 moves/s",
            (
                f"p50 {way['p50_ms']} ms, p99 {way['p99_ms']} ms at {way['moves_per_second']} moves/s, "
                f"{way['errors']} errors"
            ),
        ),
        (
            "throughput, PostgreSQL, one server with --redis against one without",
            "≥ 0.9 ×",
            f"{cost['redis']:,} against {cost['alone']:,} moves/s: {cost['ratio']} × (median of 3 rounds each)",
        ),
        (
            "duplicated and reordered sends through the balancer",
            "each applied exactly once",
            (
                f"{cases['duplicates']['sends']:,} sends of {cases['duplicates']['moves']:,} moves, "
                f"{cases['duplicates']['tables_wrong']} tables with a move missing or doubled"
            ),
        ),
        (
            "pairs of games that differ only in secrets, through the balancer",
            "byte-equal",
            f"{cases['secrecy']['pairs']:,} pairs, {cases['secrecy']['different']} answers that differ",
        ),
    ]
    rows += [
        (
            f"rolling restarts behind {name}, under load; a server that hangs",
            f"0 refused requests, worst pause ≤ 2 s; left within {15 if name == 'nginx' else 5} s",
            (
                f"{each['restarts']} restarts, {each['requests']:,} requests, {each['refused']} refused, worst pause "
                f"{each['worst_pause_s']} s (control {each['control_s']} s); left after {each['hung_s']} s"
            ),
        )
        for name, each in found["restarts"].items()
    ]
    rows += [
        (
            f"the page in Chromium behind {name}: a move at a server that hangs",
            f"seen within {15 if name == 'nginx' else 5} s",
            (
                f"{each['times']} times: median {each['median_s']} s, worst {each['worst_s']} s "
                f"(control {each['control_s']} s)"
            ),
        )
        for name, each in found["hung_page"].items()
    ]
    if found["recovery"]:
        pauses = [
            f"{fault} {each['median_s']} / {each['worst_s']} s ({beside(each)})"
            for fault, each in found["recovery"].items()
        ]
        rows.append(("pauses of tables after a fault", "median ≤ 2 s, worst ≤ 5 s", ", ".join(pauses)))
    if each := found["workers"]:
        killed = f"{each['kills']} kills: median {each['median_s']} s, worst {each['worst_s']} s"
        rows.append(
            (
                "a bot worker is killed while it thinks",
                "moved elsewhere within 3 s",
                f"{killed} (control {each['control_s']} s)",
            )
        )
    lines = ["# Several servers, measured", "", "Repeat with `make soak ONLY=cluster` on a quiet machine.", ""]
    if len(runs) > 1:
        lines[-1:] = ["", f"{len(runs)} runs: counts are added, of times and ratios the worst run is shown.", ""]
    lines += ["| what | target | found |", "| --- | --- | --- |"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    lines += ["", "- " + "; ".join(f"{name}: {value}" for name, value in about.items()) + ".", ""]
    path.write_text("\n".join(lines))
