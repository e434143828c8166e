"""Three servers behind a balancer, with PostgreSQL and Redis, and clients that play on through any fault."""

import asyncio
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.postgres import start_patiently

from .players import Hand, create, live, percentile
from .rig import PATIENCE, Process, Server, held_port
from .trials import stored

HOSTING = Path(__file__).parents[2] / "docs/hosting.md"
AGAIN = ("stopping", "storage", "unknown", "too-many")
"""Refusals after which the same move is sent again."""


def program(name: str) -> str:
    """The path of a program of the system. Its absence is a failure."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    assert found is not None, f"{name} is missing: apt-get install {name}"
    return found


class Redis:
    """A Redis server that keeps nothing on disk and can be killed."""

    def __init__(self, folder: Path, password: str = "") -> None:
        self.folder, self.password = folder, password
        self.held = held_port()
        self.port = self.held.getsockname()[1]
        self.url = f"redis://{f':{password}@' if password else ''}127.0.0.1:{self.port}/0"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [program("redis-server"), "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir",
                   str(self.folder), *(("--requirepass", self.password) if self.password else ())]  # fmt: skip
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            assert time.monotonic() < deadline, "Redis did not start"
            time.sleep(0.02)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as line:
                line.sendall(b"PING\r\n")
                return line.recv(100)[:1] in (b"+", b"-")
        except OSError:
            return False

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait(PATIENCE)
            self.process = None


@contextmanager
def start_redis(folder: Path, password: str = "") -> Iterator[Redis]:
    found = Redis(folder, password)
    found.start()
    try:
        yield found
    finally:
        found.stop()
        found.held.close()


def haproxy(port: int, *, patient: bool = True) -> str:
    """The configuration of the documents, without TLS and without its servers, by default patient on a busy machine."""
    found = re.search(r"^```\n(defaults\n.*?)^```$", HOSTING.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert found
    text = re.sub(r"^  server .*\n", "", found[1], flags=re.MULTILINE)
    if patient:
        text = re.sub(r"^  timeout (connect|check) .*$", r"  timeout \1 20s", text, flags=re.MULTILINE)
    return re.sub(r"^  bind .*$", f"  bind 127.0.0.1:{port}", text, flags=re.MULTILINE)


@contextmanager
def balancer(servers: list[Process], folder: Path) -> Iterator[Server]:
    """HAProxy in front of the servers: every request and socket goes to the next one."""
    with held_port() as held:
        port = held.getsockname()[1]
        lines = [f"  server s{number} 127.0.0.1:{server.port}\n" for number, server in enumerate(servers)]
        path = folder / "haproxy.cfg"
        path.write_text(haproxy(port) + "".join(lines))
        process = subprocess.Popen([program("haproxy"), "-f", str(path), "-db"], stderr=subprocess.DEVNULL)
        front = Server(port)
        try:
            until(lambda: process.poll() is not None or reaches(front), "the balancer reaches no server")
            assert process.poll() is None, f"the balancer ended with {process.returncode}"
            yield front
        finally:
            front.close()
            process.kill()
            process.wait(PATIENCE)


def reaches(server: Server) -> bool:
    try:
        return server.http.get("/readyz").status_code == 200
    except httpx.HTTPError:
        return False


def until(condition: Callable[[], bool], what: str) -> None:
    """Wait for a condition."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


@dataclass
class Cluster:
    """The servers, what they share, and the balancer in front of them."""

    servers: list[Process]
    front: Server
    redis: Redis
    postgres: Any
    database: str

    def restart_postgres(self) -> None:
        self.postgres.stop()
        start_patiently(self.postgres)

    def hear_each_other(self) -> None:
        """Wait until every server knows all others and hears their notices."""
        wanted = [f"cartagena_servers {float(len(self.servers))}", "cartagena_redis_up 1.0"]
        until(
            lambda: all(line in server.figures() for server in self.servers for line in wanted),
            "the servers do not hear each other",
        )


@contextmanager
def start_cluster(postgres: Any, database: str, folder: Path, number: int = 3, **changes: Any) -> Iterator[Cluster]:
    """So many servers behind a balancer."""
    with ExitStack() as stack:
        redis = stack.enter_context(start_redis(folder))
        given = {"redis": redis.url, "forwarded": "127.0.0.1", **changes}
        servers = [Process(database, folder / f"server{n}.log", **given) for n in range(number)]
        for server in servers:
            stack.callback(kill, server)
            server.begin()
        for server in servers:
            server.wait_until_ready()
        front = stack.enter_context(balancer(servers, folder))
        cluster = Cluster(servers, front, redis, postgres, database)
        cluster.hear_each_other()
        yield cluster


def kill(server: Process) -> None:
    server.close()
    if server.process is not None and server.process.poll() is None:
        server.end()


# --- clients that play on


@dataclass
class Trial:
    """What the clients of a trial saw: seconds until each was back after its connection broke, by the fault."""

    fault: str = ""
    backs: dict[str, list[float]] = field(default_factory=dict)
    games: list[list[Hand]] = field(default_factory=list)
    """The games of each client, one after another."""
    pause: float = 0.0
    """Seconds between two moves of a client."""
    done: bool = False

    @property
    def hands(self) -> list[Hand]:
        return [hand for games in self.games for hand in games]

    def moves(self) -> list[int]:
        """The acknowledged moves of each client."""
        return [sum(len(hand.acked) for hand in games) for games in self.games]

    def acked(self) -> int:
        return sum(self.moves())


