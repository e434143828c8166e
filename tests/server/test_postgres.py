"""PostgreSQL: a lock that is lost ends writing, and a commit that is uncertain is answered with what was stored."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncConnection
from websockets.sync.client import ClientConnection

from cartagena.server.live import loading
from cartagena.server.storage import migrate, write_queue
from cartagena.server.storage.database import Database
from cartagena.server.storage.postgres import SoleConnection

from .conftest import make_database
from .rig import PATIENCE, running

TWO_COMPUTERS = [{"kind": "computer", "level": "7"}, {"kind": "computer", "level": "8"}]
MOVE = "the-move-that-is-cut-off"


class Line:
    """A line to PostgreSQL that can be cut at the commit of ``MOVE``, before or after it is passed on."""

    def __init__(self, host: str, port: int) -> None:
        self.target = (host, port)
        self.cut: str | None = None
        self.deaf: set[socket.socket] = set()
        self.door = socket.create_server(("127.0.0.1", 0))
        self.ends = [self.door]
        self.port = self.door.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self.door.accept()
                far = self._connect()
                self.ends += [near, far]
                threading.Thread(target=self._pass, args=(near, far, True), daemon=True).start()
                threading.Thread(target=self._pass, args=(far, near, False), daemon=True).start()

    def close(self) -> None:
        for end in self.ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _connect(self) -> socket.socket:
        host, port = self.target
        if not host.startswith("/"):
            return socket.create_connection(self.target)
        far = socket.socket(socket.AF_UNIX)
        far.connect(f"{host}/.s.PGSQL.{port}")
        return far

    def _pass(self, source: socket.socket, sink: socket.socket, outward: bool) -> None:
        moved = False
        with suppress(OSError):
            while data := source.recv(65536):
                moved = moved or MOVE.encode() in data  # the watch of the lock commits on this line too
                if outward and self.cut and moved and b"COMMIT" in data:
                    when, self.cut = self.cut, None
                    if when == "before":
                        break
                    self.deaf.add(source)
                elif sink in self.deaf:  # the answer to the commit, which reaches no client
                    break
                sink.sendall(data)
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def line(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[tuple[Line, str]]:
    url = make_url(make_database("postgresql", tmp_path, request))
    host = url.host or str(url.query.get("host", "127.0.0.1"))
    found = Line(host, url.port or 5432)
    near = url.set(host="127.0.0.1", port=found.port, query={})
    yield found, near.render_as_string(hide_password=False)
    found.close()


@pytest.mark.parametrize(("when", "status"), [("after", 200), ("before", 503)])
def test_an_uncertain_commit_is_answered_with_what_was_stored(line: tuple[Line, str], when: str, status: int) -> None:
    cut, database = line
    with running(database) as server:
        ann = server.table("tortuga-en")
        seen = ann.play(2)
        want = {"id": MOVE, "version": seen["version"], "move": seen["options"]["legal"][0]["move"]}
        cut.cut = when
        assert ann.do("moves", want).status_code == status
        deadline = time.monotonic() + PATIENCE
        while (answer := ann.do("moves", want)).status_code != 200:
            assert time.monotonic() < deadline, answer.text
            time.sleep(0.1)
        assert answer.json()["repeated"] is (when == "after")
        assert ann.look()["seq"] == seen["seq"] + 1, "the move is there once"


def lose_lock(database: str) -> str:
    """The statement that ends the sessions with an advisory lock of a database."""
    here = f"(SELECT oid FROM pg_database WHERE datname = '{make_url(database).database}')"
    holders = f"SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND database = {here}"
    return f"SELECT pg_terminate_backend(pid) FROM ({holders}) AS holders;"


def hear_on(live: ClientConnection, number: int) -> None:
    """Wait for that event, or for the end of the game."""
    deadline = time.monotonic() + PATIENCE
    while True:
        message = json.loads(live.recv(deadline - time.monotonic()))
        if message["type"] == "update" and (message["seq"] >= number or message["stage"] == "over"):
            return


def test_writing_stops_when_the_lock_is_lost(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = make_database("postgresql", tmp_path, request)
    postgres = request.getfixturevalue("postgres")
    with running(database) as server:
        monkeypatch.setattr(migrate, "RETAKE_PAUSE", 3600.0)  # nothing takes the lock again for now
        ann = server.table("tortuga-en")
        seen = ann.play(2)
        postgres.psql(lose_lock(database))
        deadline = time.monotonic() + PATIENCE
        while server.http.get("/readyz").status_code == 200:
            assert time.monotonic() < deadline, "the loss is not noticed"
            time.sleep(0.1)
        refused = ann.move(seen["options"]["legal"][0]["move"], seen["version"])
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "storage")


def test_a_cancelled_look_at_the_lock_or_write_does_not_end_writing(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """The look at the lock is cancelled when a server stops, and its last writes come after that."""

    async def change_nothing(connection: AsyncConnection) -> None:
        await connection.execute(text("SELECT 1"))

    async def cancel_soon(work: Callable[[], Awaitable[object]], turns: int) -> None:
        task = asyncio.ensure_future(work())
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})

    async def main() -> None:
        database = Database(make_database("postgresql", tmp_path, request))
        sole = SoleConnection(database.engine)
        assert await sole.take()
        for turns in range(1, 12):
            await cancel_soon(sole.holds, turns)
            await sole.write(change_nothing)
            await cancel_soon(lambda: sole.write(change_nothing), turns)
            assert await sole.holds()
        await sole.free()
        await database.close()

    asyncio.run(main())


def test_a_server_goes_on_by_itself_as_soon_as_its_lock_is_held_again(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing that adds to the pause of a table is waited for: no look at the lock, no reading later, no minute."""
    database = make_database("postgresql", tmp_path, request)
    monkeypatch.setattr(migrate, "WATCH_PAUSE", 3600.0)
    monkeypatch.setattr(loading, "RELOAD", 3600.0)
    monkeypatch.setattr(write_queue, "FAULT_SECONDS", 3600.0)
    with running(database, pace=True) as server:
        host = server.table("tortuga-en", TWO_COMPUTERS, spectators="public")
        with server.socket(host.table, {"token": host.token, "after": 0}) as live:
            hear_on(live, 4)
            at = host.look()["seq"]
            request.getfixturevalue("postgres").psql(lose_lock(database))
            hear_on(live, at + 8)
        assert server.http.get("/readyz").text == "ready\n"
