"""Measuring and tuning players: matches, contests, ratings, tuning."""

from .contest import Contest, read, run
from .entrants import Entrant
from .fixture import Fixture, Result, play
from .leaderboard import Board, merge
from .match import Match, play_match
from .ratings import Rating, Sequential, Share, cross_table, neighbour_table, ratings, share_of
from .suites import Suite, load_suite, suite_names

__all__ = [
    "Board",
    "Contest",
    "Entrant",
    "Fixture",
    "Match",
    "Rating",
    "Result",
    "Sequential",
    "Share",
    "Suite",
    "cross_table",
    "load_suite",
    "merge",
    "neighbour_table",
    "play",
    "play_match",
    "ratings",
    "read",
    "run",
    "share_of",
    "suite_names",
]