async def play_games(trial: Trial, client: httpx.AsyncClient, games: list[Hand]) -> None:
    """Play one game after another until the trial is over, so that every fault meets games in progress."""
    while not trial.done:
        hand = games[-1]
        await play_on(trial, hand)
        while not trial.done and games[-1] is hand:
            try:
                place = await create(client, rules="jamaica-en")
                games.append(Hand(hand.port, *place, hand.chance))
            except (httpx.HTTPError, AssertionError):  # no server takes a table at this moment
                await asyncio.sleep(0.1)


async def play_on(trial: Trial, hand: Hand) -> None:
    """Play random moves until the game or the trial is over.

    A lost connection is replaced, an unanswered move sent again.
    """
    want: dict[str, Any] | None = None
    lost: tuple[float, str] | None = None
    while not trial.done:
        try:
            async with live(hand.port, hand.table, hand.token, after=hand.seq) as connection:
                fresh = Hand(hand.port, hand.table, hand.token, hand.chance)
                await fresh.until_update(connection, 1)
                assert fresh.seq >= max(hand.acked.values(), default=0), "an acknowledged move is not there"
                hand.seq, hand.version, hand.text = fresh.seq, fresh.version, fresh.text
                if lost is not None:
                    trial.backs.setdefault(lost[1], []).append(time.monotonic() - lost[0])
                    lost = None
                while not trial.done:
                    want = want or hand.choose()
                    if want is None:
                        return
                    want = await _send(hand, connection, want)
                    await asyncio.sleep(trial.pause)
        except (OSError, ConnectionClosed, EOFError, InvalidHandshake):
            lost = lost or (time.monotonic(), trial.fault)
            await asyncio.sleep(0.05)


async def _send(hand: Hand, connection: Any, want: dict[str, Any]) -> dict[str, Any] | None:
    """Send a move. Returns it if it must be sent again."""
    answer = await hand.play(connection, want)
    if answer["type"] == "ack":
        assert hand.acked.setdefault(want["id"], answer["seq"]) == answer["seq"]
        await hand.until_update(connection, answer["seq"])
        return None
    if answer["code"] in AGAIN:
        await asyncio.sleep(0.1)
        return want
    assert answer["code"] == "stale", answer  # it was not stored, and the game has moved on
    return None


def strike(cluster: Cluster, fault: str, chance: random.Random) -> None:
    """Do one kind of harm, and mend it."""
    server = chance.choice(cluster.servers)
    if fault == "kill":
        server.end()
        server.begin()
        server.wait_until_ready()
    elif fault == "drain":
        assert server.end(signal.SIGTERM) == 0
        server.begin()
        server.wait_until_ready()
    elif fault == "redis":
        cluster.redis.stop()
        time.sleep(chance.uniform(0.2, 1.0))
        cluster.redis.start()
    else:
        cluster.restart_postgres()


async def create_when_stored(client: httpx.AsyncClient, **more: Any) -> tuple[str, str]:
    """Set a table up; ask again while a server does not yet write to a PostgreSQL that was just restarted."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return await create(client, **more)
        except AssertionError as error:
            if '"storage"' not in str(error) or time.monotonic() > deadline:
                raise
            await asyncio.sleep(0.2)


async def faults(
    cluster: Cluster, kinds: list[str], tables: int, seed: int = 1, pause: float = 0.05
) -> tuple[Trial, dict[str, int]]:
    """Play through the balancer while servers, Redis and PostgreSQL are killed and restarted."""
    chance, trial = random.Random(seed), Trial(pause=pause)
    async with httpx.AsyncClient(base_url=cluster.front.url, timeout=PATIENCE) as client:
        for number in range(tables):
            place = await create_when_stored(client, rules="jamaica-en")
            trial.games.append([Hand(cluster.front.port, *place, random.Random(seed * 1000 + number))])
        players = [asyncio.create_task(play_games(trial, client, games)) for games in trial.games]
        try:
            for fault in ["", *kinds, ""]:
                trial.fault = fault
                if fault:
                    await asyncio.to_thread(strike, cluster, fault, chance)
                await _until_all_play(trial, players)
        finally:
            trial.done = True
        await asyncio.gather(*players)
    return trial, await stored(cluster.database, trial.hands)


async def _until_all_play(trial: Trial, players: list[asyncio.Task[None]]) -> None:
    """Wait until every client has had two more moves acknowledged."""
    before, deadline = trial.moves(), time.monotonic() + PATIENCE
    while any(now < then + 2 for now, then in zip(trial.moves(), before, strict=True)):
        for player in players:
            if player.done():
                player.result()
        assert time.monotonic() < deadline, "a client does not play on"
        await asyncio.sleep(0.05)


def slowest(trial: Trial) -> dict[str, float]:
    """The slowest return of a client after each kind of fault, in seconds."""
    return {fault: round(percentile(found, 1.0), 2) for fault, found in sorted(trial.backs.items()) if fault}
