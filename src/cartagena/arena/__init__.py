"""Where players are measured and made: contests, ratings, tuning."""

from .contest import Contest, read, run
from .entrants import Entrant
from .match import Fixture, Result, play
from .ratings import Rating, Sequential, Share, cross_table, ratings, share_of

__all__ = [
    "Contest",
    "Entrant",
    "Fixture",
    "Rating",
    "Result",
    "Sequential",
    "Share",
    "cross_table",
    "play",
    "ratings",
    "read",
    "run",
    "share_of",
]
