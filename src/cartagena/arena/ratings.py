"""Statistics of results: shares with error bars, ratings, and the sequential test."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from cartagena.errors import PlayerError

from .fixture import Result

Z: Final = 1.959964
"""Standard deviations of a 95 % interval."""
ELO: Final = 400 / math.log(10)


@dataclass(frozen=True)
class Share:
    """A player's share of decided games, with its 95 % interval (Wilson).

    >>> from cartagena.arena import Share
    >>> print(Share(75, 100))
    75.0 % (65.7 to 82.5)
    """

    won: float
    played: float

    @property
    def mean(self) -> float:
        return self.won / self.played if self.played else 0.0

    def interval(self) -> tuple[float, float]:
        if not self.played:
            return (0.0, 1.0)
        square = Z * Z / self.played
        middle = (self.mean + square / 2) / (1 + square)
        spread = Z / (1 + square) * math.sqrt(self.mean * (1 - self.mean) / self.played + square / (4 * self.played))
        return (max(0.0, middle - spread), min(1.0, middle + spread))

    def __str__(self) -> str:
        low, high = self.interval()
        return f"{100 * self.mean:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def labels_of(results: Iterable[Result]) -> list[str]:
    """All players in the order of the results."""
    return list(dict.fromkeys(label for result in results for label in result.seats))


def share_of(results: Iterable[Result], label: str) -> Share:
    """A player's share of the decided games it played in. Its wins at all seats of a table count.

    >>> from cartagena.arena import Result, share_of
    >>> results = [Result(number, number, ("a", "b"), winner=1 if number else 2) for number in range(4)]
    >>> share_of(results, "a").mean
    0.75
    """
    won = played = 0.0
    for result in results:
        if result.is_decided and label in result.seats:
            shares = result.shares()
            won += sum(share for name, share in zip(result.seats, shares, strict=True) if name == label)
            played += 1
    return Share(won, played)


def cross_table(results: Sequence[Result]) -> dict[tuple[str, str], Share]:
    """For each pair of players, the share of the first in the games that one of the two won.

    >>> from cartagena.arena import Result, cross_table
    >>> results = [Result(number, number, ("a", "b"), winner=1 if number else 2) for number in range(4)]
    >>> cross_table(results)["a", "b"].mean
    0.75
    """
    won: dict[tuple[str, str], float] = defaultdict(float)
    for result in results:
        if not result.is_decided:
            continue
        for winner, share in zip(result.seats, result.shares(), strict=True):
            if share:
                for loser in {label for label in result.seats if label != winner}:
                    won[winner, loser] += share
    pairs = {frozenset(pair) for pair in won}
    return {
        (one, other): Share(won[one, other], won[one, other] + won[other, one])
        for pair in pairs
        for one, other in (tuple(sorted(pair)), tuple(sorted(pair, reverse=True)))
    }


# --- ratings


def strengths(games: Sequence[tuple[tuple[int, ...], Sequence[float]]], size: int) -> "np.ndarray":
    """Bradley-Terry strengths for tables of any size, by MM iterations: win chances are in proportion to strength.

    Each player gets half a win and half a loss against an average player, so that a clean sweep stays finite.
    """
    wins = np.full(size, 0.5)
    for seats, shares in games:
        for index, share in zip(seats, shares, strict=True):
            wins[index] += share
    found = np.ones(size)
    for _ in range(200):
        weight = 1.0 / (found + 1.0)
        for seats, _shares in games:
            total = sum(found[index] for index in seats)
            for index in seats:
                weight[index] += 1.0 / total
        update = wins / weight
        update /= np.exp(np.log(update).mean())
        done = np.abs(update - found).max() < 1e-7
        found = update
        if done:
            break
    return found


@dataclass(frozen=True)
class Rating:
    """A rating in Elo points around the mean of all players, with its 95 % error bar.

    >>> from cartagena.arena import Rating
    >>> Rating("captain", 120.0, 15.0).elo
    120.0
    """

    label: str
    elo: float
    error: float


def ratings(results: Sequence[Result], rounds: int = 100, seed: int = 0) -> list[Rating]:
    """The ratings of all players, best first.

    The error bars are the larger of a bootstrap over deals and the curvature of the likelihood: a bootstrap of games
    that all ended alike would have no error at all.

    >>> from cartagena.arena import Result, ratings
    >>> results = [Result(number, number, ("a", "b"), winner=1 if number else 2) for number in range(4)]
    >>> [rating.label for rating in ratings(results)]
    ['a', 'b']
    """
    labels = labels_of(results)
    index = {label: number for number, label in enumerate(labels)}
    deals: dict[int, list[tuple[tuple[int, ...], Sequence[float]]]] = defaultdict(list)
    for result in results:
        if result.is_decided:
            deals[result.deal].append((tuple(index[label] for label in result.seats), result.shares()))
    groups = list(deals.values())
    if not groups:
        return [Rating(label, 0.0, math.inf) for label in labels]
    games = [game for group in groups for game in group]
    found = strengths(games, len(labels))
    point = ELO * np.log(found)
    spread = np.maximum(bootstrap(groups, len(labels), rounds, seed), doubt(games, found))
    rated = [Rating(label, float(point[number]), float(spread[number])) for label, number in index.items()]
    return sorted(rated, key=lambda rating: -rating.elo)


def doubt(games: Sequence[tuple[tuple[int, ...], Sequence[float]]], found: "np.ndarray") -> "np.ndarray":
    """Half the width of the 95 % intervals by the curvature of the likelihood, relative to the mean rating."""
    size = len(found)
    known = np.diag(found / (found + 1.0) ** 2)
    for seats, _shares in games:
        chances = np.zeros(size)
        np.add.at(chances, list(seats), found[list(seats)])
        chances /= chances.sum()
        known += np.diag(chances) - np.outer(chances, chances)
    around_mean = np.eye(size) - 1.0 / size
    half: np.ndarray = Z * ELO * np.sqrt(np.diag(around_mean @ np.linalg.inv(known) @ around_mean))
    return half


def bootstrap(
    groups: Sequence[Sequence[tuple[tuple[int, ...], Sequence[float]]]], size: int, rounds: int, seed: int
) -> "np.ndarray":
    """Half the width of the 95 % intervals by drawing the deals anew."""
    random = np.random.default_rng(seed)
    found = np.zeros((rounds, size))
    for number in range(rounds):
        chosen = random.integers(len(groups), size=len(groups))
        found[number] = ELO * np.log(strengths([game for each in chosen for game in groups[each]], size))
    low, high = np.percentile(found, [2.5, 97.5], axis=0)
    half: np.ndarray = (high - low) / 2
    return half


# --- when to stop


@dataclass(frozen=True)
class Sequential:
    """Wald's sequential test between two shares of the first player, ``low`` and ``high``.

    >>> from cartagena.arena import Sequential, Share
    >>> Sequential(0.6, 0.75).verdict(Share(30, 32))
    1
    """

    low: float
    high: float
    risk: float = 0.05

    def __post_init__(self) -> None:
        if not (0 < self.low < self.high < 1 and 0 < self.risk < 0.5):
            raise PlayerError("a sequential test takes two shares between 0 and 1, the lower first")

    def ratio(self, share: Share) -> float:
        """The log likelihood ratio of a share."""
        lost = share.played - share.won
        return share.won * math.log(self.high / self.low) + lost * math.log((1 - self.high) / (1 - self.low))

    def verdict(self, share: Share) -> int:
        """1 to accept the higher share, -1 to accept the lower one, 0 to continue."""
        bound = math.log((1 - self.risk) / self.risk)
        ratio = self.ratio(share)
        return 1 if ratio >= bound else -1 if ratio <= -bound else 0
