"""Compiled code is kept on disk, and a change in any source never runs stale code."""

import ast
import io
import os
import shutil
import subprocess
import sys
import time
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from rich.console import Console
from rich.file_proxy import FileProxy

import cartagena
from cartagena.backends import cache
from cartagena.backends.cpu.notice import CLEAR, Notice

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
    ignored = shutil.ignore_patterns("static", "*.pyc.*")  # also bytecode that another process is writing
    shutil.copytree(source, tmp_path / "src" / "cartagena", ignore=ignored)
    (tmp_path / "probe.py").write_text(PROBE)
    return tmp_path


def ask(tree: Path, **more: str) -> list[int]:
    """What the probe prints. Python writes no bytecode meanwhile: it tells sources apart by their time and size."""
    environment = {**os.environ, "PYTHONPATH": str(tree / "src"), "CARTAGENA_CACHE": str(tree / "cache"), **more}
    done = subprocess.run(
        [sys.executable, "-B", str(tree / "probe.py")], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return [int(word) for word in done.stdout.split()]


def rewrite(path: Path, text: str) -> None:
    """Change a source so that neither its time nor Python's own bytecode, which is removed, tells of it."""
    stat = path.stat()
    path.write_text(text)
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    Path(cache_from_source(path)).unlink(missing_ok=True)


def folders(tree: Path) -> set[str]:
    return {path.name for path in (tree / "cache" / "compiled").glob("*/*")}


def test_a_change_in_a_callee_is_never_missed(tree: Path) -> None:
    assert ask(tree) == [3, 0]
    assert ask(tree) == [3, 1]  # from disk
    assert len(folders(tree)) == 1
    cards = tree / "src" / "cartagena" / "kernel" / "cards.py"
    text = cards.read_text()
    changed = text.replace("return (running(word) >> 48) + popc", "return (running(word) >> 40) + popc")
    assert len(changed) == len(text)
    assert changed != text
    rewrite(cards, changed)  # neither size nor time tells
    assert ask(tree)[0] != 3
    assert len(folders(tree)) == 2
    rewrite(cards, text)
    assert ask(tree) == [3, 1]


LATER = """
import os, shutil
import numpy as np
from cartagena.backends import cache
from cartagena.backends.cpu import compiled, entry, pointer
cache.folder("__main__")
if "CHANGED" in os.environ:
    shutil.copy(os.environ["CHANGED"], os.environ["SOURCE"])
number = compiled.load("backends.portable.probe").number

@entry
def ask(words):
    return number(pointer(words, 0)[0])

print(ask(np.ones(1, np.int64)))
"""


def test_a_source_changed_in_a_running_process_leaves_no_code_behind(tree: Path) -> None:
    """The key is that of the sources as they were; code from the changed ones must not lie under it."""
    probe = tree / "src" / "cartagena" / "backends" / "portable" / "probe.py"
    text = "from ...kernel.intrinsics import rule\n\n@rule\ndef number(word):\n    return word + 1\n"
    probe.write_text(text)
    (tree / "other.py").write_text(text.replace("+ 1", "+ 2"))
    (tree / "probe.py").write_text(LATER)
    assert ask(tree, CHANGED=str(tree / "other.py"), SOURCE=str(probe)) == [3]
    assert probe.read_text() != text
    probe.write_text(text)
    assert ask(tree) == [2]


def test_the_key_depends_on_every_compiled_room(tmp_path: Path) -> None:
    rooms = (*cache.SHARED, *cache.ROOMS)
    for room in rooms:
        (tmp_path / room / "deep").mkdir(parents=True)
        before = cache.digest(tmp_path, rooms, ["v1"])
        (tmp_path / room / "deep" / "search.py").write_text("x = 1")
        after = cache.digest(tmp_path, rooms, ["v1"])
        (tmp_path / room / "deep" / "search.py").write_text("x = 2")
        assert len({before, after, cache.digest(tmp_path, rooms, ["v1"]), cache.digest(tmp_path, rooms, ["v2"])}) == 4


SHARED = ("kernel", "backends")


@pytest.mark.parametrize(
    ("module", "rooms"),
    [
        ("cartagena.backends._compiled.backends.cpu.vector_loops", SHARED),
        ("cartagena.players.compiled.ismcts", (*SHARED, "players/compiled")),
        ("cartagena.rl.compiled.tables", (*SHARED, "rl/compiled")),
        ("cartagena.backends._compiled.rl.compiled.observation", (*SHARED, "rl/compiled")),
        ("cartagena.backends._compiled_in_rl.rl.compiled.opponents", (*SHARED, "players/compiled", "rl/compiled")),
        ("cartagena.backends._compiled_in_rl.rl.compiled.whole_game", (*SHARED, "players/compiled", "rl/compiled")),
        ("cartagena.backends._compiled_greedy.backends.cpu.rollout", (*SHARED, "players/compiled", "rl/compiled")),
        ("cartagena.players.core_other", (*SHARED, "players/compiled", "rl/compiled")),
        ("other.package", (*SHARED, "players/compiled", "rl/compiled")),
        ("__main__", (*SHARED, "players/compiled", "rl/compiled")),
    ],
)
def test_code_of_unknown_origin_is_kept_by_all_sources(module: str, rooms: tuple[str, ...]) -> None:
    assert cache.rooms_of(module) == rooms


PACKAGE = Path(cartagena.__file__).parent
COMPILED = [path for room in ("kernel", "backends/portable", "backends/cpu", *cache.ROOMS)
            for path in sorted((PACKAGE / room).rglob("*.py"))]  # fmt: skip


def imported(path: Path) -> set[str]:
    """Return the modules of the package that a file imports or loads."""
    here = ["cartagena", *path.relative_to(PACKAGE).parent.parts]
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            start = [*here[: len(here) - node.level + 1]] if node.level else []
            module = ".".join([*start, *([node.module] if node.module else [])])
            found |= {f"{module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in {"load", "load_all", "import_module"}:
            found |= {
                f"cartagena.{value.value}"
                for value in node.args[:1]
                if isinstance(value, ast.Constant) and isinstance(value.value, str)
            }
    return {name for name in found if name.split(".")[0] == "cartagena"}


@pytest.mark.parametrize("path", COMPILED, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_rooms_take_code_only_from_where_their_key_looks(path: Path) -> None:
    """Otherwise a change in another room would run stale code."""
    rooms = cache.rooms_of("cartagena." + ".".join(path.relative_to(PACKAGE).with_suffix("").parts))
    if not path.is_relative_to(PACKAGE / "rl") and not path.is_relative_to(PACKAGE / "players"):
        rooms = cache.SHARED
    allowed = ("cartagena.errors.", *(f"cartagena.{room.replace('/', '.')}." for room in rooms))  # Python's alone
    assert {name for name in imported(path) if not f"{name}.".startswith(allowed)} == set()


@pytest.fixture
def probed(tree: Path) -> Path:
    """The same with a function in each room that asks the kernel and a constant of another file of the room."""
    for room, at in (("players", "cartagena.players.compiled"), ("rl", "cartagena.rl.compiled")):
        folder = tree / "src" / "cartagena" / room
        (folder / "__init__.py").write_text("")
        (folder / "compiled" / "probe.py").write_text(PROBE.replace("total(", "NUMBER + total(").replace(
            "import numpy as np", f"import numpy as np\nfrom {at}.probe_number import NUMBER"))  # fmt: skip
        (folder / "compiled" / "probe_number.py").write_text("NUMBER = 10\n")
    (tree / "probe.py").write_text("import cartagena.players.compiled.probe, cartagena.rl.compiled.probe")
    return tree


def test_a_change_in_a_room_is_seen_there_and_leaves_the_others(probed: Path) -> None:
    def change(file: str, old: str, new: str) -> None:
        path = probed / "src" / "cartagena" / file
        text = path.read_text()
        assert old in text
        rewrite(path, text.replace(old, new))

    assert ask(probed) == [13, 0, 13, 0]
    probed = probed.rename(probed.with_name("moved"))
    assert ask(probed) == [13, 1, 13, 1], "another place of the same sources"
    change("rl/compiled/probe_number.py", "10", "20")
    assert ask(probed) == [13, 1, 23, 0], "the players' code stays"
    change("players/compiled/probe_number.py", "10", "30")
    assert ask(probed) == [33, 0, 23, 1], "the environments' code stays"
    change("kernel/cards.py", "return (running(word) >> 48) + popc", "return (running(word) >> 40) + popc")
    players, players_hits, rl, rl_hits = ask(probed)
    assert (players_hits, rl_hits) == (0, 0)
    assert players != 33
    assert rl == players - 10


def test_the_environment_chooses_the_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CARTAGENA_CACHE", str(tmp_path / "mine"))
    assert cache.wanted_roots()[0] == tmp_path / "mine"
    monkeypatch.delenv("CARTAGENA_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.wanted_roots()[0] == tmp_path / "xdg" / "cartagena"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache.wanted_roots()[0] == tmp_path / "home" / ".cache" / "cartagena"


def test_a_folder_that_cannot_be_written_is_skipped(tree: Path) -> None:
    (tree / "file").write_text("")
    (tree / "temporary").mkdir()
    assert ask(tree, CARTAGENA_CACHE=str(tree / "file" / "x"), TMPDIR=str(tree / "temporary")) == [3, 0]
    assert [path.name for path in (tree / "temporary").glob("cartagena-*")]


def test_kept_code_that_cannot_be_read_is_compiled_again(tree: Path) -> None:
    assert ask(tree) == [3, 0]
    for ending in ("nbc", "nbi"):
        (kept,) = (tree / "cache").rglob(f"*.{ending}")
        kept.write_bytes(kept.read_bytes()[: kept.stat().st_size // 2])
        assert ask(tree) == [3, 0], ending
    assert ask(tree) == [3, 1]


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


def test_compiling_is_told_in_a_terminal_and_nowhere_else(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    notice = Notice()
    notice.begin("rollout")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    notice.begin("perft")
    notice.end()
    told = capsys.readouterr().err
    assert "Compiling perft" in told
    assert " 1 done in " in told
    assert told.endswith(CLEAR)


def test_compiling_beside_a_progress_bar_is_told_in_whole_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rich draws the bar and prints what is written there as text, control codes without their first character too."""
    shown = io.StringIO()
    console = Console(file=shown, force_terminal=True, width=200)
    monkeypatch.setattr(sys, "stderr", FileProxy(console, shown))
    monkeypatch.setattr(shown, "isatty", lambda: True)
    notice = Notice()
    notice.begin("perft")
    notice.end()
    assert shown.getvalue() == "Compiling perft for the first use, which takes some seconds.\n"
