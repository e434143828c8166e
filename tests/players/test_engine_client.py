"""The engine client: requests that are sent, answered and over, and processes that are ended."""

import asyncio
import json
import shlex
import subprocess
import sys
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from cartagena import Game
from cartagena.errors import PlayerError, PlayerFailed
from cartagena.players import Limit, engine_client
from cartagena.players.engine_client import EngineClient, SyncEngineClient
from cartagena.players.external import ExternalPlayer

PATIENCE = 900.0
VIEW = Game.new("tortuga-en", seats=2, seed=1).view(1)
ENGINE = [sys.executable, "-m", "cartagena", "engine", "--player"]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine an engine may take long to end."""
    monkeypatch.setattr(engine_client, "PARTING", PATIENCE)


def script(text: str) -> list[str]:
    return [sys.executable, "-c", text]


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def test_requests_may_be_sent_without_waiting_for_answers() -> None:
    async def work() -> None:
        engine = await EngineClient.start([*ENGINE, "sailor"])
        asked = [engine.request("perft", position=str(VIEW), depth=depth % 3) for depth in range(60)]
        answers = await asyncio.gather(*asked)
        assert [answer["perft"] for answer in answers[:3]] == [answer["perft"] for answer in answers[57:]]
        assert len({answer["perft"] for answer in answers}) == 3
        assert (await engine.request("dance"))["error"]["code"] == "unknown-command"
        await engine.close()
        assert not engine.is_alive
        assert engine.process.returncode == 0

    run(work())


def test_stop_makes_a_go_answer() -> None:
    async def work() -> None:
        engine = await EngineClient.start([*ENGINE, "captain"])
        await engine.go(VIEW, Limit(nodes=8), timeout=PATIENCE)
        thinking = asyncio.create_task(engine.go(VIEW, Limit(time=PATIENCE)))
        await asyncio.sleep(0.1)
        await engine.stop()
        assert (await asyncio.wait_for(thinking, PATIENCE / 2))["move"] in VIEW.legal_words()
        await engine.close()

    run(work())


def test_a_go_after_an_abandoned_one_is_not_refused() -> None:
    async def work() -> None:
        engine = await EngineClient.start([*ENGINE, "captain"])
        await engine.go(VIEW, Limit(nodes=8), timeout=PATIENCE)
        abandoned = asyncio.create_task(engine.go(VIEW, Limit(time=PATIENCE)))
        await asyncio.sleep(0.1)
        abandoned.cancel()
        assert (await engine.go(VIEW, Limit(nodes=8), timeout=PATIENCE / 2))["move"]
        with pytest.raises(PlayerFailed, match="in time"):
            await engine.go(VIEW, Limit(time=PATIENCE), timeout=0.1)
        assert (await engine.go(VIEW, Limit(nodes=8), timeout=PATIENCE / 2))["move"]
        await engine.close()

    run(work())


def test_an_engine_that_ends_fails_every_open_request() -> None:
    async def work() -> None:
        engine = await EngineClient.start(script("input(); input()"), name="brief")
        answers = await asyncio.gather(*(engine.request("hello") for _ in range(2)), return_exceptions=True)
        assert [str(answer) for answer in answers] == ["brief: has ended"] * 2
        assert not engine.is_alive
        with pytest.raises(PlayerFailed, match="brief: has ended"):
            await engine.request("hello")
        await engine.close()

    run(work())


def test_lines_of_information_are_no_answers() -> None:
    said = '{"id": 1, "info": 1}\\n{"id": [], "move": "x"}\\n{"id": 9, "move": "late"}\\n{"move": "end"}'
    with SyncEngineClient(script(f"input(); print('{said}'); input()")) as engine:
        assert engine.go(VIEW, timeout=PATIENCE) == {"move": "end"}


def test_an_engine_is_killed_with_what_it_has_started() -> None:
    text = "import subprocess, json\nchild = subprocess.Popen(['sleep', '600'])\ninput()\n"
    text += "print(json.dumps({'child': child.pid}), flush=True)\nimport time; time.sleep(600)"

    async def work() -> None:
        engine = await EngineClient.start(script(text))
        child = (await engine.request("hello", timeout=PATIENCE))["child"]
        await engine.kill()
        assert engine.process.returncode == -9
        while subprocess.run(["ps", "-o", "stat=", "-p", str(child)], capture_output=True, check=False).stdout.strip(
            b"Z+\n "
        ):
            await asyncio.sleep(0.05)

    run(work())


def test_an_engine_that_cannot_be_started_is_one_sentence() -> None:
    with pytest.raises(PlayerError, match="no-such-engine: cannot be started: No such file"):
        SyncEngineClient(["./no-such-engine"])


def test_the_client_loads_no_compiled_code() -> None:
    code = "import sys, cartagena.players.engine_client; print({'numba', 'numpy'} & set(sys.modules))"
    done = subprocess.run(script(code), capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


AT_ONCE = """
import sys, threading
from cartagena.players import engine_client

sys.setswitchinterval(1e-6)
start = threading.Barrier(8)
loops = []

def use():
    start.wait()
    loops.append(engine_client.background_loop())

threads = [threading.Thread(target=use) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
engine_client.wait_for(engine_client.asyncio.sleep(0))
print(len(set(loops)), sum(thread.name == "engine-client" for thread in threading.enumerate()))
"""


def test_threads_that_come_first_at_once_share_one_loop() -> None:
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", AT_ONCE], capture_output=True, text=True, check=False)
        assert done.stdout.split() == ["1", "1"], done.stderr


def test_a_player_used_by_two_threads_starts_one_program(tmp_path: Path) -> None:
    text = f"open({str(tmp_path / 'starts')!r}, 'a').write('x')\n"
    text += "import json, sys\nfor line in sys.stdin:\n"
    text += f"    print(json.dumps({{'move': {VIEW.legal_words()[0]!r}, 'id': json.loads(line)['id']}}), flush=True)"
    player = ExternalPlayer(f"{sys.executable} -c {shlex.quote(text)}")
    with ThreadPoolExecutor(4) as pool:
        moves = list(pool.map(lambda _: str(player.decide(VIEW)), range(4)))
        list(pool.map(lambda _: player.close(), range(4)))
    assert set(moves) == {VIEW.legal_words()[0]}
    assert (tmp_path / "starts").read_text() == "x"
    assert player.engine is None


ASKING = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    said = {"move": request["legal"][-1]} if "legal" in request else {"legal": True}
    print(json.dumps({"id": request["id"], **said}), flush=True)
"""


def test_a_program_without_rules_asks_for_the_legal_moves() -> None:
    async def work() -> None:
        engine = await EngineClient.start(script(ASKING))
        for _ in range(2):
            assert (await engine.go(VIEW, timeout=PATIENCE))["move"] == VIEW.legal_words()[-1]
        await engine.close()
        own = await EngineClient.start([*ENGINE, "sailor"])
        told = await own.request("go", view=str(VIEW), legal=True)
        assert told["legal"] == VIEW.legal_words()
        await own.close()

    run(work())


@pytest.mark.parametrize("wrong", [77, "1", None])
def test_an_answer_with_a_wrong_id_is_named_as_such(wrong: object) -> None:
    async def work() -> None:
        engine = await EngineClient.start(script(f'input(); print(\'{{"id": {json.dumps(wrong)}, "move": "end"}}\')'))
        with pytest.raises(PlayerFailed, match=f"has ended; it answered with the id {wrong!r}, which no request has"):
            await engine.go(VIEW, timeout=PATIENCE)
        await engine.close()

    run(work())
