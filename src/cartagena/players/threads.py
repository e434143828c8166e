"""The threads that the searches of one process share."""

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait

from cartagena.backends.arguments import cores
from cartagena.errors import PlayerError

from .model import THREADS

_pools: dict[tuple[int, int], ThreadPoolExecutor] = {}
_starting = threading.Lock()


class OneAtATime:
    """A lock that can be copied and pickled with its owner: each copy has a lock of its own."""

    def __init__(self) -> None:
        self._lock = threading.RLock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def __reduce__(self) -> tuple[type["OneAtATime"], tuple[()]]:
        return OneAtATime, ()


def search_threads(threads: int) -> ThreadPoolExecutor:
    """The threads that searches of this process share. They are started once."""
    key = os.getpid(), threads
    with _starting:
        if key not in _pools:
            _pools[key] = ThreadPoolExecutor(threads, thread_name_prefix="search")
        return _pools[key]


def thread_budget() -> int:
    """Threads that one process may search in: ``CARTAGENA_THREADS``, or the number of cores."""
    given = os.environ.get(THREADS)
    if given is None:
        return cores()
    if not given.isdecimal() or int(given) < 1:
        raise PlayerError(f"{THREADS} is a whole number from 1, not {given[:20]!r}")
    return int(given)


def with_threads(number: int, work: Callable[[int], None]) -> None:
    """Do the work for each number, in as many threads as the budget allows."""
    threads = thread_budget()
    if number == 1 or threads == 1:
        for each in range(number):
            work(each)
        return
    pool = search_threads(threads)
    tasks = [pool.submit(work, each) for each in range(number)]
    wait(tasks)  # all of them, so that no search outlives its answer
    for task in tasks:
        task.result()
