"""Matches between two sets of weights: does a new network beat the one before?"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from cartagena.game import Game
from cartagena.players.ismcts import CAPTAIN, Searcher
from cartagena.players.model import Limit
from cartagena.rulesets import RuleSet

from .ratings import Share

MOST_MOVES: Final = 2000


@dataclass(frozen=True)
class Duel:
    """One deal: ``new`` plays it from every seat, with ``old`` at all others, by so many nodes a decision."""

    rules: RuleSet
    seats: int
    new: str
    old: str
    nodes: int
    seed: str
    deal: int


def play_duel(duel: Duel) -> Share:
    """The games of ``new``: those it won, and those that were decided."""
    won = played = 0
    for place in range(duel.seats):
        winner = play_once(duel, place)
        if winner:
            played += 1
            won += winner == place + 1
    return Share(won, played)


def play_once(duel: Duel, place: int) -> int:
    """The winning seat from 1 where ``new`` sits at ``place``, or 0."""
    game = Game.new(duel.rules, seats=duel.seats, seed=f"{duel.seed}-{duel.deal}")
    styles = [replace(CAPTAIN, trees=1, weights=duel.new if seat == place else duel.old) for seat in range(duel.seats)]
    players = [Searcher(style, duel.deal * 8 + seat) for seat, style in enumerate(styles)]
    for _ in range(MOST_MOVES):
        if game.is_over:
            break
        seat = game.turn
        game.play(players[seat - 1].decide(game.view(seat), Limit(nodes=duel.nodes)))
    outcome = game.outcome()
    return (outcome.winner or 0) if outcome is not None else 0


def total(shares: Iterable[Share]) -> Share:
    """All games together."""
    parts = list(shares)
    return Share(sum(part.won for part in parts), sum(part.played for part in parts))


def is_better(share: Share, seats: int) -> bool:
    """True where the 95 % interval of the share is above a fair share."""
    return share.interval()[0] > 1 / seats
