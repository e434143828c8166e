"""The compiler for this processor.

There is one way to compile. A function gets one of three marks:

- ``rule``: inlined into its caller. The rules are compiled in this way, so that a whole rollout is one piece of code.
- ``block``: called, not inlined. Larger parts of a search or of a vector step stay blocks, because inlining the rules
  everywhere takes long to compile and is no faster.
- ``entry``: called by Python. Its machine code is kept on disk, and it releases the interpreter lock.

Only entries see arrays. ``pointer(array, first)`` makes a bare pointer of one, and ``part(words, first)`` the same
pointer some numbers further on: rules compiled for bare pointers run several times as fast as for arrays, which carry
a shape and a reference count along. Functions take a named tuple of pointers where they need many.

A module gets its compiled functions in one of two ways:

- Modules below ``kernel``, ``portable`` and ``cpu`` import one another by relative names and hold functions and numbers
  only. ``loader`` loads them again with ``intrinsics`` replaced, so that one source serves every backend.
- Other modules import ``cartagena.backends.cpu``: its marks, its ``kernel`` and its ``toolkit`` are the compiled ones.

With ``NUMBA_DISABLE_JIT=1`` the marks leave functions as they are and pointers are slices of arrays; coverage uses it.
"""

import ctypes
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias, TypeVar

import numpy as np

from cartagena.errors import missing

try:
    import numba
    from llvmlite import ir
    from numba import njit, types
    from numba.extending import intrinsic
except ModuleNotFoundError as error:
    raise missing(error, "what is compiled (levels from gunner on, rollouts, arena)") from None
from numpy.typing import NDArray

from cartagena.backends import cache
from cartagena.backends.numba_internals import caching, cgutils, keep_code, never_called
from cartagena.kernel import intrinsics as plain
from cartagena.kernel.intrinsics import Words

from .notice import NOTICE

# --- machine code on disk: Numba's cache, with ``backends.cache`` choosing the folders
#
# Code of this package is kept by the content of its sources alone, so that another installation of the same sources
# finds it. Code of other files is kept by their paths too.

SOURCES: Final = cache.Stamps(cache.sources(cache.PACKAGE, (*cache.SHARED, *cache.ROOMS)))
"""The sources as they were before the first of them was loaded to be compiled."""


class Locator(caching._SourceFileBackedLocatorMixin, caching._CacheLocator):  # type: ignore[misc]  # noqa: SLF001
    """The folder of a function's code. Every module has its own: a file may be loaded several times, with policies."""

    def __init__(self, function: Callable[..., object], file: str) -> None:
        self._py_file = file
        self._lineno = function.__code__.co_firstlineno
        self.folder = cache.folder(function.__module__)
        if self.folder is not None and not Path(file).resolve().is_relative_to(cache.PACKAGE):
            self.folder /= self.get_suitable_cache_subpath(file)

    def get_cache_path(self) -> str:
        return str(self.folder)


class Storage(caching.CompileResultCacheImpl):  # type: ignore[misc]
    """How code is stored: as Numba does it, in the folders above."""

    _locator_classes = (Locator,)


class CodeCache(caching.FunctionCache):  # type: ignore[misc]
    """The compiled code of one function, on disk."""

    _impl_class = Storage

    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__(function)
        self.title = function.__name__

    def load_overload(self, sig: object, target_context: object) -> object:
        kept = None
        if SOURCES.are_current():
            try:
                kept = super().load_overload(sig, target_context)
            except Exception:  # a damaged file can raise anything
                self.forget()
        if kept is None:
            NOTICE.begin(self.title)
        return kept

    def save_overload(self, sig: object, data: object) -> None:
        NOTICE.end()
        if SOURCES.are_current():
            with suppress(OSError):  # a full disk: the code is compiled again next time
                super().save_overload(sig, data)

    def forget(self) -> None:
        """Let nothing that was kept be found again."""
        with suppress(OSError):
            self.flush()


def can_keep(function: Callable[..., object]) -> bool:
    """True for a function that comes from a file, where a folder can be written."""
    return Path(function.__code__.co_filename).is_file() and cache.folder(function.__module__) is not None


