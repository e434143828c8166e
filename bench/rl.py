"""Measure the environments on one core: python bench/rl.py --out FOLDER

The vector environment with and without masks and observations and with compiled opponents, and the single PettingZoo
environment beside the classic card games of PettingZoo in the same run (`tools/setup bench` installs what those need).
Rates are steps per second of wall-clock time in one process with one thread (the gunner's turns are planned in all
threads that players may use), the best of 5 rounds each; every step includes the choice of a
random legal action. Writes rl.json and rl.md.
"""

import argparse
import json
import os
import platform
import random
import sys
import time
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from cartagena.players.ismcts import thread_budget
from cartagena.rl import pettingzoo
from cartagena.rl.vector import CartagenaVectorEnv

GAMES = (("jamaica-en", 2), ("tortuga-en", 2), ("nest-nl", 2), ("jamaica-en", 5), ("nest-nl", 5))
OPPONENTS = ("random", "deckhand", "sailor", "gunner")
CLASSIC = ("leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6", "hanabi_v5")
TABLES = 1024
ROUNDS = 5
TARGETS = {"off": 5e6, "on": 1e6, "single": 12_000.0, "times": 3.0}


def say(*parts: object) -> None:
    print(*parts, flush=True)


def best_rate(play: Callable[[], int], seconds: float) -> float:
    """Return the steps per second of the best of ROUNDS rounds; other work on the machine only makes a round slower."""
    rates = []
    for _ in range(ROUNDS):
        steps, before = 0, time.perf_counter()
        while (spent := time.perf_counter() - before) < seconds / ROUNDS:
            steps += play()
        rates.append(steps / spent)
    return max(rates)


def vector_rate(rules: str, seats: int, on: bool, seconds: float) -> float:
    """Measure steps per second of the vector environment, including the choice."""
    env = CartagenaVectorEnv(TABLES, rules, seats, observations=on, masks=on)
    env.reset(seed=1)

    def play() -> int:
        for _ in range(20):
            env.step(env.sample())
        return 20 * TABLES

    play()
    return best_rate(play, seconds)


def opponent_rate(opponent: str, seconds: float) -> float:
    """Measure the learner's steps per second against a compiled level; the learner chooses at random."""
    env = CartagenaVectorEnv(TABLES, "jamaica-en", 2, opponents=opponent)
    env.reset(seed=1)

    def play() -> int:
        for _ in range(5):
            env.step(env.sample())
        return 5 * TABLES

    play()
    return best_rate(play, seconds)


def single_rate(env: Any, seconds: float) -> float:
    """Measure steps per second of a PettingZoo environment played through ``last`` and ``step``."""
    rng = random.Random(1)
    env.reset(seed=1)

    def play() -> int:
        for _ in range(100):
            seen, _, terminated, truncated, info = env.last()
            mask = seen["action_mask"] if "action_mask" in seen else info["action_mask"]
            env.step(None if terminated or truncated else rng.choice(np.flatnonzero(mask).tolist()))
            if not env.agents:
                env.reset()
        return 100

    play()
    return best_rate(play, seconds)


def classic(name: str) -> Any:
    """Return one of PettingZoo's card games with its order-enforcing wrapper only."""
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = import_module(f"pettingzoo.classic.{name}")
        return OrderEnforcingWrapper(module.raw_env())


def singles(seconds: float) -> list[dict[str, Any]]:
    rows = []
    for rules, seats in GAMES:
        rate = single_rate(pettingzoo.env(rules, seats), seconds)
        rows.append({"name": f"cartagena {rules}, {seats} seats", "rate": rate, "ours": True})
        say(rows[-1])
    for name in CLASSIC:
        try:
            rows.append({"name": f"pettingzoo {name}", "rate": single_rate(classic(name), seconds), "ours": False})
            say(rows[-1])
        except Exception as error:  # each game is tried on its own; a missing library is part of the report
            rows.append({"name": f"pettingzoo {name}", "error": f"{type(error).__name__}: {str(error)[:90]}"})
            say(rows[-1])
    return rows


def table_of(found: dict[str, Any]) -> str:
    lines = ["# Environments on one core", "", "`python bench/rl.py --out bench/results`", ""]
    lines += [", ".join(f"{key} {value}" for key, value in found["machine"].items()), ""]
    lines += [
        f"Steps per second by the clock on the wall on one core, best of {ROUNDS} rounds, choosing a random legal"
    ]
    lines += ["action included.", ""]
    lines += [f"Vector environment, {TABLES} tables; target {TARGETS['off']:.0e} off, {TARGETS['on']:.0e} on:", ""]
    lines += ["| game | seats | masks and observations | steps/s |", "| --- | --- | --- | --- |"]
    lines += [f"| {row['game']} | {row['seats']} | {row['on']} | {row['rate']:,.0f} |" for row in found["vector"]]
    lines += ["", f"The same against compiled opponents, jamaica-en with two seats, {found['threads']} threads:", ""]
    lines += ["| opponent | learner's steps/s |", "| --- | --- |"]
    lines += [f"| {row['opponent']} | {row['rate']:,.0f} |" for row in found["opponents"]]
    lines += ["", "PettingZoo, order-enforcing wrapper only; target 12,000 and 3 × the fastest classic card game:", ""]
    lines += ["| environment | steps/s |", "| --- | --- |"]
    lines += [
        f"| {row['name']} | {row['rate']:,.0f} |" if "rate" in row else f"| {row['name']} | not there: {row['error']} |"
        for row in found["single"]
    ]
    lines += ["", f"Slowest of ours against the fastest classic card game: {found['times']:.1f} ×", ""]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=3.0, help="length of a measurement")
    chosen = parser.parse_args()
    found: dict[str, Any] = {"machine": {"machine": platform.machine(), "python": platform.python_version()}}
    found["machine"] |= {"numpy": np.__version__, "date": time.strftime("%Y-%m-%d", time.gmtime())}
    found["vector"] = []
    for rules, seats in GAMES:
        for on in (False, True):
            rate = vector_rate(rules, seats, on, chosen.seconds)
            found["vector"].append({"game": rules, "seats": seats, "on": "on" if on else "off", "rate": rate})
            say(found["vector"][-1])
    found["threads"] = thread_budget()
    found["opponents"] = []
    for opponent in OPPONENTS:
        found["opponents"].append({"opponent": opponent, "rate": opponent_rate(opponent, chosen.seconds)})
        say(found["opponents"][-1])
    found["single"] = singles(chosen.seconds)
    theirs = [row["rate"] for row in found["single"] if not row.get("ours", False) and "rate" in row]
    ours = [row["rate"] for row in found["single"] if row.get("ours")]
    found["times"] = min(ours) / max(theirs) if theirs else float("nan")
    chosen.out.mkdir(parents=True, exist_ok=True)
    (chosen.out / "rl.json").write_text(json.dumps(found, indent=1) + "\n")
    (chosen.out / "rl.md").write_text(table_of(found))
    say(table_of(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
