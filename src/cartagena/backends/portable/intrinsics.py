"""What the generator and the toolkit need of the machine under them, here for plain Python.

A backend loads ``portable`` again with this module replaced by its own ``intrinsics``.
"""

from collections.abc import Callable, MutableSequence
from typing import Any, Final, ParamSpec, TypeAlias, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

Word: TypeAlias = int
"""A whole number from 0 to 2**64 - 1."""

Numbers: TypeAlias = MutableSequence[float]
"""Floating-point numbers, as a list or a pointer."""

word: Final = int
"""Make a number a word of 64 bits without a sign. Plain Python has no such bound."""

number: Final = int
"""Make a word below 2**63 an ordinary number."""


def block(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a function that is called, not inlined. Here it stays plain Python; a backend compiles it."""
    return function


def state_of(states: Any, number: int) -> Any:
    """The words of one of many states."""
    return states[number]
