"""Chance: when a card is due, where it comes from, and what dealing it does.

The kernel has no random generator and no order of the deck. The state says that a card is due, and the caller chooses
the card.
"""

from .cards import plain, tally, unit
from .intrinsics import RuleTable, Words, rule
from .layout import (
    DISCARD,
    HAND,
    HIDDEN,
    HIDDEN_STOCK,
    MAX_SEATS,
    OWED,
    ROW,
    ROW_BITS,
    ROW_DUE,
    ROW_LEN,
    SEAT,
    SEAT_WORDS,
    STOCK,
    T_DECK,
    T_ROW,
    TURN,
)


@rule
def due(state: Words) -> int:
    """How many cards are due to the row and to the mover."""
    return state[ROW_DUE] + state[OWED]


@rule
def cards_left(state: Words) -> int:
    """Nonzero if a card can still be dealt from the stock or the discard pile."""
    return state[STOCK] | state[DISCARD] | (state[HIDDEN] >> HIDDEN_STOCK)


@rule
def unseen(rules: RuleTable, state: Words) -> int:
    """The cards that a view does not show: those of the stock and of the hidden hands together."""
    hidden = rules[T_DECK] - state[DISCARD] - state[STOCK]
    for seat in range(MAX_SEATS):
        hidden -= state[SEAT + seat * SEAT_WORDS + HAND]
    for number in range(state[ROW_LEN]):
        hidden -= unit((state[ROW] >> (number * ROW_BITS)) & 7)
    return hidden


@rule
def source(rules: RuleTable, state: Words) -> int:
    """The cards from which the next one is dealt.

    Only an empty stock is replaced by the discard pile (all booklets). In a view, which hides the stock, any card that
    is not shown may come.
    """
    if state[STOCK]:
        return state[STOCK]
    if state[HIDDEN] >> HIDDEN_STOCK:
        return unseen(rules, state)
    return state[DISCARD]


@rule
def take_from_stock(state: Words, card: int) -> None:
    """Take a card from the stock. An empty stock is first replaced by the discard pile."""
    if state[HIDDEN] >> HIDDEN_STOCK:
        state[HIDDEN] -= 1 << HIDDEN_STOCK
        return
    if state[STOCK] == 0:
        state[STOCK] = state[DISCARD]
        state[DISCARD] = 0
    state[STOCK] -= unit(card)


@rule
def front_cards(row: int, number: int) -> int:
    """The first 0 to 2 cards of the row as a card word. Branch-free: the branch would be unpredictable."""
    first = plain(row & 7) & -((number + 1) >> 1)
    return first + (plain((row >> ROW_BITS) & 7) & -(number >> 1))


@rule
def take_from_row(rules: RuleTable, state: Words, number: int) -> None:
    """Give the mover cards from the front of the row. An empty row is laid out again, and the rest comes from it.

    If no card is left to lay out, the rest of the draw lapses and the row waits for the next draw.
    """
    taken = min(number, state[ROW_LEN])
    row = state[ROW]
    state[SEAT + state[TURN] * SEAT_WORDS + HAND] += front_cards(row, taken)
    state[ROW] = row >> (taken * ROW_BITS)
    state[ROW_LEN] -= taken
    number -= taken
    if state[ROW_LEN] == 0 and cards_left(state):
        state[ROW_DUE] = rules[T_ROW]
        state[OWED] = number


@rule
def draw(rules: RuleTable, state: Words, number: int) -> None:
    """Give the mover that many cards: at once from the row, or as cards due from the stock."""
    if rules[T_ROW]:
        take_from_row(rules, state, number)
    elif cards_left(state):
        state[OWED] = number


@rule
def deal_to_row(rules: RuleTable, state: Words, card: int) -> None:
    """Lay a card at the end of the row. When the row is complete, the mover takes what is still owed."""
    state[ROW] |= card << (state[ROW_LEN] * ROW_BITS)
    state[ROW_LEN] += 1
    state[ROW_DUE] -= 1
    if state[ROW_DUE] == 0 or cards_left(state) == 0:
        owed = state[OWED]
        state[ROW_DUE] = 0
        state[OWED] = 0
        if owed:
            take_from_row(rules, state, owed)


@rule
def deal(rules: RuleTable, state: Words, card: int) -> None:
    """Deal a card to the row while it is being laid out, else to the mover's hand."""
    take_from_stock(state, card)
    if state[ROW_DUE]:
        deal_to_row(rules, state, card)
        return
    state[SEAT + state[TURN] * SEAT_WORDS + HAND] += unit(card)
    state[OWED] -= 1
    if cards_left(state) == 0:
        state[OWED] = 0


@rule
def weight(rules: RuleTable, state: Words, card: int) -> int:
    """How many such cards could come now. The chance of a card is in proportion to its weight."""
    return tally(source(rules, state), card)
