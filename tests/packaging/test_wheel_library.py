"""The library from the wheel, in an environment without any extra: what a researcher meets first."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import tarfile
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from tests import wheel
from tests.wheel import ROOT

from cartagena import Position

BOT = """
class First:
    name = "first"

    def decide(self, view, limit=None):
        return view.legal_moves[0]
"""
PROGRAM = """
import json
from importlib.resources import files
from pathlib import Path
import cartagena
from cartagena.arena import play_match, suite_names
from cartagena.backends import register
from cartagena.players import create
from cartagena.rulesets import RuleSetError
from cartagena.study import solve, solved_variants

POLICY = '''
from cartagena.kernel.legal import nth
from cartagena.kernel.intrinsics import rule

@rule
def choose(table, state, key):
    return nth(table, state, 0)
'''

ENDGAME = "jamaica-en+cards3 DBKPHS/KBSDHP 7,12/9,12 S/BKP - - B2D3H3K2P2S2 - 1.0"

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
    game = cartagena.Game.new("jamaica-en", seed=2)
    game.save("game.txt")
    Path("policy.py").write_text(POLICY)
    register("lowest", Path("policy.py"))
    rolled = cartagena.rollouts(game.view(1), games=4, policy="lowest", backend="plain", cap=20)
    limit = cartagena.Limit(time=0.5)
    first, second = (create("captain", seed).analyse(game.view(1), limit).nodes for seed in (1, 2))
    print(json.dumps({
        "games": len(match.results),
        "forfeits": sum(result.forfeit for result in match.results),
        "suites": len(suite_names()),
        "solved": len(solved_variants()),
        "weights": create("captain:weights=2026-11").name,
        "refused": refused,
        "engine": [(files("cartagena") / "data" / name).is_file() for name in ("cartagena.wasm", "cartagena.json")],
        "after": opening.after(turn).turn in (0, 2),
        "deals": [deal.view(1) == game.view(1) for deal in game.view(1).deals(2, seed=1)],
        "loaded": cartagena.Game.load("game.txt") == game,
        "rolled": rolled.games,
        "hint": cartagena.hint(game, cartagena.Limit(nodes=50)).move in game.legal_moves,
        "analysed": len(cartagena.analyse(opening, cartagena.Limit(nodes=50)).value),
        "endgame": solve(ENDGAME, open_hands=True).value,
        "loaded before the clock": first > second / 50,
    }))

if __name__ == "__main__":
    main()
"""
TYPED = """
from cartagena.arena import play_match
from cartagena.backends.cpu import entry
@entry
def double(number):
    return 2 * number

class Typed:
    name = "typed"
    def decide(self, view, limit=None):
        return view.legal_moves[0]

match = play_match([Typed, "sailor"], "nest-nl", games=2, processes=2)
print(double(21), len(match.results), sum(result.forfeit for result in match.results))
"""
ADAPTERS = """
import json, sys
import gymnasium, numpy as np
import cartagena, cartagena.rl.gymnasium
from cartagena.players import create
from cartagena.rl import pettingzoo
from cartagena.rl.opponents import League
from cartagena.rl.wrappers import Flat, FlatVector

