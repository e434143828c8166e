"""Computer players are shared fairly: nothing that one address asks for keeps the others waiting."""

import asyncio
import json
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from cartagena.game import Game
from cartagena.server.bots import pool
from cartagena.server.bots.computer_seats import Hints
from cartagena.server.bots.pool import EnginePool, Question, thinking_seconds
from cartagena.server.live import live_table
from cartagena.server.live.live_table import LiveTable, TableObserver
from cartagena.server.protocol.errors import Refused
from cartagena.server.settings import Settings
from cartagena.server.tasks import FairQueue

from .rig import PATIENCE, Person, Server, running
from .stranger import Stranger
from .test_computers import TWO_COMPUTERS, one_computer
from .test_seating import wait_for

BOT_FILE = Path(__file__).parent / "bot.py"
STOPPABLE = """
import json, sys
from cartagena import Position
def answer(request):
    move = Position.parse(request["view"]).legal_words()[0]
    print(json.dumps({"id": request["id"], "move": move}), flush=True)
waiting = None
for line in sys.stdin:
    request = json.loads(line)
    if request["cmd"] == "go" and request["limit"]["time"] < 1:
        answer(request)
    elif request["cmd"] == "go":
        waiting = request
    elif waiting is not None:
        answer(waiting)
        waiting = None
"""


WHO = """
import json, os, sys
from cartagena import Position
for line in sys.stdin:
    request = json.loads(line)
    move = Position.parse(request["view"]).legal_words()[0]
    print(json.dumps({"id": request["id"], "move": move, "pid": os.getpid()}), flush=True)
"""


SLEEPER = """
import json, sys, time
from cartagena import Position
for line in sys.stdin:
    request = json.loads(line)
    time.sleep(request["limit"]["time"])
    move = Position.parse(request["view"]).legal_words()[0]
    print(json.dumps({"id": request["id"], "move": move}), flush=True)
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with one engine, which answers quick requests at once and others only when it is told to stop."""
    folder = tmp_path_factory.mktemp("fair")
    (folder / "engine.py").write_text(STOPPABLE)
    engine = f"{sys.executable} {folder / 'engine.py'} {{level}}"
    database = f"sqlite:///{folder / 'tables.db'}"
    with running(database, engine=engine, levels="7", engine_processes=1) as found:
        yield found


def ask_slowly(server: Server, ann: Person) -> Stranger:
    """A connection that has asked for a hint that never comes, and waits."""
    stranger, body = Stranger(server.port), json.dumps({"seconds": 5})
    head = f"Content-Type: application/json\r\nAuthorization: Bearer {ann.token}\r\nContent-Length: {len(body)}\r\n"
    stranger.send(f"POST {ann.path}/hint HTTP/1.1\r\nHost: 127.0.0.1\r\n{head}\r\n{body}".encode())
    while "cartagena_computers_thinking 1.0" not in server.figures():
        time.sleep(0.01)
    return stranger


