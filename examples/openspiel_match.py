"""A match of OpenSpiel's own players at Cartagena: information-set MCTS against a random player.

python examples/openspiel_match.py [--games G] [--simulations N] [--game "python_cartagena(...)"]
"""

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.bots import uniform_random

import cartagena.rl.openspiel  # noqa: F401  (registers the game)

GAME = "python_cartagena(rules=jamaica-en,seats=2,board=BPHSDK/DBKPHS)"


def searcher(game, simulations, rng):
    """Make a searching player; it samples hidden cards if the game has any."""
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    if game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION:
        return mcts.MCTSBot(game, 1.4, simulations, evaluator, random_state=rng)
    bot = ismcts.ISMCTSBot(game, evaluator, 1.4, simulations, random_state=rng)
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.random_sample))  # seeded too
    return bot


def play(game, bots, rng):
    """Play one game and return the reward of each player."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            cards, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choice(cards, p=chances))
        else:
            state.apply_action(bots[state.current_player()].step(state))
    return state.returns()


def match(text=GAME, games=4, simulations=10, seed=1):
    """Play games with the searcher in each seat in turn and return how many it won."""
    game, rng, won = pyspiel.load_game(text), np.random.RandomState(seed), 0
    for number in range(games):
        seat = number % game.num_players()
        bots = [uniform_random.UniformRandomBot(other, rng) for other in range(game.num_players())]
        bots[seat] = searcher(game, simulations, rng)
        returns = play(game, bots, rng)
        won += returns[seat] == 1
        print(f"game {number + 1}: the searcher in seat {seat + 1} got {returns[seat]:+.2f}")
    return won


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default=GAME)
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--simulations", type=int, default=10)
    chosen = parser.parse_args()
    won = match(chosen.game, chosen.games, chosen.simulations)
    print(f"the searcher won {won} of {chosen.games}")


if __name__ == "__main__":
    main()
