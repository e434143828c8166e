"""A batch of states in the processor's memory: NumPy arrays, worked on by threads."""

from collections.abc import Callable
from typing import Any

import numpy as np

from cartagena.backends.openings import Start
from cartagena.kernel import layout as at

from .loader import compiled
from .threads import shared_out

SMALL = 4096
"""Games that one thread steps before a second one is worth starting."""


class Engine:
    """The rules for arrays of states."""

    def __init__(self, start: Start, seed: int, threads: int) -> None:
        self.many = compiled.load("backends.cpu.vector_loops")
        self.table, self.opening, self.plan = (
            np.array(numbers, np.int64) for numbers in (start.table, start.words, start.plan)
        )
        self.seed = np.uint64(seed)
        self.threads = threads

    def array(self, shape: tuple[int, ...], kind: type[np.generic]) -> Any:
        """A new array of zeros."""
        return np.zeros(shape, kind)

    def on_host(self, values: object) -> Any:
        """An array from anywhere as a NumPy array."""
        return np.asarray(values)

    def taken(self, values: object, size: int, what: str, kind: type[np.generic] = np.int64) -> Any:
        """What a caller gave as an array of that size."""
        given = np.asarray(values)
        if given.shape != (size,) or given.dtype.kind not in "iub":
            raise ValueError(
                f"{what} must be {size} whole numbers, not an array of {given.dtype} shaped {given.shape}."
            )
        return np.ascontiguousarray(given, kind)

    def deal(self, states: Any, keys: Any, numbers: Any) -> None:
        """Start the games that have a number."""
        deal_all = self.many.deal_all
        fixed = (self.table, self.opening, self.plan, states, keys, numbers, self.seed)
        self._spread(len(states), lambda first, last: deal_all(*fixed, first, last))

    def first_illegal(self, states: Any, actions: Any) -> int:
        """The first game whose action is not legal, or -1."""
        check = self.many.first_illegal
        found = self._spread(len(states), lambda first, last: check(self.table, states, actions, first, last))
        return min((int(game) for game in found if game >= 0), default=-1)

    def step(self, states: Any, actions: Any, keys: Any, deals: bool) -> None:
        """Play an action in each game."""
        step_all = self.many.step_all
        self._spread(len(states), lambda first, last: step_all(self.table, states, actions, keys, deals, first, last))

    def legal(self, states: Any, masks: Any) -> None:
        """Write the masks of legal actions."""
        legal_all = self.many.legal_all

        def part(first: int, last: int) -> None:
            legal_all(self.table, states, masks, np.empty(at.MAX_LEGAL, np.int64), first, last)

        self._spread(len(states), part)

    def choose(self, states: Any, keys: Any, actions: Any) -> None:
        """Write an action drawn from the legal ones of each game."""
        choose_all = self.many.choose_all
        self._spread(len(states), lambda first, last: choose_all(self.table, states, keys, actions, first, last))

    def view(self, states: Any, seats: Any, views: Any) -> None:
        """Write what a seat of each game may see."""
        view_all = self.many.view_all
        self._spread(len(states), lambda first, last: view_all(self.table, states, seats, views, first, last))

    def choosers(self, states: Any, seats: Any) -> None:
        """Write the seat that must choose in each game."""
        self.many.choosers(states, seats, 0, len(states))

    def _spread(self, size: int, work: Callable[[int, int], Any]) -> list[Any]:
        return shared_out(work, 0, size, max(1, min(self.threads, size // SMALL)))
