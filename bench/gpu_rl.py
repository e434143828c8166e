"""Checks and measures the vector environment on a CUDA device: python bench/gpu_rl.py --out FOLDER

Needs only the package's sources on PYTHONPATH, NumPy, Numba and numba-cuda. Plays the same games with the cpu and the
cuda tables and compares states, masks, observations and rewards; measures steps a second with masks, with observations
and without; hands arrays to other libraries without a copy. Prints a short table and writes gpu_rl.json and gpu_rl.md.
"""

import argparse
import json
import os
import platform
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

if not hasattr(np, "row_stack"):  # removed in NumPy 2.5, still asked for by some releases of numba-cuda
    np.row_stack = np.vstack  # type: ignore[attr-defined]

from numba import cuda

from cartagena.kernel import layout as at
from cartagena.rl.cuda import CudaTables
from cartagena.rl.tables import Settings, Tables

GAMES = ("jamaica-en", "tortuga-en", "nest-nl")
TARGET = 1e9
SIZES = (1 << 18, 1 << 20, 1 << 21)


def say(*parts: object) -> None:
    print(*parts, flush=True)


def keys(number: int) -> Any:
    return np.random.default_rng(5).integers(1 << 63, size=number, dtype=np.uint64)


def same(ours: CudaTables, theirs: Tables) -> dict[str, bool]:
    """What agrees between the device and the processor."""
    return {
        "states": bool((ours.states() == theirs.states.reshape(theirs.number, -1)).all()),
        "masks": bool((ours.masks.copy_to_host() == theirs.masks).all()),
        "observations": bool((ours.observations.copy_to_host() == theirs.observations).all()),
        "rewards": bool((ours.rewards.copy_to_host() == theirs.rewards).all()),
        "ends": bool((ours.ended.copy_to_host() == theirs.ended).all()),
    }


def compare(number: int, steps: int) -> list[dict[str, Any]]:
    """The same games on both; now and then an action that is not legal."""
    rows = []
    for name in GAMES:
        for seats in (2, 5):
            settings = Settings.of(name, seats, None, 60, "zero-sum")
            ours, theirs = CudaTables(settings, number), Tables(settings, number)
            for tables in (ours, theirs):
                tables.seed(keys(number))
                tables.start()
            found = same(ours, theirs)
            for step in range(steps):
                actions = theirs.sample()
                chosen = ours.sample()
                found["choices"] = found.get("choices", True) and bool((chosen.copy_to_host() == actions).all())
                if step % 50 == 49:
                    actions[:7] = at.DEAL
                theirs.step(actions)
                ours.step(ours.checked_actions(actions))
                if step % 20 == 0:
                    found = {what: found.get(what, True) and good for what, good in same(ours, theirs).items()} | {
                        "choices": found["choices"]
                    }
            good = all(found.values())
            rows.append({"game": name, "seats": seats, "tables": number, "steps": steps, "same": good, "parts": found})
            say("compare", name, seats, "same" if good else f"DIFFERENT {found}")
    return rows


def rate(settings: Settings, number: int, observations: bool, masks: bool, rounds: int) -> float:
    """Steps a second, choosing included."""
    tables = CudaTables(settings, number, observations=observations, masks=masks)
    tables.seed(keys(number))
    tables.start()
    for _ in range(20):
        tables.step(tables.sample())
    cuda.synchronize()
    before = time.perf_counter()
    for _ in range(rounds):
        tables.step(tables.sample())
    cuda.synchronize()
    return number * rounds / (time.perf_counter() - before)


def measure(rounds: int) -> list[dict[str, Any]]:
    rows = []
    for name in GAMES:
        settings = Settings.of(name, 2, None, 1000, "zero-sum")
        for number in SIZES:
            for observations, masks in ((False, False), (False, True), (True, True)):
                if observations and number == SIZES[-1]:
                    continue
                found = rate(settings, number, observations, masks, rounds)
                rows.append(
                    {"game": name, "tables": number, "observations": observations, "masks": masks, "rate": found}
                )
                say("measure", name, number, f"observations={observations} masks={masks}", f"{found:.3e}")
    return rows


