"""A batch of states on a device: one thread applies the rules to one of them.

The states of a block are fetched into shared memory and brought back together, so that neighbouring threads read and
write neighbouring words; there they lie word by word, with one column more than games so that banks do not clash.
"""

from typing import Any

import numpy as np
from numba import cuda

from cartagena.backends.cuda.compiler import kernel

from ...kernel.intrinsics import rule
from ...kernel.layout import MAX_LEGAL, WORDS
from ...kernel.legal import chooser, legal
from ...kernel.reasons import LEGAL, reason
from ...kernel.step import step
from ...kernel.view import view
from ..portable.deal import set_up
from ..portable.generator import key_of, next_key
from ..portable.intrinsics import word
from ..portable.playout import deal_due
from ..portable.policy import choose

BLOCK = 64
COLUMNS = BLOCK + 1
LANES = 32
REST = WORDS - LANES


@rule
def fetch(states: Any, words: Any) -> None:
    """Bring the block's states in, a whole state by the threads of a warp."""
    lane = cuda.threadIdx.x % LANES
    first = cuda.blockIdx.x * BLOCK
    for column in range(cuda.threadIdx.x // LANES, BLOCK, BLOCK // LANES):
        if first + column < states.shape[0]:
            words[lane, column] = states[first + column, lane]
            if lane < REST:
                words[LANES + lane, column] = states[first + column, LANES + lane]
    cuda.syncthreads()


@rule
def bring_back(states: Any, words: Any) -> None:
    """Write the block's states."""
    cuda.syncthreads()
    lane = cuda.threadIdx.x % LANES
    first = cuda.blockIdx.x * BLOCK
    for column in range(cuda.threadIdx.x // LANES, BLOCK, BLOCK // LANES):
        if first + column < states.shape[0]:
            states[first + column, lane] = words[lane, column]
            if lane < REST:
                states[first + column, LANES + lane] = words[LANES + lane, column]


@kernel
def first_illegal(table: Any, states: Any, actions: Any, found: Any) -> None:
    """Lower ``found[0]`` to the first game whose action is not legal; an action below 0 leaves its game alone."""
    words = cuda.shared.array((WORDS, COLUMNS), np.int64)
    fetch(states, words)
    game = cuda.grid(1)
    if game < states.shape[0] and actions[game] >= 0:
        if reason(table, words[:, cuda.threadIdx.x], actions[game]) != LEGAL:
            cuda.atomic.min(found, 0, game)


@kernel
def step_all(table: Any, states: Any, actions: Any, keys: Any, deals: bool) -> None:
    """Play an action in each game; with ``deals`` also the cards that are due then, from the games' keys."""
    words = cuda.shared.array((WORDS, COLUMNS), np.int64)
    fetch(states, words)
    game = cuda.grid(1)
    if game < states.shape[0] and actions[game] >= 0:
        state = words[:, cuda.threadIdx.x]
        step(table, state, actions[game])
        if deals:
            keys[game] = deal_due(table, state, keys[game])
    bring_back(states, words)


@kernel
def choose_all(table: Any, states: Any, keys: Any, actions: Any) -> None:
    """Choose an action for each game by the policy, from its key; -1 where nobody must choose."""
    words = cuda.shared.array((WORDS, COLUMNS), np.int64)
    fetch(states, words)
    game = cuda.grid(1)
    if game < states.shape[0]:
        state = words[:, cuda.threadIdx.x]
        actions[game] = -1
        if chooser(state) >= 0:
            keys[game] = next_key(keys[game])
            actions[game] = choose(table, state, keys[game])


@kernel
def clear_all(masks: Any) -> None:
    """Make everything 0."""
    for index in range(cuda.grid(1), masks.size, cuda.gridsize(1)):
        masks[index] = 0


@kernel
def legal_all(table: Any, states: Any, masks: Any) -> None:
    """Write a 1 for every legal action of each game, into zeros."""
    words = cuda.shared.array((WORDS, COLUMNS), np.int64)
    fetch(states, words)
    game = cuda.grid(1)
    if game < states.shape[0]:
        moves = cuda.local.array(MAX_LEGAL, np.int64)
        for number in range(legal(table, words[:, cuda.threadIdx.x], moves)):
            masks[game, moves[number]] = 1


@kernel
def view_all(table: Any, states: Any, seats: Any, views: Any) -> None:
    """Write what a seat of each game may see; seat -1 sees what everybody sees."""
    words = cuda.shared.array((WORDS, COLUMNS), np.int64)
    fetch(states, words)
    game = cuda.grid(1)
    if game < states.shape[0]:
        state = words[:, cuda.threadIdx.x]
        seen = cuda.local.array(WORDS, np.int64)
        view(table, state, seats[game], seen)
        for index in range(WORDS):
            state[index] = seen[index]
    bring_back(views, words)


@kernel
def choosers(states: Any, seats: Any) -> None:
    """Write the seat that must choose in each game, -1 where none must."""
    words = cuda.shared.array((WORDS, COLUMNS), np.int64)
    fetch(states, words)
    game = cuda.grid(1)
    if game < states.shape[0]:
        seats[game] = chooser(words[:, cuda.threadIdx.x])


@kernel
def deal_all(table: Any, plan: Any, opening: Any, states: Any, keys: Any, numbers: Any, seed: int) -> None:
    """Start each game that has a number from 0, by the plan or from the opening (see ``set_up``)."""
    words = cuda.shared.array((WORDS, COLUMNS), np.int64)
    fetch(states, words)
    game = cuda.grid(1)
    if game < states.shape[0] and numbers[game] >= 0:
        key = key_of(word(seed), word(numbers[game]))
        keys[game] = set_up(table, plan, opening, words[:, cuda.threadIdx.x], key)
    bring_back(states, words)
