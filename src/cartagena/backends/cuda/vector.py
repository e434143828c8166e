"""A batch of states on a CUDA device."""

from typing import Any

import numpy as np
from numba import cuda

from cartagena.backends.openings import Start

from .arrays import DeviceArray
from .loader import compiled_with

CLEARING = (4096, 128)
"""Blocks and threads that make an array 0."""


class Engine:
    """The rules for arrays of states; nothing is copied but what the caller hands over from the host."""

    def __init__(self, start: Start, seed: int) -> None:
        self.many = compiled_with().load("backends.cuda.vector_loops")
        self.block: int = self.many.BLOCK
        self.table = start.table
        self.plan = cuda.to_device(np.array(start.plan, np.int64))
        self.opening = cuda.to_device(np.array(start.words, np.int64))
        self.seed = np.int64(seed)

    def array(self, shape: tuple[int, ...], kind: type[np.generic]) -> DeviceArray:
        """A new array of zeros."""
        return DeviceArray(cuda.to_device(np.zeros(shape, kind)))

    def on_host(self, values: object) -> Any:
        """An array from anywhere as a NumPy array."""
        if hasattr(values, "__cuda_array_interface__"):
            return cuda.as_cuda_array(values).copy_to_host()
        return np.asarray(values)

    def taken(self, values: object, size: int, what: str, kind: type[np.generic] = np.int64) -> Any:
        """What a caller gave as a device array of that size: as it is where it lies on the device already."""
        if hasattr(values, "__cuda_array_interface__"):
            given = cuda.as_cuda_array(values)
            if given.shape == (size,) and given.dtype == kind:
                return given
            values = given.copy_to_host()
        host = np.asarray(values)
        if host.shape != (size,) or host.dtype.kind not in "iub":
            raise ValueError(f"{what} must be {size} whole numbers, not an array of {host.dtype} shaped {host.shape}.")
        return cuda.to_device(np.ascontiguousarray(host, kind))

    def deal(self, states: Any, keys: Any, numbers: Any) -> None:
        """Start the games that have a number."""
        given = (self.table, self.plan, self.opening, raw(states), raw(keys), raw(numbers), self.seed)
        self.many.deal_all[self._grid(states), self.block](*given)

    def first_illegal(self, states: Any, actions: Any) -> int:
        """The first game whose action is not legal, or -1."""
        size = states.shape[0]
        found = cuda.to_device(np.array([size], np.int64))
        self.many.first_illegal[self._grid(states), self.block](self.table, raw(states), raw(actions), found)
        game = int(found.copy_to_host()[0])
        return -1 if game == size else game

    def step(self, states: Any, actions: Any, keys: Any, deals: bool) -> None:
        """Play an action in each game."""
        self.many.step_all[self._grid(states), self.block](self.table, raw(states), raw(actions), raw(keys), deals)

    def legal(self, states: Any, masks: Any) -> None:
        """Write the masks of legal actions."""
        marks = raw(masks)
        self.many.clear_all[CLEARING](marks.reshape(marks.size).view(np.int64))  # a row has a multiple of eight marks
        self.many.legal_all[self._grid(states), self.block](self.table, raw(states), marks)

    def choose(self, states: Any, keys: Any, actions: Any) -> None:
        """Write an action drawn from the legal ones of each game."""
        self.many.choose_all[self._grid(states), self.block](self.table, raw(states), raw(keys), raw(actions))

    def view(self, states: Any, seats: Any, views: Any) -> None:
        """Write what a seat of each game may see."""
        self.many.view_all[self._grid(states), self.block](self.table, raw(states), raw(seats), raw(views))

    def choosers(self, states: Any, seats: Any) -> None:
        """Write the seat that must choose in each game."""
        self.many.choosers[self._grid(states), self.block](raw(states), raw(seats))

    def _grid(self, states: Any) -> int:
        size: int = states.shape[0]
        return (size + self.block - 1) // self.block


def raw(array: Any) -> Any:
    """The device array of the compiler's own kind, without a copy."""
    if isinstance(array, DeviceArray):
        return array.array
    return cuda.as_cuda_array(array)
