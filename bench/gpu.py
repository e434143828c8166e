"""Check and measure the CUDA backend on a device: python bench/gpu.py --out FOLDER

Needs only the package's sources on PYTHONPATH, NumPy, Numba and numba-cuda. Compares whole result tables with the cpu
backend, measures rollouts in several launch shapes, batch stepping with masks, and the hand-over of arrays to other
libraries without a copy. Prints a short table and writes gpu.json and gpu.md.
"""

import argparse
import os
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from device import hand_over, handed, kept, machine_facts, say  # isort: skip  # before anything of Numba's CUDA part
from numba import cuda

from cartagena.backends import Batch, rollouts
from cartagena.backends.cuda import Shape, intrinsics, rollout_with
from cartagena.backends.loader import PackageCopy
from cartagena.backends.openings import start_of
from cartagena.backends.rollouts import CAP
from cartagena.jobs import cores
from cartagena.kernel import layout as at

GAMES = ("jamaica-en", "tortuga-en", "hispaniola-en", "nest-nl")
TARGETS = {"jamaica-en": 1.2e10, "tortuga-en": 8e9, "nest-nl": 4e9}
SHAPES = (("shared", 64, 9), ("local", 128, 6), ("local", 64, 12), ("local", 128, 12))


def compare(games: int) -> list[dict[str, Any]]:
    """Compare whole result tables of the processor and the device."""
    rows = []
    for name in GAMES:
        for seats in (2, 3, 5):
            size = games if seats == 2 else games // 10
            ours, theirs = (rollouts(name, size, 11, backend=backend, seats=seats) for backend in ("cuda", "cpu"))
            same = (
                ours.wins == theirs.wins
                and (ours.deadlocks, ours.cut, ours.actions) == (theirs.deadlocks, theirs.cut, theirs.actions)
                and bool((ours.lengths.counts == theirs.lengths.counts).all())
            )
            row = {"game": name, "seats": seats, "games": size, "same": same, "wins": ours.wins}
            rows.append(row | {"deadlocks": ours.deadlocks, "cut": ours.cut, "actions": ours.actions})
            say("compare", name, seats, size, "same" if same else "DIFFERENT", ours.wins, ours.deadlocks, ours.cut)
    return rows


def loaded(kind: str, threads: int) -> Any:
    """Return the kernel with states in that memory, compiled for blocks of that many threads."""
    replaced = {"kernel.intrinsics": intrinsics, "backends.portable.intrinsics": intrinsics}
    module = PackageCopy(f"cartagena.backends._cuda_try_{kind}_{threads}", replaced).load("backends.cuda.rollout")
    module.THREADS = threads  # type: ignore[attr-defined]
    return getattr(module, f"rollout_{kind}")


def measure(games: int) -> list[dict[str, Any]]:
    """Measure actions per second in several launch shapes."""
    rows = []
    kernels = {(kind, threads): loaded(kind, threads) for kind, threads, _ in SHAPES}
    for name in ("jamaica-en", "tortuga-en", "nest-nl"):
        start = start_of(name, 2)
        for kind, threads, blocks in SHAPES:
            shape = Shape(kernels[kind, threads], threads, blocks)
            rollout_with(shape, start, 5, 0, 100_000, CAP)
            best, actions = 0.0, 0
            for turn in range(3):
                before = time.perf_counter()
                actions = rollout_with(shape, start, 7 + turn, 0, games, CAP).actions
                best = max(best, actions / (time.perf_counter() - before))
            registers = next(iter(shape.kernel.get_regs_per_thread().values()), 0)
            rows.append({"game": name, "memory": kind, "threads": threads, "blocks": blocks, "rate": best})
            rows[-1] |= {"registers": registers, "target": TARGETS[name], "actions": actions}
            say("measure", name, kind, threads, blocks, f"{best:.3e}", "regs", registers)
    return rows


def growth() -> list[dict[str, Any]]:
    """Measure the rate from 1,000 to 50 million games."""
    rows = []
    start = "jamaica-en"
    for games in (10**3, 10**4, 10**5, 10**6, 10**7, 5 * 10**7):
        before = time.perf_counter()
        actions = rollouts(start, games, 3, backend="cuda").actions
        rows.append({"games": games, "rate": actions / (time.perf_counter() - before)})
        say("growth", games, f"{rows[-1]['rate']:.3e}")
    return rows


def measured(seconds: dict[str, float], what: str, work: Any, counts: bool) -> Any:
    """Do the work and add its time if it counts."""
    cuda.synchronize()
    before = time.perf_counter()
    given = work()
    cuda.synchronize()
    seconds[what] += (time.perf_counter() - before) * counts
    return given


