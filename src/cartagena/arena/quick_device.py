"""Quick self-play on a CUDA device: the games of ``quick``, many of them at once."""

from typing import Any, Final

import numpy as np
from numba import cuda

from cartagena.backends.cuda.compiler import exact_arithmetic, multiprocessors
from cartagena.backends.cuda.outside import compiled_module
from cartagena.kernel.layout import MAX_SEATS, WORDS
from cartagena.players.compiled import quick_play
from cartagena.players.compiled.quick_play import QuickSamples

from .quick import SPACE, QuickPlay

NEEDED: Final = ("jumps", "features", "network_inputs", "network", "evaluation", "quick_play")
"""The modules that the games are played by, each after those that it imports."""
BLOCKS: Final = 16
"""Warps for each multiprocessor."""
SAMPLE: Final = ((WORDS, np.int64), (1, np.int64), (MAX_SEATS, np.float64), (1, np.int64))
"""Numbers of a sample and their type, for each array of ``QuickSamples``."""


def warps_for(module: Any, play: QuickPlay, warps: int, taken: Any) -> Any:
    """What the games are played by, on the device, and working space for so many warps."""
    room = play.room
    return module.QuickWarps(
        *(cuda.to_device(array) for array in (room.plan, room.opening, room.weights, room.settings)),
        cuda.device_array(warps * quick_play.NUMBERS, np.float64),
        cuda.device_array(warps * quick_play.RETURNS, np.float64),
        cuda.device_array(warps * SPACE * WORDS, np.int64),
        cuda.device_array(warps * SPACE, np.int64),
        taken,
    )


def device_games(play: QuickPlay, first: int, last: int, blocks: int = BLOCKS) -> QuickSamples:
    """The samples of the games ``first`` to ``last`` - 1, as ``play.games`` has them."""
    module: Any = compiled_module("players.compiled.quick_cuda", *NEEDED)
    games = last - first
    warps = min(games, blocks * multiprocessors())
    taken = cuda.to_device(np.array([first, 0, 0], np.int64))
    out = QuickSamples(*(cuda.device_array(games * SPACE * width, kind) for width, kind in SAMPLE))
    rules = tuple(int(number) for number in play.room.rules)
    numbers = (np.int64(number) for number in (play.seed, last, SPACE))
    with exact_arithmetic():
        module.quick_all[warps, module.LANES](rules, warps_for(module, play, warps, taken), *numbers, out)
    cuda.synchronize()
    _, found, most = (int(number) for number in taken.copy_to_host())
    if most >= SPACE:  # a game may have had more positions than there is room for here
        return play.games(first, last)
    return in_order(out, found, play.seats)


def in_order(out: QuickSamples, found: int, seats: int) -> QuickSamples:
    """The samples on the host, in the order of their games: the device writes them in the order in which games end."""
    pairs = zip(out, SAMPLE, strict=True)
    states, winners, returns, games = (array[: found * width].copy_to_host() for array, (width, _) in pairs)
    order = np.argsort(games, kind="stable")
    returns = returns.reshape(-1, MAX_SEATS)[order, :seats]
    return QuickSamples(states.reshape(-1, WORDS)[order], winners[order], returns, games[order])
