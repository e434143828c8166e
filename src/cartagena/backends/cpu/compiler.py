"""The compiler: what ``rule`` means on a processor, and the bit operations as single instructions."""

import threading
from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypeVar

import numba
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from cartagena.backends import cache
from cartagena.kernel.intrinsics import Words

F = TypeVar("F", bound=Callable[..., Any])

# Everything is inlined into the function that Python calls, so that a whole rollout is one piece of code without calls.
OPTIONS: Final = {
    "nogil": True,
    "boundscheck": False,
    "error_model": "numpy",
    "_nrt": False,
    "forceinline": True,
    "no_cfunc_wrapper": True,
}
# Only entries are called from Python: without the code for that the rest compiles in a good half of the time.
INNER: Final = {**OPTIONS, "no_cpython_wrapper": True}
_decorating = threading.Lock()


def rule(function: F) -> F:
    """Compile a function, to be called from other compiled functions."""
    compiled: F = njit(**INNER)(function)
    return compiled


def entry(function: F) -> F:
    """Compile a function that Python calls; its machine code is kept on disk.

    Every module has a folder of its own there, because one file may be loaded several times with different policies.
    """
    folder = cache.folder(function.__module__)
    if folder is None:
        here: F = njit(**OPTIONS)(function)
        return here
    with _decorating:
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(folder)
        try:
            compiled: F = njit(cache=True, **OPTIONS)(function)
        finally:
            numba.config.CACHE_DIR = before
    return compiled


BIT: Final = ir.IntType(1)
Builder: TypeAlias = Any


def on_a_word(generate: Callable[[Builder, Any], Any]) -> Callable[[int], int]:
    """A function from a word to a word that is one instruction."""

    def typed(_context: Any, _word: Any) -> Any:
        return types.int64(types.int64), lambda _context, builder, _signature, given: generate(builder, given[0])

    made: Callable[[int], int] = intrinsic(typed)
    return made


ones = on_a_word(lambda builder, word: builder.ctpop(word))
trailing = on_a_word(lambda builder, word: builder.cttz(word, ir.Constant(BIT, 1)))
leading = on_a_word(lambda builder, word: builder.ctlz(word, ir.Constant(BIT, 1)))


def typed_pointer(_context: Any, array: Any, _first: Any) -> Any:
    """The type of ``pointer`` and the code for it."""

    def generate(context: Any, builder: Builder, signature: Any, given: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, given[0]).data
        return builder.gep(data, [given[1]])

    return types.CPointer(types.int64)(array, types.int64), generate


pointer: Callable[[Any, int], Words] = intrinsic(typed_pointer)
"""``pointer(array, first)``: the words of a contiguous int64 array from that index on, as a bare pointer.

The rules compiled for bare pointers run several times as fast as for arrays, which carry a shape and a count of
their users along.
"""


def typed_part(_context: Any, words: Any, _first: Any) -> Any:
    """The type of ``part`` and the code for it."""

    def generate(_context: Any, builder: Builder, _signature: Any, given: Any) -> Any:
        return builder.gep(given[0], [given[1]])

    return words(words, types.int64), generate


part: Callable[[Words, int], Words] = intrinsic(typed_part)
"""``part(words, first)``: the same words from that index on."""
