"""Costly requests: they run outside the serving process, in a short and fair queue, and end with their client."""

import asyncio
import errno
import json
import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from cartagena.game import Game
from cartagena.server.http.crowd import TOLERANCE
from cartagena.server.http.gate import Gate
from cartagena.server.http.ratelimit import Meter, Metered
from cartagena.server.protocol.errors import Refused
from cartagena.server.settings import Settings
from cartagena.server.study import pool as study_pool
from cartagena.server.study import worker as study_work
from cartagena.server.study.pool import StudyPool
from cartagena.server.tasks import FairQueue, QueueFull

from .rig import PATIENCE, Server, running
from .stranger import Stranger
from .test_study import SMALL


def played_record() -> str:
    """A game of five seats, which takes a while to be shown."""
    game, chance = Game.new("jamaica-en", seats=5, seed=1), random.Random(1)
    while not game.is_over:
        game.play(chance.choice(game.position.legal_words()))
    return str(game.record())


RECORD = played_record()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("costly")
    (folder / "index.html").write_text("<!doctype html><title>Cartagena</title>")
    with running(f"sqlite:///{folder / 'tables.db'}", static=str(folder)) as found:
        yield found


def test_pages_and_other_people_are_served_while_a_stranger_asks_for_costly_work(server: Server) -> None:
    stop, statuses = threading.Event(), []

    def flood() -> None:
        transport = httpx.HTTPTransport(local_address="127.0.3.1")
        with httpx.Client(base_url=server.url, timeout=3 * PATIENCE, transport=transport) as client:
            while not stop.is_set():
                statuses.append(client.post("/api/study/record", json={"record": RECORD}).status_code)

    floods = [threading.Thread(target=flood) for _ in range(12)]
    for each in floods:
        each.start()
    try:
        while 429 not in statuses:
            time.sleep(0.01)
        ann = server.table()
        assert ann.play(3)["version"] >= 3
        assert "Cartagena" in server.http.get("/").text
        assert server.post("/api/study/position", {"position": SMALL}).status_code == 200
    finally:
        stop.set()
        for each in floods:
            each.join()
    assert set(statuses) == {200, 429}


