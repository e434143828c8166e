"""Attacks from many addresses at once, each beside a control without it in the same run.

``python -m bench.attacks.crowds NAME PORT`` runs one crowd on the last core until its standard input ends, and prints
how often it struck.
"""

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
from tests.server.players import load, percentile
from tests.server.rig import PATIENCE, Process

from . import scripts
from .scripts import HERE, Attacker, Strike, work
from .trial import ROOT, Person, defaults, end, slowest, until_measured

NETWORKS, ADDRESSES = 10, 5
VISITOR: Final = "127.0.99.1"
TABLES: Final = 25
REVIEWS: Final = 5
TARGETS: Final = {"moves_p99_ms": 250, "newcomer_s": 3.0}
WARM_UP: Final = 3.0  # seconds of the attack before anything is measured
HEAD: Final = """# Crowds of addresses

Each pair of lines is one server with default settings, first without and then with an attack from many addresses, which
runs on one core of the same machine. Others play 16 moves a second at 8 tables, one plays against a computer (sailor),
one asks for a position, and a new visitor of another network comes every second; the slowest counts. Repeat with
`make soak ONLY=attacks`.

Targets: p99 of the others' moves ≤ {moves_p99_ms} ms, a newcomer's answer ≤ {newcomer_s:g} s.

| attack | strikes | moves p99 (ms) | newcomer (s) | reply (s) | question (s) | errors of others |
| --- | --- | --- | --- | --- | --- | --- |
"""
MIX: Final = (
    scripts.idle, scripts.idle, scripts.unfinished, scripts.pages, scripts.snapshots, scripts.no_hello,
    scripts.reconnecting, scripts.messages, scripts.new_tables, scripts.unread_answers,
)  # fmt: skip


async def mixed(attacker: Attacker) -> None:
    """Everything that one stranger can do, at random."""
    await random.choice(MIX)(attacker)


class Proxied(Attacker):
    """A visitor of a trusted proxy: its requests name another address."""

    def __init__(self, port: int, visitor: str) -> None:
        super().__init__(port, "127.0.0.1")
        self.header = f"X-Forwarded-For: {visitor}\r\n"


async def sockets(attacker: Attacker) -> None:
    """Sockets that are kept, at tables of the attackers' own: one table holds few spectators of an address."""
    table, _ = await attacker.table([HERE, HERE])
    for _ in range(20):
        attacker.kept.append(await attacker.socket(table))


async def shared_tables(attacker: Attacker) -> None:
    """Tables with a computer at which a guest of a second address sits, and that are played as fast as possible."""
    guest = Attacker(attacker.port, "127.0.41.1")
    seats = [HERE, {"kind": "link"}, *await scripts.computers(attacker, 3)]
    body = {"rules": "tortuga-en", "seats": seats, "lots": False, "salts": 0}
    status, made = await attacker.request("POST", "/api/tables", body)
    if status != 201:
        raise OSError(status)
    path, people = f"/api/tables/{made['table']}", [(attacker, made["token"])]
    _, joined = await guest.request("POST", f"{path}/join", {"invite": made["invites"][0]["invite"]})
    people.append((guest, joined["token"]))
    for number in range(400):
        for who, token in people:
            _, seen = await who.request("GET", path, token=token)
            if seen and seen.get("options"):
                move = {"id": f"m{number}", "version": seen["version"], "move": seen["options"]["legal"][-1]["move"]}
                await who.request("POST", f"{path}/moves", move, token)
        attacker.strikes += 1
        await asyncio.sleep(0.3)


async def reviews(attacker: Attacker) -> None:
    """Reviews of a long game."""
    scripts.RECORD[:] = scripts.RECORD or [scripts.record()]
    await attacker.request("POST", "/api/study/review", {"record": scripts.RECORD[0]})


@dataclass(frozen=True)
class Crowd:
    """A crowd: its addresses, what each of them does and how many times at once."""

    what: str
    strike: Strike
    addresses: Sequence[str]
    workers: int = 4
    kind: type[Attacker] = Attacker


CROWDS: Final = {
    "crowd": Crowd(
        "50 addresses of 10 networks, everything at once", mixed,
        [f"127.0.{20 + net}.{1 + number}" for net in range(NETWORKS) for number in range(ADDRESSES)],
    ),
    "idle-crowd": Crowd(
        "20 addresses of 20 networks with idle connections", scripts.idle,
        [f"127.0.{60 + number}.1" for number in range(20)],
    ),
    "proxied-crowd": Crowd(
        "20 /64s of one /56 with sockets, through a proxy", sockets,
        [f"2001:db8:0:{number}::1" for number in range(20)], kind=Proxied,
    ),
    "shared-tables": Crowd("two addresses at 25 tables with computers", shared_tables, ["127.0.40.1"], TABLES),
    "reviews": Crowd("five reviews of one address at once", reviews, ["127.0.50.1"], REVIEWS),
}  # fmt: skip


