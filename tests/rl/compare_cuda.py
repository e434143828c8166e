"""Plays the same games on the cuda and the cpu engine and compares all that comes out: run by ``test_cuda``.

With NUMBA_ENABLE_CUDASIM=1 in the environment no device is needed: Numba's simulator runs the same kernels thread by
thread in Python. It counts bits in words of 32 only and lacks streams, so these are given to it here.
"""

import ctypes
import sys
import warnings
from typing import Any

import numpy as np
from numba import config, cuda

from cartagena.backends.vector import host
from cartagena.kernel import intrinsics as plain
from cartagena.kernel import layout as at

if config.ENABLE_CUDASIM:
    from numba.cuda.simulator.cudadrv.devicearray import FakeCUDAArray

    from cartagena.backends.cuda import intrinsics

    warnings.filterwarnings("ignore", "overflow encountered")  # words without a sign wrap around, as on a device
    intrinsics.popcount = lambda mask: plain.popcount(int(mask))
    intrinsics.lowest = lambda mask: plain.lowest(int(mask))
    intrinsics.highest = lambda mask: plain.highest(int(mask))
    FakeCUDAArray.__cuda_array_interface__ = property(lambda array: array._ary.__array_interface__)
    cuda.legacy_default_stream, cuda.per_thread_default_stream = (lambda: "legacy"), (lambda: "thread")
    cuda.external_stream = lambda handle: f"external {handle}"
    cuda.as_cuda_array = lambda array: FakeCUDAArray(np.asarray(array))

from tests.variants import every_key

from cartagena.backends import BackendError, Batch
from cartagena.backends.cuda import arrays
from cartagena.backends.cuda import vector as device
from cartagena.rl.compiled.episode import HOLD
from cartagena.rl.tables import EnvSettings, Tables
from cartagena.rulesets import RuleSet, by_name

if config.ENABLE_CUDASIM:  # there a thread costs far more than what it does
    device.BLOCK, device.FILLERS = 32, 1  # type: ignore[misc]

PARTS = ("masks", "observations", "rewards", "gained", "ended", "cut", "viewers", "status", "sitting")


def differing(ours: Tables, theirs: Tables) -> list[str]:
    """Name what is not the same at some table."""
    other = [name for name in PARTS if (getattr(ours, name).copy_to_host() != getattr(theirs, name)).any()]
    if (host(ours.engine.arrays.states) != theirs.engine.arrays.states).any():
        other.append("states")
    return other


def compare(settings: EnvSettings, number: int, steps: int, masks: bool | str, learners: list[int]) -> dict[str, int]:
    """Play the same games on both; one is forfeited now and then. Count how many episodes ended, and which way."""
    ours, theirs = (Tables(settings, number, backend=backend, masks=masks) for backend in ("cuda", "cpu"))
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
        if step % 7 == 6:
            actions[number - 1] = HOLD
        theirs.step(actions)
        ours.step(ours.engine.taken(actions, "actions"))
        assert differing(ours, theirs) == [], f"step {step}"
        assert theirs.masks.any(axis=1).all()
        for name, count in ends.items():
            ends[name] = count + int(getattr(theirs, name).sum())
    return ends


def refusal(batch: Batch, actions: object) -> str:
    """Return the sentence with which a batch refuses actions."""
    try:
        batch.step(actions)
    except BackendError as error:
        return str(error)
    return "played"


def compare_refusals(size: int) -> None:
    """Both refuse the same actions with the same sentence."""
    ours, theirs = (Batch("nest-nl", size, 9, backend, seats=3) for backend in ("cuda", "cpu"))
    assert refusal(ours, [at.SAIL] * size) == refusal(theirs, [at.SAIL] * size)
    assert "is not legal in game 0; nothing was played" in refusal(ours, [at.SAIL] * size)
    for wrong in ([1] * (size - 1), [[1] * size], [1.5] * size, "abc", None):
        assert refusal(ours, wrong) == refusal(theirs, wrong)
    for short in (np.zeros(size - 1, np.int64), np.zeros((size, 2), np.int8), np.zeros(size, np.float32)):
        given = cuda.to_device(short)
        for array in (given, arrays.DeviceArray(given)):
            assert refusal(ours, array) == refusal(theirs, short) != "played", "an array that is on the device already"


