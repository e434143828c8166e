"""Legal moves as a mask: a bit for every action of the action space, MARK_BITS of them in a word.

These are the moves that ``legal`` lists, in a form that is faster for many games at once: a place that can play several
cards costs one operation, not one for each card.
"""

from typing import Final

from .cards import held, numbers
from .chance import due
from .intrinsics import RuleTable, Words, lowest, popcount, rule
from .layout import (
    ACTIONS,
    ADVANCE,
    CARD_SLOTS,
    DEAL,
    DROP,
    DROPPER,
    END,
    OVER,
    PUSH,
    RETREAT,
    SAIL,
    SEAT_SLOTS,
    T_NEST,
    T_SEATS,
    TURN,
)
from .legal import forced_cards
from .moves import (
    bound_movers,
    crossing_is_free,
    free_movers,
    hand_of,
    may_act,
    may_end,
    may_sail,
    playable,
    pushable,
    reaches,
    retreaters,
)

MARK_SHIFT: Final = 5
MARK_BITS: Final = 1 << MARK_SHIFT
MARK_WORDS: Final = (ACTIONS + MARK_BITS - 1) // MARK_BITS
WORD: Final = (1 << MARK_BITS) - 1


@rule
def mark_bits(bits: int, first: int, out: Words) -> int:
    """Mark the action ``first + i`` for every set bit i. Returns how many there are."""
    word = first >> MARK_SHIFT
    shift = first & (MARK_BITS - 1)
    out[word] |= (bits & (WORD >> shift)) << shift
    rest = bits >> (MARK_BITS - shift)
    while rest:
        word += 1
        out[word] |= rest & WORD
        rest >>= MARK_BITS
    return popcount(bits)


@rule
def mark_advances(rules: RuleTable, state: Words, seat: int, out: Words) -> int:
    """Mark the advances. Returns how many there are."""
    cards = held(hand_of(state, seat))
    size = 0
    bound = bound_movers(rules, state, seat)
    if bound:
        last = reaches(rules, state)
        while bound:
            place = lowest(bound)
            bound &= bound - 1
            size += mark_bits(numbers(playable(last, place, cards)), ADVANCE + place * CARD_SLOTS, out)
    all_cards = numbers(cards)
    free = free_movers(rules, state, seat)
    while free:
        size += mark_bits(all_cards, ADVANCE + lowest(free) * CARD_SLOTS, out)
        free &= free - 1
    return size


@rule
def mark_actions(rules: RuleTable, state: Words, out: Words) -> int:
    """Mark the actions and the captain's free crossing. Returns how many there are."""
    seat = state[TURN]
    size = mark_advances(rules, state, seat, out)
    if rules[T_NEST] == 0:
        return size + mark_bits(retreaters(rules, state, seat), RETREAT, out)
    for victim in range(rules[T_SEATS]):
        if victim != seat:
            size += mark_bits(pushable(rules, state, victim), PUSH + victim * SEAT_SLOTS, out)
    return size + mark_bits(may_sail(rules, state, seat), SAIL, out)


@rule
def mark(rules: RuleTable, state: Words, out: Words) -> None:
    """Set the bit of every legal move in ``out``, which has MARK_WORDS words, all of them 0."""
    if state[OVER]:
        return
    if due(state):
        mark_bits(numbers(forced_cards(rules, state)), DEAL, out)
    elif state[DROPPER]:
        mark_bits(numbers(forced_cards(rules, state)), DROP, out)
    else:
        size = 0
        if may_act(rules, state):
            size = mark_actions(rules, state, out)
        mark_bits(may_end(rules, state, size - crossing_is_free(state)), END, out)
