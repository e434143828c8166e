"""Many clients at once, over sockets, for the trials of load, crashes, duplicates and lost sockets."""

import asyncio
import json
import random
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from cartagena import Position

from .rawsocket import RawSocket
from .rig import PATIENCE

SEQ_BYTES = re.compile(rb'"seq":(\d+)')
SEQ = re.compile(r'"seq":(\d+),"version":(\d+)')
TEXT = re.compile(r'"text":"([^"]*)"')


def body(rules: str, seats: int, **more: Any) -> dict[str, Any]:
    return {"rules": rules, "seats": [{"kind": "here"}] * seats, "spectators": "public", **more}


async def create(client: httpx.AsyncClient, rules: str = "tortuga-en", seats: int = 2, **more: Any) -> tuple[str, str]:
    """Set up a table with all seats at this device, and return its name and token."""
    answer = await client.post("/api/tables", json=body(rules, seats, **more))
    assert answer.status_code == 201, answer.text
    return answer.json()["table"], answer.json()["token"]


@asynccontextmanager
async def live(
    port: int, table: str, token: str | None, after: int = 0, detail: str = "text", **more: Any
) -> AsyncIterator[ClientConnection]:
    address = f"ws://127.0.0.1:{port}/api/tables/{table}/live"
    options: dict[str, Any] = {"max_size": None, "max_queue": None, "compression": None, "ping_interval": None, **more}
    async with connect(address, open_timeout=PATIENCE, **options) as found:
        await found.send(json.dumps({"type": "hello", "token": token, "after": after, "detail": detail}))
        yield found


@dataclass
class Hand:
    """A client that plays all seats of one table by socket, one random legal move at a time."""

    port: int
    table: str
    token: str
    chance: random.Random
    seq: int = 0
    version: int = 0
    text: str = ""
    sent: int = 0
    acked: dict[str, int] = field(default_factory=dict)
    unknown: dict[str, dict[str, Any]] = field(default_factory=dict)

    def note(self, message: str) -> None:
        """Take an update over, unless a later one has come by another socket."""
        found = SEQ.search(message)
        if found and '"type":"update"' in message[:20] and int(found[1]) >= self.seq:
            self.seq, self.version = int(found[1]), int(found[2])
            view = TEXT.search(message)
            self.text = view[1] if view else ""

    def choose(self) -> dict[str, Any] | None:
        """A legal move, or None when the game is over."""
        moves = list(Position.parse(self.text).legal_moves) if self.text else []
        if not moves:
            return None
        self.sent += 1
        name = f"{self.table}-{self.sent}-{self.chance.randrange(10**9)}"
        return {"id": name, "version": self.version, "move": str(self.chance.choice(moves))}

    def choose_quickly(self) -> dict[str, Any] | None:
        """As ``choose``, without the rules where the notation is enough: a card for a pirate at the start."""
        words = self.text.split(" ")
        turn = words[8] if len(words) == 9 else "="
        seat, _, used = turn.partition(".")
        if not seat.isdigit() or used not in ("0", "1", "2", "3"):
            return self.choose()
        pirates, hand = words[2].split("/")[int(seat) - 1], words[3].split("/")[int(seat) - 1]
        move = ""
        if used == "3":
            move = "end"
        elif pirates[0] == "s" and hand[0].isalpha():
            move = f"s:{hand[0]}"
        if not move:
            return self.choose()
        self.sent += 1
        return {"id": f"q{self.sent}", "version": self.version, "move": move}

    async def until_update(self, socket: ClientConnection, seq: int) -> None:
        """Read until the table has that many events."""
        while self.seq < seq:
            self.note(str(await asyncio.wait_for(socket.recv(), PATIENCE)))

    async def play(self, socket: ClientConnection, want: dict[str, Any]) -> dict[str, Any]:
        """Send a move and read until it is answered."""
        await socket.send(json.dumps({"type": "move", **want}))
        while True:
            message = str(await asyncio.wait_for(socket.recv(), PATIENCE))
            if message.startswith('{"type":"update"'):
                self.note(message)
                continue
            answer: dict[str, Any] = json.loads(message)
            if answer.get("id") == want["id"]:
                return answer

    async def play_for_ever(self) -> None:
        """Play until the connection breaks or the game is over, and keep unanswered moves as unknown."""
        want: dict[str, Any] | None = None
        try:
            async with live(self.port, self.table, self.token) as socket:
                await self.until_update(socket, 1)
                while True:
                    want = self.choose()
                    if want is None:
                        return
                    answer = await self.play(socket, want)
                    if answer.get("code") == "stopping":
                        return
                    assert answer["type"] == "ack", answer
                    assert not answer["repeated"]
                    self.acked[want["id"]] = answer["seq"]
                    await self.until_update(socket, answer["seq"])
                    want = None
        except (OSError, ConnectionClosed, EOFError):
            if want is not None:
                self.unknown[want["id"]] = want


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


# --- load


@dataclass
class Load:
    """Measurements of a load trial: seconds from sending a move until every viewer has it."""

    delays: list[float] = field(default_factory=list)
    errors: int = 0
    moves: int = 0
    began: float = 0.0
    seconds: float = 0.0
    own_cpu: float = 0.0

    def report(self) -> dict[str, Any]:
        return {
            "moves": self.moves,
            "moves_per_second": round(self.moves / self.seconds, 1) if self.seconds else 0,
            "p50_ms": round(percentile(self.delays, 0.5) * 1000, 1),
            "p95_ms": round(percentile(self.delays, 0.95) * 1000, 1),
            "p99_ms": round(percentile(self.delays, 0.99) * 1000, 1),
            "errors": self.errors,
            "client_cpu_ms_per_move": round(self.own_cpu * 1000 / max(1, self.moves), 3),
        }


