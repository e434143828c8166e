"""What a seat sees, as a vector of small numbers: the one observation that all adapters hand out.

Written like a rule, so that one source serves plain Python and the compiled environments. It reads the words of a
*view* (``kernel.view``) and nothing else. Seats are counted from the viewer: 0 is the viewer, 1 the seat to the left.
``observation`` describes each field for people.
"""

from typing import Final

from ...kernel.cards import tally
from ...kernel.chance import unseen
from ...kernel.intrinsics import RuleTable, Words, lowest, rule
from ...kernel.layout import (
    CAPTAIN,
    CARDS,
    DISCARD,
    DROPPER,
    HAND,
    HIDDEN,
    HIDDEN_STOCK,
    MAX_PLACES,
    MAX_SEATS,
    MAX_SIGNS,
    NOBODY,
    OVER,
    OWED,
    PASSES,
    ROW,
    ROW_BITS,
    ROW_DUE,
    ROW_LEN,
    SEAT,
    SEAT_WORDS,
    SIGN,
    SLOOP,
    T_ACTIONS,
    T_BOAT,
    T_CREW,
    T_GOAL,
    T_LIMIT,
    T_NEST,
    T_OPEN,
    T_PASS,
    T_PIRATES,
    T_RETREAT,
    T_ROW,
    T_SEATS,
    T_SIGNS,
    TURN,
    USED,
)
from ...kernel.legal import chooser
from ...kernel.moves import hand_of, hand_size

ROW_ROOM: Final = 12
RULE_NUMBERS: Final = 13

# --- where each field starts
O_RULES: Final = 0
O_BOARD: Final = O_RULES + RULE_NUMBERS
O_PIRATES: Final = O_BOARD + MAX_SIGNS * MAX_PLACES
O_HANDS: Final = O_PIRATES + MAX_SEATS * MAX_PLACES
O_SIZES: Final = O_HANDS + MAX_SEATS * CARDS
O_ROW: Final = O_SIZES + MAX_SEATS
O_DISCARD: Final = O_ROW + ROW_ROOM * MAX_SIGNS
O_UNSEEN: Final = O_DISCARD + CARDS
O_STOCK: Final = O_UNSEEN + CARDS
O_SLOOP: Final = O_STOCK + 1
O_SEAT: Final = O_SLOOP + 2
O_TURN: Final = O_SEAT + MAX_SEATS
O_ACTOR: Final = O_TURN + MAX_SEATS
O_USED: Final = O_ACTOR + MAX_SEATS
O_PASSES: Final = O_USED + 1
O_CAPTAIN: Final = O_PASSES + 1
O_DROP: Final = O_CAPTAIN + 1
O_ROW_DUE: Final = O_DROP + 1
O_OWED: Final = O_ROW_DUE + 1
O_RESULT: Final = O_OWED + 1
O_SPARE: Final = O_RESULT + MAX_SEATS + 1
SIZE: Final = O_SPARE + 2  # whole machine words, so that clearing it is quick


@rule
def relative(table: RuleTable, seat: int, viewer: int) -> int:
    """How many seats to the left of the viewer a seat is."""
    if seat >= viewer:
        return seat - viewer
    return seat - viewer + table[T_SEATS]


@rule
def see_rules(table: RuleTable, out: Words, at: int) -> None:
    """The numbers of the rule set and of the board's size."""
    out[at] = table[T_SEATS]
    out[at + 1] = table[T_PIRATES]
    out[at + 2] = table[T_ACTIONS]
    out[at + 3] = table[T_PASS]
    out[at + 4] = (table[T_RETREAT] >> table[T_BOAT]) & 1
    out[at + 5] = table[T_CREW]
    out[at + 6] = table[T_ROW]
    out[at + 7] = table[T_OPEN]
    out[at + 8] = table[T_NEST]
    out[at + 9] = table[T_SIGNS]
    out[at + 10] = table[T_LIMIT]
    out[at + 11] = table[T_BOAT]
    out[at + 12] = table[T_GOAL]


@rule
def see_mask(mask: int, value: int, out: Words, at: int) -> None:
    """Add a value for every place of a mask."""
    while mask:
        out[at + lowest(mask)] += value
        mask &= mask - 1


@rule
def see_board(view: Words, out: Words, at: int) -> None:
    """For each sign its fields."""
    for sign in range(MAX_SIGNS):
        see_mask(view[SIGN + sign], 1, out, at + sign * MAX_PLACES)


@rule
def see_cards(word: int, out: Words, at: int) -> None:
    """How many there are of each card."""
    if word:
        for card in range(CARDS):
            out[at + card] = tally(word, card)


@rule
def see_seats(table: RuleTable, view: Words, viewer: int, out: Words, at: int) -> None:
    """Pirates, cards in sight and number of cards of every seat."""
    for seat in range(table[T_SEATS]):
        place = relative(table, seat, viewer)
        words = SEAT + seat * SEAT_WORDS
        for plane in range(HAND):
            see_mask(view[words + plane], 1 << plane, out, at + O_PIRATES + place * MAX_PLACES)
        see_cards(hand_of(view, seat), out, at + O_HANDS + place * CARDS)
        out[at + O_SIZES + place] = hand_size(view, seat)


@rule
def see_row(view: Words, out: Words, at: int) -> None:
    """The sign of each card of the open row, the next one first."""
    for index in range(view[ROW_LEN]):
        out[at + index * MAX_SIGNS + ((view[ROW] >> (index * ROW_BITS)) & 7)] = 1


@rule
def see_turn(table: RuleTable, view: Words, viewer: int, out: Words, at: int) -> None:
    """Whose turn it is, what is left of it and what is due; or the result."""
    if view[OVER]:
        winner = MAX_SEATS
        if view[OVER] != NOBODY:
            winner = relative(table, view[OVER] - 1, viewer)
        out[at + O_RESULT + winner] = 1
    else:
        out[at + O_TURN + relative(table, view[TURN], viewer)] = 1
        if chooser(view) >= 0:
            out[at + O_ACTOR + relative(table, chooser(view), viewer)] = 1
    out[at + O_USED] = view[USED]
    out[at + O_PASSES] = view[PASSES]
    out[at + O_CAPTAIN] = view[CAPTAIN]
    if view[DROPPER]:
        out[at + O_DROP] = 1
    out[at + O_ROW_DUE] = view[ROW_DUE]
    out[at + O_OWED] = view[OWED]


@rule
def observe(table: RuleTable, view: Words, viewer: int, out: Words, at: int) -> None:
    """Write a seat's observation, given its view, into ``out`` from ``at`` on; those SIZE entries must be 0."""
    see_rules(table, out, at + O_RULES)
    see_board(view, out, at + O_BOARD)
    see_seats(table, view, viewer, out, at)
    see_row(view, out, at + O_ROW)
    see_cards(view[DISCARD], out, at + O_DISCARD)
    see_cards(unseen(table, view), out, at + O_UNSEEN)
    out[at + O_STOCK] = (view[HIDDEN] >> HIDDEN_STOCK) & 0xFF
    if view[SLOOP]:
        out[at + O_SLOOP + view[SLOOP] - 1] = 1
    out[at + O_SEAT + viewer] = 1
    see_turn(table, view, viewer, out, at)