def test_study_work_ends_when_its_client_leaves(server: Server) -> None:
    def failures() -> str:
        return next(line for line in server.figures().splitlines() if line.startswith("cartagena_failures_total"))

    before, body = failures(), json.dumps({"record": RECORD})
    head = "POST /api/study/record HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    for _ in range(8):
        with Stranger(server.port, "127.0.3.2") as stranger:
            stranger.send(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
    assert server.post("/api/study/position", {"position": SMALL}).status_code == 200
    assert failures() == before


def test_a_study_process_that_cannot_be_started_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(*_command: str, **_how: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    async def main() -> None:
        pool = StudyPool(Gate(Settings()).study_budget, cores=2)
        with pytest.raises(Refused, match="no room") as refused:
            await pool.work("192.0.2.1", {"record": RECORD})
        assert refused.value.status == 503
        assert pool.questions.free == pool.questions.turns

    monkeypatch.setattr(asyncio, "create_subprocess_exec", full)
    asyncio.run(main())


def test_cancelled_work_is_taken_from_the_queue_or_its_process_is_ended() -> None:
    async def main() -> None:
        pool = StudyPool(Gate(Settings()).study_budget, cores=2)
        try:
            running = asyncio.create_task(pool.work("192.0.2.1", {"record": RECORD}))
            while not pool.workers:
                await asyncio.sleep(0.01)
            [worker] = pool.workers
            queued = asyncio.create_task(pool.work("192.0.2.1", {"record": RECORD}))
            while not pool.questions.waiting:
                await asyncio.sleep(0.01)
            for task in (queued, running):
                task.cancel()
            await asyncio.gather(queued, running, return_exceptions=True)
            assert not pool.questions.waiting
            assert not pool.workers
            assert worker.process.returncode is not None
            assert b'"steps"' in await pool.work("192.0.2.1", {"record": RECORD})
        finally:
            await pool.stop()

    asyncio.run(main())


def test_an_address_has_a_budget_of_study_time() -> None:
    async def main() -> None:
        gate = Gate(Settings())
        pool = StudyPool(gate.study_budget, cores=2)
        gate.visitor("192.0.2.1").study.charge(100)
        with pytest.raises(Refused, match="costly"):
            await pool.work("192.0.2.1", {"position": SMALL, "moves": []})
        try:
            assert await pool.work("192.0.2.2", {"position": SMALL, "moves": []})
        finally:
            await pool.stop()

    asyncio.run(main())


def test_no_question_waits_for_a_review_and_the_budget_is_looked_at_when_a_turn_begins() -> None:
    async def main() -> None:
        gate = Gate(Settings())
        pool = StudyPool(gate.study_budget, cores=2)
        try:
            async with pool.reviews.turn(("192.0.2.1",)):
                waiting = asyncio.create_task(pool.work("192.0.2.1", {"review": RECORD}))
                assert await pool.work("192.0.2.2", {"position": SMALL, "moves": []})
                assert pool.reviews.waiting
                assert not waiting.done()
                gate.study_budget("192.0.2.1").charge(100)
            with pytest.raises(Refused, match="costly"):
                await waiting
            async with pool.questions.turn(("192.0.2.1",)):
                wants: list[study_work.StudyRequest] = [{"record": RECORD}, {"position": SMALL, "moves": []}]
                asked = [asyncio.create_task(pool.work("198.51.100.3", want)) for want in wants]
                while len(pool.questions.waiting) < 2:
                    await asyncio.sleep(0)
            assert (await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED))[0] == {asked[1]}
            await asked[0]
        finally:
            await pool.stop()

    asyncio.run(main())


def test_a_busy_machine_costs_a_visitor_nothing() -> None:
    async def main() -> None:
        gate = Gate(Settings())
        pool = StudyPool(gate.study_budget, cores=2)
        want = study_work.StudyRequest(position=SMALL, moves=[])
        try:
            await pool.work("192.0.2.1", want)
            [worker], budget = pool.workers, gate.visitor("192.0.2.1").study
            os.kill(worker.process.pid, signal.SIGSTOP)  # the machine is busy with other things
            budget.left = 0.5
            working = asyncio.create_task(pool.work("192.0.2.1", want))
            await asyncio.sleep(1.0)
            os.kill(worker.process.pid, signal.SIGCONT)
            await working
            assert not budget.wait()
        finally:
            await pool.stop()

    asyncio.run(main())


@pytest.mark.usefixtures("compiled_code")
def test_a_process_may_compile_at_its_first_review_and_the_visitor_does_not_pay_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = json.loads((Path(__file__).parents[1] / "study/vectors.json").read_text(encoding="utf-8"))[0]

    async def main() -> None:
        gate = Gate(Settings())
        pool = StudyPool(gate.study_budget, cores=2)
        try:
            await pool.work("192.0.2.1", {"position": SMALL, "moves": []})
            monkeypatch.setattr(study_pool, "MOST_FIRST", 0.03)
            monkeypatch.setattr(study_pool, "REVIEW_SECONDS", 0.0)
            gate.visitor("192.0.2.1").study.left = 0.05
            assert b'"decisions"' in await pool.work("192.0.2.1", {"review": told["record"]})
            assert not gate.visitor("192.0.2.1").study.wait()
            with pytest.raises(Refused, match="too long"):
                await pool.work("192.0.2.1", {"review": told["record"]})
        finally:
            await pool.stop()

    asyncio.run(main())


def test_moves_and_answers_of_study_work_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study_work, "MAX_ANSWER", 1000)
    with pytest.raises(Refused, match="more than"):
        study_work.work({"record": RECORD})
    monkeypatch.setattr(study_work, "MAX_MOVES", 10)
    with pytest.raises(Refused, match="at most 10 moves"):
        study_work.work({"record": RECORD})


# --- the queue


async def order_of(queue: FairQueue, wanted: list[tuple[str, int]]) -> list[str]:
    """The order in which owners get the only turn, all of which ask while it is held."""
    found: list[str] = []

    async def one(owner: str, rank: int) -> None:
        async with queue.turn(tuple(owner.split("+")), rank):
            found.append(owner)
            await asyncio.sleep(0)

    async with queue.turn(("holder",)):
        tasks = [asyncio.create_task(one(owner, rank)) for owner, rank in wanted]
        await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    return found


def test_owners_take_turns_and_lower_ranks_go_first() -> None:
    crowd = [("eve", 0)] * 5 + [("ann", 0)] * 2 + [("ben", 0)] + [("idle", 1)]
    found = asyncio.run(order_of(FairQueue(1), crowd))
    assert found == ["eve", "ann", "ben", "eve", "ann", "eve", "eve", "eve", "idle"]


def test_a_second_owner_brings_no_more_turns_and_delays_nobody() -> None:
    pair = [("eve+mallory", 0)] * 4
    found = asyncio.run(order_of(FairQueue(1), [*pair, ("ann", 0), ("ann", 0), ("ben+eve", 0), ("ben+eve", 0)]))
    assert found[:3] == ["eve+mallory", "ann", "ben+eve"]
    assert found[-2:] == ["eve+mallory"] * 2, "two owners of several tables have the turns of one"
    assert found.index("ben+eve") < found.index("eve+mallory", 1), "a busy owner does not delay the table of another"


