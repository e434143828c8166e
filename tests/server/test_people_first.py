"""Moves of computers wait while the event loop is busy, so that people's own moves are not slower for them."""

import asyncio
import os
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from cartagena.players.engine_client import EngineClient
from cartagena.server import tasks
from cartagena.server.bots.pool import EnginePool, lower_session
from cartagena.server.tasks import Lull

from .bot_rig import PLAYS, until, view
from .rig import PATIENCE, running
from .test_computers import one_computer
from .test_seating import wait_for

WORK = 5 * tasks.SHORT_TURN
BATCH = 3  # Linux's SCHED_BATCH


def work(seconds: float = WORK) -> None:
    """Use the processor as an answer to a person does."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


async def behind_people(messages: int) -> list[str]:
    """Wait for a lull while so many messages of people are answered, one in each turn of the event loop."""
    done: list[str] = []

    async def answer() -> None:
        for _ in range(messages):
            work()
            done.append("person")
            await asyncio.sleep(0)

    async def move() -> None:
        await Lull().wait()
        done.append("computer")

    await asyncio.gather(answer(), move())
    return done


def test_a_computer_waits_until_people_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "LONGEST_WAIT", 3600.0)
    assert asyncio.run(behind_people(20)) == ["person"] * 20 + ["computer"]


def test_a_computer_does_not_wait_for_ever() -> None:
    done = asyncio.run(behind_people(100))
    assert done.index("computer") < 100


def test_a_busy_event_loop_delays_computers_and_not_people(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    busy, waits = threading.Event(), threading.Event()
    busy.set()
    measured = tasks.turn_work

    async def turn_work() -> float:
        waits.set()
        return await measured() + busy.is_set()

    monkeypatch.setattr(tasks, "LONGEST_WAIT", 3600.0)
    monkeypatch.setattr(tasks, "turn_work", turn_work)
    with running(sqlite) as server:
        ann = server.table("tortuga-en", [one_computer("7")[1], one_computer("7")[0]], lots=False)
        ben = server.table("tortuga-en")
        assert waits.wait(PATIENCE), "the computer's move does not wait"
        ben.play(6)
        assert ann.look()["seq"] == 1, "the computer has moved while the event loop was busy"
        busy.clear()
        wait_for(ann, lambda found: found["seq"] > 1)


def test_players_interrupt_no_other_process() -> None:
    async def check(client: EngineClient) -> None:
        await until(lambda: gives_way(client))

    async def gives_way(client: EngineClient) -> bool:
        return sys.platform != "linux" or os.sched_getscheduler(client.process.pid) == BATCH

    asyncio.run(beside_an_engine(check))


def test_players_have_low_priority_as_a_session_too() -> None:
    """Linux may share time among sessions first. An engine has one of its own, in which its nice value says nothing."""

    async def check(client: EngineClient) -> None:
        own, group = Path("/proc/self/autogroup"), Path(f"/proc/{client.process.pid}/autogroup")
        if own.exists() and own.read_text():
            assert group.read_text() != own.read_text()
            await until(lambda: is_nice(group))
        else:  # sessions are no groups of this system's scheduler
            assert lower_session(client.process.pid), "what cannot be lowered is tried again and again"

    async def is_nice(group: Path) -> bool:
        return group.read_text().endswith(" nice 5\n")

    asyncio.run(beside_an_engine(check))


async def beside_an_engine(check: Callable[[EngineClient], Awaitable[None]]) -> None:
    pool = EnginePool(PLAYS)
    try:
        assert await pool.choose("7", view(), "game") in view().legal_words()
        [client] = pool.clients
        await check(client)
    finally:
        await pool.stop()
