"""Sets of cards in one word.

Seven lanes of eight bits count the plain cards of each sign (at most 31). One bit for each sign above them is set if
its freebooter is in the set:

    bit   0      8      16     24     32     40     48     53 .. 59
          sign 0 sign 1 sign 2 sign 3 sign 4 sign 5 sign 6 freebooters

``held`` gives a mask with a bit at the foot of every lane that is not empty. It answers "which cards", and its
popcount "how many different cards".
"""

from typing import Final

from .intrinsics import lowest, popcount, rule
from .layout import FREEBOOTER

FULL: Final = 0x001F1F1F1F1F1F1F  # every lane as full as it can be
PLAIN: Final = (1 << 53) - 1  # all lanes
FEET: Final = 0x0001010101010101
FREEBOOTERS: Final = 0x7F << 53
GUARDS: Final = 0x0020202020202020  # the bit above each lane


@rule
def foot(card: int) -> int:
    """The lowest bit of a card's lane."""
    if card < FREEBOOTER:
        return card * 8
    return card + 46


@rule
def card_at(bit: int) -> int:
    """The card whose lane starts at this bit."""
    if bit < 53:
        return bit >> 3
    return bit - 46


@rule
def plain(sign: int) -> int:
    """The card word of one plain card of that sign."""
    return 1 << (sign * 8)


@rule
def unit(card: int) -> int:
    """The card word of one such card."""
    return 1 << foot(card)


@rule
def tally(word: int, card: int) -> int:
    """How many of that card are in the word."""
    if card < FREEBOOTER:
        return (word >> (card * 8)) & 0x1F
    return (word >> (card + 46)) & 1


@rule
def held(word: int) -> int:
    """A mask with the foot of every card that the word has at least once."""
    return ((((word & PLAIN) + FULL) >> 5) & FEET) | (word & FREEBOOTERS)


@rule
def gathered(signs: int) -> int:
    """Move the feet of lanes together: a bit for each sign instead of one in every eight bits."""
    pairs = (signs | (signs >> 7)) & 0x0003000300030003
    fours = (pairs | (pairs >> 14)) & 0x0000000F0000000F
    return (fours | (fours >> 28)) & 0x7F


@rule
def freebooters(signs: int) -> int:
    """The freebooters of these signs, given as the feet of their lanes."""
    return gathered(signs) << 53


@rule
def numbers(mask: int) -> int:
    """The cards of a ``held`` mask as a bit for each card by its number."""
    return gathered(mask & FEET) | ((mask & FREEBOOTERS) >> 46)


@rule
def running(word: int) -> int:
    """Running sums of the plain cards, lane by lane. They are at most 140, so no sum leaves its lane."""
    sums = word & PLAIN
    sums += (sums & 0x0000FFFFFFFFFFFF) << 8
    sums += (sums & 0x000000FFFFFFFFFF) << 16
    return sums + ((sums & 0x0000000000FFFFFF) << 32)


@rule
def total(word: int) -> int:
    """How many cards the word has."""
    return (running(word) >> 48) + popcount(word & FREEBOOTERS)


@rule
def nth_bit(mask: int, number: int) -> int:
    """The index of the set bit with that number, the lowest being number 0.

    The last one and two bits are removed without a branch: it would be unpredictable.
    """
    while number >= 4:
        number -= 4
        for _ in range(4):
            mask &= mask - 1
    one = mask & (mask - 1)
    if number & 1:
        mask = one
    two = mask & (mask - 1)
    two &= two - 1
    if number & 2:
        mask = two
    return lowest(mask)


@rule
def pick(word: int, number: int) -> int:
    """The card with that number, 0 to ``total`` - 1, when all lie in order: plain ones by sign, then freebooters.

    The sign of a plain card is the number of lanes whose running sum does not exceed the number. All lanes are compared
    at once, every second one at a time: the bit above a lane stays set where the number is not below its sum.
    """
    sums = running(word)
    freebooters_from = sums >> 48
    if word & FREEBOOTERS and number >= freebooters_from:  # without freebooters the branch needs no sum
        return card_at(nth_bit(word & FREEBOOTERS, number - freebooters_from))
    each = (number | 0x100) * 0x0001000100010001
    even = each - (sums & 0x00FF00FF00FF00FF)
    odd = each - ((sums >> 8) & 0x00FF00FF00FF00FF)
    return popcount((even & 0x0100010001000100) | ((odd & 0x0000010001000100) << 1))


@rule
def covers(word: int, part: int) -> int:
    """1 if the word has at least as many of every card as the part."""
    if part & ~word & FREEBOOTERS:
        return 0
    borrowed = ~((word & FULL | GUARDS) - (part & FULL)) & GUARDS
    return 1 if borrowed == 0 else 0


@rule
def first_card(mask: int) -> int:
    """The first card of a ``held`` mask that is not empty."""
    return card_at(lowest(mask))
