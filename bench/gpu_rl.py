"""Check and measure the vector environment on a CUDA device: python bench/gpu_rl.py --out FOLDER

Needs only the package's sources on PYTHONPATH, NumPy, Numba and numba-cuda. Plays the same games with the cpu and the
cuda tables and compares states, masks, observations and rewards; measures steps a second without masks, with masks of
bytes and of bits, and with observations; hands arrays to other libraries without a copy. Stops measuring after
``--seconds``. Prints a short table and writes gpu_rl.json and gpu_rl.md.

The committed table compares four ways of writing masks, each with 32 to 256 threads in a block: ``warps`` (a warp
writes rows together), ``blocks`` (a block does), ``changed`` (only what differs from the mask before) and ``bits`` (a
bit for each action). ``warps`` was the fastest for bytes, and 128 threads were as good as any; the other ways were
removed, and its rows are called ``bytes`` in a new table.
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

from cartagena.backends.cuda import compiled_with
from cartagena.kernel import layout as at
from cartagena.rl.tables import BITS, EPISODE, EnvSettings, Tables, unpacked

GAMES = ("jamaica-en", "tortuga-en", "nest-nl")
TARGET = 1e9
SIZES = (1 << 22, 1 << 21, 1 << 20, 1 << 18)
MOST_SEEN = 1 << 20
"""The most tables with observations, which take more memory and time than masks."""
MASKS: dict[str, bool | str] = {"off": False, "bytes": True, BITS: BITS}
"""The name of a row, and the argument ``masks``."""
MASK_BYTES = at.ACTIONS


def keys(number: int) -> Any:
    return np.random.default_rng(5).integers(1 << 63, size=number, dtype=np.uint64)


def as_bytes(masks: Any) -> Any:
    """Return masks with a byte for each action."""
    return masks if masks.shape[1] == at.ACTIONS else unpacked(np.ascontiguousarray(masks))


def same(ours: Tables, theirs: Tables) -> dict[str, bool]:
    """Return which parts agree between the device and the processor."""
    found = {
        "states": bool((ours.engine.arrays.states.copy_to_host() == theirs.engine.arrays.states).all()),
        "masks": bool((as_bytes(ours.masks.copy_to_host()) == as_bytes(theirs.masks)).all()),
        "rewards": bool((ours.rewards.copy_to_host() == theirs.rewards).all()),
        "ends": bool((ours.ended.copy_to_host() == theirs.ended).all()),
    }
    if ours.observations.array.size:
        found["observations"] = bool((ours.observations.copy_to_host() == theirs.observations).all())
    return found


def agreement(ours: Tables, theirs: Tables, steps: int) -> dict[str, bool]:
    """Return whether the same games stay the same; some actions are illegal."""
    found: dict[str, bool] = {}
    for tables in (ours, theirs):
        tables.seed(keys(theirs.number))
        tables.start()
    for step in range(steps):
        actions = theirs.sample()
        seen = {"choices": bool((ours.sample().copy_to_host() == actions).all())}
        if step % 50 == 49:
            actions[:7] = at.DEAL
        theirs.step(actions)
        ours.step(ours.engine.taken(actions, "actions"))
        if step % 10 in {0, 9}:
            seen |= same(ours, theirs)
        found = {what: found.get(what, True) and seen.get(what, True) for what in found | seen}
    return found


def compare(number: int, steps: int) -> list[dict[str, Any]]:
    """Play the same games on both, with 2, 3 and 5 seats; some are cut, some forfeited."""
    rows = []
    for name in GAMES:
        for seats, way in [(2, "bytes"), (5, "bytes"), (3, BITS)]:
            settings = EnvSettings.of(name, seats, turns=20)
            ours, theirs = (Tables(settings, number, backend=name, masks=MASKS[way]) for name in ("cuda", "cpu"))
            found = agreement(ours, theirs, steps)
            row = {"game": name, "seats": seats, "way": way, "tables": number, "steps": steps, "parts": found}
            rows.append(row | {"same": all(found.values())})
            say("compare", name, seats, way, "same" if rows[-1]["same"] else f"DIFFERENT {found}")
    return rows


def spent(tables: Tables, rounds: int, *, step: bool) -> float:
    """Return the seconds for ``rounds`` choices at every table, and for as many steps if they are wanted."""
    cuda.synchronize()
    before = time.perf_counter()
    for _ in range(rounds):
        actions = tables.sample()
        if step:
            tables.step(actions)
    cuda.synchronize()
    return time.perf_counter() - before


def measured(settings: EnvSettings, number: int, observations: bool, way: str, rounds: int) -> dict[str, Any]:
    """Return one row: steps per second, including the choice, and choices per second."""
    tables = Tables(settings, number, backend="cuda", observations=observations, masks=MASKS[way])
    tables.seed(keys(number))
    tables.start()
    spent(tables, 20, step=True)
    rate = number * rounds / spent(tables, rounds, step=True)
    row: dict[str, Any] = {"game": settings.rules.name, "tables": number, "observations": observations, "masks": way}
    row |= {"rate": rate, "choices": number * rounds / spent(tables, rounds, step=False)}
    say("measure", *row.values())
    return row


def plan() -> list[tuple[str, int, bool, str]]:
    """Return what is measured, the most important first: game, tables, observations, masks."""
    wanted = [(name, size, False, way) for size in SIZES for name in GAMES for way in MASKS]
    wanted += [(name, MOST_SEEN, True, "bytes") for name in GAMES]
    return wanted + [(GAMES[0], 1 << 10, False, way) for way in MASKS]


def measure(rounds: int, until: float) -> list[dict[str, Any]]:
    """Measure all rows for which there is time."""
    rows = []
    for name, number, observations, way in plan():
        if time.monotonic() > until:
            say("out of time before", name, number, observations, way)
            break
        rows.append(measured(EnvSettings.of(name, 2), number, observations, way, rounds))
    return rows


def resources() -> list[dict[str, Any]]:
    """Return the registers and memory of the kernels that write masks."""
    code = compiled_with(episode=EPISODE).load("backends.cuda.vector_loops")
    rows = []
    for way, writer in (("bytes", code.write_all), (BITS, code.pack_all)):
        for kernel in writer.overloads.values():
            facts = {what: getattr(kernel, what) for what in ("regs_per_thread", "local_mem_per_thread")}
            rows.append({"way": way, "shared": kernel.shared_mem_per_block} | facts)
            say("resources", rows[-1])
    return rows


def taken(name: str) -> bool:
    """Return whether a library takes masks and observations without a copy."""
    settings = EnvSettings.of("jamaica-en", 2)
    tables = Tables(settings, 1000, backend="cuda")
    tables.seed(keys(1000))
    tables.start()
    place = tables.masks.__cuda_array_interface__["data"][0]
    if name == "torch":
        torch = import_module("torch")
        one, two = torch.as_tensor(tables.masks, device="cuda"), torch.from_dlpack(tables.observations)
        actions = one.float().argmax(dim=1)
        tables.step(tables.engine.taken(actions, "actions"))
        return bool(one.data_ptr() == place and two.is_cuda)
    if name == "cupy":
        cupy = import_module("cupy")
        return bool(cupy.from_dlpack(tables.masks).data.ptr == place)
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    jax = import_module("jax")
    return bool(jax.dlpack.from_dlpack(tables.masks).unsafe_buffer_pointer() == place)


def measured_line(row: dict[str, Any], rows: list[dict[str, Any]]) -> str:
    """Return a line of the table; the cost of masks is the time beyond that of the same steps without them."""
    bare = [other["rate"] for other in rows if other["masks"] == "off"
            and (other["game"], other["tables"]) == (row["game"], row["tables"])]  # fmt: skip
    cost = 1e9 / row["rate"] - 1e9 / bare[0] if bare and row["masks"] != "off" and not row["observations"] else 0.0
    speed = f"{MASK_BYTES / cost / 1e3:.2f}" if cost > 0 and row["masks"] != BITS else ""
    seen = "on" if row["observations"] else "off"
    start = f"| {row['game']} | {row['tables']} | {seen} | {row['masks']} | {row['rate']:.3e} "
    return start + f"| {f'{cost:.3f}' if cost else ''} | {speed} |"


def written(folder: Path, found: dict[str, Any]) -> str:
    """Write the report beside the figures and return it."""
    lines = [
        "# Vector environment on CUDA",
        "",
        "`python bench/gpu_rl.py --out FOLDER`: one choice at every table is a",
    ]
    lines += ["step; choosing a random legal action, on the device too, is counted in.", ""]
    lines += [", ".join(f"{key} {value}" for key, value in found["machine"].items()), ""]
    lines += ["| game, 2 seats | tables | observations | masks | steps/s | ns for masks | TB/s |"]
    lines += ["| --- | --- | --- | --- | --- | --- | --- |"]
    lines += [measured_line(row, found["measure"]) for row in found["measure"]]
    lines += ["", f"Target: {TARGET:.0e} steps/s with masks.", ""]
    lines += ["| game | seats | masks | tables | steps | cpu and cuda |", "| --- | --- | --- | --- | --- | --- |"]
    lines += [
        f"| {row['game']} | {row['seats']} | {row['way']} | {row['tables']} | {row['steps']} "
        f"| {'identical' if row['same'] else 'DIFFERENT'} |"
        for row in found["compare"]
    ]
    return kept(folder, "gpu_rl", found, lines + handed(found))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=50, help="steps of a measurement")
    parser.add_argument("--seconds", type=float, default=110.0, help="no measurement begins later")
    parser.add_argument("--compare", type=int, default=1000, help="tables compared with the cpu")
    chosen = parser.parse_args()
    until = time.monotonic() + chosen.seconds
    found: dict[str, Any] = {"machine": machine_facts()}
    say(found["machine"])
    found["compare"] = compare(chosen.compare, 150)
    found["measure"] = measure(chosen.rounds, until)
    found["resources"] = resources()
    found["hand_over"] = hand_over(taken)
    say(written(chosen.out, found))
    return 0 if all(row["same"] for row in found["compare"]) else 1


if __name__ == "__main__":
    sys.exit(main())