async def attack(name: str, port: int) -> None:
    """Run a crowd until the standard input ends, print its strikes and end the process."""
    crowd = CROWDS[name]
    attackers = [crowd.kind(port, address) for address in crowd.addresses]
    tasks = [asyncio.create_task(work(each, crowd.strike)) for each in attackers for _ in range(crowd.workers)]
    sys.stdout.write("begun\n")
    sys.stdout.flush()
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    assert tasks
    sys.stdout.write(f"{sum(attacker.strikes for attacker in attackers)}\n")
    sys.stdout.flush()
    os._exit(0)


# --- what others notice


async def every(pause: float, found: list[float], ask: Callable[[], Awaitable[object]]) -> None:
    """Ask again and again, and note how long each answer takes; one that does not come counts as ``PATIENCE``."""
    while True:
        began = time.perf_counter()
        try:
            await asyncio.wait_for(ask(), PATIENCE)
            found.append(time.perf_counter() - began)
        except (OSError, ValueError, TimeoutError, EOFError):
            found.append(PATIENCE)
        await asyncio.sleep(pause)


async def others(server: Process, name: str, seconds: float) -> dict[str, Any]:
    """What other people notice: their moves, a newcomer's first answer, a computer's reply and a study question."""
    newcomers: list[float] = []
    questions: list[float] = []
    position = {"position": "jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0"}

    async def come() -> None:
        status, _ = await Attacker(server.port, VISITOR).request("GET", "/api/about")
        if status != 200:
            raise OSError(status)

    async def ask() -> None:
        status, _ = await Attacker(server.port, "127.0.98.1").request("POST", "/api/study/position", position)
        if status != 200:
            raise OSError(status)

    async with httpx.AsyncClient(base_url=server.url, timeout=3 * PATIENCE) as client:
        person = Person(client, (await client.get("/api/about")).json()["levels"][1])
        playing = asyncio.create_task(person.play())
        await until_measured([person], [playing], PATIENCE)
        await ask()
        person.times = {"reply": [], "hint": []}
        with ExitStack() as stack:
            crowd = stack.enter_context(begin(server.port, name)) if name else None
            if crowd is not None and crowd.stdout is not None:
                stack.callback(crowd.kill)
                await asyncio.to_thread(crowd.stdout.readline)
                await asyncio.sleep(WARM_UP)
            asking = [asyncio.create_task(every(1.0, newcomers, come)), asyncio.create_task(every(2.0, questions, ask))]
            found = await load(server.port, 8, 2, 16, seconds)
            person.end_wait()
            strikes = 0 if crowd is None else await asyncio.to_thread(end, crowd)
        for task in (playing, *asking):
            task.cancel()
        await asyncio.gather(playing, *asking, return_exceptions=True)
    return {
        "moves_p99_ms": round(percentile(found.delays, 0.99) * 1000, 1),
        "newcomer_s": round(max(newcomers, default=PATIENCE), 2),
        "reply_s": slowest([person], "reply"),
        "question_s": round(max(questions, default=PATIENCE), 2),
        "errors": found.errors + person.errors,
        "strikes": strikes,
    }


def begin(port: int, name: str) -> "subprocess.Popen[str]":
    """Start a crowd in a process of its own on the last core."""
    command = [sys.executable, "-m", "bench.attacks.crowds", name, str(port)]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def one(database: str, folder: Path, name: str, seconds: float) -> dict[str, Any]:
    """A crowd against a server with default settings, and the same server without it."""
    found: dict[str, Any] = {}
    given = {"forwarded": "127.0.0.1"} if name == "proxied-crowd" else {}
    settings = {**defaults(), "levels": "deckhand,sailor", **given}  # no compiled code
    server = Process(f"{database}-{name}", folder / f"{name}.log", **settings)
    server.start()
    try:
        for part in ("", name):
            found["control" if not part else "attack"] = asyncio.run(others(server, part, seconds))
    finally:
        server.end()
        server.close()
    text = (folder / f"{name}.log").read_text()
    return {**found, "limit_lines": text.count("a limit was reached"), "errors_logged": text.count('"level": "error"')}


def trial(database: str, folder: Path, seconds: float) -> dict[str, Any]:
    """Every crowd."""
    found = {}
    for name in CROWDS:
        found[name] = one(database, folder, name, seconds)
        sys.stderr.write(f"{name} {json.dumps(found[name])}\n")
    return found


def write_table(found: dict[str, Any], path: Path, about: dict[str, Any]) -> None:
    """Write the table of all crowds, and the same as JSON beside it."""
    path.with_suffix(".json").write_text(json.dumps({**about, "crowds": found}, indent=1) + "\n")
    lines = HEAD.format(**TARGETS).splitlines()
    for name, each in found.items():
        for part, what in (("control", "without"), ("attack", CROWDS[name].what)):
            row = each[part]
            figures = [row[key] for key in ("moves_p99_ms", "newcomer_s", "reply_s", "question_s", "errors")]
            lines.append(f"| {name}: {what} | {row['strikes']:,} | {' | '.join(map(str, figures))} |")
    machine = f"{about['machine']}, Python {about['python']}; load before {about['load_average_before']}"
    lines += ["", f"{about['date']}; {machine}; {about['seconds']} s each."]
    path.write_text("\n".join(lines) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=CROWDS)
    parser.add_argument("port", type=int)
    given = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    asyncio.run(attack(given.name, given.port))


if __name__ == "__main__":
    main()
