# ruff: noqa: PLR0917  (device code takes arrays, not objects)
"""The tables of an environment on a CUDA device: one thread plays one table.

States lie word by word across the tables, so that neighbouring threads read neighbouring places. ``cuda_masks`` has
what writes the masks.
"""

from typing import Any

import numpy as np
from numba import cuda

from cartagena.backends.cuda.compiler import kernel

from ...backends.portable.generator import next_key
from ...backends.portable.playout import deal_due
from ...backends.portable.policy import choose
from ...kernel.intrinsics import rule
from ...kernel.layout import END, WORDS
from ...kernel.legal import chooser
from ...kernel.step import step
from ...kernel.view import view
from .episode import CUT, ENDED, FORFEIT, RUNNING, is_choice, open_game, reward, standing
from .observation import SIZE, observe


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
