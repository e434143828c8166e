"""Batches: every game of the array behaves like a single game."""

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest

from cartagena import Position
from cartagena.backends import BackendError, Batch, has_cuda, rollouts
from cartagena.backends.openings import start_of
from cartagena.backends.portable.playout import deal_due
from cartagena.backends.rollouts import opening
from cartagena.kernel import layout as at
from cartagena.kernel.legal import chooser, legal
from cartagena.kernel.step import step
from cartagena.kernel.view import view

SIZE = 40


def listed(table: tuple[int, ...], words: list[int]) -> list[int]:
    out = [0] * at.MAX_LEGAL
    return out[: legal(table, words, out)]


@pytest.mark.parametrize("name", ["jamaica-en", "tortuga-de", "nest-nl"])
@pytest.mark.parametrize("seats", [2, 5])
def test_a_batch_steps_like_single_games(name: str, seats: int) -> None:
    batch = Batch(name, SIZE, 7, seats=seats)
    start = start_of(name, seats)
    games = [opening(start, 7, game) for game in range(SIZE)]
    pick = np.random.default_rng(1)
    for _ in range(120):
        masks, actions = batch.legal(), []
        for game, (words, key) in enumerate(games):
            moves = listed(start.rules, words)
            assert np.flatnonzero(masks[game]).tolist() == moves
            action = int(pick.choice(moves)) if moves else -1
            actions.append(action)
            if moves:
                step(start.rules, words, action)
                games[game] = (words, deal_due(start.rules, words, key))
        batch.step(actions)
        assert batch.states.tolist() == [words for words, _ in games]
        assert batch.keys.tolist() == [key for _, key in games]
    assert batch.choosers().tolist() == [chooser(words) for words, _ in games]
    views = batch.views()
    for game, (words, _) in enumerate(games):
        out = [0] * at.WORDS
        view(start.rules, words, chooser(words), out)
        assert views[game].tolist() == out


def test_a_batch_that_samples_plays_the_games_of_rollouts() -> None:
    batch = Batch("nest-nl", 50, 6, seats=3)
    moves = 0
    while (batch.states[:, at.OVER] == 0).any():
        actions = batch.sample()
        moves += int((actions >= 0).sum())
        batch.step(actions)
    result = rollouts("nest-nl", 50, 6, backend="cpu", seats=3)
    assert result.cut == 0
    assert result.actions == moves
    assert [int((batch.states[:, at.OVER] == seat).sum()) for seat in (1, 2, 3)] == list(result.wins)


@pytest.mark.parametrize("seat", [3, -2, 9])
def test_a_view_of_a_seat_that_does_not_exist_is_refused(seat: int) -> None:
    batch = Batch("nest-nl", 2, 6, seats=3)
    with pytest.raises(BackendError, match=rf"seats must be from 0 to 2, or -1 for a spectator, not {seat}\."):
        batch.views([0, seat])
    assert (batch.views([2, -1]) >= 0).all()


def test_reset_games_are_new_games_of_the_seed() -> None:
    batch = Batch("tortuga-en", 4, 2)
    before = batch.states.copy()
    batch.reset([False, True, False, True])
    assert batch.numbers.tolist() == [0, 5, 2, 7]
    fresh, _ = opening(start_of("tortuga-en", 2), 2, 7)
    assert batch.states[3].tolist() == fresh
    assert (batch.states[[0, 2]] == before[[0, 2]]).all()


def test_a_batch_can_start_from_a_position() -> None:
    position = Position.parse("jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0")
    batch = Batch(position, 5)
    batch.step([position.action("s:B")] * 5)
    assert (batch.states == position.play("s:B").words).all()
    assert batch.table == position.table
    assert batch.seats == 2