# --- the three marks

F = TypeVar("F", bound=Callable[..., object])

OPTIONS: Final = {
    "nogil": True,
    "boundscheck": False,
    "error_model": "numpy",
    "_nrt": False,
    "no_cfunc_wrapper": True,
}
# Only entries are called from Python: without the code for that the rest compiles in a good half of the time.
INNER: Final = {**OPTIONS, "no_cpython_wrapper": True}


def inner(function: F, **options: bool) -> F:
    """Compile a function that only compiled callers use."""
    compiled: F = njit(**INNER, **options)(function)
    if not numba.config.DISABLE_JIT:
        never_called(compiled)
    return compiled


def rule(function: F) -> F:
    """Compile a function that is inlined into compiled callers."""
    return inner(function, forceinline=True)


def block(function: F) -> F:
    """Compile a function that compiled callers call."""
    return inner(function)


def entry(function: F) -> F:
    """Compile a function that Python calls, and keep its machine code on disk if the function comes from a file."""
    compiled: F = njit(forceinline=True, **OPTIONS)(function)
    if not numba.config.DISABLE_JIT and can_keep(function):
        keep_code(compiled, CodeCache(function))
    return compiled


BIT: Final = ir.IntType(1)
Builder: TypeAlias = ir.IRBuilder
Values: TypeAlias = Sequence[ir.Value]
T = TypeVar("T")
E = TypeVar("E", bound=np.generic)
MEMORY: Final = 1 << 40


class Structure(Protocol):
    """An array as compiled code sees it."""

    data: ir.Value


class Signature(Protocol):
    """The types that a function takes and returns. Numba has no public name for it, nor for contexts."""

    args: Sequence[types.Type]
    return_type: types.Type


class Context(Protocol):
    """What is used of Numba's contexts."""

    def make_array(self, kind: types.Type) -> Callable[["Context", Builder, ir.Value], Structure]: ...
    def make_tuple(self, builder: Builder, kind: types.Type, values: Values) -> ir.Value: ...
    def get_value_type(self, kind: types.Type) -> ir.Type: ...
    def get_dummy_value(self) -> ir.Value: ...


Typed: TypeAlias = tuple[Signature, Callable[..., ir.Value]]
"""What Numba asks of an intrinsic: its signature, and the function that generates its code."""


class Same(Protocol):
    """A function whose result has the type of its argument."""

    def __call__(self, values: T, /) -> T: ...


class Part(Protocol):
    """A function from numbers to the same numbers from an index on."""

    def __call__(self, words: T, first: int, /) -> T: ...


def intrinsic_or(typed: Callable[..., Typed], uncompiled: Callable[..., object]) -> Any:
    """Return the compiler's version of an intrinsic, or the one in Python where nothing is compiled."""
    return uncompiled if numba.config.DISABLE_JIT else intrinsic(typed)


def either(typed: Callable[..., Typed], uncompiled: F) -> F:
    """Return the same with the type of the version in Python."""
    chosen: F = intrinsic_or(typed, uncompiled)
    return chosen


def on_a_word(
    generate: Callable[[Builder, ir.Value], ir.Value], uncompiled: Callable[[int], int]
) -> Callable[[int], int]:
    """Return a function from a word to a word that is one instruction."""

    def typed(_context: Context, _word: types.Type) -> Typed:
        return types.int64(types.int64), lambda _context, builder, _signature, given: generate(builder, given[0])

    return either(typed, lambda word: uncompiled(int(word)))  # NumPy's integers have no bit_length


def plain_leading(word: int) -> int:
    """Count the zeros above the highest set bit."""
    return 63 - plain.highest(word)


ones = on_a_word(lambda builder, word: builder.ctpop(word), plain.popcount)
trailing = on_a_word(lambda builder, word: builder.cttz(word, ir.Constant(BIT, 1)), plain.lowest)
leading = on_a_word(lambda builder, word: builder.ctlz(word, ir.Constant(BIT, 1)), plain_leading)


