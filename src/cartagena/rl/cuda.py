"""The tables of an environment on a CUDA device: the same as ``tables``, with all arrays on the device.

What comes back are device arrays that PyTorch, JAX and CuPy take without a copy, by DLPack or
``__cuda_array_interface__``. Actions may come from the device or from the host.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numba import cuda
from numpy.typing import NDArray

from cartagena.backends.cuda.arrays import DeviceArray
from cartagena.backends.cuda.loader import compiled_with
from cartagena.game import CartagenaError, Position
from cartagena.kernel import layout as at

from .spaces import observation
from .tables import BITS, ENDED, PACKED_SIZE, Settings, board_text, fixed_board_words, laid_plan

BLOCK: Final = 128
"""Threads of a block."""
CLEARERS: Final = 4096
"""Blocks that clear an array, unless fewer are enough."""


def on_device(shape: Any, kind: Any, fill: int = 0) -> DeviceArray:
    """A new array on the device, perhaps an empty one."""
    if not np.prod(shape):
        return DeviceArray(cuda.device_array(shape, kind))
    return DeviceArray(cuda.to_device(np.full(shape, fill, dtype=kind)))


class CudaTables:
    """So many tables of one rule set on a device."""

    def __init__(
        self,
        settings: Settings,
        number: int,
        *,
        observations: bool = True,
        masks: bool | str = True,
    ) -> None:
        self.settings = settings
        self.number = number
        self._code: Any = compiled_with().load("rl.compiled.cuda_tables")
        self._first = settings.lay(0)
        self._table = tuple(self._first.table)
        self._plan = cuda.to_device(laid_plan(settings))
        self._board = cuda.to_device(fixed_board_words(settings, self._first))
        self._states = self._cleared(at.WORDS, number, np.int64).array
        self._keys = cuda.to_device(np.zeros(number, np.uint64))
        self._turns = cuda.to_device(np.zeros(number, np.int64))
        self._learners = cuda.to_device(np.full(number, -1, np.int64))
        self.stands = on_device(number, np.int64, ENDED)
        self.viewers = on_device(number, np.int64)
        self._sitting = on_device(number, np.int64, 1)
        self.rewards = on_device((number, settings.seats), np.float32)
        self.gained = on_device(number, np.float32)
        self.ended = on_device(number, np.bool_)
        self.cut = on_device(number, np.bool_)
        self.observations = self._cleared(number if observations else 0, observation.SIZE, np.uint8)
        self._grid = -(-number // BLOCK)
        self._lay_masks(number if masks else 0, packed=masks == BITS)

    def _lay_masks(self, number: int, *, packed: bool) -> None:
        """The masks, the words they are written in and what writes them."""
        code: Any = compiled_with().load("rl.compiled.cuda_masks")
        word: Any
        self._mask_grid = -(-number // code.THREADS), code.THREADS
        if packed:
            self.masks, self._write, word = self._cleared(number, PACKED_SIZE, np.uint8), code.pack_all, np.uint32
        else:
            self.masks, self._write, word = self._cleared(number, at.ACTIONS, np.int8), code.write_all, np.uint64
        self._mask_words = self.masks.array.reshape(self.masks.array.size).view(word)

    def _cleared(self, rows: int, columns: int, kind: Any) -> DeviceArray:
        """A new array of zeros that were never on the host."""
        if rows * columns == 0:
            return DeviceArray(cuda.device_array((rows, columns), kind))
        size = rows * columns * np.dtype(kind).itemsize
        words = cuda.device_array(-(-size // 8), np.uint64)
        self._clear(words)
        return DeviceArray(words.view(kind)[: rows * columns].reshape(rows, columns))

    def _clear(self, words: Any) -> None:
        self._code.clear_all[min(CLEARERS, -(-words.size // BLOCK)), BLOCK](words)

    def seed(self, keys: NDArray[np.uint64]) -> None:
        """Where the chance of each table starts."""
        self._keys.copy_to_device(np.ascontiguousarray(keys, np.uint64))

    def seat_learners(self, seats: Sequence[int]) -> None:
        """Let a learner play only these seats, table by table in turn; at the others moves are random."""
        self._learners.copy_to_device(np.resize(np.array(seats, dtype=np.int64), self.number))

    def sitting(self) -> DeviceArray:
        """The seat to choose at each table, from 1."""
        return self._sitting

    def start(self) -> None:
        """A new game at every table."""
        self._play(self._turns, fresh=True)

    def step(self, actions: Any) -> None:
        """One choice at every table; where the game is over, a new one."""
        self._play(actions, fresh=False)

    def _play(self, actions: Any, *, fresh: bool) -> None:
        self._code.step_all[self._grid, BLOCK](
            self._table, self._plan, self._board, self._states, self._keys, self._turns, self.stands.array,
            np.int64(self.settings.turns), self._learners, self.viewers.array, self._sitting.array, fresh, actions,
            self.rewards.array, self.gained.array, self.ended.array, self.cut.array, np.int64(self.settings.zero_sum),
        )  # fmt: skip
        self._look()

    def _look(self) -> None:
        """Write masks and observations where they are wanted."""
        if self.masks.array.size:
            self._write[self._mask_grid](self._table, self._states, self.stands.array, self._mask_words)
        if self.observations.array.size:
            flat = self.observations.array.reshape(self.observations.array.size)
            self._clear(flat.view(np.uint64))
            self._code.observe_all[self._grid, BLOCK](self._table, self._states, self.viewers.array, flat)

    def sample(self) -> Any:
        """A random legal action for every table, ``end`` where the game is over, on the device."""
        actions = cuda.device_array(self.number, np.int64)
        self._code.sample_all[self._grid, BLOCK](self._table, self._states, self._keys, self.stands.array, actions)
        return actions

    def checked_actions(self, actions: Any) -> Any:
        """One whole number for each table, brought to the device where it does not lie there yet."""
        if hasattr(actions, "__cuda_array_interface__"):
            given = cuda.as_cuda_array(actions)
            if given.shape == (self.number,) and given.dtype == np.int64:
                return given
            actions = given.copy_to_host()
        chosen = np.asarray(actions)
        if chosen.shape != (self.number,) or not np.issubdtype(chosen.dtype, np.integer):
            raise CartagenaError(f"actions must be {self.number} whole numbers, one for each table.")
        return cuda.to_device(np.ascontiguousarray(chosen, dtype=np.int64))

    def position(self, number: int = 0) -> Position:
        """The position at a table, with all cards open."""
        words = self._states.copy_to_host()[:, number].tolist()
        return Position.from_kernel(self.settings.rules, board_text(self._first, words), self._first.table, words)

    def states(self) -> NDArray[np.int64]:
        """All states on the host, a row for each table."""
        return np.ascontiguousarray(self._states.copy_to_host().T)
