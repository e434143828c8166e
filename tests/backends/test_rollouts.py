"""Rollouts: the same games on every backend, correct counts, clear errors."""

from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from tests.positions import A, B

from cartagena import Position, RuleSetError
from cartagena.backends import BackendError, Rollouts, has_cuda, perft, register, rollouts
from cartagena.backends.openings import start_of
from cartagena.backends.portable import generator
from cartagena.backends.results import LENGTHS
from cartagena.backends.rollouts import opening
from cartagena.game import perft as plain_perft
from cartagena.game.notation.format import write_position
from cartagena.kernel import layout as at
from cartagena.rulesets import load

OVER = "jamaica-en BPHSDK s,s/b,b B2/DK - B15D16H17K16P17S17 - - =2"


def same(one: Rollouts, other: Rollouts) -> bool:
    numbers = [(r.games, r.wins, r.deadlocks, r.cut, r.actions) for r in (one, other)]
    return numbers[0] == numbers[1] and np.array_equal(one.lengths.counts, other.lengths.counts)


def test_results_can_be_compared_and_collected() -> None:
    one, other, again = (rollouts("jamaica-en", 2, seed=seed, backend="plain") for seed in (1, 2, 1))
    assert one == again
    assert one != other
    assert one.lengths != one.lengths.counts.tolist()
    assert len({one, other, again}) == 2


@pytest.mark.parametrize("source", ["jamaica-en", "tortuga-de", "nest-nl", A, B])
def test_games_are_the_same_on_plain_and_on_any_number_of_threads(source: str) -> None:
    start = source if " " not in source else Position.parse(source)
    plain = rollouts(start, 30, 5, backend="plain")
    for threads in (1, 2, 3, None):
        assert same(plain, rollouts(start, 30, 5, backend="cpu", threads=threads))


def test_every_game_is_counted_once() -> None:
    result = rollouts("nest-nl", 500, 1, backend="cpu", seats=4)
    assert result.games == 500 == sum(result.wins) + result.deadlocks + result.cut == result.lengths.counts.sum()
    assert len(result.wins) == 4 == len(result.rates)
    assert result.actions == (result.lengths.counts * np.arange(LENGTHS)).sum() == result.lengths.total
    assert result.lengths.shortest <= result.lengths.mean <= result.lengths.longest
    assert result.backend == "cpu"


def test_other_seeds_are_other_games() -> None:
    assert not same(rollouts("jamaica-en", 50, 1, backend="cpu"), rollouts("jamaica-en", 50, 2, backend="cpu"))


def test_a_game_is_cut_at_the_turn_cap() -> None:
    for backend in ("plain", "cpu"):
        result = rollouts("jamaica-en", 5, 1, backend=backend, cap=2)
        assert result.cut == 5
        assert result.lengths.shortest >= 4
        assert result.lengths.longest <= 8  # two turns of at most three actions and an end


def test_auto_uses_a_device_if_there_is_one() -> None:
    assert rollouts("jamaica-en", 2, 1).backend == ("cuda" if has_cuda() else "cpu")


def test_draws_are_spread_evenly() -> None:
    """Chi-square with 15 degrees of freedom stays below 60 for a uniform generator."""
    key, counts = generator.key_of(3, 4), [0] * 16
    for _ in range(16000):
        key = generator.next_key(key)
        counts[generator.draw(key) >> 28] += 1
    assert sum((n - 1000) ** 2 / 1000 for n in counts) < 60
    assert generator.mix(1) == 0x5692161D100B05E5  # SplitMix64's finaliser


@pytest.mark.parametrize("name", ["jamaica-en", "tortuga-en", "hispaniola-de", "nest-nl"])
@pytest.mark.parametrize("seats", [2, 5])
def test_a_table_laid_anew_is_a_possible_opening(name: str, seats: int) -> None:
    rules, start = load(name), start_of(name, seats)
    boards = set()
    for game in range(20):
        words, _ = opening(start, 8, game)
        letters = "".join(
            rules.letters[next(s for s in range(7) if words[at.SIGN + s] >> place & 1)]
            for place in range(at.MAX_PLACES)
            if start.rules[at.T_FIELDS] >> place & 1
        )
        size = len(rules.letters)
        pieces = [letters[i : i + size] for i in range(0, len(letters), size)]
        first = rules.islands[0]
        board = "/".join(pieces[:first]) + ("|" + "/".join(pieces[first:]) if rules.nest else "")
        position = Position.parse(write_position(rules, board, start.rules, words))
        assert position.words == tuple(words)
        assert {min(piece, piece[::-1]) for piece in pieces} == {min(piece, piece[::-1]) for piece in rules.printed}
        boards.add(board)
    assert len(boards) == 20


