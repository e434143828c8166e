"""Views: the only function that decides what a seat may know."""

from .cards import total
from .intrinsics import RuleTable, Words, rule
from .layout import (
    HAND,
    HIDDEN,
    HIDDEN_BITS,
    HIDDEN_STOCK,
    MAX_SEATS,
    SEAT,
    SEAT_WORDS,
    STOCK,
    T_OPEN,
    WORDS,
)


@rule
def view(rules: RuleTable, state: Words, seat: int, out: Words) -> None:
    """Write what the seat may know. Other hands (where hands are hidden) and the stock are replaced by their sizes.

    Seat -1 is a spectator. Two states that differ only in what the seat may not know give equal words. The view of a
    view shows no more than either. ``out`` may be ``state`` itself.
    """
    for word in range(WORDS):
        out[word] = state[word]
    out[HIDDEN] += total(state[STOCK]) << HIDDEN_STOCK
    out[STOCK] = 0
    if rules[T_OPEN]:
        return
    for other in range(MAX_SEATS):
        if other != seat:
            at = SEAT + other * SEAT_WORDS + HAND
            out[HIDDEN] += total(state[at]) << (other * HIDDEN_BITS)
            out[at] = 0