def typed_pointer(_context: Context, array: types.Array, _first: types.Type) -> Typed:
    """The type of ``pointer`` and the code for it."""

    def generate(context: Context, builder: Builder, signature: Signature, given: Values) -> ir.Value:
        data = context.make_array(signature.args[0])(context, builder, given[0]).data
        return builder.gep(data, [given[1]])

    return types.CPointer(array.dtype)(array, types.int64), generate


pointer: Part = intrinsic_or(typed_pointer, lambda array, first: array.reshape(-1)[first:])
"""``pointer(array, first)``: the numbers of a contiguous array from that index on, as a bare pointer."""


def typed_pointers(_context: Context, arrays: types.NamedTuple) -> Typed:
    """The type of ``pointers`` and the code for it."""

    def generate(context: Context, builder: Builder, signature: Signature, given: Values) -> ir.Value:
        parts = [builder.extract_value(given[0], number) for number in range(len(arrays))]
        data = [context.make_array(kind)(context, builder, one).data for kind, one in zip(arrays, parts, strict=True)]
        return context.make_tuple(builder, signature.return_type, data)

    return types.NamedTuple([types.CPointer(kind.dtype) for kind in arrays], arrays.instance_class)(arrays), generate


pointers: Same = intrinsic_or(typed_pointers, lambda arrays: type(arrays)(*(array.reshape(-1) for array in arrays)))
"""``pointers(arrays)``: a named tuple of contiguous arrays as the same tuple of bare pointers."""


def typed_part(_context: Context, words: types.Type, _first: types.Type) -> Typed:
    """The type of ``part`` and the code for it."""

    def generate(_context: Context, builder: Builder, _signature: Signature, given: Values) -> ir.Value:
        return builder.gep(given[0], [given[1]])

    return words(words, types.int64), generate


part: Part = intrinsic_or(typed_part, lambda words, first: words[first:])
"""``part(words, first)``: the same numbers from that index on."""


def pointer_to(entries: type[E]) -> Callable[[object], NDArray[E]]:
    """Return a function that casts an address or a pointer to a pointer to numbers of this type."""
    kind = numba.from_dtype(np.dtype(entries))

    def typed(_context: Context, address: types.Type) -> Typed:
        def generate(context: Context, builder: Builder, signature: Signature, given: Values) -> ir.Value:
            wanted = context.get_value_type(signature.return_type)
            turn = builder.inttoptr if isinstance(address, types.Integer) else builder.bitcast
            return turn(given[0], wanted)

        return types.CPointer(kind)(address), generate

    cast: Callable[[object], NDArray[E]] = intrinsic_or(typed, lambda start: memory_at(start, np.dtype(entries)))
    return cast


def memory_at(start: NDArray[np.generic] | int, kind: np.dtype[np.generic]) -> NDArray[np.generic]:
    """Return the memory of an array, or from an address on, as numbers of a type, where nothing is compiled."""
    if isinstance(start, np.ndarray):
        whole = start.nbytes // kind.itemsize * kind.itemsize
        return start.view(np.uint8)[:whole].view(kind)
    return np.frombuffer(memoryview((ctypes.c_char * MEMORY).from_address(int(start))), kind)


int64s, int32s, int16s = pointer_to(np.int64), pointer_to(np.int32), pointer_to(np.int16)
uint64s, uint32s, uint8s = pointer_to(np.uint64), pointer_to(np.uint32), pointer_to(np.uint8)
float64s, float32s = pointer_to(np.float64), pointer_to(np.float32)


def typed_stack_words(_context: Context, size: types.Type) -> Typed:
    """The type of ``stack_words`` and the code for it."""

    def generate(_context: Context, builder: Builder, _signature: Signature, _given: Values) -> ir.Value:
        return cgutils.alloca_once(builder, ir.IntType(64), size=ir.Constant(ir.IntType(64), size.literal_value))

    return types.CPointer(types.int64)(size), generate


stack_words: Callable[[int], Words] = (
    (lambda size: np.zeros(size, np.int64))
    if numba.config.DISABLE_JIT
    else intrinsic(prefer_literal=True)(typed_stack_words)
)
"""``stack_words(size)``: ``size`` words of the caller's own stack to work in. The size is a constant."""
