"""Positions as small numbers, which browsers read and write without knowing how a state is laid out.

A list of facts has the numbers that ``NUMBERS`` names, then the cards of the row, then the piles, each with its hidden
cards and the number of each card, then the places of every seat's pirates (-1 for none), then for each place the number
of its sign (from 1, 0 for none). A rule table's own numbers are written and not read. Seats count from 1.
"""

from typing import Final

from cartagena.backends.cpu import apply, copy, kernel, list_moves, part, rule
from cartagena.kernel.intrinsics import RuleTable, Words
from cartagena.kernel.layout import (
    CAPTAIN,
    CARDS,
    DEADLOCK,
    DISCARD,
    DROPPER,
    FREEBOOTER,
    HAND,
    HIDDEN,
    HIDDEN_BITS,
    HIDDEN_STOCK,
    MAX_LEGAL,
    MAX_PIRATES,
    MAX_PLACES,
    MAX_SEATS,
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
    STOCK,
    T_ACTIONS,
    T_GOAL,
    T_LIMIT,
    T_SEATS,
    T_SIGNS,
    TURN,
    USED,
    WORDS,
)
from cartagena.kernel.options import MAX_ATTEMPTS

NUMBERS: Final = (
    "chooser", "active", "winner", "used", "actions", "captain", "passes", "row_due", "owed", "dropper", "limit",
    "sloop", "row",
)  # fmt: skip
"""The first facts. ``winner`` is -1 while the game goes on and 0 after a deadlock; ``row`` is the length of the row."""
(F_CHOOSER, F_ACTIVE, F_WINNER, F_USED, F_ACTIONS, F_CAPTAIN, F_PASSES, F_ROW_DUE, F_OWED, F_DROPPER, F_LIMIT, F_SLOOP,
 F_ROW) = range(len(NUMBERS))  # fmt: skip
ROW_MOST: Final = 12
F_CARDS: Final = len(NUMBERS)
F_PILES: Final = F_CARDS + ROW_MOST
PILES: Final = 2 + MAX_SEATS
"""The stock, the discard pile and the hands."""
F_PLACES: Final = F_PILES + PILES * (1 + CARDS)
F_SIGNS: Final = F_PLACES + MAX_SEATS * MAX_PIRATES
FACTS: Final = F_SIGNS + MAX_PLACES
"""How many facts there are."""
CHOICES: Final = 2 + 4 * MAX_LEGAL + 2 * MAX_ATTEMPTS + MAX_PLACES + WORDS
"""Words that ``options`` needs room for."""

_tally, _unit, _number_at, _put = kernel.cards.tally, kernel.cards.unit, kernel.track.number_at, kernel.track.put
_chooser, _winner = kernel.legal.chooser, kernel.legal.winner
_gather, _fault = kernel.validate.gather, kernel.validate.fault
_too_many_cards: Final = kernel.validate.TOO_MANY_CARDS
_options = kernel.options


@rule
def pile_word(pile: int) -> int:
    """The word of a state with the cards of a pile."""
    if pile == 0:
        return STOCK
    if pile == 1:
        return DISCARD
    return SEAT + (pile - 2) * SEAT_WORDS + HAND


@rule
def hidden_bit(pile: int) -> int:
    """The lowest bit of the size of what a pile hides."""
    if pile == 0:
        return HIDDEN_STOCK
    return (pile - 2) * HIDDEN_BITS


@rule
def write_turn(rules: RuleTable, state: Words, facts: Words) -> None:
    """Write whose turn it is, what is due, and where the sloop and the row are."""
    facts[F_CHOOSER] = _chooser(state) + 1
    facts[F_ACTIVE] = 0 if state[OVER] else state[TURN] + 1
    facts[F_WINNER] = _winner(state) + 1 if state[OVER] else -1
    facts[F_USED] = state[USED]
    facts[F_ACTIONS] = rules[T_ACTIONS]
    facts[F_CAPTAIN] = state[CAPTAIN]
    facts[F_PASSES] = state[PASSES]
    facts[F_ROW_DUE] = state[ROW_DUE]
    facts[F_OWED] = state[OWED]
    facts[F_DROPPER] = state[DROPPER]
    facts[F_LIMIT] = rules[T_LIMIT]
    facts[F_SLOOP] = state[SLOOP]
    facts[F_ROW] = state[ROW_LEN]
    for number in range(ROW_MOST):
        facts[F_CARDS + number] = (state[ROW] >> (number * ROW_BITS)) & 7


