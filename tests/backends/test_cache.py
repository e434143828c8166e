"""Compiled code is kept on disk, and a change in any source never runs stale code."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import cartagena
from cartagena.backends import cache

PROBE = """
import numpy as np
from cartagena.backends.cpu import entry, kernel, pointer
total = kernel.cards.total

@entry
def ask(words):
    return total(pointer(words, 0)[0])

print(ask(np.array([0x0201], np.int64)), sum(ask.stats.cache_hits.values()))
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the package that can be changed."""
    source = Path(cartagena.__file__).parent
    shutil.copytree(source, tmp_path / "src" / "cartagena", ignore=shutil.ignore_patterns("__pycache__", "static"))
    (tmp_path / "probe.py").write_text(PROBE)
    return tmp_path


def ask(tree: Path, **more: str) -> list[int]:
    environment = {**os.environ, "PYTHONPATH": str(tree / "src"), "CARTAGENA_CACHE": str(tree / "cache"), **more}
    done = subprocess.run(
        [sys.executable, str(tree / "probe.py")], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return [int(word) for word in done.stdout.split()]


def folders(tree: Path) -> set[str]:
    return {path.name for path in (tree / "cache" / "compiled").iterdir()}


def test_a_change_in_a_callee_is_never_missed(tree: Path) -> None:
    assert ask(tree) == [3, 0]
    assert ask(tree) == [3, 1]  # from disk
    assert len(folders(tree)) == 1
    cards = tree / "src" / "cartagena" / "kernel" / "cards.py"
    text, stat = cards.read_text(), cards.stat()
    changed = text.replace("return (running(word) >> 48) + popc", "return (running(word) >> 40) + popc")
    assert len(changed) == len(text)
    assert changed != text
    cards.write_text(changed)
    os.utime(cards, ns=(stat.st_atime_ns, stat.st_mtime_ns))  # neither size nor time tells
    assert ask(tree)[0] != 3
    assert len(folders(tree)) == 2
    cards.write_text(text)
    assert ask(tree) == [3, 1]


def test_every_room_that_is_compiled_counts(tmp_path: Path) -> None:
    for room in cache.ROOMS:
        (tmp_path / room / "deep").mkdir(parents=True)
        before = cache.digest(tmp_path, ["v1"])
        (tmp_path / room / "deep" / "search.py").write_text("x = 1")
        after = cache.digest(tmp_path, ["v1"])
        (tmp_path / room / "deep" / "search.py").write_text("x = 2")
        assert len({before, after, cache.digest(tmp_path, ["v1"]), cache.digest(tmp_path, ["v2"])}) == 4


def test_the_cache_lies_where_the_user_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CARTAGENA_CACHE", str(tmp_path / "mine"))
    assert cache.wanted_places()[0] == tmp_path / "mine"
    monkeypatch.delenv("CARTAGENA_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.wanted_places()[0] == tmp_path / "xdg" / "cartagena"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache.wanted_places()[0] == tmp_path / "home" / ".cache" / "cartagena"


def test_a_folder_that_cannot_be_written_is_passed_over(tree: Path) -> None:
    (tree / "file").write_text("")
    (tree / "temporary").mkdir()
    assert ask(tree, CARTAGENA_CACHE=str(tree / "file" / "x"), TMPDIR=str(tree / "temporary")) == [3, 0]
    assert [path.name for path in (tree / "temporary").glob("cartagena-*")]


def test_it_runs_without_any_cache(tree: Path) -> None:
    (tree / "file").write_text("")
    nowhere = {"CARTAGENA_CACHE": str(tree / "file" / "x"), "TMPDIR": str(tree / "temporary")}
    (tree / "temporary").mkdir()
    (tree / "temporary" / f"cartagena-{os.getuid()}").write_text("in the way")
    environment = {**os.environ, "PYTHONPATH": str(tree / "src"), **nowhere}
    probe = PROBE.replace(", sum(ask.stats.cache_hits.values())", "")
    done = subprocess.run([sys.executable, "-c", probe], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["3"], done.stderr


def test_old_folders_are_removed(tmp_path: Path) -> None:
    old = time.time() - 10 * cache.YOUNG
    for number in range(6):
        (tmp_path / f"key{number}").mkdir()
        os.utime(tmp_path / f"key{number}", (old + number, old + number))
    (tmp_path / "new").mkdir()
    (tmp_path / "present").mkdir()
    cache.prune(tmp_path / "present")
    assert {path.name for path in tmp_path.iterdir()} == {"present", "new", "key5", "key4"}
