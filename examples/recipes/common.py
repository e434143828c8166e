"""What the recipes share: the game they learn, the match that scores them, and how they are started."""

import argparse
import json
import sys
from pathlib import Path

import numpy as np
import torch

from cartagena import rule_set
from cartagena.rl.vector import CartagenaVectorEnv

RULES = rule_set("jamaica-en", pirates=3, pieces=3)
OPPONENT = "deckhand"
GAMES = 400


def score(choose, games=GAMES, seed=99):
    """Return the share of games that a policy wins against the opponent, half of them from each seat.

    ``choose`` gets the dictionary of an environment with a row for each game, and returns actions.
    """
    env = CartagenaVectorEnv(games, RULES, 2, opponents=OPPONENT)
    seen, _ = env.reset(seed=seed)
    won, running = np.zeros(games, bool), np.ones(games, bool)
    while running.any():
        seen, gained, ended, cut, _ = env.step(choose(seen))
        won |= running & ended & (gained > 0)
        running &= ~(ended | cut)
    return float(won.mean())


def run(about, train, policy, steps, promised):
    """Train with the steps of the command line, let the result play its match, and print one line of JSON.

    Ends with an error if the score is below what the recipe promises.
    """
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--steps", type=int, default=steps)
    steps = parser.parse_args().steps
    torch.set_num_threads(1)
    share = score(policy(train(steps)))
    found = {"recipe": Path(sys.argv[0]).stem, "score": share, "promised": promised, "steps": steps, "games": GAMES}
    print(json.dumps(found), flush=True)
    sys.exit(share < promised)
