"""The intrinsics of CUDA devices: the names of ``kernel.intrinsics`` and ``portable.intrinsics``, compiled."""

from typing import Final

import numpy as np
from numba import cuda

from cartagena.backends.arrays import IntArray
from cartagena.backends.portable.intrinsics import States, Word
from cartagena.kernel.intrinsics import RuleTable, Words

from .compiler import rule, template

__all__ = [
    "RuleTable", "States", "Word", "Words", "block", "highest",
    "lowest", "number", "popcount", "rule", "state_of", "word",
]  # fmt: skip

word: Final = np.uint64
number: Final = np.int64
block: Final = rule
"""On a device everything is inlined: a call would spill the registers of all threads."""


@rule
def popcount(mask: int) -> int:
    """How many bits are set."""
    return cuda.popc(mask)  # type: ignore[no-any-return]


@rule
def lowest(mask: int) -> int:
    """The index of the lowest set bit of a mask above zero."""
    return cuda.ffs(mask) - 1  # type: ignore[no-any-return]


@rule
def highest(mask: int) -> int:
    """The index of the highest set bit of a mask above zero."""
    return 63 - cuda.clz(mask)  # type: ignore[no-any-return]


@template
def state_of(states: IntArray, number: int) -> Words:
    """The words of one of many states, which are stored word by word: neighbouring threads read neighbouring words."""
    return states[:, number]
