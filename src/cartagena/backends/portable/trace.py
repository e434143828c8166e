"""A whole game as one number: two backends that give the same number have played the same states.

The number is a hash of every state with its legal moves, and of one view and one reason of each, in turn.
"""

from typing import Final

from ...kernel.chance import due
from ...kernel.intrinsics import RuleTable, Words, rule
from ...kernel.layout import ACTIONS, END, OVER, T_SEATS
from ...kernel.reasons import reason
from ...kernel.view import view
from .generator import ALL, GOLDEN, mix, next_key, state_key
from .intrinsics import Word, block, number, word
from .playout import chance
from .policy import choose
from .toolkit import apply, list_moves

STRIDE: Final = 791
"""Between the actions whose reasons are asked for; prime to the number of all actions, so that each has its turn."""


@block
def add_state(rules: RuleTable, state: Words, at: int, seen: Words, key: Word) -> Word:
    """Add state number ``at`` of a game to a hash; ``seen`` has space for a view and for a list of moves."""
    key = mix((key + state_key(state)) & ALL)
    for index in range(list_moves(rules, state, seen)):
        key = mix((key + word(seen[index])) & ALL)
    view(rules, state, at % (rules[T_SEATS] + 1) - 1, seen)
    key = mix((key + state_key(seen)) & ALL)
    return mix((key + word(reason(rules, state, at * STRIDE % ACTIONS))) & ALL)


@block
def next_action(rules: RuleTable, state: Words, key: Word) -> int:
    """The deal that a key brings where a card is due, else the action of the policy."""
    if due(state):
        return chance(rules, state, key)
    return choose(rules, state, key)


@rule
def trace(rules: RuleTable, state: Words, seen: Words, key: Word, cap: int, sums: Words) -> int:
    """Play a game from its first state as ``playout.play`` does, and return the number of its states.

    Writes the hash of the game to ``sums``.
    """
    digest = add_state(rules, state, 0, seen, GOLDEN)
    states = 1
    turns = 0
    while state[OVER] == 0 and turns < cap:
        key = next_key(key)
        action = next_action(rules, state, key)
        if action == END:
            turns += 1
        apply(rules, state, action)
        digest = add_state(rules, state, states, seen, digest)
        states += 1
    sums[0] = number(digest)
    return states
