"""Masks of legal actions on a CUDA device: found as bits, written as a byte for each action, or as the bits.

A mask has 1,200 bytes, and a thread that wrote its own would touch one place in each of many distant rows at a time. So
the threads of a block find their games' bits in shared memory first, and then write rows together, from the first byte
to the last, 8 marks a thread: what is left is the bandwidth of the memory. Two other ways were slower: whole blocks
writing together, and writing only what differs from the mask before, which is less but scattered.
"""

from typing import Any, Final

import numpy as np
from numba import config, cuda

from cartagena.backends.cuda.compiler import kernel

from ...kernel.intrinsics import rule
from ...kernel.layout import ACTIONS
from ...kernel.legal_mask import MARK_WORDS, mark, mark_bits
from ..portable.episode import IDLE, may_choose
from ..portable.games import Games
from ..portable.intrinsics import state_of

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
def spread(bits: Any) -> Any:
    """The lowest 8 bits as 8 bytes: copies of 7 bits are placed 7 bits apart, and the eighth bit is moved."""
    return (((bits & SEVEN) * COPIES) & ONES) | ((bits & EIGHTH) << S49)


@rule
def find(games: Games, number: int, bits: Any) -> None:
    """Write the bits of one mask."""
    for word in range(MARK_WORDS):
        bits[word] = 0
    if number < games.keys.size:
        if may_choose(games, number):
            mark(games.table, state_of(games.states, number), bits)
        elif IDLE >= 0:
            mark_bits(1, IDLE, bits)


@kernel
def write_all(games: Games, masks: Any) -> None:
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
    place = np.uint64(first * EIGHTS + lane)  # without a sign: no test for numbers below 0
    for row in range(thread - lane, thread - lane + min(WARP, games.keys.size - first)):
        for part in range(ROUNDS):
            masks[place + np.uint64(part * WARP)] = spread(np.uint64(bits[word + part * 8, row]) >> shift)
        if lane < REST:
            masks[place + np.uint64(ROUNDS * WARP)] = spread(np.uint64(bits[word + ROUNDS * 8, row]) >> shift)
        place += np.uint64(EIGHTS)


@kernel
def pack_all(games: Games, masks: Any) -> None:
    """Write the bits of all masks. ``masks`` consists of words of MARK_BITS marks."""
    bits = cuda.shared.array((MARK_WORDS, COLUMNS), np.uint32)
    thread = cuda.threadIdx.x
    first = cuda.blockIdx.x * THREADS
    find(games, first + thread, bits[:, thread])
    cuda.syncthreads()
    for place in range(thread, min(THREADS, games.keys.size - first) * MARK_WORDS, THREADS):
        row = place // MARK_WORDS
        masks[first * MARK_WORDS + place] = bits[place - row * MARK_WORDS, row]
