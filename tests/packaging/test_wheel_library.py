"""The library from the wheel, in an environment without any extra: what a researcher meets first."""

import json
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from tests import wheel
from tests.wheel import ROOT

BOT = """
class First:
    name = "first"

    def decide(self, view, limit=None):
        return view.legal_moves[0]
"""
PROGRAM = """
import json
from importlib.resources import files
import cartagena
from cartagena.arena import play_match, suite_names
from cartagena.players import create
from cartagena.rulesets import RuleSetError
from cartagena.study import solved_variants

class Last:
    name = "last"

    def decide(self, view, limit=None):
        return view.legal_moves[-1]

def main():
    match = play_match([Last, "bosun", "sailor"], "nest-nl", games=6, processes=2)
    try:
        cartagena.rule_set("tortuga-en").with_(pirates=20)
    except RuleSetError as error:
        refused = str(error)
    opening = cartagena.Game.new("tortuga-en", seed=1, pieces=1, pirates=2).position
    turn = opening.turns()[0]
    print(json.dumps({
        "games": len(match.results),
        "suites": len(suite_names()),
        "solved": len(solved_variants()),
        "weights": create("captain:weights=2026-11").name,
        "refused": refused,
        "engine": [(files("cartagena") / "data" / name).is_file() for name in ("cartagena.wasm", "cartagena.json")],
        "after": opening.after(turn).turn in (0, 2),
    }))

if __name__ == "__main__":
    main()
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the wheel and no extra, in which another package has a player."""
    found = wheel.installed(tmp_path_factory)
    [site] = found.parents[1].glob("lib/python*/site-packages")
    (site / "harbour.py").write_text(BOT)
    (site / "harbour-1.0.dist-info").mkdir()
    (site / "harbour-1.0.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: harbour\nVersion: 1.0\n")
    (site / "harbour-1.0.dist-info/entry_points.txt").write_text("[cartagena.players]\nbosun = harbour:First\n")
    return found


def cartagena(python: Path, folder: Path, *words: str) -> tuple[int, str, str]:
    command = [str(python), "-m", "cartagena", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    return done.returncode, done.stdout, done.stderr


def test_the_core_needs_no_web_framework_and_no_compiler_but_numba(python: Path) -> None:
    found = wheel.distributions(python)
    assert {"cartagena", "llvmlite", "numba", "numpy", "typer"} <= found
    web = {"aiosqlite", "alembic", "fastapi", "httptools", "sqlalchemy", "starlette", "uvicorn", "uvloop", "websockets"}
    assert found & {*web, "cffi", "cython", "jax", "jaxlib", "numba-cuda", "torch"} == set()


def test_the_program_alone_says_hello_and_where_to_begin(python: Path, tmp_path: Path) -> None:
    status, said, error = cartagena(python, tmp_path)
    assert (status, error) == (0, "")
    assert said.startswith("Cartagena 0.")
    assert all(f"\n  cartagena {verb} " in said for verb in ("play", "serve", "learn"))
    assert "pip install 'cartagena[server]'" in said


def test_players_come_in_every_way_and_the_data_is_there(python: Path, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    done = subprocess.run([str(python), "program.py"], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found == {
        "games": 6,
        "suites": 12,
        "solved": 9,
        "weights": "captain",
        "refused": "tortuga-en: pirates must be from 1 to 8, not 20.",
        "engine": [True, True],
        "after": True,
    }


def test_an_arena_from_files_of_a_user(python: Path, tmp_path: Path) -> None:
    (tmp_path / "bots.py").write_text(BOT)
    (tmp_path / "my.toml").write_text('base = "tortuga-en"\npirates = 2\npieces = 1\n')
    words = ["arena", "first", "bosun", "--code", "bots.py", "--rules", "my.toml", "--games", "4", "--out", "out.jsonl"]
    status, said, _ = cartagena(python, tmp_path, *words, "--records", "games")
    assert (status, "my.toml, 2 seats, 4 games" in said) == (0, True)
    assert len(list((tmp_path / "games").iterdir())) == 4
    (tmp_path / "my.toml").write_text('base = "tortuga-en"\npirates = 3\npieces = 1\n')
    status, _, error = cartagena(python, tmp_path, *words)
    assert (status, error.count("\n")) == (2, 1)
    assert "another rule set than my.toml is now" in error
    assert cartagena(python, tmp_path, "leaderboard", "out.jsonl", "--html", "page.html")[0] == 0
    assert "</html>" in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["serve"], "pip install 'cartagena[server]'"),
        (["db", "check"], "pip install 'cartagena[server]'"),
        (["learn"], "pip install 'cartagena[server]'"),
        (["dataset", "x.parquet"], "pip install 'cartagena[rl]'"),
        (["dataset", "x.csv"], ".parquet"),
        (["arena", "sailor", "random", "--plot", "x.png"], "pip install 'cartagena[study]'"),
    ],
)
def test_a_verb_without_its_extra_says_one_sentence(
    python: Path, tmp_path: Path, words: list[str], sentence: str
) -> None:
    status, said, error = cartagena(python, tmp_path, *words)
    assert (status, said, error.count("\n")) == (2, "", 1)
    assert sentence in error


def copy_of_the_sources(folder: Path, *, table: bool) -> Path:
    """What a build needs, as a clean clone has it, perhaps with a built browser table."""
    names = ["pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", ".gitignore", "requirements/serve.txt"]
    for name in [*names, "tools/build_hook.py", "tools/bill_of_materials.py"]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    ignored = shutil.ignore_patterns("static", "__pycache__")
    shutil.copytree(ROOT / "src", folder / "src", ignore=ignored)
    if table:
        (folder / "src/cartagena/server/static").mkdir()
        (folder / "src/cartagena/server/static/index.html").write_text("<!doctype html>")
        (folder / "src/cartagena/server/static/bundled.json").write_text("[]")
    return folder


def test_a_wheel_without_the_browser_table_is_not_built(tmp_path: Path) -> None:
    clone = copy_of_the_sources(tmp_path / "clone", table=False)
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(clone)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "The browser table is not built: run `make web` first, then build again." in done.stdout + done.stderr
    assert list(tmp_path.glob("*.whl")) == []


def test_the_source_distribution_has_what_a_build_needs_and_nothing_stray(tmp_path: Path) -> None:
    clone = copy_of_the_sources(tmp_path / "clone", table=True)
    (clone / "notes.txt").write_text("stray")
    (clone / "src/cartagena/__pycache__").mkdir()
    (clone / "src/cartagena/__pycache__/stray.pyc").write_bytes(b"")
    wheel.run(sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", str(tmp_path), str(clone))
    [archive] = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        names = {name.partition("/")[2] for name in file.getnames()}
    assert {"pyproject.toml", "tools/build_hook.py", "src/cartagena/server/static/index.html"} <= names
    assert {"tools/bill_of_materials.py", "requirements/serve.txt"} <= names
    assert {"src/cartagena/arena/data/suites/jamaica-en-2.txt", "src/cartagena/study/data/solved.json"} <= names
    assert {"src/cartagena/data/cartagena.wasm", "src/cartagena/data/cartagena.json"} <= names
    assert [name for name in names if "stray" in name or name == "notes.txt" or name.startswith("tests")] == []
