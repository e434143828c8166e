"""One way in: classes, factories and objects, by call, from a file or an entry point, in every process."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cartagena import Limit, Move, Position
from cartagena.arena import Contest, play_match, run
from cartagena.players import PlayerError, create, load_code, names, register
from cartagena.players.registry import maker

BOT = """
class First:
    name = "first_of_entry"

    def decide(self, view, limit=None):
        return view.legal_moves[0]
"""


class Last:
    """A player of this module: its constructor takes no seed."""

    name = "last"

    def decide(self, view: Position, limit: Limit | None = None) -> Move:
        return view.legal_moves[-1]


class Seeded(Last):
    """A player that keeps its seed."""

    def __init__(self, seed: int) -> None:
        self.seed = seed


class Deep(Last):
    """A player whose only parameter is no seed."""

    def __init__(self, depth: int = 3) -> None:
        self.depth = depth


def seeded(number: int) -> Seeded:
    return Seeded(number)


def unseeded() -> Last:
    return Last()


@pytest.mark.parametrize("given", [Last, Last(), unseeded, Seeded, seeded, Deep])
def test_a_class_a_factory_and_an_object_are_players(given: Any) -> None:
    register("given", given)
    assert "given" in names()
    assert isinstance(create("given", 7), Last)


def test_only_a_seed_is_given_as_a_seed() -> None:
    made: Any = maker("x", Seeded)(7), maker("x", seeded)(8), maker("x", Deep)(9)
    assert (made[0].seed, made[1].seed, made[2].depth) == (7, 8, 3)


def refuses() -> None:
    raise RuntimeError("no sea")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (7, "is no player"),
        (dict, "is no player"),
        (refuses, "RuntimeError: no sea"),
        (lambda: 7, "has no method decide"),
    ],
)
def test_what_is_no_player_gets_a_sentence(given: Any, sentence: str) -> None:
    with pytest.raises(PlayerError, match=sentence):
        maker("wrong", given)(1)


def test_a_registered_player_plays_in_worker_processes() -> None:
    register("last", Last)
    register("object", Seeded(3))
    results = run(Contest(("last", "object"), rules="nest-nl", games=4, seed="t"), processes=2)
    assert [result.reason for result in results] == [""] * 4


def test_players_can_be_named_by_themselves() -> None:
    match = play_match([Last, "sailor"], "tortuga-en", games=2)
    assert match.contest.players == ("last", "sailor")


def test_a_player_from_the_prompt_plays_in_worker_processes() -> None:
    typed = BOT + (
        "from cartagena.arena import play_match\n"
        "match = play_match([First, 'random'], 'nest-nl', games=4, processes=2)\n"
        "print(len(match.results), sum(bool(result.forfeit) for result in match.results))\n"
    )
    done = subprocess.run([sys.executable, "-c", typed], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.returncode) == ("4 0", 0), done.stderr


def test_a_file_loaded_by_call_is_known_in_worker_processes(tmp_path: Path) -> None:
    (tmp_path / "bots.py").write_text(BOT.replace("first_of_entry", "first_of_file"))
    load_code(tmp_path / "bots.py")
    results = run(Contest(("first_of_file", "random"), rules="nest-nl", games=2, seed="t"), processes=2)
    assert [result.reason for result in results] == ["", ""]


def test_the_documented_class_works_as_an_entry_point(tmp_path: Path) -> None:
    (tmp_path / "harbour.py").write_text(BOT)
    about = tmp_path / "harbour-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: harbour\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[cartagena.players]\nfirst_of_entry = harbour:First\n")
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from cartagena.players import create\nprint(create('first_of_entry', 3).name)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "first_of_entry", done.stderr
