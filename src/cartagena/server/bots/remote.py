"""Computer players in bot workers (``cartagena bots``), and in the local pool while there is no worker.

Nothing depends on a worker: if none is alive, if Redis does not answer, or if an answer does not come or is no legal
move, this server thinks itself. A server has at most as many jobs in Redis as the workers have engines; the others wait
here in a fair queue, tables with people first, as for engines of its own.
"""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager, suppress
from typing import Final, TypeVar

from cartagena.errors import PlayerFailed
from cartagena.game import Position
from cartagena.players.engine_client import retrieve

from ..cluster.redis import RedisError
from ..metrics import BOT_ENGINES, BOT_JOBS, BOT_WORKERS
from ..tasks import FairQueue, Owners, end_tasks
from .jobs import Job, JobBoard, Posted, WorkerInfo
from .pool import PATIENCE, PEOPLE, EnginePool, Hurry, Question, must_be_legal

log = logging.getLogger("cartagena.computers")
T = TypeVar("T")
WATCH_PAUSE: Final = 0.5  # seconds between two looks for living workers
UNLIMITED: Final = 10**9  # turns while there is no worker, so that no job waits for one
SLACK: Final = 10.0  # seconds that a name is held longer than the work should take


class RemotePool:
    """The bot workers of one Redis, with a local pool in reserve."""

    def __init__(self, local: EnginePool, board: JobBoard) -> None:
        self.local = local
        self.board = board
        self.name = secrets.token_hex(8)
        self.turns = FairQueue(UNLIMITED)
        self.workers: list[WorkerInfo] = []
        self.open: dict[str, asyncio.Future[dict[str, object]]] = {}
        self.tasks: list[asyncio.Task[None]] = []
        self.errands: set[asyncio.Task[object]] = set()
        """What is asked of Redis, and taken back there, also if the request is cancelled meanwhile."""

    @property
    def queue(self) -> FairQueue:
        """Turns of the local engines."""
        return self.local.queue

    @property
    def hurry(self) -> Hurry:
        """Whether the players are short of time."""
        return self.local.hurry

    @property
    def failing(self) -> list[str]:
        """Levels whose last request failed here."""
        return self.local.failing

    @property
    def engines(self) -> int:
        return sum(worker.engines for worker in self.workers)

    @property
    def notes(self) -> list[str]:
        """How many workers there are."""
        if not self.workers:
            return ["no bot worker is alive; this server thinks itself", *self.hurry.notes]
        return [f"bot workers: {len(self.workers)}, engines: {self.engines}", *self.hurry.notes]

    # --- the same interface as the local pool

    async def choose(
        self, level: str, view: Position, game: str, owners: Owners = (), rank: int = PEOPLE
    ) -> str | None:
        """A legal move of the level's player in that game, None if the player fails here too."""
        answer = await self._try(Question(level, view, self.local.settings.engine_seconds, game, owners, rank))
        if answer is not None:
            return str(answer["move"])
        return await self.local.choose(level, view, game, owners, rank)

    async def ask(self, question: Question) -> dict[str, object]:
        """The answer of the level's player. Raises PlayerError."""
        answer = await self._try(question)
        return await self.local.ask(question) if answer is None else answer

    def prepare(self, level: str) -> None:
        """Have an engine of the level ready here, unless a bot worker has the level."""
        if not self._have(level):
            self.local.prepare(level)

    def _have(self, level: str) -> bool:
        """Whether a bot worker has the level."""
        return any(level in worker.levels for worker in self.workers)

    @asynccontextmanager
    async def alone(self, name: str, seconds: float) -> AsyncIterator[bool]:
        """Hold a name among all servers. Without Redis the name counts as free."""
        mark = secrets.token_hex(8)
        reserving = self._start(self.board.reserve(name, mark, seconds + SLACK))
        try:
            free = True
            with suppress(RedisError):
                free = await asyncio.shield(reserving)
            yield free
        finally:
            await asyncio.shield(self._start(self._release(reserving, name, mark)))

    async def _release(self, reserving: Awaitable[bool], name: str, mark: str) -> None:
        with suppress(RedisError):
            if await reserving:
                await self.board.release(name, mark)

    def _start(self, work: Awaitable[T]) -> "asyncio.Task[T]":
        """Start an errand."""
        task = asyncio.ensure_future(work)
        self.errands.add(task)
        task.add_done_callback(self.errands.discard)
        return task

    # --- jobs

    async def _try(self, question: Question) -> dict[str, object] | None:
        """A worker's answer with a legal move, or None if this server must think itself."""
        level, view, game = question.level, question.view, question.game
        if view.rules.is_variant:  # a job has the text of a view, which does not say a variant's rules
            return None
        try:
            async with self.turns.turn(question.payers, question.rank):
                if not self._have(level):
                    return None
                seconds = self._seconds(question)
                job = Job.of(level, view, seconds, game, seconds + PATIENCE, self.name)
                answer = await self._answer(job, question.rank)
            must_be_legal(answer, view)
        except (PlayerFailed, RedisError) as error:
            BOT_JOBS.labels("failed").inc()
            log.warning("a bot worker gave no move", extra={"player": level, "why": str(error)})
            return None
        BOT_JOBS.labels("answered").inc()
        return answer

    def _seconds(self, question: Question) -> float:
        """The time to think: less where others wait."""
        waiting = len(self.turns.waiting)
        if question.game is not None:
            return min(question.seconds, self.hurry.note(waiting, self.engines))
        return question.hurried().seconds if waiting else question.seconds

    async def _answer(self, job: Job, rank: int) -> dict[str, object]:
        """Post a job and wait for its answer. Raises PlayerFailed or RedisError."""
        future = self.open[job.id] = asyncio.get_running_loop().create_future()
        future.add_done_callback(retrieve)
        posting = self._start(self.board.post(job, rank))
        try:
            await asyncio.shield(posting)
            return await asyncio.wait_for(future, job.lives)
        except TimeoutError:
            raise PlayerFailed("no answer came in time") from None
        finally:
            del self.open[job.id]
            if not future.done() or future.cancelled() or future.exception():
                self._start(self._withdraw(posting))

    async def _withdraw(self, posting: Awaitable[Posted]) -> None:
        with suppress(RedisError):
            await self.board.withdraw(await posting)

    def _settle(self, answer: dict[str, object]) -> None:
        """Hand an answer to the request that waits for it. A late or repeated answer is dropped."""
        future = self.open.get(str(answer.get("id")))
        if future is None or future.done():
            BOT_JOBS.labels("late").inc()
        elif isinstance(thought := answer.get("answer"), dict):
            future.set_result(thought)
        else:
            future.set_exception(PlayerFailed(str(answer.get("error"))[:200]))

    # --- workers

    async def start(self) -> None:
        """Find the living workers, and listen for answers."""
        with suppress(RedisError):
            self._note(await self.board.workers())
        self.tasks = [asyncio.create_task(self._watch()), asyncio.create_task(self._listen())]

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(WATCH_PAUSE)
            try:
                self._note(await self.board.workers())
            except RedisError:
                self._note([])
            except Exception:  # whatever it is, the next look may succeed
                log.exception("bot workers could not be looked for")
                self._note([])

    async def _listen(self) -> None:
        while True:
            try:
                for answer in await self.board.answers(self.name):
                    self._settle(answer)
            except RedisError:
                self._note([])  # an answer may be lost
                await asyncio.sleep(WATCH_PAUSE)
            except ValueError:
                log.warning("an answer of a bot worker cannot be read")
            except Exception:
                log.exception("answers of bot workers could not be heard")
                await asyncio.sleep(WATCH_PAUSE)

    def _note(self, workers: list[WorkerInfo]) -> None:
        """Note the living workers. If there are none, open jobs fail and this server thinks itself."""
        if bool(workers) != bool(self.workers):
            log.info("bot workers are alive" if workers else "no bot worker is alive; this server thinks itself")
        self.workers = workers
        BOT_WORKERS.set(len(workers))
        BOT_ENGINES.set(self.engines)
        if not workers:
            for future in self.open.values():
                if not future.done():
                    future.set_exception(PlayerFailed("no bot worker is alive"))
        self.turns.resize(self.engines if workers else UNLIMITED)

    async def stop(self) -> None:
        """Withdraw all jobs and end the local engines."""
        await end_tasks(*self.tasks)
        await self.local.stop()
        self._note([])
        await asyncio.sleep(0)  # the waiting requests withdraw their jobs
        await asyncio.gather(*self.errands, return_exceptions=True)
