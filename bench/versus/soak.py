"""The server under load with a durable SQLite database: moves per second, delays, processor time.

The client is the same for both checkouts, only the server is the measured one. ``load`` plays at a fixed pace,
``compare`` as fast as the server answers; a delay lasts from sending a move until every viewer has it.
"""

import asyncio
import os
import tempfile
from pathlib import Path
from typing import Any, Final, NamedTuple

import uvloop
from bench.versus.readings import Reading, Readings, Task, take_turns
from tests.server.players import Load, load
from tests.server.trials import cpu_seconds
from tests.web.rig import Served

UNLIMITED: Final = {
    "REQUESTS": "1000000",
    "MESSAGES": "1000000",
    "TABLES_PER_HOUR": "1000000",
    "SOCKETS_PER_ADDRESS": "100000",
    "TABLE_SOCKETS": "10000",
    "CONNECTIONS": "100000",
    "CONNECTIONS_PER_ADDRESS": "100000",
    "WAITING_SOCKETS": "100000",
    "ADDRESS_SHARE": "100",
    "LOG_LEVEL": "error",
}


class Trial(NamedTuple):
    """How much load: moves per second in all (0: as fast as they go), and what every viewer is sent."""

    tables: int
    viewers: int
    pace: float
    detail: str


TRIALS: Final = {"load": Trial(100, 5, 200.0, "full"), "compare": Trial(60, 3, 0.0, "text")}


def measure(task: Task) -> Readings:
    """Measure both trials, each with a server and a database of its own."""
    os.environ["PYTHONPATH"] = str(task.side / "src")  # for the server
    for name, trial in TRIALS.items():
        take_turns()
        with tempfile.TemporaryDirectory() as folder:
            served = Served(Path(folder), **UNLIMITED)
            try:
                found, used = put_load(served, trial, task.soak_seconds)
            finally:
                served.kill()
        report: dict[str, Any] = found.report()
        if found.errors or not found.moves:
            raise RuntimeError(f"{name}: {found.errors} errors, {found.moves} moves")
        if not trial.pace:
            yield f"{name}: durable moves", Reading(found.moves / found.seconds, "moves/s")
        yield f"{name}: delay, median", Reading(report["p50_ms"], "ms")
        yield f"{name}: delay, 99 %", Reading(report["p99_ms"], "ms")
        yield f"{name}: server's processor time for a move", Reading(used * 1000 / found.moves, "ms")


def put_load(served: Served, trial: Trial, seconds: float) -> tuple[Load, float]:
    """Play; return what was found and the processor time that the server used, setting up included."""
    assert served.process is not None
    before = cpu_seconds(served.process.pid)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        playing = load(served.port, trial.tables, trial.viewers, trial.pace, seconds, detail=trial.detail)
        found = runner.run(playing)
    return found, cpu_seconds(served.process.pid) - before
