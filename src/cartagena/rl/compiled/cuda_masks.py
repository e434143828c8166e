"""Masks of legal actions on a CUDA device, found as bits and handed out as a byte for each action, or as the bits.

A mask is 1,200 bytes, and a thread that wrote its own would touch one place in each of many far rows at a time. So the
threads of a block find their tables' bits in shared memory first, and then write rows together, from the first byte to
the last, eight marks a thread: what is left is what the memory itself needs. Both were slower when tried: whole blocks
writing together, and writing only what differs from the mask before, which is less but scattered.
"""

from typing import Any, Final

import numpy as np
from numba import config, cuda

from cartagena.backends.cuda.compiler import kernel

from ...kernel.intrinsics import rule
from ...kernel.layout import ACTIONS, END
from ...kernel.legal_mask import MARK_WORDS, mark, mark_bits
from .episode import RUNNING

EIGHTS: Final = ACTIONS // 8
"""Words of eight marks in a mask."""
THREADS: Final = 128
"""Threads of a block; fewer or more were no quicker (bench/results/gpu_rl.md)."""
COLUMNS: Final = THREADS + 1  # one more, so that neighbours ask different banks
WARP: Final = 32
SIMULATED: Final = bool(config.ENABLE_CUDASIM)  # Numba's simulator knows blocks only
ROUNDS: Final = EIGHTS // WARP
REST: Final = EIGHTS - ROUNDS * WARP
"""A warp writes a mask in so many rounds and a last one of so many threads."""
SEVEN: Final = np.uint64(0x7F)
COPIES: Final = np.uint64(0x0002040810204081)
ONES: Final = np.uint64(0x0101010101010101)
EIGHTH: Final = np.uint64(0x80)
S49: Final = np.uint64(49)


@rule
def spread(bits: Any) -> Any:
    """The lowest eight bits as eight bytes: copies of seven bits lie seven bits apart, and the eighth is moved."""
    return (((bits & SEVEN) * COPIES) & ONES) | ((bits & EIGHTH) << S49)


@rule
def find(table: Any, states: Any, stands: Any, number: int, bits: Any) -> None:
    """The bits of one table's mask; where the game is over the one choice is ``end``."""
    for word in range(MARK_WORDS):
        bits[word] = 0
    if number < stands.size:
        if stands[number] == RUNNING:
            mark(table, states[:, number], bits)
        else:
            mark_bits(1, END, bits)


@kernel
def write_all(table: Any, states: Any, stands: Any, masks: Any) -> None:
    """Write all masks, ``masks`` being words of eight marks.

    The threads of a warp write together, row by row: none waits for another warp, and nothing is divided.
    """
    bits = cuda.shared.array((MARK_WORDS, COLUMNS), np.uint32)
    thread = cuda.threadIdx.x
    lane = thread % WARP
    first = cuda.blockIdx.x * THREADS + thread - lane
    find(table, states, stands, first + lane, bits[:, thread])
    if SIMULATED:
        cuda.syncthreads()
    else:
        cuda.syncwarp()
    shift = np.uint64((lane & 3) << 3)
    word = lane >> 2
    place = np.uint64(first * EIGHTS + lane)  # without a sign: the compiler need not ask whether it is below 0
    for row in range(thread - lane, thread - lane + min(WARP, stands.size - first)):
        for part in range(ROUNDS):
            masks[place + np.uint64(part * WARP)] = spread(np.uint64(bits[word + part * 8, row]) >> shift)
        if lane < REST:
            masks[place + np.uint64(ROUNDS * WARP)] = spread(np.uint64(bits[word + ROUNDS * 8, row]) >> shift)
        place += np.uint64(EIGHTS)


@kernel
def pack_all(table: Any, states: Any, stands: Any, masks: Any) -> None:
    """Write the bits of all masks alone, ``masks`` being words of MARK_BITS marks."""
    bits = cuda.shared.array((MARK_WORDS, COLUMNS), np.uint32)
    thread = cuda.threadIdx.x
    first = cuda.blockIdx.x * THREADS
    find(table, states, stands, first + thread, bits[:, thread])
    cuda.syncthreads()
    for place in range(thread, min(THREADS, stands.size - first) * MARK_WORDS, THREADS):
        row = place // MARK_WORDS
        masks[first * MARK_WORDS + place] = bits[place - row * MARK_WORDS, row]
