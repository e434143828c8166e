"""Tools of the server's tests: a real server in a thread or a process, and a person who plays."""

import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from http.client import HTTPConnection, HTTPException, RemoteDisconnected
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from cartagena.server.run import Server as Listener
from cartagena.server.run import serve
from cartagena.server.settings import Settings
from cartagena.server.storage.database import Database
from cartagena.server.storage.migrate import upgrade
from tests import forks

BOT = f"{sys.executable} {Path(__file__).parent / 'bot.py'} {{level}}"
QUICK: dict[str, Any] = {
    "host": "127.0.0.1", "levels": "7,8", "engine": BOT, "pace": False, "engine_seconds": 0.05, "requests": 10**6,
    "messages": 10**6, "tables_per_hour": 10**6, "sockets_per_address": 10**5, "table_sockets": 10**4,
    "lobby_tables": 10**6, "salt_seconds": 0, "connections_per_address": 10**5, "address_share": 10**6,
    "log_level": "error", "stop_seconds": 5.0, "metrics_token": "figures",
}  # fmt: skip
TWO_HERE = [{"kind": "here", "name": "Ann"}, {"kind": "here", "name": "Ben"}]
PATIENCE = 300.0
"""Seconds after which something counts as hung; a busy machine may be a hundred times slower than an idle one."""


def held_port() -> socket.socket:
    """A socket that reserves a free port while it is open; a program that names the port can still listen on it.

    The port lies below those that the system gives to outgoing connections, which could take it for all addresses.
    """
    while True:
        held = socket.socket()
        try:
            held.bind(("127.0.0.1", random.randrange(20_000, 32_000)))  # a port, not a secret
        except OSError:
            held.close()
        else:
            held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            return held


