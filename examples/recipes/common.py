"""What the recipes share: the game they learn, and the match that scores them."""

import json
import sys

import numpy as np

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


def report(name, share, least, steps):
    """Print the result as one line of JSON, and end with an error if it is below what the recipe promises."""
    print(json.dumps({"recipe": name, "score": share, "promised": least, "steps": steps, "games": GAMES}), flush=True)
    sys.exit(share < least)
