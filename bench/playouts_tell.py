"""Measure how well playouts predict the winner: ``python bench/playouts_tell.py [RULES] [--seats N] [--games N]``.

Gunners with the tuned weights play games. From some positions of each game, many playouts are made and the evaluation's
win chances are computed. The result is the mean cross entropy of the winners, in nats: less is better, and the
logarithm of the number of seats is a blind guess. Both may be overconfident, so each is also shown at its best scale.
"""

import argparse
import math
import multiprocessing
import os
import random
from typing import Any, Final

import numpy as np

from cartagena import Game, Position
from cartagena.kernel.layout import DEADLOCK, MAX_SEATS
from cartagena.players.compiled.evaluation import SCRATCH, judge_by_features
from cartagena.players.compiled.features import SIZE
from cartagena.players.compiled.playout import playouts
from cartagena.players.gunner import Gunner
from cartagena.players.weights import TUNED, weights_for

EVERY: Final = 8
"""One decision in so many is used."""
MOST: Final = 400
"""The most moves of a playout, as in the search."""
SCALES: Final = np.arange(0.1, 1.51, 0.05)


def positions(rules: str, seats: int, number: int) -> tuple[list[Position], int]:
    """Some positions of one game, and its winner (0 for none)."""
    game = Game.new(rules, seats=seats, seed=f"tell-{number}")
    players = [Gunner(seat, TUNED) for seat in range(seats)]
    chance, found = random.Random(number), []
    while not game.is_over:
        if chance.randrange(EVERY) == 0:
            found.append(game.position)
        game.play(players[game.turn - 1].decide(game.view(game.turn)))
    outcome = game.outcome()
    return found, outcome.winner if outcome and outcome.winner else 0


def by_playouts(position: Position, number: int) -> Any:
    """The seats' shares of so many playouts, with half a win added for each seat."""
    table, start = np.array(position.table, np.int64), np.array(position.words, np.int64)
    wins = np.zeros(DEADLOCK + 1, np.int64)
    playouts(table, start, start.copy(), 1, number, MOST, wins)
    shares = wins[1 : position.seats + 1] + 0.5
    return shares / shares.sum()


def by_evaluation(position: Position) -> Any:
    """The win chances of the evaluation."""
    table, words = np.array(position.table, np.int64), np.array(position.words, np.int64)
    features, values = np.zeros(MAX_SEATS * SIZE), np.zeros(MAX_SEATS)
    judge_by_features(table, words, features, values, weights_for(position), np.zeros(SCRATCH))
    return values[: position.seats]


def game_told(rules: str, seats: int, number: int, many: int) -> list[tuple[int, Any, Any]]:
    """For each position of a game: the winner, and both predictions."""
    found, winner = positions(rules, seats, number)
    return [(winner, by_evaluation(each), by_playouts(each, many)) for each in found] if winner else []


def surprise(opinions: Any, winners: Any, scale: float) -> float:
    """The mean cross entropy of the winners."""
    powers = (opinions + 1e-9) ** scale
    shares = powers / powers.sum(axis=1, keepdims=True)
    return float(-np.log(shares[np.arange(len(winners)), winners]).mean())


def tell(name: str, opinions: Any, winners: Any) -> str:
    best, scale = min((surprise(opinions, winners, scale), scale) for scale in SCALES)
    return f"{name:12} {surprise(opinions, winners, 1.0):.4f}, at its best scale {scale:.2f}: {best:.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("rules", nargs="?", default="nest-nl")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--playouts", type=int, default=100, help="from each position")
    given = parser.parse_args()
    work = [(given.rules, given.seats, number, given.playouts) for number in range(given.games)]
    with multiprocessing.get_context("spawn").Pool(os.cpu_count()) as pool:
        told = [line for game in pool.starmap(game_told, work, chunksize=4) for line in game]
    winners = np.array([winner for winner, _, _ in told]) - 1
    print(f"{given.rules}, {given.seats} seats: {len(told)} positions of {given.games} games, nothing known: ", end="")
    print(f"{math.log(given.seats):.4f}")
    for place, name in ((1, "evaluation"), (2, "playouts")):
        print(tell(name, np.array([line[place] for line in told]), winners))


if __name__ == "__main__":
    main()
