"""Trials of the server, each in a short form for the tests and a long one for ``make soak``."""

import asyncio
import json
import os
import random
import signal
from pathlib import Path
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed, InvalidStatus

from cartagena.server.storage.database import Database

from .players import Hand, create, live, load
from .rig import PATIENCE, Process, bearer


def memory_mb(pid: int) -> float:
    """Resident memory of a process."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def cpu_seconds(pid: int) -> float:
    """CPU time that a process has used."""
    words = Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


# --- crashes


async def _start(hands: list[Hand]) -> list[asyncio.Task[None]]:
    """Start all players and wait until each has two moves acknowledged."""
    tasks = [asyncio.create_task(hand.play_for_ever()) for hand in hands]
    while any(len(hand.acked) < 2 and not task.done() for hand, task in zip(hands, tasks, strict=True)):
        await asyncio.sleep(0.01)
    return tasks


async def _play_until(hands: list[Hand], seconds: float, kill: Any) -> None:
    tasks = await _start(hands)
    await asyncio.sleep(seconds)
    kill()
    await asyncio.gather(*tasks)


async def _settle(port: int, hands: list[Hand]) -> dict[str, int]:
    """After a restart, send unanswered moves again, twice, and count those that are lost or doubled."""
    found = {"lost": 0, "doubled": 0, "settled": 0}
    for hand in hands:
        async with live(port, hand.table, hand.token) as socket:
            hand.seq = 0
            await hand.until_update(socket, 1)
            for name, want in hand.unknown.items():
                answers = [await hand.play(socket, want) for _ in range(2)]
                for answer in answers:
                    if answer["type"] == "ack":
                        hand.acked[name] = answer["seq"]
                if answers[0]["type"] == "ack":
                    found["doubled"] += answers[0]["seq"] != answers[1]["seq"] or not answers[1]["repeated"]
                    found["settled"] += 1
                else:
                    assert answers[0]["code"] == "stale", answers[0]
            hand.unknown.clear()
    return found


async def stored(database: str, hands: list[Hand]) -> dict[str, int]:
    """Compare the acknowledged moves with the database."""
    store = Database(database)
    lost = doubled = 0
    for hand in hands:
        numbers: dict[str, list[int]] = {}
        for event in await store.table_events(hand.table):
            if event.move_id is not None:
                numbers.setdefault(event.move_id.split("/", 1)[1], []).append(event.number)
        for name, seq in hand.acked.items():
            lost += seq not in numbers.get(name, [])
            doubled += len(numbers.get(name, [])) > 1
    await store.close()
    return {"lost": lost, "doubled": doubled}


def crashes(database: str, folder: Path, kills: int, tables: int = 6, seed: int = 1) -> dict[str, Any]:
    """Kill the server repeatedly while games are played."""
    chance = random.Random(seed)
    server = Process(database, folder / "crash.log")
    server.start()
    found: dict[str, Any] = {"kills": kills, "acked": 0, "lost": 0, "doubled": 0, "settled": 0, "restarts_s": []}

    async def sit() -> list[Hand]:
        async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE) as client:
            return [Hand(server.port, *await create(client), random.Random(n)) for n in range(tables)]

    try:
        for _ in range(kills):
            hands = asyncio.run(sit())
            asyncio.run(_play_until(hands, chance.uniform(0.1, 0.8), server.end))
            found["restarts_s"].append(round(server.start(), 2))
            for part in (asyncio.run(_settle(server.port, hands)), asyncio.run(stored(database, hands))):
                for key, value in part.items():
                    found[key] += value
            found["acked"] += sum(len(hand.acked) for hand in hands)
    finally:
        server.end()
        server.close()
    return found


async def graceful(server: Process, database: str, tables: int, seconds: float) -> tuple[list[Hand], dict[str, int]]:
    """Stop the server while games are played; ``silent`` counts moves that were stored but not acknowledged."""
    async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE) as client:
        hands = [Hand(server.port, *await create(client), random.Random(n)) for n in range(tables)]
    tasks = await _start(hands)
    await asyncio.sleep(seconds)
    ended = await asyncio.to_thread(server.end, signal.SIGTERM)
    await asyncio.gather(*tasks)
    assert ended == 0
    found = await stored(database, hands)
    store = Database(database)
    names = {e.move_id.split("/", 1)[1] for hand in hands for e in await store.table_events(hand.table) if e.move_id}
    await store.close()
    return hands, {**found, "silent": len(names - {name for hand in hands for name in hand.acked})}


# --- duplicates


async def _send_in_disorder(port: int, hand: Hand, sends: int, chance: random.Random) -> int:
    """Send every move several times, mixed with old ones, over two sockets, and return the number of sends."""
    old: list[dict[str, Any]] = []
    number = 0
    async with live(port, hand.table, hand.token) as one, live(port, hand.table, hand.token) as two:
        await hand.until_update(one, 1)
        while number < sends:
            want = hand.choose()
            if want is None:
                break
            again = [want] * chance.randint(2, 4) + chance.sample(old, min(len(old), 4))
            chance.shuffle(again)
            for item in again:
                await chance.choice((one, two)).send(json.dumps({"type": "move", **item}))
            number += len(again)
            while want["id"] not in hand.acked:
                await _read_answers(hand, one, two)
            old.append(want)
    return number


async def _read_answers(hand: Hand, *sockets: Any) -> None:
    """Read all waiting messages and check that the number of an acknowledged move never changes."""
    for socket in sockets:
        try:
            message = str(await asyncio.wait_for(socket.recv(), 0.02))
        except TimeoutError:
            continue
        hand.note(message)
        if message.startswith('{"type":"ack"'):
            answer = json.loads(message)
            assert hand.acked.setdefault(answer["id"], answer["seq"]) == answer["seq"], "a move was played twice"
    if hand.acked:
        last = max(hand.acked.values())
        while hand.seq < last:
            hand.note(str(await asyncio.wait_for(sockets[0].recv(), PATIENCE)))


async def duplicates(port: int, sends: int, tables: int = 4, seed: int = 1) -> dict[str, Any]:
    """Send moves repeatedly and in any order, and check that each is applied exactly once."""
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client:
        total = moves = wrong = round_number = 0
        while total < sends:
            round_number += 1
            hands = [Hand(port, *await create(client), random.Random(n)) for n in range(tables)]
            each = max(1, (sends - total) // tables)
            work = [
                _send_in_disorder(port, hand, each, random.Random(seed * 10**6 + round_number * 100 + n))
                for n, hand in enumerate(hands)
            ]
            total += sum(await asyncio.gather(*work))
            for hand in hands:
                answer = await client.get(f"/api/tables/{hand.table}", headers=bearer(hand.token))
                played = [event["seq"] for event in answer.json()["events"] if event["type"] == "move"]
                wrong += sorted(hand.acked.values()) != played
                moves += len(played)
    return {"sends": total, "moves": moves, "tables_wrong": wrong}


# --- lost sockets


async def _drop_and_resume(
    port: int, hand: Hand, done: asyncio.Event, chance: random.Random, count: list[int]
) -> list[Any]:
    """Watch with sockets that are dropped, and return the events seen over all of them and the last view."""
    events: dict[int, Any] = {}
    seq, text = 0, None
    while True:
        async with live(port, hand.table, hand.token, after=seq) as socket:
            for _ in range(chance.randint(1, 3)):
                try:
                    message = json.loads(await asyncio.wait_for(socket.recv(), 0.2))
                except TimeoutError:
                    break
                if message["type"] == "update":
                    assert message["seq"] >= seq
                    for event in message["events"]:
                        assert event["seq"] not in events, "an event came twice"
                        events[event["seq"]] = event
                    seq, text = message["seq"], message["text"]
            socket.transport.abort()
        count[0] += 1
        if done.is_set() and seq == hand.seq:
            return [sorted(events), text]


async def drops(port: int, number: int, tables: int = 5, seed: int = 1) -> dict[str, Any]:
    """Drop sockets while games are played, and check that every client ends with the server's state."""
    count, wrong, rounds = [0], 0, 0
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client:
        while count[0] < number:
            rounds += 1
            hands = [
                Hand(port, *await create(client), random.Random(seed * 10**6 + rounds * 50 + n)) for n in range(tables)
            ]
            wrong += sum(await asyncio.gather(*(_drop_at(port, client, hand, count, 25) for hand in hands)))
    return {"drops": count[0], "tables_wrong": wrong}


