"""The compiler for CUDA devices: rules are inlined into the kernel that calls them (see ``cpu.compiler``)."""

from collections.abc import Callable
from typing import Final, Protocol, TypeVar

from numba import config, cuda

OPTIONS: Final = {"device": True} if config.ENABLE_CUDASIM else {"device": True, "forceinline": True}
"""Numba's simulator, which tests use, has no inlining."""
TEMPLATE: Final = {"device": True} if config.ENABLE_CUDASIM else {"device": True, "inline": "always"}
F = TypeVar("F", bound=Callable[..., object])


def rule(function: F) -> F:
    """Compile a function that kernels call."""
    compiled: F = cuda.jit(**OPTIONS)(function)
    return compiled


def template(function: F) -> F:
    """Copy a function into its callers before types are known: only so may it return a part of an array."""
    copied: F = cuda.jit(**TEMPLATE)(function)
    return copied


class Kernel(Protocol):
    """A compiled function that is launched with ``kernel[blocks, threads](…)``."""

    def __getitem__(self, grid: tuple[int, int], /) -> Callable[..., None]: ...


def kernel(function: Callable[..., None]) -> Kernel:
    """Compile a function that is launched on a grid of threads."""
    compiled: Kernel = cuda.jit(function)
    return compiled
