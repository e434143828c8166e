"""The observation of a seat as a vector of small numbers, the same one for all adapters.

It is written like a rule, so that one source serves plain Python and every backend. It reads the words of a *view*
(``kernel.view``) and nothing else. Seats are counted from the viewer: 0 is the viewer, 1 the seat to the left.
``spaces.observation`` describes the fields.
"""

from typing import Final

from ...kernel import layout
from ...kernel.cards import tally
from ...kernel.chance import unseen
from ...kernel.intrinsics import RuleTable, Words, lowest, rule
from ...kernel.legal import chooser, winner
from ...kernel.moves import hand_of, hand_size

ROW_ROOM: Final = 12
RULE_NUMBERS: Final = 13

# --- where each field starts
O_RULES: Final = 0
O_BOARD: Final = O_RULES + RULE_NUMBERS
O_PIRATES: Final = O_BOARD + layout.MAX_SIGNS * layout.MAX_PLACES
O_HANDS: Final = O_PIRATES + layout.MAX_SEATS * layout.MAX_PLACES
O_SIZES: Final = O_HANDS + layout.MAX_SEATS * layout.CARDS
O_ROW: Final = O_SIZES + layout.MAX_SEATS
O_DISCARD: Final = O_ROW + ROW_ROOM * layout.MAX_SIGNS
O_UNSEEN: Final = O_DISCARD + layout.CARDS
O_STOCK: Final = O_UNSEEN + layout.CARDS
O_SLOOP: Final = O_STOCK + 1
O_SEAT: Final = O_SLOOP + 2
O_TURN: Final = O_SEAT + layout.MAX_SEATS
O_ACTOR: Final = O_TURN + layout.MAX_SEATS
O_USED: Final = O_ACTOR + layout.MAX_SEATS
O_PASSES: Final = O_USED + 1
O_CAPTAIN: Final = O_PASSES + 1
O_DROP: Final = O_CAPTAIN + 1
O_ROW_DUE: Final = O_DROP + 1
O_OWED: Final = O_ROW_DUE + 1
O_RESULT: Final = O_OWED + 1
O_SPARE: Final = O_RESULT + layout.MAX_SEATS + 1
SIZE: Final = O_SPARE + 2  # whole machine words, so that clearing it is quick


@rule
def relative(rules: RuleTable, seat: int, viewer: int) -> int:
    """How many seats to the left of the viewer a seat is."""
    if seat >= viewer:
        return seat - viewer
    return seat - viewer + rules[layout.T_SEATS]


@rule
def see_rules(rules: RuleTable, out: Words, at: int) -> None:
    """Write the numbers of the rule set and of the board's size."""
    out[at] = rules[layout.T_SEATS]
    out[at + 1] = rules[layout.T_PIRATES]
    out[at + 2] = rules[layout.T_ACTIONS]
    out[at + 3] = rules[layout.T_PASS]
    out[at + 4] = (rules[layout.T_RETREAT] >> rules[layout.T_BOAT]) & 1
    out[at + 5] = rules[layout.T_CREW]
    out[at + 6] = rules[layout.T_ROW]
    out[at + 7] = rules[layout.T_OPEN]
    out[at + 8] = rules[layout.T_NEST]
    out[at + 9] = rules[layout.T_SIGNS]
    out[at + 10] = rules[layout.T_LIMIT]
    out[at + 11] = rules[layout.T_BOAT]
    out[at + 12] = rules[layout.T_GOAL]


@rule
def see_mask(mask: int, value: int, out: Words, at: int) -> None:
    """Add a value for every place of a mask."""
    while mask:
        out[at + lowest(mask)] += value
        mask &= mask - 1


@rule
def see_board(view: Words, out: Words, at: int) -> None:
    """Write the fields of each sign."""
    for sign in range(layout.MAX_SIGNS):
        see_mask(view[layout.SIGN + sign], 1, out, at + sign * layout.MAX_PLACES)


@rule
def see_cards(word: int, out: Words, at: int) -> None:
    """Write how many there are of each card."""
    if word:
        for card in range(layout.CARDS):
            out[at + card] = tally(word, card)


@rule
def see_seats(rules: RuleTable, view: Words, viewer: int, out: Words, at: int) -> None:
    """Write the pirates, the cards in sight and the number of cards of every seat."""
    for seat in range(rules[layout.T_SEATS]):
        row = relative(rules, seat, viewer)
        words = layout.SEAT + seat * layout.SEAT_WORDS
        for plane in range(layout.HAND):
            see_mask(view[words + plane], 1 << plane, out, at + O_PIRATES + row * layout.MAX_PLACES)
        see_cards(hand_of(view, seat), out, at + O_HANDS + row * layout.CARDS)
        out[at + O_SIZES + row] = hand_size(view, seat)


@rule
def see_row(view: Words, out: Words, at: int) -> None:
    """Write the sign of each card of the open row, the next one first."""
    for index in range(view[layout.ROW_LEN]):
        out[at + index * layout.MAX_SIGNS + ((view[layout.ROW] >> (index * layout.ROW_BITS)) & 7)] = 1


@rule
def see_turn(rules: RuleTable, view: Words, viewer: int, out: Words, at: int) -> None:
    """Write whose turn it is, what is left of it and what is due, or the result."""
    if view[layout.OVER]:
        won = winner(view)
        out[at + O_RESULT + (relative(rules, won, viewer) if won >= 0 else layout.MAX_SEATS)] = 1
    else:
        out[at + O_TURN + relative(rules, view[layout.TURN], viewer)] = 1
        if chooser(view) >= 0:
            out[at + O_ACTOR + relative(rules, chooser(view), viewer)] = 1
    out[at + O_USED] = view[layout.USED]
    out[at + O_PASSES] = view[layout.PASSES]
    out[at + O_CAPTAIN] = view[layout.CAPTAIN]
    if view[layout.DROPPER]:
        out[at + O_DROP] = 1
    out[at + O_ROW_DUE] = view[layout.ROW_DUE]
    out[at + O_OWED] = view[layout.OWED]


@rule
def observe(rules: RuleTable, view: Words, viewer: int, out: Words, at: int) -> None:
    """Write a seat's observation, given its view, into ``out`` from ``at`` on; those SIZE entries must be 0."""
    see_rules(rules, out, at + O_RULES)
    see_board(view, out, at + O_BOARD)
    see_seats(rules, view, viewer, out, at)
    see_row(view, out, at + O_ROW)
    see_cards(view[layout.DISCARD], out, at + O_DISCARD)
    see_cards(unseen(rules, view), out, at + O_UNSEEN)
    out[at + O_STOCK] = (view[layout.HIDDEN] >> layout.HIDDEN_STOCK) & 0xFF
    if view[layout.SLOOP]:
        out[at + O_SLOOP + view[layout.SLOOP] - 1] = 1
    out[at + O_SEAT + viewer] = 1
    see_turn(rules, view, viewer, out, at)
