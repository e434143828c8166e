"""Test processes that begin with all tests loaded: forked from one that has loaded them.

``python -m tests.preload load SOCKET TESTS...`` loads the tests, then forks a test process for each connection to the
socket, until its parent ends. ``python -m tests.preload join SOCKET -u -c CODE`` stands for ``python -u -c CODE`` in
the command by which pytest-xdist starts a test process (``--tx``); where nobody listens, it is that command.
"""

import os
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from tests import forks

LOOK_SECONDS = 5.0
"""How often the process that forks looks whether its parent is still there."""


def load(path: str, tests: Sequence[str]) -> None:
    """Load the tests, then fork. A fork leaves this function as a test process of its own."""
    import pytest

    Path(path).unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(path)
        listener.listen()  # who comes early waits
        before = {*os.environ.items()}
        pytest.main(["-q", "--collect-only", *tests])  # what fails is tried again, and told, in the test processes
        changed = dict({*os.environ.items()} - before)
        if forks.allowed:
            for modules in (forks.SERVER, forks.PLAYERS):
                forks.nursery(modules)  # one for all test processes, which inherit the line to it
        worker = serve_connections(listener)
    if worker is not None:
        os.environ.update(changed)  # as modules of tests have set it for their process
        worker()


def serve_connections(listener: socket.socket) -> Callable[[], None] | None:
    """Fork until the parent ends. Returns None then, and what to call in a fork."""
    forks.get_ready()
    listener.settimeout(LOOK_SECONDS)
    parent = os.getppid()
    while os.getppid() == parent:
        with suppress(TimeoutError):
            line, _ = listener.accept()
            with line:
                data, files, _, _ = socket.recv_fds(line, forks.REQUEST_BYTES, 4)
                worker = forks.forked(data, files, line, listener) if data else None
            if worker is not None:
                return worker
    return None


def work() -> None:
    """Do in a fork what ``python -u -c CODE`` would do."""
    code = sys.argv[-1]
    sys.argv = ["-c"]
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 (the fork's own, for all its life)
    exec(code, sys.modules["__main__"].__dict__)


def join(path: str, words: Sequence[str]) -> int:
    """Ask for a fork and wait for its end. Returns its status, or runs the command itself where nobody listens."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as line:
        try:
            line.connect(path)
            worker = forks.ask(line, "tests.preload:work", words, os.environ, Path.cwd(), 0, 1, 2)
        except (OSError, AssertionError):
            os.execv(sys.executable, [sys.executable, *words])
    return worker.wait()


def main() -> None:
    verb, path, *words = sys.argv[1:]
    if verb == "load":
        load(path, words)
    else:
        sys.exit(join(path, words))


if __name__ == "__main__":
    main()
