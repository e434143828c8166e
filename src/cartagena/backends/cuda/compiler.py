"""What ``rule`` means on a CUDA device: a function that is inlined into the kernel that calls it."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from numba import config, cuda

OPTIONS: Final = {"device": True} if config.ENABLE_CUDASIM else {"device": True, "forceinline": True}
"""Numba's simulator, which tests use where no device is, knows nothing of inlining."""
F = TypeVar("F", bound=Callable[..., Any])


def rule(function: F) -> F:
    """Compile a function, to be called from kernels."""
    compiled: F = cuda.jit(**OPTIONS)(function)
    return compiled


def kernel(function: F) -> Any:
    """Compile a function that is launched on a grid of threads."""
    return cuda.jit(function)
