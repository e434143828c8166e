"""Work on a Ray cluster: every node has this package, and gets the players and the files that the work names."""

import hashlib
import os
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final, TypeVar

from cartagena.errors import PlayerError
from cartagena.game.plurals import counted
from cartagena.players.files import lend
from cartagena.players.model import THREADS
from cartagena.players.registry import Exported, adopt, exported

from .pieces import Done, Pieces, do
from .processes import never

Task = TypeVar("Task")
Answer = TypeVar("Answer")

VERSION: Final = version("cartagena")
TRIES: Final = 10
"""How often a piece is begun again after its node was lost."""
RECOUNT: Final = 5.0
"""Seconds between two looks at the size of the cluster."""


@dataclass(frozen=True)
class Luggage:
    """What a worker needs: the version, the players of the parent, and the contents of files by their names here."""

    version: str
    players: Exported
    files: Mapping[str, bytes]

    @property
    def digest(self) -> str:
        parts = [self.version, repr(self.players), *(f"{name} {len(data)}" for name, data in self.files.items())]
        content = hashlib.sha256("\n".join(parts).encode())
        for data in self.files.values():
            content.update(data)
        return content.hexdigest()


def pack(files: frozenset[str]) -> Luggage:
    """Pack the players of this process, and files."""
    players = exported()
    named = {path: Path(path).read_bytes() for path in sorted({*files, *players.files})}
    return Luggage(VERSION, players, named)


_unpacked: list[str] = []
"""The digest of the luggage that this worker has unpacked last: its players and files are those in use."""


def unpack(luggage: Luggage) -> None:
    """Register the players in this worker, and put the files where the work finds them by their names."""
    if luggage.version != VERSION:
        raise PlayerError(
            f"a node of the cluster has cartagena {VERSION}, this machine {luggage.version}; "
            "install the same version everywhere"
        )
    digest = luggage.digest
    if digest in _unpacked:
        return
    os.environ.setdefault(THREADS, "1")
    folder = Path(mkdtemp(prefix="cartagena-"))
    here = {}
    for number, (name, data) in enumerate(luggage.files.items()):
        path = folder / str(number) / Path(name).name
        path.parent.mkdir()
        path.write_bytes(data)
        here[name] = str(path)
    lend(here)
    files = tuple(here[path] for path in luggage.players.files)
    adopt(Exported(files, luggage.players.pickled, luggage.players.left))
    _unpacked[:] = [digest]


def do_there(luggage: Luggage, work: Callable[[Task], Answer], tasks: list[Task]) -> Done[Answer]:
    """Do a piece in a worker of the cluster."""
    try:
        unpack(luggage)
    except PlayerError as error:
        return Done(error=error)
    return do(work, tasks)


@cache
def ray_or_fail() -> Any:
    """The Ray library. Raises PlayerError where it is not installed."""
    try:
        import ray
    except ModuleNotFoundError:
        raise PlayerError("work on a cluster needs Ray: pip install 'cartagena[cluster]'") from None
    return ray


class RayCluster:
    """Does tasks on the nodes of a Ray cluster. A node that is lost costs only the pieces it was doing."""

    def __init__(self, address: str, workers: int | None, wanted: frozenset[str]) -> None:
        self.address = address
        self.most = workers
        self.wanted = wanted
        self.ray = ray_or_fail()
        self.nodes = self.workers = 0
        self.counted = 0.0

    def __enter__(self) -> "RayCluster":
        left = sorted(self.wanted & set(exported().left))
        if left:
            raise PlayerError(f"{left[0]} cannot be sent to a cluster; define it in a file")
        given = {"address": self.address} if self.address else {}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.ray.init(**given, log_to_driver=False, logging_level="error", include_dashboard=False)
        except Exception as error:  # Ray raises errors of many libraries
            where = self.address or "of this machine"
            raise PlayerError(f"the Ray cluster {where} cannot be reached: {first_line(error)}") from None
        self.piece = self.ray.remote(num_cpus=1, max_retries=TRIES)(do_there)
        self.count_nodes()
        return self

    def __exit__(self, *_: object) -> None:
        self.ray.shutdown()

    def about(self) -> str:
        return f"{counted(self.nodes, 'node')}, {counted(self.workers, 'worker')}"

    def count_nodes(self) -> None:
        """Count the nodes and their cores from time to time: nodes come and go."""
        if time.monotonic() - self.counted < RECOUNT and self.workers:
            return
        self.nodes = sum(bool(node["Alive"]) for node in self.ray.nodes())
        cores = int(self.ray.cluster_resources().get("CPU", 0))
        self.workers = max(1, min(cores, self.most or cores))
        self.counted = time.monotonic()

    def map(
        self,
        work: Callable[[Task], Answer],
        tasks: Iterator[Task],
        is_over: Callable[[], bool] = never,
        files: Iterable[str] = (),
    ) -> Iterator[Answer]:
        """The answers as they come; see ``Executor``."""
        luggage = self.ray.put(pack(frozenset(files)))
        pieces: Pieces[Task, Answer] = Pieces(tasks, is_over)
        running: list[Any] = []
        try:
            while True:
                self.count_nodes()
                while len(running) <= self.workers and (piece := pieces.next()):
                    running.append(self.piece.remote(luggage, work, piece))
                if not running:
                    break
                ready, running = self.ray.wait(running, num_returns=1)
                for done in self.ray.get(ready):
                    yield from pieces.answers(done)
            pieces.end()
        except self.ray.exceptions.RayError as error:
            raise PlayerError(f"the cluster has lost the work: {first_line(error)}") from None
        finally:
            for each in running:
                self.ray.cancel(each, force=False)


def first_line(error: BaseException) -> str:
    """The first line of what an error says."""
    return (str(error).strip() or type(error).__name__).splitlines()[0][:200]
