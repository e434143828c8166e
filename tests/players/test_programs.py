"""External players: Python files, and programs that may crash, hang or give invalid answers."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from cartagena import Game
from cartagena.arena import Contest, run
from cartagena.players import Limit, PlayerError, PlayerFailed, create, external, load_code, names

GOOD = (
    f"import sys\nsys.path[:0] = {[path for path in sys.path if path]!r}\n"
    """
import json
from cartagena import Position
for line in sys.stdin:
    asked = json.loads(line)
    view = Position.parse(asked["view"])
    print(json.dumps({"id": asked["id"], "move": str(view.legal_moves[0])}), flush=True)
"""
)

PATIENT = Limit(time=900.0)


def program(tmp_path: Path, text: str) -> str:
    path = tmp_path / "bot.py"
    path.write_text(text)
    return f"cmd:{sys.executable} {path}"


def test_a_program_plays_by_views_only(tmp_path: Path) -> None:
    player = create(program(tmp_path, GOOD))
    game = Game.new("jamaica-en", seats=2, seed=1)
    for _ in range(6):
        game.play(player.decide(game.position, PATIENT))
    player.close()  # type: ignore[attr-defined]
    spy = create(program(tmp_path, 'import sys\nprint(\'{"move":"\' + sys.stdin.readline().count("?") * "x" + \'"}\')'))
    with pytest.raises(PlayerFailed, match="'xx'"):  # two hidden sets of cards: the rival's hand and the stock
        spy.decide(game.position, PATIENT)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has ended"),
        ("raise SystemExit(3)", "has ended"),
        ("input(); print('hello')", "not a JSON object"),
        ("input(); print('[1]')", "not a JSON object"),
        ("input(); print('{}')", "without a move"),
        ("""input(); print('{"move": 17}')""", "without a move"),
        ("""input(); print('{"move": "jump"}')""", "not a move"),
        ("""input(); print('{"move": "b:B"}')""", "illegal"),
        ("""input(); print('{"error": {"code": "x"}}')""", "with an error"),
        ("input(); print('x' * 2_000_000, end='', flush=True); import time; time.sleep(60)", "without an end"),
        ("import time; time.sleep(60)", "in time"),
    ],
)
def test_a_program_that_fails_is_ended_and_reported(
    tmp_path: Path, text: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = said == "in time"
    monkeypatch.setattr(external, "START", 0.0 if late else 900.0)  # a busy machine may be slow to start Python
    monkeypatch.setattr(external, "GRACE", 0.1)
    player = create(program(tmp_path, text))
    view = Game.new("jamaica-en", seats=2, seed=1).view(1)
    with pytest.raises(PlayerFailed, match=said):
        player.decide(view, Limit(time=0.2))
    assert player.engine is None  # type: ignore[attr-defined]


def test_a_program_that_failed_is_started_anew(tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    text = f"from pathlib import Path\nflag = Path({str(flag)!r})\n"
    text += "if not flag.exists():\n    flag.touch()\n    raise SystemExit\n"
    player = create(program(tmp_path, text + GOOD))
    view = Game.new("jamaica-en", seats=2, seed=1).view(1)
    with pytest.raises(PlayerFailed):
        player.decide(view, PATIENT)
    assert player.decide(view, PATIENT) in view.legal_moves
    player.close()  # type: ignore[attr-defined]


def is_alive(process: int) -> bool:
    """True for a running process; one that has ended and waits to be reaped is not."""
    listed = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False)
    return bool(listed.stdout.strip()) and not listed.stdout.startswith("Z")


def test_a_program_leaves_nothing_behind(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    start = (
        f"import subprocess, pathlib\nchild = subprocess.Popen(['sleep', '600'])\npid = pathlib.Path({str(pid)!r})\n"
    )
    player = create(program(tmp_path, f"{start}pid.write_text(str(child.pid))\n{GOOD}"))
    view = Game.new("jamaica-en", seats=2, seed=1).view(1)
    assert player.decide(view, PATIENT) in view.legal_moves
    player.close()  # type: ignore[attr-defined]
    deadline = time.monotonic() + 300.0  # by itself the child would end after ten minutes
    while is_alive(int(pid.read_text())):
        assert time.monotonic() < deadline, "the child is still running"
        time.sleep(0.01)


def test_a_late_answer_is_not_taken_for_the_present_one(tmp_path: Path) -> None:
    late = GOOD.replace("    view =", '    print(json.dumps({"id": asked["id"] - 1, "move": "jump"}))\n    view =')
    player = create(program(tmp_path, late))
    view = Game.new("jamaica-en", seats=2, seed=1).view(1)
    assert player.decide(view, PATIENT) in view.legal_moves
    player.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("command", ["cmd:", "cmd:'", "cmd:./there-is-no-such-bot"])
def test_a_program_that_cannot_be_started(command: str) -> None:
    with pytest.raises(PlayerError, match="cmd:"):
        create(command).decide(Game.new(seed=1).view(1))


def test_the_arena_forfeits_the_games_of_a_program_that_fails(tmp_path: Path) -> None:
    broken = program(tmp_path, "raise SystemExit")
    results = run(Contest((broken, "sailor"), games=2, rules="nest-nl"), processes=1)
    assert [result.seats[result.forfeit - 1] for result in results] == [broken] * 2
    assert all(result.shares()[result.seats.index("sailor")] == 1.0 for result in results)


def test_players_from_a_python_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "class First:\n    name = 'my_first'\n"
        "    def decide(self, view, limit=None):\n        return view.legal_moves[0]\n"
        "class Seeded:\n    def __init__(self, seed):\n        self.seed = seed\n"
        "    name = 'my_seeded'\n    def decide(self, view, limit=None):\n        return view.legal_moves[-self.seed]\n"
    )
    assert load_code(path) == ("my_first", "my_seeded")
    assert {"my_first", "my_seeded"} <= set(names())
    view = Game.new(seed=1).view(1)
    assert create("my_first").decide(view) == view.legal_moves[0]
    assert create("my_seeded", 1).decide(view) == view.legal_moves[-1]


@pytest.mark.parametrize(
    ("text", "said"),
    [("x =", "cannot be run"), ("x = 1", "defines no player"), ("PLAYERS = {'captain': 1}", "already")],
)
def test_a_python_file_without_players_is_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "other.py"
    path.write_text(text)
    with pytest.raises(PlayerError, match=said):
        load_code(path)
    with pytest.raises(PlayerError, match="not a Python file"):
        load_code(tmp_path / "missing.py")


def test_an_illegal_move_of_a_python_player_forfeits(tmp_path: Path) -> None:
    path = tmp_path / "cheat.py"
    path.write_text(
        "from cartagena import Move\nclass Cheat:\n    name = 'cheat'\n"
        "    def decide(self, view, limit=None):\n        return Move.parse('b:B')\n"
        "class Crash:\n    name = 'crash'\n    def decide(self, view, limit=None):\n        return 1 / 0\n"
    )
    results = run(Contest(("cheat", "crash"), games=2, code=(str(path),)), processes=1)
    assert {result.reason.split(":")[0] for result in results} == {"illegal move", "ZeroDivisionError"}
