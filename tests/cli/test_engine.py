"""The engine in real processes, and its answers to arbitrary input."""

import json
import signal
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cli.helpers import PATIENCE, PROGRAM, converse, wait_until_busy
from tests.positions import A, B
from tests.variants import every_key

from cartagena import Game, Position, __version__
from cartagena.cli.engine.protocol import MAX_DEPTH, MAX_LINE, Engine, Request
from cartagena.players import engine_client
from cartagena.players.engine_client import SyncEngineClient


def ask(line: bytes) -> dict[str, Any]:
    """One answer from an engine in this process."""
    answer = Engine().answer(line)
    assert answer.endswith(b"\n")
    assert answer.count(b"\n") == 1
    value = json.loads(answer, parse_constant=pytest.fail)
    assert isinstance(value, dict)
    return value


def asking(**fields: Any) -> dict[str, Any]:
    return ask(json.dumps(fields).encode())


def test_a_conversation() -> None:
    answers = converse(
        {"id": 1, "cmd": "hello"},
        {"id": 2, "cmd": "legal", "position": A},
        {"id": 3, "cmd": "apply", "position": A, "moves": ["17:B", "18<", "s:D"]},
        {"id": 4, "cmd": "perft", "position": A, "depth": 3},
        {"id": 5, "cmd": "view", "position": B, "seat": 2},
        {"id": 6, "cmd": "quit"},
        {"id": 7, "cmd": "hello"},
    )
    assert [answer["id"] for answer in answers] == [1, 2, 3, 4, 5, 6]
    hello, legal, after, perft, view, bye = answers
    assert (hello["name"], hello["version"]) == ("cartagena", __version__)
    assert "tortuga-en" in hello["rulesets"]
    assert legal["moves"] == [str(move) for move in Position.parse(A).legal_moves]
    assert after == {
        "id": 3,
        "position": A.replace("s,6,6,17,18,b/", "6,6,7,17,b,b/")
        .replace("BDDHKSPBH", "DHKSPBH")
        .replace(" B6D6H6", " B7D7H6")
        .replace("1.0", "1.3"),
    }
    assert perft == {"id": 4, "perft": 3923}
    assert view["position"] == B.replace("C3DM/CGPST/CDMPST/CDGMPST", "?5/CGPST/?6/?7").replace(
        "C4C!D7D!G8G!M6M!P6P!S6S!T6T!", "?50"
    )
    assert bye == {"id": 6, "bye": True}


def test_mistakes_are_answered_and_the_engine_lives_on() -> None:
    answers = converse(
        b"{",
        b"",
        b"\xff\xfe",
        b"[" * 200_000,
        b'"' + b"x" * MAX_LINE + b'"',
        {"id": 1, "cmd": "dance"},
        {"id": 2, "cmd": "legal", "position": "nonsense"},
        {"id": 3, "cmd": "legal", "position": A.replace("S8 - 1.0", "S9 - 1.0")},
        {"id": 4, "cmd": "apply", "position": A, "moves": ["17:B", "18:K"]},
        {"id": 5, "cmd": "perft", "position": A, "depth": MAX_DEPTH + 1},
        {"id": 6, "cmd": "hello"},
    )
    codes = [answer.get("error", {}).get("code") for answer in answers]
    assert codes == [
        "bad-json",
        "bad-json",
        "bad-json",
        "too-long",
        "unknown-command",
        "not-notation",
        "impossible-position",
        "illegal-move",
        "bad-request",
        None,
    ]
    assert [answer.get("id") for answer in answers] == [None, None, None, None, 1, 2, 3, 4, 5, 6]
    illegal = answers[7]["error"]
    assert (illegal["reason"], illegal["index"]) == ("card-not-held", 1)
    assert illegal["message"] == "Blue holds no card K."
    assert answers[6]["error"]["word"] == "discard pile"


@pytest.mark.parametrize("value", [None, 0, 1.5, "x", [1, {"a": None}], {}, False, "\ud800"])
def test_the_id_comes_back_as_it_was(value: object) -> None:
    answer = asking(id=value, cmd="hello")
    assert answer["id"] == value
    assert type(answer["id"]) is type(value)
    assert asking(id=value, cmd="dance")["id"] == value


def test_no_id_no_id() -> None:
    assert "id" not in asking(cmd="hello")
    assert "id" not in asking(cmd="dance")


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_what_is_no_number_in_json_is_refused(text: str) -> None:
    assert ask(f'{{"id":{text},"cmd":"hello"}}'.encode())["error"]["code"] == "bad-json"


