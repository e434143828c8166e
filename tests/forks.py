"""Programs that start in a fraction of the time: forked from a process that has imported their modules.

A forked program is a process like any other: it has its own number, environment and output, gets signals, can be killed
and ends as Python ends. Tests of the start itself, or of another build, run the real command.
"""

import atexit
import gc
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from types import ModuleType
from typing import IO, Any

SERVER = (
    "aiosqlite", "alembic.command", "asyncpg", "redis.asyncio", "sqlalchemy.dialects.postgresql.asyncpg",
    "sqlalchemy.dialects.sqlite.aiosqlite", "uvloop", "cartagena.cli.hello", "cartagena.cli.verbs.serve",
    "cartagena.server.run", "cartagena.cli.verbs.db",
)  # fmt: skip
"""What a server imports until it serves."""
PLAYERS = (
    "cartagena.arena", "cartagena.backends.cpu", "cartagena.cli.hello", "cartagena.cli.verbs.arena",
    "cartagena.cli.verbs.engine", "cartagena.cli.verbs.play", "cartagena.players.ismcts", "cartagena.study",
)  # fmt: skip
"""What the verbs import that compute: foremost Numba, which no server has."""
NUMBER = struct.Struct("q")
REQUEST_BYTES = 1 << 17
allowed = False
"""True where programs may be forked: in tests that are not measured. Measurements start programs as users do."""


class Fork:
    """A forked program, with the methods of ``subprocess.Popen`` that tests use."""

    def __init__(self, reply: socket.socket) -> None:
        self._reply = reply
        self.pid = self._receive()
        self.returncode: int | None = None

    def _receive(self) -> int:
        data = self._reply.recv(NUMBER.size)
        assert data, "the process that forks programs has ended"
        return int(NUMBER.unpack(data)[0])

    def poll(self) -> int | None:
        """The exit status, minus the number of the signal that killed the program, or None while it runs."""
        if self.returncode is None and select.select([self._reply], [], [], 0)[0]:
            self._end()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            if not select.select([self._reply], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(f"fork {self.pid}", timeout or 0)
            self._end()
        assert self.returncode is not None
        return self.returncode

    def _end(self) -> None:
        self.returncode = self._receive()
        self._reply.close()

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Nursery:
    """The process that has imported the modules, one for each test process or, loaded ahead, one for all of them."""

    def __init__(self, modules: Sequence[str]) -> None:
        self.line, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with there:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.forks", str(there.fileno()), *modules],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=[there.fileno()],
                cwd=Path(__file__).parents[1],
            )  # fmt: skip
        atexit.register(self.close)

    def start(self, entry: str, words: Sequence[str], env: Mapping[str, str], folder: Path, *files: IO[Any]) -> Fork:
        return ask(self.line, entry, words, env, folder, *(file.fileno() for file in files))

    def close(self) -> None:
        self.line.close()
        self.process.wait()


def ask(
    line: socket.socket, entry: str, words: Sequence[str], env: Mapping[str, str], folder: Path, *files: int
) -> Fork:
    """Ask a process that forks for a program with these three files as its input and outputs."""
    wanted = {"entry": entry, "words": [*words], "env": dict(env), "folder": str(folder)}
    request = json.dumps(wanted).encode()
    assert len(request) < REQUEST_BYTES
    reply, there = socket.socketpair()
    with there:
        socket.send_fds(line, [request], [*files, there.fileno()])
    return Fork(reply)


_nurseries: dict[tuple[str, ...], Nursery] = {}
_lock = threading.Lock()


def nursery(modules: tuple[str, ...] = SERVER) -> Nursery:
    """The one of this process that has imported these modules, which starts with its first program."""
    with _lock:
        if modules not in _nurseries:
            _nurseries[modules] = Nursery(modules)
        return _nurseries[modules]


def start(entry: str, words: Sequence[str], env: Mapping[str, str], output: IO[Any]) -> Fork:
    """Call ``module:function`` of the server with these words as its command line; both outputs go to a file."""
    with Path(os.devnull).open("rb") as nothing:
        return nursery().start(entry, words, env, Path.cwd(), nothing, output, output)


def run(
    words: Sequence[str], *, timeout: float, folder: Path | None = None, given: bytes = b"", server: bool = False
) -> "subprocess.CompletedProcess[str]":
    """Run a command that reads what is given, as ``subprocess.run`` does. A server's command needs what it imports."""
    with TemporaryFile() as source, TemporaryFile() as output, TemporaryFile() as errors:
        source.write(given)
        source.seek(0)
        files = source, output, errors
        forking = nursery(SERVER if server else PLAYERS)
        program = forking.start("cartagena.cli:main", words, os.environ, folder or Path.cwd(), *files)
        try:
            status = program.wait(timeout)
        except BaseException:
            program.kill()
            program.wait()
            raise
        told = []
        for file in (output, errors):
            file.seek(0)
            told.append(file.read().decode())
        return subprocess.CompletedProcess(["cartagena", *words], status, *told)


# --- in the process that forks


def serve_requests(line: socket.socket) -> Callable[[], None] | None:
    """Fork until the other end is closed. Returns None then, and what to call in a fork."""
    get_ready()
    while True:
        data, files, _, _ = socket.recv_fds(line, REQUEST_BYTES, 4)
        if not data:
            return None
        if program := forked(data, files, line):
            return program


def get_ready() -> None:
    """Set this process up to fork."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the tests, which end their programs
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system forgets the watchers that have ended
    sys.stdout.flush()
    sys.stderr.flush()
    gc.collect()
    gc.freeze()


def forked(request: bytes, files: Sequence[int], *lines: socket.socket) -> Callable[[], None] | None:
    """Fork a program. Returns None here; in the program, without the lines, what to call."""
    if os.fork() == 0:
        for line in lines:
            line.close()
        return watched(json.loads(request), *files)
    for file in files:
        os.close(file)
    return None


def watched(request: dict[str, Any], *files: int) -> Callable[[], None]:
    """Fork a program and wait for its end. Returns what to call in the program; the waiting process does not return."""
    *streams, reply = files
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        for file in files:
            os.close(file)
        os.chdir(request["folder"])
        os.environ.clear()
        os.environ.update(request["env"])
        module, _, name = request["entry"].partition(":")
        sys.argv, sys.path[0] = ["cartagena", *request["words"]], request["folder"]
        sys.modules["__main__"] = ModuleType("__main__")
        called: Callable[[], None] = getattr(import_module(module), name)
        return called
    for stream in streams:
        os.close(stream)
    with socket.socket(fileno=reply) as told:
        told.sendall(NUMBER.pack(pid))
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        with suppress(OSError):  # the test may have ended
            told.sendall(NUMBER.pack(status))
    os._exit(0)


def main() -> None:
    """Import the modules, then fork. A fork leaves this function as a program of its own."""
    descriptor, *modules = sys.argv[1:]
    for name in modules:
        import_module(name)
    with socket.socket(fileno=int(descriptor)) as line:
        program = serve_requests(line)
    if program is not None:
        program()


if __name__ == "__main__":
    main()
