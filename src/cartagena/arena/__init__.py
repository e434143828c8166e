"""Measuring and tuning players: matches, contests, ratings, tuning."""

from .contest import Contest, read, run
from .entrants import Entrant
from .fixture import Fixture, Result, play
from .match import Match, play_match
from .ratings import Rating, Sequential, Share, cross_table, ratings, share_of

__all__ = [
    "Contest",
    "Entrant",
    "Fixture",
    "Match",
    "Rating",
    "Result",
    "Sequential",
    "Share",
    "cross_table",
    "play",
    "play_match",
    "ratings",
    "read",
    "run",
    "share_of",
]
