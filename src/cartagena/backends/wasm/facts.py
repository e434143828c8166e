"""Positions as small numbers, which browsers read and write without knowing how a state is laid out.

A list of facts has the numbers that ``NUMBERS`` names, then the cards of the row, then the piles, each with its hidden
cards and the number of each card, then the places of every seat's pirates (-1 for none), then for each place the number
of its sign (from 1, 0 for none). A rule table's own numbers are written and not read. Seats count from 1.
"""

from typing import Final

from cartagena.backends.cpu import apply, copy, kernel, list_moves, part, rule
from cartagena.kernel import layout
from cartagena.kernel.intrinsics import RuleTable, Words
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
PILES: Final = 2 + layout.MAX_SEATS
"""The stock, the discard pile and the hands."""
F_PLACES: Final = F_PILES + PILES * (1 + layout.CARDS)
F_SIGNS: Final = F_PLACES + layout.MAX_SEATS * layout.MAX_PIRATES
FACTS: Final = F_SIGNS + layout.MAX_PLACES
"""How many facts there are."""
CHOICES: Final = 2 + 4 * layout.MAX_LEGAL + 2 * MAX_ATTEMPTS + layout.MAX_PLACES + layout.WORDS
"""Words that ``options`` needs space for."""

_tally, _unit, _number_at, _put = kernel.cards.tally, kernel.cards.unit, kernel.track.number_at, kernel.track.put
_chooser, _winner = kernel.legal.chooser, kernel.legal.winner
_gather, _fault = kernel.validate.gather, kernel.validate.fault
_too_many_cards: Final = kernel.validate.TOO_MANY_CARDS
_options = kernel.options


@rule
def pile_word(pile: int) -> int:
    """The word of a state with the cards of a pile."""
    if pile == 0:
        return layout.STOCK
    if pile == 1:
        return layout.DISCARD
    return layout.SEAT + (pile - 2) * layout.SEAT_WORDS + layout.HAND


@rule
def hidden_bit(pile: int) -> int:
    """The lowest bit of the size of what a pile hides."""
    if pile == 0:
        return layout.HIDDEN_STOCK
    return (pile - 2) * layout.HIDDEN_BITS


@rule
def write_turn(rules: RuleTable, state: Words, facts: Words) -> None:
    """Write whose turn it is, what is due, and where the sloop and the row are."""
    facts[F_CHOOSER] = _chooser(state) + 1
    facts[F_ACTIVE] = 0 if state[layout.OVER] else state[layout.TURN] + 1
    facts[F_WINNER] = _winner(state) + 1 if state[layout.OVER] else -1
    facts[F_USED] = state[layout.USED]
    facts[F_ACTIONS] = rules[layout.T_ACTIONS]
    facts[F_CAPTAIN] = state[layout.CAPTAIN]
    facts[F_PASSES] = state[layout.PASSES]
    facts[F_ROW_DUE] = state[layout.ROW_DUE]
    facts[F_OWED] = state[layout.OWED]
    facts[F_DROPPER] = state[layout.DROPPER]
    facts[F_LIMIT] = rules[layout.T_LIMIT]
    facts[F_SLOOP] = state[layout.SLOOP]
    facts[F_ROW] = state[layout.ROW_LEN]
    for number in range(ROW_MOST):
        facts[F_CARDS + number] = (state[layout.ROW] >> (number * layout.ROW_BITS)) & 7


def describe(rules: RuleTable, state: Words, facts: Words) -> None:
    """Write the facts of a state."""
    write_turn(rules, state, facts)
    for pile in range(PILES):
        at = F_PILES + pile * (1 + layout.CARDS)
        facts[at] = 0 if pile == 1 else (state[layout.HIDDEN] >> hidden_bit(pile)) & 0xFF
        for card in range(layout.CARDS):
            facts[at + 1 + card] = _tally(state[pile_word(pile)], card)
    for seat in range(layout.MAX_SEATS):
        at = F_PLACES + seat * layout.MAX_PIRATES
        size = 0
        for place in range(rules[layout.T_GOAL] + 1):
            for _ in range(_number_at(state, seat, place)):
                facts[at + size] = place
                size += 1
        for number in range(size, layout.MAX_PIRATES):
            facts[at + number] = -1
    for place in range(layout.MAX_PLACES):
        facts[F_SIGNS + place] = 0
        for sign in range(rules[layout.T_SIGNS]):
            if (state[layout.SIGN + sign] >> place) & 1:
                facts[F_SIGNS + place] = sign + 1


@rule
def read_turn(state: Words, facts: Words) -> None:
    """Read whose turn it is, what is due, and where the sloop and the row are."""
    state[layout.SLOOP] = facts[F_SLOOP]
    state[layout.ROW_LEN] = facts[F_ROW]
    for number in range(facts[F_ROW]):
        state[layout.ROW] |= facts[F_CARDS + number] << (number * layout.ROW_BITS)
    if facts[F_WINNER] >= 0:
        state[layout.OVER] = facts[F_WINNER] or layout.DEADLOCK
        return
    state[layout.TURN] = facts[F_ACTIVE] - 1
    state[layout.USED] = facts[F_USED]
    state[layout.CAPTAIN] = facts[F_CAPTAIN]
    state[layout.PASSES] = facts[F_PASSES]
    state[layout.ROW_DUE] = facts[F_ROW_DUE]
    state[layout.OWED] = facts[F_OWED]
    state[layout.DROPPER] = facts[F_DROPPER]


@rule
def read_piles(state: Words, facts: Words) -> int:
    """Read the cards of all piles. Returns 0, or a fault where a number is too large for its place."""
    for pile in range(PILES):
        at = F_PILES + pile * (1 + layout.CARDS)
        if facts[at] > 0xFF:
            return _too_many_cards
        if pile != 1:
            state[layout.HIDDEN] |= facts[at] << hidden_bit(pile)
        for card in range(layout.CARDS):
            if facts[at + 1 + card] > (0x1F if card < layout.FREEBOOTER else 1):
                return _too_many_cards
            state[pile_word(pile)] += facts[at + 1 + card] * _unit(card)
    return 0


@rule
def read_board(rules: RuleTable, state: Words, facts: Words) -> None:
    """Read the signs of the fields, and set the pirates down."""
    for place in range(layout.MAX_PLACES):
        if facts[F_SIGNS + place]:
            state[layout.SIGN + facts[F_SIGNS + place] - 1] |= 1 << place
    for seat in range(rules[layout.T_SEATS]):
        for number in range(layout.MAX_PIRATES):
            if facts[F_PLACES + seat * layout.MAX_PIRATES + number] >= 0:
                _put(rules, state, seat, facts[F_PLACES + seat * layout.MAX_PIRATES + number])


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
    moves, after = part(out, 2), part(out, CHOICES - layout.WORDS)
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
    missed = _options.near_misses(rules, state, misses, reasons)
    for number in range(missed):
        misses[missed + number] = reasons[number]
    _options.elsewhere(rules, state, part(misses, 2 * missed))
    out[0], out[1] = size, missed
