"""The processes in which games are played: they know the players of their parent, and end with it."""

import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait as wait_for_end
from threading import Thread
from typing import Any, TypeVar

from cartagena.errors import PlayerError
from cartagena.players.engine_client import kill_engines
from cartagena.players.model import THREADS
from cartagena.players.registry import Exported, adopt, exported

Task = TypeVar("Task")
Answer = TypeVar("Answer")


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def begin(threads: int, players: Exported) -> None:
    """Begin a worker: share the cores, watch the parent, and register its players."""
    os.environ.setdefault(THREADS, str(threads))
    Thread(target=end_with_parent, name="parent", daemon=True).start()
    adopt(players)


def end_with_parent() -> None:
    """Wait until the parent has ended, then end this process and its engines, even in the middle of a game."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for_end([parent.sentinel])
        kill_engines()
        os._exit(1)


def context_for(players: Exported, wanted: set[str]) -> Any:
    """New processes, or forked ones where a player cannot be sent to a new process."""
    left = sorted(wanted & set(players.left))
    if not left:
        return multiprocessing.get_context("spawn")
    if "fork" not in multiprocessing.get_all_start_methods():
        raise PlayerError(f"{left[0]} cannot be sent to another process; define it in a file, or use one process")
    return multiprocessing.get_context("fork")


def in_processes(
    work: Callable[[Task], Answer], tasks: Callable[[], Iterator[Task]], processes: int, wanted: set[str]
) -> Iterator[Answer]:
    """The answers to tasks as they come. ``tasks`` is called again after each answer and yields what is still to do."""
    players = exported()
    context = context_for(players, wanted)
    arguments = (max(1, cores() // processes), players)
    with ProcessPoolExecutor(processes, context, begin, arguments) as pool:
        running: set[Future[Answer]] = set()
        try:
            while True:
                for task in tasks():
                    running.add(pool.submit(work, task))
                    if len(running) > processes:
                        break
                if not running:
                    return
                ready, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in ready)
        except BrokenProcessPool:
            raise PlayerError(
                "a process in which games are played has ended by itself; does a player end it?"
            ) from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


class Pool:
    """Processes for tasks of several kinds, one kind after the other."""

    def __init__(self, processes: int) -> None:
        self.processes = processes

    def __enter__(self) -> "Pool":
        players = exported()
        context = multiprocessing.get_context("spawn")
        self.pool = ProcessPoolExecutor(self.processes, context, begin, (1, players))
        return self

    def __exit__(self, *_: object) -> None:
        self.pool.shutdown(wait=False, cancel_futures=True)

    def map(
        self, work: Callable[[Task], Answer], tasks: Iterator[Task], is_over: Callable[[], bool] = lambda: False
    ) -> Iterator[Answer]:
        """The answers as they come. When ``is_over`` says so no further task begins; those under way are finished."""
        running: set[Future[Answer]] = set()
        more = True
        try:
            while more or running:
                while more and len(running) <= self.processes:
                    task = None if is_over() else next(tasks, None)
                    more = task is not None
                    if task is not None:
                        running.add(self.pool.submit(work, task))
                if running:
                    ready, running = wait(running, return_when=FIRST_COMPLETED)
                    yield from (future.result() for future in ready)
        except BrokenProcessPool:
            raise PlayerError("a process that plays games has ended by itself; is there enough memory?") from None
        finally:
            for future in running:
                future.cancel()
