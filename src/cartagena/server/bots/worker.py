"""A bot worker: takes jobs from Redis, lets engines think, and answers. Any number may run on any machines.

A worker that is told to stop finishes what it can and hands the rest back. While Redis does not answer, it keeps
trying.
"""

import asyncio
import logging
import secrets
import socket
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

import cartagena
from cartagena.backends.arguments import cores
from cartagena.errors import CartagenaError, PlayerError

from ..cluster.redis import RedisError
from ..settings import Settings, split_list
from ..tasks import end_tasks
from .jobs import Job, JobBoard, Taken, WorkerInfo
from .pool import TRIES, CoreBudget, EnginePool, Question

log = logging.getLogger("cartagena.bots")
BEAT: Final = 0.4  # seconds between signs of life, and between renewals of claims
ABANDONED_MS: Final = 1200  # age of a claim after which another worker takes the job
PROMPT: Final = 0.5  # seconds between a job's posting and its beginning that cost no thinking time
LEAST: Final = 0.2  # seconds of thinking that are left to a late job in any case
HURRY: Final = 0.2  # seconds between looks whether people wait while a hint is thought about
FIRST_PAUSE: Final = 0.2  # seconds before Redis is tried again; doubled each time
LONGEST_PAUSE: Final = 5.0
GIVE_UP: Final = 60.0  # seconds after which an answer that Redis does not take is dropped


def worker_name() -> str:
    """A name that no other worker has."""
    return f"{socket.gethostname()[:40]}-{secrets.token_hex(4)}"


def time_left(seconds: float, age: float) -> float:
    """The time to think about a job of that age: less if another worker had it before and died."""
    return min(seconds, max(LEAST, seconds + PROMPT - age))


class Worker:
    """Takes as many jobs at once as it has engines."""

    def __init__(self, board: JobBoard, settings: Settings, engines: int = 0, abandoned_ms: int = ABANDONED_MS) -> None:
        available = cores()
        number = engines or available
        self.board = board
        self.settings = settings
        self.abandoned_ms = abandoned_ms
        self.pool = EnginePool(settings, CoreBudget(number, max(1, available // number)))
        levels = split_list(settings.levels)
        self.info = WorkerInfo(worker_name(), number, levels, cartagena.__version__)
        self.free = asyncio.Semaphore(number)
        self.jobs: dict[Taken, asyncio.Task[None]] = {}
        self.dropped: set[Taken] = set()
        self.stopping = asyncio.Event()
        self.away = False

    @property
    def name(self) -> str:
        return self.info.name

    async def run(self) -> None:
        """Work until ``stopping`` is set, then finish or hand back the jobs that are left."""
        await self.board.join()
        await self.board.beat(self.info)
        for level in self.info.levels:  # the first job of a level takes no longer than others
            self.pool.prepare(level)
        taker, stop = asyncio.create_task(self._take()), asyncio.create_task(self.stopping.wait())
        helpers = [asyncio.create_task(work) for work in (self._beat(), self._hurry())]
        try:
            await asyncio.wait([taker, stop, *helpers], return_when=asyncio.FIRST_COMPLETED)
        finally:
            await end_tasks(taker, stop)
            await self._finish_jobs()
            with suppress(RedisError):
                await self.board.leave(self.name)
            await self.pool.stop()
            await end_tasks(*helpers)

    async def _finish_jobs(self) -> None:
        """Wait for the running jobs for a while, and hand the others back."""
        if self.jobs:
            await asyncio.wait(self.jobs.values(), timeout=self.settings.stop_seconds)
        with suppress(RedisError):
            await self.board.hand_back(self.name)
        left = list(self.jobs)
        self._drop(left)
        await asyncio.gather(*(self.jobs[job] for job in left if job in self.jobs), return_exceptions=True)

    def _drop(self, jobs: Iterable[Taken]) -> None:
        """Stop work on jobs. Each is cancelled once, so that nothing disturbs the end of an engine."""
        for job in jobs:
            if job not in self.dropped:
                self.dropped.add(job)
                self.jobs[job].cancel()

    # --- jobs

    async def _take(self) -> None:
        """Take a job whenever an engine is free."""
        pause = FIRST_PAUSE
        while True:
            await self.free.acquire()
            try:
                job = await self.board.take(self.name, self.abandoned_ms)
            except RedisError as error:
                self.free.release()
                self._note_redis(error)
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
                await self._join_again()
                continue
            pause = FIRST_PAUSE
            self._note_redis(None)
            if job is None:
                self.free.release()
            else:
                self._begin(job)

    def _begin(self, job: Taken) -> None:
        """Work on a job in a task of its own, which frees the engine."""

        def over(_task: "asyncio.Task[None]") -> None:
            del self.jobs[job]
            self.dropped.discard(job)
            self.free.release()

        self.jobs[job] = asyncio.create_task(self._work(job))
        self.jobs[job].add_done_callback(over)

    async def _work(self, taken: Taken) -> None:
        """Think, and answer as soon as Redis takes the answer."""
        answer, pause = await self._answer(taken), FIRST_PAUSE
        with suppress(TimeoutError):
            async with asyncio.timeout(GIVE_UP):
                while True:
                    try:
                        await self.board.finish(taken, answer)
                    except RedisError as error:
                        self._note_redis(error)
                        await asyncio.sleep(pause)
                        pause = min(2 * pause, LONGEST_PAUSE)
                    else:
                        return

    async def _answer(self, taken: Taken) -> dict[str, object]:
        """The answer to a job, or an error that says why there is none."""
        try:
            job = Job.parse(taken.data)
            if taken.age > job.lives:
                return {"error": "the job came too late"}
            if job.level not in self.info.levels:
                return {"error": f"there is no level {job.level[:40]} here"}
            return {"answer": await self._think(job, taken.rank, taken.age)}
        except CartagenaError as error:
            return {"error": str(error)}
        except Exception as error:
            log.exception("a job failed")
            return {"error": f"the worker failed: {type(error).__name__}"}

    async def _think(self, job: Job, rank: int, age: float) -> dict[str, object]:
        """Ask an engine, and another one if it fails. Raises PlayerError."""
        question = Question(job.level, job.position(), time_left(job.seconds, age), job.game, rank=rank)
        for _ in range(TRIES - 1):
            with suppress(PlayerError):
                return await self.pool.ask(question)
        return await self.pool.ask(question)

    # --- signs of life

    async def _beat(self) -> None:
        """Say that this worker lives, renew its claims, and stop jobs that are wanted no more."""
        while True:
            await asyncio.sleep(BEAT)
            try:
                await self.board.beat(self.info)
                held = list(self.jobs)
                wanted = await self.board.hold(self.name, held)
            except RedisError:
                await self._join_again()
            else:
                self._drop([job for job in held if job.posted not in wanted and job in self.jobs])

    async def _hurry(self) -> None:
        """Cut hints short while people wait for an engine."""
        while True:
            await asyncio.sleep(HURRY)
            if self.pool.hinting and self.free.locked():
                with suppress(RedisError):
                    if await self.board.people_wait():
                        self.pool.hurry_hints()

    async def _join_again(self) -> None:
        """Make the consumer group again, in case Redis has lost it."""
        with suppress(RedisError):
            await self.board.join()

    def _note_redis(self, error: RedisError | None) -> None:
        """Log once that Redis is away, and once that it is back."""
        if error is not None and not self.away:
            log.warning("Redis is away; trying again", extra={"why": str(error)})
        if error is None and self.away:
            log.warning("Redis is back")
        self.away = error is not None
