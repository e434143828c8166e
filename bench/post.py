"""Games by post in numbers: sleeping tables, messages a second, moves beside a busy outbox, and kills between an event,
the outbox and the sending.

``make soak ONLY=post`` runs all parts, ``python -m bench.post PART [NUMBER]`` one of them. The receiver honours the id
of a message: what it has seen it counts as a repeat.
"""

import argparse
import asyncio
import json
import math
import random
import shutil
import signal
import sqlite3
import ssl
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx
import trustme
import uvloop
from tests.postgres import start_postgres
from tests.server.cluster import start_redis
from tests.server.conftest import new_postgres_database
from tests.server.players import load
from tests.server.rig import Person, Process, process
from tests.server.trials import memory_mb

from cartagena.server.live.timers import BATCH
from cartagena.server.storage.schema import due_tables

TELLING: Final = {"notify_seconds": 0.0, "notify_networks": "127.0.0.1,::1", "webhooks": True}
BY_POST: Final = {"clock": {"kind": "post", "days": 3}, "lots": False}
LINK: Final = [{"kind": "here", "name": "Ann"}, {"kind": "link"}]
SILENT: Final = "/silent"
"""The path at which the receiver never answers."""
BUSY_RATE: Final = 50
"""Messages a second to each of two receivers: the turns that 200 moves a second pass."""
STUDENTS_T: Final = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20)
"""Student's t for 95 %, by degrees of freedom from 1; more of them have no larger one."""
LEASE_SECONDS: Final = 240.0
"""Until the rows that a killed server had taken are sent by another one, with much room."""


class Crowd(NamedTuple):
    """Tables, sockets at each of them, and moves a second in all (0: as many as it goes)."""

    tables: int
    viewers: int
    rate: float


FULL_SPEED: Final = Crowd(60, 3, 0)
LOAD: Final = Crowd(400, 5, 200)
"""The load of the trial ``load``."""


class Receiver:
    """An https server on this machine that counts the ids of the messages that arrive."""

    def __init__(self, folder: Path) -> None:
        authority = trustme.CA()
        self.authority = folder / "authority.pem"
        authority.cert_pem.write_to_path(str(self.authority))
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("localhost", "127.0.0.1").configure_cert(self.context)
        self.seen: Counter[str] = Counter()
        self.times: list[float] = []
        self.connections = 0
        self.url = ""

    @property
    def silent_url(self) -> str:
        """An address of another host, as far as the sender knows, that never answers."""
        return self.url.replace("localhost", "127.0.0.1").replace("/hook", SILENT)

    async def speak(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                fields = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if line)
                await reader.readexactly(int(fields["content-length"]))
                if head.startswith(f"POST {SILENT} "):
                    await reader.read()  # until the sender gives up
                    return
                self.seen[fields["idempotency-key"]] += 1
                self.times.append(time.monotonic())
                writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    @contextmanager
    def running(self) -> Iterator["Receiver"]:
        ready, loop = threading.Event(), asyncio.new_event_loop()

        async def main() -> None:
            server = await asyncio.start_server(self.speak, "127.0.0.1", 0, ssl=self.context)
            self.url = f"https://localhost:{server.sockets[0].getsockname()[1]}/hook"
            ready.set()

        thread = threading.Thread(target=lambda: (loop.run_until_complete(main()), loop.run_forever()))
        thread.start()
        ready.wait()
        try:
            yield self
        finally:
            loop.call_soon_threadsafe(loop.stop)
            thread.join()


def table_by_post(server: Process) -> tuple[Person, Person]:
    ann = server.table("tortuga-en", LINK, **BY_POST)
    return ann, ann.join(name="Ben")


def sleeping(folder: Path, number: int) -> dict[str, Any]:
    """How a server starts that has so many tables by post, compared with the same server with one."""
    file = folder / "sleeping.db"
    with process(f"sqlite:///{file}", folder) as server:
        table = table_by_post(server)[0].table
        server.end()
        empty_s = server.start()
        assert server.process is not None
        time.sleep(3)
        empty = memory_mb(server.process.pid)
        server.end()
        with closing(sqlite3.connect(file)) as database:
            multiply(database, table, number)
            question = due_tables(1, BATCH).compile(compile_kwargs={"literal_binds": True})
            plan = " ".join(str(row[3]) for row in database.execute(f"EXPLAIN QUERY PLAN {question}"))
        full_s = server.start()
        time.sleep(3)
        full = memory_mb(server.process.pid)
    assert "tables_by_due" in plan, plan
    return {"sleeping_tables": number, "start_s": round(full_s, 2), "empty_start_s": round(empty_s, 2),
            "memory_mb_more": round(full - empty, 1), "due_query": plan}  # fmt: skip