def test_an_id_too_deep_to_send_back_is_refused() -> None:
    for depth in range(100, 1000, 25):
        answer = ask(b'{"cmd":"hello","id":' + b"[" * depth + b"]" * depth + b"}")
        assert "name" in answer or answer["error"]["code"] == "bad-json"


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"cmd": 1},
        {"cmd": ["legal"]},
        {"cmd": "legal"},
        {"cmd": "legal", "position": 5},
        {"cmd": "apply", "position": A},
        {"cmd": "apply", "position": A, "moves": "17:B"},
        {"cmd": "apply", "position": A, "moves": [17]},
        {"cmd": "perft", "position": A},
        {"cmd": "perft", "position": A, "depth": True},
        {"cmd": "perft", "position": A, "depth": 2.0},
        {"cmd": "perft", "position": A, "depth": -1},
        {"cmd": "perft", "position": A, "depth": 10**30},
        {"cmd": "view", "position": A, "seat": 4},
        {"cmd": "view", "position": A, "seat": -1},
        {"cmd": "view", "position": A, "seat": "1"},
    ],
)
def test_missing_and_wrong_fields_are_bad_requests(fields: dict[str, Any]) -> None:
    error = asking(id=1, **fields)["error"]
    assert error["code"] == "bad-request"
    assert error["message"].endswith(".")


def test_a_perft_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cartagena.cli.engine.protocol.MAX_WORK", 100)
    assert asking(cmd="perft", position=A, depth=2) == {"perft": 248}
    assert asking(cmd="perft", position=A, depth=4)["error"]["code"] == "too-much-work"


@pytest.mark.interrupts
def test_an_interrupt_stops_the_work_and_not_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_client, "PARTING", PATIENCE)  # on a busy machine it may take long to end
    with (
        SyncEngineClient([*PROGRAM, "engine"]) as engine,
        ThreadPoolExecutor() as pool,
    ):
        process = engine.client.process
        assert engine.request("hello", timeout=PATIENCE)["name"] == "cartagena"
        counting = pool.submit(engine.request, "perft", position=B, depth=9, timeout=PATIENCE)
        wait_until_busy(process.pid, 0.5)
        process.send_signal(signal.SIGINT)
        assert counting.result(PATIENCE)["error"]["code"] == "interrupted"
        assert engine.request("quit", timeout=PATIENCE) == {"id": 3, "bye": True}
        engine.close()
        assert process.returncode == 0


def test_more_commands_can_be_added() -> None:
    said: list[str] = []

    def go(request: Request) -> None:
        said.append(request.text("position"))

    engine = Engine({"go": go})
    assert engine.answer(b'{"cmd":"go","position":"x"}') == b""
    assert said == ["x"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)
COMMAND = st.sampled_from(["hello", "legal", "apply", "perft", "view", "dance"])
WORDS = st.sampled_from([*A.split(" "), *B.split(" "), "-", "?5", "0", "=1", "3.0", "1.0+2", "1.0!3", "é", ""])
POSITION = st.lists(WORDS, min_size=9, max_size=9).map(" ".join) | st.text() | st.sampled_from([A, B])
MOVES = st.lists(st.sampled_from(["end", "s:D", "17:B", "18<", "b<", "sail", "+D", "+?", "drop:C", "2@13"]) | st.text())
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "id": JSON,
        "cmd": COMMAND | JSON,
        "position": POSITION | JSON,
        "moves": MOVES | JSON,
        "depth": st.integers(-1, 2) | JSON,
        "seat": st.integers(-1, 6) | JSON,
    },
)


@settings(max_examples=200, deadline=None)
@given(FIELDS)
def test_any_request_gets_one_answer(fields: dict[str, Any]) -> None:
    if isinstance(fields.get("depth"), int) and 2 < fields["depth"] <= MAX_DEPTH:
        fields["depth"] = 2
    answer = asking(**fields)
    assert answer.get("id") == fields.get("id")
    if "error" in answer:
        assert answer["error"]["message"]
        assert isinstance(answer["error"]["code"], str)


@settings(max_examples=200, deadline=None)
@given(st.binary())
def test_any_bytes_get_one_answer(line: bytes) -> None:
    line = line.replace(b"\n", b" ")
    if line.strip():
        ask(line)
    else:
        assert Engine().answer(line) == b""


def test_positions_of_a_variant_are_read_with_its_rules() -> None:
    rules = every_key()["tunnel"]
    position = Game.new(rules, seed=1).position
    sent = {"position": str(position), "rules": rules.to_data()}
    asked, view, plain, wrong, bad = converse(
        {"cmd": "legal", **sent},
        {"cmd": "view", "seat": 1, **sent},
        {"cmd": "legal", "position": str(position)},
        {"cmd": "legal", **sent, "rules": {"base": "tortuga-en", "draw": 9}},
        {"cmd": "legal", **sent, "rules": "tortuga-en"},
    )
    assert asked["moves"] == position.legal_words()
    assert view["position"] == str(position.view(1))
    assert plain["error"]["code"] == "impossible-position"
    assert "draw must be 1, 2" in wrong["error"]["message"]
    assert bad["error"]["code"] == "bad-request"


def test_a_player_in_a_program_plays_a_variant() -> None:
    rules = every_key()["nest"]
    game = Game.new(rules, seats=2, seed=1)
    with SyncEngineClient([*PROGRAM, "engine", "--player", "sailor"]) as engine:
        assert engine.go(game.view(1))["move"] in game.position.legal_words()
