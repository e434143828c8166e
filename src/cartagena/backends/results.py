"""The results of many games."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cartagena.kernel import layout as at

if TYPE_CHECKING:  # NumPy is loaded by the first result: players that only draw need none
    import numpy as np
    from numpy.typing import NDArray

ENDS: Final = at.DEADLOCK + 1
"""The number of ways in which a game can end, by the state's word OVER: cut, won by a seat, deadlock."""
LENGTHS: Final = 8192
"""Lengths with an entry of their own; the last entry counts all longer games."""


@dataclass(frozen=True)
class Lengths:
    """The number of moves in a game: ``counts[n]`` games had n. The last entry counts longer games too.

    >>> from cartagena.backends import rollouts
    >>> rollouts("tortuga-en", games=2, seed=1, backend="plain").lengths.mean > 0
    True
    """

    counts: "NDArray[np.int64]"
    total: int
    games: int

    def __eq__(self, other: object) -> bool:
        """Whether as many games had each length."""
        if not isinstance(other, Lengths):
            return NotImplemented
        return (self.total, self.games) == (other.total, other.games) and bool((self.counts == other.counts).all())

    def __hash__(self) -> int:
        return hash((self.total, self.games))

    def __repr__(self) -> str:
        """One line, without the counts of every length."""
        return f"Lengths(shortest={self.shortest}, mean={self.mean:.1f}, longest={self.longest}, games={self.games})"

    @property
    def mean(self) -> float:
        """The mean number of moves."""
        return self.total / self.games

    @property
    def shortest(self) -> int:
        """The moves of the shortest game."""
        return int(self.counts.nonzero()[0][0])

    @property
    def longest(self) -> int:
        """The moves of the longest game; at most the last length with an entry of its own."""
        return int(self.counts.nonzero()[0][-1])


@dataclass(frozen=True)
class Rollouts:
    """The results of ``games`` games. ``wins[0]`` belongs to seat 1; a game cut at the turn cap has no winner.

    >>> from cartagena import rollouts
    >>> result = rollouts("tortuga-en", games=4, seed=1, backend="plain")
    >>> len(result.rates), result.lengths.shortest <= result.lengths.mean <= result.lengths.longest
    (2, True)
    >>> len(repr(result).splitlines())
    1
    """

    games: int
    wins: tuple[int, ...]
    deadlocks: int
    cut: int
    actions: int
    """Moves of all seats, including ends of turns, not dealt cards."""
    lengths: Lengths
    backend: str

    @property
    def rates(self) -> tuple[float, ...]:
        """The share of games each seat won."""
        return tuple(wins / self.games for wins in self.wins)


@dataclass
class Tally:
    """Counts while games are played: how they end, how long they are, and all moves."""

    ends: "NDArray[np.int64]"
    lengths: "NDArray[np.int64]"
    actions: int = 0

    @classmethod
    def empty(cls) -> "Tally":
        import numpy as np

        return cls(np.zeros(ENDS, np.int64), np.zeros(LENGTHS, np.int64))

    def add(self, other: "Tally") -> None:
        self.ends += other.ends
        self.lengths += other.lengths
        self.actions += other.actions

    def result(self, seats: int, backend: str) -> Rollouts:
        """Return the counts under their names."""
        games = int(self.ends.sum())
        return Rollouts(
            games=games,
            wins=tuple(int(number) for number in self.ends[1 : seats + 1]),
            deadlocks=int(self.ends[at.DEADLOCK]),
            cut=int(self.ends[0]),
            actions=self.actions,
            lengths=Lengths(self.lengths, self.actions, games),
            backend=backend,
        )
