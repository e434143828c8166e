"""Compiled perft, called from Python."""

import numpy as np

from cartagena.backends.arguments import checked_number
from cartagena.backends.openings import Positioned
from cartagena.kernel import layout as at

from .loader import compiled

DEEPEST = 64


def perft(position: Positioned, depth: int) -> int:
    """Count the move sequences of length ``depth`` from the position, chance moves included."""
    depth = checked_number("depth", depth, 0, DEEPEST)
    if depth == 0:
        return 1
    module = compiled.load("backends.cpu.perft")
    stack = np.zeros(depth * module.LEVEL, np.int64)
    stack[: at.WORDS] = position.words
    return int(module.perft(np.array(position.table, np.int64), stack, depth))
