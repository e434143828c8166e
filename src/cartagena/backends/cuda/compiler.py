"""What ``rule`` means on a CUDA device: a function that is inlined into the kernel that calls it."""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import cuda

F = TypeVar("F", bound=Callable[..., Any])


def rule(function: F) -> F:
    """Compile a function, to be called from kernels."""
    compiled: F = cuda.jit(device=True, forceinline=True)(function)
    return compiled


def kernel(function: F) -> Any:
    """Compile a function that is launched on a grid of threads."""
    return cuda.jit(function)
