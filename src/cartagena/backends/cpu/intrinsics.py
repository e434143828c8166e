"""The intrinsics of processors: the names of ``kernel.intrinsics`` and ``portable.intrinsics``, compiled."""

from typing import Final

import numpy as np

from cartagena.backends.portable.intrinsics import Numbers, States, Word
from cartagena.kernel.intrinsics import RuleTable, Words
from cartagena.kernel.layout import WORDS

from .compiler import block, leading, ones, part, rule, trailing

__all__ = [
    "Numbers", "RuleTable", "States", "Word", "Words", "block", "highest",
    "lowest", "number", "popcount", "rule", "state_of", "word",
]  # fmt: skip

word: Final = np.uint64
number: Final = np.int64


@rule
def popcount(mask: int) -> int:
    """How many bits are set."""
    return ones(mask)


@rule
def lowest(mask: int) -> int:
    """The index of the lowest set bit of a mask above zero."""
    return trailing(mask)


@rule
def highest(mask: int) -> int:
    """The index of the highest set bit of a mask above zero."""
    return 63 - leading(mask)


@rule
def state_of(states: Words, number: int) -> Words:
    """The words of one of many states, which are stored one state after the other."""
    return part(states, number * WORDS)
