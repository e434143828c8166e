"""The successors of many states, dealt cards included, and how many sequences of moves there are."""

from cartagena.backends.arrays import IntArray, KeyArray
from cartagena.backends.cpu.compiler import entry, part, pointer, stack_words

from ...kernel.chance import due, weight
from ...kernel.intrinsics import RuleTable, Words, rule
from ...kernel.layout import DEAL, MAX_LEGAL, OVER, WORDS
from ...kernel.legal import chooser, count, legal
from ...kernel.step import step
from ..portable.generator import state_key
from ..portable.intrinsics import block

COLUMNS = 5
"""Numbers of a successor besides its state."""


@block
def moves_of(rules: RuleTable, state: Words, out: Words) -> int:
    """List the legal moves."""
    return legal(rules, state, out)


@block
def play(rules: RuleTable, state: Words, action: int, after: Words) -> None:
    """Write the state after an action."""
    for number in range(WORDS):
        after[number] = state[number]
    step(rules, after, action)


@entry
def expand(rule_numbers: IntArray, states: IntArray, after: IntArray, numbers: IntArray, keys: KeyArray) -> int:
    """Write the successors of states one after the other, until there is no space for those of another state.

    ``numbers`` has ``COLUMNS`` for each successor: which state it comes from, the action, the weight of a dealt card (0
    for other actions), the seat that must choose then, and the result of a finished game. The last number of the array
    is the number of states that were done. Returns the number of successors.
    """
    rules, given, out, facts = pointer(rule_numbers, 0), pointer(states, 0), pointer(after, 0), pointer(numbers, 0)
    moves = stack_words(MAX_LEGAL)
    most = keys.shape[0] - MAX_LEGAL
    size = 0
    done = 0
    while done < states.shape[0] and size <= most:
        state = part(given, done * WORDS)
        for index in range(moves_of(rules, state, moves)):
            one = part(out, size * WORDS)
            play(rules, state, moves[index], one)
            facts[size * COLUMNS] = done
            facts[size * COLUMNS + 1] = moves[index]
            facts[size * COLUMNS + 2] = weight(rules, state, moves[index] - DEAL) if due(state) else 0
            facts[size * COLUMNS + 3] = chooser(one)
            facts[size * COLUMNS + 4] = one[OVER]
            keys[size] = state_key(one)
            size += 1
        done += 1
    facts[numbers.shape[0] - 1] = done
    return size


# --- sequences of moves, with an explicit stack, because compiled rules cannot be recursive

LEVEL = WORDS + MAX_LEGAL + 2
"""Words of a level of the stack: a state, its legal moves, their number, and how many are done."""


@rule
def descend(rules: RuleTable, stack: Words, level: int, action: int) -> None:
    """Write the state after an action to the next level."""
    for word in range(WORDS):
        stack[(level + 1) * LEVEL + word] = stack[level * LEVEL + word]
    step(rules, part(stack, (level + 1) * LEVEL), action)


@rule
def list_level(rules: RuleTable, stack: Words, level: int) -> None:
    """List the moves of a level's state."""
    at = level * LEVEL
    stack[at + WORDS + MAX_LEGAL] = legal(rules, part(stack, at), part(stack, at + WORDS))
    stack[at + WORDS + MAX_LEGAL + 1] = 0


@rule
def sequences(rules: RuleTable, stack: Words, depth: int) -> int:
    """Count the sequences of ``depth`` (1 or more) moves from the state at the bottom of the stack."""
    last = depth - 1
    number = 0
    level = 0
    if last > 0:
        list_level(rules, stack, 0)
    while level >= 0:
        at = level * LEVEL + WORDS
        if level == last:
            number += count(rules, part(stack, level * LEVEL))
            level -= 1
        elif stack[at + MAX_LEGAL + 1] < stack[at + MAX_LEGAL]:
            done = stack[at + MAX_LEGAL + 1]
            stack[at + MAX_LEGAL + 1] = done + 1
            descend(rules, stack, level, stack[at + done])
            level += 1
            if level < last:
                list_level(rules, stack, level)
        else:
            level -= 1
    return number


@entry
def perft(rule_numbers: IntArray, stack: IntArray, depth: int) -> int:
    """Count the sequences of ``depth`` (1 or more) moves from the state in the first words of the stack."""
    return sequences(pointer(rule_numbers, 0), pointer(stack, 0), depth)
