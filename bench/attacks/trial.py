"""The trial: other people play, ask the computer and get hints while one attack after another runs."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Awaitable, Sequence
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
WARM_UP: Final = 120.0  # seconds in which the computers must have moved for the first time
TARGETS: Final = {"moves_p99_ms": 250, "reply_s": 3.0, "hint_s": 5.0, "memory_mb": 500}


HEAD: Final = """# One attacker at full speed

Each line is one attack from one address against a server with default settings and without a proxy, while other people
play 16 moves a second at 8 tables, play against computers (sailor and the strongest one) and ask the strongest one for
hints. The computers have moved once before the attack begins. Each attack has a server of its own; the attacker runs on
the same machine and takes its share of the cores. Repeat with `make soak ONLY=attacks`.

Targets: p99 of the others' moves ≤ {moves_p99_ms} ms, computer replies ≤ {reply_s:g} s, hints ≤ {hint_s:g} s, memory of
the serving process ≤ {memory_mb} MB.

| attack | strikes | moves p99 (ms) | slowest reply (s) | slowest hint (s) | memory (MB) | errors of others |
| --- | --- | --- | --- | --- | --- | --- |
"""
NOTHING: Final = "nothing"


def defaults() -> dict[str, Any]:
    """The default settings for all that the tests usually change.

    No deal waits for randomness: the people of the trial add none.
    """
    found = {name: Settings.model_fields[name].default for name in QUICK if name != "host"}
    return {**found, "log_level": "warning", "salt_seconds": 0}


class Person:
    """A person at a table with a computer, who takes turns and asks for hints."""

    def __init__(self, client: httpx.AsyncClient, level: str) -> None:
        self.client, self.level = client, level
        self.times: dict[str, list[float]] = {"reply": [], "hint": []}
        self.waits: tuple[str, float] | None = None
        self.errors = 0

    async def sit(self) -> None:
        seats = [{"kind": "here"}, {"kind": "computer", "level": self.level}]
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

    async def measure(self, what: str, work: Awaitable[Any]) -> None:
        self.waits = what, time.perf_counter()
        await work
        self.end_wait()

    def end_wait(self) -> None:
        """Note how long was waited, also for what has not come yet."""
        if self.waits is not None:
            what, began = self.waits
            self.times[what].append(time.perf_counter() - began)
            self.waits = None

    def has_measured(self) -> bool:
        return all(self.times.values())

    async def play(self) -> None:
        """Play on, and measure how long replies and hints take."""
        await self.sit()
        number = 0
        while True:
            if self.seen["stage"] == "over":
                await self.sit()
            if self.seen["options"] is None:
                seq = self.seen["seq"]
                await self.measure("reply", self.until_after(seq))
                continue
            if number % 4 == 0:
                await self.measure("hint", self.post("hint", {"seconds": 1.0}))
            number += 1
            move = self.seen["options"]["legal"][0]["move"]
            await self.post("moves", {"id": f"m{number}", "version": self.seen["version"], "move": move})
            await self.news()
            await asyncio.sleep(0.2)

    async def until_after(self, seq: int) -> None:
        """Wait for the next event."""
        while self.seen["seq"] <= seq:
            await self.news()


async def until_measured(people: Sequence[Person], tasks: Sequence["asyncio.Task[None]"], seconds: float) -> None:
    """Wait until every person has had a reply and a hint, has failed, or the time is over."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not any(task.done() for task in tasks):
        if all(person.has_measured() for person in people):
            return
        await asyncio.sleep(0.1)


def slowest(people: Sequence[Person], kind: str) -> float:
    return round(max((seconds for person in people for seconds in person.times[kind]), default=0.0), 2)


