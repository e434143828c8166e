"""One way in: classes, factories and objects, by call, from a file or an entry point, in every process."""

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import cartagena.players
from cartagena import Game, Limit, Move, Position
from cartagena.arena import Contest, Entrant, play_match, run
from cartagena.players import PlayerError, analyse, create, load_code, names, register
from cartagena.players.registry import maker
from cartagena.players.weights import by_hand, write

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


def test_files_of_one_name_do_not_replace_one_another(tmp_path: Path) -> None:
    """Objects of their classes travel to other processes by the name of the module."""
    for folder in ("one", "other"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bot.py").write_text(BOT.replace("first_of_entry", f"of_{folder}"))
        assert load_code(tmp_path / folder / "bot.py") == (f"of_{folder}",)
    players = create("of_one"), create("of_other")
    assert [pickle.loads(pickle.dumps(player)).name for player in players] == ["of_one", "of_other"]


@pytest.mark.parametrize("path", [3, None, b"bot.py", ["bot.py"]])
def test_a_path_that_is_no_text_is_one_sentence(path: Any) -> None:
    with pytest.raises(PlayerError, match="the path of a Python file is a text, not"):
        load_code(path)


# --- options


def test_a_player_takes_weights_of_a_file_or_of_a_generation(tmp_path: Path) -> None:
    view = Game.new("jamaica-en", seed=1).view(1)
    mine = tmp_path / "mine.json"

    def value(name: str) -> tuple[float, ...]:
        return analyse(view, Limit(nodes=400), player=create(name, 1)).value

    usual = value("captain")
    assert value("captain:weights=tuned") == usual
    assert value("captain:weights=2026-11") == value(f"captain:weights={packaged_file('jamaica-2')}")
    write(mine, by_hand(view.rules), 17)
    by_file = value(f"captain:weights={mine}")
    assert by_file == value("captain:weights=hand") != usual
    write(mine, -by_hand(view.rules), 17)
    assert value(f"captain:weights={mine}") != by_file, "a file that was written again is read again"
    state = mine.stat()
    write(mine, by_hand(view.rules), 17)
    mine.write_bytes(mine.read_bytes().ljust(state.st_size))
    os.utime(mine, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert mine.stat().st_size == state.st_size
    assert value(f"captain:weights={mine}") == by_file, "neither the size nor the time of a file stands for its content"
    assert Entrant.parse(f"captain:weights={mine}@100n").limit == Limit(nodes=100)


def packaged_file(name: str) -> Path:
    return Path(cartagena.players.__file__).parent / "data" / "2026-11" / f"{name}.json"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("captain:weights=none.json", "neither a file nor weights of this package (hand, tuned, 2026-11"),
        (f"captain:weights={__file__}", "is not a file of weights"),
        ("captain:heat=3", "the player captain has no option heat; it has weights"),
        ("captain:weights", "options are written as captain:name=value"),
        ("sailor:weights=hand", "the player sailor has no option weights; it has none"),
        ("last_object:depth=3", "has no option depth; it has none"),
        ("nobody:depth=3", "'nobody' is not a player"),
    ],
)
def test_options_that_a_player_does_not_have_are_refused(name: str, sentence: str) -> None:
    register("last_object", Last())
    with pytest.raises(PlayerError) as caught:
        create(name)
    assert sentence in str(caught.value)


def test_options_reach_the_players_of_users() -> None:
    register("deep", Deep)
    player: Any = create("deep:depth=5")
    assert player.depth == "5"
