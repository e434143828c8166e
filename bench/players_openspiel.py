"""Compare the captain with OpenSpiel's searches in Python, which get ten times the time, through the adapter.

``python bench/players_openspiel.py --seconds 280`` plays for so long. After an interruption the same command continues
with the games in ``results/players-openspiel.json``; ``players-openspiel.md`` has the table. The nest is played against
their information-set search. That refuses games without hidden cards, so in tortuga their plain tree search plays,
which sees the same there. Both sides use the same single core.
"""

import argparse
import json
import os
import platform
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

import cartagena
import cartagena.rl.openspiel  # registers the game
from cartagena.arena import Share
from cartagena.players import Limit, create

RESULT = Path(__file__).parent / "results" / "players-openspiel.json"
RULES = {"tortuga": "tortuga-en", "nest": "nest-nl"}
GAMES = 16
SECONDS = 0.05
TIMES = 10
TURNS = 300
LEAST = 2
"""Simulations that they always make, because their search has no answer after fewer."""
FOREVER = 1 << 30
RIVALS = {"tortuga": "mcts.MCTSBot", "nest": "ismcts.ISMCTSBot"}


class Clock:
    """Replaces ``range`` where their searches count simulations, so that they end by the clock."""

    def __init__(self) -> None:
        self.deadline = 0.0
        self.simulations = 0
        self.decisions = 0

    def start(self) -> None:
        self.deadline = time.perf_counter() + SECONDS * TIMES
        self.decisions += 1

    def __call__(self, *numbers: int) -> Any:
        return self.ticks() if numbers == (FOREVER,) else range(*numbers)

    def ticks(self) -> Iterator[int]:
        first = self.simulations
        while time.perf_counter() < self.deadline or self.simulations < first + LEAST:
            self.simulations += 1
            yield 0


CLOCK = Clock()
ismcts.range = CLOCK
mcts.range = CLOCK


def rival(game: Any, seed: int) -> Any:
    """Their search with one random rollout a simulation and the usual constant of 1.4."""
    chance = np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, chance)
    if game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION:
        return ismcts.ISMCTSBot(game, evaluator, 1.4, FOREVER, random_state=chance)
    return mcts.MCTSBot(game, 1.4, FOREVER, evaluator, random_state=chance)


def play(rules: str, number: int) -> dict[str, Any]:
    """One game; deals come in pairs with seats exchanged."""
    game = pyspiel.load_game("python_cartagena", {"rules": rules, "seats": 2, "turns": TURNS})
    deals = np.random.RandomState(number // 2)
    own = number % 2
    captain, other = create("captain", number), rival(game, number)
    CLOCK.simulations = CLOCK.decisions = 0
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            cards, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(deals.choice(cards, p=chances)))
        elif len(state.legal_actions()) == 1:
            state.apply_action(state.legal_actions()[0])
        elif state.current_player() == own:
            view = state.position.view(own + 1)
            state.apply_action(view.action(captain.decide(view, Limit(time=SECONDS))))
        else:
            CLOCK.start()
            state.apply_action(int(other.step(state)))
    per_move = CLOCK.simulations / max(1, CLOCK.decisions)
    return {"number": number, "paid": state.returns()[own], "simulations_a_move": round(per_move, 1)}


def summary(games: list[dict[str, Any]]) -> dict[str, Any]:
    share = Share(sum(game["paid"] > 0 for game in games), sum(game["paid"] != 0 for game in games))
    low, high = share.interval()
    found = {"games": len(games), "decided": share.played, "wins": share.won, "share": round(share.mean, 4)}
    return {**found, "low": round(low, 4), "high": round(high, 4), "played": games}


def write(rows: dict[str, list[dict[str, Any]]]) -> None:
    """Write what has been played, and the table to read."""
    about = {
        "command": "python bench/players_openspiel.py --seconds 270",
        "machine": f"{platform.machine()}, one core, Python {platform.python_version()}",
        "captain_seconds": SECONDS,
        "rival_seconds": SECONDS * TIMES,
        "rival": RIVALS,
    }
    tables = {name: summary(games) for name, games in rows.items() if games}
    RESULT.write_text(json.dumps({**about, **tables}, indent=1) + "\n", encoding="utf-8")
    clocks = f"The captain has {SECONDS:g} s a move, they have {SECONDS * TIMES:g} s."
    how = f"`{about['command']}` on {about['machine']}; two seats, deals in pairs with seats exchanged."
    lines = [
        "# The captain against OpenSpiel's searches in Python\n",
        f"{how} {clocks} Target: 85 %. Intervals are 95 % (Wilson).\n",
        "| game | their search | games | decided | captain's share | their simulations a move |",
        "| --- | --- | --- | --- | --- | --- |",
        *(line_of(name, table) for name, table in tables.items()),
        "\n`ISMCTSBot` refuses games in which nothing is hidden, like tortuga; `MCTSBot` plays there.",
        "Each simulation is one uniformly random game to its end, in Python: few fit in the time.",
    ]
    RESULT.with_suffix(".md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def line_of(name: str, table: dict[str, Any]) -> str:
    share = f"{100 * table['share']:.1f} % ({100 * table['low']:.1f} to {100 * table['high']:.1f})"
    pace = sum(game["simulations_a_move"] for game in table["played"]) / table["games"]
    cells = (name, f"`{RIVALS[name]}`", table["games"], table["decided"], share, f"{pace:.0f}")
    return "| " + " | ".join(map(str, cells)) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=280.0)
    deadline = time.monotonic() + parser.parse_args().seconds
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    kept = json.loads(RESULT.read_text()) if RESULT.exists() else {}
    rows = {name: kept.get(name, {}).get("played", []) for name in RULES}
    longest = 0.0
    create("captain").decide(cartagena.Game.new("nest-nl", seed=1).view(1), Limit(nodes=50))
    while any(len(games) < GAMES for games in rows.values()):
        begin = time.monotonic()
        if begin + 1.1 * longest > deadline:
            break
        name = min(rows, key=lambda each: len(rows[each]))
        rows[name].append(play(RULES[name], len(rows[name])))
        longest = max(longest, time.monotonic() - begin)
        write(rows)
        print(name, rows[name][-1], round(time.monotonic() - begin, 1), flush=True)


if __name__ == "__main__":
    main()