def timed(batch: Batch, size: int) -> dict[str, float]:
    """Measure games per second for each operation of a batch; every step plays sampled moves."""
    batch.legal(), batch.views()
    seconds = {"sample": 0.0, "step": 0.0, "legal": 0.0, "views": 0.0}
    for turn in range(30):
        actions = measured(seconds, "sample", batch.sample, turn >= 10)
        measured(seconds, "step", lambda chosen=actions: batch.step(chosen, check=False), turn >= 10)
        measured(seconds, "legal", batch.legal, turn >= 10)
        measured(seconds, "views", batch.views, turn >= 10)
    seconds["step with masks"] = seconds["step"] + seconds["legal"]
    return {what: 20 * size / spent for what, spent in seconds.items()}


def batches(size: int) -> list[dict[str, Any]]:
    """Step a batch on the device with masks and views, and compare the states with the processor's."""
    rows = []
    for name in ("jamaica-en", "nest-nl"):
        ours, theirs = (Batch(name, 4096, 9, backend) for backend in ("cuda", "cpu"))
        for _ in range(60):
            actions = theirs.legal().argmax(axis=1)
            actions[theirs.states[:, at.OVER] != 0] = -1
            ours.step(actions)
            theirs.step(actions)
        same = bool((ours.states.copy_to_host() == theirs.states).all())
        same &= bool((ours.legal().copy_to_host() == theirs.legal()).all())
        same &= bool((ours.views().copy_to_host() == theirs.views()).all())
        timings = timed(Batch(name, size, 1, "cuda"), size)
        rows.append({"game": name, "same": same, "size": size, "per_second": timings})
        say("batch", name, "same" if same else "DIFFERENT", {key: f"{value:.3e}" for key, value in timings.items()})
    return rows


def taken_by_torch(batch: Batch) -> bool:
    torch = import_module("torch")
    one, two = torch.as_tensor(batch.states, device="cuda"), torch.from_dlpack(batch.states)
    one[0, at.ROW] = 77
    return bool(batch.states.copy_to_host()[0, at.ROW] == 77 and int(two[0, at.ROW]) == 77)


def taken_by_cupy(batch: Batch) -> bool:
    cupy = import_module("cupy")
    one, two = cupy.asarray(batch.states), cupy.from_dlpack(batch.states)
    one[0, at.ROW] = 78
    return bool(batch.states.copy_to_host()[0, at.ROW] == 78 and int(two[0, at.ROW]) == 78)


def taken_by_jax(batch: Batch) -> bool:
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    jax = import_module("jax")
    jax.config.update("jax_enable_x64", True)
    array = jax.dlpack.from_dlpack(batch.states)
    place = batch.states.__cuda_array_interface__["data"][0]
    return bool(array.unsafe_buffer_pointer() == place and (np.asarray(array) == batch.states.copy_to_host()).all())


TAKEN = {"torch": taken_by_torch, "cupy": taken_by_cupy, "jax": taken_by_jax}


def written(folder: Path, found: dict[str, Any]) -> str:
    """Write the report beside the figures and return it."""
    lines = ["# CUDA backend", "", ", ".join(f"{key} {value}" for key, value in found["machine"].items()), ""]
    lines += ["Repeat it on a machine with a GPU: `python bench/gpu.py --out FOLDER`.", ""]
    lines += [
        "| game | memory | threads | blocks | registers | actions/s | target |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    lines += [
        f"| {row['game']} | {row['memory']} | {row['threads']} | {row['blocks']} | {row['registers']} "
        f"| {row['rate']:.3e} | {row['target']:.1e} |"
        for row in found["measure"]
    ]
    lines += ["", "| game | seats | games | result tables cpu and cuda | actions |", "| --- | --- | --- | --- | --- |"]
    lines += [
        f"| {row['game']} | {row['seats']} | {row['games']} | {'identical' if row['same'] else 'DIFFERENT'} "
        f"| {row['actions']} |"
        for row in found["compare"]
    ]
    lines += ["", "| batch of | states and masks cpu and cuda | games a second |", "| --- | --- | --- |"]
    lines += [
        f"| {row['size']} {row['game']} | {'identical' if row['same'] else 'DIFFERENT'} | "
        + ", ".join(f"{key} {value:.2e}" for key, value in row["per_second"].items())
        + " |"
        for row in found["batch"]
    ]
    lines += ["", "| games in one call | actions/s |", "| --- | --- |"]
    lines += [f"| {row['games']} | {row['rate']:.3e} |" for row in found["growth"]]
    return kept(folder, "gpu", found, lines + handed(found))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--games", type=int, default=1_000_000, help="games compared with the cpu backend")
    parser.add_argument("--measure", type=int, default=30_000_000, help="games of a measurement")
    chosen = parser.parse_args()
    found: dict[str, Any] = {"machine": machine_facts() | {"cores": cores()}}
    say(found["machine"])
    found["measure"] = measure(chosen.measure)
    found["hand_over"] = hand_over(lambda name: TAKEN[name](Batch("jamaica-en", 1000, 1, "cuda")))
    found["batch"] = batches(1 << 20)
    found["growth"] = growth()
    found["compare"] = compare(chosen.games)
    say(written(chosen.out, found))
    return 0 if all(row["same"] for row in found["compare"] + found["batch"]) else 1


if __name__ == "__main__":
    sys.exit(main())
