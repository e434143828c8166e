"""What the generator and the toolkit need of the machine under them, here for plain Python.

A backend loads ``portable`` again with this module replaced by its own ``intrinsics``.
"""

from collections.abc import Callable
from typing import Final, ParamSpec, Protocol, TypeAlias, TypeVar

from ...kernel.intrinsics import Words

P = ParamSpec("P")
R = TypeVar("R")

Word: TypeAlias = int
"""A whole number from 0 to 2**64 - 1."""


class Numbers(Protocol):
    """Floating-point numbers, in a list, an array or behind a pointer."""

    def __getitem__(self, index: int, /) -> float: ...
    def __setitem__(self, index: int, value: float, /) -> None: ...


class States(Protocol):
    """Many states: rows of words, or all words behind one pointer."""

    def __getitem__(self, index: int, /) -> Words: ...


word: Final = int
"""Make a number a word of 64 bits without a sign. Plain Python has no such bound."""

number: Final = int
"""Make a word below 2**63 an ordinary number."""


def block(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a function that is called, not inlined. Here it stays plain Python; a backend compiles it."""
    return function


def state_of(states: States, number: int) -> Words:
    """The words of one of many states."""
    return states[number]
