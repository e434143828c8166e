"""The kernel compiled for this processor.

``kernel`` is the kernel package loaded a second time with every rule compiled: ``kernel.step.step``,
``kernel.legal.count`` and so on. Functions of ``portable.toolkit`` and ``portable.generator`` have their names here.
The marks ``rule``, ``block`` and ``entry`` compile further functions that call them, and ``pointer`` and ``part`` make
what they work on (see ``compiler``):

    @rule
    def greedy(rules, state):
        return kernel.legal.nth(rules, state, 0)

    @entry
    def play(rule_numbers, states, number):
        step(pointer(rule_numbers, 0), pointer(states, number * WORDS), ...)

A module that is written with relative imports can be compiled as a whole: ``compiled.load("backends.cpu.rollout")``.
``rollout``, ``perft`` and ``expand`` are what Python asks of the compiled rules.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from cartagena.backends.arguments import checked_number
from cartagena.backends.arrays import IntArray, KeyArray
from cartagena.backends.loader import EPISODE, PackageCopy, compiled_copy, once
from cartagena.backends.openings import Positioned, Start
from cartagena.backends.policies import UNIFORM
from cartagena.backends.results import Tally
from cartagena.errors import BackendError, takes
from cartagena.kernel import layout as at

from . import intrinsics
from .compiler import block, entry, part, pointer, pointers, rule

__all__ = [
    "FIRST", "GOLDEN", "SECOND", "Expansion", "Numbers", "Word", "apply", "below", "block", "compiled", "compiled_with",
    "copy", "deal_card", "deal_hidden", "draw_card", "entry", "exp", "expand", "kernel", "list_moves", "mix", "number",
    "part", "perft", "pointer", "pointers", "rollout", "rule", "shared_out", "word",
]  # fmt: skip

MODULES: Final = (
    "cards", "chance", "layout", "legal", "moves", "options", "reasons", "step", "track", "validate", "view",
)  # fmt: skip


@once
def compiled_with(policy: str = UNIFORM, episode: str = EPISODE) -> PackageCopy:
    """Return the package compiled for this processor, with this policy and this kind of episode compiled in."""
    return compiled_copy("cartagena.backends._compiled", intrinsics, policy, episode)


compiled = compiled_with()

if TYPE_CHECKING:
    from cartagena import kernel
    from cartagena.backends.portable import generator, toolkit
    from cartagena.backends.portable.intrinsics import Numbers, Word, number, word
    from cartagena.kernel import cards, chance, legal, moves, options, reasons, step, track, validate, view  # noqa: F401
else:
    from .intrinsics import Numbers, Word, number, word

    kernel = compiled.load_all("kernel", MODULES)
    generator = compiled.load("backends.portable.generator")
    toolkit = compiled.load("backends.portable.toolkit")

FIRST, GOLDEN, SECOND, mix = generator.FIRST, generator.GOLDEN, generator.SECOND, generator.mix
apply, list_moves, copy = toolkit.apply, toolkit.list_moves, toolkit.copy
below, draw_card = toolkit.below, toolkit.draw_card
deal_card, deal_hidden = toolkit.deal_card, toolkit.deal_hidden
exp = toolkit.exp


# --- rollouts on all cores: threads that release the interpreter lock, each with a share of the games


R = TypeVar("R")
SHARES = 8
"""Shares of the work for each thread, so that none waits long for another."""


def ranges(first: int, last: int, parts: int) -> Iterator[tuple[int, int]]:
    """Divide the numbers from ``first`` to ``last`` - 1 into consecutive parts, at most one for each number."""
    size = last - first
    parts = max(1, min(parts, size))
    for number in range(parts):
        yield first + size * number // parts, first + size * (number + 1) // parts


def shared_out(work: Callable[[int, int], R], first: int, last: int, threads: int, shares: int = 1) -> list[R]:
    """Do the work on parts of a range in threads and return the results in the order of the parts."""
    if threads == 1:
        return [work(first, last)]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda bounds: work(*bounds), ranges(first, last, threads * shares)))


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


# --- counting move sequences


DEEPEST: Final = 64


@takes(BackendError, position=Positioned)
def perft(position: Positioned, depth: int) -> int:
    """Count the move sequences of length ``depth`` from the position, chance moves included."""
    depth = checked_number("depth", depth, 0, DEEPEST)
    if depth == 0:
        return 1
    module = compiled.load("backends.cpu.successors")
    stack = np.zeros(depth * module.LEVEL, np.int64)
    stack[: at.WORDS] = position.words
    return int(module.perft(np.array(position.table, np.int64), stack, depth))


# --- the successors of many states, for solving


SPACE: Final = 1 << 16
"""Successors that there is space for at a time."""


class Expansion(NamedTuple):
    """The successors of some states.

    ``states`` has a row for each; ``origins`` says which of the given states it comes from, by which of the
    ``actions``. ``weights`` are those of dealt cards, 0 for other moves. ``choosers`` are the seats (from 0) that must
    choose then, -1 where a card is due or the game is over; ``results`` are as in ``layout.OVER``. ``keys`` are hashes
    of the rows (``generator.state_key``).
    """

    states: IntArray
    origins: IntArray
    actions: IntArray
    weights: IntArray
    choosers: IntArray
    results: IntArray
    keys: KeyArray


def expand(rules: Sequence[int], states: ArrayLike, space: int = SPACE) -> Iterator[Expansion]:
    """The successors of states (rows of words), in parts that follow the order of the states."""
    module = compiled.load("backends.cpu.successors")
    space = max(space, 2 * at.MAX_LEGAL)
    after, keys = np.zeros((space, at.WORDS), np.int64), np.zeros(space, np.uint64)
    numbers = np.zeros(space * module.COLUMNS + 1, np.int64)
    rule_numbers, given = np.array(rules, np.int64), np.ascontiguousarray(states, np.int64)
    first = 0
    while first < len(given):
        size = int(module.expand(rule_numbers, given[first:], after, numbers, keys))
        columns = numbers[: size * module.COLUMNS].reshape(size, module.COLUMNS).T.copy()
        origins, actions, weights, choosers, results = columns
        yield Expansion(after[:size].copy(), origins + first, actions, weights, choosers, results, keys[:size].copy())
        first += int(numbers[-1])
