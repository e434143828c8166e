"""Fit the evaluation (``players.compiled.evaluation``) to results by stochastic gradient descent (Adam), in NumPy."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from cartagena.players.compiled.evaluation import BIAS, HIDDEN, INNER, OUT
from cartagena.players.compiled.features import SIZE

BATCH: Final = 256
DECAY: Final = 1e-5
HELD_BACK: Final = 10
"""One sample in this many is held back to test the fit."""


@dataclass(frozen=True)
class TrainingSamples:
    """Positions of tables of one size: features (sample, seat, feature) and the seat that won, from 0.

    Instead of winners there may be chances to win (sample, seat), which searched games have.
    Columns beyond the features tell which player had a seat. They are fitted too and then dropped, so that the habits
    of a strong player are not mistaken for its strength.
    """

    features: Any
    winners: Any

    def split(self) -> tuple["TrainingSamples", "TrainingSamples"]:
        """The samples to fit and those held back. Samples of one game are neighbours and stay together."""
        edge = len(self.winners) // HELD_BACK
        fitted = TrainingSamples(self.features[edge:], self.winners[edge:])
        return fitted, TrainingSamples(self.features[:edge], self.winners[:edge])


def unpack(weights: Any) -> list[Any]:
    """Linear weights, biases, outer and inner weights as arrays of single precision."""
    parts = weights[:SIZE], weights[BIAS:OUT], weights[OUT:INNER], weights[INNER:].reshape(SIZE, HIDDEN)
    return [part.astype(np.float32) for part in parts]


def pack(parts: Sequence[Any]) -> Any:
    """The reverse of ``unpack``."""
    return np.concatenate([part.ravel() for part in parts]).astype(np.float64)


def widened(parts: list[Any], columns: int) -> list[Any]:
    """The network widened to ``columns`` columns. The weights of the new ones are 0."""
    more = columns - SIZE
    linear, inner = np.pad(parts[0], (0, more)), np.pad(parts[3], ((0, more), (0, 0)))
    return [linear, parts[1], parts[2], inner]


def narrowed(parts: Sequence[Any]) -> list[Any]:
    """The network without the additional columns."""
    return [parts[0][:SIZE], parts[1], parts[2], parts[3][:SIZE]]


def seeded(parts: list[Any], random: Any) -> list[Any]:
    """Give a network without hidden weights small random ones, so that they can be fitted."""
    if not parts[3].any():
        parts[3] = (random.normal(size=parts[3].shape) * 0.25).astype(np.float32)
        parts[2] = (random.normal(size=HIDDEN) * 0.05).astype(np.float32)
    return parts


def forward(features: Any, parts: Sequence[Any]) -> tuple[Any, Any]:
    """The hidden units before the ReLU, and the win chances."""
    inner = features @ parts[3] + parts[1]
    scores = features @ parts[0] + np.maximum(inner, 0) @ parts[2]
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return inner, powers / powers.sum(axis=1, keepdims=True)


def wanted(winners: Any, seats: int) -> Any:
    """The chances to be learned: 1 for the winner, or as they are given."""
    return winners if winners.ndim == 2 else np.eye(seats, dtype=np.float32)[winners]


def loss(samples: TrainingSamples, parts: Sequence[Any]) -> float:
    """The mean cross entropy of the winners, in nats."""
    _, chances = forward(samples.features, parts)
    return float(-(wanted(samples.winners, chances.shape[1]) * np.log(chances + 1e-9)).sum(axis=1).mean())


def gradients(features: Any, winners: Any, parts: Sequence[Any]) -> list[Any]:
    """The gradient of the mean cross entropy of a batch."""
    inner, chances = forward(features, parts)
    error = (chances - wanted(winners, chances.shape[1])) / len(winners)
    back = error[:, :, None] * parts[2] * (inner > 0)
    outer = np.einsum("bs,bsh->h", error, np.maximum(inner, 0))
    return [
        np.einsum("bs,bsf->f", error, features),
        back.sum(axis=(0, 1)),
        outer,
        np.tensordot(features, back, ([0, 1], [0, 1])),
    ]


class Adam:
    """The Adam optimiser."""

    def __init__(self, parts: Sequence[Any]) -> None:
        self.mean = [np.zeros_like(part) for part in parts]
        self.square = [np.zeros_like(part) for part in parts]
        self.steps = 0

    def step(self, parts: list[Any], changes: Sequence[Any], rate: float) -> None:
        self.steps += 1
        for number, change in enumerate(changes):
            slope = change + DECAY * parts[number]
            self.mean[number] = 0.9 * self.mean[number] + 0.1 * slope
            self.square[number] = 0.999 * self.square[number] + 0.001 * slope * slope
            mean = self.mean[number] / (1 - 0.9**self.steps)
            square = self.square[number] / (1 - 0.999**self.steps)
            parts[number] -= rate * mean / (np.sqrt(square) + 1e-8)


def batches(sets: Sequence[TrainingSamples], random: Any) -> list[tuple[int, Any]]:
    """Batches of all sets in random order. Each is of one set, that is of one number of seats."""
    found = []
    for number, samples in enumerate(sets):
        order = random.permutation(len(samples.winners))
        found += [(number, order[first : first + BATCH]) for first in range(0, len(order), BATCH)]
    random.shuffle(found)
    return found


def fit(
    weights: Any,
    sets: Sequence[TrainingSamples],
    epochs: int = 4,
    rate: float = 2e-3,
    seed: int = 0,
    tell: Callable[[float], None] = lambda _: None,
) -> Any:
    """Fit the weights to the samples. ``tell`` is called with the loss of the held-back samples after each epoch."""
    random = np.random.default_rng(seed)
    parts = widened(seeded(unpack(weights), random), sets[0].features.shape[2])
    learn, test = zip(*(samples.split() for samples in sets), strict=True)
    optimiser = Adam(parts)
    for epoch in range(epochs):
        for number, chosen in batches(learn, random):
            samples = learn[number]
            changes = gradients(samples.features[chosen], samples.winners[chosen], parts)
            optimiser.step(parts, changes, rate * (1 - epoch / epochs))
        tell(float(np.mean([loss(samples, parts) for samples in test])))
    return pack(narrowed(parts))
