"""Restarts and failures behind balancers, as clients see them: refused requests, and the pauses of tables.

Part of ``make soak ONLY=cluster``. Every balancer has the shipped example as its configuration, without TLS and without
the limits of visitors, since all clients of a trial have one address.
"""

import asyncio
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx
import tests.server
from tests.server.bot_rig import LEVELS, Rig, asking, pending, play, view
from tests.server.bot_rig import until as until_found
from tests.server.cluster import (
    Cluster,
    Trial,
    create_when_stored,
    haproxy,
    kill,
    play_games,
    program,
    reaches,
    start_redis,
    until,
)
from tests.server.conftest import new_postgres_database
from tests.server.players import Hand, percentile
from tests.server.rig import PATIENCE, Process, Server, held_port

from cartagena.server.bots.jobs import JobBoard
from cartagena.server.settings import Settings

DEPLOY: Final = Path(__file__).parents[1] / "deploy"
RESTARTS: Final = 20
DRAIN: Final = 5.0
TABLES, PAUSE, ASKERS = 6, 0.05, 4
"""Clients with sockets and the seconds between their moves, and clients that send requests of their own."""
STEADY: Final = 5.0  # seconds of the control, in which nothing is done
THINKS: Final = Settings.model_fields["engine_seconds"].default
WORKERS: Final = 2
ASK_SECONDS: Final = 1.0  # a request to a hung server is given up after that and sent again


def haproxy_command(port: int, servers: list[Process], folder: Path) -> list[str]:
    """HAProxy with the example of the documents."""
    lines = [f"  server s{number} 127.0.0.1:{server.port}\n" for number, server in enumerate(servers)]
    (folder / "haproxy.cfg").write_text(haproxy(port, patient=False) + "".join(lines))
    return [program("haproxy"), "-f", str(folder / "haproxy.cfg"), "-db"]


def caddy_command(port: int, servers: list[Process], folder: Path) -> list[str]:
    """Caddy with the example of the containers."""
    text = (DEPLOY / "compose.Caddyfile").read_text()
    text = text.replace("server1:8017 server2:8017", " ".join(f"127.0.0.1:{server.port}" for server in servers))
    text = text.replace("{$SITE} {", f"http://127.0.0.1:{port} {{")
    text = text.replace("{\n\tservers", "{\n\tadmin off\n\tauto_https off\n\tservers", 1)
    (folder / "Caddyfile").write_text(text)
    return [program("caddy"), "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


def nginx_command(port: int, servers: list[Process], folder: Path) -> list[str]:
    """Nginx with the example, each server named as it says."""
    text = re.sub(r"    listen \[::\].*\n|    ssl_.*\n|    limit_.*\n", "", (DEPLOY / "nginx.conf").read_text())
    named = "\n    ".join(f"server 127.0.0.1:{server.port} max_fails=1 fail_timeout=2s;" for server in servers)
    text = text.replace("listen 443 ssl", f"listen 127.0.0.1:{port}").replace("server 127.0.0.1:8017;", named)
    paths = "".join(f"{kind}_temp_path {folder};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    user = "user root;" if os.getuid() == 0 else ""
    head = f"daemon off; {user} pid {folder}/pid; error_log stderr; events {{}}"
    (folder / "nginx.conf").write_text(f"{head} http {{ access_log off; {paths} {text} }}")
    return [program("nginx"), "-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf")]


BALANCERS: Final[dict[str, Callable[[int, list[Process], Path], list[str]]]] = {
    "caddy": caddy_command, "haproxy": haproxy_command, "nginx": nginx_command,
}  # fmt: skip


class Balancer:
    """A balancer in front of servers, which can be killed and started again."""

    def __init__(self, name: str, port: int, servers: list[Process], folder: Path) -> None:
        self.command = BALANCERS[name](port, servers, folder)
        self.environment = {**os.environ, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        self.log = folder / "balancer.log"
        self.front = Server(port)
        self.start()

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command, env=self.environment, stdout=log, stderr=log)
        until(lambda: reaches(self.front), f"the balancer reaches no server: {self.log.read_text()[-500:]}")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)


@contextmanager
def behind(name: str, postgres: Any, folder: Path, **changes: Any) -> Iterator[tuple[Cluster, Balancer]]:
    """Two servers behind a balancer."""
    folder.mkdir()
    with ExitStack() as stack:
        redis = stack.enter_context(start_redis(folder))
        database = new_postgres_database(postgres)
        given = {"redis": redis.url, "forwarded": "127.0.0.1", **changes}
        servers = [Process(database, folder / f"server{n}.log", **given) for n in range(2)]
        for server in servers:
            stack.callback(kill, server)
            server.start()
        port = stack.enter_context(held_port()).getsockname()[1]
        balancer = Balancer(name, port, servers, folder)
        stack.callback(balancer.kill)
        stack.callback(balancer.front.close)
        cluster = Cluster(servers, balancer.front, redis, postgres, database)
        cluster.hear_each_other()
        yield cluster, balancer


@dataclass
class Seen:
    """What clients have seen: answers, refusals, and the longest time between two good answers of one of them."""

    answers: int = 0
    refused: list[str] = field(default_factory=list)
    pauses: list[float] = field(default_factory=list)
    done: bool = False


async def ask_on(seen: Seen, base: str, path: str, headers: dict[str, str], seconds: float) -> None:
    """Look at a table and talk there again and again; a request that gets no answer in time is sent again."""
    last, number = time.monotonic(), 0
    async with httpx.AsyncClient(base_url=base, timeout=seconds) as client:
        while not seen.done:
            number += 1
            try:
                if number % 2:
                    answer = await client.get(path, headers=headers)
                else:
                    answer = await client.post(f"{path}/salt", json={"salt": "x"}, headers=headers)
                if answer.status_code >= 500:
                    seen.refused.append(f"{answer.status_code} {answer.request.method}")
                else:
                    now = time.monotonic()
                    seen.answers += 1
                    seen.pauses.append(now - last)
                    last = now
            except httpx.HTTPError as error:
                seen.refused.append(f"{type(error).__name__} {'GET' if number % 2 else 'POST'}")
            await asyncio.sleep(PAUSE)


