"""Run two measuring processes in turns: only one works at a time, and they change after every short round.

So whatever disturbs the machine for longer than a fraction of a second disturbs both sides alike.
"""

import json
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import IO, Any, Final

from bench.versus.readings import GO, TURN

PATIENCE: Final = 1800
"""Seconds after which a pair is given up; the first one may have to compile everything."""


class Worker:
    """A measuring process, which waits until it is told to go on."""

    def __init__(self, command: list[str], folder: Path, environment: dict[str, str]) -> None:
        self.errors: IO[str] = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115  # closed in ``end``
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment, text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
        )  # fmt: skip
        self.answer: dict[str, Any] | None = None

    def go(self) -> None:
        """Let it work until it waits again or has an answer."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(f"{GO}\n")
        except BrokenPipeError:
            self.answer = {"readings": {}, "error": self.complaint()}
            return
        for line in self.process.stdout:
            if line.strip() == TURN:
                return
            if line.startswith("{"):
                self.answer = json.loads(line)
                return
        self.answer = {"readings": {}, "error": self.complaint()}

    def complaint(self) -> str:
        """Return the last thing it said before it ended without an answer."""
        self.process.wait()
        self.errors.seek(0)
        return self.errors.read().strip()[-300:] or f"exit status {self.process.returncode}"

    def end(self) -> None:
        """End it in any case."""
        self.process.kill()
        self.process.communicate()
        self.errors.close()


def give_up(workers: list[Worker]) -> None:
    """Kill the processes; each then counts as failed."""
    for worker in workers:
        worker.process.kill()


def in_turns(workers: list[Worker]) -> list[dict[str, Any]]:
    """Let all work in turns until each has an answer; return these."""
    watch = threading.Timer(PATIENCE, give_up, [workers])
    watch.start()
    try:
        while waiting := [worker for worker in workers if worker.answer is None]:
            for worker in waiting:
                worker.go()
    finally:
        watch.cancel()
        for worker in workers:
            worker.end()
    return [worker.answer or {} for worker in workers]
