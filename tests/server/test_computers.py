"""Computer players at the server's tables: their processes, their core budget, and what happens if they fail."""

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from cartagena.game import Game, Position
from cartagena.players import LEVELS, create
from cartagena.players.ismcts import Searcher
from cartagena.server.bots import computer_seats, pool
from cartagena.server.bots.pool import EnginePool, Question, core_budget, engine_command
from cartagena.server.live import loading
from cartagena.server.settings import Settings
from cartagena.server.storage import sqlite as sqlite_storage
from cartagena.server.tables import decide
from cartagena.server.tables.tokens import new_table_id

from .rig import BOT, PATIENCE, Person, Server, lay_out, process, running
from .test_seating import wait_for
from .twins import Twin, store

TWO_COMPUTERS = [{"kind": "computer", "level": "7"}, {"kind": "computer", "level": "8"}]


def one_computer(level: str) -> list[dict[str, str]]:
    return [{"kind": "here", "name": "Ann"}, {"kind": "computer", "level": level}]


def test_the_ladder_on_offer_is_the_players_ladder() -> None:
    assert tuple(Settings().levels.split(",")) == LEVELS


def test_our_own_players_play_and_give_hints(sqlite: str) -> None:
    with running(sqlite, engine="", levels="deckhand,sailor") as server:
        ann = server.table("nest-nl", one_computer("sailor"), lots=False)
        hint = ann.do("hint", {"seconds": 0.2, "turns": 2}).json()
        assert hint["level"] == "sailor"
        assert hint["answer"]["move"] in [item["move"] for item in ann.look()["options"]["legal"]]
        assert isinstance(hint["answer"]["why"], list)
        assert len(hint["answer"]["turns"]) <= 2
        ann.play(6)
        seen = wait_for(ann, lambda found: any(event.get("seat") == 2 for event in found["events"]))
        assert seen["seats"][1]["level"] == "sailor"
        assert server.get("/readyz").text == "ready\n"


WRONG = """
import json, sys
for line in sys.stdin:
    answer = {wrong}
    print(json.dumps({{"id": json.loads(line)["id"], **answer}}), flush=True)
"""


@pytest.mark.parametrize(
    "wrong",
    [
        {"move": "99:Z"},
        {"move": "end of the line"},
        {"move": "+A"},
        {"move": 7},
        {"move": None},
        {"move": "end", "turns": 3},
        {"move": "end", "turns": ["end"]},
        {"move": "end", "turns": [{"moves": "end"}]},
        {"move": "end", "turns": [{"moves": ["no move"]}]},
    ],
)
def test_a_hint_of_a_program_that_answers_nonsense_is_refused(sqlite: str, tmp_path: Path, wrong: Any) -> None:
    (tmp_path / "engine.py").write_text(WRONG.format(wrong=wrong))
    with running(sqlite, engine=f"{sys.executable} {tmp_path / 'engine.py'} {{level}}") as server:
        answer = server.table().do("hint", {"seconds": 0.1})
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "no-computer"), answer.text


