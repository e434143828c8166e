"""Positions that can follow a position, as a graph of numbered states with bounds on their values.

A bound is what the first seat wins: ``low`` at least, ``high`` at most. Of a state that was not looked at yet they are
0 and 1. Updating moves them towards one another, and they are true at any time.
"""

from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from cartagena.backends.cpu import expand
from cartagena.backends.portable.generator import state_key
from cartagena.errors import TooMuchWork
from cartagena.game import Position
from cartagena.kernel import layout as at

CHANCE: Final = -1
"""Stands for a seat where a card is due or the game is over."""
WAYS: Final = {0: np.maximum, 1: np.minimum, CHANCE: np.add}
"""How the value of a state follows from the values of its successors, by the seat that chooses there."""
CLOSE: Final = 1e-9
"""Values that differ by less than this are equal."""
STILL: Final = 1e-13
"""The largest change after which updating ends."""
SPACE: Final = 1 << 16
"""States that there is space for at first."""
T = TypeVar("T", bound=np.generic)
Integers: TypeAlias = NDArray[np.int64]
Reals: TypeAlias = NDArray[np.float64]
Truths: TypeAlias = NDArray[np.bool_]


class Index:
    """States by number. A state is found by its key; its words tell two states of one key apart."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.states = np.zeros((SPACE, at.WORDS), np.int64)
        self.keys = np.zeros(0, np.uint64)
        self.numbers = np.zeros(0, np.int64)

    def __len__(self) -> int:
        return len(self.keys)

    def add(self, states: Integers, keys: NDArray[np.uint64]) -> tuple[Integers, Integers]:
        """The numbers of states, and which of the states are the first of a new number, in the order of numbers."""
        distinct, firsts, inverse = np.unique(keys, return_index=True, return_inverse=True)
        spots = np.searchsorted(self.keys, distinct)
        known = spots < len(self)
        known[known] = self.keys[spots[known]] == distinct[known]
        new = np.sort(firsts[~known])
        if len(self) + len(new) > self.most:
            raise TooMuchWork(f"more than {self.most} positions are needed; choose a smaller game or a later position")
        numbers = np.zeros(len(distinct), np.int64)
        numbers[known] = self.numbers[spots[known]]
        numbers[~known] = len(self) + np.searchsorted(new, firsts[~known])
        if len(self) + len(new) > len(self.states):
            self.states = doubled(self.states, len(self) + len(new))
        self.states[len(self) : len(self) + len(new)] = states[new]
        self.numbers = np.insert(self.numbers, spots[~known], numbers[~known])
        self.keys = np.insert(self.keys, spots[~known], distinct[~known])
        given = numbers[inverse]
        if not np.array_equal(self.states[given], states):  # about once in a million large games
            raise TooMuchWork("two positions have the same key; start from another position")
        return given, new

    def find(self, position: Position) -> int | None:
        """The number of a position, or None."""
        key = np.uint64(state_key(position.state()))
        slot = int(np.searchsorted(self.keys, key))
        if slot == len(self) or self.keys[slot] != key:
            return None
        number = int(self.numbers[slot])
        return number if np.array_equal(self.states[number], position.words) else None


@dataclass(frozen=True)
class Group:
    """Some states in which the same seat, or chance, decides, with their moves one after the other.

    ``begins`` says where the moves of each state begin in ``children`` and ``actions``. ``shares`` are the
    probabilities of dealt cards, and 1 for other moves.
    """

    mover: int
    numbers: Integers
    sizes: Integers
    begins: Integers
    children: Integers
    actions: Integers
    shares: Reals

    def update(self, values: Reals) -> float:
        """Value the states by their successors, and return the largest change."""
        new = WAYS[self.mover].reduceat(values[self.children] * self.shares, self.begins)
        change = float(np.abs(new - values[self.numbers]).max())
        values[self.numbers] = new
        return change

    def spread(self, of_states: NDArray[T]) -> NDArray[T]:
        """Repeat an array over the states for each of their moves."""
        return np.repeat(of_states, self.sizes)

    def hopeful(self, low: Reals, high: Reals) -> Truths:
        """A mask of the moves with the best optimistic bound for the seat. Chance moves are all included."""
        if self.mover == CHANCE:
            return np.ones(len(self.children), np.bool_)
        hope = high[self.children] if self.mover == 0 else -low[self.children]
        return hope >= self.spread(np.maximum.reduceat(hope, self.begins))

    def open_moves(self, low: Reals, high: Reals) -> Truths:
        """A mask of the moves that may still turn out to be best. Chance moves are all included."""
        if self.mover == CHANCE:
            return np.ones(len(self.children), np.bool_)
        if self.mover == 0:
            return high[self.children] > self.spread(low[self.numbers]) + CLOSE
        return low[self.children] < self.spread(high[self.numbers]) - CLOSE


class Graph:
    """The states that were found so far; ``low`` and ``high`` are their bounds."""

    def __init__(self, start: Position, most: int) -> None:
        self.table = start.table
        self.index = Index(most)
        self.low, self.high = np.zeros(SPACE), np.ones(SPACE)
        self.movers = np.zeros(SPACE, np.int8)
        self.is_leaf = np.ones(SPACE, np.bool_)
        self.groups: list[Group] = []
        self.rows: dict[int, tuple[Group, int]] = {}
        self.placed = 0
        key = np.array([state_key(start.state())], np.uint64)
        self.add(np.array([start.words]), key, np.array([start.turn - 1]), np.array([start.words[at.OVER]]))

    def __len__(self) -> int:
        return len(self.index)

    def add(self, states: Integers, keys: NDArray[np.uint64], movers: Integers, results: Integers) -> Integers:
        """The numbers of states. New ones get bounds, which meet where the game is over."""
        before = len(self)
        numbers, new = self.index.add(states, keys)
        if len(self) > len(self.low):
            self.low, self.high = doubled(self.low, len(self)), doubled(self.high, len(self))
            self.movers, self.is_leaf = doubled(self.movers, len(self)), doubled(self.is_leaf, len(self))
        span = slice(before, len(self))
        ended = results[new] != 0
        won = np.select([results[new] == 1, results[new] == at.DEADLOCK], [1.0, 0.5], 0.0)
        self.low[span], self.high[span] = np.where(ended, won, 0.0), np.where(ended, won, 1.0)
        self.movers[span], self.is_leaf[span] = movers[new], ~ended
        return numbers

    def grow(self, leaves: Integers) -> None:
        """Look at the moves of states that were not looked at yet."""
        parts = []
        for part in expand(self.table, self.index.states[leaves]):
            numbers = self.add(part.states, part.keys, part.choosers, part.results)
            parts.append((part.origins, numbers, part.actions, part.weights))
        origins, children, actions, weights = (np.concatenate(column) for column in zip(*parts, strict=True))
        self.is_leaf[leaves] = False
        sizes = np.bincount(origins, minlength=len(leaves))
        for mover in WAYS:
            rows = self.movers[leaves] == mover
            if rows.any():
                moves = np.repeat(rows, sizes)
                begins = np.cumsum(sizes[rows]) - sizes[rows]
                shares = shares_of(weights[moves], begins, sizes[rows])
                group = Group(mover, leaves[rows], sizes[rows], begins, children[moves], actions[moves], shares)
                self.groups.append(group)

    def moves(self, number: int) -> list[tuple[int, int]]:
        """The action and the successor of every move of a state that was looked at."""
        for group in self.groups[self.placed :]:
            self.rows.update({int(state): (group, row) for row, state in enumerate(group.numbers)})
        self.placed = len(self.groups)
        group, row = self.rows[number]
        span = slice(group.begins[row], group.begins[row] + group.sizes[row])
        return list(zip(group.actions[span].tolist(), group.children[span].tolist(), strict=True))

    def update(self, rounds: int) -> None:
        """Move the bounds towards one another, the states found last first, until nothing changes."""
        for _ in range(rounds):
            changes = [max(group.update(self.low), group.update(self.high)) for group in reversed(self.groups)]
            if max(changes, default=0.0) < STILL:
                return

    def gap(self, numbers: Integers | int) -> Any:
        """How far the bounds of states are apart."""
        return self.high[numbers] - self.low[numbers]

    def leaves(self, root: int, *, hopeful: bool) -> Integers:
        """The leaves that the value of the root depends on: by hopeful moves only, or by all open ones."""
        wanted = np.zeros(len(self), np.bool_)
        wanted[root] = True
        count = 0
        while (now := int(wanted.sum())) != count:
            count = now
            for group in self.groups:
                rows = wanted[group.numbers] & (self.gap(group.numbers) > CLOSE)
                if rows.any():
                    moves = group.hopeful(self.low, self.high) if hopeful else group.open_moves(self.low, self.high)
                    children = group.children[moves & group.spread(rows)]
                    wanted[children[self.gap(children) > CLOSE]] = True
        return np.flatnonzero(wanted & self.is_leaf[: len(self)])


def doubled(array: NDArray[T], least: int) -> NDArray[T]:
    """A copy of an array with zeros behind it: twice as long, or more where that is not enough."""
    size = max(2 * len(array), least)
    return np.concatenate([array, np.zeros((size - len(array), *array.shape[1:]), array.dtype)])


def shares_of(weights: Integers, begins: Integers, sizes: Integers) -> Reals:
    """The probability of each card that may come, and 1 for moves that have no weight."""
    sums = np.repeat(np.add.reduceat(weights, begins), sizes)
    return np.where(sums > 0, weights / np.maximum(sums, 1), 1.0)