def taken(name: str) -> bool:
    """Whether a library takes masks and observations without a copy."""
    settings = Settings.of("jamaica-en", 2, None, 1000, "zero-sum")
    tables = CudaTables(settings, 1000)
    tables.seed(keys(1000))
    tables.start()
    place = tables.masks.__cuda_array_interface__["data"][0]
    if name == "torch":
        torch = import_module("torch")
        one, two = torch.as_tensor(tables.masks, device="cuda"), torch.from_dlpack(tables.observations)
        actions = one.float().argmax(dim=1)
        tables.step(tables.checked_actions(actions))
        return bool(one.data_ptr() == place and two.is_cuda)
    if name == "cupy":
        cupy = import_module("cupy")
        return bool(cupy.from_dlpack(tables.masks).data.ptr == place)
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    jax = import_module("jax")
    return bool(jax.dlpack.from_dlpack(tables.masks).unsafe_buffer_pointer() == place)


def hand_over() -> dict[str, str]:
    found = {}
    for name in ("torch", "cupy", "jax"):
        try:
            found[name] = "without a copy" if taken(name) else "COPIED"
        except Exception as error:  # each library is tried on its own; what it says is the result
            found[name] = f"{type(error).__name__}: {str(error)[:200]}"
        say("hand over to", name, found[name])
    return found


def machine_facts() -> dict[str, Any]:
    import numba
    import numba_cuda

    device = cuda.get_current_device()
    name = device.name.decode() if isinstance(device.name, bytes) else str(device.name)
    facts = {"device": name, "python": platform.python_version(), "numpy": np.__version__, "numba": numba.__version__}
    return facts | {"numba_cuda": numba_cuda.__version__, "date": time.strftime("%Y-%m-%d", time.gmtime())}


def written(folder: Path, found: dict[str, Any]) -> str:
    """The report as text, kept beside the figures."""
    lines = [
        "# Vector environment on CUDA",
        "",
        "`python bench/gpu_rl.py --out FOLDER`: one choice at every table is a",
    ]
    lines += ["step; choosing a random legal action, on the device too, is counted in.", ""]
    lines += [", ".join(f"{key} {value}" for key, value in found["machine"].items()), ""]
    lines += ["| game, 2 seats | tables | observations | masks | steps/s |", "| --- | --- | --- | --- | --- |"]
    marks = {True: "on", False: "off"}
    lines += [
        f"| {row['game']} | {row['tables']} | {marks[row['observations']]} | {marks[row['masks']]} "
        f"| {row['rate']:.3e} |"
        for row in found["measure"]
    ]
    lines += ["", f"Target: {TARGET:.0e} steps/s with masks.", ""]
    lines += ["| game | seats | tables | steps | cpu and cuda |", "| --- | --- | --- | --- | --- |"]
    lines += [
        f"| {row['game']} | {row['seats']} | {row['tables']} | {row['steps']} "
        f"| {'identical' if row['same'] else 'DIFFERENT'} |"
        for row in found["compare"]
    ]
    lines += ["", "Hand-over: " + "; ".join(f"{key}: {value}" for key, value in found["hand_over"].items()), ""]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "gpu_rl.json").write_text(json.dumps(found, indent=1) + "\n")
    (folder / "gpu_rl.md").write_text("\n".join(lines))
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=100, help="steps of a measurement")
    parser.add_argument("--compare", type=int, default=2048, help="tables compared with the cpu")
    chosen = parser.parse_args()
    found: dict[str, Any] = {"machine": machine_facts()}
    say(found["machine"])
    found["compare"] = compare(chosen.compare, 300)
    found["measure"] = measure(chosen.rounds)
    found["hand_over"] = hand_over()
    say(written(chosen.out, found))
    return 0 if all(row["same"] for row in found["compare"]) else 1


if __name__ == "__main__":
    sys.exit(main())
