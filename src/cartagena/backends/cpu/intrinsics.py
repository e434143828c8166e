"""The kernel's ``machine`` for processors: the same names as in ``cartagena.kernel.intrinsics``, compiled."""

from cartagena.kernel.intrinsics import RuleTable, Words

from .compiler import leading, ones, rule, trailing

__all__ = ["RuleTable", "Words", "highest", "lowest", "popcount", "rule"]


@rule
def popcount(mask: int) -> int:
    """How many bits are set."""
    return ones(mask)


@rule
def lowest(mask: int) -> int:
    """The index of the lowest set bit; ``mask`` is above zero."""
    return trailing(mask)


@rule
def highest(mask: int) -> int:
    """The index of the highest set bit; ``mask`` is above zero."""
    return 63 - leading(mask)
