"""Measure the OpenSpiel adapter on one core: python bench/rl_openspiel.py --out FOLDER

Random play through OpenSpiel's state, deals included, in steps per second of processor time, best of 5 rounds. Beside
it a game in Python that has no rules at all: it answers every call with a constant. What that game takes is OpenSpiel's
own cost of a game in Python and the cost of the loop that plays. Writes rl-openspiel.md.
"""

import argparse
import platform
import random
import sys
import time
from pathlib import Path
from typing import Any

import pyspiel

import cartagena.rl.openspiel  # noqa: F401  # registers the game

GAMES = (("jamaica-en", 2), ("tortuga-en", 2), ("nest-nl", 2), ("jamaica-en", 5))
ROUNDS = 5
LENGTH = 300
BEFORE = 11_700
"""Steps per second reported for steps in plain Python, by another loop; this loop gave 19,800 on the same code."""
LEGAL = list(range(15))


class EmptyState(pyspiel.State):  # type: ignore[misc]
    """A state with the same choices for ever."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.moves = 0

    def current_player(self) -> int:
        return 0

    def is_terminal(self) -> bool:
        return self.moves >= LENGTH

    def is_chance_node(self) -> bool:
        return False

    def legal_actions(self, player: int = 0) -> list[int]:  # noqa: ARG002
        return LEGAL

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002
        return LEGAL

    def _apply_action(self, action: int) -> None:  # noqa: ARG002
        self.moves += 1


KIND = pyspiel.GameType(
    short_name="python_empty",
    long_name="Nothing",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    parameter_specification={},
)


class EmptyGame(pyspiel.Game):  # type: ignore[misc]
    """A game without rules."""

    def __init__(self, params: Any = None) -> None:
        info = pyspiel.GameInfo(len(LEGAL), 0, 2, -1.0, 1.0, 0.0, LENGTH)
        super().__init__(KIND, info, params or {})

    def new_initial_state(self) -> EmptyState:
        return EmptyState(self)


pyspiel.register_game(KIND, EmptyGame)


def rate(game: Any, seconds: float) -> float:
    """Return the steps per second of processor time of the best round; other work only makes a round slower."""
    rng, best = random.Random(1), 0.0
    for _ in range(ROUNDS):
        steps, before = 0, time.process_time()
        while time.process_time() - before < seconds / ROUNDS:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    cards, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(cards, weights)[0])
                else:
                    state.apply_action(rng.choice(state.legal_actions()))
                steps += 1
        best = max(best, steps / (time.process_time() - before))
    return best


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=5.0, help="length of a measurement")
    chosen = parser.parse_args()
    empty = rate(pyspiel.load_game("python_empty"), chosen.seconds)
    lines = ["# OpenSpiel through the adapter, one core", "", "`python bench/rl_openspiel.py --out bench/results`", ""]
    lines += [f"machine {platform.machine()}, python {platform.python_version()}, {time.strftime('%Y-%m-%d')}", ""]
    lines += [
        f"Random play, deals included, steps per second of processor time, best of {ROUNDS} rounds. Target: twice"
    ]
    lines += [
        f"the {BEFORE:,d} reported before (19,800 by this loop). The empty game is OpenSpiel and the loop alone.",
        "",
    ]
    lines += [
        "| game | seats | steps/s | µs a step | of them OpenSpiel and the loop |",
        "| --- | --- | --- | --- | --- |",
    ]
    for rules, seats in GAMES:
        found = rate(pyspiel.load_game(f"python_cartagena(rules={rules},seats={seats})"), chosen.seconds)
        lines += [f"| {rules} | {seats} | {found:,.0f} | {1e6 / found:.1f} | {found / empty:.0%} |"]
    lines += [f"| a game without rules | 2 | {empty:,.0f} | {1e6 / empty:.1f} | 100% |", ""]
    chosen.out.mkdir(parents=True, exist_ok=True)
    (chosen.out / "rl-openspiel.md").write_text("\n".join(lines), encoding="utf-8")
    sys.stdout.write("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