async def victims(server: Process, names: Sequence[str], seconds: float, *, least: int, warm: bool) -> dict[str, Any]:
    """What other people notice while the attacks run, each from an address of its own."""
    assert server.process is not None
    pid = server.process.pid
    memory = [memory_mb(pid)]

    async def watch() -> None:
        while True:
            await asyncio.sleep(0.2)
            memory.append(memory_mb(pid))

    async with httpx.AsyncClient(base_url=server.url, timeout=3 * PATIENCE) as client:
        levels = (await client.get("/api/about")).json()["levels"]
        people = [Person(client, level) for level in dict.fromkeys((levels[1], levels[-1]))]
        tasks = [asyncio.create_task(person.play()) for person in people]
        if warm:
            await until_measured(people, tasks, WARM_UP)
            for person in people:
                person.times = {"reply": [], "hint": []}
        watching = asyncio.create_task(watch())
        with ExitStack() as stack:
            attackers = [stack.enter_context(start(server.port, name)) for name in names]
            await asyncio.sleep(0.5)
            if least:  # on a slow machine the others play on when the attacks are over
                asyncio.get_running_loop().call_later(seconds, stop, attackers)
            found = await load(server.port, 8, 2, 16, seconds, least=least)
            await until_measured(people, tasks, PATIENCE if least else 2 * TARGETS["hint_s"])
            for person in people:
                person.end_wait()
            strikes = [await asyncio.to_thread(end, attacker) for attacker in attackers]
        for task in (*tasks, watching):
            task.cancel()
        ended = await asyncio.gather(*tasks, watching, return_exceptions=True)
    failed = [error for error in ended if not isinstance(error, asyncio.CancelledError)]
    return {
        "moves": found.moves,
        "moves_p99_ms": round(percentile(found.delays, 0.99) * 1000, 1),
        **{f"{kind}_s": slowest(people, kind) for kind in ("reply", "hint")},
        "memory_mb": round(max(memory)),
        "errors": found.errors + sum(person.errors for person in people) + len(failed),
        "strikes": min(strikes, default=0),
    }


def under_attack(
    server: Process, names: Sequence[str], seconds: float, *, least: int = 0, warm: bool = False
) -> dict[str, Any]:
    """What other people notice while the attacks run. ``warm``: the computers have moved before they begin."""
    return asyncio.run(victims(server, names, seconds, least=least, warm=warm))


def start(port: int, name: str) -> "subprocess.Popen[str]":
    """Start an attack in a process of its own. It goes on until its input ends."""
    address = f"127.0.10.{1 + list(ATTACKS).index(name)}"
    command = [sys.executable, "-m", "bench.attacks.scripts", name, str(port), address]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def stop(attackers: "Sequence[subprocess.Popen[str]]") -> None:
    """Tell attacks to end."""
    for attacker in attackers:
        if attacker.stdin is not None:
            attacker.stdin.close()
            attacker.stdin = None


def end(attacker: "subprocess.Popen[str]") -> int:
    """End an attack; how often it struck."""
    return int(attacker.communicate(timeout=PATIENCE)[0] or 0)


def trial(database: str, folder: Path, seconds: float, names: tuple[str, ...] = tuple(ATTACKS)) -> dict[str, Any]:
    """Each attack against a server of its own with default settings, and none at all to compare with."""
    subprocess.run([sys.executable, "-m", "cartagena", "warmup", "--players"], check=True, stdout=sys.stderr)
    found: dict[str, Any] = {}
    for name in (NOTHING, *names):
        server = Process(f"{database}-{name}", folder / f"{name}.log", **defaults())
        server.start()
        try:
            found[name] = under_attack(server, [] if name == NOTHING else [name], seconds, warm=True)
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
        what = "No attack" if name == NOTHING else (ATTACKS[name].__doc__ or "").rstrip(".")
        lines.append(
            f"| {name}: {what} | {each['strikes']:,} | {each['moves_p99_ms']} | {each['reply_s']} | {each['hint_s']} "
            f"| {each['memory_mb']} | {each['errors']} |"
        )
    lines += ["", f"{about['date']}; {about['machine']}, Python {about['python']}; {about['seconds']} s an attack."]
    path.write_text("\n".join(lines) + "\n")
