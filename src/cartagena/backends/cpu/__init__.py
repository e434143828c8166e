"""The kernel compiled for this processor.

``kernel`` is the kernel package loaded a second time with every rule compiled: ``kernel.step.step``,
``kernel.legal.count`` and so on; ``toolkit`` has what compiled code shares besides. The marks ``rule``, ``block`` and
``entry`` compile further functions that call them, and ``pointer`` and ``part`` make what they work on (see
``compiler``):

    @rule
    def greedy(table, state):
        return kernel.legal.nth(table, state, 0)

    @entry
    def play(table, states, number):
        step(pointer(table, 0), pointer(states, number * WORDS), ...)

A module that is written with relative imports can be compiled as a whole: ``compiled.load("backends.cpu.rollout")``.
"""

from typing import TYPE_CHECKING, Final

from .compiler import block, entry, part, pointer, pointers, rule
from .loader import compiled, compiled_with

MODULES: Final = ("cards", "chance", "layout", "legal", "moves", "reasons", "step", "track", "validate", "view")

if TYPE_CHECKING:
    from . import kernel_types as kernel
else:
    kernel = compiled.load_all("kernel", MODULES)

__all__ = ["block", "compiled", "compiled_with", "entry", "kernel", "part", "pointer", "pointers", "rule"]
