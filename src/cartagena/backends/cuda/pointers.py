"""Bare pointers on a CUDA device: the names of ``cpu.compiler`` that modules outside ``backends`` use.

A game is played by one warp, which is a block: its threads make the same steps on the same words, and share out the
units of sums among themselves (``vectors``). So working space is the block's shared memory, and every place that asks
for some has its own. In Numba's simulator a warp has one thread, and pointers are slices of arrays.
"""

from collections.abc import Callable
from typing import Any, Final, TypeVar

import numpy as np
from llvmlite import ir
from numba import config, cuda, types

from cartagena.backends.cpu.compiler import (
    Builder,
    Context,
    Part,
    Same,
    Signature,
    Typed,
    Values,
    memory_at,
    typed_cast,
    typed_part,
    typed_pointer,
    typed_pointers,
)
from cartagena.kernel.intrinsics import Words

from .compiler import rule

SIMULATED: Final = bool(config.ENABLE_CUDASIM)
LANES: Final = 1 if SIMULATED else 32
"""Threads of a warp, which plays one game."""
SHARED: Final = 3
"""The number of the shared memory among the address spaces of a device."""
F = TypeVar("F", bound=Callable[..., object])


def entry(function: F) -> F:
    """Leave a function that Python calls as it is: Python calls the processor's."""
    return function


def either(typed: Callable[..., Typed | None], uncompiled: Callable[..., object]) -> Any:
    """Return the device's version of an intrinsic, or the one in Python for the simulator."""
    if SIMULATED:
        return uncompiled
    from numba.cuda.extending import intrinsic

    return intrinsic(typed)


def simulated(array: Any) -> Any:
    """The memory of an array of Numba's simulator."""
    return getattr(array, "_ary", array).reshape(-1)


def typed_stack_words(_context: Context, size: types.Type) -> Typed | None:
    """The type of ``stack_words`` and the code for it. Numba asks with the size's type first, then with the size."""
    if not hasattr(size, "literal_value"):
        return None

    def generate(_context: Context, builder: Builder, _signature: Signature, _given: Values) -> ir.Value:
        words = ir.ArrayType(ir.IntType(64), size.literal_value)
        name = builder.module.get_unique_name("words_of_the_warp")
        memory = ir.GlobalVariable(builder.module, words, name, addrspace=SHARED)
        memory.linkage, memory.align = "internal", 16
        memory.initializer = ir.Constant(words, ir.Undefined)
        return builder.bitcast(builder.addrspacecast(memory, words.as_pointer()), ir.IntType(64).as_pointer())

    return types.CPointer(types.int64)(size), generate


stack_words: Callable[[int], Words] = either(typed_stack_words, lambda size: np.zeros(size, np.int64))
pointer: Part = either(typed_pointer, lambda array, first: simulated(array)[first:])
pointers: Same = either(typed_pointers, lambda arrays: type(arrays)(*map(simulated, arrays)))
part: Part = either(typed_part, lambda words, first: words[first:])


def pointer_to(entries: type[np.generic]) -> Any:
    """Return a function that casts a pointer to a pointer to numbers of this type."""
    kind = np.dtype(entries)
    return either(typed_cast(kind), lambda start: memory_at(start, kind))


int32s, int16s, float32s = pointer_to(np.int32), pointer_to(np.int16), pointer_to(np.float32)


@rule
def meet() -> None:
    """Wait for the other threads of the warp, and let each see what the others have written."""
    if LANES > 1:
        cuda.syncwarp()
