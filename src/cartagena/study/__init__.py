"""Study of games: what every decision was worth, and how much of a result was luck.

>>> from cartagena import Game, Limit
>>> from cartagena.study import review
>>> game = Game.new("tortuga-en", seats=2, seed=1, pirates=1, pieces=1)
>>> while not game.is_over:
...     _ = game.play(game.legal_moves[0])
>>> found = review(game.record(), Limit(nodes=50))
>>> len(found.decisions) > 0, len(found.seats)
(True, 2)
"""

from .annotate import annotated
from .judge import CLASSES, Decision
from .luck import Draw
from .review import Review, SeatReview, TurningPoint, review

__all__ = ["CLASSES", "Decision", "Draw", "Review", "SeatReview", "TurningPoint", "annotated", "review"]
