"""Tuning the evaluation by self-play: play, fit, and play again with what was found."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from cartagena.game import Game
from cartagena.kernel.layout import T_SEATS
from cartagena.players.core.features import SIZE
from cartagena.players.core.selfplay import NUMBERS, ROOM, play_games
from cartagena.players.weights import by_hand, write
from cartagena.rulesets import load

from .training import Samples, fit

OPENINGS: Final = 400
EVERY: Final = 24
"""One decision in so many is kept as a sample: neighbours tell the same."""
KEPT: Final = 8
"""Room for so many samples a game."""
HEATS: Final = (0.03, 0.02, 0.015, 0.012, 0.01)
"""How much worse a move may look and still be played now and then, by generation."""


@dataclass(frozen=True)
class Plan:
    """What is tuned and how much is played for it. ``tables`` are the numbers of seats."""

    rules: str
    tables: tuple[int, ...] = (2,)
    generations: int = 5
    games: int = 12_000
    seed: int = 1

    @property
    def name(self) -> str:
        """The name of the set of weights."""
        return f"{load(self.rules).game}-{'2' if self.tables == (2,) else 'many'}"


def self_play(plan: Plan, seats: int, weights: Any, generation: int) -> Samples:
    """Play games with the weights and keep samples of those that somebody won."""
    games = plan.games // len(plan.tables)
    seed = plan.seed * 1000 + generation
    openings = [Game.new(plan.rules, seats=seats, seed=f"tune-{seed}-{number}").position for number in range(OPENINGS)]
    table = np.array(openings[0].table, np.int64)
    starts = np.array([opening.words for opening in openings], np.int64).reshape(-1)
    features, winners = np.zeros(games * KEPT * seats * SIZE), np.zeros(games * KEPT, np.int64)
    settings = np.array([HEATS[min(generation, len(HEATS) - 1)], EVERY])
    room, numbers = np.zeros(ROOM, np.int64), np.zeros(NUMBERS)
    kept = play_games(table, starts, games, weights, settings, seed, room, numbers, features, winners)
    shaped = features[: kept * seats * SIZE].reshape(kept, int(table[T_SEATS]), SIZE)
    decided = winners[:kept] >= 0
    return Samples(shaped[decided].astype(np.float32), winners[:kept][decided])


def tune(
    plan: Plan,
    out: Path,
    start: Any = None,
    tell: Callable[[int, str, float], None] = lambda *_: None,
) -> Any:
    """Tune, writing what was found after every generation, so that nothing is lost when it is broken off."""
    weights = by_hand(load(plan.rules)) if start is None else start
    for generation in range(plan.generations):
        sets = [self_play(plan, seats, weights, generation) for seats in plan.tables]
        tell(generation, "samples", float(sum(len(samples.winners) for samples in sets)))
        losses: list[float] = []
        weights = fit(weights, sets, epochs=4, seed=plan.seed + generation, tell=losses.append)
        tell(generation, "loss", losses[-1])
        write(out, weights, **about(plan, generation, losses))
    return weights


def about(plan: Plan, generation: int, losses: Sequence[float]) -> dict[str, Any]:
    """What a file of weights says about itself."""
    seats = " ".join(f"--seats {seats}" for seats in plan.tables)
    command = (
        f"cartagena tune {plan.rules} {seats} --generations {plan.generations} --games {plan.games} --seed {plan.seed}"
    )
    return {"set": plan.name, "made-by": command, "generation": generation + 1, "loss": round(losses[-1], 4)}
