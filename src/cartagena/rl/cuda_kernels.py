# ruff: noqa: PLR0917  (device code takes arrays, not objects)
"""The tables of an environment on a CUDA device: one thread plays one table.

States lie word by word across the tables, so that neighbouring threads read neighbouring places. Masks are found as
bits, and spread to bytes by a kernel that does nothing else: that keeps a step with masks near the memory's speed.
"""

from typing import Any, Final

import numpy as np
from numba import cuda

from cartagena.backends.cuda.compiler import kernel

from ..backends.common.generator import next_key
from ..backends.common.playout import deal_due
from ..backends.common.policy import choose
from ..kernel.layout import ACTIONS, END, MAX_LEGAL, WORDS
from ..kernel.legal import chooser, legal
from ..kernel.machine import rule
from ..kernel.step import step
from ..kernel.view import view
from .episode import CUT, ENDED, FORFEIT, RUNNING, is_choice, open_game, reward, standing
from .sight import SIZE, observe

THREADS: Final = 128
PADDED: Final = THREADS + 1  # one more, so that neighbours ask different banks
BIT_WORDS: Final = (ACTIONS + 31) // 32
BIT_BYTES: Final = 4 * BIT_WORDS
MASK_WORDS: Final = ACTIONS // 8
S7 = np.uint64(7)
S14 = np.uint64(14)
S28 = np.uint64(28)
M28 = np.uint64(0x0000000F0000000F)
M14 = np.uint64(0x0003000300030003)
M7 = np.uint64(0x0101010101010101)


@rule
def others(table: Any, state: Any, keys: Any, turns: Any, stands: Any, limit: int, learner: int, number: int) -> None:
    """Let the other seats choose at random until it is the learner's choice; a learner of -1 plays all seats."""
    while learner >= 0 and stands[number] == RUNNING and chooser(state) != learner:
        key = next_key(keys[number])
        action = choose(table, state, key)
        step(table, state, action)
        if action == END:
            turns[number] += 1
        keys[number] = deal_due(table, state, key)
        stands[number] = standing(state, turns[number], limit)


@kernel
def step_all(
    table: Any, plan: Any, board: Any, states: Any, keys: Any, turns: Any, stands: Any, limit: int, learners: Any,
    viewers: Any, sitting: Any, fresh: bool, actions: Any, rewards: Any, gained: Any, ended: Any, cut: Any,
    zero_sum: int,
) -> None:  # fmt: skip
    """One choice at every table; where the game is over, and everywhere if ``fresh``, a new one begins instead."""
    number = cuda.grid(1)
    if number >= stands.size:
        return
    state = states[:, number]
    learner = learners[number]
    loser = viewers[number]
    action = actions[number]
    if fresh or stands[number] != RUNNING:
        keys[number] = open_game(table, plan, board, state, next_key(keys[number]))
        turns[number] = 0
        stands[number] = RUNNING
        others(table, state, keys, turns, stands, limit, learner, number)
    elif is_choice(table, state, action):
        step(table, state, action)
        if action == END:
            turns[number] += 1
        keys[number] = deal_due(table, state, keys[number])
        stands[number] = standing(state, turns[number], limit)
        others(table, state, keys, turns, stands, limit, learner, number)
    else:
        stands[number] = FORFEIT
    now = stands[number]
    for seat in range(rewards.shape[1]):
        rewards[number, seat] = reward(table, state, now, loser, seat, zero_sum)
    gained[number] = rewards[number, loser]
    ended[number] = now == ENDED or now == FORFEIT  # noqa: PLR1714
    cut[number] = now == CUT
    if now == RUNNING:
        viewers[number] = chooser(state) if learner < 0 else learner
    sitting[number] = viewers[number] + 1


@kernel
def sample_all(table: Any, states: Any, keys: Any, stands: Any, actions: Any) -> None:
    """A random legal action for every table, ``end`` where the game is over."""
    number = cuda.grid(1)
    if number < stands.size:
        actions[number] = END
        if stands[number] == RUNNING:
            keys[number] = next_key(keys[number])
            actions[number] = choose(table, states[:, number], keys[number])


@kernel
def mark_all(table: Any, states: Any, stands: Any, marked: Any) -> None:
    """Write the masks as bits, BIT_WORDS words for each table; a block writes what its threads have found together."""
    bits = cuda.shared.array((BIT_WORDS, PADDED), np.uint32)
    lane = cuda.threadIdx.x
    first = cuda.blockIdx.x * THREADS
    number = first + lane
    for word in range(BIT_WORDS):
        bits[word, lane] = 0
    if number < stands.size:
        if stands[number] == RUNNING:
            moves = cuda.local.array(MAX_LEGAL, np.int64)
            for index in range(legal(table, states[:, number], moves)):
                bits[moves[index] >> 5, lane] |= np.uint32(1) << np.uint32(moves[index] & 31)
        else:
            bits[END >> 5, lane] |= np.uint32(1) << np.uint32(END & 31)
    cuda.syncthreads()
    rows = min(THREADS, stands.size - first)
    for place in range(lane, rows * BIT_WORDS, THREADS):
        row = place // BIT_WORDS
        marked[first * BIT_WORDS + place] = bits[place - row * BIT_WORDS, row]


@kernel
def spread_all(marked: Any, masks: Any) -> None:
    """Spread bits to bytes, eight at a time: ``marked`` are bytes of eight bits, ``masks`` words of eight marks."""
    for place in range(cuda.grid(1), masks.size, cuda.gridsize(1)):
        row = place // MASK_WORDS
        marks = np.uint64(marked[row * BIT_BYTES + place - row * MASK_WORDS])
        marks = (marks | (marks << S28)) & M28
        marks = (marks | (marks << S14)) & M14
        masks[place] = (marks | (marks << S7)) & M7


@kernel
def clear_all(words: Any) -> None:
    """Make everything 0."""
    for index in range(cuda.grid(1), words.size, cuda.gridsize(1)):
        words[index] = 0


@kernel
def observe_all(table: Any, states: Any, viewers: Any, observations: Any) -> None:
    """Write the observations, into zeros."""
    number = cuda.grid(1)
    if number < viewers.size:
        seen = cuda.local.array(WORDS, np.int64)
        view(table, states[:, number], viewers[number], seen)
        observe(table, seen, viewers[number], observations, number * SIZE)