def compare_batches(rules: RuleSet, size: int, steps: int) -> None:
    """Step the same batches on both, starting some games anew on the way."""
    ours, theirs = (Batch(rules, size, 9, backend, seats=3) for backend in ("cuda", "cpu"))
    marks = arrays.DeviceArray(cuda.to_device(np.zeros(size, np.bool_)))
    ours.reset(marks)
    for step in range(steps):
        actions = theirs.sample()
        assert (ours.sample().copy_to_host() == actions).all()
        assert (ours.legal().copy_to_host() == theirs.legal()).all()
        assert (ours.views().copy_to_host() == theirs.views()).all()
        for batch in (ours, theirs):
            batch.step(actions)
            batch.reset(np.arange(size) % 3 == step)
        assert (ours.states.copy_to_host() == theirs.states).all(), f"{rules.title}, step {step}"
        assert (ours.keys.copy_to_host() == theirs.keys).all()


def check_where_arrays_are_made() -> None:
    """Only rule tables and openings come from the host; no array of many games is copied from there."""
    copied = []
    real = cuda.to_device

    def noted(array: Any) -> Any:
        copied.append(array.size)
        return real(array)

    cuda.to_device = noted
    Tables(EnvSettings.of("jamaica-en", 2), 100, backend="cuda", masks="bits")
    cuda.to_device = real
    assert copied
    assert max(copied) < 100


def check_hand_over() -> None:
    """The consumer's stream waits for our work, and the capsule describes the array as it is."""
    waits = []
    real = cuda.event

    class Recorded:
        """An event that notes who waits for it."""

        def __init__(self) -> None:
            self.event = real()

        def record(self) -> None:
            self.event.record()
            waits.append("recorded")

        def wait(self, stream: object) -> None:
            waits.append(str(stream))

    cuda.event = Recorded
    array = arrays.DeviceArray(cuda.to_device(np.arange(6).reshape(2, 3)), transposed=True)
    for stream, expected in ((None, "legacy"), (1, "legacy"), (2, "thread"), (77, "external 77"), (-1, None)):
        waits.clear()
        capsule = array.__dlpack__(stream=stream)
        assert waits == ([] if expected is None else ["recorded", expected]), (stream, waits)
        place = arrays.pointer_of(id(capsule), arrays.NAME)
        tensor = ctypes.cast(place, ctypes.POINTER(arrays.Managed)).contents.tensor
        assert (list(tensor.shape[:2]), list(tensor.strides[:2])) == ([3, 2], [1, 3])
    wrongs: tuple[dict[str, Any], ...] = ({"stream": 0}, {"copy": True}, {"dl_device": (1, 0)})
    for wrong in wrongs:
        try:
            array.__dlpack__(**wrong)
        except (ValueError, BufferError):
            continue
        raise AssertionError(f"{wrong} was accepted")
    cuda.event = real


def main() -> None:
    tables, steps = (int(number) for number in sys.argv[1:])
    everybody = compare(EnvSettings.of("jamaica-en", 2, turns=3), 3, 2 * steps, True, [])
    learners = compare(EnvSettings.of("nest-nl", 3, turns=4), tables, steps, "bits", [0, 2])
    compare_refusals(4)
    compare_batches(by_name("nest-nl"), 4, 3)
    for variant in every_key().values():
        compare_batches(variant, 3, steps)
    check_where_arrays_are_made()
    if config.ENABLE_CUDASIM:
        check_hand_over()
    print(everybody["ended"], everybody["cut"], learners["ended"], learners["cut"])


if __name__ == "__main__":
    main()
