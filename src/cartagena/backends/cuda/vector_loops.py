"""Many games on a device: one thread for each of them.

A mask has 1,200 bytes, and a thread that wrote its own would touch one byte in each of many distant rows at a time. So
the threads of a block find their games' bits in shared memory first, and then write rows together, from the first byte
to the last, 8 marks a thread: what is left is the bandwidth of the memory. Two other ways were slower: whole blocks
writing together, and writing only what differs from the mask before, which is less but scattered.
"""

from typing import Final

import numpy as np
from numba import config, cuda
from numpy.typing import NDArray

from cartagena.backends.arrays import IntArray, KeyArray
from cartagena.backends.cuda.compiler import kernel

from ...kernel.intrinsics import Words, rule
from ...kernel.layout import ACTIONS, WORDS
from ...kernel.legal_mask import MARK_WORDS, mark, mark_bits
from ..portable.episode import IDLE, WIDTH, advance, may_choose, see
from ..portable.games import Games
from ..portable.intrinsics import state_of
from ..portable.vector import check, open_game, sample, show


@kernel
def step_all(games: Games, actions: IntArray) -> None:
    """Advance every game by an action."""
    number = cuda.grid(1)
    if number < games.keys.size:
        advance(games, number, actions[number])


@kernel
def observe_all(games: Games) -> None:
    """Write the observations, into zeros."""
    number = cuda.grid(1)
    if number < games.keys.size:
        working = cuda.local.array(WORDS, np.int64)
        state = state_of(games.states, number)
        see(games.rules, state, games.viewers[number], working, games.observations, number * WIDTH)


@kernel
def open_all(games: Games, numbers: IntArray, seed: int) -> None:
    """Start the games that have a number."""
    number = cuda.grid(1)
    if number < games.keys.size:
        open_game(games, number, numbers, seed)


@kernel
def sample_all(games: Games, actions: IntArray) -> None:
    """Choose an action for every game by the policy."""
    number = cuda.grid(1)
    if number < games.keys.size:
        sample(games, number, actions)


@kernel
def check_all(games: Games, actions: IntArray) -> None:
    """Set ``ended`` where an action is not legal."""
    number = cuda.grid(1)
    if number < games.keys.size:
        check(games, number, actions)


@kernel
def view_all(games: Games, seats: IntArray, views: IntArray) -> None:
    """Write what a seat of each game may see."""
    number = cuda.grid(1)
    if number < games.keys.size:
        show(games, number, seats, views)


@kernel
def fill_all(words: IntArray, value: int) -> None:
    """Set every word to a value."""
    for index in range(cuda.grid(1), words.size, cuda.gridsize(1)):
        words[index] = value


# --- masks of legal actions: found as bits, written as a byte for each action, or as the bits

EIGHTS: Final = ACTIONS // 8
"""Words of 8 marks in a mask."""
THREADS: Final = 128
"""Threads of a block; 32, 64 and 256 were no faster (bench/results/gpu_rl.md)."""
COLUMNS: Final = THREADS + 1  # one more, so that neighbours read different banks
WARP: Final = 32
SIMULATED: Final = bool(config.ENABLE_CUDASIM)  # Numba's simulator has no warps
ROUNDS: Final = EIGHTS // WARP
REST: Final = EIGHTS - ROUNDS * WARP
"""A warp writes a mask in ROUNDS rounds and a last one of REST threads."""
SEVEN: Final = np.uint64(0x7F)
COPIES: Final = np.uint64(0x0002040810204081)
ONES: Final = np.uint64(0x0101010101010101)
EIGHTH: Final = np.uint64(0x80)
S49: Final = np.uint64(49)


@rule
def spread(bits: np.uint64) -> np.uint64:
    """The lowest 8 bits as 8 bytes: copies of 7 bits are placed 7 bits apart, and the eighth bit is moved."""
    return (((bits & SEVEN) * COPIES) & ONES) | ((bits & EIGHTH) << S49)


@rule
def find(games: Games, number: int, bits: Words) -> None:
    """Write the bits of one mask."""
    for word in range(MARK_WORDS):
        bits[word] = 0
    if number < games.keys.size:
        if may_choose(games, number):
            mark(games.rules, state_of(games.states, number), bits)
        elif IDLE >= 0:
            mark_bits(1, IDLE, bits)


@kernel
def write_all(games: Games, masks: KeyArray) -> None:
    """Write all masks. ``masks`` consists of words of 8 marks.

    The threads of a warp write together, row by row: none waits for another warp, and nothing is divided.
    """
    bits = cuda.shared.array((MARK_WORDS, COLUMNS), np.uint32)
    thread = cuda.threadIdx.x
    lane = thread % WARP
    first = cuda.blockIdx.x * THREADS + thread - lane
    find(games, first + lane, bits[:, thread])
    if SIMULATED:
        cuda.syncthreads()
    else:
        cuda.syncwarp()
    shift = np.uint64((lane & 3) << 3)
    word = lane >> 2
    at = np.uint64(first * EIGHTS + lane)  # without a sign: no test for numbers below 0
    for row in range(thread - lane, thread - lane + min(WARP, games.keys.size - first)):
        for part in range(ROUNDS):
            masks[at + np.uint64(part * WARP)] = spread(np.uint64(bits[word + part * 8, row]) >> shift)
        if lane < REST:
            masks[at + np.uint64(ROUNDS * WARP)] = spread(np.uint64(bits[word + ROUNDS * 8, row]) >> shift)
        at += np.uint64(EIGHTS)


@kernel
def pack_all(games: Games, masks: NDArray[np.uint32]) -> None:
    """Write the bits of all masks. ``masks`` consists of words of MARK_BITS marks."""
    bits = cuda.shared.array((MARK_WORDS, COLUMNS), np.uint32)
    thread = cuda.threadIdx.x
    first = cuda.blockIdx.x * THREADS
    find(games, first + thread, bits[:, thread])
    cuda.syncthreads()
    for index in range(thread, min(THREADS, games.keys.size - first) * MARK_WORDS, THREADS):
        row = index // MARK_WORDS
        masks[first * MARK_WORDS + index] = bits[index - row * MARK_WORDS, row]
