"""Laying out a new game from nothing but a key: the board, the pirates, the hands, the row.

A deal plan says how (see ``backends.openings``): how many pieces are laid, whether they are printed ones, how many
cards each hand has, and the signs of the printed pieces.
"""

from typing import Final, TypeAlias

from ...kernel import layout
from ...kernel.cards import unit
from ...kernel.intrinsics import RuleTable, Words, rule
from ...kernel.legal import share
from ...kernel.step import start_turn
from ...kernel.validate import clear, lay_out
from .generator import draw, mix, next_key
from .intrinsics import Word
from .toolkit import copy, deal_hidden, draw_card

DealPlan: TypeAlias = RuleTable
"""What is laid and dealt before a game; the numbers are named below."""

P_PIECES: Final = 0  # pieces laid out, or one of the two numbers below
P_PRINTED: Final = 1  # printed pieces to choose from, 0: the signs of every piece are shuffled
P_DEAL: Final = 2  # cards of a hand
P_EXTRA: Final = 3  # + seat: cards of its hand beyond those
P_SIGNS: Final = P_EXTRA + layout.MAX_SEATS  # the signs of the printed pieces, one after another
NOTHING_DEALT: Final = 0  # the game starts from the opening's words; what a view hides is dealt
BOARD_LAID: Final = -1  # the opening has the board, and a new game is dealt on it
ORDERED: Final = 0x76543210  # numbers below 8, 4 bits each, still to be drawn


@rule
def take(numbers: int, index: int) -> int:
    """The numbers without the one at that index. Later ones move up."""
    at = 4 * index
    return (numbers & ((1 << at) - 1)) | ((numbers >> (at + 4)) << at)


@rule
def mark(rules: RuleTable, state: Words, field: int, sign: int) -> None:
    """Put a sign on field number ``field`` (from 1). The sloop's place between two islands is not a field."""
    place = field
    if field >= rules[layout.T_BOAT]:
        place += 1
    state[layout.SIGN + sign] |= 1 << place


@rule
def lay_printed(rules: RuleTable, plan: DealPlan, state: Words, key: Word) -> Word:
    """Lay printed pieces in any order, each either way round, and return the last key used."""
    signs = rules[layout.T_SIGNS]
    left = ORDERED
    for number in range(plan[P_PIECES]):
        key = next_key(key)
        index = share(draw(key), 2 * (plan[P_PRINTED] - number))
        piece = P_SIGNS + ((left >> (4 * (index >> 1))) & 15) * signs
        left = take(left, index >> 1)
        for along in range(signs):
            sign = plan[piece + along]
            if index & 1:
                sign = plan[piece + signs - 1 - along]
            mark(rules, state, number * signs + along + 1, sign)
    return key


@rule
def lay_shuffled(rules: RuleTable, plan: DealPlan, state: Words, key: Word) -> Word:
    """Lay pieces with all signs in any order, and return the last key used."""
    signs = rules[layout.T_SIGNS]
    for number in range(plan[P_PIECES]):
        left = ORDERED
        for along in range(signs):
            key = next_key(key)
            index = share(draw(key), signs - along)
            mark(rules, state, number * signs + along + 1, (left >> (4 * index)) & 15)
            left = take(left, index)
    return key


@rule
def top_card(state: Words, key: Word) -> int:
    """Take a card from the stock and return it."""
    card = draw_card(state[layout.STOCK], mix(key))
    state[layout.STOCK] -= unit(card)
    return card


@rule
def lay_row(rules: RuleTable, state: Words, key: Word) -> Word:
    """Lay the first open row, shorter if the stock runs out, and return the last key used."""
    for number in range(rules[layout.T_ROW]):
        if state[layout.STOCK]:
            key = next_key(key)
            state[layout.ROW] |= top_card(state, key) << (number * layout.ROW_BITS)
            state[layout.ROW_LEN] += 1
    return key


@rule
def lay_board(rules: RuleTable, plan: DealPlan, opening: RuleTable, state: Words, key: Word) -> Word:
    """Lay the pieces, or the opening's board, and return the last key used."""
    if plan[P_PIECES] == BOARD_LAID:
        for sign in range(layout.MAX_SIGNS):
            state[layout.SIGN + sign] = opening[layout.SIGN + sign]
        return key
    if plan[P_PRINTED]:
        return lay_printed(rules, plan, state, key)
    return lay_shuffled(rules, plan, state, key)


@rule
def set_up(rules: RuleTable, plan: DealPlan, opening: RuleTable, state: Words, key: Word) -> Word:
    """Start a game: deal it by the plan, or copy the opening and deal what it hides. Return the last key used."""
    if plan[P_PIECES] == NOTHING_DEALT:
        copy(opening, state)
        if state[layout.HIDDEN]:
            key = next_key(key)
            deal_hidden(rules, state, mix(key))
        return key
    clear(rules, state)
    key = lay_board(rules, plan, opening, state, key)
    lay_out(rules, state)
    for seat in range(rules[layout.T_SEATS]):
        for _ in range(plan[P_DEAL] + plan[P_EXTRA + seat]):
            key = next_key(key)
            state[layout.SEAT + seat * layout.SEAT_WORDS + layout.HAND] += unit(top_card(state, key))
    key = lay_row(rules, state, key)
    start_turn(rules, state)
    return key
