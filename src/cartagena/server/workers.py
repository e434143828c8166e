"""Several servers on one machine, each a process of its own, on ports that follow one another.

The process that starts and watches them imports nothing of a server.
"""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from typing import Final

from .settings import PREFIX, Settings, SettingsError

log = logging.getLogger("cartagena.server")
START: Final = 10.0
"""A server that fails within this many seconds counts as one that cannot start."""
PAUSE: Final = 1.0
"""Seconds before a server that ended is started again."""
SERVE: Final = (sys.executable, "-m", "cartagena", "serve")
WATCH: Final = "CARTAGENA_WATCH_PARENT"
"""The environment variable that tells a server that its standard input closes when its parent ends."""


def must_allow_workers(settings: Settings, number: int) -> None:
    """Raise SettingsError unless several servers can run with these settings."""
    if number > 1 and (not settings.redis or not settings.database.startswith("postgres")):
        raise SettingsError("Several workers need --redis and a PostgreSQL database.")
    if settings.port and settings.port + number - 1 > 65535:
        raise SettingsError(f"There are no {number} ports from {settings.port} on.")


def end_with_parent() -> None:
    """Stop this server gracefully when its parent ends, even by SIGKILL. Only servers of ``Workers`` do so."""
    if os.environ.pop(WATCH, ""):
        threading.Thread(target=_wait_for_parent, name="parent", daemon=True).start()


def _wait_for_parent() -> None:
    os.read(0, 1)  # returns when the other end is closed: the parent writes nothing
    os.kill(os.getpid(), signal.SIGTERM)


class Workers:
    """Starts the servers, starts again those that die, and stops them all on a signal or when this process dies."""

    def __init__(self, settings: Settings, number: int, command: Sequence[str] = SERVE) -> None:
        must_allow_workers(settings, number)
        self.settings = settings
        self.number = number
        self.command = command
        self.pipe = os.pipe()
        """The standard input of the servers, and the end that only this process holds."""
        self.running: dict[int, tuple[int, float]] = {}
        """The number and the starting time of each process."""
        self.failed = self.stopping = False

    def _start(self, index: int) -> None:
        settings = self.settings
        port = settings.port + index if settings.port else 0
        given = {"database": settings.database, "redis": settings.redis, "host": settings.host, "port": port}
        named = {f"{PREFIX}{name.upper()}": str(value) for name, value in given.items()}
        environment = {**os.environ, **named, WATCH: "1"}
        process = subprocess.Popen(self.command, env=environment, stdin=self.pipe[0], start_new_session=True)  # noqa: S603
        process.returncode = 0  # ``run`` waits for all of them together
        self.running[process.pid] = index, time.monotonic()

    def stop(self, *_signal: object) -> None:
        """Stop all servers gracefully. They close their sockets so that clients go to other servers."""
        self.stopping = True
        for pid in self.running:
            os.kill(pid, signal.SIGTERM)

    def run(self) -> int:
        """Serve until a signal comes. Returns the exit status: 1 if a server cannot start."""
        if sys.platform == "win32":
            raise SettingsError("Several workers need Linux or macOS.")
        before = {number: signal.signal(number, self.stop) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            for index in range(self.number):
                self._start(index)
            while self.running:
                self._ended(*os.wait())
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        return int(self.failed)

    def _ended(self, pid: int, status: int) -> None:
        """Start a server again that died, or stop all if it cannot start."""
        if pid not in self.running:
            return
        index, began = self.running.pop(pid)
        code = os.waitstatus_to_exitcode(status)
        if self.stopping:
            self.failed = self.failed or code > 0
        elif code == 1 and time.monotonic() - began < START:
            self.failed = True
            self.stop()
        else:
            log.error("a server ended and is started again", extra={"worker": index, "status": code})
            time.sleep(PAUSE)
            if not self.stopping:
                self._start(index)
