"""Every verb, as a person and as a program would call it."""

import json
import os
import random
import re
import resource
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.cli.helpers import PATIENCE, PROGRAM, cartagena, refused
from tests.positions import A, B

from cartagena import Game, Position, Record, perft
from cartagena.cli import run
from cartagena.cli.output import progress_bar
from cartagena.cli.terminal.colours import paint
from cartagena.cli.verbs import VERBS
from cartagena.cli.verbs.replay import page
from cartagena.rulesets import load, names


class Caller:
    """Calls the command line in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *arguments: str) -> str:
        """The output of a call that succeeds, without the last line end."""
        status = run(arguments)
        said = self.capsys.readouterr()
        assert (status, said.err) == (0, "")
        assert said.out.endswith("\n") or not said.out
        return said.out.removesuffix("\n")

    def json(self, *arguments: str) -> Any:
        return json.loads(self(*arguments, "--json"))

    def refused(self, *arguments: str) -> str:
        """The one sentence of a call that fails."""
        status = run(arguments)
        said = self.capsys.readouterr()
        assert (status, said.out) == (2, "")
        assert said.err.count("\n") == 1
        assert said.err.endswith((".\n", "?\n"))
        return said.err.strip()


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Caller:
    return Caller(capsys)


def a_record() -> Record:
    """A finished game."""
    game = Game.new("jamaica-en", seats=2, seed=3, pieces=2, pirates=2)
    chooser = random.Random(5)
    while not game.is_over:
        game.play(chooser.choice(list(game.legal_moves)))
    return game.record()


# --- the command line itself


def test_help_lists_every_verb(call: Caller) -> None:
    text = call("--help")
    assert all(f"\n  {verb} " in text for verb in VERBS)


def test_no_verb_says_hello_and_where_to_begin(call: Caller) -> None:
    text = call()
    assert all(f"\n  cartagena {verb}" in text for verb in ("play ", "serve --open ", "learn "))
    assert "cartagena --help" in text


@pytest.mark.parametrize(
    ("typed", "offered"),
    [("cartagena pu", ["puzzles"]), ("cartagena perft --di", ["--divide"]), ("cartagena db ba", ["backup"])],
)
def test_a_shell_completes_verbs_and_their_options(typed: str, offered: list[str]) -> None:
    words = {"COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}
    assert completion("complete_bash", **words).split() == offered


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_script_of_a_shell_can_be_asked_for(shell: str) -> None:
    assert f"_CARTAGENA_COMPLETE=complete_{shell}" in completion(f"source_{shell}")


def completion(instruction: str, **given: str) -> str:
    """What a shell is told. The program sees no arguments, only variables."""
    known = {**os.environ, "_CARTAGENA_COMPLETE": instruction, **given}
    done = subprocess.run(PROGRAM, env=known, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(call: Caller, verb: str) -> None:
    assert f"Usage: cartagena {verb}" in call(verb, "--help")


def test_help_and_rules_load_nothing_heavy() -> None:
    code = "import sys; from cartagena.cli import run; run(['legal', sys.argv[1]]); run(['--help'])"
    code += "; print(sorted({'numpy', 'numba', 'rich', 'fastapi', 'sqlalchemy'} & set(sys.modules)))"
    done = subprocess.run([PROGRAM[0], "-c", code, A], capture_output=True, timeout=PATIENCE, check=True)
    assert done.stdout.decode().endswith("[]\n")


def test_the_version(call: Caller) -> None:
    assert call("--version").startswith("cartagena 0.")


@pytest.mark.parametrize(
    "arguments",
    [
        ("dance",),
        ("legal",),
        ("legal", "--dance", A),
        ("legal", "nonsense"),
        ("legal", A, "17:B"),
        ("legal", *A.split(" ")[:8]),
        ("legal", A.replace("1.0", "9.0")),
        ("legal", "\x00\udcff"),
        ("apply",),
        ("apply", A, "hello"),
        ("apply", A, "17:B", "18:K"),
        ("perft", "x", A),
        ("perft", "-1", A),
        ("perft", "13", A),
        ("perft", "3"),
        ("show", A, "--seat", "7"),
        ("show", "no-such-file"),
        ("show", "/"),
        ("replay", "no-such-file"),
        ("rules", "chess-en"),
        ("rules", "no-such-file.toml"),
        ("new", "jamaica-en", "--seats", "9"),
        ("new", "jamaica-en", "--pieces", "7"),
        ("new", "jamaica-en+cards2", "--seats", "5"),
        ("new", "nest-nl", "--board", "STMDCPG"),
        ("play", "--resume", "no-such-file"),
        ("engine", "now"),
    ],
)
def test_a_mistake_is_one_sentence(call: Caller, arguments: tuple[str, ...]) -> None:
    call.refused(*arguments)


def test_sentences_say_what_is_wrong(call: Caller) -> None:
    assert call.refused("apply", A, "17:B", "18:K") == "Blue holds no card K."
    assert call.refused("leg") == "No such command 'leg'. Did you mean 'legal'?"
    assert "from 2 to 5" in call.refused("new", "--seats", "9")


def test_a_name_that_was_typed_is_repeated_as_it_is(call: Caller, tmp_path: Path) -> None:
    assert call.refused("new", "jamaica").startswith("jamaica is not a rule set; there are jamaica-en")
    assert call.refused("new", "jamaica-en", "--seats", "6").startswith("jamaica-en: seats must be")
    assert call.refused("perft", "0", "x").startswith("A position has nine words")


def test_a_record_that_is_none_is_named(call: Caller, tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("dear Ann")
    for verb in ("replay", "show", "verify"):
        assert call.refused(verb, str(path)).startswith(f"{path}: ")


def test_a_file_that_is_nested_too_deeply_is_refused(call: Caller, tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    path.write_text("[" * 100_000)
    assert call.refused("replay", str(path)).startswith(f"{path}: ")
    assert call.refused("leaderboard", str(path)) == f"{path}: is not a file of arena results."
    assert call.refused("arena", "random", "sailor", "--out", str(path)) == f"{path}: is not a file of arena results."
    assert call.refused("engine", "--player", f"captain:weights={path}") == f"{path}: is not a file of weights."


# --- positions in and out


def test_new_deals_the_same_for_a_seed(call: Caller) -> None:
    text = call("new", "tortuga-en", "--seats", "3", "--seed", "7")
    assert text == str(Game.new("tortuga-en", seats=3, seed=7).position)
    assert call("new") != call("new")


def test_new_takes_sizes(call: Caller) -> None:
    sizes = ["--pieces", "8", "--style", "random", "--pirates", "2", "--deal", "4", "--actions", "2", "--cards", "9"]
    position = Position.parse(call("new", "jamaica-de", "--seats", "5", *sizes))
    assert (position.rules.name, position.seats, position.pirates) == ("jamaica-de+actions2+cards9", 5, 2)
    assert (len(position.board.split("/")), position.hand_size(1)) == (8, 4)
    assert " BPHSDK " in call("new", "--pieces", "1", "--board", "BPHSDK")


def test_new_takes_a_persons_own_file(call: Caller, tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    own.write_text('base = "nest-nl"\npirates = 2\nseats = 4\n')
    assert len(Position.parse(call("new", str(own))).places(4)) == 2
    own.write_bytes(b'\xef\xbb\xbfbase = "nest-nl"\r\npirates = 3\r\n')
    assert len(Position.parse(call("new", str(own))).places(1)) == 3
    own.write_text('base = "nest-nl"\npirates = 20\n')
    assert call.refused("new", str(own)) == f"{own}: pirates must be a whole number from 1 to 8, not 20."


def test_new_for_programs(call: Caller) -> None:
    dealt = call.json("new", "nest-nl", "--seed", "x")
    assert dealt == {
        "position": str(Game.new("nest-nl", seed="x").position),
        "rules": "nest-nl",
        "seats": 2,
        "seed": "x",
    }
    record = Record.parse(call("new", "nest-nl", "--seed", "x", "--record"))
    assert str(record.opening) == dealt["position"]
    assert record.tags["Seed"] == "x"
    assert Record.from_json(call.json("new", "nest-nl", "--seed", "x", "--record")) == record


def test_legal(call: Caller) -> None:
    moves = [str(move) for move in Position.parse(A).legal_moves]
    assert call("legal", A).split("\n") == moves
    assert call("legal", *A.split(" ")).split("\n") == moves
    assert call.json("legal", A) == {"moves": moves}


def test_a_finished_game_has_no_moves(call: Caller) -> None:
    over = str(a_record().final)
    assert call("legal", over) == ""
    assert call.json("legal", over) == {"moves": []}


def test_apply(call: Caller) -> None:
    after = str(Position.parse(A).play("17:B", "18<", "s:D"))
    assert call("apply", A, "17:B", "18<", "s:D") == after
    assert call("apply", *A.split(" "), "17:B", "18<", "s:D") == after
    assert call.json("apply", A, "17:B", "18<", "s:D") == {"position": after}
    assert call("apply", A) == A


def test_perft(call: Caller) -> None:
    assert call("perft", "3", A) == "3923"
    assert call("perft", "0", *B.split(" ")) == "1"
    assert call.json("perft", "2", B) == {"perft": 345}
    divided = call("perft", "2", A, "--divide").split("\n")
    assert divided[-1] == "total 248"
    assert divided[0] == f"s:B {perft(Position.parse(A).play('s:B'), 1)}"
    assert sum(call.json("perft", "2", A, "--divide")["divide"].values()) == 248


def test_standard_input() -> None:
    assert cartagena("legal", "-", stdin=A + "\n").stdout == cartagena("legal", A).stdout
    assert cartagena("apply", "-", "17:B", stdin=A).stdout == f"{Position.parse(A).play('17:B')}\n"
    assert cartagena("show", "-", stdin=str(a_record())).stdout == f"{Position.parse(str(a_record().final)).text()}\n"
    assert cartagena("show", "-", stdin=A).stdout == f"{Position.parse(A).text()}\n"
    assert cartagena("replay", "-", stdin=str(a_record())).returncode == 0
    assert cartagena("legal", "-", stdin=b"\xef\xbb\xbf" + A.encode()).stdout == cartagena("legal", A).stdout
    refused(cartagena("legal", "-", stdin=""))
    refused(cartagena("show", "-", stdin=""))
    assert "UTF-8" in refused(cartagena("legal", "-", stdin=b"\xff\xfe"))
    assert "more than" in refused(cartagena("legal", "-", stdin="x" * 5_000_000))


# --- pictures and records


def test_colours_change_no_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    for text in (A, B):
        board = Position.parse(text).text()
        painted = paint(board)
        assert painted.count("\x1b[0m") >= 18
        assert re.sub("\x1b\\[[0-9;]*m", "", painted) == board
        monkeypatch.setenv("NO_COLOR", "1")
        assert paint(board) == board
        monkeypatch.delenv("NO_COLOR")


def test_show(call: Caller, tmp_path: Path) -> None:
    position = Position.parse(B)
    assert call("show", B) == position.text()
    assert call("show", B, "--seat", "2") == position.view(2).text()
    record = tmp_path / "game.txt"
    a_record().write(record)
    assert call("show", str(record)) == Position.parse(str(a_record().final)).text()
    picture = tmp_path / "board.svg"
    assert call("show", B, "--svg", str(picture)) == ""
    assert picture.read_text().startswith("<svg")
    assert call("show", B, "--svg", "-") == picture.read_text()
    assert "cannot be written: Is a directory" in call.refused("show", B, "--svg", str(tmp_path))
    assert "cannot be written: No such file" in call.refused("show", B, "--svg", str(tmp_path / "none" / "a.svg"))
    assert "file name is text" in call.refused("show", B, "--svg", "")


def test_replay_tells_a_game_turn_by_turn(call: Caller, tmp_path: Path) -> None:
    record = a_record()
    path = tmp_path / "game.txt"
    record.write(path)
    told = call("replay", str(path))
    assert told.count("\n1. blue: ") == 1
    assert told.count("\n2. red: ") == 1
    winner = {"1": "Blue", "2": "Red"}[record.tags["Result"]]
    assert told.endswith(f"{winner} has won.")
    assert len(call("replay", str(path), "--boards")) > len(told)


def test_replay_for_programs(call: Caller, tmp_path: Path) -> None:
    record = a_record()
    path = tmp_path / "game.json"
    record.write(path)
    told = call.json("replay", str(path))
    assert told["opening"] == str(record.opening)
    assert [item for turn in told["turns"] for item in turn["moves"]] == record.to_json()["moves"]
    assert [turn["seat"] for turn in told["turns"][:3]] == [1, 2, 1]
    assert told["turns"][-1]["position"] == str(record.final)
    assert told["result"] == record.tags["Result"]


def test_replay_of_a_game_that_is_not_finished(call: Caller, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(f"{A}\n17:B {{\x1b[2Ja comment}}\n")
    told = call("replay", str(path))
    assert told.endswith("The game is not finished.")
    assert "a comment" in told
    assert "\x1b" not in page(Record.read(path), boards=True)


def test_replay_names_the_move_that_does_not_fit(call: Caller, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(f"{A}\n17:B 18:K\n")
    assert call.refused("replay", str(path)) == f"{path}: move 2, 18:K: blue holds no card K."


def test_a_long_record_is_read_in_no_time(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text(f"{A}\n" + "17:B " * 500_000)
    start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    assert "move 2" in refused(cartagena("replay", str(path))).lower()
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - start < 60


# --- rules


def test_rules_lists_all(call: Caller) -> None:
    assert [line.split(" ")[0] for line in call("rules").split("\n")] == list(names())
    assert [entry["name"] for entry in call.json("rules")] == list(names())


@pytest.mark.parametrize("name", names())
def test_every_choice_of_every_rule_set_has_a_reason(call: Caller, name: str) -> None:
    page = call("rules", name)
    assert load(name).booklet in page
    entries = call.json("rules", name)["rules"]
    assert all(entry["is"] in page and entry["because"] in page and entry["because"] for entry in entries.values())


def test_rules_says_what_the_table_chose(call: Caller, tmp_path: Path) -> None:
    rules = call.json("rules", "tortuga-en+pass-return+actions2")["rules"]
    assert rules["pass"]["because"] == "Chosen for this table; tortuga-en has: only when nothing can be done."
    assert rules["actions"]["is"] == "1 to 2 a turn"
    own = tmp_path / "mine.toml"
    own.write_text('base = "nest-nl"\ncrew = false\nseats = 3\nstyle = "random"\n')
    rules = call.json("rules", str(own))["rules"]
    assert rules["captain"]["is"] == "needs no pirate aboard"
    assert rules["seats"]["is"] == "3"
    assert "shuffled" in rules["board"]["is"]


def test_rules_says_of_a_variant_nothing_that_is_true_of_its_base_only(call: Caller, tmp_path: Path) -> None:
    own = tmp_path / "hidden.toml"
    own.write_text('base = "tortuga-en"\nname = "hidden"\nhands = "hidden"\nrow = 0\n')
    for told in (call("rules", str(own)), call.json("rules", str(own))["about"]):
        assert ("made from tortuga-en" in told, "lie open" in told) == (True, False)


# --- compiling ahead


def test_players_are_compiled_ahead_without_a_word_when_it_is_quick() -> None:
    cartagena("warmup", "--players")  # the first run may take minutes
    done = cartagena("warmup", "--players")
    assert (done.returncode, done.stderr) == (0, "")
    told = done.stdout.splitlines()
    assert len(told) in (0, 2)  # nothing, or one line for the wait and one for its end
    assert all("computer players" in line for line in told)


def test_progress_says_how_many_there_are_a_second() -> None:
    bar, now = progress_bar(), 0.0
    bar.get_time = lambda: now
    task = bar.add_task("jamaica-en, 2 nodes, 8 workers", total=100)
    for _ in range(3):
        now += 2.0
        bar.advance(task, 5)
    shown = [str(column(bar.tasks[0])) for column in bar.columns if not isinstance(column, str)]
    assert shown[2:4] == [" 15/100", "2.5/s"]
