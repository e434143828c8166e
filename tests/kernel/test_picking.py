"""Picking moves and cards by number or by a draw, and moving pirates, agree with the simplest implementation."""

from hypothesis import given
from hypothesis import strategies as st

from cartagena.backends.openings import start_of
from cartagena.backends.rollouts import opening
from cartagena.kernel import layout as at
from cartagena.kernel.cards import card_at, held, nth_bit, pick, tally, total, unit
from cartagena.kernel.chance import due
from cartagena.kernel.legal import chooser, count, drawn, legal, nth, share
from cartagena.kernel.step import step
from cartagena.kernel.track import number_at, put, shift
from cartagena.kernel.validate import clear

words_of_cards = st.tuples(
    st.lists(st.integers(0, 20), min_size=7, max_size=7), st.lists(st.integers(0, 1), min_size=7, max_size=7)
).map(lambda both: sum(n * unit(card) for card, n in enumerate(both[0] + both[1])))


@given(words_of_cards)
def test_cards_lie_in_order(word: int) -> None:
    cards = [card for card in range(at.CARDS) for _ in range(tally(word, card))]
    assert total(word) == len(cards)
    assert [pick(word, number) for number in range(len(cards))] == cards
    assert [pick(held(word), number) for number in range(len(set(cards)))] == sorted(set(cards))


@given(st.integers(1, 2**60 - 1))
def test_bits_have_numbers(mask: int) -> None:
    bits = [bit for bit in range(60) if mask >> bit & 1]
    assert [nth_bit(mask, number) for number in range(len(bits))] == bits


def test_a_card_has_a_bit() -> None:
    assert [card_at(nth_bit(held(unit(card)), 0)) for card in range(at.CARDS)] == list(range(at.CARDS))


@given(st.integers(0, 2**32 - 1), st.integers(1, 300))
def test_a_draw_falls_into_one_of_equal_parts(draw: int, limit: int) -> None:
    assert share(draw, limit) == draw * limit // 2**32


def walk(name: str, seats: int, seed: int) -> int:
    """Play a game with ``drawn`` and check every draw against ``nth``."""
    start = start_of(name, seats)
    words, draw = opening(start, seed, 0)
    table, moves = start.rules, 0
    while words[at.OVER] == 0 and moves < 3000:
        draw = draw * 6364136223846793005 + 1442695040888963407 & 2**64 - 1
        out = [0] * at.MAX_LEGAL
        listed = out[: legal(table, words, out)]
        assert listed == sorted(set(listed))
        assert [nth(table, words, number) for number in range(count(table, words))] == listed
        action = listed[(draw >> 32) * len(listed) >> 32]
        if due(words):
            assert chooser(words) == -1
        else:
            assert drawn(table, words, draw >> 32) == action
            assert chooser(words) == (words[at.DROPPER] - 1 if words[at.DROPPER] else words[at.TURN])
        step(table, words, action)
        moves += 1
    assert count(table, words) == legal(table, words, [0]) == 0 or moves == 3000
    assert chooser(words) == -1 or moves == 3000
    return moves


def test_a_drawn_move_is_the_one_its_number_says() -> None:
    for name in ("jamaica-en", "tortuga-de", "hispaniola-sv+actions5", "nest-nl", "nest-nl+pass-crew"):
        for seats in (2, 3, 5):
            assert walk(name, seats, 4) > 20


@given(st.lists(st.integers(0, 37), min_size=1, max_size=8), st.integers(0, 7), st.integers(0, 37))
def test_a_pirate_is_moved(places: list[int], which: int, target: int) -> None:
    start = start_of("nest-nl", 2)
    place = places[which % len(places)]
    states = [[0] * at.WORDS for _ in range(2)]
    for state in states:
        clear(start.rules, state)
    fields = [p for p in set(places) if places.count(p) > 3 and start.rules[at.T_FIELDS] >> p & 1]
    after = [*places, target]
    after.remove(place)
    full = [p for p in set(after) if after.count(p) > 3 and start.rules[at.T_FIELDS] >> p & 1]
    if place == target or fields or full:
        return  # a pirate moves to another place, and no field holds more than three
    for pirate in places:
        put(start.rules, states[0], 1, pirate)
    for pirate in after:
        put(start.rules, states[1], 1, pirate)
    shift(start.rules, states[0], 1, place, target)
    assert states[0] == states[1]
    assert number_at(states[0], 1, target) == after.count(target)
