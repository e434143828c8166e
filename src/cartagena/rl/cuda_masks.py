"""Masks of legal actions on a CUDA device, found as bits and handed out as a byte for each action, or as the bits.

A mask is 1,200 bytes, and a thread that wrote its own would touch one place in each of many far rows at a time. So the
threads of a block find their tables' bits in shared memory first, and then write the block's rows together, from the
first byte to the last, eight marks a thread: what is left is what the memory itself needs. ``changed`` writes only
where a mask differs from the one before: less, but scattered. Both are made for any number of threads in a block.
"""

from typing import Any, Final

import numpy as np
from numba import config, cuda

from cartagena.backends.cuda.compiler import kernel

from ..kernel.layout import ACTIONS, END
from ..kernel.machine import rule
from ..kernel.marks import MARK_WORDS, mark, mark_bits
from .episode import RUNNING

EIGHTS: Final = ACTIONS // 8
"""Words of eight marks in a mask."""
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
def eighth(bits: Any, eight: int) -> Any:
    """Eight marks of a table, as bytes."""
    return spread(np.uint64(bits[eight >> 2]) >> np.uint64((eight & 3) << 3))


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


@rule
def write_rows(bits: Any, rows: int, masks: Any, first: int, thread: int, threads: int) -> None:
    """So many threads write the masks of so many rows together, each eight marks at a time, without dividing."""
    row = thread // EIGHTS
    eight = thread - row * EIGHTS
    for place in range(thread, rows * EIGHTS, threads):
        masks[first * EIGHTS + place] = eighth(bits[:, row], eight)
        row += threads // EIGHTS
        eight += threads % EIGHTS
        if eight >= EIGHTS:
            eight -= EIGHTS
            row += 1


def by_blocks(threads: int) -> Any:
    """A kernel that writes all masks whole, the threads of a block together."""
    columns = threads + 1  # one more, so that neighbours ask different banks

    @kernel
    def write(table: Any, states: Any, stands: Any, _: Any, masks: Any) -> None:
        bits = cuda.shared.array((MARK_WORDS, columns), np.uint32)
        thread = cuda.threadIdx.x
        first = cuda.blockIdx.x * threads
        find(table, states, stands, first + thread, bits[:, thread])
        cuda.syncthreads()
        write_rows(bits, min(threads, stands.size - first), masks, first, thread, threads)

    return write


def by_warps(threads: int) -> Any:
    """The same, the threads of a warp together, row by row: none waits for another warp, and nothing is divided."""
    columns = threads + 1

    @kernel
    def write(table: Any, states: Any, stands: Any, _: Any, masks: Any) -> None:
        bits = cuda.shared.array((MARK_WORDS, columns), np.uint32)
        thread = cuda.threadIdx.x
        lane = thread % WARP
        first = cuda.blockIdx.x * threads + thread - lane
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

    return write


def changed(threads: int) -> Any:
    """A kernel that writes the marks that differ from those of the step before, kept in ``marked``."""
    columns = threads + 1

    @kernel
    def write(table: Any, states: Any, stands: Any, marked: Any, masks: Any) -> None:
        shared = cuda.shared.array((MARK_WORDS, columns), np.uint32)
        number = cuda.grid(1)
        bits = shared[:, cuda.threadIdx.x]
        find(table, states, stands, number, bits)
        if number < stands.size:
            for word in range(MARK_WORDS):
                if marked[word, number] != bits[word]:
                    marked[word, number] = bits[word]
                    for eight in range(word << 2, min((word + 1) << 2, EIGHTS)):
                        masks[number * EIGHTS + eight] = eighth(bits, eight)

    return write


def packed(threads: int) -> Any:
    """A kernel that writes the bits alone, ``masks`` being words of MARK_BITS marks."""
    columns = threads + 1

    @kernel
    def write(table: Any, states: Any, stands: Any, _: Any, masks: Any) -> None:
        shared = cuda.shared.array((MARK_WORDS, columns), np.uint32)
        lane = cuda.threadIdx.x
        first = cuda.blockIdx.x * threads
        find(table, states, stands, first + lane, shared[:, lane])
        cuda.syncthreads()
        for place in range(lane, min(threads, stands.size - first) * MARK_WORDS, threads):
            row = place // MARK_WORDS
            masks[first * MARK_WORDS + place] = shared[place - row * MARK_WORDS, row]

    return write


WAYS: Final = {"blocks": by_blocks, "warps": by_warps, "changed": changed, "bits": packed}
