"""Shared by the tests of the command line: calls in this process and in real ones, and positions."""

import io
import json
import os
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from cartagena.cli import run

A = (
    "tortuga-en BPHSDK/DBKPHS/PKDHSB/HKPBSD/KBSDHP/HDKBPS s,6,6,17,18,b/s,8,17,17,22,30/s,5,9,12,26,34 "
    "BD4H/BHKP/BHKPS BDDHKSPBH B6D5H6K6P6S7 B6D6H6K8P8S8 - 1.0"
)
B = (
    "nest-nl STMDCPG/DCGMPST|GPDCMTS/TPMCGSD/PSGDCTM s,3,3,b,b,28/5,13,b,18,25,n/3,14,14,b,b,16/s,s,5,28,31,n "
    "C3DM/CGPST/CDMPST/CDGMPST - C4C!D7D!G8G!M6M!P6P!S6S!T6T! C4D4G4M5P5S5T5 1 1.0c"
)
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
    done = subprocess.run(
        [*PROGRAM, "engine"], input=b"\n".join(lines) + b"\n", capture_output=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return [json.loads(line) for line in done.stdout.splitlines()]
