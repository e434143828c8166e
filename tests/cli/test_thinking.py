"""The verbs that need players: engine --player, arena and play --seat."""

import json
import math
import random
import re
import time
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue

import pytest
from tests.cli.helpers import PATIENCE, PROGRAM, cartagena

from cartagena.cli.engine.protocol import COMMANDS, Engine
from cartagena.cli.engine.thinking import Thinker, analysis_fields
from cartagena.game import Move, Position
from cartagena.players import WHY, Analysis, Limit, Player, create
from cartagena.players.engine_client import SyncEngineClient

VIEW = "jamaica-en SPBKDH s,s/s,s BDH/?3 - ?96 - - 1.0"
OVER = "jamaica-en BPHSDK b,b/s,s B2/DK - B15D16H17K16P17S17 - - =1"


def conversation(player: str, lines: list[bytes]) -> list[dict[str, object]]:
    """The answers of an engine with a player to these lines."""
    said: list[bytes] = []
    mind = Thinker(create(player), said.append)
    engine = Engine({**COMMANDS, **mind.commands()})
    for line in lines:
        said.append(engine.answer(line))
        mind.wait()
    return [json.loads(line) for line in said if line]


def test_go_answers_with_a_move_and_what_the_player_thinks() -> None:
    request = json.dumps({"id": 1, "cmd": "go", "view": VIEW, "limit": {"nodes": 100}}).encode()
    (answer,) = conversation("captain", [request])
    assert answer["id"] == 1
    assert answer["move"] in {"s:B", "s:D", "s:H"}
    assert sum(answer["value"]) == pytest.approx(1.0, abs=1e-3)  # type: ignore[call-overload]
    assert set(answer["why"]) <= set(WHY)  # type: ignore[call-overload]
    assert answer["turns"][0]["moves"][0] == answer["move"]  # type: ignore[index]
    assert answer["nodes"] >= 100  # type: ignore[operator]


def test_go_without_an_explanation_answers_with_the_same_move_alone() -> None:
    fields = {"cmd": "go", "view": VIEW, "limit": {"nodes": 100}, "game": "table 7"}
    asked = [json.dumps({**fields, **more}).encode() for more in ({}, {"explain": False})]
    (explained,), (alone,) = (conversation("captain", [line]) for line in asked)
    assert alone == {"move": explained["move"]}


def test_the_reasons_are_a_closed_list_that_is_written_down() -> None:
    page = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
    told = page.partition("`why` has codes from this list: ")[2].partition(". A player")[0]
    assert tuple(re.findall(r"`([a-z-]+)`", told)) == WHY


def test_a_player_that_says_no_more_gives_its_move() -> None:
    assert analysis_fields(Analysis(Move.parse("end"))) == {
        "move": "end",
        "value": [],
        "turns": [],
        "why": [],
        "nodes": 0,
    }


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({}, "bad-request"),
        ({"view": 1}, "bad-request"),
        ({"view": "nonsense"}, "not-notation"),
        ({"view": OVER}, "nothing-to-choose"),
        ({"view": VIEW, "limit": 1}, "bad-request"),
        ({"view": VIEW, "limit": {"depth": 1}}, "bad-request"),
        ({"view": VIEW, "limit": {"time": "1"}}, "bad-request"),
        ({"view": VIEW, "limit": {"nodes": 1.5}}, "bad-request"),
        ({"view": VIEW, "limit": {"nodes": True}}, "bad-request"),
        ({"view": VIEW, "game": 5}, "bad-request"),
        ({"view": VIEW, "explain": "no"}, "bad-request"),
        ({"view": VIEW, "game": "x" * 201}, "bad-request"),
        ({"view": VIEW, "limit": {"nodes": 0}}, "player-error"),
        ({"view": VIEW, "limit": {"time": -1}}, "player-error"),
    ],
)
def test_a_bad_go_is_refused_in_one_sentence(fields: dict[str, object], code: str) -> None:
    (answer,) = conversation("sailor", [json.dumps({"cmd": "go", **fields}).encode()])
    assert answer["error"]["code"] == code  # type: ignore[index]
    assert answer["error"]["message"].endswith(".")  # type: ignore[index]


def test_whatever_is_sent_gets_an_answer() -> None:
    """Fuzzing: valid requests, broken at random places."""
    chance = random.Random(7)
    whole = json.dumps({"id": 1, "cmd": "go", "view": VIEW, "limit": {"nodes": 4}}).encode()
    lines = []
    for _ in range(400):
        line = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            line[chance.randrange(len(line))] = chance.choice(b'{}[]":,0159abn?/- \\\xff')
        lines.append(bytes(line).replace(b"\n", b" "))
    answers = conversation("sailor", lines)
    assert len(answers) == len(lines)
    assert all("move" in answer or "error" in answer for answer in answers)


def engine_with(player: Player, send: Callable[[bytes], None]) -> Engine:
    return Engine({**COMMANDS, **Thinker(player, send).commands()})


def test_an_answered_request_is_over() -> None:
    """The next go is sent the moment the answer is read, while the thread behind the answer still lives."""
    said: SimpleQueue[bytes] = SimpleQueue()

    def send(line: bytes) -> None:
        said.put(line)
        time.sleep(0.02)

    engine = engine_with(create("sailor"), send)
    for number in range(20):
        assert engine.answer(json.dumps({"id": number, "cmd": "go", "view": VIEW}).encode()) == b""
        assert json.loads(said.get(timeout=PATIENCE))["id"] == number
        assert json.loads(engine.answer(b'{"cmd":"stop"}')) == {"stopped": False}