def test_pieces_can_be_shuffled() -> None:
    from cartagena.rulesets import from_toml

    rules = from_toml('base = "jamaica-en"\nstyle = "random"\npieces = 8\nseats = 3\n')
    start = start_of(rules)
    words, _ = opening(start, 1, 1)
    assert start.seats == 3
    assert [words[at.SIGN + sign].bit_count() for sign in range(7)] == [8] * 6 + [0]
    assert same(rollouts(rules, 5, 1, backend="plain"), rollouts(rules, 5, 1, backend="cpu"))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"games": -1}, "games must be a whole number from 1"),
        ({"games": 0}, "games must be"),
        ({"games": 2.5}, "games must be"),
        ({"games": True}, "games must be"),
        ({"cap": 0}, "cap must be a whole number from 1"),
        ({"seed": -1}, "seed must be"),
        ({"threads": 0}, "threads must be"),
        ({"seats": 6}, "seats must be a whole number from 2 to 5"),
        ({"seats": "two"}, "seats must be"),
        ({"backend": "abacus"}, "'abacus' is not a backend; there are auto, plain, cpu, cuda"),
        ({"policy": "psychic"}, "'psychic' is not a policy; there are"),
        ({"position": 7}, "not from int"),
        ({"position": Position.parse(OVER)}, "the position is finished"),
        ({"position": Position.parse(A).view(1), "seats": 2}, "the position has 3 seats, not 2"),
    ],
)
def test_bad_input_raises_one_sentence(wrong: dict[str, object], words: str) -> None:
    given = {"position": "jamaica-en", "games": 1, "backend": "cpu", **wrong}
    with pytest.raises(BackendError, match=words) as caught:
        rollouts(**given)  # type: ignore[arg-type]
    assert str(caught.value).endswith(".")


def test_an_unknown_rule_set_raises_rule_set_error() -> None:
    with pytest.raises(RuleSetError):
        rollouts("chess", 1)


def test_a_missing_device_is_refused() -> None:
    if has_cuda():
        assert same(rollouts("nest-nl", 1000, 1, backend="cuda"), rollouts("nest-nl", 1000, 1, backend="cpu"))
        return
    with pytest.raises(BackendError, match="there is no CUDA device here"):
        rollouts("jamaica-en", 1, backend="cuda")


def test_an_open_view_can_be_played_out() -> None:
    """With open hands only the stock is hidden, and it consists of all cards that are nowhere else."""
    view = Position.parse(A).view(1)
    assert same(rollouts(view, 20, 3, backend="plain"), rollouts(view, 20, 3, backend="cpu"))


def test_a_view_is_completed_for_every_game() -> None:
    """Hidden hands are dealt anew in every game, the same on every backend, and the seat's own cards are kept."""
    position = Position.parse(B)
    view = position.view(1)
    plain = rollouts(view, 20, 3, backend="plain")
    assert same(plain, rollouts(view, 20, 3, backend="cpu"))
    assert same(plain, rollouts(position.view(1).view(1), 20, 3, backend="plain"))
    dealt = {tuple(opening(start_of(view), 3, game)[0]) for game in range(20)}
    assert len(dealt) == 20
    completed = [view.with_words(words) for words in dealt]
    assert {str(each.view(1)) for each in completed} == {str(view)}
    assert not any(each.is_view for each in completed)


FIRST_MOVE = """
import os
import time

from cartagena.kernel.legal import nth
from cartagena.kernel.intrinsics import rule

if path := os.environ.get("HARBOUR_RUNS"):
    with open(path, "a") as file:
        file.write("x")
    time.sleep(0.2)

@rule
def choose(table, state, key):
    return nth(table, state, 0)
"""
"""Tells of each time it is run, and slowly, where it is asked to. One text: the compiler works seconds for each."""

LAST_MOVE = FIRST_MOVE.replace("state, 0)", "state, count(table, state) - 1)").replace("nth", "count, nth", 1)


def first_moves(policy: str) -> tuple[Rollouts, Rollouts]:
    plain, compiled = (
        rollouts("jamaica-en", 8, 1, policy=policy, backend=backend, cap=40) for backend in ("plain", "cpu")
    )
    return plain, compiled


