"""The vector engine on a CUDA device: every array is made there and stays there."""

from typing import Any, Final

import numpy as np
from numba import cuda

from cartagena.backends.portable.games import Games
from cartagena.backends.vector_arrays import BITS, VectorSettings, check_numbers, mask_shape, shapes, whole_numbers
from cartagena.kernel import layout as at

from . import compiled_with
from .arrays import DeviceArray

BLOCK: Final = 128
"""Threads of a block."""
FILLERS: Final = 4096
"""Blocks that fill an array, unless fewer are enough."""


class CudaEngine:
    """A ``VectorEngine`` of device arrays. Only what the caller hands over from the host is copied."""

    def __init__(self, settings: VectorSettings) -> None:
        self.settings = settings
        self.size = settings.size
        self._loops: Any = compiled_with(episode=settings.episode).load("backends.cuda.vector_loops")
        made = {
            name: self._filled(shape, kind, first)
            for name, (shape, kind, first) in shapes(settings, self._loops.WIDTH).items()
        }
        start = settings.start
        plan, opening = (cuda.to_device(np.array(numbers, np.int64)) for numbers in (start.plan, start.words))
        limit, zero_sum = np.int64(settings.limit), np.int64(settings.zero_sum)
        # The rule table is a tuple: an argument by value, which the device reads without a load.
        self.arrays = Games(
            start.rules, plan, opening, self._new_states(), **made, masks=None, limit=limit, zero_sum=zero_sum
        )
        nothing = self._filled((1,), np.uint8)
        rows = {
            name: array.array.reshape(array.array.size) if array.array.size else nothing.array
            for name, array in made.items()
        }
        # Masks have kernels of their own, which take them as words.
        self._games = self.arrays._replace(states=self.arrays.states.array, masks=nothing.array, **rows)
        self.add_masks(settings.masks)
        self._views: DeviceArray | None = None

    def _filled(self, shape: tuple[int, ...], kind: Any, first: int = 0) -> DeviceArray:
        """Make an array on the device and fill it there. A first value other than 0 needs entries of 8 bytes."""
        size = int(np.prod(shape))
        if size == 0:
            return DeviceArray(cuda.device_array(shape, kind))
        words = cuda.device_array(-(-size * np.dtype(kind).itemsize // 8), np.int64)
        self._fill(words, first)
        return DeviceArray(words.view(kind)[:size].reshape(*shape))

    def _fill(self, words: Any, value: int) -> None:
        self._loops.fill_all[min(FILLERS, -(-words.size // BLOCK)), BLOCK](words, np.int64(value))

    def _new_states(self) -> DeviceArray:
        """Make states, which are stored word by word."""
        return DeviceArray(self._filled((at.WORDS, self.size), np.int64).array, transposed=True)

    def add_masks(self, kind: bool | str) -> None:
        shape, entries = mask_shape(self.size, kind)
        masks = self._filled(shape, entries)
        self.arrays = self.arrays._replace(masks=masks)
        self._write, word = (self._loops.pack_all, np.uint32) if kind == BITS else (self._loops.write_all, np.uint64)
        self._mask_words = masks.flat.view(word) if kind else None
        self._mask_grid = -(-self.size // self._loops.THREADS), self._loops.THREADS

    def put(self, array: DeviceArray, values: Any) -> None:
        array.array.copy_to_device(np.ascontiguousarray(np.broadcast_to(values, array.shape), array.dtype))

    def taken(self, values: Any, what: str) -> Any:
        """Return a number for each game as a device array: the same one where it is on the device already."""
        if hasattr(values, "__cuda_array_interface__"):
            given = values.array if isinstance(values, DeviceArray) else cuda.as_cuda_array(values)
            check_numbers(given, self.size, what)
            if given.dtype == np.int64:
                return given
            values = given.copy_to_host()
        return cuda.to_device(whole_numbers(values, self.size, what))

    def open(self, numbers: Any, seed: int) -> None:
        self._run(self._loops.open_all, numbers, np.int64(seed))

    def step(self, actions: Any, *, look: bool = True) -> None:
        self._run(self._loops.step_all, actions)
        if look:
            self.look()

    def look(self) -> None:
        if self._mask_words is not None:
            self._write[self._mask_grid](self._games, self._mask_words)
        if self.settings.observations:
            self._fill(self._games.observations.view(np.int64), 0)
            self._run(self._loops.observe_all)

    def sample(self) -> Any:
        actions = cuda.device_array(self.size, np.int64)
        self._run(self._loops.sample_all, actions)
        return DeviceArray(actions)

    def first_illegal(self, actions: Any) -> int:
        self._run(self._loops.check_all, actions)
        illegal = self.arrays.ended.copy_to_host()
        return int(illegal.argmax()) if illegal.any() else -1

    def views(self, seats: Any) -> DeviceArray:
        if self._views is None:
            self._views = self._new_states()
        self._run(self._loops.view_all, seats, self._views)
        return self._views

    def _run(self, loop: Any, *given: Any) -> None:
        """Launch a kernel with a thread for each game."""
        loop[-(-self.size // BLOCK), BLOCK](self._games, *(raw(array) for array in given))


def raw(array: Any) -> Any:
    """Return the device array of the compiler's own kind, without a copy."""
    return array.array if isinstance(array, DeviceArray) else array
