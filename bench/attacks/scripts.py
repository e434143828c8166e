"""The attacks. Each is a coroutine that does one thing over and over, as fast as it can, until it is cancelled.

``python -m bench.attacks.scripts NAME PORT ADDRESS`` runs one attack until its standard input ends, and prints how
often it struck.
"""

import argparse
import asyncio
import json
import os
import random
import sys
from collections.abc import Awaitable, Callable
from typing import Any, Final

TEXT, CONTINUATION, PING = 1, 0, 9
WORKERS: Final = 30
UPGRADE: Final = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


def frame(payload: bytes = b"", opcode: int = TEXT, *, fin: bool = True) -> bytes:
    """A masked frame of at most 125 bytes."""
    return bytes([(128 if fin else 0) | opcode, 128 | len(payload)]) + bytes(4) + payload


class Attacker:
    """An address, the server it attacks, and how often it has struck. ``header`` is sent with every request."""

    header = ""

    def __init__(self, port: int, address: str) -> None:
        self.port, self.address = port, address
        self.strikes = 0
        self.kept: list[asyncio.StreamWriter] = []

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        self.strikes += 1
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.address, 0), limit=1 << 24)

    async def send(self, data: bytes, *, answers: bool = True) -> bytes:
        """Send something on a connection of its own, and return the first bytes of the answer."""
        reader, writer = await self.connect()
        try:
            writer.write(data)
            await writer.drain()
            return await asyncio.wait_for(reader.read(65536), 20) if answers else b""
        finally:
            writer.transport.abort()

    async def request(self, verb: str, path: str, body: Any = None, token: str = "") -> tuple[int, Any]:
        """Status and body of an ordinary request."""
        data = b"" if body is None else json.dumps(body).encode()
        more = f"Authorization: Bearer {token}\r\n" if token else ""
        head = f"{verb} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\n"
        head += self.header
        reader, writer = await self.connect()
        try:
            writer.write(f"{head}{more}Content-Length: {len(data)}\r\n\r\n".encode() + data)
            answer = await asyncio.wait_for(reader.read(), 30)
        finally:
            writer.transport.abort()
        top, _, text = answer.partition(b"\r\n\r\n")
        status = int(top[9:12] or 0)
        return status, json.loads(text) if text.startswith(b"{") else None

    async def socket(self, table: str, hello: str = '{"type":"hello","after":0}') -> asyncio.StreamWriter:
        """An open socket at a table, whose answers are never read."""
        reader, writer = await self.connect()
        head = f"GET /api/tables/{table}/live HTTP/1.1\r\nHost: 127.0.0.1\r\n{self.header}"
        writer.write(f"{head}{UPGRADE}\r\n".encode())
        await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)
        if hello:
            writer.write(frame(hello.encode()))
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        return writer

    async def table(self, seats: list[dict[str, str]], **more: Any) -> tuple[str, str]:
        """A table of the attacker's own: its name and token."""
        body = {"rules": "tortuga-en", "seats": seats, "spectators": "public", "lots": False, "salts": 0, **more}
        status, found = await self.request("POST", "/api/tables", body)
        if status != 201:
            raise OSError(status)
        return found["table"], found["token"]


Strike = Callable[[Attacker], Awaitable[None]]
HERE: Final = {"kind": "here"}


async def flood(attacker: Attacker, data: bytes) -> None:
    """Send the data over a socket until it is closed."""
    writer = await attacker.socket((await own_table(attacker))[0])
    try:
        while not writer.is_closing():
            writer.write(data)
            attacker.strikes += 1
            await writer.drain()
    finally:
        writer.transport.abort()


TABLES: dict[str, tuple[str, str]] = {}


async def own_table(attacker: Attacker) -> tuple[str, str]:
    """The attacker's table of two seats."""
    if attacker.address not in TABLES:
        TABLES[attacker.address] = await attacker.table([HERE, HERE])
    return TABLES[attacker.address]


# --- frames


async def tiny_frames(attacker: Attacker) -> None:
    """Sockets full of empty frames."""
    await flood(attacker, frame() * 40_000)


