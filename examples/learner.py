"""A learner in NumPy that starts without knowledge and, on one core, beats ``sailor`` within minutes.

It learns the value of positions by playing against itself. A small network evaluates what its seat would see after each
choice (``afterstates``); the best choice is played, and sometimes another one to explore. The targets come from the
values that follow: TD(lambda), as in TD-Gammon (Tesauro 1992).

    python examples/learner.py [--steps N] [--seed S] [--games G]

saves the network as learner.npz and its curve as learner.svg. The class ``Learner`` plays with the saved network:

    cartagena arena learner sailor --code examples/learner.py --games 200
"""

import argparse
import os
import time
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from cartagena.rl.spaces import observation
from cartagena.rl.tables import LEVELS, EnvSettings, Tables

RULES = "jamaica-en"
FILE = os.environ.get("LEARNER", "learner.npz")
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

    @classmethod
    def load(cls, path):
        network = cls(len(COLUMNS), np.random.default_rng(0))
        with np.load(path) as saved:
            network.parts = [saved[name] for name in saved.files]
        return network

    def save(self, path):
        np.savez(path, *self.parts)

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


def new_tables(number, seed):
    """Tables with a new game each; observations come from ``afterstates`` alone."""
    tables = Tables(EnvSettings.of(RULES, 2), number, observations=False, masks=False)
    tables.seed(np.random.default_rng(seed).integers(1 << 63, size=number, dtype=np.uint64))
    tables.start()
    return tables


def train(steps=STEPS, seed=1, say=print):
    """Learn by self-play. Returns the network and its curve: steps and the share won against ``sailor``."""
    rng, tables, began = np.random.default_rng(seed), new_tables(TABLES, seed), time.time()
    network, curve = Network(len(COLUMNS), rng), []
    inputs = np.zeros((SPAN, TABLES, len(COLUMNS)), np.float32)
    values, gains = np.zeros((SPAN, TABLES), np.float32), np.zeros((SPAN, TABLES), np.float32)
    seats, ended, idle = (np.zeros((SPAN, TABLES), kind) for kind in (np.int64, bool, bool))
    for span in range(steps // (SPAN * TABLES)):
        for step in range(SPAN):
            seats[step], idle[step] = tables.viewers, tables.status != 0
            actions, inputs[step], values[step] = best_choices(network, tables, rng, EXPLORE)
            tables.step(actions)
            gains[step], ended[step] = tables.gained, tables.ended
        targets = targets_of(seats, values, gains, ended).reshape(-1)
        x = inputs[:-1].reshape(-1, len(COLUMNS))
        used = rng.permutation(np.flatnonzero(~idle[:-1].reshape(-1)))
        for part in np.array_split(used, len(used) // BATCH):
            network.learn(x[part], targets[part], RATE * (1 - 0.9 * span * SPAN * TABLES / steps))
        if span % 10 == 9:
            curve.append(((span + 1) * SPAN * TABLES, match(network, games=100, seed=seed)))
            say(f"{curve[-1][0]:9,d} steps  {time.time() - began:4.0f} s  won {curve[-1][1]:4.0%} against sailor")
    return network, curve


def match(network, opponent="sailor", games=400, seed=1):
    """Return the share of games won against a compiled level, half of them from each seat."""
    tables, rng = new_tables(games, seed), np.random.default_rng(seed)
    mine, won, running = np.arange(games) % 2, np.zeros(games), np.ones(games, bool)
    while running.any():
        actions = best_choices(network, tables, rng, 0.0)[0]
        theirs = running & (tables.viewers != mine)
        actions = np.where(theirs, tables.reply(np.where(theirs, LEVELS.index(opponent), -1)), actions)
        tables.step(actions)
        over = running & (tables.ended | tables.cut)
        won[over] = tables.rewards[over, mine[over]] > 0
        running &= ~over
    return float(won.mean())


class Learner:
    """A player for the arena: the choice whose outcome the saved network likes best."""

    name = "learner"

    def __init__(self, seed=0):
        self.network, self.rng, self.tables = Network.load(FILE), np.random.default_rng(seed), new_tables(1, seed)

    def decide(self, view, limit=None):  # noqa: ARG002
        self.tables.place(view)
        return view.move(int(best_choices(self.network, self.tables, self.rng, 0.0)[0][0]))


def plot(curve, path):
    """Draw the curve as SVG: the share won against ``sailor`` from 0 to 1 over the steps."""
    wide, high, last = 600, 300, max([steps for steps, _ in curve], default=1)
    line = " ".join(f"{40 + wide * steps / last:.1f},{20 + high * (1 - share):.1f}" for steps, share in curve)
    marks = "".join(
        f'<path d="M40 {y}h{wide}" stroke="#ccc"/><text x="4" y="{y + 4}">{share} %</text>'
        for share, y in ((0, 20 + high), (50, 20 + high // 2), (100, 20))
    )
    Path(path).write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 660 350" font-size="12" fill="none">'
        f'<g fill="#333">{marks}<text x="40" y="342">won against sailor, after up to {last:,} steps</text></g>'
        f'<polyline points="{line}" stroke="#06c" stroke-width="2"/></svg>\n',
        encoding="utf-8",
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=400)
    chosen = parser.parse_args()
    network, curve = train(chosen.steps, chosen.seed)
    network.save(FILE)
    plot(curve, FILE.removesuffix(".npz") + ".svg")
    share = match(network, games=chosen.games, seed=chosen.seed + 1)
    print(f"won {share:.1%} of {chosen.games} games against sailor after {chosen.steps:,d} steps; saved as {FILE}")


if __name__ == "__main__":
    main()
