"""Plays the same games with the cuda and the cpu tables and compares all that comes out: run by ``test_cuda``.

With NUMBA_ENABLE_CUDASIM=1 in the environment no device is needed: Numba's simulator runs the same kernels thread by
thread in Python. It counts bits in words of 32 only, so the three bit operations are given to it here.
"""

import sys
import warnings

import numpy as np
from numba import config

from cartagena.kernel import intrinsics as plain
from cartagena.kernel import layout as at

if config.ENABLE_CUDASIM:
    from cartagena.backends.cuda import intrinsics

    warnings.filterwarnings("ignore", "overflow encountered")  # words without a sign may run over, as on a device
    intrinsics.popcount = lambda mask: plain.popcount(int(mask))
    intrinsics.lowest = lambda mask: plain.lowest(int(mask))
    intrinsics.highest = lambda mask: plain.highest(int(mask))

from cartagena.rl import cuda
from cartagena.rl.tables import Settings, Tables

if config.ENABLE_CUDASIM:  # there a thread costs far more than what it does
    cuda.BLOCK, cuda.CLEARERS = 32, 1  # type: ignore[misc]

PARTS = ("masks", "observations", "rewards", "gained", "ended", "cut", "viewers", "stands")


def differing(ours: cuda.CudaTables, theirs: Tables) -> list[str]:
    """What is not the same at some table."""
    found = [name for name in PARTS if (getattr(ours, name).copy_to_host() != getattr(theirs, name)).any()]
    if (ours.states() != theirs.states.reshape(theirs.number, at.WORDS)).any():
        found.append("states")
    if (ours.sitting().copy_to_host() != theirs.sitting()).any():
        found.append("sitting")
    return found


def compare(
    rules: str, seats: int, number: int, steps: int, masks: bool | str, learners: list[int], turns: int
) -> dict[str, int]:
    """The same games on both; one is forfeited now and then. How many episodes ended, and which way."""
    settings = Settings.of(rules, seats, turns=turns)
    ours, theirs = cuda.CudaTables(settings, number, masks=masks), Tables(settings, number, masks=masks)
    for tables in (ours, theirs):
        tables.seed(np.random.default_rng(3).integers(1 << 63, size=number, dtype=np.uint64))
        if learners:
            tables.seat_learners(learners)
        tables.start()
    assert differing(ours, theirs) == []
    ends = {"ended": 0, "cut": 0}
    for step in range(steps):
        actions = theirs.sample()
        assert (ours.sample().copy_to_host() == actions).all()
        if step % 5 == 4:
            actions[step % number] = at.DEAL
        theirs.step(actions)
        ours.step(ours.checked_actions(actions))
        assert differing(ours, theirs) == [], f"step {step}"
        assert theirs.masks.any(axis=1).all()
        for name, count in ends.items():
            ends[name] = count + int(getattr(theirs, name).sum())
    return ends


def main() -> None:
    tables, steps = (int(number) for number in sys.argv[1:])
    everybody = compare("jamaica-en", 2, 3, 2 * steps, True, [], turns=3)
    learners = compare("nest-nl", 3, tables, steps, "bits", [0, 2], turns=4)
    print(everybody["ended"], everybody["cut"], learners["ended"], learners["cut"])


if __name__ == "__main__":
    main()