async def fragments(attacker: Attacker) -> None:
    """Sockets full of empty fragments of one message."""
    await flood(attacker, frame(fin=False) + frame(b"", CONTINUATION, fin=False) * 40_000)


async def unread_pings(attacker: Attacker) -> None:
    """Pings whose answers are never read."""
    await flood(attacker, frame(b"x" * 120, PING) * 2_000)


async def messages(attacker: Attacker) -> None:
    """As many messages as a socket may send, over and over."""
    await flood(attacker, frame(b'{"type":"look"}') * 90)


async def no_hello(attacker: Attacker) -> None:
    """Sockets that never say hello."""
    attacker.kept.append(await attacker.socket((await own_table(attacker))[0], ""))


async def reconnecting(attacker: Attacker) -> None:
    """Sockets that say hello and leave."""
    writer = await attacker.socket((await own_table(attacker))[0])
    writer.transport.abort()


# --- requests


async def endless_target(attacker: Attacker) -> None:
    """Request lines without an end."""
    await attacker.send(b"GET /" + b"x" * 4_000_000)


async def endless_header(attacker: Attacker) -> None:
    """Headers without an end."""
    await attacker.send(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 4_000_000)


async def unfinished(attacker: Attacker) -> None:
    """Requests that never end."""
    _, writer = await attacker.connect()
    writer.write(b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60000\r\n\r\n{")
    attacker.kept.append(writer)


async def idle(attacker: Attacker) -> None:
    """Connections on which nothing is sent."""
    attacker.kept.append((await attacker.connect())[1])


async def pipeline(attacker: Attacker) -> None:
    """Thousands of requests at once on one connection."""
    await attacker.send(b"GET /api/about HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 5_000)


async def chunks(attacker: Attacker) -> None:
    """Bodies in chunks of one byte."""
    head = b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    await attacker.send(head + b"1\r\nx\r\n" * 60_000)


async def pages(attacker: Attacker) -> None:
    """The page, the lobby and everything else that is free to ask for."""
    path = random.choice(("/", "/api/about", "/api/tables", "/readyz", "/nothing", "/api/openapi.json"))
    await attacker.request("GET", path)


async def unread_answers(attacker: Attacker) -> None:
    """Large answers that are never read."""
    _, writer = await attacker.connect()
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    writer.write(b"GET /api/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 8)
    attacker.kept.append(writer)


async def unread_streams(attacker: Attacker) -> None:
    """Streams of a table that are never read, while its players talk."""
    table, token = await own_table(attacker)
    _, writer = await attacker.connect()
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    writer.write(f"GET /api/tables/{table}/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    attacker.kept.append(writer)
    await attacker.request("POST", f"/api/tables/{table}/talk", {"text": "x" * 200, "seat": 1}, token)


async def snapshots(attacker: Attacker) -> None:
    """Views of a table, each from another event on."""
    table, token = await own_table(attacker)
    await attacker.request("GET", f"/api/tables/{table}/events?after={random.randrange(1000)}", token=token)


async def new_tables(attacker: Attacker) -> None:
    """Tables in the lobby."""
    await attacker.request("POST", "/api/tables", {"rules": "nest-nl", "seats": [HERE] * 5, "lobby": True})


async def loops(attacker: Attacker) -> None:
    """Talking, leaving, coming back and adding randomness over and over."""
    table, token = await own_table(attacker)
    for verb, body in (("talk", {"text": "x" * 200}), ("leave", {}), ("back", {}), ("salt", {"salt": "x"})):
        await attacker.request("POST", f"/api/tables/{table}/{verb}", body, token)


async def rematches(attacker: Attacker) -> None:
    """Chains of rematches."""
    table, token = await attacker.table([HERE, HERE])
    status = 200
    while status == 200:
        await attacker.request("POST", f"/api/tables/{table}/resign", {"seat": 1}, token)
        status, found = await attacker.request("POST", f"/api/tables/{table}/rematch", None, token)
        table = found["table"] if status == 200 else table


# --- costly work


def record() -> str:
    """A long game."""
    from cartagena.game import Game

    game, chance = Game.new("jamaica-en", seats=5, seed=1), random.Random(1)
    while not game.is_over:
        game.play(chance.choice(game.position.legal_words()))
    return str(game.record())


RECORD: list[str] = []


async def study(attacker: Attacker) -> None:
    """Records to be read."""
    RECORD[:] = RECORD or [record()]
    await attacker.request("POST", "/api/study/record", {"record": RECORD[0]})


async def abandoned_study(attacker: Attacker) -> None:
    """Records to be read for a client that leaves at once."""
    RECORD[:] = RECORD or [record()]
    body = json.dumps({"record": RECORD[0]}).encode()
    head = b"POST /api/study/record HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    await attacker.send(head + b"Content-Length: %d\r\n\r\n" % len(body) + body, answers=False)


LEVELS: list[str] = []


async def computers(attacker: Attacker, number: int) -> list[dict[str, str]]:
    """Seats of the strongest computers on offer, each of another level."""
    if not LEVELS:
        LEVELS.extend((await attacker.request("GET", "/api/about"))[1]["levels"])
    return [{"kind": "computer", "level": LEVELS[-1 - seat % len(LEVELS)]} for seat in range(number)]


async def computer_tables(attacker: Attacker) -> None:
    """Tables of computers only, all of them watched."""
    table, _ = await attacker.table(await computers(attacker, 5))
    attacker.kept.append(await attacker.socket(table))


async def computer_replies(attacker: Attacker) -> None:
    """Tables at which computers must answer the attacker."""
    table, token = await attacker.table([HERE, *await computers(attacker, 4)])
    for number in range(200):
        _, seen = await attacker.request("GET", f"/api/tables/{table}", token=token)
        if seen and seen.get("options"):
            move = {"id": f"m{number}", "version": seen["version"], "move": seen["options"]["legal"][-1]["move"]}
            await attacker.request("POST", f"/api/tables/{table}/moves", move, token)
        else:
            await asyncio.sleep(0.5)


async def hints(attacker: Attacker) -> None:
    """Long hints that are not waited for."""
    table, token = await attacker.table([HERE, *await computers(attacker, 1)])
    body = b'{"seconds":5}'
    head = f"POST /api/tables/{table}/hint HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    head += f"Authorization: Bearer {token}\r\nContent-Length: {len(body)}\r\n\r\n"
    for number in range(200):
        await attacker.send(head.encode() + body, answers=number % 2 == 0)


ATTACKS: Final[dict[str, Strike]] = {
    strike.__name__.replace("_", "-"): strike
    for strike in (
        tiny_frames, fragments, unread_pings, messages, no_hello, reconnecting, endless_target, endless_header,
        unfinished, idle, pipeline, chunks, pages, unread_answers, unread_streams, snapshots, new_tables, loops,
        rematches, study, abandoned_study, computer_tables, computer_replies, hints,
    )
}  # fmt: skip


async def work(attacker: Attacker, strike: Strike) -> None:
    """Strike for ever."""
    while True:
        try:
            await strike(attacker)
        except (OSError, EOFError, TimeoutError, ValueError):
            await asyncio.sleep(0.01)  # refused: try again
        attacker.kept = [writer for writer in attacker.kept if not writer.is_closing()]


async def attack(name: str, port: int, address: str) -> None:
    """Run an attack with many connections at once, print its strikes and end the process, whatever it is doing."""
    attacker = Attacker(port, address)
    workers = [asyncio.create_task(work(attacker, ATTACKS[name])) for _ in range(WORKERS)]
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    assert workers
    sys.stdout.write(f"{attacker.strikes}\n")
    sys.stdout.flush()
    os._exit(0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=ATTACKS)
    parser.add_argument("port", type=int)
    parser.add_argument("address")
    given = parser.parse_args()
    asyncio.run(attack(given.name, given.port, given.address))


if __name__ == "__main__":
    main()
