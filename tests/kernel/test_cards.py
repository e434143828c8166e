"""Sets of cards in one word."""

import pytest

from cartagena.kernel.cards import card_at, covers, first_card, foot, held, tally, total, unit
from cartagena.kernel.layout import CARDS, FREEBOOTER


@pytest.mark.parametrize("card", range(CARDS))
def test_each_card_has_a_lane_of_its_own(card: int) -> None:
    assert card_at(foot(card)) == card
    assert [tally(unit(card), other) for other in range(CARDS)] == [int(other == card) for other in range(CARDS)]
    assert held(unit(card)) == unit(card)
    assert first_card(held(unit(card))) == card
    assert total(unit(card)) == 1


def test_a_full_deck_is_counted_without_a_lane_running_over() -> None:
    deck = sum(20 * unit(card) for card in range(FREEBOOTER)) + sum(unit(card) for card in range(FREEBOOTER, CARDS))
    assert total(deck) == 147
    assert [tally(deck, card) for card in range(CARDS)] == [20] * 7 + [1] * 7
    assert first_card(held(deck)) == 0
    assert held(deck).bit_count() == CARDS


@pytest.mark.parametrize("card", range(CARDS))
def test_a_part_can_be_taken_out_only_of_a_set_that_has_it(card: int) -> None:
    rest = sum(2 * unit(other) for other in range(FREEBOOTER) if other != card)
    assert covers(rest + unit(card), unit(card)) == 1
    assert covers(rest, unit(card)) == 0
    assert covers(rest + unit(card), 0) == 1
    if card < FREEBOOTER:
        assert covers(rest + unit(card), 2 * unit(card)) == 0
