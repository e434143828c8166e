"""Decisions per second of our backends and of other installable games, measured in one run: make bench

The peers are different games; no other library has these two. Every loop plays uniformly random legal moves, all on the
same single core unless a row says otherwise. Rates are given per second of wall-clock time and per second of processor
time (which other work on the machine does not disturb); ratios use the latter. Writes bench/results/cpu.md and
cpu.json; micro.py measures the kernel's functions one by one.
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from cartagena.backends import has_cuda, perft, rollouts
from cartagena.backends.cpu import entry, kernel, pointer
from cartagena.backends.openings import start_of
from cartagena.backends.rollouts import opening
from cartagena.game import Position
from cartagena.game import perft as plain_perft
from cartagena.jobs import cores
from cartagena.kernel import layout as at
from cartagena.kernel.legal import legal
from cartagena.kernel.step import step

Loop = Callable[[int], int]
"""Plays some games or steps and returns the number of decisions."""
BATCH = 1024
A = (
    "tortuga-en BPHSDK/DBKPHS/PKDHSB/HKPBSD/KBSDHP/HDKBPS s,6,6,17,18,b/s,8,17,17,22,30/s,5,9,12,26,34 "
    "BD4H/BHKP/BHKPS BDDHKSPBH B6D5H6K6P6S7 B6D6H6K8P8S8 - 1.0"
)


# --- ours


def played(name: str, threads: int = 1, backend: str = "cpu") -> Loop:
    return lambda games: rollouts(name, games, 1, backend=backend, threads=threads).actions


def listed_and_stepped(games: int) -> int:
    """Play on the plain backend: a list of legal moves and a step for every action."""
    start, moves, out = start_of("jamaica-en", 2), 0, [0] * at.MAX_LEGAL
    pick = np.random.default_rng(1)
    for game in range(games):
        words, _ = opening(start, 1, game)
        draws = pick.random(4000)
        for draw in draws:
            size = legal(start.rules, words, out)
            if size == 0:
                break
            action = out[int(draw * size)]
            step(start.rules, words, action)
            moves += action < at.DEAL
    return moves


# --- peers


def openspiel(name: str) -> Loop:
    pyspiel = import_module("pyspiel")
    game = pyspiel.load_game(name)
    counted: dict[
        int, int
    ] = {}  # a game is the same whenever it is played, so it is counted once, outside of the timing

    def play(games: int) -> int:
        decisions = 0
        for number in range(games):
            state = game.new_initial_state()
            bots = [pyspiel.make_uniform_random_bot(seat, number + seat) for seat in range(game.num_players())]
            pyspiel.evaluate_bots(state, bots, number)
            if number not in counted:
                counted[number] = sum(item.player >= 0 for item in state.full_history())
            decisions += counted[number]
        return decisions

    return play


def pgx_game(name: str) -> Loop:
    jax = import_module("jax")
    env = import_module("pgx").make(name)

    def one(carry: Any, _: Any) -> Any:
        state, key = carry
        key, chosen, fresh = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(chosen, logits, axis=1)
        auto = import_module("pgx.experimental").auto_reset(env.step, env.init)
        return (jax.vmap(auto)(state, actions, jax.random.split(fresh, BATCH)), key), None

    start = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), BATCH))
    run = jax.jit(lambda state, key: jax.lax.scan(one, (state, key), None, length=256)[0][0])

    def play(rounds: int) -> int:
        state = start
        for number in range(rounds):
            state = run(state, jax.random.PRNGKey(number))
        jax.block_until_ready(state)
        return rounds * 256 * BATCH

    return play


def pettingzoo_game(name: str) -> Loop:
    env = import_module(f"pettingzoo.classic.{name}").env()

    def play(games: int) -> int:
        decisions = 0
        for number in range(games):
            env.reset(seed=number)
            for _ in env.agent_iter():
                seen, _, ended, cut, _ = env.last()
                over = ended or cut
                choices = np.flatnonzero(seen["action_mask"]) if not over else ()
                env.step(None if over else int(np.random.choice(choices)))
                decisions += not over
        return decisions

    return play


def rlcard_game(name: str) -> Loop:
    rlcard = import_module("rlcard")
    env = rlcard.make(name)
    agent = import_module("rlcard.agents").RandomAgent(num_actions=env.num_actions)
    env.set_agents([agent] * env.num_players)

    def play(games: int) -> int:
        decisions = 0
        for _ in range(games):
            decisions += sum(len(path) // 2 for path in env.run(is_training=False)[0])
        return decisions

    return play


OURS: dict[str, tuple[Loop, int]] = {
    "ours: jamaica, plain": (listed_and_stepped, 20),
    "ours: jamaica, cpu, one core": (played("jamaica-en"), 40_000),
    "ours: tortuga, cpu, one core": (played("tortuga-en"), 40_000),
    "ours: hispaniola, cpu, one core": (played("hispaniola-en"), 40_000),
    "ours: nest, cpu, one core": (played("nest-nl"), 100_000),
}
ALL_CORES = f"ours: jamaica, cpu, {cores()} cores"
PEERS: dict[str, tuple[Callable[[], Loop], int]] = {
    "OpenSpiel maedn (C++)": (lambda: openspiel("maedn(players=2,twoPlayersOpposite=true)"), 2000),
    "OpenSpiel go_fish (C++)": (lambda: openspiel("go_fish"), 2000),
    "OpenSpiel hearts (C++)": (lambda: openspiel("hearts"), 2000),
    "Pgx tic_tac_toe, batch 1024": (lambda: pgx_game("tic_tac_toe"), 8),
    "Pgx leduc_holdem, batch 1024": (lambda: pgx_game("leduc_holdem"), 8),
    "Pgx backgammon, batch 1024": (lambda: pgx_game("backgammon"), 1),
    "PettingZoo tictactoe": (lambda: pettingzoo_game("tictactoe_v3"), 200),
    "PettingZoo leduc_holdem": (lambda: pettingzoo_game("leduc_holdem_v4"), 100),
    "rlcard leduc-holdem": (lambda: rlcard_game("leduc-holdem"), 200),
}


def rate(loop: Loop, amount: int, rounds: int = 3) -> dict[str, float]:
    """Return the best rates of some rounds after a warm-up."""
    loop(max(1, amount // 20))
    found = {"wall": 0.0, "cpu": 0.0}
    for _ in range(rounds):
        wall, spent = time.perf_counter(), time.process_time()
        decisions = loop(amount)
        found["wall"] = max(found["wall"], decisions / (time.perf_counter() - wall))
        found["cpu"] = max(found["cpu"], decisions / (time.process_time() - spent))
    return found


def tried(name: str, make: Callable[[], Loop], amount: int) -> dict[str, Any]:
    """Return a peer's rate, or the error that kept it from running."""
    try:
        found: dict[str, Any] = rate(make(), amount)
    except Exception as error:  # a peer that does not run here gets a line in the report
        found = {"error": f"{type(error).__name__}: {str(error)[:120]}"}
    print(name, found, flush=True)
    return {"name": name, **found}


