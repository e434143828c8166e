"""The seam: what an executor is, and which one a name means."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Final, Protocol, TypeVar, runtime_checkable

from cartagena.backends.arguments import checked_number, cores
from cartagena.errors import PlayerError, shown, takes

from .processes import Here, Processes

Task = TypeVar("Task")
Answer = TypeVar("Answer")

LOCAL: Final = "local"
RAY: Final = "ray"
MOST_WORKERS: Final = 10_000


@runtime_checkable
class Executor(Protocol):
    """Does the tasks of a job with many workers. It is opened and closed by ``with``.

    >>> from cartagena.jobs import Executor, executor
    >>> def total(place: Executor) -> int:
    ...     with place:
    ...         return sum(place.map(abs, iter([-2, 1, 3])))
    >>> total(executor("local", workers=1))
    6
    """

    def __enter__(self) -> "Executor": ...

    def __exit__(self, *_: object) -> None: ...

    def map(
        self,
        work: Callable[[Task], Answer],
        tasks: Iterator[Task],
        is_over: Callable[[], bool] = ...,
        files: Iterable[str] = ...,
    ) -> Iterator[Answer]:
        """The answers as they come.

        Args:
            work: a function that a new process can import.
            tasks: are handed out as workers become free.
            is_over: when it says so no further piece begins; those under way are finished.
            files: names of files that the work reads by ``players.files.at``.
        """

    def about(self) -> str:
        """The nodes and workers, for people."""


def executor(on: str = LOCAL, workers: int | None = None, *, wanted: frozenset[str] = frozenset()) -> Executor:
    """The executor that a name means: ``local``, ``ray`` or ``ray://head:port``. Raises PlayerError for another name.

    Args:
        on: ``local`` for processes of this machine, ``ray`` for the Ray cluster of this machine (one is started where
            none runs), or the address of a cluster.
        workers: tasks at a time, by default one for each core. With one, a local job runs in this process.
        wanted: the players that the work asks for by name.

    >>> from cartagena.jobs import executor
    >>> executor("local", workers=1).about()
    '1 worker'
    """
    if workers is not None:
        workers = checked_number("workers", workers, 0, MOST_WORKERS, PlayerError)
    if isinstance(on, str) and on == LOCAL:
        number = workers or cores()
        return Here() if number == 1 else Processes(number, wanted)
    if isinstance(on, str) and (on == RAY or on.startswith("ray://")):
        from .ray_cluster import RayCluster

        return RayCluster("" if on == RAY else on, workers, wanted)
    raise PlayerError(f"{shown(on)} is not a place for work; choose local, ray or ray://HOST:PORT")


def _numbered(work: Callable[[Task], Answer], task: tuple[int, Task]) -> tuple[int, Answer]:
    return task[0], work(task[1])


@takes(PlayerError, place=Executor, work=Callable, tasks=Iterator, files=Iterable)
def in_order(
    place: Executor, work: Callable[[Task], Answer], tasks: Iterator[Task], files: Iterable[str] = ()
) -> Iterator[Answer]:
    """The answers in the order of the tasks.

    >>> from cartagena.jobs import executor, in_order
    >>> with executor("local", workers=1) as here:
    ...     list(in_order(here, abs, iter([-2, 1, 3])))
    [2, 1, 3]
    """
    early: dict[int, Answer] = {}
    expected = 0
    for number, answer in place.map(partial(_numbered, work), enumerate(tasks), files=files):
        early[number] = answer
        while expected in early:
            yield early.pop(expected)
            expected += 1
