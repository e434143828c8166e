"""A batch of states on a device: one thread applies the rules to one of them."""

from typing import Any

import numpy as np
from numba import cuda

from cartagena.backends.cuda.compiler import kernel

from ...kernel.layout import MAX_LEGAL
from ...kernel.legal import chooser, legal
from ...kernel.reasons import LEGAL, reason
from ...kernel.step import step
from ...kernel.view import view
from ..common.deal import set_up
from ..common.generator import key_of
from ..common.machine import word
from ..common.playout import deal_due


@kernel
def first_illegal(table: Any, states: Any, actions: Any, found: Any) -> None:
    """Lower ``found[0]`` to the first game whose action is not legal; an action below 0 leaves its game alone."""
    game = cuda.grid(1)
    if game < states.shape[0] and actions[game] >= 0 and reason(table, states[game], actions[game]) != LEGAL:
        cuda.atomic.min(found, 0, game)


@kernel
def step_all(table: Any, states: Any, actions: Any, keys: Any, deals: bool) -> None:
    """Play an action in each game; with ``deals`` also the cards that are due then, from the games' keys."""
    game = cuda.grid(1)
    if game < states.shape[0] and actions[game] >= 0:
        step(table, states[game], actions[game])
        if deals:
            keys[game] = deal_due(table, states[game], keys[game])


@kernel
def clear_all(masks: Any) -> None:
    """Make everything 0."""
    for index in range(cuda.grid(1), masks.size, cuda.gridsize(1)):
        masks[index] = 0


@kernel
def legal_all(table: Any, states: Any, masks: Any) -> None:
    """Write a 1 for every legal action of each game, into zeros."""
    game = cuda.grid(1)
    if game < states.shape[0]:
        moves = cuda.local.array(MAX_LEGAL, np.int64)
        for number in range(legal(table, states[game], moves)):
            masks[game, moves[number]] = 1


@kernel
def view_all(table: Any, states: Any, seats: Any, views: Any) -> None:
    """Write what a seat of each game may see; seat -1 sees what everybody sees."""
    game = cuda.grid(1)
    if game < states.shape[0]:
        view(table, states[game], seats[game], views[game])


@kernel
def choosers(states: Any, seats: Any) -> None:
    """Write the seat that must choose in each game, -1 where none must."""
    game = cuda.grid(1)
    if game < states.shape[0]:
        seats[game] = chooser(states[game])


@kernel
def deal_all(table: Any, plan: Any, opening: Any, states: Any, keys: Any, numbers: Any, seed: int) -> None:
    """Start each game that has a number from 0, by the plan or from the opening (see ``set_up``)."""
    game = cuda.grid(1)
    if game < states.shape[0] and numbers[game] >= 0:
        keys[game] = set_up(table, plan, opening, states[game], key_of(word(seed), word(numbers[game])))
