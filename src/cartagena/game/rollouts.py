"""Rollouts from games and positions, which may be given as text."""

from cartagena.backends import Rollouts
from cartagena.backends import rollouts as play_out
from cartagena.backends.openings import Source
from cartagena.backends.policies import UNIFORM
from cartagena.backends.rollouts import CAP

from .game import Game
from .position import Position


def rollouts(
    position: Game | Source,
    games: int,
    seed: int = 0,
    policy: str = UNIFORM,
    backend: str = "auto",
    threads: int | None = None,
    *,
    seats: int | None = None,
    cap: int = CAP,
) -> Rollouts:
    """Play ``games`` games to the end, or until ``cap`` turns have ended, and count the results.

    ``position`` is a game, a position or its text, or a rule set (or its name) for which every game is dealt anew, at
    a table with ``seats`` seats. Game number i of a seed is the same game on every backend and with any number of
    threads. Raises BackendError, NotationError for text that is no position, or RuleSetError for a rule set that does
    not exist.

    >>> result = rollouts("jamaica-en", games=4, seed=1, backend="plain")
    >>> sum(result.wins) + result.deadlocks + result.cut
    4
    >>> rollouts("jamaica-en BPHSDK 6,b/s,s B2/DK - B15D16H17K16P17S17 - - 1.0", games=4, backend="plain").wins
    (4, 0)
    """
    start = source_of(position)
    return play_out(start, games, seed, policy, backend, threads, seats=seats, cap=cap)


def source_of(start: Game | Source) -> Source:
    """The position of a game or of a text with spaces in it; anything else as it is."""
    if isinstance(start, Game):
        return start.position
    if isinstance(start, str) and " " in start.strip() and not start.endswith(".toml"):
        return Position(start)
    return start
