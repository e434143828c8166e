"""Work on this machine: in this process, or in several that know the players of their parent and end with it."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for_end
from threading import Thread
from typing import Any, TypeVar

from cartagena.backends.arguments import cores
from cartagena.errors import PlayerError
from cartagena.game.plurals import counted
from cartagena.players.engine_client import kill_engines
from cartagena.players.model import THREADS
from cartagena.players.registry import Exported, adopt, exported

from .pieces import Done, Pieces, do

Task = TypeVar("Task")
Answer = TypeVar("Answer")


def never() -> bool:
    """False: nothing ends the work before all tasks are done."""
    return False


class Here:
    """Does all tasks in this process, one after another."""

    def __enter__(self) -> "Here":
        return self

    def __exit__(self, *_: object) -> None:
        """There is nothing to end."""

    def about(self) -> str:
        return "1 worker"

    def map(
        self,
        work: Callable[[Task], Answer],
        tasks: Iterator[Task],
        is_over: Callable[[], bool] = never,
        files: Iterable[str] = (),  # noqa: ARG002  # they are on this machine
    ) -> Iterator[Answer]:
        """The answers one by one; see ``Executor``."""
        while not is_over():
            for task in tasks:
                yield work(task)
                break
            else:
                return


def begin(threads: int, players: Exported, word: "Connection[object, object]") -> None:
    """Begin a worker: end quietly at Ctrl-C, share the cores, watch the parent, and register its players."""
    signal.signal(signal.SIGINT, end_now)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    os.environ.setdefault(THREADS, str(threads))
    Thread(target=end_with_parent, args=(word,), name="parent", daemon=True).start()
    adopt(players)


def end_now(*_: object) -> None:
    """End this process and its engines."""
    kill_engines()
    os._exit(1)


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Hold interrupts back. Processes that are started meanwhile do so until they are ready for them."""
    if sys.platform == "win32":  # signals cannot be held back there
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent(word: "Connection[object, object]") -> None:
    """Wait until the parent has ended or gives the word, then end this process, even in the middle of a game."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for_end([parent.sentinel, word])
        end_now()


def context_for(players: Exported, wanted: frozenset[str]) -> Any:
    """New processes, or forked ones where a player cannot be sent to a new process."""
    left = sorted(wanted & set(players.left))
    if not left:
        return multiprocessing.get_context("spawn")
    if "fork" not in multiprocessing.get_all_start_methods():
        raise PlayerError(f"{left[0]} cannot be sent to another process; define it in a file, or use one process")
    return multiprocessing.get_context("fork")


class Processes:
    """Does tasks in processes of this machine."""

    def __init__(self, workers: int, wanted: frozenset[str] = frozenset()) -> None:
        self.workers = workers
        self.wanted = wanted

    def __enter__(self) -> "Processes":
        players = exported()
        context = context_for(players, self.wanted)
        threads = max(1, cores() // self.workers)
        word, self.word = context.Pipe(duplex=False)
        self.pool = ProcessPoolExecutor(self.workers, context, begin, (threads, players, word))
        return self

    def __exit__(self, *error: object) -> None:
        """End the workers: after an error or an interrupt at once, otherwise when their tasks are done."""
        if any(error):
            self.word.send_bytes(b".")  # all of them wait for it, none reads it
        self.pool.shutdown(wait=False, cancel_futures=True)

    def about(self) -> str:
        return counted(self.workers, "worker")

    def map(
        self,
        work: Callable[[Task], Answer],
        tasks: Iterator[Task],
        is_over: Callable[[], bool] = never,
        files: Iterable[str] = (),  # noqa: ARG002  # they are on this machine
    ) -> Iterator[Answer]:
        """The answers as they come; see ``Executor``."""
        running: set[Future[Done[Answer]]] = set()
        pieces: Pieces[Task, Answer] = Pieces(tasks, is_over)
        try:
            while True:
                while len(running) <= self.workers and (piece := pieces.next()):
                    with without_interrupts():
                        running.add(self.pool.submit(do, work, piece))
                if not running:
                    break
                ready, running = wait(running, return_when=FIRST_COMPLETED)
                for future in ready:
                    yield from pieces.answers(future.result())
            pieces.end()
        except BrokenProcessPool:
            raise PlayerError(
                "a worker process has ended by itself; does a player end it, or is there too little memory?"
            ) from None
        finally:
            for future in running:
                future.cancel()
