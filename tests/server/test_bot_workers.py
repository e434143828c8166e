"""Bot workers: jobs hold a view and nothing else, are answered once, and never lost; without workers servers think."""

import asyncio
import itertools
import json
import logging
import signal
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from cartagena.server.bots import jobs
from cartagena.server.bots.jobs import Job, JobBoard, Taken, WorkerInfo, game_key
from cartagena.server.bots.pool import COMPUTERS_ONLY, Question
from cartagena.server.bots.remote import RemotePool
from cartagena.server.bots.worker import ABANDONED_MS, BEAT, Worker, time_left
from cartagena.server.settings import Settings
from tests.cli.helpers import called

from .bot_rig import LEVELS, Rig, asking, jobs_in, pending, play, until, view
from .cluster import Redis, start_redis
from .rig import PATIENCE
from .test_fair_computers import STOPPABLE
from .twins import after, make_pair

HANGS = "sh -c 'cat >/dev/null' {level}"
SPECIMEN = WorkerInfo("specimen", 1, ("7", "8"), "0")


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    with start_redis(tmp_path_factory.mktemp("redis")) as found:
        yield found


NUMBERS = itertools.count(1)


def empty(redis: Redis) -> str:
    """The address of a database of this Redis that no other test uses."""
    return redis.url.removesuffix("0") + str(next(NUMBERS))


