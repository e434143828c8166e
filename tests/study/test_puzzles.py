"""Puzzles: what is shipped holds, what is mined is the same every time, and bad input is refused in a sentence."""

import datetime as dt
import json
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests import catalogues

from cartagena import Game, IllegalMove, Move, Position, StudyError
from cartagena.cli import run
from cartagena.study import mining, puzzles

WIN = Position("jamaica-en BDHKPS 6,b/2,2 B/H2 - B16D17H15K17P17S17 - - 1.2").view(1)
BOARD = "PHDSBK/BPHSDK/BSHDKP/SPBKDH/DSBPKH/SHPKBD"
WHOLE = Position(f"jamaica-en {BOARD} 36,b,b,b,b,b/36,b,b,b,b,b B/H2 - B16D17H15K17P17S17 - - 1.2").view(1)
"""A win at once in a game of whole size, for which there is a network."""


def test_every_game_has_300_puzzles_in_300_kilobytes() -> None:
    data = Path(puzzles.__file__).parent / "data"
    assert sum(path.stat().st_size for path in data.glob("puzzles-*.json")) <= 300_000
    for game in puzzles.GAMES:
        known = puzzles.load(game)
        assert len({each.name for each in known}) == len(known) >= 300
        assert len({str(each.position) for each in known}) == len(known)


@pytest.mark.parametrize("game", puzzles.GAMES)
def test_every_puzzle_can_be_played_and_shows_only_what_its_seat_may_know(game: str) -> None:
    for each in puzzles.load(game):
        assert each.position == each.position.view(each.position.turn)
        assert each.position.rules.game == game
        assert each.margin >= puzzles.MARGIN
        assert each.rating in puzzles.STEPS
        assert each.is_solved_by(each.solution)


@pytest.mark.parametrize("game", puzzles.GAMES)
def test_a_random_sample_of_the_puzzles_is_verified_again(game: str) -> None:
    sample = random.SystemRandom().sample(puzzles.load(game), 3)
    assert [each.name for each in sample if not puzzles.holds(each)] == []


def test_the_whole_set_is_verified_by_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["puzzles", "verify", "--sample", "1", "--seed", "7"]) == 0
    told = capsys.readouterr().out.splitlines()[-1]
    assert re.fullmatch(r"3 of 3 puzzles verified \((\d judged by the (admiral|captain)(, )?)+\)\.", told)
    assert run(["puzzles", "verify", "chess"]) == 2
    assert run(["puzzles", "verify", "--player", "gunner"]) == 2
    assert "captain or admiral, not by 'gunner'" in capsys.readouterr().err


def test_the_admiral_verifies_where_it_has_a_network_and_refuses_a_wrong_turn(
    capsys: pytest.CaptureFixture[str],
) -> None:
    known = {each.position.seats: each for each in puzzles.load("tortuga")}
    small = Game.new("tortuga-en", seats=3, seed=1, pirates=2).view(1)
    other = replace(known[3], position=small)
    names = [puzzles.style_for(each, "admiral").name for each in (known[2], known[3], other)]
    assert names == ["admiral", "admiral", "captain"]
    assert puzzles.style_for(replace(known[2], judge="admiral")).name == "admiral"
    assert not puzzles.holds(replace(known[2], solution=wrong_turn(known[2])), 300, "admiral")
    status = run(["puzzles", "verify", "tortuga", "--player", "admiral", "--sample", "1"])
    *bad, told = capsys.readouterr().out.splitlines()
    assert re.fullmatch(rf"{1 - len(bad)} of 1 puzzle verified \(1 judged by the (admiral|captain)\)\.", told)
    assert status == (2 if bad else 0)


def wrong_turn(puzzle: puzzles.Puzzle) -> tuple[Move, ...]:
    """A legal turn of one move that is not the solution."""
    turns = ((move,) for move in puzzle.position.legal_moves)
    return next(turn for turn in turns if not puzzle.is_solved_by(turn))


def test_every_language_of_the_browser_names_every_theme() -> None:
    languages = [path.parent.name for path in catalogues.FOLDER.glob("*/index.ts")]
    assert len(languages) == 7
    for language in languages:
        said = catalogues.messages(language, "puzzles")
        named = {key.removeprefix("theme."): text for key, text in said.items() if key.startswith("theme.")}
        assert set(named) == {theme.replace(" ", "-") for theme in puzzles.THEMES.values()}
        assert len(set(named.values())) == len(named)


