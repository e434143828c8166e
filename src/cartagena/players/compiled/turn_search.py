"""All whole turns of the seat to move: every distinct result once, in whatever order its actions were taken."""

from typing import Any, Final

from cartagena.backends.cpu import block, entry, kernel, pointer, rule
from cartagena.backends.cpu.toolkit import Numbers, apply, copy, list_moves
from cartagena.kernel.intrinsics import RuleTable, Words
from cartagena.kernel.layout import END, MAX_LEGAL, MAX_SEATS, WORDS

from .evaluation import SCRATCH, evaluate
from .tree import key_of

STATES: Final = 6000
"""How many positions within a turn are kept; a turn of three actions has fewer."""
SLOTS: Final = 1 << 14
ROOM: Final = (STATES + 2) * WORDS + MAX_LEGAL
NUMBERS: Final = SCRATCH + MAX_SEATS

_chooser = kernel.legal.chooser


@rule
def is_new(slots: Words, key: int) -> bool:
    """Whether the key was not seen before; now it is."""
    slot = key & (SLOTS - 1)
    while slots[slot] != 0:
        if slots[slot] == key:
            return False
        slot = (slot + 1) & (SLOTS - 1)
    slots[slot] = key
    return True


@rule
def ends_here(state: Words, seat: int, action: int) -> bool:
    """Whether the seat's own part of the turn is over, or depends on a card that is still to come."""
    return action == END or _chooser(state) != seat


@block
def look_through(
    table: RuleTable,
    weights: Numbers,
    room: Any,
    slots: Words,
    numbers: Any,
    first: Words,
    bars: Words,
    result: Numbers,
) -> int:
    """Find the best end of turn; its first action. ``result`` gets the win chances there; the positions looked at."""
    after = pointer(room, STATES * WORDS)
    seen = pointer(room, (STATES + 1) * WORDS)
    moves = pointer(room, (STATES + 2) * WORDS)
    value = pointer(numbers, SCRATCH)
    seat = _chooser(pointer(room, 0))
    for slot in range(SLOTS):
        slots[slot] = 0
    size = 1
    done = 0
    looked = 0
    best = -1.0
    chosen = -1
    while done < size:
        state = pointer(room, done * WORDS)
        count = list_moves(table, state, moves)
        for number in range(count):
            if done == 0 and bars[moves[number]]:
                continue
            copy(state, after)
            apply(table, after, moves[number])
            start = moves[number] if done == 0 else first[done]
            if ends_here(after, seat, moves[number]) or size == STATES:
                evaluate(table, after, weights, pointer(numbers, 0), value)
                looked += 1
                if value[seat] > best:
                    best = value[seat]
                    chosen = start
                    for other in range(MAX_SEATS):
                        result[other] = value[other]
            elif is_new(slots, key_of(table, after, seat, seen)):
                copy(after, pointer(room, size * WORDS))
                first[size] = start
                size += 1
        done += 1
    result[MAX_SEATS] = looked
    return chosen


@entry
def best_turn(  # noqa: PLR0917
    table: Any, root: Any, weights: Any, room: Any, slots: Any, numbers: Any, first: Any, bars: Any, result: Any
) -> int:
    """The first action of the turn that ends best for the seat to choose."""
    copy(pointer(root, 0), pointer(room, 0))
    return look_through(pointer(table, 0), pointer(weights, 0), room, slots, numbers, first, bars, result)
