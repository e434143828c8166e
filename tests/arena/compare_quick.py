"""Play quick games on a CUDA device and on the processor, and print the samples and how many games differ.

With NUMBA_ENABLE_CUDASIM=1 in the environment no device is needed: Numba's simulator runs the same kernel in Python.
"""

import sys
import warnings
from pathlib import Path

import numpy as np
from numba import config

from cartagena.kernel import intrinsics as plain

if config.ENABLE_CUDASIM:  # its bit operations are for 32 bits
    from cartagena.backends.cuda import intrinsics

    warnings.filterwarnings("ignore", "overflow encountered")  # words without a sign wrap around, as on a device
    intrinsics.popcount = lambda mask: plain.popcount(int(mask))
    intrinsics.lowest = lambda mask: plain.lowest(int(mask))
    intrinsics.highest = lambda mask: plain.highest(int(mask))

from cartagena import rule_set
from cartagena.arena.quick import QuickPlay
from cartagena.arena.quick_device import device_games

TINY = rule_set("tortuga-en", pirates=2, pieces=2)
CLOSE = 1e-6 if config.ENABLE_CUDASIM else 0.0
"""The simulator multiplies single by double precision in single precision."""


def compare(seats: int, weights: str, games: int) -> None:
    play = QuickPlay(TINY, seats, weights, seed=3, every=4)
    ours, theirs = device_games(play, 0, games), play.games(0, games)
    for name in ("states", "winners", "games"):
        assert np.array_equal(getattr(ours, name), getattr(theirs, name)), (seats, name)
    assert np.abs(ours.returns - theirs.returns).max() <= CLOSE, seats
    print(len(ours.winners))


if __name__ == "__main__":
    compare(3, str(Path(sys.argv[1])), 1)  # a network of pairs
    compare(2, "tuned", 1)
