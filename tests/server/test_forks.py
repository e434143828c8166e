"""Servers that tests fork are processes like those that a command starts."""

import os
import signal
import time
from pathlib import Path

from tests import forks

from .rig import PATIENCE


def start(out: Path, *words: str, **settings: str) -> forks.Fork:
    with out.open("wb") as file:
        return forks.start("cartagena.cli:main", words, {**os.environ, **settings}, file)


def test_a_fork_has_its_own_environment_output_and_status(tmp_path: Path) -> None:
    asked, wrong = start(tmp_path / "asked", "--version"), start(tmp_path / "wrong", "serve", CARTAGENA_PORT="seven")
    assert asked.pid not in (wrong.pid, os.getpid())
    assert (asked.wait(PATIENCE), wrong.wait(PATIENCE)) == (0, 2)
    assert (tmp_path / "asked").read_text().startswith("cartagena 0.")
    assert (tmp_path / "wrong").read_text().startswith("CARTAGENA_PORT ")
    assert "CARTAGENA_PORT" not in os.environ


def test_a_fork_gets_signals_and_can_be_killed(sqlite: str, tmp_path: Path) -> None:
    for number, status in ((signal.SIGTERM, 0), (signal.SIGKILL, -signal.SIGKILL)):
        out = tmp_path / f"out{number}"
        server = start(out, "serve", "--port", "0", "--database", sqlite)
        while "served at" not in out.read_text():
            assert server.poll() is None, out.read_text()
            time.sleep(0.02)
        server.send_signal(number)
        assert server.wait(PATIENCE) == status
        assert server.poll() == status
        server.kill()  # does nothing to a process that took the number since
