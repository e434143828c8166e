"""All whole turns of the seat to move: every distinct result once, in any order of its actions."""

from typing import Final, NamedTuple

import numpy as np

from cartagena.backends.cpu import Numbers, apply, block, copy, entry, kernel, list_moves, part, pointer, pointers, rule
from cartagena.kernel.intrinsics import RuleTable, Words
from cartagena.kernel.layout import ACTIONS, END, MAX_LEGAL, MAX_SEATS, WORDS

from .constants import SLOTS, STATES
from .evaluation import SCRATCH, feature_chances
from .tree import key_of

SPACE: Final = (STATES + 2) * WORDS + MAX_LEGAL
NUMBERS: Final = SCRATCH + MAX_SEATS

_chooser = kernel.legal.chooser


@rule
def is_new(slots: Words, key: int) -> bool:
    """Add a key to the hash table. Returns False if it was there already."""
    slot = key & (SLOTS - 1)
    while slots[slot] != 0:
        if slots[slot] == key:
            return False
        slot = (slot + 1) & (SLOTS - 1)
    slots[slot] = key
    return True


@rule
def ends_here(state: Words, seat: int, action: int) -> bool:
    """True where the turn is over for the seat, or depends on a card that is still to be dealt."""
    return action == END or _chooser(state) != seat


class TurnSpace(NamedTuple):
    """Working space: positions of the turn, their hash table, numbers, first actions, and marks of barred actions."""

    states: Words
    slots: Words
    numbers: Numbers
    first: Words
    bars: Words


def new_space() -> TurnSpace:
    """Working space as arrays."""
    sizes = (SPACE, np.int64), (SLOTS, np.int64), (NUMBERS, np.float64), (STATES, np.int64), (ACTIONS, np.int64)
    return TurnSpace._make(np.zeros(size, kind) for size, kind in sizes)


@block
def compare_turns(rules: RuleTable, weights: Numbers, space: TurnSpace, result: Numbers) -> int:
    """Compare all whole turns from the position at the start of ``space.states``.

    Writes the win chances after the best turn to ``result``, followed by the number of positions compared. Returns
    the first action of that turn, or -1 where every action is barred.
    """
    after = part(space.states, STATES * WORDS)
    seen = part(space.states, (STATES + 1) * WORDS)
    moves = part(space.states, (STATES + 2) * WORDS)
    value = part(space.numbers, SCRATCH)
    seat = _chooser(space.states)
    for slot in range(SLOTS):
        space.slots[slot] = 0
    size = 1
    done = 0
    compared = 0
    best = -1.0
    chosen = -1
    while done < size:
        state = part(space.states, done * WORDS)
        count = list_moves(rules, state, moves)
        for number in range(count):
            if done == 0 and space.bars[moves[number]]:
                continue
            copy(state, after)
            apply(rules, after, moves[number])
            start = moves[number] if done == 0 else space.first[done]
            if ends_here(after, seat, moves[number]) or size == STATES:
                feature_chances(rules, after, weights, space.numbers, value)
                compared += 1
                if value[seat] > best:
                    best = value[seat]
                    chosen = start
                    for other in range(MAX_SEATS):
                        result[other] = value[other]
            elif is_new(space.slots, key_of(rules, after, seat, seen)):
                copy(after, part(space.states, size * WORDS))
                space.first[size] = start
                size += 1
        done += 1
    result[MAX_SEATS] = compared
    return chosen


@entry
def best_turn(rules: RuleTable, root: Words, weights: Numbers, arrays: TurnSpace, result: Numbers) -> int:
    """The first action of the turn that ends best for the seat to choose, or -1 where every action is barred."""
    space = pointers(arrays)
    copy(pointer(root, 0), space.states)
    return compare_turns(pointer(rules, 0), pointer(weights, 0), space, pointer(result, 0))
