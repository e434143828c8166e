"""Pirates on the track: where they stand, setting one down, moving one."""

from .intrinsics import RuleTable, Words, highest, rule
from .layout import HIGH, LOW, SEAT, SEAT_WORDS, T_FIELDS


@rule
def places_of(state: Words, seat: int) -> int:
    """The mask of places where the seat has a pirate."""
    at = SEAT + seat * SEAT_WORDS
    return state[at] | state[at + 1] | state[at + 2] | state[at + 3]


@rule
def number_at(state: Words, seat: int, place: int) -> int:
    """How many pirates of the seat stand on the place."""
    at = SEAT + seat * SEAT_WORDS
    low = ((state[at] >> place) & 1) + 2 * ((state[at + 1] >> place) & 1)
    return low + 4 * ((state[at + 2] >> place) & 1) + 8 * ((state[at + 3] >> place) & 1)


@rule
def vacant(rules: RuleTable, state: Words) -> int:
    """The mask of fields with no pirate."""
    return rules[T_FIELDS] & ~(state[LOW] | state[HIGH])


@rule
def one_or_two(state: Words) -> int:
    """The mask of fields with one or two pirates of any seat, where a retreat or a push may end."""
    return state[LOW] ^ state[HIGH]


@rule
def above(place: int) -> int:
    """The mask of all places ahead of this one."""
    return -(2 << place)


@rule
def below(place: int) -> int:
    """The mask of all places behind this one."""
    return (1 << place) - 1


@rule
def behind(fields: int) -> int:
    """The mask of all places that have one of these fields ahead of them."""
    return below(highest(fields | 1))  # bit 0 is the start: it is no field, and nothing is behind it


@rule
def shift(rules: RuleTable, state: Words, seat: int, place: int, target: int) -> None:
    """Move one pirate of the seat to another place: one less here and one more there, in all planes at once.

    A change ripples into the next plane where it left a 1 (a borrow) or met one (a carry).
    """
    come = 1 << target
    both = (1 << place) | come
    ripple = both & rules[T_FIELDS]
    low = state[LOW] ^ ripple
    state[LOW] = low
    state[HIGH] ^= ripple & (low ^ come)
    at = SEAT + seat * SEAT_WORDS
    for plane in range(at, at + 4):
        now = state[plane] ^ both
        state[plane] = now
        both &= now ^ come


@rule
def put(rules: RuleTable, state: Words, seat: int, place: int) -> None:
    """Set one pirate of the seat down on the place."""
    at = SEAT + seat * SEAT_WORDS
    bit = 1 << place
    field = bit & rules[T_FIELDS]
    state[HIGH] ^= field & state[LOW]
    state[LOW] ^= field
    for plane in range(at, at + 4):
        carry = bit & state[plane]
        state[plane] ^= bit
        bit = carry
