"""Exact values: compared with brute force, with the shipped table, and refused where they cannot be had."""

import gzip
import json
import random
import re
from typing import Any

import numpy as np
import pytest
from tests.players.solver import DATA

from cartagena import CartagenaError, Game, Limit, Move, Position, Record, StudyError, TooMuchWork, analyse
from cartagena.game.turns import successors
from cartagena.kernel import layout as at
from cartagena.kernel.chance import weight
from cartagena.kernel.legal import chooser
from cartagena.study import Regret, graph, puzzles, regret, review, solve, solved_variants
from cartagena.study.luck import split_course

ENDGAME = "tortuga-en+actions1+cards3 PKDHSB/HDKBPS 7,12/7,b KS/BK DKDPBP BDH3PS2 - - 2.0"
TINY = {"pieces": 1, "pirates": 1, "deal": 2}


def brute_force(position: Position, endless: float) -> float:
    """The value of every position that can follow, all of them swept until nothing changes."""
    waiting, moves = [position.words], {}
    while waiting:
        state = waiting.pop()
        moves[state] = list(successors(position.table, state))
        waiting += {after for _, after in moves[state]} - moves.keys()
    found = dict.fromkeys(moves, endless)
    while True:
        change = 0.0
        for state in reversed(moves):
            value = value_of(position, state, moves[state], found)
            change, found[state] = max(change, abs(value - found[state])), value
        if change < 1e-13:
            return found[position.words]


def value_of(position: Position, state: Any, moves: Any, found: Any) -> float:
    if state[at.OVER]:
        return {1: 1.0, at.DEADLOCK: 0.5}.get(state[at.OVER], 0.0)
    seat = chooser(list(state))
    if seat < 0:
        weights = [weight(position.table, list(state), action - at.DEAL) for action, _ in moves]
        return float(sum(w * found[after] for w, (_, after) in zip(weights, moves, strict=True)) / sum(weights))
    return float((max, min)[seat](found[after] for _, after in moves))


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("rules", ["jamaica-en+actions1+cards2", "tortuga-en+actions1+cards2"])
def test_values_are_those_of_brute_force(rules: str, seed: int) -> None:
    position = Game.new(rules, seats=2, seed=seed, **TINY).position  # type: ignore[arg-type]
    solution = solve(position, open_hands=True)
    low, high = brute_force(position, 0.0), brute_force(position, 1.0)
    assert solution.bounds[0] <= low + 1e-9
    assert solution.bounds[1] >= high - 1e-9
    assert not solution.is_exact or solution.value[0] == pytest.approx(low, abs=1e-9) == pytest.approx(high, abs=1e-9)


def test_the_best_moves_of_endgames_are_those_of_another_solver() -> None:
    entries = json.loads(gzip.decompress(DATA.read_bytes()))
    for entry in random.Random(1).sample(entries, 12):
        position = Position.parse(entry["position"])
        solution = solve(position, open_hands=True, most=100_000)
        assert {str(move) for move in solution.best(position)} == set(entry["best"]), entry["position"]


def test_the_table_says_what_solving_finds() -> None:
    variants = solved_variants()
    assert len(variants) >= 8
    for variant in variants[2:]:
        position, value = next(iter(variant.values.items()))
        assert solve(position, open_hands=True).value[0] == pytest.approx(value, abs=1e-9)


BECALMED = (
    "nest-nl CDGMPST/CDGMPST|CDGMPST/CDGMPST/CDGMPST s,b,b,b/s,b,b,b -/- - C14C!D14D!G14G!M14M!P14P!S14S!T14T! - 1 1.1"
)


@pytest.mark.parametrize(
    ("stuck", "passes"),
    [("jamaica-en-return BPHSDK s,b/s,b -/- - B17D17H17K17P17S17 - - 1.0", 2), (BECALMED, 1)],
    ids=["deadlock", "becalmed"],
)
def test_a_game_without_a_winner_is_worth_the_same_to_the_solver_the_search_and_a_review(
    stuck: str, passes: int
) -> None:
    """When every seat in a row has had to pass, or only sailing is left, no seat has won: the win is shared."""
    start = Position(stuck)
    record = Record(start, ["end"] * passes, {})
    outcome = record.final.outcome()
    assert outcome is not None
    assert outcome.is_deadlock
    assert outcome.shares(2) == (0.5, 0.5)
    assert solve(start, open_hands=True).value == (0.5, 0.5)
    assert split_course([record.final], [], (0.5, 0.5)).course == ((0.5, 0.5),)
    last = start if passes == 1 else start.play("end")
    for player in ("quartermaster", "captain", "admiral"):
        found = analyse(last, Limit(nodes=20), player=player)
        assert found.turns[0].value == found.value == (0.5, 0.5)
    assert [seat.result for seat in review(record, Limit(nodes=20)).seats] == [0.5, 0.5]


