"""Types of arrays, the arrays of a vector engine with their settings, and checks of arrays that callers hand over."""

from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

import numpy as np

from cartagena.errors import BackendError
from cartagena.kernel import layout as at
from cartagena.kernel.legal_mask import MARK_BITS, MARK_WORDS

from .loader import EPISODE
from .openings import Start
from .portable.games import ByteArray, FlagArray, FloatArray, IntArray, KeyArray, MaskArray

__all__ = [
    "BITS", "PACKED_SIZE", "BackendArray", "ByteArray", "Column", "FlagArray", "FloatArray", "IntArray", "KeyArray",
    "MaskArray", "VectorSettings", "check_numbers", "mask_shape", "shapes", "whole_numbers",
]  # fmt: skip

Column: TypeAlias = tuple[tuple[int, ...], type[np.generic], int]
"""Shape, type and first value of an array."""
BITS: Final = "bits"
PACKED_SIZE: Final = MARK_WORDS * MARK_BITS // 8
"""Bytes of a mask with a bit for each action; those behind the last action are 0."""


class BackendArray(Protocol):
    """An array in the memory of a backend: NumPy's, or one on a device."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> np.dtype[np.generic]: ...


@dataclass(frozen=True)
class VectorSettings:
    """What a vector engine is made for. ``limit`` and ``zero_sum`` are for episodes that have turn limits and rewards.

    ``masks`` says whether a mask has a byte for each action (True) or a bit (``"bits"``): action a is bit a % 8, from
    the lowest, of byte a // 8. Masks and observations that are not wanted take no memory.
    """

    start: Start
    size: int
    episode: str = EPISODE
    limit: int = 0
    zero_sum: bool = True
    observations: bool = False
    masks: bool | str = False
    threads: int = 1


def shapes(settings: VectorSettings, width: int) -> dict[str, Column]:
    """Return the columns of ``Games`` in their order: every array from ``keys`` to ``observations``."""
    size = settings.size
    return {
        "keys": ((size,), np.uint64, 0),
        "viewers": ((size,), np.int64, 0),
        "sitting": ((size,), np.int64, 1),
        "learners": ((size,), np.int64, -1),
        "turns": ((size,), np.int64, 0),
        "status": ((size,), np.int64, 1),
        "rewards": ((size, settings.start.seats), np.float32, 0),
        "gained": ((size,), np.float32, 0),
        "ended": ((size,), np.bool_, 0),
        "cut": ((size,), np.bool_, 0),
        "observations": ((size if settings.observations else 0, width), np.uint8, 0),
    }


def mask_shape(size: int, kind: bool | str) -> tuple[tuple[int, int], type[np.int8 | np.uint8]]:
    """Return the shape and the type of the masks."""
    if kind == BITS:
        return (size, PACKED_SIZE), np.uint8
    return (size if kind else 0, at.ACTIONS), np.int8


def whole_numbers(values: object, size: int, what: str) -> IntArray:
    """Return a whole number for each game as a contiguous NumPy array."""
    try:
        given = np.asarray(values)
    except ValueError as error:
        raise BackendError(f"{what} must be {size} whole numbers: {error}.") from None
    check_numbers(given, size, what)
    return np.ascontiguousarray(given, np.int64)


def check_numbers(given: BackendArray, size: int, what: str) -> None:
    """Raise BackendError unless an array of any backend has a whole number for each game."""
    shape, kind = tuple(given.shape), np.dtype(given.dtype)
    if shape != (size,) or kind.kind not in "iub":
        raise BackendError(f"{what} must be {size} whole numbers, not an array of {kind} shaped {shape}.")
