"""Many games side by side: the vector engine, one for every backend, and ``Batch``, its friendly face.

A vector engine holds the arrays of many games and does the same to all of them at once. What a step does is compiled
into it: ``portable.episode`` plays an action; ``rl.compiled.episode`` also gives rewards and begins new games.
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cartagena.errors import BackendError, of_kind

from .arguments import checked_number, cores
from .arrays import BackendArray, IntArray, VectorSettings
from .openings import Source, start_of
from .portable.games import Games
from .rollouts import checked_backend


class VectorEngine(Protocol):
    """Many games on one backend.

    ``arrays`` are NumPy arrays, or device arrays that other libraries take without a copy; every step writes them.
    """

    arrays: Games

    def add_masks(self, kind: bool | str) -> None:
        """Make masks, as ``VectorSettings.masks`` says."""

    def put(self, name: str, values: ArrayLike) -> None:
        """Write values into the array of that name."""

    def taken(self, values: object, what: str) -> BackendArray:
        """Return a number for each game as an array of the backend. Raises BackendError if they are not that."""

    def open(self, numbers: BackendArray, seed: int) -> None:
        """Start the games that have a number from 0, each as that game of the seed."""

    def step(self, actions: BackendArray, *, observe: bool = True) -> None:
        """Advance every game by an action, then observe it unless that is not wanted."""

    def observe(self) -> None:
        """Write the observations and masks that the settings ask for."""

    def sample(self) -> BackendArray:
        """Choose an action for every game by the policy."""

    def first_illegal(self, actions: BackendArray) -> int:
        """Return the first game whose action is not legal, or -1."""

    def views(self, seats: BackendArray) -> BackendArray:
        """Return what a seat of each game may see, as states."""


def make_engine(backend: str, settings: VectorSettings) -> VectorEngine:
    """Return a vector engine on the backend cpu or cuda."""
    if checked_backend(backend) == "cuda":
        from .cuda.vector import CudaEngine

        return CudaEngine(settings)
    from .cpu.vector import CpuEngine

    try:
        return CpuEngine(settings)
    except MemoryError:
        raise BackendError(f"there is not enough memory for {settings.size} games at a time.") from None


class Batch:
    """``size`` games that are stepped together by an array of actions.

    ``states`` is one int64 array of shape (size, ``layout.WORDS``), in the processor's memory (a NumPy array) or on
    a CUDA device (a device array with ``__cuda_array_interface__`` and ``__dlpack__``, which PyTorch, JAX and CuPy take
    without a copy). ``numbers`` says which game of the seed each one is.

    Due cards are dealt at once from the same generator as in ``rollouts``, so that game number i of a seed gets the
    same cards here and there. Arrays that a batch returns are its own and are written again by the next call.

    >>> from cartagena.backends import Batch
    >>> batch = Batch("jamaica-en", 3, seed=1)
    >>> batch.step(batch.legal().argmax(axis=1))
    >>> batch.states.shape == (3, 48)
    True
    """

    def __init__(
        self,
        position: Source,
        size: int,
        seed: int = 0,
        backend: str = "cpu",
        threads: int | None = None,
        *,
        seats: int | None = None,
    ) -> None:
        self.size = checked_number("size", size, 1, 2**31 - 1)
        self.start = start_of(position, seats)
        self.backend = checked_backend(backend)
        if self.backend == "plain":
            raise BackendError("a batch needs the backend cpu or cuda; plain Python steps one state at a time.")
        self.seed = checked_number("seed", seed, 0, 2**63 - 1)
        self._threads = checked_threads(threads)
        settings = VectorSettings(self.start, self.size, threads=self._threads)
        self._engine = make_engine(self.backend, settings)
        self.numbers = np.arange(self.size, dtype=np.int64)
        self._open(np.ones(self.size, np.bool_))

    def __getstate__(self) -> dict[str, Any]:
        """The games as plain arrays: memory of the engine cannot travel."""
        if self.backend != "cpu":
            raise BackendError("a batch on a device cannot be copied or pickled; use the backend cpu.")
        arrays = {name: part.copy() for name, part in self._engine.arrays._asdict().items() if hasattr(part, "copy")}
        return {**self.__dict__, "_engine": (self._threads, arrays)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        threads, arrays = state.pop("_engine")
        self.__dict__.update(state)
        self._engine = make_engine("cpu", VectorSettings(self.start, self.size, threads=threads))
        if len(arrays["masks"]):
            self._engine.add_masks(True)
        for name, part in arrays.items():
            getattr(self._engine.arrays, name)[...] = part

    @property
    def table(self) -> tuple[int, ...]:
        """The numbers that the rule set compiles to."""
        return self.start.rules

    @property
    def seats(self) -> int:
        """How many seats every game has."""
        return self.start.seats

    @property
    def states(self) -> Any:
        """The states, a row for each game."""
        return self._engine.arrays.states

    @property
    def keys(self) -> Any:
        """The key of the last draw of each game (see ``portable.generator``)."""
        return self._engine.arrays.keys

    def choosers(self) -> Any:
        """Return the seat (from 0) that must choose in each game, -1 where the game is over."""
        return self._engine.arrays.viewers

    def step(self, actions: object, *, check: bool = True) -> None:
        """Play one action in each game, in place. -1 leaves a game as it is.

        An action that is not legal raises BackendError, and nothing is played. With ``check=False`` legality is not
        tested, and an illegal action corrupts its game.
        """
        chosen = self._engine.taken(actions, "actions")
        if of_kind(BackendError, "check", check, bool):
            game = self._engine.first_illegal(chosen)
            if game >= 0:
                action = int(host(chosen)[game])
                raise BackendError(f"action {action} is not legal in game {game}; nothing was played.")
        self._engine.step(chosen, observe=False)

    def legal(self) -> Any:
        """Return the legal actions as an int8 array of shape (size, ``layout.ACTIONS``): 1 where legal."""
        if not self._engine.arrays.masks.shape[0]:
            self._engine.add_masks(True)
        self._engine.observe()
        return self._engine.arrays.masks

    def sample(self) -> Any:
        """Return a legal action of each game, each as likely as any other, or -1 where no seat must choose.

        The draws come from the games' own keys: a batch that plays what it samples plays the games of ``rollouts``.
        """
        return self._engine.sample()

    def views(self, seats: object = None) -> Any:
        """Return what one seat (from 0, or -1 for a spectator) of each game may know, as states.

        By default it is the seat that must choose. Raises BackendError for a seat that does not exist.
        """
        if seats is None:
            return self._engine.views(self._engine.arrays.viewers)
        chosen = self._engine.taken(seats, "seats")
        for seat in (host(chosen).min(), host(chosen).max()):
            if not -1 <= seat < self.seats:
                raise BackendError(f"seats must be from 0 to {self.seats - 1}, or -1 for a spectator, not {seat}.")
        return self._engine.views(chosen)

    def reset(self, which: object) -> None:
        """Start the games marked by an array of ``size`` truth values anew, each as the next unused game."""
        marked = host(self._engine.taken(which, "which")) != 0
        self.numbers[marked] += self.size
        self._open(marked)

    def _open(self, marked: NDArray[np.bool_]) -> None:
        """Start the marked games as the games of the seed that their numbers say."""
        numbers = np.where(marked, self.numbers, -1)
        self._engine.open(self._engine.taken(numbers, "numbers"), self.seed)


def host(array: BackendArray) -> IntArray:
    """Return whole numbers in an array of any backend as a NumPy array."""
    return np.asarray(array.copy_to_host() if hasattr(array, "copy_to_host") else array)


def checked_threads(threads: int | None) -> int:
    """Return a number of threads. None means all cores."""
    if threads is not None:
        return checked_number("threads", threads, 1, 1024)
    return cores()
