"""Play many games one after another, on one core."""

from cartagena.backends.arrays import IntArray
from cartagena.backends.cpu.compiler import entry, pointer

from ...kernel.layout import OVER
from ..portable.deal import set_up
from ..portable.generator import key_of
from ..portable.intrinsics import word
from ..portable.playout import play


@entry
def rollout(
    rule_numbers: IntArray,
    start: IntArray,
    plan: IntArray,
    seed: int,
    first: int,
    last: int,
    cap: int,
    state: IntArray,
    ends: IntArray,
    lengths: IntArray,
) -> int:
    """Play the games ``first`` to ``last`` - 1 of a seed and count how they end and how long they are.

    ``set_up`` says how they start. Returns the number of all moves.
    """
    rules = pointer(rule_numbers, 0)
    opening = pointer(start, 0)
    layout = pointer(plan, 0)
    words = pointer(state, 0)
    longest = lengths.size - 1
    moves = 0
    for game in range(first, last):
        key = set_up(rules, layout, opening, words, key_of(word(seed), word(game)))
        made = play(rules, words, key, cap)
        ends[words[OVER]] += 1
        lengths[min(made, longest)] += 1
        moves += made
    return moves