class Crowd:
    """One table with a player and viewers, driven by callbacks to keep the cost of the client low."""

    def __init__(
        self, port: int, client: httpx.AsyncClient, number: int, viewers: int, load: Load, detail: str, elsewhere: int
    ) -> None:
        self.port, self.client, self.viewers, self.load, self.detail = port, client, viewers, load, detail
        self.elsewhere = elsewhere or port
        self.hand = Hand(port, "", "", random.Random(number))
        self.loop = asyncio.get_running_loop()
        self.seen = [0] * viewers
        self.goal = 0
        self.want: dict[str, Any] | None = None
        self.sockets: list[RawSocket] = []
        self.ending = False
        self.end = 0.0
        self.pause = 0.0
        self.due = 0.0
        self.moves = self.least = 0
        self.done: asyncio.Future[None] = self.loop.create_future()

    async def sit(self) -> None:
        """Set up a table. Viewer 0 is the player, the others are spectators."""
        self.hand.table, self.hand.token = await create(self.client, lots=False)
        self.ending, self.hand.seq, self.hand.text, self.seen = False, 0, "", [0] * self.viewers
        for number in range(self.viewers):
            path = f"/api/tables/{self.hand.table}/live"
            port = self.elsewhere if number else self.port
            socket = await RawSocket.connect(port, path, partial(self._told, number), self._lost)
            token = self.hand.token if number == 0 else None
            detail = "text" if number == 0 else self.detail
            socket.send(json.dumps({"type": "hello", "token": token, "after": 0, "detail": detail}))
            self.sockets.append(socket)
        while min(self.seen) == 0:
            await asyncio.sleep(0.01)

    def play_until(self, end: float, first: float, pause: float, least: int) -> None:
        """Play a move every ``pause`` seconds (0: without pauses) until that time and at least that many moves."""
        self.end, self.due, self.pause, self.least = end, first, pause, least
        self.loop.call_at(first, self._move)

    def _move(self) -> None:
        if self.loop.time() >= self.end and self.moves >= self.least:
            self._finish()
            return
        self.want = self.hand.choose_quickly()
        if self.want is None:
            self.again = asyncio.ensure_future(self._sit_again())
            return
        self.goal, self.began = 0, time.perf_counter()
        self.sockets[0].send(json.dumps({"type": "move", **self.want}))

    async def _sit_again(self) -> None:
        """Start the next game."""
        self.stop()
        try:
            await self.sit()
        except (OSError, AssertionError, httpx.HTTPError):
            self.load.errors += 1
            self._finish()
        else:
            self._move()

    def _told(self, number: int, message: bytes) -> None:
        if message.startswith(b'{"type":"update"'):
            found = SEQ_BYTES.search(message)
            self.seen[number] = int(found[1]) if found else 0
            if number == 0:
                self.hand.note(message.decode())
        elif number == 0 and self.want is not None and message.startswith((b'{"type":"ack"', b'{"type":"rejected"')):
            answer = json.loads(message)
            if answer["type"] == "ack" and answer["id"] == self.want["id"]:
                self.goal = answer["seq"]
            else:
                self.load.errors += 1
                self._finish()
        if self.goal and min(self.seen) >= self.goal:
            self._all_have_it()

    def _all_have_it(self) -> None:
        self.load.delays.append(time.perf_counter() - self.began)
        self.load.moves += 1
        self.moves += 1
        self.load.seconds = self.loop.time() - self.load.began
        self.goal, self.want = 0, None
        self.due += self.pause
        if self.pause:
            self.loop.call_at(self.due, self._move)
        else:
            self._move()

    def _finish(self) -> None:
        if not self.done.done():
            self.done.set_result(None)

    def _lost(self) -> None:
        if not self.ending:
            self.load.errors += 1
            self._finish()

    def stop(self) -> None:
        self.ending = True
        for socket in self.sockets:
            socket.close()
        self.sockets = []


async def load(
    port: int,
    tables: int,
    viewers: int,
    rate: float,
    seconds: float,
    detail: str = "full",
    least: int = 0,
    elsewhere: int = 0,
) -> Load:
    """Play at ``tables`` tables with ``rate`` moves a second in all (0: as fast as possible).

    A slow machine gets more time, until each table has ``least`` moves. ``elsewhere`` is the port of another server
    for all viewers but the player.
    """
    found, loop = Load(), asyncio.get_running_loop()
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client:
        crowds = [Crowd(port, client, number, viewers, found, detail, elsewhere) for number in range(tables)]
        for crowd in crowds:
            await crowd.sit()
        used, began = time.process_time(), loop.time()
        found.began = began
        pause = tables / rate if rate else 0.0
        for number, crowd in enumerate(crowds):
            crowd.play_until(began + seconds, began + pause * number / tables, pause, least)
        await asyncio.wait([crowd.done for crowd in crowds], timeout=seconds + PATIENCE)
        found.errors += sum(not crowd.done.done() for crowd in crowds)
        found.own_cpu = time.process_time() - used
        for crowd in crowds:
            crowd.stop()
    return found
