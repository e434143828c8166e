"""Statistics of results: shares with error bars, ratings, and the sequential test."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cartagena.errors import PlayerError, has_parts, shown, takes
from cartagena.players.model import is_number

from .fixture import Result

Z: Final = 1.959964
"""Standard deviations of a 95 % interval."""
ELO: Final = 400 / math.log(10)
NO_ERROR: Final = 1e-9
"""Standard errors below this one come from rounding alone and count as none."""


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
        """The share, from 0 to 1; 0 where no game was played."""
        return self.won / self.played if self.played else 0.0

    def interval(self) -> tuple[float, float]:
        """The 95 % interval (Wilson); from 0 to 1 where no game was played."""
        if not self.played:
            return (0.0, 1.0)
        square = Z * Z / self.played
        middle = (self.mean + square / 2) / (1 + square)
        spread = Z / (1 + square) * math.sqrt(self.mean * (1 - self.mean) / self.played + square / (4 * self.played))
        return (max(0.0, middle - spread), min(1.0, middle + spread))

    def __str__(self) -> str:
        low, high = self.interval()
        return f"{100 * self.mean:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def as_results(results: Iterable[Result]) -> list[Result]:
    """The results as a list. Raises PlayerError for anything else."""
    listed = list(results) if has_parts(results) else None
    if listed is None or not all(isinstance(each, Result) for each in listed):
        raise PlayerError(f"results are a list of Result, as run and read return them, not {shown(results)}")
    return listed


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
    for result in as_results(results):
        if result.is_decided and label in result.seats:
            shares = result.shares()
            won += sum(share for name, share in zip(result.seats, shares, strict=True) if name == label)
            played += 1
    return Share(won, played)


@dataclass(frozen=True)
class Adjusted:
    """A player's share of decided games without the luck of the cards, and what that changes.

    ``error`` is its standard error over deals, ``raw_error`` that of the share with the luck in it.

    >>> from cartagena.arena import Adjusted
    >>> print(Adjusted(mean=0.55, error=0.01, raw_error=0.02))
    55.0 % (53.0 to 57.0)
    """

    mean: float
    error: float
    raw_error: float

    def interval(self) -> tuple[float, float]:
        """The 95 % interval."""
        return self.mean - Z * self.error, self.mean + Z * self.error

    @property
    def left(self) -> float:
        """The part of the standard error that is left without luck; all of it where there was none."""
        return self.error / self.raw_error if self.raw_error >= NO_ERROR else 1.0

    def __str__(self) -> str:
        low, high = self.interval()
        return f"{100 * self.mean:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def adjusted_share(results: Iterable[Result], label: str) -> Adjusted:
    """A player's share less the luck of its cards, which has mean 0: the same share in the long run, known better.

    Games of one deal count together. A game of an older file, without luck, counts as it ended.

    >>> from cartagena.arena import Result, adjusted_share
    >>> lucky, other = {"winner": 1, "luck": [0.4, -0.4]}, {"winner": 2, "luck": [-0.4, 0.4]}
    >>> results = [Result(deal, deal, ("a", "b"), **(other if deal % 2 else lucky)) for deal in range(10)]
    >>> adjusted_share(results, "a").left < 0.5
    True
    """
    deals: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for result in as_results(results):
        if result.is_decided and label in result.seats:
            own = [seat for seat, name in enumerate(result.seats) if name == label]
            shares = result.shares()
            luck = sum(result.luck[seat] for seat in own) if result.luck else 0.0
            deals[result.deal].append((sum(shares[seat] for seat in own), luck))
    games = sum(map(len, deals.values()))
    if not games:
        return Adjusted(0.0, math.inf, math.inf)
    raw, luck = (sum(each[place] for deal in deals.values() for each in deal) / games for place in (0, 1))
    rest = [[(won - raw, by_luck - luck) for won, by_luck in deal] for deal in deals.values()]
    errors = []
    for part in (1.0, 0.0):  # of the luck that is subtracted
        squares = sum(sum(won - part * by_luck for won, by_luck in deal) ** 2 for deal in rest)
        errors.append(math.sqrt(squares * len(deals) / max(1, len(deals) - 1)) / games)
    return Adjusted(raw - luck, *errors)


def luck_by_seat(results: Sequence[Result]) -> list[tuple[float, float]]:
    """The mean luck of each seat over all games, which tends to 0, with its standard error.

    >>> from cartagena.arena import Result, luck_by_seat
    >>> luck_by_seat([Result(0, 0, ("a", "b"), luck=[0.1, -0.1]), Result(1, 1, ("a", "b"), luck=[-0.1, 0.1])])
    [(0.0, 0.1), (0.0, 0.1)]
    """
    lucks = np.array([result.luck for result in as_results(results) if result.luck])
    if len(lucks) < 2:
        return []
    errors = lucks.std(axis=0, ddof=1) / math.sqrt(len(lucks))
    return [
        (round(float(mean), 6), round(float(error), 6)) for mean, error in zip(lucks.mean(axis=0), errors, strict=True)
    ]


def cross_table(results: Sequence[Result]) -> dict[tuple[str, str], Share]:
    """For each pair of players, the share of the first in the games that one of the two won.

    >>> from cartagena.arena import Result, cross_table
    >>> results = [Result(number, number, ("a", "b"), winner=1 if number else 2) for number in range(4)]
    >>> cross_table(results)["a", "b"].mean
    0.75
    """
    won: dict[tuple[str, str], float] = defaultdict(float)
    for result in as_results(results):
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


def neighbour_table(results: Iterable[Result]) -> dict[tuple[str, str], Share]:
    """For each player, and each one who sat just before it, its share of those games, seat by seat.

    >>> from cartagena.arena import Result, neighbour_table
    >>> results = [Result(0, 0, ("a", "b", "c"), winner=2), Result(1, 1, ("a", "c", "b"), winner=2)]
    >>> neighbour_table(results)["b", "a"].mean, neighbour_table(results)["b", "c"].mean
    (1.0, 0.0)
    """
    won: dict[tuple[str, str], list[float]] = defaultdict(list)
    for result in as_results(results):
        if result.is_decided:
            for seat, share in enumerate(result.shares()):
                won[result.seats[seat], result.seats[seat - 1]].append(share)
    return {pair: Share(sum(shares), len(shares)) for pair, shares in won.items()}


# --- ratings


Numbers: TypeAlias = NDArray[np.float64]
ROUNDS: Final = 200
"""The most iterations of ``strengths``."""
CLOSE: Final = 1e-7
"""The largest change of a strength after which the iterations end."""


@dataclass(frozen=True)
class Decided:
    """The decided games as numbers. Games in which the same players sit, in any order, count together.

    ``tables`` has a row for each group of players that sat together: how many seats each player had. ``table_of`` and
    ``deal_of`` say for each game who played it and by which deal; ``won`` is what each player won in each deal.
    """

    tables: Numbers
    table_of: NDArray[np.int64]
    deal_of: NDArray[np.int64]
    won: Numbers

    @classmethod
    def of(cls, results: Iterable[Result], labels: Sequence[str]) -> "Decided":
        """Count the decided games of the players with these labels."""
        index = {label: number for number, label in enumerate(labels)}
        tables: dict[tuple[int, ...], int] = {}
        deals: dict[int, int] = {}
        table_of, deal_of, shares = [], [], []
        for result in results:
            if result.is_decided:
                seats = [index[label] for label in result.seats]
                table_of.append(tables.setdefault(tuple(sorted(seats)), len(tables)))
                deal_of.append(deals.setdefault(result.deal, len(deals)))
                shares += [(deal_of[-1], seat, share) for seat, share in zip(seats, result.shares(), strict=True)]
        won, sitting = np.zeros((len(deals), len(labels))), np.zeros((len(tables), len(labels)))
        for deal, seat, share in shares:
            won[deal, seat] += share
        for table, number in tables.items():
            np.add.at(sitting[number], list(table), 1.0)
        return cls(sitting, np.array(table_of, np.int64), np.array(deal_of, np.int64), won)

    @property
    def deals(self) -> int:
        """The number of deals with a decided game."""
        return len(self.won)

    def games(self, times: Numbers) -> Numbers:
        """How many games each table has where each deal counts so many times, in each row of ``times``."""
        return np.stack([np.bincount(self.table_of, row[self.deal_of], len(self.tables)) for row in times])


def strengths(decided: Decided, times: Numbers) -> Numbers:
    """Bradley-Terry strengths for tables of any size, by MM iterations: win chances are in proportion to strength.

    Each player gets half a win and half a loss against an average player, so that a clean sweep stays finite. Every row
    of ``times`` says how often each deal counts, and gives a row of strengths.
    """
    wins, games = 0.5 + times @ decided.won, decided.games(times)
    strength = np.ones_like(wins)
    rows = np.arange(len(times))
    for _ in range(ROUNDS):
        now = strength[rows]
        totals = np.einsum("rp,tp->rt", now, decided.tables)  # not ``@``: threads of BLAS cost more than they gain
        exposure = 1.0 / (now + 1.0) + np.einsum("rt,tp->rp", games[rows] / totals, decided.tables)
        update = wins[rows] / exposure
        update /= np.exp(np.log(update).mean(axis=1, keepdims=True))
        strength[rows] = update
        rows = rows[np.abs(update - now).max(axis=1) >= CLOSE]
        if not len(rows):
            break
    return strength


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
    labels = labels_of(as_results(results))
    decided = Decided.of(results, labels)
    if not decided.deals:
        return [Rating(label, 0.0, math.inf) for label in labels]
    strength = strengths(decided, np.ones((1, decided.deals)))[0]
    spread = np.maximum(bootstrap(decided, rounds, seed), doubt(decided, strength))
    rated = [
        Rating(label, float(elo), float(error))
        for label, elo, error in zip(labels, ELO * np.log(strength), spread, strict=True)
    ]
    return sorted(rated, key=lambda rating: -rating.elo)


def known_ratings(results: Sequence[Result]) -> list[Rating]:
    """The ratings that reports show: none where no game was decided, because nothing is known then."""
    return [rating for rating in ratings(results) if math.isfinite(rating.error)]


def doubt(decided: Decided, strength: Numbers) -> Numbers:
    """Half the width of the 95 % intervals by the curvature of the likelihood, relative to the mean rating."""
    size = len(strength)
    games = decided.games(np.ones((1, decided.deals)))[0]
    chances = decided.tables * strength
    chances /= chances.sum(axis=1, keepdims=True)
    known = np.diag(strength / (strength + 1.0) ** 2 + games @ chances) - chances.T @ (games[:, None] * chances)
    around_mean = np.eye(size) - 1.0 / size
    half: Numbers = Z * ELO * np.sqrt(np.diag(around_mean @ np.linalg.inv(known) @ around_mean))
    return half


def bootstrap(decided: Decided, rounds: int, seed: int) -> Numbers:
    """Half the width of the 95 % intervals by drawing the deals anew."""
    random = np.random.default_rng(seed)
    drawn = [random.integers(decided.deals, size=decided.deals) for _ in range(rounds)]
    times = np.array([np.bincount(chosen, minlength=decided.deals) for chosen in drawn], np.float64)
    low, high = np.percentile(ELO * np.log(strengths(decided, times)), [2.5, 97.5], axis=0)
    half: Numbers = (high - low) / 2
    return half


# --- when to stop


ENOUGH: Final = 20
"""Deals after which a mean of them counts as normally distributed."""


@dataclass(frozen=True)
class Sequential:
    """Wald's sequential test between two shares of the first player, ``low`` and ``high``.

    With ``adjusted`` the test looks at the share without the luck of the cards, which needs fewer games. It takes that
    share as normally distributed, so it waits for ``ENOUGH`` deals.

    >>> from cartagena.arena import Sequential, Share
    >>> Sequential(0.6, 0.75).verdict(Share(30, 32))
    1
    """

    low: float
    high: float
    risk: float = 0.05
    adjusted: bool = False

    def __post_init__(self) -> None:
        given = (self.low, self.high, self.risk)
        if not all(is_number(each, Real) for each in given) or not (
            0 < self.low < self.high < 1 and 0 < self.risk < 0.5
        ):
            raise PlayerError("a sequential test takes two shares between 0 and 1, the lower first")

    @takes(PlayerError, share=(Share, Adjusted))
    def ratio(self, share: Share | Adjusted) -> float:
        """The log likelihood ratio of a share."""
        if isinstance(share, Adjusted):
            if not NO_ERROR <= share.error < math.inf:
                return 0.0
            return (self.high - self.low) * (2 * share.mean - self.low - self.high) / (2 * share.error**2)
        lost = share.played - share.won
        return share.won * math.log(self.high / self.low) + lost * math.log((1 - self.high) / (1 - self.low))

    def share(self, results: Sequence[Result], label: str) -> Share | Adjusted:
        """The share of a player that the test looks at."""
        if not self.adjusted:
            return share_of(results, label)
        if len({result.deal for result in results}) < ENOUGH:
            return Adjusted(0.0, math.inf, math.inf)
        return adjusted_share(results, label)

    def verdict(self, share: Share | Adjusted) -> int:
        """1 to accept the higher share, -1 to accept the lower one, 0 to continue."""
        bound = math.log((1 - self.risk) / self.risk)
        ratio = self.ratio(share)
        return 1 if ratio >= bound else -1 if ratio <= -bound else 0
