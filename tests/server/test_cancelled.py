"""What a task has borrowed comes back, however often the task is cancelled: engines, names and jobs."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cartagena.players.engine_client import EngineClient
from cartagena.server.bots import pool
from cartagena.server.bots.jobs import WorkerInfo
from cartagena.server.bots.pool import CoreBudget, EnginePool, Question
from cartagena.server.bots.remote import RemotePool

from .bot_rig import PLAYS, Rig, jobs_in, play, until, view
from .cluster import Redis, start_redis
from .rig import PATIENCE
from .test_fair_computers import STOPPABLE

SLOW, QUICK = Question("7", view(), 50.0), Question("7", view(), 0.1)
STEPS = 5  # of the event loop in which a question is sent to Redis
WORKER = WorkerInfo("one", 1, ("7",), "0")
ANSWERS_ONCE = """
import json, os, sys, time
from cartagena import Position
request = json.loads(sys.stdin.readline())
move = Position.parse(request["view"]).legal_words()[0]
print(json.dumps({"id": request["id"], "move": move}), flush=True)
os.close(1)
time.sleep(600)
"""


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    with start_redis(tmp_path_factory.mktemp("redis")) as found:
        yield found


def with_engines(folder: Path, program: str, work: Callable[[EnginePool], Awaitable[None]]) -> None:
    """Run a test with two engines of that program."""
    (folder / "engine.py").write_text(program)
    settings = PLAYS.model_copy(update={"engine": f"{sys.executable} {folder / 'engine.py'} {{level}}"})

    async def main() -> None:
        engines = EnginePool(settings, CoreBudget(2, 1))
        try:
            await work(engines)
        finally:
            await engines.stop()

    asyncio.run(main())


async def cancel(task: "asyncio.Task[Any]") -> None:
    """Cancel a task at every step of its cleaning up."""
    while not task.done():
        task.cancel()
        await asyncio.sleep(0)
    assert task.cancelled()


async def take(steps: int) -> None:
    for _ in range(steps):
        await asyncio.sleep(0)


async def is_whole(engines: EnginePool) -> bool:
    """Whether all engines that the pool counts wait for a request."""
    return engines.clients == {engine.client for engine in engines.idle} and engines.queue.free == 2


@pytest.mark.parametrize("answers", [True, False])
def test_an_engine_comes_back_or_ends_if_its_request_is_cancelled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answers: bool
) -> None:
    monkeypatch.setattr(pool, "HALT", PATIENCE if answers else 0.2)

    async def work(engines: EnginePool) -> None:
        asked = asyncio.create_task(engines.ask(SLOW))
        await until(lambda: thinks(engines))
        [client] = engines.clients
        await cancel(asked)
        await until(lambda: is_whole(engines))
        assert [engine.client for engine in engines.idle] == [client] * answers
        await until(lambda: lives(client, answers))

    async def lives(client: EngineClient, expected: bool) -> bool:
        return client.is_alive == expected

    async def thinks(engines: EnginePool) -> bool:
        return bool(engines.hinting)

    with_engines(tmp_path, STOPPABLE if answers else "import sys\nsys.stdin.read()", work)


def test_engines_that_failed_are_forgotten_if_the_next_request_is_cancelled(tmp_path: Path) -> None:
    async def work(engines: EnginePool) -> None:
        await asyncio.gather(engines.ask(QUICK), engines.ask(QUICK))
        assert len(engines.clients) == 2
        await until(lambda: all_failed(engines))
        asked = asyncio.create_task(engines.ask(QUICK))
        await asyncio.sleep(0)
        await cancel(asked)
        await until(lambda: is_whole(engines))

    async def all_failed(engines: EnginePool) -> bool:
        return not any(client.is_alive for client in engines.clients)

    with_engines(tmp_path, ANSWERS_ONCE, work)


def test_a_job_is_withdrawn_if_its_request_is_cancelled_while_it_is_posted(redis: Redis) -> None:
    async def work(rig: Rig) -> None:
        for steps in range(STEPS):
            server = await rig.server()
            await server.board.beat(WORKER)
            await until(partial(at_work, server))
            asked = asyncio.create_task(server.ask(SLOW))
            await take(steps)
            await cancel(asked)
            await server.stop()  # what was begun is over
            assert await jobs_in(server.board) == []

    async def at_work(server: RemotePool) -> bool:
        return bool(server.workers)

    play(redis.url, work)


def test_a_name_is_free_again_if_its_holder_is_cancelled_while_it_is_taken(redis: Redis) -> None:
    async def work(rig: Rig) -> None:
        one, two = await rig.server(), await rig.server()
        for steps in range(STEPS):
            await one.board.beat(WORKER)  # the next command finds a connection
            name = f"hint:t:{steps}"
            held = asyncio.create_task(hold(one, name))
            await take(steps)
            await cancel(held)
            await until(partial(is_free, two, name))

    async def hold(server: RemotePool, name: str) -> None:
        async with server.alone(name, 3600.0):
            await asyncio.Event().wait()

    async def is_free(server: RemotePool, name: str) -> bool:
        async with server.alone(name, 3600.0) as free:
            return free

    play(redis.url, work)
