"""Every command and every block of Python in the documents: understood, and run unless it needs another machine."""

import re
import runpy
import shlex
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
import typer
from tests.cli.helpers import called, cartagena
from tests.docs.booklets import ROOT

from cartagena import Game, create_player
from cartagena.cli.verbs import VERBS, build

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`((?:cartagena|make) [^`]+)`")
SMALL = {
    r"--games \d+": "--games 2",
    r"captain(@0\.1s)?(?= )": "captain@8n",
    r"--nodes \d+": "--nodes 8",
    r"^review": "review --nodes 4",
    r"^tune": "tune --generations 1 --games 100",
}
"""Sizes for a test."""
FILES_OF_BLOCKS = ["backends", "players", "review"]
"""Pages whose Python is not written as sessions; the tests of rl, cli and docs run the sessions of all pages."""


def blocks(language: str) -> Iterator[tuple[str, str]]:
    """The page and the text of all blocks in a language."""
    for path in PAGES:
        for name, body in BLOCK.findall(path.read_text(encoding="utf-8")):
            if name == language:
                yield path.stem, body


def commands(program: str) -> list[tuple[str, str]]:
    """The page and the words after the program's name, in blocks and in the text."""
    found = []
    for page, body in blocks("sh"):
        found += [(page, line) for line in re.findall(rf"^{program} (.*)$", body, re.MULTILINE)]
    for path in PAGES:
        text = BLOCK.sub("", path.read_text(encoding="utf-8"))
        found += [(path.stem, code.partition(" ")[2]) for code in INLINE.findall(text) if code.startswith(program)]
    return found


def words(line: str) -> list[str]:
    """The words of a command without its comment, as a shell reads them."""
    return shlex.split(re.split(r"\s#\s|\s\|\s|\s>\s?", line)[0].replace("…", ""))


def parsed(arguments: list[str]) -> None:
    """Read a command line without carrying it out. Raises an error of Typer. A verb alone is only named."""
    command: Any = typer.main.get_command(build(arguments[0]))
    while arguments and hasattr(command, "commands"):
        name, *arguments = arguments
        command = command.commands[name]
    if arguments:
        command.make_context(command.name, ["1" if word.isupper() else word for word in arguments])


@pytest.mark.parametrize("verb", VERBS)
def test_every_command_is_understood(verb: str) -> None:
    wrong = []
    for page, line in commands("cartagena"):
        given = words(line)
        if given[0] != verb or "--help" in given:
            continue
        try:
            parsed(given)
        except (KeyError, typer.TyperException) as error:
            wrong.append((page, line, str(error)))
    assert wrong == []


def test_every_verb_and_target_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    verbs = {words(line)[0] for _, line in commands("cartagena")}
    assert {verb for verb in verbs if not verb.startswith("-")} - {"VERB"} <= set(VERBS)
    targets = {words(line)[0] for _, line in commands("make")}
    assert len(targets) > 10
    assert [target for target in targets if not re.search(rf"^{target}:", makefile, re.MULTILINE)] == []


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a recorded game, for commands to be run in a copy of it."""
    game = Game.new("tortuga-en", seats=2, seed=1, pirates=2, pieces=2)
    players = [create_player("deckhand", seed=seed) for seed in (1, 2)]
    while not game.is_over:
        game.play(players[game.turn - 1].decide(game.view(game.turn)))
    where = tmp_path_factory.mktemp("commands")
    (where / "game.record").write_text(str(game.record()), encoding="utf-8")
    return where


def of_blocks(page: str, verb: str) -> list[str]:
    """The commands of a verb in the blocks of a page."""
    bodies = [body for place, body in blocks("sh") if place == page]
    return [line for body in bodies for line in re.findall(rf"^cartagena ({verb}\b.*)$", body, re.MULTILINE)]


@pytest.mark.parametrize(
    ("page", "verb"),
    [
        ("players", "(?:arena|leaderboard)"),
        ("players", "tune"),
        ("review", "review"),
        ("datasets", "dataset"),
        ("offline", "site"),
    ],
)
def test_the_commands_of_a_page_run(
    page: str, verb: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copytree(folder, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    lines = of_blocks(page, verb)
    assert lines
    for line in lines:
        if "weights=" in line:  # of files that hours of training write
            continue
        for size, small in SMALL.items():
            line = re.sub(size, small, line)  # noqa: PLW2901
        done = called(*words(line))
        assert (done.returncode, "Traceback" in done.stderr) == (0, False), (line, done.stderr)
        if "monday" in line and not (tmp_path / "tuesday.jsonl").exists():
            (tmp_path / "tuesday.jsonl").write_bytes((tmp_path / "monday.jsonl").read_bytes())


@pytest.mark.parametrize(
    "line", [*of_blocks("command-line", "play(?!.*--server)"), *of_blocks("players", "(?:play|engine)")]
)
def test_what_is_typed_into_ends_with_its_input(line: str) -> None:
    done = cartagena(*words(line))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("page", "body"), [block for block in blocks("python") if block[0] in FILES_OF_BLOCKS])
def test_the_python_of_a_page_runs(page: str, body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / f"{page}_block.py").write_text(body, encoding="utf-8")
    runpy.run_path(str(tmp_path / f"{page}_block.py"))
