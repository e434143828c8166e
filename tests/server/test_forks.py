"""Servers that tests fork are processes like those that a command starts."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

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


SMALL = """
import os

LOADED = os.getpid()
os.environ["SET_WHEN_LOADED"] = "yes"


def test_loaded_by_this_process():
    assert os.getpid() == LOADED


def test_loaded_by_another_process():
    assert os.getpid() != LOADED


def test_settings_are_kept():
    assert os.environ["SET_WHEN_LOADED"] == "yes"
"""


def test_a_test_process_is_forked_from_one_that_has_loaded_the_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no such process listens, it is an ordinary one."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # they take seconds to load
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --import-mode=importlib -p xdist\n")
    (tmp_path / "test_small.py").write_text(SMALL)
    program, root = [sys.executable, "-m"], Path(__file__).parents[2]
    tests = ["-c", str(tmp_path / "pytest.ini"), str(tmp_path)]
    there = Path(tempfile.mkdtemp()) / "socket"  # its path has to be short
    process = f"1*popen//python={sys.executable} -m tests.preload join {there}"

    def failed() -> Any:
        """The test that fails of the two that exclude each other."""
        command = [*program, "pytest", "-q", "--tx", process, "--dist", "load", *tests]
        out = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False).stdout
        assert "1 failed, 2 passed" in out, out
        assert "assert os.getpid() " in out, out
        return re.findall(r"^FAILED .*::(\w+)", out, re.MULTILINE)[0]

    loader = subprocess.Popen(
        [*program, "tests.preload", "load", str(there), *tests], cwd=root, stdout=subprocess.DEVNULL
    )
    try:
        while not there.exists():
            assert loader.poll() is None
            time.sleep(0.02)
        assert failed() == "test_loaded_by_this_process"
    finally:
        loader.kill()
        loader.wait()
    assert failed() == "test_loaded_by_another_process"
    shutil.rmtree(there.parent)