def test_a_policy_can_be_added_from_outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A module of another package, here always the first legal move, is compiled into the games it plays."""
    (tmp_path / "harbour_policies.py").write_text(FIRST_MOVE)
    monkeypatch.syspath_prepend(tmp_path)
    register("first_move", "harbour_policies")
    plain, compiled = first_moves("first_move")
    assert same(plain, compiled)
    assert not same(compiled, rollouts("jamaica-en", 8, 1, backend="cpu", cap=40))


def test_a_policy_is_a_file_a_module_or_its_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "harbour_first.py").write_text(FIRST_MOVE)
    monkeypatch.syspath_prepend(tmp_path)
    found = []
    for given in (tmp_path / "harbour_first.py", "harbour_first", import_module("harbour_first")):
        register("first_again", given)
        found.append(rollouts("jamaica-en", 8, 1, policy="first_again", backend="plain", cap=40))
    assert all(same(found[0], other) for other in found)


def test_a_policy_that_has_changed_is_loaded_again(tmp_path: Path) -> None:
    path = tmp_path / "policy.py"
    path.write_text(FIRST_MOVE)
    register("changing", path)
    before = rollouts("jamaica-en", 8, 1, policy="changing", backend="plain", cap=40)
    path.write_text(LAST_MOVE)
    register("changing", path)
    assert not same(before, rollouts("jamaica-en", 8, 1, policy="changing", backend="plain", cap=40))


@pytest.mark.parametrize("backend", ["plain", "cpu"])
def test_a_policy_is_what_its_file_was_when_it_was_registered(tmp_path: Path, backend: str) -> None:
    """Compiled code lies on disk under a key of the registered text, so no other text may be compiled under it."""
    first, last, path = tmp_path / "first.py", tmp_path / "last.py", tmp_path / "policy.py"
    first.write_text(FIRST_MOVE)
    last.write_text(LAST_MOVE)
    path.write_text(FIRST_MOVE)
    register("written_over", path)
    path.write_text(LAST_MOVE)
    register("first_of_both", first)
    register("last_of_both", last)
    named = {"written_over": backend, "first_of_both": "plain", "last_of_both": "plain"}  # that compiles nothing more
    played, lowest, highest = (
        rollouts("jamaica-en", 8, 1, policy=name, backend=where, cap=40) for name, where in named.items()
    )
    assert same(played, lowest)
    assert not same(played, highest)


def test_a_policy_imports_nothing_that_its_key_does_not_cover(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "harbour_helper.py").write_text("NUMBER = 0")
    monkeypatch.syspath_prepend(tmp_path)
    for line in (
        "from harbour_helper import NUMBER",
        "import harbour_helper",
        "import math, harbour_helper.deep as deep",
    ):
        (tmp_path / "helped.py").write_text(f"{line}\n{FIRST_MOVE}")
        with pytest.raises(BackendError, match=r"helped\.py: imports harbour_helper[.a-z]*; a policy imports only"):
            register("helped", tmp_path / "helped.py")
    (tmp_path / "helped.py").write_text(f"import math\nimport numpy as np\n{FIRST_MOVE}")
    register("helped", tmp_path / "helped.py")
    assert rollouts("jamaica-en", 1, policy="helped", backend="plain", cap=2).games == 1


@pytest.mark.parametrize("backend", ["plain", "cpu"])
def test_a_policy_is_loaded_once_by_any_number_of_threads(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, backend: str
) -> None:
    (tmp_path / "slow.py").write_text(FIRST_MOVE)
    monkeypatch.setenv("HARBOUR_RUNS", str(tmp_path / "runs"))
    register(f"slow_{backend}", tmp_path / "slow.py")
    with ThreadPoolExecutor(4) as pool:
        played = list(
            pool.map(lambda _: rollouts("jamaica-en", 4, 1, policy=f"slow_{backend}", backend=backend, cap=9), range(4))
        )
    assert (tmp_path / "runs").read_text() == "x"
    assert all(same(played[0], other) for other in played)


def test_policies_that_cannot_be_are_refused(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("from math import nothing_of_the_kind")
    (tmp_path / "empty.py").write_text("")
    with pytest.raises(BackendError, match="letters and digits"):
        register("first move", "x")
    with pytest.raises(BackendError, match="already a policy uniform"):
        register("uniform", "x")
    with pytest.raises(BackendError, match="there is no module harbour_nowhere"):
        register("nowhere", "harbour_nowhere")
    with pytest.raises(BackendError, match="cannot be read"):
        register("nowhere", tmp_path / "none.py")
    for name, sentence in (("broken", "cannot be run: ImportError"), ("empty", "has no function choose")):
        register(name, tmp_path / f"{name}.py")
        with pytest.raises(BackendError, match=sentence):
            rollouts("jamaica-en", 1, policy=name, backend="plain")


@pytest.mark.parametrize(("text", "counts"), [(A, (16, 248, 3923, 17183)), (B, (20, 345, 6060, 107966))])
def test_perft_is_the_same_compiled(text: str, counts: tuple[int, ...]) -> None:
    position = Position.parse(text)
    assert tuple(perft(position, depth) for depth in (1, 2, 3, 4)) == counts
    assert perft(position, 0) == plain_perft(position, 0) == 1
    with pytest.raises(BackendError, match="depth must be"):
        perft(position, -1)


def test_a_finished_game_has_no_sequences() -> None:
    assert perft(Position.parse(OVER), 1) == perft(Position.parse(OVER), 3) == 0
