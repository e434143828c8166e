"""Compile everything ahead while a lock is held: ``python -m tests.warmup``, started by ``tools/test``."""

import fcntl
import os
import sys
from pathlib import Path

LOCK = "CARTAGENA_TEST_LOCK"
"""The environment variable with the path of the lock."""


def compile_ahead() -> int:
    """Hold the lock while ``cartagena warmup`` runs. Returns its status."""
    from cartagena.cli import run

    with Path(os.environ[LOCK]).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return run(["warmup"])


def wait_for_compiled_code() -> None:
    """Wait while another process compiles ahead, if there is one. Its lock is free when it has ended."""
    path = os.environ.get(LOCK)
    if path and Path(path).exists():
        with Path(path).open() as lock:
            fcntl.flock(lock, fcntl.LOCK_SH)


if __name__ == "__main__":
    sys.exit(compile_ahead())