def multiply(database: sqlite3.Connection, table: str, number: int) -> None:
    """Copy a table so many times, with its events and keys."""
    database.execute("CREATE TEMP TABLE names (id TEXT)")
    database.executemany("INSERT INTO names VALUES (?)", ((f"s{each:011d}",) for each in range(number)))
    for name, id_column in (("tables", "id"), ("events", "table_id"), ("keys", "table_id")):
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({name})")]
        taken = ["names.id" if each == id_column else f"source.{each}" for each in columns]
        taken = ["names.id || substr(source.digest, 13)" if each == "source.digest" else each for each in taken]
        database.execute(
            f"INSERT INTO {name} ({', '.join(columns)}) SELECT {', '.join(taken)} "
            f"FROM names, {name} AS source WHERE source.{id_column} = ?",
            [table],
        )
    database.commit()


def messages(folder: Path, receiver: Receiver, number: int) -> dict[str, Any]:
    """Messages a second of one server to one host, from rows of the outbox that are all due."""
    file, now = folder / "messages.db", int(time.time() * 1000)
    with process(f"sqlite:///{file}", folder, **TELLING) as server:
        ann = table_by_post(server)[0]
        assert ann.do("webhook", {"url": receiver.url}).status_code == 200
        server.end()
        with closing(sqlite3.connect(file)) as database:
            database.execute("DELETE FROM outbox")
            rows = (
                (f"c{each}", "webhook", ann.table, "over", "1", 3, now, now + 10**9, now, "", 0)
                for each in range(number)
            )
            database.executemany(f"INSERT INTO outbox VALUES ({','.join('?' * 11)})", rows)
            database.commit()
        receiver.seen.clear()
        receiver.times.clear()
        receiver.connections = 0
        server.environment["SSL_CERT_FILE"] = str(receiver.authority)
        server.start()
        deadline = time.monotonic() + 300
        while len(receiver.seen) < number and time.monotonic() < deadline:
            time.sleep(0.1)
    took = receiver.times[-1] - receiver.times[0]
    return {"messages": len(receiver.seen), "messages_a_second": round(len(receiver.times) / took),
            "connections": receiver.connections, "twice": sum(receiver.seen.values()) - len(receiver.seen)}  # fmt: skip


def beside_load(folder: Path, receiver: Receiver, crowd: Crowd, pairs: int, seconds: float) -> dict[str, Any]:
    """Moves a second with and without a busy outbox, alternating; half of its messages are never answered."""
    template = folder / "template.db"
    with process(f"sqlite:///{template}", folder, **TELLING) as server:
        tables = [table_by_post(server)[0] for _ in range(2)]
        for host, url in zip(tables, (receiver.url, receiver.silent_url), strict=True):
            assert host.do("webhook", {"url": url}).status_code == 200
        server.end(signal.SIGTERM)
    speeds: dict[bool, list[float]] = {False: [], True: []}
    slowest: dict[bool, list[float]] = {False: [], True: []}
    sent = 0
    for number in range(pairs):
        for busy in (number % 2 == 0, number % 2 == 1):
            receiver.seen.clear()
            told = [host.table for host in tables] if busy else []
            found = one_load(folder, receiver, template, told, crowd, seconds)
            sent += len(receiver.seen)
            speeds[busy].append(found["moves_per_second"])
            slowest[busy].append(found["p99_ms"])
    ratios = [math.log(busy / quiet) for busy, quiet in zip(speeds[True], speeds[False], strict=True)]
    middle = statistics.fmean(ratios)
    spread = STUDENTS_T[min(pairs - 1, len(STUDENTS_T)) - 1] * statistics.stdev(ratios) / math.sqrt(pairs)
    return {"pairs": pairs, "moves_a_second": round(statistics.median(speeds[False])),
            "moves_a_second_beside_outbox": round(statistics.median(speeds[True])),
            "ratio": round(math.exp(middle), 3),
            "ratio_95": [round(math.exp(middle + side * spread), 3) for side in (-1, 1)],
            "p99_ms": statistics.median(slowest[False]), "p99_ms_beside_outbox": statistics.median(slowest[True]),
            "messages_beside_load": sent}  # fmt: skip


def one_load(
    folder: Path, receiver: Receiver, template: Path, told: list[str], crowd: Crowd, seconds: float
) -> dict[str, Any]:
    """A load on a new server, whose outbox has messages about some tables for all of its time."""
    file, now = folder / "beside.db", int(time.time() * 1000)
    for each in folder.glob("beside.db*"):
        each.unlink()
    shutil.copyfile(template, file)
    with closing(sqlite3.connect(file)) as database:
        database.execute("DELETE FROM outbox")
        rows = (
            (
                f"{table}-{each}",
                "webhook",
                table,
                "over",
                "1",
                3,
                now,
                now + 10**9,
                now + 1000 * each // BUSY_RATE,
                "",
                0,
            )
            for table in told
            for each in range(int(BUSY_RATE * (seconds + 60 + crowd.tables / 2)))
        )
        database.executemany(f"INSERT INTO outbox VALUES ({','.join('?' * 11)})", rows)
        database.commit()
    server = Process(f"sqlite:///{file}", folder / "beside.log", **TELLING)
    server.environment["SSL_CERT_FILE"] = str(receiver.authority)
    server.start()
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            found = runner.run(load(server.port, *crowd, seconds, detail="text"))
    finally:
        server.close()
        server.end()
    assert found.errors == 0, found
    return found.report()


