"""The compiler mark and three bit operations that the rules are written with.

A backend loads the kernel again with this module replaced by its own, so no rule may be written here. These versions
are ordinary Python.
"""

from collections.abc import Callable
from typing import ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class RuleTable(Protocol):
    """The read-only numbers that a rule set compiles to (see ``layout``): a tuple, an array or a pointer."""

    def __getitem__(self, index: int, /) -> int: ...


class Words(RuleTable, Protocol):
    """A state: ``layout.WORDS`` numbers of at most 62 bits, in a list, an array or behind a pointer."""

    def __setitem__(self, index: int, value: int, /) -> None: ...


def rule(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a function as part of the rules. A backend compiles it; here it stays plain Python."""
    return function


@rule
def popcount(mask: int) -> int:
    """How many bits are set."""
    return mask.bit_count()


@rule
def lowest(mask: int) -> int:
    """The index of the lowest set bit of a mask above 0."""
    return (mask & -mask).bit_length() - 1


@rule
def highest(mask: int) -> int:
    """The index of the highest set bit of a mask above 0."""
    return mask.bit_length() - 1
