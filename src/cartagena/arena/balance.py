"""How balanced a rule set is: random games and games of one level against itself, counted by seat, with a picture."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from cartagena.backends import Rollouts
from cartagena.backends import rollouts as play_out
from cartagena.game.render.svg_ink import tag, words
from cartagena.jobs import Executor
from cartagena.rulesets import RuleSet

from .contest import Contest, run
from .fixture import Result
from .ratings import Share
from .report import seat_shares, share_data

WIDTH: Final = 520
"""Width of the picture."""
TOP: Final = 56
HIGH: Final = 180
"""Where the bars begin, and how high the highest is."""
COLOURS: Final = ("#8aa0ae", "#1f5f8b")
"""Random games, games of the level."""
INK: Final = "#26323a"
XMLNS: Final = "http://www.w3.org/2000/svg"


@dataclass(frozen=True)
class Balance:
    """What was counted: ``random`` games of random moves, ``results`` of one level against itself."""

    rules: RuleSet
    seats: int
    player: str
    random: Rollouts
    results: Sequence[Result]

    @property
    def name(self) -> str:
        """The variant's name, or that of the rule set."""
        return self.rules.variant or self.rules.name

    def random_shares(self) -> list[Share]:
        """The share of the decided random games that each seat won."""
        return [Share(wins, sum(self.random.wins)) for wins in self.random.wins]

    def level_shares(self) -> list[Share]:
        """The share of the level's decided games that each seat won. Empty where none was decided."""
        return seat_shares(self.results)

    @property
    def turns(self) -> float:
        """The mean number of turns in a game of the level."""
        return sum(result.turns for result in self.results) / len(self.results)

    @property
    def deadlocks(self) -> int:
        """How many games of the level ended without a winner."""
        return sum(result.winner == 0 for result in self.results)

    @property
    def unfinished(self) -> int:
        """How many games of the level were broken off because they were too long."""
        return sum(result.winner is None for result in self.results)

    @property
    def luck(self) -> float | None:
        """The share of the differences between results that the luck of dealt cards explains. None for too few games.

        Luck is measured by the frozen value of the base game (see ``players.luck``), which may be rough in a variant:
        what it does not see counts as decisions, so this is rather too low than too high.
        """
        decided = [result for result in self.results if result.is_decided and result.luck]
        if len(decided) < 2:
            return None
        won = np.array([result.shares() for result in decided])
        won -= won.mean(axis=0)
        rest = won - np.array([result.luck for result in decided])
        rest -= rest.mean(axis=0)
        whole = float((won**2).sum())
        return max(0.0, 1.0 - float((rest**2).sum()) / whole) if whole else None

    def data(self) -> dict[str, Any]:
        """The report for programs."""
        return {
            "rules": self.rules.to_data(),
            "seats": self.seats,
            "random": {
                "games": self.random.games,
                "by-seat": [share_data(share) for share in self.random_shares()],
                "moves": round(self.random.lengths.mean, 1),
                "deadlocks": self.random.deadlocks,
                "unfinished": self.random.cut,
            },
            "level": {
                "player": self.player,
                "games": len(self.results),
                "by-seat": [share_data(share) for share in self.level_shares()],
                "turns": round(self.turns, 1),
                "deadlocks": self.deadlocks,
                "unfinished": self.unfinished,
                "luck": None if self.luck is None else round(self.luck, 3),
            },
        }

    def text(self) -> str:
        """The report for people."""
        games, level = self.random, self.level_shares()
        ends = f"{self.deadlocks} deadlocks, {self.unfinished} unfinished; {said_luck(self.luck)}"
        stopped = f"{games.deadlocks} deadlocks, {games.cut} unfinished"
        lines = [
            f"{self.name}: {self.rules.title}, {self.seats} seats",
            f"{games.games} random games: {games.lengths.mean:.1f} moves a game, {stopped}",
            f"{len(self.results)} games of {self.player}: {self.turns:.1f} turns a game, {ends}",
            "",
            f"{'won by':8}{'random (95 %)':26}{self.player} (95 %)",
        ]
        for seat, share in enumerate(self.random_shares()):
            lines.append(f"seat {seat + 1:<3}{share!s:26}{level[seat] if level else 'no game was decided'}")
        return "\n".join(lines)

    def svg(self) -> str:
        """The picture: what each seat won, beside an equal share."""
        series = [self.random_shares(), self.level_shares()]
        most = max([share.interval()[1] for shares in series for share in shares] + [1 / self.seats])
        floor, slot = TOP + HIGH, (WIDTH - 80) / self.seats
        even = floor - HIGH / self.seats / most
        parts = [words(20, 26, f"{self.rules.title} ({self.name}), {self.seats} seats", 16, fill=INK)]
        for place, (shares, label) in enumerate(zip(series, ("random games", f"games of {self.player}"), strict=True)):
            parts.append(tag("rect", x=20 + place * 180, y=36, width=10, height=10, fill=COLOURS[place]))
            parts.append(words(36 + place * 180, 46, f"won in {label}", 12, fill=INK))
            for seat, share in enumerate(shares):
                left = 50 + seat * slot + place * slot * 0.4
                parts.append(bar(share, left, slot * 0.36, HIGH / most, COLOURS[place]))
        parts.append(tag("line", x1=44, y1=even, x2=WIDTH - 20, y2=even, stroke=INK, stroke_dasharray="4 4"))
        parts.append(words(8, even + 4, f"{100 / self.seats:.0f} %", 12, fill=INK))
        parts += [words(50 + seat * slot, floor + 18, f"seat {seat + 1}", 13, fill=INK) for seat in range(self.seats)]
        lines = "; ".join(self.text().splitlines()[1:3]).split("; ")  # what is said of luck has a line of its own
        parts += [words(20, floor + 44 + 18 * at, line, 11, fill=INK) for at, line in enumerate(lines)]
        back = tag("rect", width=WIDTH, height=floor + 98, fill="#fff")
        box = {"viewBox": f"0 0 {WIDTH} {floor + 98}", "font_family": "sans-serif", "role": "img"}
        return tag("svg", tag("title", f"Balance of {self.name}"), back, *parts, xmlns=XMLNS, **box) + "\n"


