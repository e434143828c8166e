"""The pool of engine processes in which computer players think.

An engine is any program that speaks the engine protocol. Engines run at low priority and see the view of the seat to
choose, nothing else. The serving process loads none of the compiled code.

Turns are shared fairly: tables with people first, then by the addresses at the table, or the one that asks for a hint.
A hint is cut short when a move waits for its engine.
"""

import asyncio
import logging
import math
import os
import secrets
import shutil
import sys
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from cartagena.backends.arguments import cores
from cartagena.errors import PlayerError, PlayerFailed
from cartagena.game import Game, Position
from cartagena.players import Limit
from cartagena.players.engine_client import EngineClient

from ..metrics import ENGINE_FAILURES, FAILING_LEVELS, THINKING, THINKING_SECONDS, WAITING_MOVES
from ..settings import Settings
from ..tasks import FairQueue, Owners, Tasks

log = logging.getLogger("cartagena.computers")
PATIENCE: Final = 60.0  # seconds beyond the thinking time: a first start may compile
TRIES: Final = 2
PAUSE: Final = 60.0  # seconds in which a level that failed is not asked again
SPARE: Final = 5  # idle engines of other levels that are kept: starting one takes seconds
HALT: Final = 1.0  # seconds in which an engine must stop when its request was cancelled
END: Final = 5.0  # seconds in which those that are being stopped or killed must have ended when the pool stops
WARM_UP: Final = 180.0  # seconds in which the first engine of a level must answer: it may have to be compiled
HOMES: Final = 4096  # games whose engine is remembered
HINT: Final = 0.4  # seconds that a hint may think at least while a move waits
PEOPLE, COMPUTERS_ONLY = 0, 1  # ranks of tables
SOON: Final = 2.0  # seconds in which all moves that wait are to be made
LEAST_THINKING: Final = 0.002  # seconds that a player has in any case, about as long as the rest of a request takes
NICE: Final = 10  # the nice value of engines
SESSION_NICE: Final = 5  # that of their sessions: a quarter of a core that others want; less makes replies late
SESSION_TRIES, SESSION_PAUSE = 50, 0.2
ONE_THREAD: Final = {"NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


class CoreBudget(NamedTuple):
    """Engines that may think at once, and the threads of each."""

    processes: int
    threads: int


def core_budget(processes: int, available: int) -> CoreBudget:
    """Share all cores but one, at least one, among ``processes`` engines (0: one engine a core)."""
    budget = max(1, available - 1)
    engines = min(processes or budget, budget)
    return CoreBudget(engines, budget // engines)


def engine_command(settings: Settings, level: str) -> list[str]:
    """The command that starts an engine of that level, at low priority."""
    own = [sys.executable, "-m", "cartagena", "engine", "--player", level, "--seed", str(secrets.randbelow(2**31))]
    command = settings.engine_command(level) if settings.engine else own
    nice = shutil.which("nice")
    return [nice, "-n", str(NICE), *command] if nice else command


async def give_way(pid: int) -> None:
    """Let an engine interrupt no other process when it has something to do, where the system knows that.

    Linux may share time among sessions before it looks at the nice values within each, and an engine has a session of
    its own. Few sessions can be changed in a second.
    """
    if sys.platform == "linux":
        with suppress(OSError):
            os.sched_setscheduler(pid, os.SCHED_BATCH, os.sched_param(0))
        for _ in range(SESSION_TRIES):
            if lower_session(pid):
                return
            await asyncio.sleep(SESSION_PAUSE)


def lower_session(pid: int) -> bool:
    """Lower the priority of a process's session, unless it is ours. Returns False to try again later."""
    if sys.platform != "linux":
        return True
    with suppress(OSError):
        if os.getsid(pid) == os.getsid(0):
            return True
        try:
            Path(f"/proc/{pid}/autogroup").write_text(str(SESSION_NICE))
        except BlockingIOError:
            return False
    return True


def thinking_seconds(full: float, waiting: int, engines: int) -> float:
    """Time to think about a move: all of it, or less where so many others wait that they would not be made soon.

    The rule is published in docs/hosting.md: ``engines * SOON / (waiting + 1)``, at most ``full``, at least
    ``LEAST_THINKING``.
    """
    return max(min(full, LEAST_THINKING), min(full, engines * SOON / (waiting + 1)))


class Hurry:
    """Whether the computer players are short of time: for the page, ``/readyz``, the metrics and the log."""

    def __init__(self, full: float) -> None:
        self.full = self.seconds = full
        self.waiting = 0
        self.told_at = -math.inf

    def note(self, waiting: int, engines: int) -> float:
        """Note how many moves wait, and return the time for the next one."""
        self.waiting, self.seconds = waiting, thinking_seconds(self.full, waiting, engines)
        WAITING_MOVES.set(waiting)
        THINKING_SECONDS.set(self.seconds)
        if self.is_short and time.monotonic() - self.told_at >= PAUSE:
            self.told_at = time.monotonic()
            log.warning("the computer players are short of time", extra={"waiting": waiting, "seconds": self.seconds})
        return self.seconds

    @property
    def is_short(self) -> bool:
        """Whether moves have less than half of their time."""
        return self.seconds < self.full / 2

    @property
    def notes(self) -> list[str]:
        """A sentence while the players are short of time."""
        if not self.is_short or not self.waiting:
            return []
        return [f"the computer players are short of time: {self.waiting} moves wait, {self.seconds:.2g} s for each"]


class IdleEngine(NamedTuple):
    """An engine that waits for its next request, and its level."""

    level: str
    client: EngineClient


class Question(NamedTuple):
    """A view, the level whose player is asked about it, and the seconds to think. Without a game it is a hint.

    A hint is not remembered. ``owners`` and ``rank`` decide when the question gets its turn.
    """

    level: str
    view: Position
    seconds: float
    game: str | None = None
    owners: Owners = ()
    rank: int = PEOPLE

    @property
    def payers(self) -> Owners:
        """Whose shares of the turns it uses."""
        return self.owners or (self.game or "",)

    def hurried(self) -> "Question":
        """The same question with as little time as a hint has while others wait."""
        return self._replace(seconds=min(self.seconds, HINT))


@cache
def opening() -> Position:
    """What a new engine is asked about, so that it loads its code."""
    return Game.new("jamaica-en", seats=2, seed=1).view(1)


def must_be_legal(answer: dict[str, object], view: Position) -> None:
    """Raise PlayerFailed unless the answer has a legal move."""
    if answer.get("move") not in view.legal_words():
        raise PlayerFailed(f"it answered {str(answer.get('move'))[:20]!r}, which is not a legal move")


class Pool(Protocol):
    """Where computer players think: in engines of this process (``EnginePool``) or in bot workers (``RemotePool``)."""

    @property
    def queue(self) -> FairQueue:
        """Turns of this process's own engines."""

    @property
    def hurry(self) -> Hurry:
        """Whether the players are short of time."""

    @property
    def failing(self) -> list[str]:
        """Levels whose last request failed."""

    @property
    def notes(self) -> list[str]:
        """Sentences for the person who runs the server."""

    async def choose(
        self, level: str, view: Position, game: str, owners: Owners = (), rank: int = PEOPLE
    ) -> str | None:
        """A legal move of the level's player in that game, None if the player fails."""

    async def ask(self, question: Question) -> dict[str, object]:
        """The answer of the level's player. Raises PlayerError."""

    def prepare(self, level: str) -> None:
        """Have an engine of the level ready soon, for a table that is set up."""

    def alone(self, name: str, seconds: float) -> AbstractAsyncContextManager[bool]:
        """Hold a name for about that many seconds. Yields False if another server holds it."""

    async def stop(self) -> None:
        """End all work."""


class EnginePool:
    """Engines of all levels. One core is always left to people, unless a budget is given."""

    def __init__(self, settings: Settings, budget: CoreBudget | None = None) -> None:
        self.settings = settings
        self.budget = budget or core_budget(settings.engine_processes, cores())
        self.queue = FairQueue(self.budget.processes)
        self.hurry = Hurry(settings.engine_seconds)
        self.hinting: dict[EngineClient, float] = {}
        self.idle: list[IdleEngine] = []
        self.homes: OrderedDict[tuple[str, str], EngineClient] = OrderedDict()
        """Of each level and game, the engine that remembers its moves."""
        self.clients: set[EngineClient] = set()
        self.failed_at: dict[str, float] = {}
        self.warming: dict[str, asyncio.Lock] = {}
        self.prepared_at: dict[str, float] = {}
        self.tasks = Tasks()
        """What goes on if the borrower of an engine is cancelled, such as the end of an engine."""
        self.stopping = False

    @property
    def failing(self) -> list[str]:
        """Levels whose last request failed."""
        return sorted(self.failed_at)

    @property
    def notes(self) -> list[str]:
        """Sentences for the person who runs the server."""
        return self.hurry.notes

    @asynccontextmanager
    async def alone(self, name: str, seconds: float) -> AsyncIterator[bool]:  # noqa: ARG002
        """Hold a name; there is no other server."""
        yield True

    async def choose(
        self, level: str, view: Position, game: str, owners: Owners = (), rank: int = PEOPLE
    ) -> str | None:
        """A legal move of the level's player in that game, None if the player fails.

        A level that fails twice in a row is not asked again for a minute.
        """
        if time.monotonic() - self.failed_at.get(level, -PAUSE) < PAUSE:
            return None
        seconds, why = self.settings.engine_seconds, ""
        for _ in range(TRIES):
            try:
                answer = await self.ask(Question(level, view, seconds, game, owners, rank))
                must_be_legal(answer, view)
            except PlayerError as error:
                why = str(error)
            else:
                self._note_success(level)
                return str(answer["move"])
            if self.stopping:
                return None
        self._note_failure(level, why)
        return None

    async def ask(self, question: Question) -> dict[str, object]:
        """The answer of the level's player. Raises PlayerError."""
        await self._warm_up(question.level)
        self.hurry_hints()
        turn, game = self.queue.turn(question.payers, question.rank), question.game
        async with turn, self._borrowed(question.level, game) as client:
            if game is None:
                self.hinting[client] = time.monotonic()
                question = question.hurried() if self.queue.waiting else question
            else:
                allowed = self.hurry.note(len(self.queue.waiting), self.budget.processes)
                question = question._replace(seconds=min(question.seconds, allowed))
            try:
                limit, patience = Limit(time=question.seconds), question.seconds + PATIENCE
                explain = game is None or bool(self.settings.engine)  # other programs are asked as ever
                return await client.go(question.view, limit, game=game, explain=explain, timeout=patience)
            finally:
                self.hinting.pop(client, None)

    def prepare(self, level: str) -> None:
        """Start the first engine of a level for a table that is set up, so that its first move takes no longer.

        The table may never start: all tables share what was prepared, and no other engine ends for it.
        """
        now = time.monotonic()
        if now - self.prepared_at.get(level, -PAUSE) >= PAUSE and len(self.clients) < self.budget.processes + SPARE:
            self.prepared_at[level] = now
            self.tasks.spawn(self._prepare(level))

    async def _prepare(self, level: str) -> None:
        with suppress(PlayerError):  # the first question finds out again, and tells
            await self._warm_up(level)

    async def _warm_up(self, level: str) -> None:
        """Start the first engine of a level before it gets a turn: others need not wait until its code is loaded."""
        async with self.warming.setdefault(level, asyncio.Lock()):
            if any(client.name == level and client.is_alive for client in self.clients):
                return
            async with self._borrowed(level, None) as client:
                if not self.settings.engine:  # other programs are asked nothing of our own
                    await client.go(opening(), Limit(time=0.01), timeout=WARM_UP)

    def hurry_hints(self) -> None:
        """Make hints answer soon if a move or another hint has to wait for them."""
        if self.queue.free == 0:
            loop, now = asyncio.get_running_loop(), time.monotonic()
            for client, since in self.hinting.items():
                loop.call_later(max(0.0, since + HINT - now), self._stop_hint, client, since)

    def _stop_hint(self, client: EngineClient, since: float) -> None:
        if self.hinting.get(client) == since:
            asyncio.ensure_future(client.stop())  # noqa: RUF006 - it only writes a line

    def _note_failure(self, level: str, why: str) -> None:
        ENGINE_FAILURES.labels(level).inc()
        if level not in self.failed_at:
            log.error("a computer player failed", extra={"player": level, "why": why})
        self.failed_at[level] = time.monotonic()
        FAILING_LEVELS.set(len(self.failed_at))

    def _note_success(self, level: str) -> None:
        if self.failed_at.pop(level, None) is not None:
            log.info("a computer player works again", extra={"player": level})
            FAILING_LEVELS.set(len(self.failed_at))

    # --- engines

    @asynccontextmanager
    async def _borrowed(self, level: str, game: str | None) -> AsyncIterator[EngineClient]:
        """An engine of that level. One that fails is killed, one whose request is cancelled is stopped."""
        client = await self._take(level, game)
        try:
            with THINKING.track_inprogress():
                self._must_not_stop()
                yield client
        except asyncio.CancelledError:
            await asyncio.shield(self.tasks.spawn(self._halt(level, client)))
            raise
        except BaseException:
            await self._end(client)
            raise
        self.idle.append(IdleEngine(level, client))
        if game is not None:
            self._keep_home(level, game, client)

    async def _halt(self, level: str, client: EngineClient) -> None:
        """Stop an engine whose request was cancelled; end it if it does not stop."""
        if self.stopping or not await client.halt(HALT):
            await self._end(client)
        else:
            self.idle.append(IdleEngine(level, client))

    def _keep_home(self, level: str, game: str, client: EngineClient) -> None:
        """Let the first engine of a game play its next moves too, unless it has ended."""
        home = self.homes.pop((level, game), client)
        self.homes[level, game] = home if home.is_alive else client
        if len(self.homes) > HOMES:
            self.homes.popitem(last=False)

    async def _take(self, level: str, game: str | None) -> EngineClient:
        """An idle engine, preferably the one that remembers this game, or a new one."""
        dead = [engine for engine in self.idle if not engine.client.is_alive]
        self.idle = [engine for engine in self.idle if engine not in dead]
        await self._end(*(engine.client for engine in dead))
        ready = [engine for engine in self.idle if engine.level == level]
        if ready:
            home = self.homes.get((level, game)) if game is not None else None
            engine = next((each for each in ready if each.client is home), ready[0])
            self.idle.remove(engine)
            return engine.client
        while self.idle and len(self.clients) >= self.budget.processes + SPARE:
            await self._end(self.idle.pop(0).client)
        self._must_not_stop()
        environment = {**os.environ, **ONE_THREAD, "CARTAGENA_THREADS": str(self.budget.threads)}
        client = await EngineClient.start(engine_command(self.settings, level), name=level, env=environment)
        self.clients.add(client)
        self.tasks.spawn(give_way(client.process.pid))
        return client

    async def _end(self, *clients: EngineClient) -> None:
        self.clients.difference_update(clients)
        ends = [self.tasks.spawn(client.kill()) for client in clients]
        await asyncio.shield(asyncio.gather(*ends))

    def _must_not_stop(self) -> None:
        """Start no engine that ``stop`` would miss."""
        if self.stopping:
            raise PlayerFailed("the server is stopping")

    async def stop(self) -> None:
        """End all engines."""
        self.stopping = True
        self.idle.clear()
        await self._end(*self.clients)
        await self.tasks.finish(END)
