"""The vector engine in the processor's memory: NumPy arrays, compiled loops, threads."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from cartagena.backends.arrays import (
    BITS,
    BackendArray,
    IntArray,
    VectorSettings,
    mask_shape,
    shapes,
    whole_numbers,
)
from cartagena.backends.portable.games import Games
from cartagena.kernel import layout as at

from . import compiled_with, shared_out

SMALL = 4096
"""Games that one thread steps before a second one is worth starting."""


class CpuEngine:
    """A ``VectorEngine`` of NumPy arrays. ``record`` is what compiled loops get (see ``vector_loops``)."""

    def __init__(self, settings: VectorSettings) -> None:
        self.settings = settings
        self.size = settings.size
        self._loops = compiled_with(episode=settings.episode).load("backends.cpu.vector_loops")
        self._threads = max(1, min(settings.threads, self.size // SMALL))
        start = settings.start
        columns = (np.full(shape, first, kind) for shape, kind, first in shapes(settings, self._loops.WIDTH).values())
        rules, plan, opening = (np.array(numbers, np.int64) for numbers in (start.rules, start.plan, start.words))
        states = np.zeros((self.size, at.WORDS), np.int64)
        limits = settings.limit, settings.zero_sum
        self.arrays = Games._make((rules, plan, opening, states, *columns, None, *limits))
        self._views = np.zeros((0, at.WORDS), np.int64)
        self._wanted = self._loops.OBSERVED if settings.observations else 0
        self.add_masks(settings.masks)

    def add_masks(self, kind: bool | str) -> None:
        self.arrays = self.arrays._replace(masks=np.zeros(*mask_shape(self.size, kind)))
        addresses = (array.ctypes.data for array in self.arrays[:-2])
        self.record = np.array([*addresses, *self.arrays[-2:]], np.int64)
        if kind:
            self._wanted |= self._loops.PACKED if kind == BITS else self._loops.MASKED

    def put(self, name: str, values: ArrayLike) -> None:
        getattr(self.arrays, name)[:] = values

    def taken(self, values: object, what: str) -> IntArray:
        """Return a number for each game as an array."""
        return whole_numbers(values, self.size, what)

    def open(self, numbers: BackendArray, seed: int) -> None:
        self._run(self._loops.open_all, numbers, seed)

    def step(self, actions: BackendArray, *, observe: bool = True) -> None:
        self._run(self._loops.step_all, actions, self._wanted if observe else 0)

    def observe(self) -> None:
        self._run(self._loops.observe_all, self._wanted)

    def sample(self) -> IntArray:
        actions = np.empty(self.size, np.int64)
        self._run(self._loops.sample_all, actions)
        return actions

    def first_illegal(self, actions: BackendArray) -> int:
        self._run(self._loops.check_all, actions)
        illegal = self.arrays.ended
        return int(illegal.argmax()) if illegal.any() else -1

    def views(self, seats: BackendArray) -> IntArray:
        if not len(self._views):
            self._views = np.zeros_like(self.arrays.states)
        self._run(self._loops.view_all, seats, self._views)
        return self._views

    def _run(self, loop: Callable[..., None], *given: object) -> None:
        if self._threads == 1:
            loop(self.record, *given, 0, self.size)
        else:
            shared_out(lambda first, last: loop(self.record, *given, first, last), 0, self.size, self._threads)