@pytest.mark.parametrize(
    "text",
    [
        "jamaica-en+cards2 BDHKPS s,3/2,2 BD/H2 - - BDK2P2S2 - 1.1+2",  # cards are owed to the mover
        "tortuga-en BDHKPS s,3/2,2 BD/H2 - B16D16H15K17P17S17 - - 1.1r12+1",  # the row is being laid out
    ],
)
def test_a_batch_deals_the_cards_that_are_due_in_the_position_it_starts_from(text: str) -> None:
    position = Position.parse(text)
    batch = Batch(position, 40, 5)
    assert (batch.choosers() == 0).all()
    assert batch.legal().any(axis=1).all()
    moves = 0
    while (batch.choosers() >= 0).any():
        actions = batch.sample()
        moves += int((actions >= 0).sum())
        batch.step(actions)
    result = rollouts(position, 40, 5, backend="plain")
    assert result.cut == 0
    assert moves == result.actions, "the same cards as in rollouts"
    assert [int((batch.states[:, at.OVER] == seat).sum()) for seat in (1, 2)] == list(result.wins)
    batch.reset([True] * 40)
    assert (batch.choosers() == 0).all()


def test_threads_give_the_same_games() -> None:
    one, many = Batch("nest-nl", 10_000, 3, threads=1), Batch("nest-nl", 10_000, 3, threads=2)
    for _ in range(5):
        actions = one.legal().argmax(axis=1)
        one.step(actions)
        many.step(actions, check=False)
    assert (one.states == many.states).all()
    assert (one.views(np.full(10_000, -1)) == many.views(np.full(10_000, -1))).all()


def test_an_illegal_action_changes_nothing() -> None:
    batch = Batch("jamaica-en", 3, 1)
    before = batch.states.copy()
    actions = batch.legal().argmax(axis=1)
    actions[1] = at.SAIL
    with pytest.raises(BackendError, match=f"action {at.SAIL} is not legal in game 1; nothing was played"):
        batch.step(actions)
    actions[1] = 10**6
    with pytest.raises(BackendError, match="is not legal in game 1"):
        batch.step(actions)
    assert (batch.states == before).all()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"size": 0}, "size must be a whole number from 1"),
        ({"backend": "plain"}, "a batch needs the backend cpu or cuda"),
        ({"threads": -2}, "threads must be"),
        ({"position": None}, "not from NoneType"),
    ],
)
def test_bad_arguments_are_refused(wrong: dict[str, object], words: str) -> None:
    with pytest.raises(BackendError, match=words):
        Batch(**{"position": "jamaica-en", "size": 2, **wrong})  # type: ignore[arg-type]


def test_arrays_of_a_wrong_shape_are_refused() -> None:
    batch = Batch("jamaica-en", 3)
    for actions in ([1, 2], [[1, 2, 3]], [1.5, 2, 3], "abc", None):
        with pytest.raises(BackendError, match="actions must be 3 whole numbers"):
            batch.step(actions)
    with pytest.raises(BackendError, match="which must be 3 whole numbers"):
        batch.reset([True])


def test_the_device_steps_the_same() -> None:
    if not has_cuda():
        with pytest.raises(BackendError, match="there is no CUDA device here"):
            Batch("jamaica-en", 2, backend="cuda")
        return
    ours, theirs = Batch("nest-nl", 500, 1, "cuda"), Batch("nest-nl", 500, 1, "cpu")
    for _ in range(20):
        actions = theirs.legal().argmax(axis=1)
        ours.step(actions)
        theirs.step(actions)
    assert (ours.states.copy_to_host() == theirs.states).all()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_a_copy_of_a_batch_has_the_same_future_and_a_life_of_its_own(copied: Callable[[Batch], Batch]) -> None:
    batch = Batch("tortuga-en", 5, 3)
    batch.step(batch.legal().argmax(axis=1))
    other = copied(batch)
    before = batch.states.copy()
    actions = other.sample().copy()
    other.step(actions)
    other.reset([1, 0, 0, 0, 0])
    assert (batch.states == before).all()
    batch.step(actions)
    batch.reset([1, 0, 0, 0, 0])
    assert (batch.states == other.states).all()
    assert (batch.legal() == other.legal()).all()


LIMITED = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (1 << 34, 1 << 34))
from cartagena.backends import BackendError, Batch
try:
    Batch("jamaica-en", 2**31 - 1)
except BackendError as error:
    print(error)
"""


def test_more_games_than_the_memory_holds_are_refused() -> None:
    told = subprocess.run([sys.executable, "-c", LIMITED], capture_output=True, text=True, check=True).stdout
    assert told == "there is not enough memory for 2147483647 games at a time.\n"
