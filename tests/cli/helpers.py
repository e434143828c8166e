"""Shared by the tests of the command line: calls in this process and in real ones."""

import io
import json
import os
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from tests import forks

from cartagena.cli import run

PATIENCE = 900
"""Seconds after which a program counts as hung; a busy machine may be a hundred times slower than an idle one."""
PROGRAM = [sys.executable, "-m", "cartagena"]


def busy_for(process: int) -> float:
    """Processor time of a process in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) / os.sysconf("SC_CLK_TCK")


def wait_until_busy(process: int, seconds: float) -> None:
    """Wait until a process has used so many more seconds of processor time."""
    start = busy_for(process)
    while busy_for(process) < start + seconds:
        time.sleep(0.05)


def cartagena(*arguments: str, stdin: str | bytes = "") -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    if forks.allowed:
        return forks.run(arguments, timeout=PATIENCE, given=data)
    done = subprocess.run([*PROGRAM, *arguments], input=data, capture_output=True, timeout=PATIENCE, check=False)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def called(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in this process, where what it imports is loaded already."""
    out, error = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(error):
        status = run(arguments)
    return subprocess.CompletedProcess(arguments, status, out.getvalue(), error.getvalue())


def refused(done: subprocess.CompletedProcess[str]) -> str:
    """The one sentence of a command line that was refused."""
    assert (done.returncode, done.stdout) == (2, ""), done
    assert done.stderr.count("\n") == 1, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr.strip()


def converse(*requests: dict[str, Any] | bytes) -> list[dict[str, Any]]:
    """Send lines to a real engine and read its answers. Invalid lines may be among them."""
    lines = [request if isinstance(request, bytes) else json.dumps(request).encode() for request in requests]
    done = cartagena("engine", stdin=b"\n".join(lines) + b"\n")
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.encode().splitlines()]
