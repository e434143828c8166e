"""The trial: other people play, ask the computer and get hints while one attack after another runs."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import httpx
from tests.server.players import load, percentile
from tests.server.rig import PATIENCE, QUICK, Process, bearer
from tests.server.trials import memory_mb

from cartagena.server.settings import Settings

from .scripts import ATTACKS

ROOT: Final = Path(__file__).parents[2]
TARGETS: Final = {"moves_p99_ms": 250, "reply_s": 3.0, "hint_s": 5.0, "memory_mb": 500}


HEAD: Final = """# One attacker at full speed

Each line is one attack from one address against a server with default settings and without a proxy, while other people
play 16 moves a second at 8 tables, play against the computer and ask for hints. The attacker runs on the same machine
and takes its share of the cores. Repeat with `make soak ONLY=attacks`.

Targets: p99 of the others' moves ≤ {moves_p99_ms} ms, computer replies ≤ {reply_s:g} s, hints ≤ {hint_s:g} s, memory of
the serving process ≤ {memory_mb} MB.

| attack | strikes | moves p99 (ms) | slowest reply (s) | slowest hint (s) | memory (MB) | errors of others |
| --- | --- | --- | --- | --- | --- | --- |
"""


def defaults() -> dict[str, Any]:
    """The default settings for all that the tests usually change.

    Computers that must be compiled are left out, and no deal waits for randomness: the people of the trial add none.
    """
    found = {name: Settings.model_fields[name].default for name in QUICK if name != "host"}
    return {**found, "levels": "deckhand,sailor", "log_level": "warning", "salt_seconds": 0}


class Person:
    """A person at a table with a computer, who takes turns and asks for hints."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client
        self.replies: list[float] = []
        self.hints: list[float] = []
        self.errors = 0

    async def sit(self) -> None:
        seats = [{"kind": "here"}, {"kind": "computer", "level": "sailor"}]
        answer = await self.client.post("/api/tables", json={"rules": "tortuga-en", "seats": seats, "lots": False})
        found = answer.json()
        self.path, self.headers = f"/api/tables/{found['table']}", bearer(found["token"])
        self.seen = found["snapshot"]

    async def post(self, verb: str, body: dict[str, Any]) -> bool:
        answer = await self.client.post(f"{self.path}/{verb}", json=body, headers=self.headers)
        self.errors += answer.status_code != 200
        return answer.status_code == 200

    async def news(self) -> None:
        query = {"after": self.seen["seq"], "wait": 10}
        self.seen = (await self.client.get(f"{self.path}/events", params=query, headers=self.headers)).json()

    async def play(self) -> None:
        """Play on, and measure how long replies and hints take."""
        await self.sit()
        number = 0
        while True:
            if self.seen["stage"] == "over":
                await self.sit()
            began = time.perf_counter()
            if self.seen["options"] is None:
                await self.news()
                self.replies.append(time.perf_counter() - began)
                continue
            if number % 4 == 0 and await self.post("hint", {"seconds": 1.0}):
                self.hints.append(time.perf_counter() - began)
            number += 1
            move = self.seen["options"]["legal"][0]["move"]
            await self.post("moves", {"id": f"m{number}", "version": self.seen["version"], "move": move})
            await self.news()
            await asyncio.sleep(0.2)


async def victims(port: int, seconds: float, pid: int, least: int = 0) -> dict[str, Any]:
    """What other people notice for that long."""
    memory = [memory_mb(pid)]

    async def watch() -> None:
        while True:
            await asyncio.sleep(0.2)
            memory.append(memory_mb(pid))

    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client:
        person = Person(client)
        tasks = [asyncio.create_task(person.play()), asyncio.create_task(watch())]
        found = await load(port, 8, 2, 16, seconds, least=least)
        while least and not (person.replies and person.hints) and not tasks[0].done():
            await asyncio.sleep(0.1)
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    failed = [error for error in ended if not isinstance(error, asyncio.CancelledError)]
    return {
        "moves": found.moves,
        "moves_p99_ms": round(percentile(found.delays, 0.99) * 1000, 1),
        "reply_s": round(max(person.replies, default=0.0), 2),
        "hint_s": round(max(person.hints, default=0.0), 2),
        "memory_mb": round(max(memory)),
        "errors": found.errors + person.errors + len(failed),
    }


def under_attack(server: Process, names: Sequence[str], seconds: float, least: int = 0) -> dict[str, Any]:
    """What other people notice while the attacks run, each from an address of its own."""
    assert server.process is not None
    with ExitStack() as stack:
        attackers = [stack.enter_context(start(server.port, name, seconds + 1)) for name in names]
        time.sleep(0.5)
        found = asyncio.run(victims(server.port, seconds, server.process.pid, least))
        strikes = [int(attacker.communicate(timeout=PATIENCE + seconds)[0] or 0) for attacker in attackers]
    return {**found, "strikes": min(strikes)}


def start(port: int, name: str, seconds: float) -> "subprocess.Popen[str]":
    """Start an attack in a process of its own."""
    address = f"127.0.10.{1 + list(ATTACKS).index(name)}"
    command = [sys.executable, "-m", "bench.attacks.scripts", name, str(port), address, str(seconds)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def trial(database: str, folder: Path, seconds: float, names: tuple[str, ...] = tuple(ATTACKS)) -> dict[str, Any]:
    """Each attack against a server of its own with default settings."""
    found: dict[str, Any] = {}
    for name in names:
        server = Process(f"{database}-{name}", folder / f"{name}.log", **defaults())
        server.start()
        try:
            found[name] = under_attack(server, [name], seconds)
        finally:
            server.end()
            server.close()
        found[name]["tracebacks"] = (folder / f"{name}.log").read_text().count("Traceback")
        sys.stderr.write(f"{name} {json.dumps(found[name])}\n")
    return found


def write_table(found: dict[str, Any], path: Path, about: dict[str, Any]) -> None:
    """Write the table of all attacks, and the same as JSON beside it."""
    path.with_suffix(".json").write_text(json.dumps({**about, "attacks": found}, indent=1) + "\n")
    lines = HEAD.format(**TARGETS).splitlines()
    for name, each in found.items():
        what = (ATTACKS[name].__doc__ or "").rstrip(".")
        lines.append(
            f"| {name}: {what} | {each['strikes']:,} | {each['moves_p99_ms']} | {each['reply_s']} | {each['hint_s']} "
            f"| {each['memory_mb']} | {each['errors']} |"
        )
    lines += ["", f"{about['date']}; {about['machine']}, Python {about['python']}; {about['seconds']} s an attack."]
    path.write_text("\n".join(lines) + "\n")