def test_the_order_of_moves_does_not_matter_but_their_end_does() -> None:
    known = [each for game in puzzles.GAMES for each in puzzles.load(game) if len(each.solution) > 2]
    swapped = 0
    for each in known:
        first, second, *rest = each.solution
        turn = (second, first, *rest)
        if first == second or each.position.why_not(second) is not None:
            continue
        after = each.position.play(second)
        if (
            not after.is_chance
            and after.why_not(first) is None
            and after.play(first) == each.position.play(*turn[1::-1])
        ):
            assert each.is_solved_by(turn)
            assert not each.is_solved_by(each.solution[:1])
            swapped += 1
    assert swapped > 0
    with pytest.raises(IllegalMove):
        known[0].is_solved_by((Move("b:B"),))


def test_a_win_at_once_is_clearly_best_and_has_its_theme() -> None:
    best = puzzles.verified(WIN, 100)
    assert best is not None
    assert best.moves == (Move("6:B"),)
    assert best.margin > 0.5
    assert puzzles.themes_of(WIN, best.moves)[0] == "win now"


@pytest.mark.parametrize(("view", "judge"), [(WHOLE, "admiral"), (WIN, "captain")])
def test_the_strongest_player_judges_a_mined_position_and_the_puzzle_says_so(view: Position, judge: str) -> None:
    found = mining.judged(view, "jamaica-0-1")
    assert found is not None
    assert found.judge == judge
    assert view.play(*found.solution).is_over
    assert puzzles.from_json(found.to_json()) == replace(found, margin=round(found.margin, 3))
    unnamed = {key: value for key, value in found.to_json().items() if key != "judge"}
    assert puzzles.from_json(unnamed).judge == "captain"


def test_a_position_with_equal_turns_is_no_puzzle() -> None:
    opening = Game.new("tortuga-en", seats=2, seed=1, pirates=2, pieces=1).view(1)
    assert puzzles.verified(opening, 100) is None


def test_the_puzzle_of_a_day_changes_and_is_the_same_for_everyone() -> None:
    days = [dt.date(2026, 11, 16) + dt.timedelta(days=number) for number in range(30)]
    assert len({puzzles.daily("jamaica", day).name for day in days}) > 20


def test_games_are_mined_the_same_way_every_time() -> None:
    views = [str(view) for view in mining.positions("tortuga", 5)]
    assert views == [str(view) for view in mining.positions("tortuga", 5)]
    assert len(views) > 10


def test_the_verbs_show_solve_list_and_refuse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    puzzle = puzzles.load("tortuga")[0]
    assert run(["puzzles", "show", "tortuga", "--name", puzzle.name, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"name": puzzle.name, "position": str(puzzle.position)}
    assert run(["puzzles", "solve", "tortuga", puzzle.name, *map(str, puzzle.solution)]) == 0
    assert capsys.readouterr().out == "Solved.\n"
    assert run(["puzzles", "list", "tortuga", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == len(puzzles.load("tortuga"))
    existing = tmp_path / "there.json"
    existing.write_text("[]")
    for words in (
        ("show", "chess"),
        ("solve", "nest", "nest-0", "end"),
        ("mine", "nest", str(existing)),
        ("mine", "hispaniola", str(tmp_path / "new.json")),
    ):
        assert run(["puzzles", *words]) == 2
        said = capsys.readouterr()
        assert (said.out, said.err.count("\n")) == ("", 1)


def test_puzzles_of_an_unknown_game_or_name_are_refused() -> None:
    with pytest.raises(StudyError, match="jamaica, tortuga, nest"):
        puzzles.load("chess")
    with pytest.raises(StudyError, match="no puzzle"):
        puzzles.named("nest", "nest-x")


@pytest.mark.parametrize("day", [None, 3, "2026-01-01", []])
def test_a_day_that_is_no_date_is_one_sentence(day: Any) -> None:
    with pytest.raises(StudyError, match=r"A day is a datetime\.date, not"):
        puzzles.daily("nest", day)


@pytest.mark.parametrize("game", [None, 3, [], {}])
def test_a_game_that_is_no_text_is_one_sentence(game: Any) -> None:
    for ask in (
        puzzles.load,
        lambda game: puzzles.daily(game, dt.date(2026, 1, 1)),
        lambda game: puzzles.named(game, "x"),
    ):
        with pytest.raises(StudyError, match="There are puzzles for"):
            ask(game)


def test_a_moment_has_the_puzzle_of_its_day() -> None:
    assert puzzles.daily("nest", dt.datetime(2026, 1, 1, 12)) == puzzles.daily("nest", dt.date(2026, 1, 1))  # noqa: DTZ001