def test_players_run_at_low_priority_and_end_with_the_server() -> None:
    command = engine_command(Settings(engine="cat {level}"), "-")
    assert command[1:] == ["-n", "10", "cat", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as player:
        assert player.stdin is not None
        assert player.stdout is not None
        player.stdin.write(json.dumps({"cmd": "go"}).encode() + b"\n")
        player.stdin.flush()
        assert json.loads(player.stdout.readline()) == {"cmd": "go"}  # the program has replaced nice
        nice = int(Path(f"/proc/{player.pid}/stat").read_text().rsplit(") ", 1)[1].split()[16])
        assert nice >= 10
        player.stdin.close()  # as if the server were gone
        assert player.wait(PATIENCE) == 0


def test_players_are_started_by_this_interpreter() -> None:
    command = engine_command(Settings(), "captain")
    assert command[3:9] == [sys.executable, "-m", "cartagena", "engine", "--player", "captain"]


SLOW = """
import json, sys, time
from cartagena import Position
for line in sys.stdin:
    request = json.loads(line)
    time.sleep(float(sys.argv[1]))
    print(json.dumps({"id": request["id"], "move": Position.parse(request["view"]).legal_words()[0]}), flush=True)
"""
STEPS = 1.0
"""Seconds of a step in a test: a busy machine is not late by as much."""
FORCED, FREE = "B6 - B10D16H16K16P17S17", "BDHKPS - B15D15H15K15P16S16"
"""A hand with one move at the beginning and a hand with six, each with the stock beside it."""


def told_against(server: Server, twin: Twin, token: str) -> list[tuple[str, int]]:
    """The kinds of the moves of seat 2's first turn, each with the whole steps that it took."""
    person = Person(server, twin.table, token + twin.table)
    for move in ("s:B", "s:D", "s:H", "end"):
        assert person.move(move).status_code == 200
    seen = wait_for(person, lambda found: found["position"]["turn"]["seat"] == 1)
    moves = [event for event in person.look()["events"] if event["type"] == "move"]
    assert seen["stage"] == "playing"
    gaps = [(after["seat"], after["move"]["kind"], after["at"] - before["at"]) for before, after in pairwise(moves)]
    return [(kind, int(gap / 1000 / STEPS + 0.1)) for seat, kind, gap in gaps if seat == 2]


@pytest.mark.parametrize(("level", "steps"), [("sailor", 1), ("slow", 2)])
def test_the_time_of_a_move_tells_nothing_about_a_hidden_hand(
    sqlite: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, level: str, steps: int
) -> None:
    """Of two games that look the same, one has a forced move; what it takes depends on the player alone."""
    for name in ("STEP", "SEARCH_STEP"):
        monkeypatch.setattr(computer_seats, name, STEPS)
    (tmp_path / "slow.py").write_text(SLOW)
    engine = f"{sys.executable} {tmp_path / 'slow.py'} {1.3 * STEPS}" if level == "slow" else ""
    board, token = "BPHSDK/DBKPHS s,s,s,s/s,s,s,s BDHK", "a token that is long enough for a seat"
    twins = [
        Twin(new_table_id(), Position(f"jamaica-en {board}/{hand} - - 1.0"), [], {2: level})
        for hand in (FREE, FORCED, FREE)
    ]
    lay_out(sqlite)
    asyncio.run(store(sqlite, twins, [token]))
    with running(sqlite, engine=engine, levels=level, pace=True) as server:
        _, forced, free = [told_against(server, twin, token) for twin in twins]  # in the first game the engine starts
    assert forced[0] == free[0] == ("advance", steps)
    assert [took for kind, took in forced + free if kind != "end"] == [steps] * 6
    assert [took for kind, took in forced + free if kind == "end"] == [0, 0]


def test_levels_that_search_have_the_longer_step() -> None:
    searching = {level for level in LEVELS if isinstance(create(level), Searcher)}
    steps = {level: computer_seats.step_of(level, Settings()) for level in LEVELS}
    assert {level for level in LEVELS if steps[level] == computer_seats.SEARCH_STEP} == searching
    assert {steps[level] for level in set(LEVELS) - searching} == {computer_seats.STEP}
    assert computer_seats.step_of("gunner", Settings(engine="another")) == computer_seats.SEARCH_STEP


@pytest.mark.parametrize(
    ("text", "is_plain"),
    [
        ("s,s,s,s/s,1,2,3 BDHK/B3 - B13D16H16K16P17S17 - - 2.3", True),
        ("s,s,s,s/s,1,2,3 BDHK/B3 - B13D16H16K16P17S17 - - 2.2", False),
        ("s,s,s,s/s,s,s,s BDHK/- - B16D16H16K16P17S17 - - 2.0", True),
    ],
)
def test_an_end_is_plain_where_everybody_can_see_that_it_is_forced(text: str, is_plain: bool) -> None:
    assert computer_seats.is_plain_end(Position(f"jamaica-en BPHSDK/DBKPHS {text}")) is is_plain


def test_a_computer_goes_on_after_the_database_was_locked(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "RELOAD", 0.2)
    monkeypatch.setattr(sqlite_storage, "BUSY_SECONDS", 1)
    with running(sqlite, pace=True) as server:
        host = server.table("tortuga-en", TWO_COMPUTERS, spectators="public")
        wait_for(host, lambda found: found["seq"] >= 4)
        other = sqlite3.connect(sqlite.removeprefix("sqlite:///"), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        time.sleep(2)  # longer than the server waits
        other.execute("ROLLBACK")
        other.close()
        at = host.look()["seq"]
        wait_for(host, lambda found: found["seq"] > at + 3)


def test_a_computer_goes_on_after_an_unexpected_exception(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    play, failures = decide.play_by_computer, iter([True])
    monkeypatch.setattr(loading, "RELOAD", 0.2)
    monkeypatch.setattr(decide, "play_by_computer", lambda *given: 1 / 0 if next(failures, False) else play(*given))
    with running(sqlite, log_level="error") as server:
        host = server.table("tortuga-en", TWO_COMPUTERS, spectators="public")
        wait_for(host, lambda found: found["seq"] >= 4)


def test_no_player_outlives_the_server_or_is_started_while_it_stops(sqlite: str, tmp_path: Path) -> None:
    started = tmp_path / "started"
    engine = f"sh -c 'echo $$ >> {started}; exec sleep 600' {{level}}"
    with running(sqlite, engine=engine) as server:
        server.table("jamaica-en", TWO_COMPUTERS, spectators="public")
        deadline = time.monotonic() + PATIENCE
        while not (started.exists() and started.read_text().endswith("\n")):
            assert time.monotonic() < deadline, "no player was started"
            time.sleep(0.05)
    time.sleep(1)  # for an engine that should not be there to show itself
    for number in started.read_text().split():
        with pytest.raises(ProcessLookupError):
            os.kill(int(number), 0)


def test_the_engines_of_a_table_start_when_it_is_set_up_and_tables_share_them(sqlite: str, tmp_path: Path) -> None:
    started = tmp_path / "started"
    engine = f"sh -c 'echo {{level}} >> {started}; exec {BOT}'"
    seats = [{"kind": "here"}, {"kind": "link"}, {"kind": "computer", "level": "7"}]
    with running(sqlite, engine=engine) as server:
        for _ in range(3):
            assert server.table(seats=seats).look()["stage"] == "waiting"
        deadline = time.monotonic() + PATIENCE
        while not started.exists():
            assert time.monotonic() < deadline, "no engine was started"
            time.sleep(0.05)
        ann = server.table(seats=one_computer("7"), lots=False)
        ann.play(4)
        wait_for(ann, lambda found: any(event.get("seat") == 2 for event in found["events"]))
    assert started.read_text().split() == ["7"]


def test_no_engine_ends_for_a_table_that_may_never_start() -> None:
    async def work(engines: EnginePool) -> None:
        most = engines.budget.processes + pool.SPARE
        for level in map(str, range(most + 3)):
            engines.prepare(level)
            await asyncio.gather(*engines.tasks.running)
        assert [engine.level for engine in engines.idle] == [str(number) for number in range(most)]
        assert all(engine.client.is_alive for engine in engines.idle)

    with_pool(Settings(engine="cat", levels="0"), work)


# --- failing players


def test_a_failed_player_is_replaced_by_a_weaker_one_that_all_can_see(sqlite: str, tmp_path: Path) -> None:
    engine = f"sh -c 'test {{level}} != captain && exec {sys.executable} -m cartagena engine --player {{level}}'"
    with process(sqlite, tmp_path, engine=engine, levels="deckhand,captain") as server:
        for _ in range(2):
            ann = server.table("tortuga-en", one_computer("captain"), lots=False)
            ann.play(4)
            seen = wait_for(ann, lambda found: any(event["type"] == "standin" for event in found["events"]))
            told = [event for event in ann.look()["events"] if event["type"] == "standin"]
            assert [(event["seat"], event["level"]) for event in told] == [(2, "sailor")]
            assert seen["seats"][1]["level"] == "sailor"
        assert server.get("/readyz").text == "ready\ncomputer player captain fails\n"
        figures = server.figures()
        assert 'cartagena_computer_failures_total{level="captain"} ' in figures
        assert "cartagena_computer_levels_failing 1.0" in figures
        assert server.process is not None
        assert "numpy" not in Path(f"/proc/{server.process.pid}/maps").read_text()
        errors = [json.loads(line) for line in server.log.read_text().splitlines()]
    assert [(error["message"], error["player"]) for error in errors] == [("a computer player failed", "captain")]


def test_a_game_goes_on_at_the_weaker_level_after_a_restart(sqlite: str) -> None:
    with running(sqlite, engine="false {level}", levels="captain") as server:
        ann = server.table("tortuga-en", one_computer("captain"), lots=False)
        ann.play(4)
        wait_for(ann, lambda found: any(event["type"] == "standin" for event in found["events"]))
    with running(sqlite) as server:
        ann.server = server
        assert ann.look()["seats"][1]["level"] == "sailor"


def test_no_stand_in_is_stronger_than_the_player_that_failed() -> None:
    assert computer_seats.levels_below("captain") == ("sailor", "deckhand")
    assert computer_seats.levels_below("sailor") == ("sailor", "deckhand")
    assert computer_seats.levels_below("deckhand") == ("deckhand",)
    assert computer_seats.levels_below("another-program") == ("sailor", "deckhand")


def test_a_stand_in_that_fails_is_replaced_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def __init__(self, seed: int) -> None:
            raise RuntimeError(seed)

    monkeypatch.setattr("cartagena.players.simple.Sailor", Broken)

    async def main() -> None:
        level, move = await computer_seats.StandIns().choose("captain", opening(), "game")
        assert level == "deckhand"
        assert move in opening().legal_words()

    asyncio.run(main())


def test_stand_ins_need_no_compiled_code() -> None:
    code = """
import asyncio, sys
from cartagena import Game
from cartagena.server.bots.computer_seats import LEVELS_IN_PROCESS, StandIns
for level in LEVELS_IN_PROCESS:
    asyncio.run(StandIns().choose(level, Game.new(seats=2, seed=1).view(1), "game"))
sys.exit(any(name in sys.modules for name in ("numba", "numpy")))
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- the pool

ENGINE = """
import json, os, sys, time
from cartagena import Position
level, folder = sys.argv[1:]
threads = int(os.environ["CARTAGENA_THREADS"])
with open(folder + "/requests", "a", buffering=1) as file:
    for line in sys.stdin:
        request = json.loads(line)
        file.write(json.dumps({**request, "at": time.monotonic(), "threads": threads}) + "\\n")
        time.sleep(0.05)
        file.write(json.dumps({"at": time.monotonic(), "threads": -threads}) + "\\n")
        move = Position.parse(request["view"]).legal_words()[0] if os.path.exists(folder + "/works") else "nonsense"
        print(json.dumps({"id": request["id"], "move": move, "pid": os.getpid()}), flush=True)
"""


def write_engine(folder: Path, *, works: bool = True) -> str:
    """The command of an engine that notes its requests in the folder, and plays legal moves if it works."""
    (folder / "engine.py").write_text(ENGINE)
    if works:
        (folder / "works").touch()
    return f"{sys.executable} {folder / 'engine.py'} {{level}} {folder}"


def requests(folder: Path) -> list[dict[str, Any]]:
    """What the engines have noted in whole lines."""
    lines = (folder / "requests").read_text().splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith("\n")]


def opening() -> Position:
    return Game.new("tortuga-en", seats=2, seed=1).view(1)


def with_pool(settings: Settings, work: Callable[[EnginePool], Awaitable[None]]) -> None:
    async def main() -> None:
        engines = EnginePool(settings)
        try:
            await work(engines)
        finally:
            await engines.stop()

    asyncio.run(main())


def test_processes_and_threads_leave_one_core_to_people() -> None:
    for cores in range(1, 70):
        for wanted in range(80):
            processes, threads = core_budget(wanted, cores)
            assert processes >= 1
            assert threads >= 1
            assert processes * threads <= max(1, cores - 1)
    assert core_budget(1, 8) == (1, 7)
    assert core_budget(2, 8) == (2, 3)
    assert core_budget(0, 8) == (7, 1)


def test_thinking_threads_never_exceed_the_budget(sqlite: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "cores", lambda: 6)
    with running(sqlite, engine=write_engine(tmp_path), engine_processes=2) as server:
        hosts = [server.table("tortuga-en", TWO_COMPUTERS, spectators="public") for _ in range(5)]
        seq, deadline = 6, time.monotonic() + PATIENCE
        while seq == 6 or (most_threads(tmp_path) < 4 and time.monotonic() < deadline):  # an engine may start late
            for host in hosts:
                wait_for(host, lambda found, least=seq: found["seq"] >= least or found["stage"] == "over")
            seq += 3
    assert most_threads(tmp_path) == 4  # two engines with two threads each, of five cores


def most_threads(folder: Path) -> int:
    """The most threads that thought at once."""
    busy = most = 0
    for item in sorted(requests(folder), key=lambda item: (item["at"], item["threads"])):
        busy += item["threads"]
        most = max(most, busy)
    return most


def test_moves_name_their_game_and_hints_none(sqlite: str, tmp_path: Path) -> None:
    with running(sqlite, engine=write_engine(tmp_path), levels="7") as server:
        ann = server.table("tortuga-en", one_computer("7"), lots=False)
        assert ann.do("hint", {"seconds": 0.1}).status_code == 200
        ann.play(4)
        wait_for(ann, lambda found: any(event.get("seat") == 2 for event in found["events"]))
    hint, *moves = [item for item in requests(tmp_path) if "view" in item]
    assert "game" not in hint
    assert moves
    assert {item["game"] for item in moves} == {ann.table}


def test_a_game_returns_to_the_engine_that_knows_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "cores", lambda: 4)

    async def work(engines: EnginePool) -> None:
        async def pid(game: str) -> int:
            return int(str((await engines.ask(Question("7", opening(), 0.1, game)))["pid"]))

        first = await asyncio.gather(*(pid(game) for game in "abc"))
        assert len(set(first)) == 3
        for _ in range(5):
            assert [await pid(game) for game in "bca"] == [first[1], first[2], first[0]]

    with_pool(Settings(engine=write_engine(tmp_path)), work)


def test_a_player_that_works_again_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(engines: EnginePool) -> None:
        assert await engines.choose("7", opening(), "a") is None
        assert engines.failing == ["7"]
        assert len(requests(tmp_path)) == 2 * pool.TRIES
        (tmp_path / "works").touch()
        assert await engines.choose("7", opening(), "a") is None  # it is not asked for a minute
        assert len(requests(tmp_path)) == 2 * pool.TRIES
        monkeypatch.setattr(pool, "PAUSE", 0.0)
        assert await engines.choose("7", opening(), "a") == opening().legal_words()[0]
        assert engines.failing == []

    with_pool(Settings(engine=write_engine(tmp_path, works=False)), work)
