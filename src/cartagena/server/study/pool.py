"""The study processes: costly requests run there, a few at a time, and the serving process stays free.

Two queues are short and fair: one for questions, the shorter ones first, and one for reviews, so that no question
waits for a review. Each address has a budget of processor time, so a busy machine costs a visitor nothing;
what a process needs to load or compile is not charged in full. If a client leaves, its request is taken from the queue,
or its process is ended.
"""

import asyncio
import json
import logging
import math
import os
import sys
import time
from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

from ..metrics import STUDY_WAITING
from ..protocol.errors import Refused
from ..tasks import FairQueue, QueueFull
from .worker import MAX_ANSWER, StudyRequest

log = logging.getLogger("cartagena.study")
SECONDS: Final = 60.0  # longest time for one request; a busy machine takes many times as long as an idle one
REVIEW_SECONDS: Final = 180.0  # longest time for a review
START_SECONDS: Final = 300.0  # more for the first request and the first review of a process, which load or compile
LEAST: Final = 0.02  # seconds that every request is charged
MOST_FIRST: Final = 10.0  # most seconds that a first request is charged
WAITING: Final = 16
WAITING_PER_ADDRESS: Final = 4
ONE_THREAD: Final = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


RECORD_RANK: Final = 1  # a record waits for all positions, whose answers take less time


def is_review(want: StudyRequest) -> bool:
    """Whether a request needs the search, which a process loads or compiles at its first review."""
    return "review" in want


class Answer(NamedTuple):
    """The text of an answer, ``ok`` or ``no`` in front of it, and the processor seconds that are charged for it."""

    text: bytes
    cost: float


class StudyProcess:
    """One study process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.answered: set[bool] = set()  # kinds of requests, see ``is_review``

    @classmethod
    async def start(cls) -> "StudyProcess":
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "cartagena.server.study.worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=MAX_ANSWER + 65_536,
            env={**os.environ, **ONE_THREAD},
        )
        return cls(process)

    async def ask(self, want: StudyRequest) -> Answer:
        """The answer to a request. Raises TimeoutError, OSError or ValueError if there is none."""
        stdin, stdout = self.process.stdin, self.process.stdout
        if stdin is None or stdout is None:
            raise OSError
        stdin.write(json.dumps(want).encode() + b"\n")
        await stdin.drain()
        kind = is_review(want)
        is_first = kind not in self.answered
        seconds = (REVIEW_SECONDS if kind else SECONDS) + (START_SECONDS if is_first else 0)
        line = await asyncio.wait_for(stdout.readline(), seconds)
        if not line.endswith(b"\n"):
            raise OSError
        self.answered.add(kind)
        used, _, text = line[:-1].partition(b" ")
        return Answer(text, min(float(used), MOST_FIRST if is_first else math.inf))

    async def end(self) -> None:
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()


class Budget(Protocol):
    """The processor time of study processes that an address may use."""

    def wait(self) -> float:
        """Seconds until any time is left."""

    def charge(self, units: float) -> None:
        """Take that many seconds even if less is left."""


def must_be_left(budget: Budget) -> None:
    """Refuse a request of an address that has no time left."""
    if (wait := budget.wait()) > 0:
        raise Refused("too-many", "Too many costly requests; wait a moment.", retry_after=int(wait) + 1, limit="study")


class StudyPool:
    """All study processes and the queues in front of them."""

    def __init__(self, budget_of: Callable[[str], Budget], cores: int) -> None:
        self.budget_of = budget_of
        self.questions = FairQueue(2 if cores > 2 else 1, WAITING, WAITING_PER_ADDRESS)
        self.reviews = FairQueue(1, WAITING, WAITING_PER_ADDRESS)
        self.idle: list[StudyProcess] = []
        self.workers: set[StudyProcess] = set()
        self.stopping = False

    async def work(self, address: str, want: StudyRequest) -> bytes:
        """The answer to a study request of an address. Raises Refused."""
        budget = self.budget_of(address)
        must_be_left(budget)
        STUDY_WAITING.set(len(self.questions.waiting) + len(self.reviews.waiting))
        queue = self.reviews if is_review(want) else self.questions
        try:
            async with queue.turn((address,), RECORD_RANK if "record" in want else 0):
                must_be_left(budget)  # earlier requests of the address may have used it up
                began, cost = time.monotonic(), math.inf
                try:
                    text, cost = await self._ask(want)
                finally:  # a request without an answer is charged all its time
                    budget.charge(max(LEAST, min(cost, time.monotonic() - began)))
                return self._read(text)
        except QueueFull:
            sentence = "Too many study requests wait; try again in a moment."
            raise Refused("too-many", sentence, retry_after=5, limit="study") from None

    async def _ask(self, want: StudyRequest) -> Answer:
        """Ask an idle process or a new one. One that fails, takes too long or is not waited for is ended."""
        if self.stopping:
            raise Refused("stopping", "The server is stopping; try again in a moment.", retry_after=3)
        worker = self._take_idle(is_review(want)) or await self._start()
        self.workers.add(worker)
        try:
            answer = await worker.ask(want)
        except TimeoutError:
            await self._end(worker)
            raise Refused("too-large", "That takes too long to be shown.") from None
        except (OSError, ValueError):
            await self._end(worker)
            log.warning("a study process ended without an answer", extra={"kind": "review" if is_review(want) else ""})
            raise Refused("failed", "The server failed; the error is logged.") from None
        except BaseException:
            await self._end(worker)
            raise
        self.idle.append(worker)
        return answer

    @staticmethod
    async def _start() -> StudyProcess:
        """A new process. Refused if the system has no room for one."""
        try:
            return await StudyProcess.start()
        except OSError as error:
            log.warning("a study process cannot be started", extra={"why": error.strerror})
            sentence = "This server has no room to work that out now; try again later."
            raise Refused("failed", sentence, retry_after=30, status=503) from None

    def _take_idle(self, kind: bool) -> StudyProcess | None:
        """An idle process, preferably one that has answered this kind of request, if there is any."""
        if not self.idle:
            return None
        worker = next((each for each in reversed(self.idle) if kind in each.answered), self.idle[-1])
        self.idle.remove(worker)
        return worker

    async def _end(self, worker: StudyProcess) -> None:
        self.workers.discard(worker)
        await worker.end()

    @staticmethod
    def _read(answer: bytes) -> bytes:
        state, _, text = answer.partition(b" ")
        if state == b"ok":
            return text
        refusal = json.loads(text)
        raise Refused(refusal["code"], refusal["message"], reason=refusal.get("reason"))

    async def stop(self) -> None:
        """End all study processes."""
        self.stopping = True
        self.idle.clear()
        for worker in list(self.workers):
            await self._end(worker)