def nanoseconds(work: Callable[[], Any], number: int) -> float:
    """Return the time of one call, the best of some rounds."""
    best = float("inf")
    for _ in range(5):
        before = time.process_time_ns()
        for _ in range(number):
            work()
        best = min(best, (time.process_time_ns() - before) / number)
    return best


@entry
def step_one(table: Any, state: Any, action: int) -> None:
    """Play an action on one state."""
    kernel.step.step(pointer(table, 0), pointer(state, 0), action)


@entry
def list_one(table: Any, state: Any, out: Any) -> int:
    """List the legal moves of one state."""
    return kernel.legal.legal(pointer(table, 0), pointer(state, 0), pointer(out, 0))


def single_steps() -> dict[str, float]:
    """Measure one legal list, one step and one copy through the compiled backend from Python."""
    start = start_of("jamaica-en", 2)
    table, state = np.array(start.rules, np.int64), np.array(opening(start, 1, 1)[0], np.int64)
    out, other = np.zeros(at.MAX_LEGAL, np.int64), state.copy()
    list_one(table, state, out)
    action = int(out[0])

    def stepped() -> None:
        other[:] = state
        step_one(table, other, action)

    def copied() -> None:
        other[:] = state

    copying = nanoseconds(copied, 20_000)
    found = {"step from Python": nanoseconds(stepped, 20_000) - copying}
    found["legal moves from Python"] = nanoseconds(lambda: list_one(table, state, out), 20_000)
    states = np.tile(state, (4096, 1))
    spare = states.copy()
    found["copy of a state, in an array of them"] = nanoseconds(lambda: np.copyto(spare, states), 200) / 4096
    return found


def counting() -> dict[str, float]:
    """Measure perft of position A to depth 6, in sequences per second."""
    position = Position.parse(A)
    perft(position, 2)
    found = {}
    for name, count, depth in (("plain", plain_perft, 4), ("cpu", perft, 6)):
        before = time.process_time()
        number = count(position, depth)
        found[name] = number / (time.process_time() - before)
    return found | {"ratio": found["cpu"] / found["plain"]}


