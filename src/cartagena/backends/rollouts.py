"""Play many games to their end, on any backend."""

import os
from functools import cache
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final

from cartagena.errors import BackendError, shown
from cartagena.kernel import layout as at

from .arguments import checked_number, cores
from .loader import PackageCopy, once, with_policy
from .openings import NO_PLAN, Positioned, Source, Start, start_of
from .policies import UNIFORM, policy_of
from .portable import deal, generator, playout
from .results import LENGTHS, Rollouts, Tally

BACKENDS: Final = ("plain", "cpu", "cuda")
CAP: Final = 2000
"""Turns after which a game is cut by default: far more than a game needs in which pirates still move on."""


@cache
def has_cuda() -> bool:
    """Whether a CUDA device can be used here. Numba's simulator counts as one.

    >>> from cartagena.backends import has_cuda
    >>> has_cuda() in (True, False)
    True
    """
    if find_spec("numba_cuda") is None and os.environ.get("NUMBA_ENABLE_CUDASIM", "0") == "0":
        return False
    from numba import cuda

    return bool(cuda.is_available())


def checked_backend(name: str) -> str:
    """Return the backend of that name. ``auto`` is cuda if there is a device, else cpu. Raises BackendError."""
    if isinstance(name, str) and name == "auto":
        return "cuda" if has_cuda() else "cpu"
    if not isinstance(name, str) or name not in BACKENDS:
        raise BackendError(f"{shown(name)} is not a backend; there are auto, {', '.join(BACKENDS)}.")
    if name == "cuda" and not has_cuda():
        raise BackendError("there is no CUDA device here, or the package's extra `gpu` is not installed.")
    return name


def completed(position: Positioned, number: int, seed: int) -> list[list[int]]:
    """Return the words of a position as the games ``0`` to ``number`` - 1 of a seed start from it."""
    number, seed = checked_number("number", number, 0, 10**9), checked_number("seed", seed, 0, 2**63 - 1)
    start = Start(tuple(position.table), tuple(position.words), NO_PLAN)
    return [opening(start, seed, game)[0] for game in range(number)]


# --- the reference backend: the kernel as plain Python, slow and without a compiler


@once
def playout_with(policy: str) -> ModuleType:
    """Return the module that plays games with this policy."""
    if policy == UNIFORM:
        return playout
    return with_policy(PackageCopy(f"cartagena.backends._plain_{policy}", {}), policy).load("backends.portable.playout")


def opening(start: Start, seed: int, game: int) -> tuple[list[int], int]:
    """Return the words that a game starts from and its key."""
    words = [0] * at.WORDS
    key = deal.set_up(start.rules, start.plan, start.words, words, generator.key_of(seed, game))
    return words, key


def plain_rollout(start: Start, seed: int, first: int, last: int, cap: int, policy: str = UNIFORM) -> Tally:
    """Play the games ``first`` to ``last`` - 1 of a seed."""
    play = playout_with(policy).play
    tally = Tally.empty()
    for game in range(first, last):
        words, key = opening(start, seed, game)
        made = play(start.rules, words, key, cap)
        tally.ends[words[at.OVER]] += 1
        tally.lengths[min(made, LENGTHS - 1)] += 1
        tally.actions += made
    return tally


# --- all backends


def tally_of(backend: str, start: Start, seed: int, games: int, **options: Any) -> Tally:
    """Play the games on a backend."""
    if backend == "plain":
        options.pop("threads")
        return plain_rollout(start, seed, 0, games, **options)
    if backend == "cuda":
        from . import cuda

        options.pop("threads")
        return cuda.rollout(start, seed, 0, games, **options)
    from . import cpu

    threads = options.pop("threads") or cores()
    return cpu.rollout(start, seed, 0, games, threads=threads, **options)


def rollouts(
    position: Source,
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
    games = checked_number("games", games, 1, 10**15)
    seed = checked_number("seed", seed, 0, 2**63 - 1)
    cap = checked_number("cap", cap, 1, 10**9)
    if threads is not None:
        threads = checked_number("threads", threads, 1, 1024)
    policy = policy_of(policy).key
    start = start_of(position, seats)
    chosen = checked_backend(backend)
    tally = tally_of(chosen, start, seed, games, cap=cap, policy=policy, threads=threads)
    return tally.result(start.seats, chosen)
