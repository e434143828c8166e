"""Many games against the captain at once: how long replies take where thinking time shrinks, and what others notice.

Part of ``make soak ONLY=captains``. The rule is in ``docs/hosting.md``: where moves wait, each has less time.
"""

import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx
from tests.server.players import load, percentile
from tests.server.rawsocket import RawSocket
from tests.server.rig import PATIENCE, Process

from .attacks.trial import WARM_UP, defaults

GAMES: Final = 500
SECONDS: Final = 40.0
SITTING: Final = 20  # guests that sit down at once
TARGETS: Final = {"reply_p95_s": 5.0}


class Busy(NamedTuple):
    """What other people notice of a server that does so much a second."""

    p99_ms: float
    actions_a_second: float


class Guest:
    """A person who plays against the captain by socket, without thinking, at next to no cost for the machine."""

    def __init__(self, port: int, client: httpx.AsyncClient) -> None:
        self.port, self.client = port, client
        self.seats: list[dict[str, str]] = [{"kind": "here"}, {"kind": "computer", "level": "captain"}]
        self.pause = 0.0
        """Seconds before each move."""
        self.actions = 0
        """Of both seats."""
        self.replies: list[float] = []
        self.errors = self.number = 0
        self.since: float | None = None
        """Since when it is the captain's turn."""
        self.socket: RawSocket | None = None
        self.again: asyncio.Task[None] | None = None

    async def sit(self) -> None:
        """Set a table up and watch it."""
        table = {"rules": "tortuga-en", "seats": self.seats, "lots": False}
        answer = await self.client.post("/api/tables", json=table)
        assert answer.status_code == 201, answer.text
        token, path = answer.json()["token"], f"/api/tables/{answer.json()['table']}/live"
        self.socket = await RawSocket.connect(self.port, path, self._told, self._lost)
        self.socket.send(json.dumps({"type": "hello", "token": token, "after": 0}))

    def _told(self, message: bytes) -> None:
        """Note a reply, and move if it is the person's turn."""
        if not message.startswith(b'{"type":"update"'):
            self.errors += message.startswith(b'{"type":"rejected"')
            return
        seen, now = json.loads(message), time.perf_counter()
        self.actions += 1
        if self.since is not None:
            self.replies.append(now - self.since)
        self.since = None
        if seen["stage"] == "over":
            self.leave()
            self.again = asyncio.ensure_future(self.sit())
        elif seen["options"] is None:
            self.since = now
        else:
            self.number += 1
            move = {"id": f"m{self.number}", "version": seen["version"], "move": seen["options"]["legal"][0]["move"]}
            if self.pause:
                asyncio.get_running_loop().call_later(self.pause, self._move, move)
            else:
                self._move(move)

    def _move(self, move: dict[str, Any]) -> None:
        if self.socket is not None:
            self.socket.send(json.dumps({"type": "move", **move}))

    def _lost(self) -> None:
        self.errors += self.socket is not None

    def end_wait(self) -> None:
        """Note how long was waited for a reply that has not come yet."""
        if self.since is not None:
            self.replies.append(time.perf_counter() - self.since)

    def leave(self) -> None:
        if self.socket is not None:
            socket, self.socket = self.socket, None
            socket.close()


async def moves_p99(port: int, seconds: float) -> float:
    """What people at tables without computers notice, in milliseconds."""
    return round(percentile((await load(port, 8, 2, 16, seconds)).delays, 0.99) * 1000, 1)


async def until_replied(guests: list[Guest]) -> None:
    """Wait until every guest has had a reply."""
    end = time.monotonic() + WARM_UP
    while time.monotonic() < end and not all(guest.replies for guest in guests):
        await asyncio.sleep(0.1)


async def sit_down(guests: list[Guest]) -> None:
    """Seat all guests, some at a time."""
    for first in range(0, len(guests), SITTING):
        await asyncio.gather(*(guest.sit() for guest in guests[first : first + SITTING]))


async def people_alone(server: Process, client: httpx.AsyncClient, games: int, rate: float, seconds: float) -> Busy:
    """What other people notice of as many tables with as many actions a second at which no computer plays."""
    guests = [Guest(server.port, client) for _ in range(games)]
    for guest in guests:
        guest.seats, guest.pause = [{"kind": "here"}, {"kind": "here"}], games / rate
    await sit_down(guests)
    before, begin = sum(guest.actions for guest in guests), time.perf_counter()
    p99 = await moves_p99(server.port, seconds)
    actions = sum(guest.actions for guest in guests) - before
    for guest in guests:
        guest.leave()
    return Busy(p99, round(actions / (time.perf_counter() - begin), 1))


async def play_all(server: Process, games: int, seconds: float) -> dict[str, Any]:
    """The replies of all games, and the moves of other people without and with them."""
    control = await moves_p99(server.port, min(seconds, 10.0))
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx.AsyncClient(base_url=server.url, timeout=3 * PATIENCE, limits=limits) as client:
        guests = [Guest(server.port, client) for _ in range(games)]
        await sit_down(guests)
        await until_replied(guests)  # the engine is loaded
        for guest in guests:
            guest.replies.clear()
        before, begin = sum(guest.actions for guest in guests), time.perf_counter()
        others = await moves_p99(server.port, seconds)
        rate = (sum(guest.actions for guest in guests) - before) / (time.perf_counter() - begin)
        for guest in guests:
            guest.end_wait()
        ready = (await client.get("/readyz")).text
        for guest in guests:
            guest.leave()
        people = await people_alone(server, client, games, rate, seconds)
    replies = [reply for guest in guests for reply in guest.replies]
    return {
        "games": games,
        "replies": len(replies),
        "reply_p50_s": round(percentile(replies, 0.5), 2),
        "reply_p95_s": round(percentile(replies, 0.95), 2),
        "errors": sum(guest.errors for guest in guests),
        "moves_p99_ms": others,
        "control_p99_ms": control,
        "actions_a_second": round(rate, 1),
        "people_p99_ms": people.p99_ms,
        "people_actions_a_second": people.actions_a_second,
        "readyz": ready.strip(),
    }


def trial(database: str, folder: Path, share: float) -> dict[str, Any]:
    """All games at one server, whose code was compiled before."""
    subprocess.run([sys.executable, "-m", "cartagena", "warmup", "--players"], check=True, stdout=sys.stderr)
    limits = ("requests", "messages", "tables_per_hour", "sockets_per_address", "connections_per_address")
    wide = {**dict.fromkeys(limits, 10**6), "address_share": 10**6}
    server = Process(database, folder / "captains.log", **{**defaults(), "levels": "captain", **wide})
    server.start()
    try:
        found = asyncio.run(play_all(server, max(10, int(GAMES * share)), max(8.0, SECONDS * share)))
    finally:
        server.end()
        server.close()
    sys.stderr.write(f"captains {json.dumps(found)}\n")
    return found