def kills(folder: Path, receiver: Receiver, number: int, seed: int) -> dict[str, Any]:
    """Kill one of two servers again and again while turns are passed, then compare what the receiver was told with the
    turns that the database has: also those whose server died before it could answer."""
    chance, told = random.Random(seed), set[str]()
    receiver.seen.clear()
    with ExitStack() as stack:
        database = new_postgres_database(stack.enter_context(start_postgres()))
        redis = stack.enter_context(start_redis(folder))
        more = {**TELLING, "redis": redis.url}
        servers = [Process(database, folder / f"server{each}.log", **more) for each in (1, 2)]
        for server in servers:
            server.forked = True  # a start takes a fraction of the time
            server.environment["SSL_CERT_FILE"] = str(receiver.authority)
            server.start()
            stack.callback(server.close)
            stack.callback(server.end)
        people = [hooked_table(servers[0], receiver) for _ in range(5)]
        tables = [ann for ann, _ in people]
        for count in range(1, number + 1):
            victim = chance.choice(servers)
            killer = threading.Timer(chance.uniform(0.05, 0.6), victim.end)
            killer.start()
            while killer.is_alive():
                for pair in people:
                    told |= pass_turn(pair, servers)
            killer.join()
            victim.start()
            for place, (ann, _) in enumerate(people):
                ann.server = victim
                if ann.look()["stage"] == "over":
                    people[place] = hooked_table(victim, receiver)
                    tables.append(people[place][0])
            if count % 20 == 0:
                print(f"{count} kills, {len(told)} turns answered", file=sys.stderr, flush=True)
        passed = set[str]().union(*(turns_passed(ann, servers[0]) for ann in tables))
        deadline = time.monotonic() + LEASE_SECONDS
        while not passed <= receiver.seen.keys() and time.monotonic() < deadline:
            time.sleep(1)
    return {"kills": number, "causes": len(passed), "causes_answered": len(told), "causes_lost": len(
                (passed | told) - receiver.seen.keys()), "causes_made_up": len(receiver.seen.keys() - passed),
            "repeats_on_the_wire": sum(receiver.seen.values()) - len(receiver.seen)}  # fmt: skip


def hooked_table(server: Process, receiver: Receiver) -> tuple[Person, Person]:
    """A table by post that tells the receiver of its turns."""
    ann, ben = table_by_post(server)
    assert ann.do("webhook", {"url": receiver.url}).status_code == 200
    return ann, ben


def turns_passed(person: Person, server: Process) -> set[str]:
    """The causes of the turns that a table has stored as passed, and of the end of its game."""
    person.server = server
    seen = person.look()
    moves = [event for event in seen["events"] if event["type"] == "move"]
    last = moves[-1:] if seen["stage"] == "over" else []
    ended = [event for event in moves if event["move"]["kind"] == "end"]
    return {f"{person.table}-{event['seq']}" for event in (*ended, *last)}


def pass_turn(pair: tuple[Person, Person], servers: list[Process]) -> set[str]:
    """Play a turn at either server. Returns the cause of the notice where the turn was passed."""
    for person in pair:
        for server in servers:
            person.server = server
            try:
                seen = person.look()
                while seen["options"]:
                    moves = [option["move"] for option in seen["options"]["legal"]]
                    person.count += 1
                    move = next((move for move in moves if move["kind"] == "end"), moves[0])
                    answer = person.move(move, seen["version"])
                    if answer.status_code == 200 and move["kind"] == "end":
                        return {f"{person.table}-{answer.json()['seq']}"}
                    seen = person.look()
            except (httpx.HTTPError, AssertionError):
                continue
    return set()


def trial(folder: Path, share: float, seed: int) -> dict[str, Any]:
    """Run all parts."""
    with Receiver(folder).running() as receiver:
        return {
            **sleeping(folder, max(1000, int(100_000 * share))),
            **messages(folder, receiver, max(1000, int(20_000 * share))),
            **beside_load(folder, receiver, FULL_SPEED, max(3, int(12 * share)), 5.0),
            "load": beside_load(folder, receiver, LOAD, max(2, int(6 * share)), 20.0),
            **kills(folder, receiver, max(2, int(200 * share)), seed),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=("sleeping", "messages", "full-speed", "load", "kills"))
    parser.add_argument("number", type=int, nargs="?", help="tables, messages, pairs of rounds, or kills")
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name, Receiver(Path(name)).running() as receiver:
        folder, number = Path(name), options.number
        match options.part:
            case "sleeping":
                found = sleeping(folder, number or 100_000)
            case "messages":
                found = messages(folder, receiver, number or 20_000)
            case "full-speed":
                found = beside_load(folder, receiver, FULL_SPEED, number or 12, 5.0)
            case "load":
                found = beside_load(folder, receiver, LOAD, number or 6, 20.0)
            case _:
                found = kills(folder, receiver, number or 200, seed=1)
    print(json.dumps({**found, "took_s": round(time.monotonic() - began)}))


if __name__ == "__main__":
    main()
