"""The kernel compiled for this processor.

``kernel`` is the kernel package loaded a second time with every rule compiled: ``kernel.step.step``,
``kernel.legal.count`` and so on. ``rule`` compiles further functions that call them, ``entry`` one that Python calls
(kept on disk), ``pointer(array, first)`` makes the words that they work on, ``part(words, first)`` a part of these:

    @rule
    def greedy(table, state):
        return kernel.legal.nth(table, state, 0)

    @entry
    def play(table, states, number):
        step(pointer(table, 0), pointer(states, number * WORDS), ...)

A module that is written with relative imports runs in this world too: ``world.load("players.search")``.
"""

from typing import TYPE_CHECKING, Final

from .compiler import entry, part, pointer, rule
from .loader import world, world_with

MODULES: Final = ("cards", "chance", "layout", "legal", "moves", "reasons", "step", "track", "validate", "view")

if TYPE_CHECKING:
    from . import kernel_types as kernel
else:
    kernel = world.load_all("kernel", MODULES)

__all__ = ["entry", "kernel", "part", "pointer", "rule", "world", "world_with"]
