"""Servers and bot workers of one test on one database of Redis, and what a test waits for."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from redis.exceptions import ResponseError

from cartagena.game import Game, Position
from cartagena.server.bots import jobs
from cartagena.server.bots.jobs import JobBoard
from cartagena.server.bots.pool import EnginePool
from cartagena.server.bots.remote import RemotePool
from cartagena.server.bots.worker import Worker
from cartagena.server.cluster.redis import RedisLink
from cartagena.server.settings import Settings
from cartagena.server.tasks import end_tasks

from .rig import BOT, PATIENCE

LEVELS = "7,8"
PLAYS = Settings(engine=BOT, levels=LEVELS, engine_processes=1)


def view(seed: int = 1) -> Position:
    return Game.new("tortuga-en", seats=2, seed=seed).view(1)


class Rig:
    """Everything that one test starts on one database of Redis."""

    def __init__(self, url: str, stack: AsyncExitStack) -> None:
        self.url, self.stack = url, stack

    async def board(self) -> JobBoard:
        link = RedisLink(self.url)
        self.stack.push_async_callback(link.close)
        return JobBoard(link)

    async def server(self, settings: Settings = PLAYS) -> RemotePool:
        """What a server thinks with."""
        pool = RemotePool(EnginePool(settings), await self.board())
        await pool.start()
        self.stack.push_async_callback(pool.stop)
        return pool

    async def worker(self, settings: Settings = PLAYS, abandoned_ms: int = 60_000) -> Worker:
        """A worker with one engine in this process."""
        worker = Worker(await self.board(), settings, 1, abandoned_ms)
        task = asyncio.create_task(worker.run())

        async def end() -> None:
            worker.stopping.set()
            await task

        self.stack.push_async_callback(end)
        await until(lambda: alive(worker.board, worker.name))
        return worker

    async def process(self, engine: str, **settings: Any) -> tuple["subprocess.Popen[str]", str]:
        """A worker as the command line starts it, and its name."""
        given = {"ENGINE": engine, "LEVELS": LEVELS, **{key.upper(): str(value) for key, value in settings.items()}}
        environment = {**os.environ, **{f"CARTAGENA_{key}": value for key, value in given.items()}}
        command = [sys.executable, "-m", "cartagena", "bots", "--redis", self.url, "--engines", "1"]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        self.stack.enter_context(process)
        self.stack.callback(process.kill)
        assert process.stdout is not None
        line = await asyncio.to_thread(process.stdout.readline)
        assert line.startswith("Bot worker "), line
        board, name = await self.board(), line.split()[2]
        await until(lambda: alive(board, name))
        return process, name


def play(url: str, work: Callable[[Rig], Awaitable[None]]) -> None:
    """Run a test in an event loop, and end what it has started."""

    async def main() -> None:
        async with asyncio.timeout(3 * PATIENCE), AsyncExitStack() as stack:
            await work(Rig(url, stack))

    asyncio.run(main())


async def until(fact: Callable[[], Awaitable[Any]]) -> Any:
    """Wait until something is there, and return it."""
    async with asyncio.timeout(PATIENCE):
        while not (found := await fact()):
            await asyncio.sleep(0.02)
        return found


async def alive(board: JobBoard, name: str) -> bool:
    return name in [worker.name for worker in await board.workers()]


async def pending(board: JobBoard, worker: str = "") -> int:
    """The number of jobs that are taken and not finished, of one worker or of all."""
    try:
        found = await board.redis.xpending_range(board.stream(0), jobs.GROUP, "-", "+", 100)
    except ResponseError:  # no worker has made the group yet
        return 0
    return sum(not worker or item["consumer"] == worker for item in found)


async def jobs_in(board: JobBoard, rank: int = 0) -> list[str]:
    found: Any = await board.redis.xrange(board.stream(rank))
    return [fields["job"] for _, fields in found]


@asynccontextmanager
async def asking(work: Awaitable[Any]) -> AsyncIterator["asyncio.Task[Any]"]:
    """A request that is under way."""
    task: asyncio.Task[Any] = asyncio.ensure_future(work)
    try:
        yield task
    finally:
        await end_tasks(task)
