"""A learner in NumPy that starts without knowledge and, on one core, beats ``sailor`` within two minutes.

It learns the value of positions by playing against itself. A small network evaluates what its seat would see after each
choice (``afterstates``); the best choice is played, and sometimes another one to explore. The targets come from the
values that follow: TD(lambda), as in TD-Gammon (Tesauro 1992).

    python examples/learner.py [--steps N] [--seed S] [--games G]
"""

import argparse
import os
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from cartagena.players import create
from cartagena.rl.spaces import observation
from cartagena.rl.vector import CartagenaVectorEnv

RULES = "jamaica-en"
STEPS = 1_000_000  # choices, both seats together
TABLES, SPAN, HIDDEN = 128, 64, 32
EXPLORE, LAMBDA, RATE, BATCH = 0.05, 0.95, 4e-3, 512


def pick_columns():
    """Indexes of the observation that this learner uses: pirates, hands, the rest of the turn."""
    names = ("pirates", "hands", "hand_sizes", "turn", "used", "passes", "owed", "result")
    columns = []
    for field in (observation.BY_NAME[name] for name in names):
        two_seats = field.size // field.shape[0] * 2 if len(field.shape) == 2 else field.size
        columns.append(np.arange(field.start, field.start + two_seats))
    return np.concatenate(columns)


COLUMNS = pick_columns()
PIRATES = np.less(COLUMNS, observation.BY_NAME["hands"].start)
SCALE = np.where(PIRATES, 0.5, 1 / np.minimum(observation.HIGH[COLUMNS], 6)).astype(np.float32)


def features(seen):
    return np.take(seen, COLUMNS, axis=1) * SCALE


class Network:
    """A network with one hidden layer. Its output is the expected result for the viewer, from -1 to 1."""

    def __init__(self, inputs, rng):
        first = (rng.standard_normal((inputs, HIDDEN)) / np.sqrt(inputs)).astype(np.float32)
        self.parts = [first, np.zeros(HIDDEN, np.float32), np.zeros((HIDDEN, 1), np.float32), np.zeros(1, np.float32)]
        self.means = [np.zeros_like(part) for part in self.parts]
        self.spreads = [np.zeros_like(part) for part in self.parts]
        self.updates = 0

    def forward(self, x):
        hidden = np.maximum(x @ self.parts[0] + self.parts[1], 0)
        return hidden, np.tanh(hidden @ self.parts[2] + self.parts[3])[:, 0]

    def learn(self, x, target, rate):
        """Make one step of Adam (Kingma and Ba 2015) towards the targets."""
        hidden, value = self.forward(x)
        error = ((value - target) * (1 - value * value) / len(x))[:, None]
        back = (error @ self.parts[2].T) * (hidden > 0)
        self.updates += 1
        for index, slope in enumerate((x.T @ back, back.sum(0), hidden.T @ error, error.sum(0))):
            self.means[index] += 0.1 * (slope - self.means[index])
            self.spreads[index] += 0.001 * (slope * slope - self.spreads[index])
            mean = self.means[index] / (1 - 0.9**self.updates)
            spread = np.sqrt(self.spreads[index] / (1 - 0.999**self.updates))
            self.parts[index] -= (rate * mean / (spread + 1e-8)).astype(np.float32)


def best_choices(network, tables, rng, explore):
    """Choose the best action of each game, sometimes a random one. Returns actions, features and values."""
    firsts, actions, seen = tables.afterstates()
    x = features(seen)
    values = network.forward(x)[1]
    starts, sizes = firsts[:-1], np.diff(firsts)
    best = np.flatnonzero(values == np.repeat(np.maximum.reduceat(values, starts), sizes))
    chosen = best[np.searchsorted(best, starts)]
    other = starts + (rng.random(len(sizes)) * sizes).astype(np.int64)
    chosen = np.where(rng.random(len(sizes)) < explore, other, chosen)
    return actions[chosen], x[chosen], values[chosen]


def targets_of(seats, values, gains, ended):
    """Compute the targets of the values from the last step back, with the sign changed where the seat changes."""
    targets = np.zeros_like(values[:-1])
    later = values[-1]
    for step in range(len(values) - 2, -1, -1):
        side = np.where(seats[step + 1] == seats[step], 1, -1)
        mixed = side * (LAMBDA * later + (1 - LAMBDA) * values[step + 1])
        targets[step] = later = np.where(ended[step], gains[step], mixed)
    return targets


def train(steps=STEPS, seed=1, say=print):
    """Learn by self-play and return the network."""
    rng = np.random.default_rng(seed)
    env = CartagenaVectorEnv(TABLES, RULES, 2, observations=False, masks=False)
    env.reset(seed=seed)
    tables, network, began = env.tables, Network(len(COLUMNS), rng), time.time()
    inputs = np.zeros((SPAN, TABLES, len(COLUMNS)), np.float32)
    values, gains = np.zeros((SPAN, TABLES), np.float32), np.zeros((SPAN, TABLES), np.float32)
    seats, ended, idle = (np.zeros((SPAN, TABLES), kind) for kind in (np.int64, bool, bool))
    for span in range(steps // (SPAN * TABLES)):
        for step in range(SPAN):
            seats[step], idle[step] = tables.viewers, tables.status != 0
            actions, inputs[step], values[step] = best_choices(network, tables, rng, EXPLORE)
            env.step(actions)
            gains[step], ended[step] = tables.gained, tables.ended
        targets = targets_of(seats, values, gains, ended).reshape(-1)
        x = inputs[:-1].reshape(-1, len(COLUMNS))
        used = rng.permutation(np.flatnonzero(~idle[:-1].reshape(-1)))
        for part in np.array_split(used, len(used) // BATCH):
            network.learn(x[part], targets[part], RATE * (1 - 0.9 * span * SPAN * TABLES / steps))
        if span % 20 == 0:
            say(f"{(span + 1) * SPAN * TABLES:9,d} steps  {time.time() - began:4.0f} s")
    return network


def match(network, opponent="sailor", games=400, seed=1):
    """Return the share of games won against a player, half of them from each seat."""
    env = CartagenaVectorEnv(games, RULES, 2, observations=False, masks=False, rewards="win")
    env.reset(seed=seed)
    tables, rng = env.tables, np.random.default_rng(seed)
    players = [create(opponent, seed + number) for number in range(games)]
    mine, won, running = np.arange(games) % 2, np.zeros(games), np.ones(games, bool)
    while running.any():
        actions = best_choices(network, tables, rng, 0.0)[0]
        for number in np.flatnonzero(running & (tables.viewers != mine)):
            view = tables.position(number).view(int(tables.viewers[number]) + 1)
            actions[number] = view.action(players[number].decide(view))
        env.step(actions)
        over = running & (tables.ended | tables.cut)
        won[over] = tables.rewards[over, mine[over]]
        running &= ~over
    return float(won.mean())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=400)
    chosen = parser.parse_args()
    network = train(chosen.steps, chosen.seed)
    share = match(network, games=chosen.games, seed=chosen.seed)
    print(f"won {share:.1%} of {chosen.games} games against sailor after {chosen.steps:,d} steps")


if __name__ == "__main__":
    main()
