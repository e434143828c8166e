"""Play many games at once, one in each thread. A thread whose game is over takes the next one."""

import numpy as np
from numba import cuda

from cartagena.backends.arrays import IntArray
from cartagena.backends.cuda import Counts
from cartagena.backends.cuda.compiler import kernel

from ...kernel.chance import due
from ...kernel.intrinsics import RuleTable, Words, rule
from ...kernel.layout import END, OVER, WORDS
from ...kernel.step import step
from ..portable.deal import set_up
from ..portable.generator import key_of, next_key
from ..portable.intrinsics import word
from ..portable.playout import chance
from ..portable.policy import choose

THREADS = 64
"""Threads of a block, and columns of its shared memory."""


@rule
def play_on(
    rules: RuleTable, plan: IntArray, opening: IntArray, seed: int, last: int, cap: int, counts: Counts, state: Words
) -> int:
    """Play games while there are any, and count how they end and how long they are. Returns the number of moves made.

    In each round a thread deals at most one card and then moves if it can, so that neighbours stay together.
    """
    longest = counts.lengths.size - 1
    total = 0
    moves = 0
    turns = 0
    game = cuda.atomic.add(counts.taken, 0, 1)
    key = word(0)
    if game < last:
        key = set_up(rules, plan, opening, state, key_of(word(seed), word(game)))
    while game < last:
        if due(state):
            key = next_key(key)
            step(rules, state, chance(rules, state, key))
        if due(state) == 0:
            key = next_key(key)
            action = choose(rules, state, key)
            step(rules, state, action)
            moves += 1
            if action == END:
                turns += 1
            if state[OVER] or turns >= cap:
                cuda.atomic.add(counts.ends, state[OVER], 1)
                cuda.atomic.add(counts.lengths, min(moves, longest), 1)
                total += moves
                moves = 0
                turns = 0
                game = cuda.atomic.add(counts.taken, 0, 1)
                if game < last:
                    key = set_up(rules, plan, opening, state, key_of(word(seed), word(game)))
    return total


@kernel
def rollout_shared(
    rules: RuleTable, plan: IntArray, opening: IntArray, seed: int, last: int, cap: int, counts: Counts
) -> None:
    """Play games ``taken[0]`` to ``last`` - 1 with the states in shared memory, word by word across the block.

    Neighbouring threads always read different banks. The rules are a tuple: an argument by value,
    which the device reads without a load.
    """
    words = cuda.shared.array((WORDS, THREADS), np.int64)
    state = words[:, cuda.threadIdx.x]
    total = play_on(rules, plan, opening, seed, last, cap, counts, state)
    cuda.atomic.add(counts.made, 0, total)


@kernel
def rollout_local(
    rules: RuleTable, plan: IntArray, opening: IntArray, seed: int, last: int, cap: int, counts: Counts
) -> None:
    """The same with the states in the threads' own memory."""
    state = cuda.local.array(WORDS, np.int64)
    total = play_on(rules, plan, opening, seed, last, cap, counts, state)
    cuda.atomic.add(counts.made, 0, total)
