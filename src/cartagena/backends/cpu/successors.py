"""The successors of many states: what every legal move leads to, dealt cards included."""

from typing import Any

from cartagena.backends.cpu.compiler import entry, part, pointer, room

from ...kernel.chance import due, weight
from ...kernel.intrinsics import RuleTable, Words
from ...kernel.layout import DEAL, MAX_LEGAL, OVER, WORDS
from ...kernel.legal import chooser, legal
from ...kernel.step import step
from ..portable.intrinsics import block
from ..portable.state_key import state_key

COLUMNS = 5
"""Numbers that are told of a successor."""


@block
def moves_of(table: RuleTable, state: Words, out: Words) -> int:
    """List the legal moves."""
    return legal(table, state, out)


@block
def play(table: RuleTable, state: Words, action: int, after: Words) -> None:
    """Write the state after an action."""
    for number in range(WORDS):
        after[number] = state[number]
    step(table, after, action)


@entry
def expand(table: Any, states: Any, after: Any, numbers: Any, keys: Any) -> int:
    """Write the successors of states one after the other, until the room does not last for another state.

    ``numbers`` has ``COLUMNS`` for each successor: which state it comes from, the action, the weight of a dealt card (0
    for other actions), the seat that must choose then, and the result of a finished game. The last number of the array
    is the number of states that were done. Returns the number of successors.
    """
    rules, given, out, told = pointer(table, 0), pointer(states, 0), pointer(after, 0), pointer(numbers, 0)
    moves = room(MAX_LEGAL)
    most = keys.shape[0] - MAX_LEGAL
    size = 0
    done = 0
    while done < states.shape[0] and size <= most:
        state = part(given, done * WORDS)
        for index in range(moves_of(rules, state, moves)):
            one = part(out, size * WORDS)
            play(rules, state, moves[index], one)
            told[size * COLUMNS] = done
            told[size * COLUMNS + 1] = moves[index]
            told[size * COLUMNS + 2] = weight(rules, state, moves[index] - DEAL) if due(state) else 0
            told[size * COLUMNS + 3] = chooser(one)
            told[size * COLUMNS + 4] = one[OVER]
            keys[size] = state_key(one)
            size += 1
        done += 1
    told[numbers.shape[0] - 1] = done
    return size
