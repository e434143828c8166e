"""Measuring and tuning players: matches, contests, ratings, tuning."""

from .contest import Contest, read, run
from .entrants import Entrant
from .fixture import Fixture, Result, play
from .leaderboard import Board, merge
from .match import Match, play_match
from .ratings import (
    Adjusted,
    Rating,
    Sequential,
    Share,
    adjusted_share,
    cross_table,
    luck_by_seat,
    neighbour_table,
    ratings,
    share_of,
)
from .suites import Suite, load_suite, suite_names

__all__ = [
    "Adjusted",
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
    "adjusted_share",
    "cross_table",
    "load_suite",
    "luck_by_seat",
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
