"""Chance: when a card is due, where it comes from, and what dealing it does.

There is no random generator here and no order of the deck. The state says that a card is due; the caller says
which one came.
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
    """How many cards are due, to the row and to the player."""
    return state[ROW_DUE] + state[OWED]


@rule
def cards_left(state: Words) -> int:
    """Not 0 if a card can still be dealt from the stock or the discard pile."""
    return state[STOCK] | state[DISCARD] | (state[HIDDEN] >> HIDDEN_STOCK)


@rule
def unseen(table: RuleTable, state: Words) -> int:
    """The cards that lie nowhere in sight: in a view, those of the stock and of the hidden hands together."""
    hidden = table[T_DECK] - state[DISCARD] - state[STOCK]
    for seat in range(MAX_SEATS):
        hidden -= state[SEAT + seat * SEAT_WORDS + HAND]
    for number in range(state[ROW_LEN]):
        hidden -= unit((state[ROW] >> (number * ROW_BITS)) & 7)
    return hidden


@rule
def source(table: RuleTable, state: Words) -> int:
    """The cards of which the next one dealt is one.

    Only an empty stock is replaced by the discard pile (all booklets). In a view, where the stock is hidden, it
    may hold any card that is out of sight.
    """
    if state[STOCK]:
        return state[STOCK]
    if state[HIDDEN] >> HIDDEN_STOCK:
        return unseen(table, state)
    return state[DISCARD]


@rule
def take_from_stock(state: Words, card: int) -> None:
    """Take a card off the stock, turning the discard pile over first where the stock is empty."""
    if state[HIDDEN] >> HIDDEN_STOCK:
        state[HIDDEN] -= 1 << HIDDEN_STOCK
        return
    if state[STOCK] == 0:
        state[STOCK] = state[DISCARD]
        state[DISCARD] = 0
    state[STOCK] -= unit(card)


@rule
def front_cards(row: int, number: int) -> int:
    """The first cards of the row, none, one or two, as a card word; without asking which, as nobody can foresee it."""
    first = plain(row & 7) & -((number + 1) >> 1)
    return first + (plain((row >> ROW_BITS) & 7) & -(number >> 1))


@rule
def take_from_row(table: RuleTable, state: Words, number: int) -> None:
    """The mover takes cards from the front of the row; an empty row is laid out at once and the rest comes from it.

    Where no card is left to lay out, the rest of the draw lapses, and the row waits for the next draw.
    """
    taken = min(number, state[ROW_LEN])
    row = state[ROW]
    state[SEAT + state[TURN] * SEAT_WORDS + HAND] += front_cards(row, taken)
    state[ROW] = row >> (taken * ROW_BITS)
    state[ROW_LEN] -= taken
    number -= taken
    if state[ROW_LEN] == 0 and cards_left(state):
        state[ROW_DUE] = table[T_ROW]
        state[OWED] = number


@rule
def draw(table: RuleTable, state: Words, number: int) -> None:
    """The mover gets that many cards: at once from the row, or as chance from the stock."""
    if table[T_ROW]:
        take_from_row(table, state, number)
    elif cards_left(state):
        state[OWED] = number


@rule
def deal_to_row(table: RuleTable, state: Words, card: int) -> None:
    """Lay a card at the end of the row; when the row is complete the mover takes from it what is still owed."""
    state[ROW] |= card << (state[ROW_LEN] * ROW_BITS)
    state[ROW_LEN] += 1
    state[ROW_DUE] -= 1
    if state[ROW_DUE] == 0 or cards_left(state) == 0:
        owed = state[OWED]
        state[ROW_DUE] = 0
        state[OWED] = 0
        if owed:
            take_from_row(table, state, owed)


@rule
def deal(table: RuleTable, state: Words, card: int) -> None:
    """The card that chance brought goes to the row if it is being laid out, else to the mover's hand."""
    take_from_stock(state, card)
    if state[ROW_DUE]:
        deal_to_row(table, state, card)
        return
    state[SEAT + state[TURN] * SEAT_WORDS + HAND] += unit(card)
    state[OWED] -= 1
    if cards_left(state) == 0:
        state[OWED] = 0


@rule
def weight(table: RuleTable, state: Words, card: int) -> int:
    """How many such cards there are among those that could come: chances are in proportion to it."""
    return tally(source(table, state), card)