async def _drop_at(port: int, client: httpx.AsyncClient, hand: Hand, count: list[int], moves: int) -> int:
    done = asyncio.Event()
    watching = [asyncio.create_task(_drop_and_resume(port, hand, done, random.Random(n), count)) for n in range(2)]
    async with live(port, hand.table, hand.token) as socket:
        await hand.until_update(socket, 1)
        for _ in range(moves):
            want = hand.choose()
            if want is None:
                break
            answer = await hand.play(socket, want)
            await hand.until_update(socket, answer["seq"])
            await asyncio.sleep(0.01)
    done.set()
    ends = await asyncio.gather(*watching)
    truth = (await client.get(f"/api/tables/{hand.table}?detail=text", headers=bearer(hand.token))).json()
    expected = [[event["seq"] for event in truth["events"]], truth["text"]]
    return sum(end != expected for end in ends)


# --- an abuser

ABUSER = "127.0.0.2"


async def _abuse(port: int, table: str, stop: asyncio.Event) -> int:
    """Send requests, sockets and frames as fast as possible, from another address."""
    number = 0
    elsewhere = httpx.AsyncHTTPTransport(local_address=ABUSER)
    url = f"http://127.0.0.1:{port}"
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE, transport=elsewhere) as client:
        while not stop.is_set():
            number += 3
            await client.post("/api/tables", json={"rules": "nest-nl", "seats": [{"kind": "here"}] * 5})
            await client.get(f"/api/tables/{table}")
            try:
                async with live(port, table, None, local_addr=(ABUSER, 0)) as socket:
                    for _ in range(150):
                        await socket.send('{"type":"ping","n":1}')
                        number += 1
                    await socket.recv()
            except (ConnectionClosed, InvalidStatus, OSError):
                pass
    return number


async def abuse(port: int, tables: int, rate: float, seconds: float, least: int = 0) -> dict[str, Any]:
    """Run one abuser at full speed beside ordinary tables, and measure the moves of those."""
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client:
        victim, _ = await create(client)
    stop = asyncio.Event()
    abuser = asyncio.create_task(_abuse(port, victim, stop))
    found = await load(port, tables, 2, rate, seconds, least=least)
    stop.set()
    return {**found.report(), "abuses": await abuser}
