"""Many games against the captain at once: how long replies take where thinking time shrinks, and what others notice.

Part of ``make soak ONLY=captains``. The rule is in ``docs/hosting.md``: where moves wait, each has less time.

First the guests answer at once, which is hardest for the captains. Then they think, as people do, and others' moves
are measured in turns beside them and beside as many actions a second of people alone.
"""

import asyncio
import json
import random
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
THINKING: Final = 1.0  # seconds that guests think about a move, in the mean
TURNS: Final = 3  # of guests against captains and of people alone
OTHERS: Final = 32  # moves of others a second
TARGETS: Final = {"reply_p95_s": 5.0}


class Busy(NamedTuple):
    """What other people notice of a server that does so much a second: seconds until all have a move."""

    delays: list[float]
    actions_a_second: float
    replies: list[float]


class Guest:
    """A person who plays by socket, against the captain or at both seats, at next to no cost for the machine."""

    def __init__(self, port: int, client: httpx.AsyncClient, number: int, pause: float, *, alone: bool = False) -> None:
        self.port, self.client, self.pause = port, client, pause
        self.chance = random.Random(number)
        other = {"kind": "here"} if alone else {"kind": "computer", "level": "captain"}
        self.seats: list[dict[str, str]] = [{"kind": "here"}, other]
        self.actions = 0
        """Of both seats."""
        self.replies: list[float] = []
        self.errors = self.number = 0
        self.since: float | None = None
        """Since when it is the captain's turn."""
        self.socket: RawSocket | None = None
        self.again: asyncio.Task[None] | None = None
        self.ended = False

    async def sit(self) -> None:
        """Set a table up and watch it."""
        table = {"rules": "tortuga-en", "seats": self.seats, "lots": False}
        answer = await self.client.post("/api/tables", json=table)
        assert answer.status_code == 201, answer.text
        token, path = answer.json()["token"], f"/api/tables/{answer.json()['table']}/live"
        self.socket = await RawSocket.connect(self.port, path, self._told, self._lost)
        self.socket.send(json.dumps({"type": "hello", "token": token, "after": 0}))
        if self.ended:
            self.leave()

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
                asyncio.get_running_loop().call_later(self.chance.expovariate(1 / self.pause), self._move, move)
            else:
                self._move(move)

    def _move(self, move: dict[str, Any]) -> None:
        if self.socket is not None:
            self.socket.send(json.dumps({"type": "move", **move}))

    def _lost(self) -> None:
        self.errors += self.socket is not None

    def end(self) -> None:
        """Play no more, and note how long was waited for a reply that has not come yet."""
        if self.since is not None:
            self.replies.append(time.perf_counter() - self.since)
        self.ended = True
        self.leave()

    def leave(self) -> None:
        if self.socket is not None:
            socket, self.socket = self.socket, None
            socket.close()


async def moves(port: int, seconds: float) -> list[float]:
    """What people at tables without computers wait for their moves, in seconds."""
    return (await load(port, 8, 2, OTHERS, seconds)).delays


def milliseconds(delays: list[float], share: float) -> float:
    return round(percentile(delays, share) * 1000, 1)


async def until_replied(guests: list[Guest]) -> None:
    """Wait until every guest has had a reply."""
    end = time.monotonic() + WARM_UP
    while time.monotonic() < end and not all(guest.replies for guest in guests):
        await asyncio.sleep(0.1)


async def sit_down(guests: list[Guest]) -> None:
    """Seat all guests, some at a time."""
    for first in range(0, len(guests), SITTING):
        await asyncio.gather(*(guest.sit() for guest in guests[first : first + SITTING]))


async def beside(guests: list[Guest], port: int, seconds: float, *, captains: bool) -> Busy:
    """Seat the guests and measure the moves of other people beside theirs."""
    await sit_down(guests)
    if captains:
        await until_replied(guests)  # the engine is loaded
    for guest in guests:
        guest.replies.clear()
    before, begin = sum(guest.actions for guest in guests), time.perf_counter()
    delays = await moves(port, seconds)
    rate = (sum(guest.actions for guest in guests) - before) / (time.perf_counter() - begin)
    for guest in guests:
        guest.end()
    return Busy(delays, rate, [reply for guest in guests for reply in guest.replies])


async def play_all(server: Process, games: int, seconds: float) -> dict[str, Any]:
    """The replies of all games, and the moves of other people beside captains and beside people."""
    port = server.port
    control = await moves(port, min(seconds, 10.0))
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx.AsyncClient(base_url=server.url, timeout=3 * PATIENCE, limits=limits) as client:
        seats = range(games)
        hasty = [Guest(port, client, number, 0.0) for number in seats]
        at_once = await beside(hasty, port, seconds, captains=True)
        ready = (await client.get("/readyz")).text
        busy: list[Busy] = []
        people: list[Busy] = []
        everyone = hasty
        for _ in range(TURNS):
            thinking = [Guest(port, client, number, THINKING) for number in seats]
            busy.append(await beside(thinking, port, seconds / 2, captains=True))
            pause = games / busy[-1].actions_a_second
            alone = [Guest(port, client, number, pause, alone=True) for number in seats]
            people.append(await beside(alone, port, seconds / 2, captains=False))
            everyone = everyone + thinking + alone
    return {
        "games": games,
        "errors": sum(guest.errors for guest in everyone),
        "replies": len(at_once.replies),
        "reply_p50_s": round(percentile(at_once.replies, 0.5), 2),
        "reply_p95_s": round(percentile(at_once.replies, 0.95), 2),
        "actions_a_second": round(at_once.actions_a_second, 1),
        "moves_p99_ms": milliseconds(at_once.delays, 0.99),
        "control_p99_ms": milliseconds(control, 0.99),
        "readyz": ready.strip(),
        "thinking": described(busy),
        "people_alone": described(people),
    }


def described(turns: list[Busy]) -> dict[str, Any]:
    """All turns together, and the p99 of each."""
    delays = [delay for each in turns for delay in each.delays]
    replies = [reply for each in turns for reply in each.replies]
    return {
        "moves": len(delays),
        **{f"moves_p{100 * share:.0f}_ms": milliseconds(delays, share) for share in (0.5, 0.95, 0.99)},
        "p99_of_turns_ms": [milliseconds(each.delays, 0.99) for each in turns],
        "actions_a_second": [round(each.actions_a_second, 1) for each in turns],
        **({"reply_p95_s": round(percentile(replies, 0.95), 2)} if replies else {}),
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
