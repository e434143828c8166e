"""The verbs that need players: engine --player, arena, tune, play --seat."""

import json
import random
import re
import subprocess
from pathlib import Path

import pytest
from tests.cli.helpers import PATIENCE, PROGRAM

from cartagena.cli.engine.protocol import COMMANDS, Engine
from cartagena.cli.engine.thinking import Thinker, say
from cartagena.game import Move
from cartagena.players import WHY, Analysis, create

VIEW = "jamaica-en SPBKDH s,s/s,s BDH/?3 - ?96 - - 1.0"
OVER = "jamaica-en BPHSDK b,b/s,s B2/DK - B15D16H17K16P17S17 - - =1"


def cartagena(*words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *words],
        input=typed,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def conversation(player: str, lines: list[bytes]) -> list[dict[str, object]]:
    """What an engine with a player says to these lines, thinking included."""
    said: list[bytes] = []
    mind = Thinker(create(player), said.append)
    engine = Engine({**COMMANDS, **mind.commands()})
    for line in lines:
        said.append(engine.answer(line))
        mind.finish()
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


def test_the_reasons_are_a_closed_list_that_is_written_down() -> None:
    page = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
    told = page.partition("`why` has codes from this list: ")[2].partition(". A player")[0]
    assert tuple(re.findall(r"`([a-z-]+)`", told)) == WHY


def test_a_player_that_says_no_more_gives_its_move() -> None:
    assert say(Analysis(Move.parse("end"))) == {"move": "end", "value": [], "turns": [], "why": [], "nodes": 0}


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


def test_stop_without_thinking_does_no_harm() -> None:
    assert conversation("captain", [b'{"cmd":"stop"}']) == [{"stopped": False}]


def test_the_engine_as_a_program() -> None:
    done = cartagena("engine", "--player", "sailor", typed=json.dumps({"id": 7, "cmd": "go", "view": VIEW}) + "\n")
    assert json.loads(done.stdout)["id"] == 7
    assert done.returncode == 0
    wrong = cartagena("engine", "--player", "admiral")
    assert "is not a player" in wrong.stderr
    assert wrong.returncode == 2


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
    done = cartagena("play", "tortuga-en", "--seat", "you", "--seat", "sailor", "--seed", "3", typed="1\nend\nquit\n\n")
    assert "Since you last looked" in done.stdout, done.stderr
    wrong = cartagena("play", "tortuga-en", "--seats", "2", "--seat", "you", "--seat", "sailor", "--seat", "gunner")
    assert "there are 2 seats, but 3 were named" in wrong.stderr.lower()
