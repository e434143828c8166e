"""Rollouts on a CUDA device. Needs the extra ``gpu``."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numba import cuda

from cartagena.backends.loader import EPISODE, PackageCopy, compiled_copy, once
from cartagena.backends.openings import Start
from cartagena.backends.policies import UNIFORM
from cartagena.backends.results import ENDS, LENGTHS, Tally
from cartagena.kernel import layout as at

from . import intrinsics
from .arrays import RawArray
from .compiler import Kernel

BLOCKS: Final = {"shared": 9, "local": 6}
"""Blocks for each multiprocessor: as many as fit in its memory."""
LAUNCH = 1 << 24
"""Games of one launch, so that a long run can be interrupted."""


@once
def compiled_with(policy: str = UNIFORM, episode: str = EPISODE) -> PackageCopy:
    """Return the package compiled for CUDA devices, with this policy and this kind of episode compiled in."""
    return compiled_copy("cartagena.backends._cuda", intrinsics, policy, episode)


def launches(first: int, last: int) -> Iterator[tuple[int, int]]:
    """Divide the games into launches."""
    for low in range(first, last, LAUNCH):
        yield low, min(low + LAUNCH, last)


def rollout(start: Start, seed: int, first: int, last: int, cap: int, policy: str = UNIFORM) -> Tally:
    """Play the games ``first`` to ``last`` - 1 of a seed."""
    module = compiled_with(policy).load("backends.cuda.rollout")
    if start.rules[at.T_NEST]:  # its turns diverge: more threads are worth more than fast memory
        shape = Shape(module.rollout_local, 128, BLOCKS["local"])
    else:
        shape = Shape(module.rollout_shared, module.THREADS, BLOCKS["shared"])
    return rollout_with(shape, start, seed, first, last, cap)


class Shape(NamedTuple):
    """A kernel with the threads of a block and the blocks of a multiprocessor."""

    kernel: Kernel
    threads: int
    blocks: int


class Counts(NamedTuple):
    """What the threads count together: games taken, how games end, how long they are, and all moves."""

    taken: RawArray
    ends: RawArray
    lengths: RawArray
    made: RawArray


def rollout_with(shape: Shape, start: Start, seed: int, first: int, last: int, cap: int) -> Tally:
    """Play the games with a kernel."""
    plan, opening = (cuda.to_device(np.array(numbers, np.int64)) for numbers in (start.plan, start.words))
    total = Counts(*(cuda.to_device(np.zeros(size, np.int64)) for size in (1, ENDS, LENGTHS, 1)))
    grid = cuda.get_current_device().MULTIPROCESSOR_COUNT * shape.blocks
    for low, high in launches(first, last):
        counts = total._replace(taken=cuda.to_device(np.array([low], np.int64)))
        given = np.int64(seed), np.int64(high), np.int64(cap), counts
        shape.kernel[grid, shape.threads](start.rules, plan, opening, *given)
        cuda.synchronize()
    ends, lengths, made = (array.copy_to_host() for array in total[1:])
    return Tally(ends, lengths, int(made[0]))
