"""Many games on a device: one thread for each of them."""

from typing import Any

import numpy as np
from numba import cuda

from cartagena.backends.cuda.compiler import kernel

from ...kernel.layout import WORDS
from ..portable.episode import WIDTH, advance, see
from ..portable.games import Games
from ..portable.intrinsics import state_of
from ..portable.vector import check, open_game, sample, show


@kernel
def step_all(games: Games, actions: Any) -> None:
    """Advance every game by an action."""
    number = cuda.grid(1)
    if number < games.keys.size:
        advance(games, number, actions[number])


@kernel
def observe_all(games: Games) -> None:
    """Write the observations, into zeros."""
    number = cuda.grid(1)
    if number < games.keys.size:
        working = cuda.local.array(WORDS, np.int64)
        state = state_of(games.states, number)
        see(games.table, state, games.viewers[number], working, games.observations, number * WIDTH)


@kernel
def open_all(games: Games, numbers: Any, seed: int) -> None:
    """Start the games that have a number."""
    number = cuda.grid(1)
    if number < games.keys.size:
        open_game(games, number, numbers, seed)


@kernel
def sample_all(games: Games, actions: Any) -> None:
    """Choose an action for every game by the policy."""
    number = cuda.grid(1)
    if number < games.keys.size:
        sample(games, number, actions)


@kernel
def check_all(games: Games, actions: Any) -> None:
    """Set ``ended`` where an action is not legal."""
    number = cuda.grid(1)
    if number < games.keys.size:
        check(games, number, actions)


@kernel
def view_all(games: Games, seats: Any, views: Any) -> None:
    """Write what a seat of each game may see."""
    number = cuda.grid(1)
    if number < games.keys.size:
        show(games, number, seats, views)


@kernel
def fill_all(words: Any, value: Any) -> None:
    """Set every word to a value."""
    for index in range(cuda.grid(1), words.size, cuda.gridsize(1)):
        words[index] = value