def bar(share: Share, left: float, width: float, scale: float, colour: str) -> str:
    """A bar from the floor of the picture up, with its 95 % interval."""
    floor, middle = TOP + HIGH, left + width / 2
    low, high = share.interval()
    top = floor - share.mean * scale
    box = tag("rect", x=left, y=top, width=width, height=share.mean * scale, fill=colour)
    line = tag("line", x1=middle, y1=floor - low * scale, x2=middle, y2=floor - high * scale, stroke=INK)
    return box + line


def said_luck(luck: float | None) -> str:
    """The share of luck in words."""
    return "too few games to measure luck" if luck is None else f"luck explains {100 * luck:.0f} % of the results"


@dataclass(frozen=True)
class BalanceConfig:
    """What is played: ``games`` at random, ``level_games`` of ``player`` at every seat.

    >>> from cartagena.arena.balance import BalanceConfig, measure
    >>> found = measure(BalanceConfig("jamaica-en", games=20, player="sailor", level_games=4), backend="plain")
    >>> len(found.random_shares()), len(found.results)
    (2, 4)
    """

    rules: str | RuleSet
    seats: int = 0
    player: str = "gunner@1n"
    games: int = 20_000
    level_games: int = 200
    seed: int = 1

    def contest(self) -> Contest:
        """The games of the level against itself."""
        return Contest((self.player,), self.rules, self.seats, self.level_games, str(self.seed))


def measure(
    config: BalanceConfig,
    tell: Callable[[Result], None] = lambda _: None,
    place: Executor | None = None,
    *,
    backend: str = "auto",
) -> Balance:
    """Play the games and count them. ``tell`` is called with each game of the level, which is played at ``place``."""
    contest = config.contest()
    random = play_out(contest.content, config.games, config.seed, backend=backend, seats=contest.seats)
    results = run(contest, None, 1 if place is None else None, tell, None, place)
    return Balance(contest.content, contest.seats, config.player, random, results)
