"""Count move sequences with an explicit stack, because compiled rules cannot be recursive."""

from typing import Any

from cartagena.backends.cpu.compiler import entry, part, pointer

from ...kernel.intrinsics import RuleTable, Words, rule
from ...kernel.layout import MAX_LEGAL, WORDS
from ...kernel.legal import count, legal
from ...kernel.step import step

LEVEL = WORDS + MAX_LEGAL + 2
"""Words of a level of the stack: a state, its legal moves, their number, and how many are done."""


@rule
def descend(table: RuleTable, stack: Words, level: int, action: int) -> None:
    """Write the state after an action to the next level."""
    for word in range(WORDS):
        stack[(level + 1) * LEVEL + word] = stack[level * LEVEL + word]
    step(table, part(stack, (level + 1) * LEVEL), action)


@rule
def expand(table: RuleTable, stack: Words, level: int) -> None:
    """List the moves of a level's state."""
    at = level * LEVEL
    stack[at + WORDS + MAX_LEGAL] = legal(table, part(stack, at), part(stack, at + WORDS))
    stack[at + WORDS + MAX_LEGAL + 1] = 0


@rule
def sequences(table: RuleTable, stack: Words, depth: int) -> int:
    """Count the sequences of ``depth`` (1 or more) moves from the state at the bottom of the stack."""
    last = depth - 1
    number = 0
    level = 0
    if last > 0:
        expand(table, stack, 0)
    while level >= 0:
        at = level * LEVEL + WORDS
        if level == last:
            number += count(table, part(stack, level * LEVEL))
            level -= 1
        elif stack[at + MAX_LEGAL + 1] < stack[at + MAX_LEGAL]:
            done = stack[at + MAX_LEGAL + 1]
            stack[at + MAX_LEGAL + 1] = done + 1
            descend(table, stack, level, stack[at + done])
            level += 1
            if level < last:
                expand(table, stack, level)
        else:
            level -= 1
    return number


@entry
def perft(table: Any, stack: Any, depth: int) -> int:
    """Count the sequences of ``depth`` (1 or more) moves from the state in the first words of the stack."""
    return sequences(pointer(table, 0), pointer(stack, 0), depth)
