"""Matches between two sets of weights: does a new network beat the one before?"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from cartagena.game import Game
from cartagena.players.ismcts import ADMIRAL, CAPTAIN, Searcher, Style
from cartagena.players.model import Limit
from cartagena.players.networks import is_network
from cartagena.players.weights import NETWORK
from cartagena.rulesets import RuleSet

from .ratings import Share, Z

MOST_MOVES: Final = 2000


@dataclass(frozen=True)
class Duel:
    """One deal: ``new`` plays it from every seat, with ``old`` at all others.

    A network is played by an admiral and other weights by a captain. Both search ``nodes`` nodes a decision, in one
    tree instead of four: with few nodes that is stronger.
    """

    rules: RuleSet
    seats: int
    new: str
    old: str
    nodes: int
    seed: str
    deal: int
    trees: int = 1


def style_for(weights: str) -> Style:
    """How weights are played: a network as the admiral plays, others as the captain does."""
    usual = ADMIRAL if weights == NETWORK or is_network(weights) else CAPTAIN
    return replace(usual, weights=weights)


def play_duel(duel: Duel) -> Share:
    """The games of ``new``: those it won, and those that were decided."""
    won = played = 0
    for seat in range(duel.seats):
        winner = play_once(duel, seat)
        if winner:
            played += 1
            won += winner == seat + 1
    return Share(won, played)


def play_once(duel: Duel, own: int) -> int:
    """The winning seat from 1 where ``new`` sits at ``own``, counted from 0; or 0."""
    game = Game.new(duel.rules, seats=duel.seats, seed=f"{duel.seed}-{duel.deal}")
    weights = [duel.new if seat == own else duel.old for seat in range(duel.seats)]
    styles = [replace(style_for(each), trees=duel.trees) for each in weights]
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


def is_better(shares: Mapping[int, Share]) -> bool:
    """True where the share of games won at all tables exceeds a fair share by more than its 95 % error."""
    more = sum(share.won - share.played / seats for seats, share in shares.items())
    spread = sum(share.played / seats * (1 - 1 / seats) for seats, share in shares.items())
    return more > Z * math.sqrt(spread)