@pytest.fixture(autouse=True)
def long_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a worker may give no sign of life for a while."""
    monkeypatch.setattr(jobs, "ALIVE_MS", 600_000)


@pytest.fixture(autouse=True)
def same_logs() -> Iterator[None]:
    """Leave the logs as they were: the command line sets them up for its process."""
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    yield
    root.handlers[:] = before
    root.setLevel(level)


# --- secrecy


def test_a_job_is_the_same_whatever_the_seat_cannot_see(redis: Redis) -> None:
    """Two games that differ only in hidden cards give the same bytes, even if the whole position were passed on."""

    async def work(rig: Rig) -> None:
        pool = await rig.server()
        board = await rig.board()
        await board.beat(SPECIMEN)
        pool.workers = await board.workers()
        compared = 0
        for seed in range(40):
            rules, seats = ("jamaica-en", "nest-nl", "jamaica-de")[seed % 3], 2 + seed % 3
            chooser = after_play(rules, seats, seed)
            pair = make_pair(rules, seats, chooser, seed, seed) if chooser else None
            if pair is None:
                continue
            wholes = [after(twin.opening, twin.moves) for twin in pair]
            assert str(wholes[0]) != str(wholes[1])
            texts = []
            for twin, whole in zip(pair, wholes, strict=True):
                async with asking(pool.choose("7", whole, "the-table", owners=("192.0.2.7",))):
                    [text] = await until(lambda: jobs_in(board))
                texts.append(text.replace(json.loads(text)["id"], "ID"))
                await until(lambda: no_jobs(board))
                assert twin.table not in text
            assert texts[0] == texts[1]
            assert "the-table" not in texts[0]
            assert "192.0.2.7" not in texts[0]
            assert json.loads(texts[0])["view"] == str(wholes[0].view(chooser))
            compared += 1
        assert compared >= 5

    def after_play(rules: str, seats: int, seed: int) -> int:
        """The seat that chooses after so many moves of that game; 0 if it is over."""
        found = make_pair(rules, seats, 1, seed, seed)
        return after(found[0].opening, found[0].moves).turn if found else 0

    async def no_jobs(board: JobBoard) -> bool:
        return not await jobs_in(board)

    play(empty(redis), work)


# --- thinking


def test_workers_think_for_the_server_and_without_them_it_thinks_itself(redis: Redis) -> None:
    async def work(rig: Rig) -> None:
        never = Settings(engine="false {level}", levels=LEVELS, engine_processes=1)
        server, alone = await rig.server(never), await rig.server()
        assert server.notes == ["no bot worker is alive; this server thinks itself"]
        assert await alone.choose("7", view(), "a") in view().legal_words()
        worker = await rig.worker()
        await until(lambda: noticed(server))
        assert server.notes == ["bot workers: 1, engines: 1"]
        for seed in range(3):
            assert await server.choose("7", view(seed), "a") in view(seed).legal_words()
        hint = await server.ask(Question("8", view(), 0.1))
        assert hint["view"] == str(view())
        assert server.failing == []
        assert {client.name for client in worker.pool.clients} == {"7", "8"}
        assert not server.local.clients
        assert await server.choose("unknown", view(), "a") is None, "a level that no worker has is tried here"

    async def noticed(server: RemotePool) -> bool:
        return bool(server.workers)

    play(empty(redis), work)


def test_engines_are_ready_where_the_levels_are_played(redis: Redis) -> None:
    """A worker starts those of its levels, a server only those of levels that no worker has."""

    async def work(rig: Rig) -> None:
        worker, server = await rig.worker(), await rig.server()
        for level in ("7", "9"):
            server.prepare(level)

        async def started() -> bool:
            ready = [{engine.level for engine in pool.idle} for pool in (worker.pool, server.local)]
            return ready == [{"7", "8"}, {"9"}]

        await until(started)

    play(empty(redis), work)


def test_a_job_that_a_worker_drops_or_dies_with_is_done_by_another(redis: Redis) -> None:
    async def work(rig: Rig) -> None:
        server, board = await rig.server(), await rig.board()
        first, _ = await rig.process(HANGS, stop_seconds=0.2)
        await until(lambda: engines(server))
        async with asking(server.choose("7", view(), "a")) as move:
            await until(lambda: pending(board))
            second, name = await rig.process(HANGS)
            first.send_signal(signal.SIGTERM)
            assert await asyncio.to_thread(first.wait, PATIENCE) == 0
            await until(lambda: pending(board, name))
            assert [worker.name for worker in await board.workers()] == [name]
            second.kill()
            await rig.worker(abandoned_ms=300)
            assert await move in view().legal_words()
        assert not server.local.clients
        assert await pending(board) == 0
        assert await jobs_in(board) == []

    async def engines(server: RemotePool) -> int:
        return server.engines

    play(empty(redis), work)


@pytest.mark.parametrize("seconds", [0.1, Settings.model_fields["engine_seconds"].default, 2.0])
def test_a_move_of_a_killed_worker_is_made_elsewhere_within_three_seconds(seconds: float) -> None:
    assert time_left(seconds, 0.3) == seconds
    seen_after = (ABANDONED_MS + jobs.WAIT_MS) / 1000  # when an idle worker finds the claim abandoned
    assert 0 < time_left(seconds, seen_after) <= seconds
    assert seen_after + time_left(seconds, seen_after) <= 3.0
    assert ABANDONED_MS >= 3 * 1000 * BEAT, "a claim is renewed several times before it is old"


def test_when_the_last_worker_dies_the_server_thinks_itself(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(rig: Rig) -> None:
        server, board = await rig.server(), await rig.board()
        await board.beat(SPECIMEN)  # its only sign of life
        server.workers = await board.workers()
        monkeypatch.setattr(jobs, "ALIVE_MS", 1)
        assert await server.choose("7", view(), "a") in view().legal_words()
        assert server.local.clients
        await until(lambda: withdrawn(board))

    async def withdrawn(board: JobBoard) -> bool:
        return not await jobs_in(board)

    play(empty(redis), work)


def test_while_redis_is_away_the_server_thinks_itself_and_the_worker_comes_back(tmp_path: Path) -> None:
    async def work(rig: Rig) -> None:
        server, worker = await rig.server(), await rig.worker(Settings(engine=HANGS, levels=LEVELS))
        await until(lambda: at_work(server))
        async with asking(server.choose("7", view(), "a")) as move:
            await until(lambda: pending(worker.board))
            own.stop()
            assert await move in view().legal_words()
        assert server.local.clients
        assert await server.choose("7", view(2), "a") in view(2).legal_words()
        own.start()
        await until(lambda: at_work(server))
        async with asking(server.choose("8", view(), "b")):
            await until(lambda: pending(worker.board, worker.name))

    async def at_work(server: RemotePool) -> bool:
        return bool(server.workers)

    with start_redis(tmp_path) as own:
        play(own.url, work)


# --- one answer


def test_a_job_is_answered_once_and_late_answers_are_dropped(redis: Redis) -> None:
    async def work(rig: Rig) -> None:
        server, board = await rig.server(), await rig.board()
        await board.join()
        await board.beat(SPECIMEN)
        server.workers = await board.workers()
        legal = view().legal_words()
        async with asking(server.ask(Question("7", view(), 0.1, "a"))) as answer:
            slow = await until(lambda: board.take("slow", 60_000))
            quick = await until(lambda: board.take("quick", 0))
            assert quick.posted == slow.posted
            assert await board.finish(quick, {"answer": {"move": legal[0], "by": "quick"}})
            assert not await board.finish(slow, {"answer": {"move": legal[1], "by": "slow"}})
            assert (await answer)["by"] == "quick"
        async with asking(server.ask(Question("7", view(), 0.1, "a"))) as answer:
            old = await until(lambda: board.take("slow", 60_000))
            server._settle({"id": slow.reply[1], "answer": {"move": legal[1], "by": "an older job"}})
            assert not answer.done()
            assert await board.finish(old, {"answer": {"move": legal[0], "by": "slow"}})
            assert (await answer)["by"] == "slow"

    play(empty(redis), work)


def test_answers_that_are_no_move_make_the_server_think_itself(redis: Redis) -> None:
    async def work(rig: Rig) -> None:
        server, board = await rig.server(), await rig.board()
        await board.join()
        await board.beat(SPECIMEN)
        server.workers = await board.workers()
        wrong: list[dict[str, Any]] = [
            {"answer": {"move": "+B"}},
            {"answer": {}},
            {"answer": None},
            {"error": "no"},
            {},
        ]
        for answer in wrong:
            async with asking(server.choose("7", view(), "a")) as move:
                job = await until(lambda: board.take("w", 60_000))
                await board.finish(job, answer)
                assert await move in view().legal_words()

    play(empty(redis), work)


def test_jobs_that_a_worker_cannot_do_are_answered_with_a_sentence(redis: Redis) -> None:
    async def work(rig: Rig) -> None:
        worker = await rig.worker()
        good = json.loads(Job.of("7", view(), 0.1, "a", 60.0, "me").dump())
        wrong: list[tuple[Any, str]] = [
            ({**good, "format": 99}, "The job has form 99; this worker knows form 1."),
            ({**good, "rules": [*good["rules"][:-1], 77]}, "The rules of tortuga-en differ between"),
            ({**good, "level": "ghost"}, "there is no level ghost here"),
            ({**good, "seconds": 10**6}, "The job is not complete."),
            ({**good, "more": 1}, "The job cannot be read."),
            ({**good, "view": "nonsense"}, "a position has nine words"),
            ({**good, "lives": 1e-9}, "the job came too late"),
            (good, ""),
        ]
        await worker.board.redis.xadd(worker.board.stream(0), {"job": "{"})
        await worker.board.redis.xadd(worker.board.stream(0), {"other": "field"})
        for job, sentence in wrong:
            await worker.board.redis.xadd(worker.board.stream(0), {"job": json.dumps(job)})
            [answer] = await until(lambda: worker.board.answers("me"))
            assert answer["id"] == good["id"]
            assert sentence in answer.get("error", ""), answer
        assert answer["answer"]["move"] in view().legal_words()
        assert await jobs_in(worker.board) == []

    play(empty(redis), work)


# --- fairness


async def take_all(board: JobBoard, number: int) -> list[str]:
    """Do jobs as a worker with one engine would, and return the games in the order they came."""
    games = []
    for _ in range(number):
        job: Taken = await until(lambda: board.take("w", 60_000))
        found = Job.parse(job.data)
        games.append(str(found.game))
        await board.finish(job, {"answer": {"move": found.position().legal_words()[0]}})
    return games


def test_tables_with_people_come_first_and_owners_take_turns(redis: Redis) -> None:
    async def work(rig: Rig) -> None:
        one, two, board = await rig.server(), await rig.server(), await rig.board()
        await board.join()
        await board.beat(SPECIMEN)
        for server in (one, two):
            server._note(await board.workers())
        async with AsyncExitStack() as stack:

            async def begin(server: RemotePool, game: str, owner: str, rank: int = 0) -> None:
                await stack.enter_async_context(asking(server.choose("7", view(), game, (owner,), rank)))
                await asyncio.sleep(0)

            await begin(one, "computers 1", "x", COMPUTERS_ONLY)
            await begin(one, "computers 2", "y", COMPUTERS_ONLY)
            for game in ("busy 1", "busy 2", "busy 3"):
                await begin(one, game, "busy")
            await begin(one, "quiet", "quiet")
            await until(lambda: jobs_in(board, COMPUTERS_ONLY))
            await begin(two, "elsewhere", "z")
            await until(lambda: jobs_in(board))
            order = await take_all(board, 7)
        names = ("elsewhere", "computers 1", "busy 1", "quiet", "busy 2", "busy 3", "computers 2")
        assert order == [game_key(name) for name in names]

    play(empty(redis), work)


def test_a_seat_has_one_hint_at_a_time_at_all_servers(redis: Redis) -> None:
    async def work(rig: Rig) -> None:
        one, two = await rig.server(), await rig.server()
        async with one.alone("hint:t:1", 1.0) as first, two.alone("hint:t:1", 1.0) as second:
            assert (first, second) == (True, False)
            async with two.alone("hint:t:2", 1.0) as other:
                assert other
        async with two.alone("hint:t:1", 1.0) as again:
            assert again

    play(empty(redis), work)


def test_a_hint_is_cut_short_when_a_move_waits_for_the_worker(redis: Redis, tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text(STOPPABLE)
    engine = f"{sys.executable} {tmp_path / 'engine.py'} {{level}}"

    async def work(rig: Rig) -> None:
        one, two = await rig.server(), await rig.server()
        worker = await rig.worker(Settings(engine=engine, levels=LEVELS))
        await until(lambda: at_work(one, two))
        async with asking(one.ask(Question("7", view(), 50.0))) as hint:
            await until(lambda: pending(worker.board))
            assert await two.choose("7", view(), "a") == view().legal_words()[0]
            assert (await hint)["move"] == view().legal_words()[0]
        assert not one.local.clients
        assert not two.local.clients

    async def at_work(*servers: RemotePool) -> bool:
        return all(server.workers for server in servers)

    play(empty(redis), work)


def test_a_job_that_is_wanted_no_more_is_stopped(redis: Redis) -> None:
    async def work(rig: Rig) -> None:
        server, worker = await rig.server(), await rig.worker(Settings(engine=HANGS, levels=LEVELS))
        await until(lambda: at_work(server))
        async with asking(server.ask(Question("7", view(), 5.0))):
            await until(lambda: pending(worker.board))
        await until(lambda: idle(worker))
        assert await pending(worker.board) == 0

    async def at_work(server: RemotePool) -> bool:
        return bool(server.workers)

    async def idle(worker: Worker) -> bool:
        return not worker.jobs

    play(empty(redis), work)


# --- the command line


def test_a_worker_that_cannot_start_says_why_in_one_sentence(redis: Redis, tmp_path: Path) -> None:
    def sentence(*words: str) -> str:
        done = called("bots", *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1
        return done.stderr.strip()

    assert sentence() == "Name the Redis of the servers: cartagena bots --redis redis://HOST."
    assert sentence("--redis", "http://example.org") == "Redis must be a URL such as redis://:password@host:6379/0."
    with start_redis(tmp_path, password="right") as guarded:
        wrong = guarded.url.replace("right", "wrong")
        assert sentence("--redis", wrong).endswith("refuses the user name or password.")
        assert "wrong" not in sentence("--redis", wrong)
    assert sentence("--redis", guarded.url).endswith("does not answer; is it running?")

    async def fill(rig: Rig) -> None:
        await (await rig.board()).redis.set("another", "program")

    play(foreign := empty(redis), fill)
    assert "holds keys of another program" in sentence("--redis", foreign)
