"""The compiler for CUDA devices: rules are inlined into the kernel that calls them (see ``cpu.compiler``)."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, Protocol, TypeVar

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


def kernel_of(registers: int) -> Callable[[Callable[..., None]], Kernel]:
    """Compile such a function with at most so many registers a thread: with fewer, more threads run at once."""
    return kernel if config.ENABLE_CUDASIM else cuda.jit(max_registers=registers)


def multiprocessors() -> int:
    """Multiprocessors of the device. Numba's simulator has one."""
    return 1 if config.ENABLE_CUDASIM else int(cuda.get_current_device().MULTIPROCESSOR_COUNT)


@contextmanager
def exact_arithmetic() -> Iterator[None]:
    """Let kernels that are compiled meanwhile round every product before it is added, as processors do.

    Numba has no option for it: fused operations are left out here, for as long as its compiler is called by us.
    """
    if config.ENABLE_CUDASIM:
        yield
        return
    from numba.cuda import dispatcher

    usual: Any = dispatcher.compile_cuda

    def unfused(*given: Any, **options: Any) -> Any:
        return usual(*given, **{**options, "nvvm_options": {**(options.get("nvvm_options") or {}), "fma": 0}})

    dispatcher.compile_cuda = unfused
    try:
        yield
    finally:
        dispatcher.compile_cuda = usual
