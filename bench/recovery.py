"""The pauses of tables after faults, and what a bare client has to wait for the same fault.

Part of ``make soak ONLY=cluster``.
"""

import asyncio
import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import asyncpg
import httpx
from sqlalchemy.engine import make_url
from tests.server.cluster import Cluster, Trial, strike
from tests.server.players import percentile
from tests.server.rig import PATIENCE

from .restarts import STEADY, Balancer, behind, under_load

FAULTS: Final = ("kill", "postgres", "redis", "balancer")
PACE: Final = 0.02  # seconds between two looks at the moves, and between two tries of a bare client
CONNECT: Final = 1.0  # seconds in which a bare client must be connected


@dataclass
class Bare:
    """The longest time between two successes of a client that does nothing but try."""

    longest: float = 0.0
    since: float = field(default_factory=time.monotonic)

    def note(self) -> None:
        """Note a success."""
        now = time.monotonic()
        self.longest, self.since = max(self.longest, now - self.since), now

    def take(self) -> float:
        """The longest time since the last call."""
        found, self.longest = max(self.longest, time.monotonic() - self.since), 0.0
        return found


async def write_on(database: str, bare: Bare) -> None:
    """Write to the database with a connection of our own, for ever."""
    url = make_url(database).set(drivername="postgresql").render_as_string(hide_password=False)
    connection: Any = None
    while True:
        try:
            if connection is None:
                connection = await asyncpg.connect(url, timeout=CONNECT)
            await connection.execute("UPDATE alembic_version SET version_num = version_num")
            bare.note()
        except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
            if connection is not None:
                connection.terminate()
            connection = None
        await asyncio.sleep(PACE)


async def ask_on(base: str, bare: Bare) -> None:
    """Ask through the balancer for what no server has to look up, for ever."""
    async with httpx.AsyncClient(base_url=base, timeout=CONNECT) as client:
        while True:
            with suppress(httpx.HTTPError):
                if (await client.get("/healthz")).status_code == 200:
                    bare.note()
            await asyncio.sleep(PACE)


@asynccontextmanager
async def bare_clients(cluster: Cluster) -> AsyncIterator[dict[str, Bare]]:
    """Controls: a client of the database alone, and one of the balancer alone."""
    found = {"database": Bare(), "front": Bare()}
    tasks = [
        asyncio.create_task(write_on(cluster.database, found["database"])),
        asyncio.create_task(ask_on(cluster.front.url, found["front"])),
    ]
    try:
        yield found
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def longest_pauses(trial: Trial, over: asyncio.Event) -> list[float]:
    """The longest time without an acknowledged move of each client until the event, and until its next move."""
    began = time.monotonic()
    moves, since, longest = trial.moves(), [began] * len(trial.games), [0.0] * len(trial.games)
    moved = [False] * len(trial.games)
    while not over.is_set() or not all(moved):
        await asyncio.sleep(PACE)
        now = time.monotonic()
        for client, count in enumerate(trial.moves()):
            longest[client] = max(longest[client], now - since[client])
            if count > moves[client]:
                moves[client], since[client] = count, now
                moved[client] = moved[client] or over.is_set()
    return longest


async def recovery(cluster: Cluster, balancer: Balancer, times: int) -> dict[str, dict[str, float]]:
    """The pauses of tables after each kind of fault and without one, how long it lasted, and those of bare clients."""
    found: dict[str, list[float]] = {}
    lasted: dict[str, list[float]] = {}
    controls: dict[tuple[str, str], list[float]] = {}
    chance = random.Random(1)

    def harm(fault: str) -> None:
        if fault == "balancer":
            balancer.kill()
            balancer.start()
        elif fault:
            strike(cluster, fault, chance)
        else:
            time.sleep(STEADY)

    async with under_load(cluster, PATIENCE) as (_seen, trial), bare_clients(cluster) as bare:
        for fault in ("", *FAULTS) * times:
            trial.fault, over = fault, asyncio.Event()
            watching = asyncio.create_task(longest_pauses(trial, over))
            for each in bare.values():
                each.take()
            began = time.monotonic()
            await asyncio.to_thread(harm, fault)
            lasted.setdefault(fault or "control", []).append(time.monotonic() - began)
            over.set()
            found.setdefault(fault or "control", []).extend(await asyncio.wait_for(watching, PATIENCE))
            for name, each in bare.items():
                controls.setdefault((fault or "control", name), []).append(each.take())
    return {
        fault: {
            "median_s": round(percentile(pauses, 0.5), 2),
            "worst_s": round(max(pauses), 2),
            "lasted_s": round(percentile(lasted[fault], 0.5), 2),
            **{f"{name}_s": round(max(controls[fault, name]), 2) for name in ("database", "front")},
        }
        for fault, pauses in found.items()
    }


def trial_recovery(postgres: Any, folder: Path, times: int) -> dict[str, Any]:
    """The pauses of tables after a server's kill, restarts of PostgreSQL and Redis, and the balancer's kill."""
    with behind("haproxy", postgres, folder, levels="") as (cluster, balancer):
        return asyncio.run(recovery(cluster, balancer, times))
