"""Checks of whole positions agree with checks pirate by pirate and card by card."""

from hypothesis import given
from hypothesis import strategies as st

from cartagena.kernel import layout as at
from cartagena.kernel import validate
from cartagena.kernel.cards import covers, tally, unit
from cartagena.kernel.track import number_at, put
from cartagena.rulesets import by_name, compile_table

CARDS = st.lists(st.integers(0, 20), min_size=7, max_size=7)
FREEBOOTERS = st.lists(st.integers(0, 1), min_size=7, max_size=7)
SETS = st.builds(lambda plain, free: [*plain, *free], CARDS, FREEBOOTERS)


def pack(numbers: list[int]) -> int:
    return sum(number * unit(card) for card, number in enumerate(numbers))


@given(SETS, SETS)
def test_covers_is_card_by_card(whole: list[int], part: list[int]) -> None:
    word, other = pack(whole), pack(part)
    assert covers(word, other) == int(all(tally(word, card) >= tally(other, card) for card in range(at.CARDS)))
    assert covers(word, word) == 1


def test_covers_sees_a_single_card_too_many() -> None:
    for card in range(at.CARDS):
        assert covers(0, unit(card)) == 0
        assert covers(unit(card), unit(card)) == 1


PLACES = st.lists(st.lists(st.sampled_from([0, 1, 2, 15, 16, 36, 37]), min_size=4, max_size=4), min_size=5, max_size=5)


@given(PLACES)
def test_gather_is_pirate_by_pirate(seats: list[list[int]]) -> None:
    table = compile_table(by_name("nest-nl"), 5, 5, 4)
    whole, single = [0] * at.WORDS, [0] * at.WORDS
    found = validate.POSSIBLE
    for seat, places in enumerate(seats):
        for place in places:
            put(table, whole, seat, place)
            found = found or validate.stand(table, single, seat, place)
    assert (validate.gather(table, whole) == validate.POSSIBLE) == (found == validate.POSSIBLE)
    if found == validate.POSSIBLE:
        assert whole == single


def test_gather_says_what_is_too_crowded() -> None:
    table = compile_table(by_name("nest-nl"), 2, 5, 4)
    for place, fault in ((3, validate.FIELD_IS_FULL), (15, validate.TOO_MANY_ABOARD), (0, validate.POSSIBLE)):
        words = [0] * at.WORDS
        for _ in range(4):
            put(table, words, 1, place)
        assert validate.gather(table, words) == fault


def test_cards_before_the_first_turn_go_from_the_stock_to_hands_and_the_row() -> None:
    table = compile_table(by_name("tortuga-en"), 2, 6, 3)
    words = [0] * at.WORDS
    validate.clear(table, words)
    validate.lay_out(table, words)
    assert [number_at(words, seat, 0) for seat in range(2)] == [3, 3]
    assert words[at.STOCK] == table[at.T_DECK]
    for target, card in ((1, 4), (1, 4), (-1, 2), (-1, 5)):
        validate.deal_first(words, target, card)
    assert words[at.SEAT + at.SEAT_WORDS + at.HAND] == 2 * unit(4)
    assert (words[at.ROW_LEN], words[at.ROW]) == (2, 2 | 5 << at.ROW_BITS)
    assert words[at.STOCK] == table[at.T_DECK] - 2 * unit(4) - unit(2) - unit(5)
