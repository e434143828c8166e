"""The research environments on one core: steps per second, choosing a random legal action included."""

import random
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np
import pyspiel
from bench.versus.readings import Reading, Readings, Task, rate

import cartagena.rl.openspiel  # noqa: F401  # registers the game
from cartagena.rl import pettingzoo
from cartagena.rl.vector import CartagenaVectorEnv

GAMES: Final = (("jamaica-en", 2), ("tortuga-en", 2), ("nest-nl", 2), ("nest-nl", 4))
TABLES: Final = 1024


def vector(rules: str, seats: int, *, full: bool) -> Callable[[], int]:
    """Play at many tables at once, with or without masks and observations."""
    env = CartagenaVectorEnv(TABLES, rules, seats, observations=full, masks=full)
    env.reset(seed=1)

    def work() -> int:
        for _ in range(20):
            env.step(env.sample())
        return 20 * TABLES

    return work


def single(rules: str, seats: int) -> Callable[[], int]:
    """Play through ``last`` and ``step`` of PettingZoo."""
    env: Any = pettingzoo.env(rules, seats)
    rng = random.Random(1)
    env.reset(seed=1)

    def work() -> int:
        for _ in range(100):
            seen, _, terminated, truncated, _ = env.last()
            over = terminated or truncated
            env.step(None if over else rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))
            if not env.agents:
                env.reset()
        return 100

    return work


def openspiel(rules: str, seats: int) -> Callable[[], int]:
    """Play whole games through OpenSpiel, cards dealt as chance nodes; every action and every card is a step."""
    game = pyspiel.load_game("python_cartagena", {"rules": rules, "seats": seats, "turns": 100})
    seeds = iter(range(10**9))

    def work() -> int:
        rng, state, steps = random.Random(next(seeds)), game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                cards, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(cards, chances)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
            steps += 1
        return steps

    return work


MAKERS: Final[dict[str, Callable[[str, int], Callable[[], int]]]] = {
    "vector, masks off": partial(vector, full=False),
    "vector, masks on": partial(vector, full=True),
    "PettingZoo": single,
    "OpenSpiel": openspiel,
}


def measure(task: Task) -> Readings:
    """Measure every environment with every game."""
    for rules, seats in GAMES:
        for name, make in MAKERS.items():
            yield f"{name}: {rules}, {seats} seats", Reading(rate(make(rules, seats), task.seconds), "steps/s")
