"""Sets of cards in one word.

Seven lanes of eight bits count the plain cards of each sign (at most 31), and one bit each above them says
whether the sign's freebooter is there:

    bit   0      8      16     24     32     40     48     53 .. 59
          sign 0 sign 1 sign 2 sign 3 sign 4 sign 5 sign 6 freebooters

``held`` gives a mask with a bit at the foot of every lane that is not empty, so "which cards" and "how many
different cards" are a mask and its popcount.
"""

from typing import Final

from .layout import FREEBOOTER
from .machine import lowest, popcount, rule

LANES: Final = 0x001F1F1F1F1F1F1F
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
    """A mask with the foot of every card that is there at least once."""
    return ((((word & LANES) + LANES) >> 5) & FEET) | (word & FREEBOOTERS)


@rule
def total(word: int) -> int:
    """How many cards there are."""
    lanes = word & LANES
    pairs = (lanes & 0x00FF00FF00FF00FF) + ((lanes >> 8) & 0x00FF00FF00FF00FF)
    pairs = pairs + (pairs >> 32)
    plain = (pairs + (pairs >> 16)) & 0xFF  # at most 140 cards, so a sum never leaves its lane
    return plain + popcount(word & FREEBOOTERS)


@rule
def covers(word: int, part: int) -> int:
    """1 if the part can be taken out of the word: it has no more of any card."""
    if part & ~word & FREEBOOTERS:
        return 0
    borrowed = ~((word & LANES | GUARDS) - (part & LANES)) & GUARDS
    return 1 if borrowed == 0 else 0


@rule
def first_card(mask: int) -> int:
    """The first card of a ``held`` mask that is not empty."""
    return card_at(lowest(mask))