def hint_comes(ann: Person) -> bool:
    """Whether a hint is given as soon as the engine is free."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if ann.do("hint", {"seconds": 0.1}).status_code == 200:
            return True
        time.sleep(0.05)
    return False


def test_a_seat_has_one_hint_at_a_time_and_it_ends_with_its_request(server: Server) -> None:
    ann = server.table("tortuga-en", one_computer("7"), lots=False)
    with ask_slowly(server, ann):
        assert ann.do("hint", {"seconds": 0.1}).json()["error"]["code"] == "too-many"
    assert hint_comes(ann)


def test_a_hint_is_cut_short_when_a_move_waits(server: Server) -> None:
    ann, ben = (server.table("tortuga-en", one_computer("7"), lots=False) for _ in range(2))
    with ask_slowly(server, ann) as stranger:
        ben.play(4)
        wait_for(ben, lambda found: any(event.get("seat") == 2 for event in found["events"]))
        assert stranger.read().startswith(b"HTTP/1.1 200")


def test_a_hint_is_cut_short_when_another_person_waits_for_one(server: Server) -> None:
    ann, ben = (server.table("tortuga-en", one_computer("7"), lots=False) for _ in range(2))
    with ask_slowly(server, ann) as stranger:
        assert ben.do("hint", {"seconds": 0.1}).status_code == 200
        assert stranger.read().startswith(b"HTTP/1.1 200")


def test_no_move_waits_until_the_code_of_another_level_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = tmp_path / "compiled"
    slow = f"while ! test -e {gate}; do sleep 0.05; done; exec {sys.executable} {BOT_FILE} 1"
    commands = {"slow": ["sh", "-c", slow], "quick": [sys.executable, str(BOT_FILE), "1"]}
    monkeypatch.setattr(pool, "engine_command", lambda _settings, level: commands[level])

    async def main() -> None:
        engines, view = EnginePool(Settings(engine_processes=1)), Game.new("tortuga-en", seats=2, seed=1).view(1)
        try:
            waiting = [asyncio.create_task(engines.ask(Question("slow", view, 0.1, "a"))) for _ in range(3)]
            async with asyncio.timeout(PATIENCE):
                while not engines.clients:
                    await asyncio.sleep(0.01)
                assert (await engines.ask(Question("quick", view, 0.1, "b")))["move"]
                assert not any(task.done() for task in waiting)
                gate.touch()
                await asyncio.gather(*waiting)
            assert len(engines.clients) == 2, "each level is started once"
        finally:
            await engines.stop()

    asyncio.run(main())


def test_an_address_asks_for_few_hints_at_once() -> None:
    hints = Hints(EnginePool(Settings()), ())
    with ExitStack() as stack:
        for table in "abc":
            stack.enter_context(hints.only_one(table, 1, "192.0.2.1"))
        with pytest.raises(Refused, match="Too many hints"), hints.only_one("d", 1, "192.0.2.1"):
            pass
        with hints.only_one("d", 1, "192.0.2.2"):
            pass
    assert not hints.busy


def test_a_network_asks_for_the_hints_of_four_visitors_at_once() -> None:
    hints = Hints(EnginePool(Settings()), ())
    with ExitStack() as stack:
        for number in range(12):
            stack.enter_context(hints.only_one(f"t{number}", 1, f"192.0.2.{number}"))
        with pytest.raises(Refused, match="Too many hints"), hints.only_one("t12", 1, "192.0.2.12"):
            pass
        with hints.only_one("t12", 1, "198.51.100.1"):
            pass
    assert not hints.busy


def test_a_player_cannot_make_a_table_wait_for_other_tables_of_the_same_address() -> None:
    live = LiveTable("t1", TableObserver())
    live.sit_at("192.0.2.1", 1)
    live.sit_at("198.51.100.7", 2)

    async def main() -> str:
        queue, first = FairQueue(1), asyncio.Queue[str]()

        async def ask(name: str, owners: tuple[str, ...]) -> None:
            async with queue.turn(owners):
                first.put_nowait(name)

        async with queue.turn(("holder",)):
            busy = [asyncio.create_task(ask("busy", ("198.51.100.7",))) for _ in range(9)]
            await asyncio.sleep(0)
            table = asyncio.create_task(ask("t1", live.addresses))
            await asyncio.sleep(0)
        await asyncio.gather(table, *busy)
        first.get_nowait()
        return first.get_nowait()

    assert asyncio.run(main()) == "t1", "the place of the table is that of its least charged address"
    live.sit_at("203.0.113.9", 2)
    assert set(live.addresses) == {"192.0.2.1", "203.0.113.9"}, "a player has one address at a time"


def events_of(database: Path, table: str) -> int:
    base = sqlite3.connect(database)
    try:
        return int(base.execute("SELECT max(number) FROM events WHERE table_id = ?", (table,)).fetchone()[0])
    finally:
        base.close()


def test_tables_of_computers_play_only_while_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_table, "LOOKED", 0.5)
    file = tmp_path / "tables.db"
    with running(f"sqlite:///{file}", pace=True) as server:
        host = server.table("tortuga-en", TWO_COMPUTERS, spectators="public")
        seen, before = events_of(file, host.table), 0
        while seen != before:
            time.sleep(0.7)
            seen, before = events_of(file, host.table), seen
        assert host.look()["stage"] == "playing"
        with server.socket(host.table, {}) as live:
            while json.loads(live.recv(timeout=PATIENCE)).get("seq", 0) < seen + 5:
                pass


def test_a_game_stays_with_the_engine_that_remembers_it(tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text(WHO)
    settings = Settings(engine=f"{sys.executable} {tmp_path / 'engine.py'} {{level}}")
    view = Game.new("tortuga-en", seats=2, seed=1).view(1)

    async def main() -> None:
        engines = EnginePool(settings, pool.CoreBudget(2, 1))

        async def player(game: str) -> int:
            return int(str((await engines.ask(Question("7", view, 0.1, game)))["pid"]))

        try:
            first = await asyncio.gather(player("a"), player("b"))
            assert len(set(first)) == 2
            await player("c")
            again = await player("a")
            await player("d")
            assert (again, await player("b")) == tuple(first)
        finally:
            await engines.stop()

    asyncio.run(main())


def test_thinking_time_shrinks_where_moves_wait_and_the_operator_is_told() -> None:
    assert thinking_seconds(0.7, waiting=0, engines=1) == thinking_seconds(0.7, waiting=1, engines=1) == 0.7
    assert thinking_seconds(0.7, waiting=9, engines=1) == thinking_seconds(0.7, waiting=19, engines=2) == 0.2
    assert thinking_seconds(0.7, waiting=10_000, engines=1) == 0.002
    hurry = pool.Hurry(0.7)
    hurry.note(waiting=3, engines=1)
    assert not hurry.notes, "half of the time is enough"
    hurry.note(waiting=99, engines=1)
    assert hurry.is_short
    assert hurry.notes == ["the computer players are short of time: 99 moves wait, 0.02 s for each"]
    hurry.note(waiting=0, engines=1)
    assert not hurry.is_short


def test_many_games_get_their_moves_soon_and_say_that_the_computer_was_short_of_time(tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text(SLEEPER)
    engine = f"{sys.executable} {tmp_path / 'engine.py'} {{level}}"
    given = {"engine": engine, "levels": "7,8", "engine_processes": 1, "engine_seconds": 2.0}
    with running(f"sqlite:///{tmp_path / 'tables.db'}", **given) as server:
        hosts = [server.table("tortuga-en", TWO_COMPUTERS, spectators="public") for _ in range(12)]
        while not any(host.look().get("hurried") for host in hosts):
            time.sleep(0.1)
        assert "short of time" in server.get("/readyz").text
        assert "cartagena_computer_moves_waiting" in server.figures()
