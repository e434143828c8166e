"""Quick games on a CUDA device, one in each warp. A warp whose game is over takes the next one.

Loaded by ``backends.cuda.outside``, so that ``quick_play`` and what it calls are the device's. All threads of a warp
make the same steps; only here and in ``backends.cuda.vectors`` are they told apart.
"""

from typing import Any, Final, NamedTuple

from numba import cuda

from cartagena.backends.cpu import compiled, pointer, rule, word
from cartagena.backends.cpu.compiler import stack_words
from cartagena.backends.cuda.compiler import kernel_of
from cartagena.backends.cuda.pointers import LANES, meet
from cartagena.kernel.intrinsics import RuleTable, Words
from cartagena.kernel.layout import MAX_SEATS, T_SEATS, WORDS

from .quick_play import GAME, NUMBERS, RETURNS, QuickRoom, QuickSamples, play_quick

REGISTERS: Final = 128
"""Registers of a thread: 16 warps fit on a multiprocessor. Unbounded it takes 255."""

# --- taken[]
GAMES: Final = 0  # games that warps have taken
SAMPLES: Final = 1  # samples written
MOST: Final = 2  # the most samples of a game
TAKEN: Final = 3

_key_of: Any = compiled.load("backends.portable.generator").key_of
_set_up: Any = compiled.load("backends.portable.deal").set_up
_winner: Any = compiled.load("kernel.legal").winner


class QuickWarps(NamedTuple):
    """What the games are played by, working space for every warp, and what the warps count together in ``taken``.

    A warp has room for as many samples in ``states`` as in ``when``.
    """

    plan: Any
    opening: Any
    weights: Any
    settings: Any
    numbers: Any
    returns: Any
    states: Any
    when: Any
    taken: Any


@rule
def claim(taken: Any, which: int, size: int, told: Words) -> int:
    """Add to a count for the whole warp. Returns what it was before."""
    meet()
    if cuda.threadIdx.x == 0:
        told[0] = cuda.atomic.add(taken, which, size)
    meet()
    return int(told[0])


@rule
def write_samples(play: QuickRoom, states: Words, kept: int, game: int, first: int, out: QuickSamples) -> None:
    """Write the samples of a game that had a winner, from the sample ``first`` on. Threads share out the numbers."""
    won = _winner(play.game)
    for index in range(cuda.threadIdx.x, kept * WORDS, LANES):
        out.states[first * WORDS + index] = states[index]
    for sample in range(cuda.threadIdx.x, kept, LANES):
        out.winners[first + sample] = won
        out.games[first + sample] = game
        at = play.when[sample] * MAX_SEATS
        for seat in range(play.rules[T_SEATS]):
            out.returns[(first + sample) * MAX_SEATS + seat] = play.returns[at + seat]


@kernel_of(REGISTERS)
def quick_all(rules: RuleTable, warps: QuickWarps, seed: int, last: int, space: int, out: QuickSamples) -> None:
    """Play the games ``taken[GAMES]`` to ``last`` - 1 of a seed, and write samples as ``quick_games`` does.

    Games are written in the order in which they end. A game keeps at most ``space`` positions.
    """
    state, told = stack_words(GAME), stack_words(1)
    warp = cuda.blockIdx.x
    states = pointer(warps.states, warp * space * WORDS)
    play = QuickRoom(
        rules,
        pointer(warps.plan, 0),
        pointer(warps.opening, 0),
        pointer(warps.weights, 0),
        pointer(warps.settings, 0),
        state,
        pointer(warps.numbers, warp * NUMBERS),
        pointer(warps.returns, warp * RETURNS),
        pointer(warps.when, warp * space),
    )
    game = claim(warps.taken, GAMES, 1, told)
    while game < last:
        key = _set_up(rules, play.plan, play.opening, state, _key_of(word(seed), word(game)))
        kept = play_quick(play, states, space, key)
        if _winner(state) >= 0:
            cuda.atomic.max(warps.taken, MOST, kept)
            write_samples(play, states, kept, game, claim(warps.taken, SAMPLES, kept, told), out)
        game = claim(warps.taken, GAMES, 1, told)
