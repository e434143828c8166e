"""Rollouts on all cores: threads that release the interpreter lock, each with a share of the games."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np

from cartagena.backends.openings import Start
from cartagena.backends.policies import UNIFORM
from cartagena.backends.results import Tally
from cartagena.kernel import layout as at

from . import compiled_with

R = TypeVar("R")
SHARES = 8
"""Shares of the work for each thread, so that none waits long for another."""


def ranges(first: int, last: int, parts: int) -> Iterator[tuple[int, int]]:
    """Divide the numbers from ``first`` to ``last`` - 1 into consecutive parts, at most one for each number."""
    size = last - first
    parts = max(1, min(parts, size))
    for part in range(parts):
        yield first + size * part // parts, first + size * (part + 1) // parts


def shared_out(work: Callable[[int, int], R], first: int, last: int, threads: int, shares: int = 1) -> list[R]:
    """Do the work on parts of a range in threads and return the results in the order of the parts."""
    if threads == 1:
        return [work(first, last)]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda part: work(*part), ranges(first, last, threads * shares)))


def rollout(start: Start, seed: int, first: int, last: int, cap: int, policy: str = UNIFORM, threads: int = 1) -> Tally:
    """Play the games ``first`` to ``last`` - 1 of a seed."""
    played = compiled_with(policy).load("backends.cpu.rollout").rollout
    rules, words, plan = (np.array(numbers, np.int64) for numbers in (start.rules, start.words, start.plan))

    def share(low: int, high: int) -> Tally:
        tally = Tally.empty()
        state = np.zeros(at.WORDS, np.int64)
        made = played(rules, words, plan, np.uint64(seed), low, high, cap, state, tally.ends, tally.lengths)
        tally.actions = int(made)
        return tally

    total = Tally.empty()
    for tally in shared_out(share, first, last, threads, SHARES):
        total.add(tally)
    return total