def test_many_requests_in_a_row_through_a_real_engine() -> None:
    """10,000 requests on a busy machine: ``make endurance``."""
    with SyncEngineClient([*PROGRAM, "engine", "--player", "deckhand"]) as engine:
        answers = [engine.go(VIEW, timeout=PATIENCE) for _ in range(300)]
    assert {answer["move"] for answer in answers} <= {"s:B", "s:D", "s:H"}


def test_a_second_go_while_thinking_is_busy_until_a_stop() -> None:
    said: SimpleQueue[bytes] = SimpleQueue()
    engine = engine_with(create("captain"), said.put)
    long = json.dumps({"id": 1, "cmd": "go", "view": VIEW, "limit": {"time": PATIENCE}}).encode()
    assert engine.answer(long) == b""
    assert json.loads(engine.answer(long))["error"]["code"] == "busy"
    assert json.loads(engine.answer(b'{"cmd":"stop"}')) == {"stopped": True}
    assert json.loads(said.get(timeout=PATIENCE))["move"]


@pytest.mark.parametrize("limit", [{}, {"time": None}, {"time": None, "nodes": None}])
def test_a_limit_that_names_nothing_is_the_players_own(limit: dict[str, object]) -> None:
    (answer,) = conversation("quartermaster", [json.dumps({"cmd": "go", "view": VIEW, "limit": limit}).encode()])
    assert answer["nodes"] <= 3_100  # type: ignore[operator]


@pytest.mark.parametrize("failure", [ZeroDivisionError, SystemExit])
def test_a_player_that_fails_is_answered_and_asked_again(failure: type[BaseException]) -> None:
    class Failing:
        name = "failing"

        def decide(self, view: Position, limit: Limit | None = None) -> Move:
            raise failure

    said: SimpleQueue[bytes] = SimpleQueue()
    engine = engine_with(Failing(), said.put)
    for _ in range(2):
        assert engine.answer(json.dumps({"cmd": "go", "view": VIEW}).encode()) == b""
        assert json.loads(said.get(timeout=PATIENCE))["error"]["code"] == "player-failed"


def test_an_answer_that_is_no_json_is_a_failure() -> None:
    class Doubtful:
        name = "doubtful"

        def decide(self, view: Position, limit: Limit | None = None) -> Move:
            return view.legal_moves[0]

        def analyse(self, view: Position, limit: Limit | None = None) -> Analysis:
            return Analysis(view.legal_moves[0], (math.nan, math.nan))

    said: SimpleQueue[bytes] = SimpleQueue()
    engine = engine_with(Doubtful(), said.put)
    for _ in range(2):
        assert engine.answer(json.dumps({"cmd": "go", "view": VIEW}).encode()) == b""
        assert json.loads(said.get(timeout=PATIENCE))["error"]["code"] == "player-failed"


def test_stop_without_thinking_does_no_harm() -> None:
    assert conversation("captain", [b'{"cmd":"stop"}']) == [{"stopped": False}]


def test_the_engine_as_a_program() -> None:
    done = cartagena("engine", "--player", "sailor", stdin=json.dumps({"id": 7, "cmd": "go", "view": VIEW}) + "\n")
    assert json.loads(done.stdout)["id"] == 7
    assert done.returncode == 0
    wrong = cartagena("engine", "--player", "corsair")
    assert "is not a player" in wrong.stderr
    assert wrong.returncode == 2


def test_quit_stops_a_player_that_thinks() -> None:
    long = {"id": 1, "cmd": "go", "view": VIEW, "limit": {"time": 100 * PATIENCE}}
    done = cartagena("engine", "--player", "captain", stdin=json.dumps(long) + '\n{"id":2,"cmd":"quit"}\n')
    bye, answer = map(json.loads, done.stdout.splitlines())
    assert (done.returncode, bye, answer["id"]) == (0, {"id": 2, "bye": True}, 1)
    assert answer["move"] in ("s:B", "s:D", "s:H")


def test_the_end_of_the_input_stops_a_player_that_thinks() -> None:
    long = {"id": 1, "cmd": "go", "view": VIEW, "limit": {"time": 100 * PATIENCE}}
    done = cartagena("engine", "--player", "captain", stdin=json.dumps(long) + "\n")
    answer = json.loads(done.stdout)
    assert (done.returncode, done.stderr, answer["id"]) == (0, "", 1)
    assert answer["move"] in ("s:B", "s:D", "s:H")


def test_arena_and_its_files(tmp_path: Path) -> None:
    out = tmp_path / "r.jsonl"
    words = ["arena", "sailor", "deckhand", "--rules", "nest-nl", "--games", "4", "--out", str(out), "--processes", "1"]
    done = cartagena(*words, "--json")
    assert json.loads(done.stdout)["games"] == 4, done.stderr
    assert len(out.read_text().splitlines()) == 5
    assert "4 games" in cartagena(*words).stdout
    wrong = cartagena("arena", "sailor", "deckhand", "--stop", "0.9,0.1")
    assert wrong.stderr.strip().splitlines()[-1].startswith("--stop takes two shares")


def test_a_person_plays_against_a_player() -> None:
    done = cartagena("play", "tortuga-en", "--seat", "you", "--seat", "sailor", "--seed", "3", stdin="1\nend\nquit\n\n")
    assert "Since you last looked" in done.stdout, done.stderr
    wrong = cartagena("play", "tortuga-en", "--seats", "2", "--seat", "you", "--seat", "sailor", "--seat", "gunner")
    assert "there are 2 seats, but 3 players were named" in wrong.stderr.lower()