class Server:
    """The address of a server and a client for it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self.http = httpx.Client(base_url=self.url, timeout=3 * PATIENCE, verify=False)  # no TLS: load no certificates
        self.plain = Plain(port)

    def post(self, path: str, body: Any = None, token: str | None = None) -> httpx.Response:
        return self.http.post(path, json={} if body is None else body, headers=bearer(token))

    def get(self, path: str, token: str | None = None, **query: Any) -> httpx.Response:
        return self.http.get(path, headers=bearer(token), params=query)

    def figures(self) -> str:
        """The metrics."""
        answer = self.get("/metrics", QUICK["metrics_token"])
        assert answer.status_code == 200, answer.text
        return answer.text

    def table(self, rules: str = "jamaica-en", seats: Any = None, **more: Any) -> "Person":
        """Set a table up and return the person at this device."""
        body = {"rules": rules, "seats": seats or TWO_HERE, **more}
        answer = self.post("/api/tables", body)
        assert answer.status_code == 201, answer.text
        created = answer.json()
        return Person(self, created["table"], created["token"], [item["invite"] for item in created["invites"]])

    @contextmanager
    def socket(self, table: str, hello: dict[str, Any] | None = None, **options: Any) -> Iterator[ClientConnection]:
        """A socket at a table; ``hello`` is sent as its first message."""
        address = f"ws://127.0.0.1:{self.port}/api/tables/{table}/live"
        with connect(address, max_size=None, open_timeout=PATIENCE, **options) as live:
            if hello is not None:
                live.send(json.dumps({"type": "hello", **hello}))
            yield live

    def close(self) -> None:
        self.http.close()
        self.plain.close()


class Plain:
    """A cheap client: one connection, kept open, with just as much HTTP as the trials need."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)

    def request(self, verb: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, str]:
        """Status and text of the answer."""
        try:
            return self._request(verb, path, body, headers)
        except (RemoteDisconnected, ConnectionError):  # the server closed it while it was idle
            self.connection.close()
            return self._request(verb, path, body, headers)

    def _request(self, verb: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, str]:
        self.connection.request(verb, path, body, headers)
        answer = self.connection.getresponse()
        return answer.status, answer.read().decode()

    def first_line(self, path: str, headers: dict[str, str]) -> tuple[int, str]:
        """Status and first line of an endless answer."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.readline().decode()
        finally:
            connection.close()

    def close(self) -> None:
        self.connection.close()


def bearer(token: str | None) -> dict[str, str]:
    return {} if token is None else {"Authorization": f"Bearer {token}"}


class Person:
    """A person who holds seats at a table."""

    def __init__(self, server: Server, table: str, token: str, invites: list[str] | None = None) -> None:
        self.server, self.table, self.token, self.invites = server, table, token, invites or []
        self.path = f"/api/tables/{table}"
        self.count = 0

    def join(self, number: int = 0, name: str = "Guest", **more: Any) -> "Person":
        """Another person, who uses one of the invitations."""
        body = {"invite": self.invites[number], "name": name, **more}
        answer = self.server.post(f"{self.path}/join", body)
        assert answer.status_code == 200, answer.text
        return Person(self.server, self.table, answer.json()["token"])

    def look(self, **query: Any) -> dict[str, Any]:
        answer = self.server.get(self.path, self.token, **query)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def view(self) -> str:
        """What is seen, in notation."""
        return str(self.look(detail="text")["text"])

    def do(self, verb: str, body: Any = None) -> httpx.Response:
        return self.server.post(f"{self.path}/{verb}", body, self.token)

    def move(self, move: Any, version: int | None = None, **more: Any) -> httpx.Response:
        self.count += 1
        seen = self.look()["version"] if version is None else version
        return self.do("moves", {"id": f"m{self.count}", "version": seen, "move": move, **more})

    def undo(self, **more: Any) -> httpx.Response:
        self.count += 1
        return self.do("undo", {"id": f"u{self.count}", "version": self.look()["version"], **more})

    def play(self, moves: int, seed: int = 1) -> dict[str, Any]:
        """Play that many moves for the held seats, or until another seat must choose, and return a snapshot."""
        chance = random.Random(seed)
        seen = self.look()
        for _ in range(moves):
            if not seen["options"]:
                break
            answer = self.move(chance.choice(seen["options"]["legal"])["move"], seen["version"])
            assert answer.status_code == 200, answer.text
            seen = self.server.get(f"{self.path}/events", self.token, after=seen["seq"]).json()
        return self.look()


async def _make_tables(database: str) -> None:
    found = Database(database)
    found.make_folder()
    await upgrade(found)
    await found.close()


@cache
def _empty_tables() -> bytes:
    """A SQLite file as the migrations leave it, with all tables and no rows."""
    with TemporaryDirectory() as folder, ThreadPoolExecutor(1) as pool:  # a thread, as this one may have an event loop
        file = Path(folder) / "tables.db"
        pool.submit(asyncio.run, _make_tables(f"sqlite:///{file}")).result()
        return file.read_bytes()


def lay_out(database: str) -> None:
    """Give a SQLite file that is not there yet its tables: all migrations take longer than most tests.

    In a folder that is not there either, the server makes both itself.
    """
    file = Path(database.removeprefix("sqlite:///"))
    if database.startswith("sqlite:///") and file.parent.is_dir() and not file.exists():
        file.touch(0o600)
        file.write_bytes(_empty_tables())


@contextmanager
def running(database: str, **changes: Any) -> Iterator[Server]:
    """A server in a thread of this process."""
    lay_out(database)
    settings = Settings(**{**QUICK, "database": database, "port": 0, **changes})
    ready = threading.Event()
    failed: list[BaseException] = []
    found: dict[str, Any] = {}

    async def main() -> None:
        def listening(server: Listener) -> None:
            found["server"] = server
            ready.set()

        found["loop"] = asyncio.get_running_loop()
        await serve(settings, listening)

    def work() -> None:
        try:
            asyncio.run(main())
        except BaseException as error:
            failed.append(error)
        finally:
            ready.set()

    thread = threading.Thread(target=work)
    thread.start()
    ready.wait(3 * PATIENCE)
    if failed:
        thread.join()
        raise failed[0]
    server = Server(found["server"].servers[0].sockets[0].getsockname()[1])
    try:
        yield server
    finally:
        server.close()
        found["loop"].call_soon_threadsafe(found["server"].end)
        thread.join(PATIENCE)
        assert not thread.is_alive()
        assert not failed, failed


class Process(Server):
    """A server in a process of its own, which can be killed."""

    def __init__(self, database: str, log: Path, **changes: Any) -> None:
        self.held = held_port()
        super().__init__(self.held.getsockname()[1])
        values = {**QUICK, "database": database, "port": self.port, **changes}
        self.environment = {**os.environ, **{f"CARTAGENA_{key.upper()}": str(value) for key, value in values.items()}}
        self.log = log
        self.forked = forks.allowed
        self.process: subprocess.Popen[bytes] | forks.Fork | None = None

    def start(self) -> float:
        """Start, wait until it answers, and return the seconds that took."""
        began = time.monotonic()
        self.begin()
        self.wait_until_ready()
        return time.monotonic() - began

    def begin(self) -> None:
        """Start without waiting."""
        with self.log.open("ab") as log:
            if self.forked:
                self.process = forks.start("cartagena.server.run:main", (), self.environment, log)
            else:
                command = [sys.executable, "-m", "cartagena.server.run"]
                self.process = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log)

    def wait_until_ready(self) -> None:
        assert self.process is not None
        began = time.monotonic()
        while time.monotonic() < began + 3 * PATIENCE:
            assert self.process.poll() is None, self.log.read_text()[-2000:]
            if self.is_ready():
                return
            time.sleep(0.02)
        self.end()
        raise AssertionError("the server did not start")

    def is_ready(self) -> bool:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()

    def end(self, number: int = signal.SIGKILL) -> int:
        """Send a signal, wait for the end and return the exit status."""
        assert self.process is not None
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        super().close()
        self.held.close()


@contextmanager
def process(database: str, folder: Path, **changes: Any) -> Iterator[Process]:
    server = Process(database, folder / "server.log", **changes)
    if server.forked:
        lay_out(database)
    with started(server):
        yield server


@contextmanager
def started(server: Process) -> Iterator[None]:
    server.start()
    try:
        yield
    finally:
        server.close()
        if server.process is not None and server.process.poll() is None:
            server.end()


def receive(live: ClientConnection, *kinds: str) -> dict[str, Any]:
    """The next message of one of these kinds."""
    while True:
        message: dict[str, Any] = json.loads(live.recv(timeout=PATIENCE))
        if message["type"] in (kinds or ("update",)):
            return message