lowest = lambda seen: seen["action_mask"].argmax(axis=1)
single = Flat(gymnasium.make("cartagena/Jamaica-v1", opponents=League(["sailor", lowest])))
many = gymnasium.make_vec("cartagena/Nest-v1", num_envs=4, seats=3, opponents=["gunner", create("deckhand", 1)])
agents = pettingzoo.env("tortuga-en", seats=3)
agents.reset(seed=1)
seen, _ = many.reset(seed=1)
kept = many.unwrapped.state()
many.step(many.unwrapped.action_masks().argmax(axis=1))
print(json.dumps({
    "from": cartagena.__file__,
    "flat": single.reset(seed=1)[0].shape,
    "masks": [int(single.action_masks().sum()) > 0, int(agents.unwrapped.action_masks().sum()) > 0],
    "state": [agents.state().shape, kept.shape],
    "vector": FlatVector(many).reset(seed=2)[0].shape,
}))
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the wheel and no extra, in which another package has a player."""
    found = wheel.installed(tmp_path_factory)
    [site] = found.parents[1].glob("lib/python*/site-packages")
    (site / "harbour.py").write_text(BOT)
    (site / "harbour-1.0.dist-info").mkdir(exist_ok=True)
    (site / "harbour-1.0.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: harbour\nVersion: 1.0\n")
    (site / "harbour-1.0.dist-info/entry_points.txt").write_text("[cartagena.players]\nbosun = harbour:First\n")
    return found


@pytest.fixture(scope="module")
def extras() -> dict[str, str]:
    """The environment variables with which the libraries of the extras are found, but not this package itself."""
    return {**os.environ, "PYTHONPATH": sysconfig.get_paths()["purelib"]}


def cartagena(python: Path, folder: Path, *words: str, env: dict[str, str] | None = None) -> tuple[int, str, str]:
    command = [str(python), "-m", "cartagena", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=env)
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
        "forfeits": 0,
        "suites": 12,
        "solved": 14,
        "weights": "captain",
        "refused": "tortuga-en: pirates must be from 1 to 8, not 20.",
        "engine": [True, True],
        "after": True,
        "deals": [True, True],
        "loaded": True,
        "rolled": 4,
        "hint": True,
        "analysed": 2,
        "endgame": [0.6, 0.4],
        "loaded before the clock": True,
    }


def test_what_is_typed_in_at_the_prompt_is_compiled_and_plays_in_other_processes(python: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [str(python), "-i", "-q"], input=TYPED, capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.stdout.strip() == "42 2 0", done.stderr


def test_the_adapters_play_from_the_wheel(python: Path, tmp_path: Path, extras: dict[str, str]) -> None:
    (tmp_path / "adapters.py").write_text(ADAPTERS)
    done = subprocess.run(
        [str(python), "adapters.py"], capture_output=True, text=True, check=False, cwd=tmp_path, env=extras
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found.pop("from").startswith(str(python.parents[1])), "from the wheel, not from the sources"
    assert found == {
        "flat": [832], "masks": [True, True], "state": [[832], [4, 832]], "vector": [4, 832],
    }  # fmt: skip


def test_a_dataset_of_a_users_rule_set_has_its_sizes(python: Path, tmp_path: Path, extras: dict[str, str]) -> None:
    (tmp_path / "my.toml").write_text('base = "tortuga-en"\npirates = 2\npieces = 1\nseats = 3\n')
    words = ["dataset", "--rules", "my.toml", "--games", "2", "--columns", "observation,mask", "games.parquet"]
    status, _, error = cartagena(python, tmp_path, *words, env=extras)
    assert status == 0, error
    row = pq.read_table(tmp_path / "games.parquet").to_pylist()[0]
    opening = Position.parse(row["position"])
    assert (opening.seats, opening.pirates, opening.board.count("/")) == (3, 2, 0)
    assert (len(row["observation"]), len(row["mask"])) == (832, 1200)


def test_results_and_forfeits_are_told_although_the_plot_cannot_be_written(
    python: Path, tmp_path: Path, extras: dict[str, str]
) -> None:
    (tmp_path / "bot.py").write_text("import sys\nsys.exit('the mast is broken')\n")
    (tmp_path / "ratings.png").mkdir()
    words = ["arena", f"cmd:{python} bot.py", "sailor", "--games", "2", "--processes", "1", "--plot", "ratings.png"]
    status, said, error = cartagena(python, tmp_path, *words, env=extras)
    assert (status, "2 forfeits" in said, "    the mast is broken" in said) == (2, True, True), said + error
    assert "cannot be written" in error


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
    assert "my.toml has changed since" in error
    assert cartagena(python, tmp_path, "leaderboard", "out.jsonl", "--html", "page.html")[0] == 0
    assert "</html>" in (tmp_path / "page.html").read_text()


def alive(pid: int) -> bool:
    """True for a process that runs; one that has ended and was not waited for does not count."""
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def children(pid: int) -> set[int]:
    found = {int(word) for path in Path(f"/proc/{pid}/task").glob("*/children") for word in path.read_text().split()}
    return found | {below for child in found for below in children(child)}


def wait_until(holds: Any, seconds: float = 900) -> bool:
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.1)
    return bool(holds())


def test_workers_and_programs_end_with_a_killed_arena(python: Path, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("import time\nopen('started', 'a').close()\ntime.sleep(600)\n")
    bot = f"cmd:{shlex.join([sys.executable, str(tmp_path / 'slow.py')])}"
    words = [str(python), "-m", "cartagena", "arena", bot, "sailor", "--games", "4", "--processes", "2"]
    arena = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        assert wait_until((tmp_path / "started").exists)
        below = children(arena.pid)
        assert len(below) >= 3, "two workers and a program"
    finally:
        arena.kill()
        arena.wait()
    assert wait_until(lambda: not any(map(alive, below)))
    for pid in filter(alive, below):
        os.kill(pid, signal.SIGKILL)


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
    assert "The browser table is not built: run `make dist`, then `pip install dist/*.whl`" in done.stdout + done.stderr
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
