"""Servers that start in a fraction of the time, for trials that kill one hundreds of times."""

import multiprocessing
import os
import signal
import time
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Final

from tests.server.rig import Process

from cartagena.server.run import run
from cartagena.server.settings import load_settings

FORKS: Final = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    [
        "bench.forked",
        "trustme",
        "uvloop",
        "httpx",
        "asyncpg",
        "tests.postgres",
        "tests.server.cluster",
        "tests.server.conftest",
        "tests.server.players",
        "tests.server.trials",
    ]
)
"""What is imported once for all starts; each child also runs the main module of its parent, and what that imports."""


def serve(environment: dict[str, str], log: str) -> None:
    """Run a server with these settings."""
    os.environ.update(environment)
    with Path(log).open("ab") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    run(load_settings())


class Forked(Process):
    """A server that is forked from a process that has imported its modules."""

    forked: BaseProcess | None = None

    def begin(self) -> None:
        self.forked = FORKS.Process(target=serve, args=(self.environment, str(self.log)))
        self.forked.start()

    def wait_until_ready(self) -> None:
        assert self.forked is not None
        while not self.is_ready():
            assert self.forked.is_alive(), self.log.read_text()[-2000:]
            time.sleep(0.02)

    def end(self, number: int = signal.SIGKILL) -> int:
        assert self.forked is not None
        assert self.forked.pid is not None
        os.kill(self.forked.pid, number)
        self.forked.join()
        return self.forked.exitcode or 0
