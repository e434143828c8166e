"""Study of games: what every decision was worth, how much of a result was luck, and exact values of small games.

>>> from cartagena import Game, Limit
>>> from cartagena.study import review, solve
>>> game = Game.new("tortuga-en", seats=2, seed=1, pirates=1, pieces=1)
>>> while not game.is_over:
...     _ = game.play(game.legal_moves[0])
>>> found = review(game.record(), Limit(nodes=50))
>>> len(found.decisions) > 0, len(found.seats)
(True, 2)
>>> endgame = "jamaica-en+cards3 DBKPHS/KBSDHP 7,12/9,12 S/BKP - - B2D3H3K2P2S2 - 1.0"
>>> solve(endgame, open_hands=True).value
(0.6, 0.4)
"""

from .annotate import annotated
from .judge import CLASSES, Decision
from .luck import Draw
from .regret import Regret, regret
from .review import Review, SeatReview, TurningPoint, review
from .solve import Solution, solve
from .solved import SolvedVariant, solved_variants

__all__ = [
    "CLASSES",
    "Decision",
    "Draw",
    "Regret",
    "Review",
    "SeatReview",
    "Solution",
    "SolvedVariant",
    "TurningPoint",
    "annotated",
    "regret",
    "review",
    "solve",
    "solved_variants",
]