def test_a_deadlock_that_saves_from_a_loss_is_judged_alike_by_the_solver_the_search_and_a_review() -> None:
    """Only 3:P leaves no pirate behind the rival's last one; after any other move the rival fetches a card and wins."""
    saved = Position("tortuga-en-return BPHSDK s,3/6,b P/- HBDKS B16D16H16K16P16S16 - - 1.2")
    solution = solve(saved)
    assert (solution.value, solution.best(saved)) == ((0.5, 0.5), [Move("3:P")])
    for player in ("quartermaster", "captain", "admiral"):
        found = analyse(saved, Limit(nodes=400), player=player)
        assert found.move == Move("3:P")
        assert found.turns[0].value == pytest.approx(solution.value, abs=0.02)
    decided = review(Record(saved, ["3:P", "end", "end", "end"], {}), Limit(nodes=400)).decisions[0]
    assert decided.after == pytest.approx(solution.value, abs=0.02)
    missed = review(Record(saved, ["s:P", "end", "6<", "3:H"], {}), Limit(nodes=400)).decisions[0]
    assert missed.cost == pytest.approx(solution.regret(saved, "s:P"), abs=0.02)


def test_a_solution_knows_every_move() -> None:
    position = Position.parse(ENDGAME)
    solution = solve(position)
    assert solution.is_exact
    assert solution.value == (0.0, 1.0)
    assert [str(move) for move in solution.best(position)] == ["7:B"]
    assert solution.regret(position, "7:B") == 0.0
    assert solution.regret(position, "7:K") > 0.0
    after = position.play("7:K")
    assert solution.value_of(after)[1] == pytest.approx(1.0 - solution.regret(position, "7:K"))
    with pytest.raises(StudyError, match="not a legal move"):
        solution.regret(position, "7:S")
    with pytest.raises(StudyError, match="does not follow"):
        solution.value_of(Game.new(seed=1).position)
    over = solve("jamaica-en BPHSDK b,b/s,s B2/DK - B15D16H17K16P17S17 - - =1", open_hands=True)
    assert over.value == (1.0, 0.0)
    with pytest.raises(StudyError, match="nothing to choose"):
        over.moves(over.start)


def test_regret_counts_what_moves_give_away() -> None:
    start = Game.new("jamaica-en+actions1+cards2", seats=2, seed=1, **TINY).position  # type: ignore[arg-type]
    solution = solve(start, open_hands=True)
    careless = regret(solution, "random", games=20)
    assert careless.games == 20
    assert 0 < careless.best < careless.decisions
    assert careless.lost > 0
    assert regret(solution, "random", games=20) == careless
    assert Regret(0, 0, 0, 0.0).mean == 0.0


@pytest.mark.parametrize(
    ("position", "sentence"),
    [
        (Game.new("tortuga-en", seats=3, seed=1).position, "games for two"),
        (Game.new("jamaica-en", seats=2, seed=1).position, "has hidden hands"),
        (Game.new("jamaica-en", seats=2, seed=1).view(1), "this is a view"),
    ],
)
def test_what_cannot_be_solved_is_refused(position: Position, sentence: str) -> None:
    with pytest.raises(StudyError, match=sentence):
        solve(position)


WRONG: tuple[Any, ...] = (None, True, 1.5, b"x", "", [], int, -(10**5000))


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: type(wrong).__name__)
def test_what_is_no_position_or_no_number_is_refused(wrong: Any) -> None:
    with pytest.raises(CartagenaError, match="a position "):
        solve(wrong)
    with pytest.raises(StudyError, match="most must be a whole number from 1"):
        solve(ENDGAME, most=wrong)
    with pytest.raises(StudyError, match="There are puzzles for"):
        puzzles.check_game(wrong)
    with pytest.raises(StudyError, match="There is no puzzle"):
        puzzles.named("nest", wrong)


def test_too_large_a_game_is_too_much_work() -> None:
    with pytest.raises(TooMuchWork, match="more than 2000 positions"):
        solve(Game.new("tortuga-en", seats=2, seed=1).position, most=2000)


def test_the_command_line_solves(capsys: pytest.CaptureFixture[str]) -> None:
    from cartagena.cli import run

    assert run(["solve"]) == 0
    assert re.search("captain best .*admiral best", capsys.readouterr().out)
    assert run(["solve", ENDGAME, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == [0.0, 1.0]
    assert run(["solve", "jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0"]) == 2
    assert "hidden hands; --open-hands solves it" in capsys.readouterr().err


def test_a_large_number_of_positions_costs_no_memory_before_they_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = solve(ENDGAME)
    monkeypatch.setattr(graph, "SPACE", 1)
    vast = solve(ENDGAME, most=10**9)
    assert (vast.value, vast.positions) == (usual.value, usual.positions)
    assert vast.moves(vast.start) == usual.moves(usual.start)


def test_positions_that_do_not_fit_into_memory_are_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(np, "concatenate", full)
    monkeypatch.setattr(graph, "SPACE", 1)
    with pytest.raises(TooMuchWork, match="there is not enough memory for more than"):
        solve(ENDGAME)