@asynccontextmanager
async def under_load(cluster: Cluster, seconds: float) -> AsyncIterator[tuple[Seen, Trial]]:
    """Clients with sockets play, and others send requests, until the block ends."""
    seen, trial = Seen(), Trial(pause=PAUSE)
    async with httpx.AsyncClient(base_url=cluster.front.url, timeout=PATIENCE) as client:
        for number in range(TABLES):
            place = await create_when_stored(client, rules="jamaica-en")
            trial.games.append([Hand(cluster.front.port, *place, random.Random(number))])
        tasks = [asyncio.create_task(play_games(trial, client, games)) for games in trial.games]
        for _ in range(ASKERS):
            table, token = await create_when_stored(client, rules="jamaica-en")
            given = {"Authorization": f"Bearer {token}"}
            asking = ask_on(seen, cluster.front.url, f"/api/tables/{table}", given, seconds)
            tasks.append(asyncio.create_task(asking))
        try:
            yield seen, trial
        finally:
            seen.done = trial.done = True
            await asyncio.gather(*tasks)


def restart(server: Process) -> None:
    """Restart a server as the documents say."""
    assert server.end(signal.SIGTERM) == 0
    server.begin()
    server.wait_until_ready()


async def rolling(cluster: Cluster, restarts: int) -> dict[str, Any]:
    """Restart one server after another."""
    async with under_load(cluster, PATIENCE) as (seen, trial):
        await asyncio.sleep(STEADY)
        control = max(seen.pauses)
        seen.pauses.clear()
        for number in range(restarts):
            trial.fault = "restart"
            await asyncio.to_thread(restart, cluster.servers[number % len(cluster.servers)])
            await asyncio.to_thread(cluster.hear_each_other)
        pauses = list(seen.pauses)
    backs = trial.backs.get("restart", [0.0])
    return {
        "restarts": restarts,
        "requests": seen.answers,
        "refused": len(seen.refused),
        "kinds": sorted(set(seen.refused)),
        "worst_pause_s": round(max(pauses), 2),
        "control_s": round(control, 2),
        "sockets_back_s": round(max(backs), 2),
    }


async def hung(cluster: Cluster) -> float:
    """Seconds until clients are served again after a server has stopped to answer: the longest pause of one."""
    async with under_load(cluster, ASK_SECONDS) as (seen, _trial):
        await asyncio.sleep(STEADY)
        seen.pauses.clear()
        [server, *_] = cluster.servers
        assert server.process is not None
        server.process.send_signal(signal.SIGSTOP)
        try:
            await asyncio.sleep(4 * STEADY)
        finally:
            server.process.send_signal(signal.SIGCONT)
        pauses = list(seen.pauses)
    return round(max(pauses), 2)


def trial_restarts(postgres: Any, folder: Path, number: int) -> dict[str, Any]:
    """Rolling restarts behind each balancer under load, and a server that hangs."""
    folder.mkdir()
    found = {}
    for name in BALANCERS:
        with behind(name, postgres, folder / name, drain_seconds=DRAIN, levels="") as (cluster, _):
            found[name] = asyncio.run(rolling(cluster, number))
            found[name]["hung_s"] = asyncio.run(hung(cluster))
    return found


# --- bot workers


async def killed_workers(rig: Rig, engine: str, times: int) -> dict[str, Any]:
    """Seconds from a worker's kill in the middle of a move until the server has that move, and of moves without one."""
    pool, board = await rig.server(Settings(engine=engine, levels=LEVELS)), await rig.board()
    workers = dict([(await rig.process(engine))[::-1] for _ in range(WORKERS)])
    found: dict[str, list[float]] = {"control": [], "killed": []}
    for number in range(2 * times):
        kind = "killed" if number % 2 else "control"
        await asyncio.gather(*(pool.choose("7", view(), f"first{each}") for each in range(WORKERS)))  # all are loaded
        async with asking(pool.choose("7", view(number), f"game{number}")) as move:
            [name] = await until_found(lambda: holders(board, list(workers)))
            began = time.monotonic()
            if kind == "killed":
                workers.pop(name).kill()
            assert await move in view(number).legal_words()
            found[kind].append(time.monotonic() - began)
        if kind == "killed":
            process, name = await rig.process(engine)
            workers[name] = process
    assert not pool.local.clients, "the server has thought itself"
    return {
        "kills": times,
        "median_s": round(percentile(found["killed"], 0.5), 2),
        "worst_s": round(max(found["killed"]), 2),
        "control_s": round(max(found["control"]), 2),
    }


async def holders(board: JobBoard, names: list[str]) -> list[str]:
    """The workers that think about a job."""
    return [name for name in names if await pending(board, name)]


def trial_workers(folder: Path, times: int) -> dict[str, Any]:
    """Bot workers of a server that are killed while they think."""
    folder.mkdir()
    lines = (Path(tests.server.__file__).parent / "bot.py").read_text().splitlines()
    lines.insert(lines.index("for line in sys.stdin:") + 1, f"    time.sleep({THINKS})")
    (folder / "bot.py").write_text("import time\n" + "\n".join(lines) + "\n")
    found: dict[str, Any] = {}

    async def work(rig: Rig) -> None:
        found.update(await killed_workers(rig, f"{sys.executable} {folder / 'bot.py'} {{level}}", times))

    with start_redis(folder) as redis:
        play(redis.url, work)
    return found
