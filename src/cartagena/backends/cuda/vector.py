"""The vector engine on a CUDA device: every array is made there and stays there."""

from typing import Final

import numpy as np
from numba import cuda
from numpy.typing import ArrayLike

from cartagena.backends.arrays import (
    BITS,
    BackendArray,
    VectorSettings,
    check_numbers,
    mask_shape,
    shapes,
    whole_numbers,
)
from cartagena.backends.portable.games import Games
from cartagena.kernel import layout as at

from . import compiled_with
from .arrays import DeviceArray, RawArray
from .compiler import Kernel

BLOCK: Final = 128
"""Threads of a block."""
FILLERS: Final = 4096
"""Blocks that fill an array, unless fewer are enough."""


class CudaEngine:
    """A ``VectorEngine`` of device arrays. Only what the caller hands over from the host is copied."""

    def __init__(self, settings: VectorSettings) -> None:
        self.settings = settings
        self.size = settings.size
        self._loops = compiled_with(episode=settings.episode).load("backends.cuda.vector_loops")
        self._columns = {
            name: self._filled(shape, kind, first)
            for name, (shape, kind, first) in shapes(settings, self._loops.WIDTH).items()
        }
        start = settings.start
        plan, opening = (cuda.to_device(np.array(numbers, np.int64)) for numbers in (start.plan, start.words))
        limit, zero_sum = np.int64(settings.limit), np.int64(settings.zero_sum)
        # The rule table is a tuple: an argument by value, which the device reads without a load.
        states, nothing = self._new_states(), self._filled((1,), np.uint8).array
        self.arrays = Games._make((start.rules, plan, opening, states, *self._columns.values(), None, limit, zero_sum))
        flat = (array.flat if array.array.size else nothing for array in self._columns.values())
        # Masks have kernels of their own, which take them as words.
        self._games = Games._make((start.rules, plan, opening, states.array, *flat, nothing, limit, zero_sum))
        self.add_masks(settings.masks)
        self._views: DeviceArray | None = None

    def _filled(self, shape: tuple[int, ...], kind: type[np.generic], first: int = 0) -> DeviceArray:
        """Make an array on the device and fill it there. A first value other than 0 needs entries of 8 bytes."""
        size = int(np.prod(shape))
        if size == 0:
            return DeviceArray(cuda.device_array(shape, kind))
        words = cuda.device_array(-(-size * np.dtype(kind).itemsize // 8), np.int64)
        self._fill(words, first)
        return DeviceArray(words.view(kind)[:size].reshape(*shape))

    def _fill(self, words: RawArray, value: int) -> None:
        self._loops.fill_all[min(FILLERS, -(-words.size // BLOCK)), BLOCK](words, np.int64(value))

    def _new_states(self) -> DeviceArray:
        """Make states, which are stored word by word."""
        return DeviceArray(self._filled((at.WORDS, self.size), np.int64).array, transposed=True)

    def add_masks(self, kind: bool | str) -> None:
        shape, entries = mask_shape(self.size, kind)
        masks = self._filled(shape, entries)
        *columns, _, limit, zero_sum = self.arrays
        self.arrays = Games._make((*columns, masks, limit, zero_sum))
        self._write, word = (self._loops.pack_all, np.uint32) if kind == BITS else (self._loops.write_all, np.uint64)
        self._mask_words = masks.flat.view(word) if kind else None
        self._mask_grid = -(-self.size // self._loops.THREADS), self._loops.THREADS

    def put(self, name: str, values: ArrayLike) -> None:
        array = self._columns[name]
        array.array.copy_to_device(np.ascontiguousarray(np.broadcast_to(values, array.shape), array.dtype))

    def taken(self, values: object, what: str) -> RawArray:
        """Return a number for each game as a device array: the same one where it is on the device already."""
        if hasattr(values, "__cuda_array_interface__"):
            given: RawArray = values.array if isinstance(values, DeviceArray) else cuda.as_cuda_array(values)
            check_numbers(given, self.size, what)
            if given.dtype == np.int64:
                return given
            values = given.copy_to_host()
        copied: RawArray = cuda.to_device(whole_numbers(values, self.size, what))
        return copied

    def open(self, numbers: BackendArray, seed: int) -> None:
        self._run(self._loops.open_all, numbers, np.int64(seed))

    def step(self, actions: BackendArray, *, observe: bool = True) -> None:
        self._run(self._loops.step_all, actions)
        if observe:
            self.observe()

    def observe(self) -> None:
        if self._mask_words is not None:
            self._write[self._mask_grid](self._games, self._mask_words)
        if self.settings.observations:
            self._fill(self._columns["observations"].flat.view(np.int64), 0)
            self._run(self._loops.observe_all)

    def sample(self) -> DeviceArray:
        actions = cuda.device_array(self.size, np.int64)
        self._run(self._loops.sample_all, actions)
        return DeviceArray(actions)

    def first_illegal(self, actions: BackendArray) -> int:
        self._run(self._loops.check_all, actions)
        illegal = self._columns["ended"].copy_to_host()
        return int(illegal.argmax()) if illegal.any() else -1

    def views(self, seats: BackendArray) -> DeviceArray:
        if self._views is None:
            self._views = self._new_states()
        self._run(self._loops.view_all, seats, self._views)
        return self._views

    def _run(self, loop: Kernel, *given: object) -> None:
        """Launch a kernel with a thread for each game."""
        loop[-(-self.size // BLOCK), BLOCK](self._games, *(raw(array) for array in given))


def raw(array: object) -> object:
    """Return the device array of the compiler's own kind, without a copy."""
    return array.array if isinstance(array, DeviceArray) else array
