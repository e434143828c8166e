"""Quick self-play on a CUDA device against the processor: python bench/quick_gpu.py --out FOLDER

Needs the package's sources on PYTHONPATH, NumPy, Numba and numba-cuda. For each game: compares the samples of the same
keys with the processor's, then measures games a second on all cores and on the device, for several numbers of warps.
Every part is tried by itself, and its error is its result. Writes quick_gpu.json.
"""

import argparse
import json
import sys
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

with suppress(ImportError):  # names numba-cuda as numba.cuda, where it is on PYTHONPATH and not installed
    import _numba_cuda_redirector  # type: ignore[import-not-found]  # noqa: F401

from device import machine_facts, say  # isort: skip  # before anything of Numba's CUDA part

from cartagena import rule_set
from cartagena.arena.quick import SPACE, QuickPlay
from cartagena.arena.quick_device import NEEDED, device_games
from cartagena.backends.cuda.compiler import kernel_of
from cartagena.backends.cuda.outside import compiled_module
from cartagena.jobs import cores

SEATS = 4
SHAPES = ((128, 16), (128, 8), (64, 28), (64, 20), (255, 8))
"""Registers of a thread, and warps of a multiprocessor. The first is the usual shape."""
SHARE = 256
"""Games that a core plays at a time."""
KERNELS: dict[int, Any] = {}
BEGAN = time.perf_counter()


def differences(play: QuickPlay, games: int) -> dict[str, Any]:
    """Compare the samples of the same games, number by number."""
    before = time.perf_counter()
    ours = device_games(play, 0, games)
    first = time.perf_counter() - before
    theirs = play.games(0, games)
    found: dict[str, Any] = {"games": games, "seconds with compiling": round(first, 1)}
    found |= {"samples": len(theirs.winners), "samples on the device": len(ours.winners)}
    numbers = [set(part.games.tolist()) for part in (ours, theirs)]
    different = len(numbers[0] ^ numbers[1])
    for game in numbers[0] & numbers[1]:
        rows = [part.games == game for part in (ours, theirs)]
        pairs = zip(ours[:3], theirs[:3], strict=True)
        different += not all(np.array_equal(one[rows[0]], other[rows[1]]) for one, other in pairs)
    most = int(np.bincount(theirs.games).max())
    return found | {"different games": different, "most samples of a game": most, "room": SPACE}


def on_cores(play: QuickPlay, games: int) -> float:
    """Games a second on all cores, each thread with working space of its own."""

    def share(first: int) -> None:
        replace(play).games(first, first + SHARE)

    play.games(0, 1)  # compiles, where comparing has failed before it
    with ThreadPoolExecutor(cores()) as threads:
        before = time.perf_counter()
        list(threads.map(share, range(0, games, SHARE)))
        return games / (time.perf_counter() - before)


def shape(registers: int) -> None:
    """Play with a kernel of so many registers from now on. The parts that it calls are compiled once."""
    module: Any = compiled_module("players.compiled.quick_cuda", *NEEDED)
    known = KERNELS.setdefault(module.REGISTERS, module.quick_all)
    module.quick_all = KERNELS.setdefault(registers, kernel_of(registers)(known.py_func))


def on_device(play: QuickPlay, games: int, blocks: int) -> float:
    """Games a second on the device, with what is copied from and to it."""
    before = time.perf_counter()
    device_games(play, 0, games, blocks)
    return games / (time.perf_counter() - before)


def timed(play: QuickPlay, games: int, registers: int, blocks: int) -> dict[str, Any]:
    """Measure a shape: a few games first, which compile it, and fewer than ``games`` where it is slow."""
    shape(registers)
    on_device(play, 64, blocks)
    rate = on_device(play, 4096, blocks)
    if rate > games / 10:
        rate = on_device(play, games, blocks)
    return {"registers": registers, "blocks": blocks, "games a second": round(rate)}


def tried(rows: list[dict[str, Any]], row: dict[str, Any], work: Callable[[], dict[str, Any]]) -> None:
    """Add the result of a part, or its error."""
    try:
        row |= work()
    except Exception as error:
        traceback.print_exc()
        row |= {"error": f"{type(error).__name__}: {str(error)[:500]}"}
    rows.append(row)
    say(f"{time.perf_counter() - BEGAN:6.1f} s", row)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--games", nargs="+", default=["tortuga-en", "nest-nl", "jamaica-en", "hispaniola-en"])
    parser.add_argument("--weights", default="network")
    parser.add_argument("--compared", type=int, default=64)
    parser.add_argument("--cores", type=int, default=8192, help="games played on all cores")
    parser.add_argument("--device", type=int, default=32768, help="games played on the device")
    parser.add_argument("--seconds", type=float, default=140, help="begin nothing new after this time")
    chosen = parser.parse_args()
    rows: list[dict[str, Any]] = []
    found = {"machine": machine_facts() | {"cores": cores()}, "seats": SEATS, "rows": rows}
    say(found["machine"])

    def part(what: str, game: str, work: Callable[..., dict[str, Any]], *given: int) -> None:
        if time.perf_counter() - BEGAN < chosen.seconds:
            play = QuickPlay(rule_set(game), SEATS, chosen.weights, seed=7)
            tried(rows, {"part": what, "game": game}, lambda: work(play, *given))
        chosen.out.mkdir(parents=True, exist_ok=True)
        (chosen.out / "quick_gpu.json").write_text(json.dumps(found, indent=1) + "\n")

    for game in chosen.games:
        part("compare", game, lambda play: differences(play, chosen.compared))
        part("cores", game, lambda play: {"games a second": round(on_cores(play, chosen.cores))})
        part("device", game, lambda play: timed(play, chosen.device, *SHAPES[0]))
    for registers, blocks in SHAPES[1:]:
        for game in chosen.games[:2]:
            part("device", game, lambda play, *given: timed(play, chosen.device, *given), registers, blocks)
    return 0 if all(row.get("different games", 0) == 0 and "error" not in row for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
