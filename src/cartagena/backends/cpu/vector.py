"""The vector engine in the processor's memory: NumPy arrays, compiled loops, threads."""

from collections.abc import Callable
from typing import Any

import numpy as np

from cartagena.backends.portable.games import Games
from cartagena.backends.vector_arrays import BITS, VectorSettings, mask_shape, shapes, whole_numbers
from cartagena.kernel import layout as at

from . import compiled_with
from .threads import shared_out

SMALL = 4096
"""Games that one thread steps before a second one is worth starting."""


class CpuEngine:
    """A ``VectorEngine`` of NumPy arrays. ``record`` is what compiled loops get (see ``vector_loops``)."""

    def __init__(self, settings: VectorSettings) -> None:
        self.settings = settings
        self.size = settings.size
        self._loops: Any = compiled_with(episode=settings.episode).load("backends.cpu.vector_loops")
        self._threads = max(1, min(settings.threads, self.size // SMALL))
        start = settings.start
        made = {
            name: np.full(shape, first, kind)
            for name, (shape, kind, first) in shapes(settings, self._loops.WIDTH).items()
        }
        rules, plan, opening = (np.array(numbers, np.int64) for numbers in (start.rules, start.plan, start.words))
        self.arrays = Games(
            rules,
            plan,
            opening,
            states=np.zeros((self.size, at.WORDS), np.int64),
            masks=None,
            limit=settings.limit,
            zero_sum=settings.zero_sum,
            **made,
        )
        self._views: Any = None
        self._wanted = self._loops.OBSERVED if settings.observations else 0
        self.add_masks(settings.masks)

    def add_masks(self, kind: bool | str) -> None:
        self.arrays = self.arrays._replace(masks=np.zeros(*mask_shape(self.size, kind)))
        *arrays, limit, zero_sum = self.arrays
        self.record = np.array([*(array.ctypes.data for array in arrays), limit, zero_sum], np.int64)
        if kind:
            self._wanted |= self._loops.PACKED if kind == BITS else self._loops.MASKED

    def put(self, array: Any, values: Any) -> None:
        array[:] = values

    def taken(self, values: Any, what: str) -> Any:
        """Return a number for each game as an array."""
        return whole_numbers(values, self.size, what)

    def open(self, numbers: Any, seed: int) -> None:
        self._run(self._loops.open_all, numbers, seed)

    def step(self, actions: Any, *, look: bool = True) -> None:
        self._run(self._loops.step_all, actions, self._wanted if look else 0)

    def look(self) -> None:
        self._run(self._loops.look_all, self._wanted)

    def sample(self) -> Any:
        actions = np.empty(self.size, np.int64)
        self._run(self._loops.sample_all, actions)
        return actions

    def first_illegal(self, actions: Any) -> int:
        self._run(self._loops.check_all, actions)
        illegal = self.arrays.ended
        return int(illegal.argmax()) if illegal.any() else -1

    def views(self, seats: Any) -> Any:
        if self._views is None:
            self._views = np.zeros_like(self.arrays.states)
        self._run(self._loops.view_all, seats, self._views)
        return self._views

    def _run(self, loop: Callable[..., None], *given: Any) -> None:
        if self._threads == 1:
            loop(self.record, *given, 0, self.size)
        else:
            shared_out(lambda first, last: loop(self.record, *given, first, last), 0, self.size, self._threads)