def growth() -> dict[str, dict[str, float]]:
    """Measure nanoseconds per action from 1,000 to 10 million games, and the peak memory until then."""
    found = {}
    for games in (10**3, 10**4, 10**5, 10**6, 10**7):
        rounds = max(1, 10**5 // games)  # short ones are repeated, so that each is timed long enough
        before = time.process_time()
        actions = sum(rollouts("jamaica-en", games, seed, backend="cpu", threads=1).actions for seed in range(rounds))
        spent = (time.process_time() - before) / actions * 1e9
        found[str(games)] = {"ns": spent, "MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}
    return found


# Hide SciPy, which Numba would load: only the peers have brought it.
START = (
    "import sys, time; sys.modules['scipy'] = None; a = time.perf_counter(); "
    "from cartagena.backends import {0}; {0}({1}); print(time.perf_counter() - a)"
)
FIRST = {"everything (cartagena warmup)": ("warmup", ""), "a first playout": ("rollouts", "'jamaica-en', 1")}


def compiling() -> dict[str, dict[str, float]]:
    """Measure the seconds until a new process is ready, with an empty cache and with a filled one."""
    found: dict[str, dict[str, float]] = {}
    for name, call in FIRST.items():
        with tempfile.TemporaryDirectory() as folder:
            place = os.environ | {"CARTAGENA_CACHE": folder}
            command = [sys.executable, "-c", START.format(*call)]
            runs = [subprocess.run(command, env=place, capture_output=True, text=True, check=True) for _ in range(3)]
        times = [float(run.stdout) for run in runs]
        found[name] = {"cold": times[0], "warm": min(times[1:])}
    return found


def report(found: dict[str, Any]) -> str:
    """Return the results as a page."""
    rows = found["rates"]
    ours = next(row for row in rows if row["name"] == "ours: jamaica, cpu, one core")["cpu"]
    lines = ["# Decisions a second", "", "; ".join(f"{key} {value}" for key, value in found["machine"].items()), ""]
    lines += ["The peers are different games: named for scale, not as rivals at the same task."]
    lines += ["Repeat it with `make bench`.", ""]
    lines += [
        "| what | decisions/s, wall clock | decisions per second of processor time | ours (jamaica, one core) is |"
    ]
    lines += ["| --- | --- | --- | --- |"]
    for row in rows:
        if "error" in row:
            lines.append(f"| {row['name']} | did not run: {row['error']} | | |")
        else:
            lines.append(f"| {row['name']} | {row['wall']:,.0f} | {row['cpu']:,.0f} | {ours / row['cpu']:,.1f} x |")
    lines += ["", "| one call, nanoseconds | |", "| --- | --- |"]
    lines += [f"| {key} | {value:,.0f} |" for key, value in found["single"].items()]
    lines += ["", "| perft, sequences per second of processor time | |", "| --- | --- |"]
    lines += [f"| {key} | {value:,.0f} |" for key, value in found["perft"].items()]
    lines += ["", "| games in one call | nanoseconds an action | memory, MiB |", "| --- | --- | --- |"]
    lines += [f"| {key} | {value['ns']:.1f} | {value['MiB']:.0f} |" for key, value in found["growth"].items()]
    lines += ["", "| seconds until ready | nothing compiled yet | compiled before |", "| --- | --- | --- |"]
    lines += [f"| {key} | {value['cold']:.1f} | {value['warm']:.2f} |" for key, value in found["compiling"].items()]
    return "\n".join(lines) + "\n"


def machine_facts() -> dict[str, Any]:
    packages = ("numpy", "numba", "open_spiel", "pgx", "jax", "pettingzoo", "rlcard")
    facts: dict[str, Any] = {"date": time.strftime("%Y-%m-%d", time.gmtime()), "machine": platform.machine()}
    facts |= {"cores": cores(), "cuda": has_cuda(), "python": platform.python_version()}
    for name in packages:
        try:
            facts[name] = version(name)
        except ModuleNotFoundError:
            facts[name] = "not installed"
    return facts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("bench/results"))
    chosen = parser.parse_args()
    found: dict[str, Any] = {"machine": machine_facts()}
    everywhere = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(everywhere)})
    rows = [tried(name, lambda loop=loop: loop, amount) for name, (loop, amount) in OURS.items()]
    if has_cuda():
        rows.append(tried("ours: jamaica, cuda", lambda: played("jamaica-en", backend="cuda"), 10**7))
    rows += [tried(name, make, amount) for name, (make, amount) in PEERS.items()]
    found |= {"rates": rows, "single": single_steps(), "perft": counting(), "growth": growth()}
    os.sched_setaffinity(0, everywhere)
    rows.insert(len(OURS), tried(ALL_CORES, lambda: played("jamaica-en", len(everywhere)), 80_000))
    found["compiling"] = compiling()
    chosen.out.mkdir(parents=True, exist_ok=True)
    (chosen.out / "cpu.json").write_text(json.dumps(found, indent=1) + "\n")
    (chosen.out / "cpu.md").write_text(report(found))
    print(report(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
