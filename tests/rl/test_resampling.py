"""Drawing a state again from what a player knows: views preserved, hidden cards really redrawn, never the true ones."""

import random
from collections import Counter

import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rl.test_openspiel import load, play_on

import cartagena.rl.openspiel  # noqa: F401  (registers the game)
from cartagena.kernel import layout as at
from cartagena.rl import resampling
from cartagena.rl.resampling import Remembered

HIDDEN = [("jamaica-en", 2), ("jamaica-de", 5), ("hispaniola-en", 3), ("nest-nl", 2), ("nest-nl", 5)]


def hands(state: pyspiel.State) -> list[int]:
    seats = range(state.past.setup.laid.seats)
    return [state.past.words[at.SEAT + seat * at.SEAT_WORDS + at.HAND] for seat in seats]


@pytest.mark.parametrize(("rules", "seats"), HIDDEN)
def test_the_view_is_preserved_and_hidden_cards_are_redrawn(rules: str, seats: int) -> None:
    rng = random.Random(11)
    state = load(f"rules={rules},seats={seats}").new_initial_state()
    play_on(state, rng, 12)
    redrawn = 0
    for choices in (0, 15, 30):
        play_on(state, rng, choices)
        if state.is_terminal():
            break
        for player in range(seats):
            again = state.resample_from_infostate(player, rng.random)
            assert again.information_state_string(player) == state.information_state_string(player)
            assert again.observation_string(player) == state.observation_string(player)
            assert again.observation_tensor(player) == state.observation_tensor(player)
            assert hands(again)[player] == hands(state)[player]
            assert again.current_player() == state.current_player()
            assert again.position.view(0) == state.position.view(0)
            redrawn += hands(again) != hands(state)
    assert redrawn > 0


@settings(max_examples=15, deadline=None)
@given(table=st.sampled_from(HIDDEN), seed=st.integers(0, 10**6), choices=st.integers(0, 40))
def test_states_that_differ_only_in_what_a_seat_cannot_see(table: tuple[str, int], seed: int, choices: int) -> None:
    rules, seats = table
    rng = random.Random(seed)
    state = load(f"rules={rules},seats={seats}").new_initial_state()
    play_on(state, rng, choices)
    player = seed % seats
    twin = state.resample_from_infostate(player, rng.random)
    assert twin.information_state_string(player) == state.information_state_string(player)
    assert twin.observation_string(player) == state.observation_string(player)
    assert twin.observation_tensor(player) == state.observation_tensor(player)
    assert twin.past.seen_by(player) == state.past.seen_by(player)


def test_with_open_hands_there_is_nothing_to_redraw() -> None:
    rng = random.Random(2)
    state = load("rules=tortuga-en,seats=3").new_initial_state()
    play_on(state, rng, 40)
    assert str(state.resample_from_infostate(1, rng.random)) == str(state)


def test_a_long_game_whose_stock_was_turned_over_can_be_redrawn() -> None:
    rng = random.Random(4)
    state = load("rules=jamaica-en+cards4,seats=2").new_initial_state()
    while not any(event.fresh for event in state.past.events):
        assert not state.is_terminal()
        play_on(state, rng, 1)
    play_on(state, rng, 10)
    again = state.resample_from_infostate(0, rng.random)
    assert again.information_state_string(0) == state.information_state_string(0)


def test_the_true_cards_are_never_read() -> None:
    """The drawing sees a memory in which hidden deals have no card, and the same memory gives the same drawing."""
    rng = random.Random(9)
    state = load("rules=jamaica-en,seats=3").new_initial_state()
    play_on(state, rng, 30)
    twin = state.resample_from_infostate(0, rng.random)
    assert hands(twin) != hands(state)
    assert state.past.remembered(0) == twin.past.remembered(0)
    first = state.resample_from_infostate(0, lambda: 0.25)
    second = twin.resample_from_infostate(0, lambda: 0.25)
    assert str(first) == str(second)
    assert first.history() == second.history()


def test_who_passed_by_force_held_nothing_to_play() -> None:
    """Seat 1 got two hidden cards of a deck of A A B B and was forced to pass while A could have been played."""
    deck = 2 + (2 << 8)
    events = [Remembered(resampling.UNSEEN, 1, deal=True), Remembered(resampling.UNSEEN, 1, deal=True)]
    events.append(Remembered(at.END, 1, barred=frozenset({0})))
    for seed in range(20):
        assert resampling.draw_deals(deck, events, random.Random(seed)) == [1, 1]


def test_cards_that_were_played_later_were_dealt_before() -> None:
    """One A among ten cards: the seat that played it has it, whichever of its deals it was."""
    deck = 1 + (9 << 8)
    events = [Remembered(resampling.UNSEEN, seat, deal=True) for seat in (1, 2, 1, 2)]
    events.append(Remembered(0, 2, lost=0))
    drawn = [tuple(resampling.draw_deals(deck, events, random.Random(seed))) for seed in range(60)]
    counts = Counter(drawn)
    assert set(counts) == {(1, 0, 1, 1), (1, 1, 1, 0)}
    assert min(counts.values()) > 10


def test_every_explanation_is_about_as_likely() -> None:
    """Two hidden cards from A A B B: A A and B B one in six each, A B four in six (drawn without looking)."""
    deck = 2 + (2 << 8)
    events = [Remembered(resampling.UNSEEN, 1, deal=True), Remembered(resampling.UNSEEN, 1, deal=True)]
    drawn = Counter(tuple(sorted(resampling.draw_deals(deck, events, random.Random(seed)))) for seed in range(600))
    assert 60 < drawn[0, 0] < 140
    assert 60 < drawn[1, 1] < 140


def test_a_memory_that_nothing_explains_is_refused() -> None:
    events = [Remembered(resampling.UNSEEN, 1, deal=True), Remembered(5, 1, lost=1)]
    with pytest.raises(RuntimeError, match="no deal was found"):
        resampling.draw_deals(3, events, random.Random(1))
