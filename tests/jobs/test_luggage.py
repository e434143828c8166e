"""What travels to the workers of a cluster: files are found by their names elsewhere, and versions must be equal."""

import os
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from cartagena.jobs.ray_cluster import Luggage, do_there, pack
from cartagena.players import create, registry
from cartagena.players.files import at
from cartagena.players.registry import Exported

BOT = """
class Last:
    name = "last_of_the_luggage"

    def decide(self, view, limit=None):
        return view.legal_moves[-1]
"""


def read(name: str) -> str:
    return at(name).read_text(encoding="utf-8")


@pytest.fixture
def luggage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Luggage:
    """A file of numbers and a file of players, packed where they are and then removed."""
    monkeypatch.setattr(os, "environ", dict(os.environ))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for held in ("_added", "_files"):
        monkeypatch.setattr(registry, held, dict(getattr(registry, held)))
    weights, bots = tmp_path / "weights.json", tmp_path / "bots.py"
    weights.write_text("[1, 2]", encoding="utf-8")
    bots.write_text(BOT, encoding="utf-8")
    packed = pack(frozenset({str(weights), str(bots)}))
    weights.unlink()
    bots.unlink()
    return replace(packed, players=Exported((str(bots),), {}, ()))


def test_a_worker_finds_files_and_players_by_their_names_elsewhere(luggage: Luggage, tmp_path: Path) -> None:
    name = str(tmp_path / "weights.json")
    assert do_there(luggage, read, [name, name]).answers == ["[1, 2]", "[1, 2]"]
    assert create("last_of_the_luggage").name == "last_of_the_luggage"


def test_luggage_is_unpacked_once(luggage: Luggage, tmp_path: Path) -> None:
    do_there(luggage, read, [])
    before = sorted(tmp_path.rglob("*"))
    do_there(luggage, read, [])
    assert sorted(tmp_path.rglob("*")) == before
    assert [path.name for path in before if path.is_file()] == ["bots.py", "weights.json"]


def test_work_has_its_own_luggage_again_after_other_work(luggage: Luggage, tmp_path: Path) -> None:
    name = str(tmp_path / "weights.json")
    other = replace(luggage, files={**luggage.files, name: b"[3]"})
    assert [do_there(each, read, [name]).answers for each in (luggage, other, luggage)] == [
        ["[1, 2]"],
        ["[3]"],
        ["[1, 2]"],
    ]


def test_a_worker_of_another_version_says_so(luggage: Luggage) -> None:
    done = do_there(replace(luggage, version="0.0.1"), read, ["weights.json"])
    assert list(done.answers) == []
    assert "this machine 0.0.1; install the same version everywhere" in str(done.error)
