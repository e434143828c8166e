"""Many games side by side as one array of states: the base of vector environments."""

from typing import Any, Final

import numpy as np

from cartagena.errors import BackendError
from cartagena.kernel import layout as at

from .openings import Source, start_of
from .rollouts import checked_backend, checked_number

CHANCES: Final = ("drawn", "given")


class Batch:
    """``size`` games that are stepped together by an array of actions.

    ``states`` is one int64 array of shape (size, ``layout.WORDS``), in the processor's memory (a NumPy array) or on
    a CUDA device (a device array with ``__cuda_array_interface__`` and ``__dlpack__``, which PyTorch, JAX and CuPy take
    without a copy). ``numbers`` says which game of the seed each one is.

    With ``chance="drawn"`` due cards are dealt at once from the same generator as in ``rollouts``, so that
    game number i of a seed gets the same cards here and there. With ``chance="given"`` the caller plays them as
    actions (``layout.DEAL`` + card).

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
        chance: str = "drawn",
    ) -> None:
        self.size = checked_number("size", size, 1, 2**31 - 1)
        self.start = start_of(position, seats)
        self.backend = checked_backend(backend)
        if self.backend == "plain":
            raise BackendError("a batch lives on the backend cpu or cuda; plain Python steps one state at a time.")
        if chance not in CHANCES:
            raise BackendError(f"chance must be drawn or given, not {chance!r}.")
        self.deals = chance == "drawn"
        self._engine = make_engine(self.backend, self.start, checked_number("seed", seed, 0, 2**63 - 1), threads)
        self.states = self._engine.array((self.size, at.WORDS), np.int64)
        self.keys = self._engine.array((self.size,), np.uint64)
        self.numbers = np.arange(self.size, dtype=np.int64)
        self._deal(np.ones(self.size, np.bool_))

    @property
    def table(self) -> tuple[int, ...]:
        return self.start.table

    @property
    def seats(self) -> int:
        return self.start.seats

    def step(self, actions: object, *, check: bool = True) -> None:
        """Play one action in each game, in place; -1 leaves a game as it is.

        An action that is not legal raises BackendError and nothing is played; ``check=False`` leaves the look out, and
        then an illegal action makes nonsense of its game.
        """
        chosen = self._taken(actions, "actions")
        if check:
            game = self._engine.first_illegal(self.states, chosen)
            if game >= 0:
                raise BackendError(f"action {int(chosen[game])} is not legal in game {game}; nothing was played.")
        self._engine.step(self.states, chosen, self.keys, self.deals)

    def legal(self, out: Any = None) -> Any:
        """The legal actions as a uint8 array of shape (size, ``layout.ACTIONS``): 1 where legal."""
        masks = self._engine.array((self.size, at.ACTIONS), np.uint8) if out is None else out
        self._engine.legal(self.states, masks)
        return masks

    def sample(self) -> Any:
        """A legal action of each game, each as likely as any other; -1 where nobody must choose.

        Drawn from the games' own keys: a batch that plays what it samples plays the games of ``rollouts``.
        """
        actions = self._engine.array((self.size,), np.int64)
        self._engine.choose(self.states, self.keys, actions)
        return actions

    def choosers(self) -> Any:
        """The seat (from 0) that must choose in each game, -1 where a card is due or the game is over."""
        seats = self._engine.array((self.size,), np.int64)
        self._engine.choosers(self.states, seats)
        return seats

    def views(self, seats: object = None, out: Any = None) -> Any:
        """What one seat (from 0; -1: nobody's) of each game may see, as states; by default the one that must choose."""
        chosen = self.choosers() if seats is None else self._taken(seats, "seats")
        views = self._engine.array((self.size, at.WORDS), np.int64) if out is None else out
        self._engine.view(self.states, chosen, views)
        return views

    def reset(self, which: object) -> None:
        """Start the games marked by an array of ``size`` truths anew, each as the next game that no other one is."""
        try:
            marked = np.ascontiguousarray(self._engine.on_host(which))
        except (TypeError, ValueError) as error:
            raise BackendError(f"which must be {self.size} truths: {error}") from None
        if marked.shape != (self.size,) or marked.dtype.kind not in "biu":
            raise BackendError(
                f"which must be {self.size} truths, not an array of {marked.dtype} shaped {marked.shape}."
            )
        marked = marked.astype(np.bool_)
        self.numbers[marked] += self.size
        self._deal(marked)

    def _deal(self, marked: Any) -> None:
        numbers = np.where(marked, self.numbers, -1)
        self._engine.deal(self.states, self.keys, self._engine.taken(numbers, self.size, "numbers"))

    def _taken(self, values: object, what: str) -> Any:
        try:
            return self._engine.taken(values, self.size, what)
        except (TypeError, ValueError) as error:
            raise BackendError(str(error)) from None


def make_engine(backend: str, start: Any, seed: int, threads: int | None) -> Any:
    """What runs the rules on the arrays of that backend."""
    if backend == "cuda":
        from .cuda.vector import Engine as DeviceEngine

        return DeviceEngine(start, seed)
    from .cpu.threads import cores
    from .cpu.vector import Engine

    return Engine(start, seed, cores() if threads is None else checked_number("threads", threads, 1, 1024))