def test_addresses_of_one_network_have_the_turns_of_four_visitors() -> None:
    crowd = [(f"2001:db8:0:{number}::/64", 0) for number in range(16)]
    found = asyncio.run(order_of(FairQueue(1), [*crowd, *[("192.0.2.1", 0)] * 3]))
    assert [number for number, owner in enumerate(found) if owner == "192.0.2.1"] == [1, 6, 11]


def test_the_queue_is_short_and_cancelled_places_are_free_again() -> None:
    async def main() -> None:
        queue = FairQueue(1, most=3, per_owner=1)
        async with queue.turn(("holder",)):
            tasks = [asyncio.create_task(queue.turn((owner,)).__aenter__()) for owner in ("eve", "ann", "cid")]
            await asyncio.sleep(0)
            for owner in ("eve", "ben"):
                with pytest.raises(QueueFull):
                    await queue.turn((owner,)).__aenter__()
            tasks[0].cancel()
            await asyncio.gather(tasks[0], return_exceptions=True)
            assert [each.owners for each in queue.waiting] == [("ann",), ("cid",)]
            tasks[2].cancel()
        tasks[1].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        async with queue.turn(("ben",)):
            assert queue.free == 0
        assert queue.free == 1

    asyncio.run(main())


def test_a_network_that_fills_the_queue_gives_places_up_to_others() -> None:
    async def main() -> None:
        queue = FairQueue(1, most=4, per_owner=2)
        async with queue.turn(("holder",)):
            crowd = ["192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.2"]
            tasks = [asyncio.create_task(queue.turn((owner,)).__aenter__()) for owner in crowd]
            await asyncio.sleep(0)
            late = [asyncio.create_task(queue.turn((owner,)).__aenter__()) for owner in ("198.51.100.1", "203.0.113.1")]
            await asyncio.sleep(0)
            for owner in ("192.0.2.3", "198.51.100.2"):
                with pytest.raises(QueueFull):
                    await queue.turn((owner,)).__aenter__()
            assert [each.owners for each in queue.waiting] == [
                ("192.0.2.1",), ("192.0.2.1",), ("198.51.100.1",), ("203.0.113.1",)
            ]  # fmt: skip
            outcomes = await asyncio.gather(*tasks[2:], return_exceptions=True)
            assert [type(each) for each in outcomes] == [QueueFull, QueueFull]
            assert queue.free == 0, "who is sent away gives no turn back"
            for task in (*tasks, *late):
                task.cancel()
            await asyncio.gather(*tasks, *late, return_exceptions=True)
        assert queue.free == 1

    asyncio.run(main())


# --- time of the event loop


def test_an_address_pays_for_the_time_it_takes() -> None:
    async def main() -> None:
        gate = Gate(Settings())
        visitor, other = gate.visitor("192.0.2.1"), gate.visitor("198.51.100.2")
        began = time.monotonic()
        visitor.charge(0.2 * (TOLERANCE + 0.05))
        await gate.admit(other)
        await gate.admit(visitor)
        assert time.monotonic() - began >= 0.05
        visitor.charge(100)
        with pytest.raises(Refused, match="Too many requests"):
            await gate.admit(visitor)
        await gate.admit(other)

    asyncio.run(main())


def test_a_meter_that_measures_now_and_then_is_right_on_average() -> None:
    async def work() -> None:
        for _ in range(400):
            began = time.thread_time()
            while time.thread_time() - began < 0.0005:
                pass
            await asyncio.sleep(0)

    async def main() -> float:
        meter = Meter()
        await Metered(work(), meter.add, every=8)
        return meter.seconds

    assert 0.05 < asyncio.run(main()) < 1.0  # 0.2 on average: 50 of 400 steps, give or take 7


def test_a_meter_counts_steps_and_hands_cancellations_on() -> None:
    async def main() -> None:
        meter, steps = Meter(), list[str]()

        async def work() -> None:
            began = time.thread_time()
            try:
                while time.thread_time() - began < 0.01:
                    pass
                await asyncio.sleep(0)
                steps.append("step")
                await asyncio.sleep(PATIENCE)
            except asyncio.CancelledError:
                steps.append("cancelled")
                raise

        async def outer() -> None:
            await Metered(work(), meter.add)

        task = asyncio.create_task(outer())
        while not steps:
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert steps == ["step", "cancelled"]
        assert task.cancelled()
        assert meter.seconds >= 0.01

    asyncio.run(main())
