"""The kernel's ``machine`` for CUDA devices: the same names as in ``cartagena.kernel.intrinsics``, compiled."""

from numba import cuda

from cartagena.kernel.intrinsics import RuleTable, Words

from .compiler import rule

__all__ = ["RuleTable", "Words", "highest", "lowest", "popcount", "rule"]


@rule
def popcount(mask: int) -> int:
    """How many bits are set."""
    return cuda.popc(mask)  # type: ignore[no-any-return]


@rule
def lowest(mask: int) -> int:
    """The index of the lowest set bit; ``mask`` is above zero."""
    return cuda.ffs(mask) - 1  # type: ignore[no-any-return]


@rule
def highest(mask: int) -> int:
    """The index of the highest set bit; ``mask`` is above zero."""
    return 63 - cuda.clz(mask)  # type: ignore[no-any-return]
