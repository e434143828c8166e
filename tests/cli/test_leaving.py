"""How the command line ends: readers who leave, full outputs, interrupts, and streams that are closed."""

import os
import shlex
import signal
import subprocess
import sys
import time
from contextlib import suppress
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

import pytest
from tests.cli.helpers import PATIENCE, PROGRAM, wait_until_busy
from tests.positions import B

from cartagena.cli import run


def test_a_reader_who_leaves_is_no_error() -> None:
    with subprocess.Popen(
        [*PROGRAM, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(b'{"cmd":"hello"}\n' * 100)
        process.stdin.close()
        assert process.wait(PATIENCE) == 1
        assert process.stderr.read() == b""


def test_an_output_that_is_full_is_one_sentence() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*PROGRAM, "rules"], stdout=full, stderr=subprocess.PIPE, timeout=PATIENCE, check=False)
    assert done.returncode != 0
    assert b"Traceback" not in done.stderr
    assert done.stderr.count(b"\n") == 1


@pytest.mark.interrupts
def test_an_interrupt_is_no_error() -> None:
    started = "import cartagena.cli.verbs.perft, cartagena.cli.verbs; print(flush=True)"
    program = [PROGRAM[0], "-c", f"{started}; from cartagena.cli import main; main()", "perft", "12", B]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"\n"
        wait_until_busy(process.pid, 1)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        assert process.stderr.read() == b""


def workers_of(process: int) -> list[int]:
    """The worker processes that a process has started."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parent = int(path.read_text().rpartition(")")[2].split()[1])
            if parent == process and b"spawn_main" in path.with_name("cmdline").read_bytes():
                found.append(int(path.parent.name))
    return found


@pytest.mark.interrupts
@pytest.mark.parametrize("work", [0.0, pytest.param(0.2, marks=pytest.mark.whole)])
def test_an_interrupt_of_workers_is_no_error(work: float) -> None:
    """Ctrl-C reaches all processes of a terminal, also those that are just starting."""
    arena = ["arena", "gunner", "gunner", "--games", "100000", "--processes", "2"]
    with subprocess.Popen([*PROGRAM, *arena], stdout=-1, stderr=-1, start_new_session=True) as process:
        assert process.stderr is not None
        while not (workers := workers_of(process.pid)):
            assert process.poll() is None
            time.sleep(0.01)
        wait_until_busy(workers[0], work)
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        assert process.stderr.read() == b""


@pytest.mark.interrupts
@pytest.mark.parametrize("pause", [pytest.param(0.0, marks=pytest.mark.whole), 0.01])
def test_interrupts_in_a_row_print_nothing(pause: float) -> None:
    arena = ["arena", "gunner", "sailor", "--games", "100000", "--processes", "2"]
    with subprocess.Popen([*PROGRAM, *arena], stdout=-1, stderr=-1, start_new_session=True) as process:
        assert process.stderr is not None
        while not (workers := workers_of(process.pid)):
            assert process.poll() is None
            time.sleep(0.01)
        wait_until_busy(workers[0], 0.2)
        for _ in range(4):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGINT)
            time.sleep(pause)
        assert process.wait(PATIENCE) in {130, -signal.SIGINT}, "at the end of Python the system's own handler ends it"
        assert process.stderr.read() == b""


@pytest.mark.interrupts
def test_workers_end_with_an_interrupt_that_reaches_only_their_parent() -> None:
    """As in a notebook; without it, the end of the program waits for games that take hours."""
    program = (
        "from cartagena.arena import play_match\n"
        "if __name__ == '__main__':\n"
        "    try:\n"
        "        play_match(['captain@3600s', 'captain@3600s'], games=4, processes=2)\n"
        "    except KeyboardInterrupt:\n"
        "        print('stopped', flush=True)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=-1, stderr=-1, start_new_session=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        while not (workers := workers_of(process.pid)):
            assert process.poll() is None
            time.sleep(0.01)
        wait_until_busy(workers[0], 1)
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == b"stopped\n"
        assert process.wait(PATIENCE) == 0
        assert process.stderr.read() == b""


def test_an_interrupt_while_it_starts_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Impatient(MetaPathFinder):
        def find_spec(self, fullname: str, *_: Any) -> None:
            if fullname == "cartagena.cli.verbs":
                raise KeyboardInterrupt

    monkeypatch.setattr(sys, "meta_path", [Impatient(), *sys.meta_path])
    monkeypatch.delitem(sys.modules, "cartagena.cli.verbs", raising=False)
    assert run(["rules"]) == 130


@pytest.mark.parametrize(
    ("line", "status", "told"),
    [
        ("legal - <&- >&- 2>&-", 2, ""),
        ("legal - <&-", 2, "A position has nine words with one space between them, this has 1.\n"),
        ("play <&-", 0, ""),
        ("rules >&-", 0, ""),
    ],
)
def test_closed_standard_streams_are_empty(line: str, status: int, told: str) -> None:
    program = ["bash", "-c", f"{shlex.join(PROGRAM)} {line}"]
    done = subprocess.run(program, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (status, told)