def describe(rules: RuleTable, state: Words, facts: Words) -> None:
    """Write the facts of a state."""
    write_turn(rules, state, facts)
    for pile in range(PILES):
        at = F_PILES + pile * (1 + CARDS)
        facts[at] = 0 if pile == 1 else (state[HIDDEN] >> hidden_bit(pile)) & 0xFF
        for card in range(CARDS):
            facts[at + 1 + card] = _tally(state[pile_word(pile)], card)
    for seat in range(MAX_SEATS):
        at = F_PLACES + seat * MAX_PIRATES
        size = 0
        for place in range(rules[T_GOAL] + 1):
            for _ in range(_number_at(state, seat, place)):
                facts[at + size] = place
                size += 1
        for number in range(size, MAX_PIRATES):
            facts[at + number] = -1
    for place in range(MAX_PLACES):
        facts[F_SIGNS + place] = 0
        for sign in range(rules[T_SIGNS]):
            if (state[SIGN + sign] >> place) & 1:
                facts[F_SIGNS + place] = sign + 1


@rule
def read_turn(state: Words, facts: Words) -> None:
    """Read whose turn it is, what is due, and where the sloop and the row are."""
    state[SLOOP] = facts[F_SLOOP]
    state[ROW_LEN] = facts[F_ROW]
    for number in range(facts[F_ROW]):
        state[ROW] |= facts[F_CARDS + number] << (number * ROW_BITS)
    if facts[F_WINNER] >= 0:
        state[OVER] = facts[F_WINNER] or DEADLOCK
        return
    state[TURN] = facts[F_ACTIVE] - 1
    state[USED] = facts[F_USED]
    state[CAPTAIN] = facts[F_CAPTAIN]
    state[PASSES] = facts[F_PASSES]
    state[ROW_DUE] = facts[F_ROW_DUE]
    state[OWED] = facts[F_OWED]
    state[DROPPER] = facts[F_DROPPER]


@rule
def read_piles(state: Words, facts: Words) -> int:
    """Read the cards of all piles. Returns 0, or a fault where a number is too large for its place."""
    for pile in range(PILES):
        at = F_PILES + pile * (1 + CARDS)
        if facts[at] > 0xFF:
            return _too_many_cards
        if pile != 1:
            state[HIDDEN] |= facts[at] << hidden_bit(pile)
        for card in range(CARDS):
            if facts[at + 1 + card] > (0x1F if card < FREEBOOTER else 1):
                return _too_many_cards
            state[pile_word(pile)] += facts[at + 1 + card] * _unit(card)
    return 0


@rule
def read_board(rules: RuleTable, state: Words, facts: Words) -> None:
    """Read the signs of the fields, and set the pirates down."""
    for place in range(MAX_PLACES):
        if facts[F_SIGNS + place]:
            state[SIGN + facts[F_SIGNS + place] - 1] |= 1 << place
    for seat in range(rules[T_SEATS]):
        for number in range(MAX_PIRATES):
            if facts[F_PLACES + seat * MAX_PIRATES + number] >= 0:
                _put(rules, state, seat, facts[F_PLACES + seat * MAX_PIRATES + number])


def compose(rules: RuleTable, facts: Words, state: Words) -> int:
    """Write the state of some facts into cleared words. Returns 0 or the number of its fault."""
    if read_piles(state, facts):
        return _too_many_cards
    read_board(rules, state, facts)
    read_turn(state, facts)
    return _gather(rules, state) or _fault(rules, state)


def options(rules: RuleTable, state: Words, out: Words) -> None:
    """Write the number of legal moves and of near misses; then of each legal move its action, the place where its
    pirate ends, its cards, and the mask of the fields that it leaps over; the actions of the near misses and then their
    reasons; for each place why no move starts there.
    """
    size = list_moves(rules, state, out)
    moves, after = part(out, 2), part(out, CHOICES - WORDS)
    for number in range(size - 1, -1, -1):  # backwards: the actions lie where the first of these go
        action = out[number]
        at = number * 4
        moves[at] = action
        moves[at + 1] = _options.destination(rules, state, action)
        copy(state, after)
        apply(rules, after, action)
        moves[at + 2] = _options.brought(state, action, after)
        moves[at + 3] = _options.leapt(rules, state, action)
    misses = part(moves, 4 * size)
    reasons = part(misses, MAX_ATTEMPTS)
    found = _options.near_misses(rules, state, misses, reasons)
    for number in range(found):
        misses[found + number] = reasons[number]
    _options.elsewhere(rules, state, part(misses, 2 * found))
    out[0], out[1] = size, found
