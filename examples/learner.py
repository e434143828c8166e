"""A learner in NumPy that starts from nothing and beats ``sailor`` after about two minutes on one core.

It learns, by playing against itself, how good it is to leave a table like this: a small network looks at what its seat
would see after each choice (``afterstates``) and the best one is played, now and then another. What it should have
said follows from what came next, a little of it from far ahead: TD(lambda), as in TD-Gammon (Tesauro 1992).

    python examples/learner.py [--steps N] [--seed S] [--games G]
"""

import argparse
import os
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from cartagena.players import create
from cartagena.rl import observation
from cartagena.rl.vector import CartagenaVectorEnv

TABLES, SPAN, HIDDEN = 128, 64, 32
STEPS = 4_000_000
EXPLORE, LAMBDA, RATE, BATCH = 0.05, 0.95, 4e-3, 512


def pick_columns():
    """The entries of the observation that this learner looks at: pirates, hands, what is left of the turn."""
    names = ("pirates", "hands", "hand_sizes", "turn", "used", "passes", "owed", "result")
    columns = []
    for name in names:
        field = observation.BY_NAME[name]
        width = field.size // field.shape[0] * min(field.shape[0], 2) if len(field.shape) == 2 else field.size
        columns.append(np.arange(field.start, field.start + width))
    return np.concatenate(columns)


COLUMNS = pick_columns()
SCALE = (
    1.0 / np.where(COLUMNS < observation.BY_NAME["hands"].start, 2.0, np.minimum(observation.HIGH[COLUMNS], 6))
).astype(np.float32)


def features(seen):
    return np.take(seen, COLUMNS, axis=1) * SCALE


class Network:
    """One hidden layer; the answer is how a game will end for the viewer, from -1 to 1."""

    def __init__(self, inputs, rng):
        self.parts = [
            (rng.standard_normal((inputs, HIDDEN)) / np.sqrt(inputs)).astype(np.float32),
            np.zeros(HIDDEN, np.float32),
            np.zeros((HIDDEN, 1), np.float32),
            np.zeros(1, np.float32),
        ]
        self.mean = [np.zeros_like(part) for part in self.parts]
        self.spread = [np.zeros_like(part) for part in self.parts]
        self.updates = 0

    def forward(self, x):
        w1, b1, w2, b2 = self.parts
        hidden = np.maximum(x @ w1 + b1, 0)
        return hidden, np.tanh(hidden @ w2 + b2)[:, 0]

    def value(self, x):
        return self.forward(x)[1]

    def learn(self, x, target, rate):
        """One step of Adam towards the targets."""
        hidden, value = self.forward(x)
        error = ((value - target) * (1 - value * value) / len(x))[:, None]
        back = (error @ self.parts[2].T) * (hidden > 0)
        slopes = [x.T @ back, back.sum(0), hidden.T @ error, error.sum(0)]
        self.updates += 1
        for part, mean, spread, slope in zip(self.parts, self.mean, self.spread, slopes, strict=True):
            mean += 0.1 * (slope - mean)
            spread += 0.001 * (slope * slope - spread)
            fair = np.sqrt(spread / (1 - 0.999**self.updates)) + 1e-8
            part -= rate * (mean / (1 - 0.9**self.updates)) / fair


def best_choices(network, tables, rng, explore):
    """For each table the choice whose outcome looks best, or any one; its number, its features, its value."""
    firsts, actions, seen = tables.afterstates()
    x = features(seen)
    values = network.value(x)
    sizes = np.diff(firsts)
    best = np.maximum.reduceat(values, firsts[:-1])
    chosen = firsts[:-1] + first_of(values == np.repeat(best, sizes), firsts)
    other = rng.random(len(sizes)) < explore
    chosen[other] = (firsts[:-1] + (rng.random(len(sizes)) * sizes).astype(np.int64))[other]
    return actions[chosen], x[chosen], values[chosen], best


def first_of(flags, firsts):
    """In each segment the index of its first flag."""
    where = np.flatnonzero(flags)
    return where[np.searchsorted(where, firsts[:-1])] - firsts[:-1]


def train(steps, seed, report=print):
    rng = np.random.default_rng(seed)
    env = CartagenaVectorEnv(TABLES, "jamaica-en", 2, observations=False, masks=False)
    env.reset(seed=seed)
    network = Network(len(COLUMNS), rng)
    tables, began, done = env.tables, time.time(), 0
    while done < steps:
        seats, inputs, values, bests, gains, ends = [], [], [], [], [], []
        for _ in range(SPAN):
            seats.append(tables.viewers.copy())
            over = tables.stands != 0
            action, x, value, best = best_choices(network, tables, rng, EXPLORE)
            env.step(action)
            inputs.append(x)
            bests.append(best)
            values.append(value)
            gains.append(tables.gained.copy())
            ends.append(np.where(over, 2, tables.ended + 0))
        done += SPAN * TABLES
        # Backwards: what came next, told from the seat that chose before; after the end nothing comes.
        targets = [None] * SPAN
        later, later_seat, later_best = values[-1], seats[-1], values[-1]
        for step in range(SPAN - 2, -1, -1):
            same = np.where(seats[step + 1] == seats[step], 1.0, -1.0)
            mixed = LAMBDA * later + (1 - LAMBDA) * values[step + 1]
            targets[step] = np.where(ends[step] == 1, gains[step], same * mixed)
            later = np.where(ends[step] == 2, values[step], targets[step])
        x = np.concatenate(inputs[:-1])
        y = np.concatenate(targets[:-1]).astype(np.float32)
        use = rng.permutation(np.flatnonzero(np.concatenate(ends[:-1]) != 2))
        rate = RATE * (1 - 0.9 * done / steps)
        for start in range(0, len(use), BATCH):
            part = use[start : start + BATCH]
            network.learn(x[part], y[part], rate)
        if done % (SPAN * TABLES * 40) == 0:
            report(f"{done:9,d} steps  {time.time() - began:5.0f} s")
    return network


def match(network, opponent, games, seed):
    """The share of games won against a player, each seat half of them."""
    env = CartagenaVectorEnv(games, "jamaica-en", 2, observations=False, masks=False)
    env.reset(seed=seed)
    tables, rng = env.tables, np.random.default_rng(seed)
    players = [create(opponent, seed + number) for number in range(games)]
    mine = np.arange(games) % 2
    won, open_games = np.zeros(games), np.ones(games, bool)
    while open_games.any():
        action = best_choices(network, tables, rng, 0.0)[0]
        for number in np.flatnonzero(open_games & (tables.viewers != mine)):
            view = tables.position(number).view(int(tables.viewers[number]) + 1)
            action[number] = view.action(players[number].decide(view))
        env.step(action)
        over = open_games & (tables.ended | tables.cut)
        won[over] = (tables.rewards[over, mine[over]] + 1) / 2
        open_games &= ~over
    return float(won.mean())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=400)
    chosen = parser.parse_args()
    began = time.time()
    network = train(chosen.steps, chosen.seed)
    print(f"learned {chosen.steps:,d} steps in {time.time() - began:.0f} s")
    share = match(network, "sailor", chosen.games, chosen.seed)
    print(f"won {share:.1%} of {chosen.games} games against sailor")


if __name__ == "__main__":
    main()
