"""What must not be lost or left behind: results, reasons of forfeits, time, processes."""

import json
import shlex
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from cartagena import Limit
from cartagena.arena import Contest, run
from cartagena.arena.report import summary, text
from cartagena.cli import run as cartagena
from cartagena.players import PlayerError, create, register

FAILING = """
import sys
sys.stdin.readline()
print("the mast is broken", file=sys.stderr)
sys.exit(3)
"""
QUICK = ["arena", "sailor", "random", "--rules", "nest-nl", "--games", "2", "--processes", "1"]


def test_results_are_printed_although_the_plot_cannot_be_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "ratings.png"
    target.mkdir()
    assert cartagena([*QUICK, "--plot", str(target)]) == 2
    said = capsys.readouterr()
    assert "2 games" in said.out
    assert "cannot be written" in said.err


@pytest.mark.parametrize(("name", "sentence"), [("no/such/r.png", "there is no folder"), ("r.xyz", "not a picture")])
def test_a_plot_that_can_never_be_drawn_is_refused_before_the_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, sentence: str
) -> None:
    assert cartagena([*QUICK, "--plot", str(tmp_path / name)]) == 2
    said = capsys.readouterr()
    assert (said.out, sentence in said.err) == ("", True)


def test_results_so_far_are_printed_when_the_file_cannot_be_written_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    class Vandal:
        name = "vandal"
        out = tmp_path / "results.jsonl"

        def decide(self, view: Any, limit: Limit | None = None) -> Any:
            if len(self.out.read_text().splitlines()) == 2:
                self.out.unlink()
                self.out.mkdir()
            return view.legal_moves[0]

    register("vandal", Vandal())
    words = ["arena", "vandal", "random", "--rules", "nest-nl", "--games", "4", "--processes", "1"]
    assert cartagena([*words, "--out", str(Vandal.out)]) == 2
    said = capsys.readouterr()
    assert "nest-nl, 2 seats, 1 game:" in said.out
    assert "cannot be written" in said.err


def test_a_forfeit_tells_its_reason_and_what_the_program_wrote(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(FAILING)
    bot = f"cmd:{shlex.join([sys.executable, str(tmp_path / 'bot.py')])}"
    contest = Contest((bot, "sailor"), rules="nest-nl", games=2)
    results = run(contest, processes=1)
    said = text(contest, results)
    assert "forfeits 2 games (0, 1):" in said
    assert "has ended" in said
    assert "    the mast is broken" in said
    assert summary(contest, results)["reasons"][0]["output"] == "the mast is broken\n"


def test_a_player_in_python_that_fails_shows_where(tmp_path: Path) -> None:
    code = tmp_path / "bots.py"
    code.write_text("class Leaky:\n    def decide(self, view, limit=None):\n        return self.no_such_rope\n")
    contest = Contest(("leaky", "sailor"), rules="nest-nl", games=2, code=(str(code),))
    said = text(contest, run(contest, processes=1))
    assert "AttributeError" in said
    assert "self.no_such_rope" in said


# --- time


class Sleeper:
    """A player whose own limit is shorter than what it takes."""

    name = "sleeper"
    limit = Limit(time=0.001)

    def decide(self, view: Any, limit: Limit | None = None) -> Any:
        time.sleep(0.06)
        return view.legal_moves[0]


def test_overruns_count_the_limit_that_a_player_has_by_itself() -> None:
    register("sleeper", Sleeper)
    results = run(Contest(("sleeper", "sailor"), rules="nest-nl", games=2, most_turns=4), processes=1)
    assert sum(sum(result.overruns) for result in results) > 0
    captain: Any = create("captain")
    assert captain.limit.time == 0.7


def test_a_process_that_a_player_ends_is_told_in_a_sentence(tmp_path: Path) -> None:
    code = tmp_path / "bots.py"
    code.write_text("import os\nclass Abrupt:\n    def decide(self, view, limit=None):\n        os._exit(7)\n")
    with pytest.raises(PlayerError, match="has ended by itself"):
        run(Contest(("abrupt", "sailor"), rules="nest-nl", games=2, code=(str(code),)), processes=2)


def test_a_match_without_a_decided_game_is_reported_without_ratings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a variant without cards every game is a deadlock."""
    rules, out = tmp_path / "empty.toml", tmp_path / "results.jsonl"
    rules.write_text('base = "tortuga-en+pass"\ndeal = 0\nrow = 0\nhold = 1\n')
    command = ["arena", "sailor", "random", "--rules", str(rules), "--games", "4", "--processes", "1"]
    assert cartagena([*command, "--out", str(out), "--plot", str(tmp_path / "elo.svg")]) == 0
    assert "0 decided, 4 without a winner" in capsys.readouterr().out
    assert cartagena([*command, "--json"]) == 0
    told = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert (told["ratings"], told["adjusted"]) == ([], {})
    for more in ([], ["--json"], ["--html", str(tmp_path / "board.html")]):
        assert cartagena(["leaderboard", str(out), *more]) == 0
        assert "inf" not in capsys.readouterr().out.replace(str(tmp_path), "")
