"""Fit the evaluation (``players.compiled.evaluation``) to results by stochastic gradient descent (Adam), in NumPy."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from cartagena.players.compiled.evaluation import BIAS, HIDDEN, INNER, OUT
from cartagena.players.compiled.features import SIZE

from .gradients import Adam, Array, Tensor, cross_entropy

BATCH: Final = 256
HELD_BACK: Final = 10
"""One sample in this many is held back to test the fit."""


@dataclass(frozen=True)
class TrainingSamples:
    """Positions of tables of one size: features (sample, seat, feature) and the seat that won, from 0.

    Instead of winners there may be chances to win (sample, seat), which searched games have.
    Columns beyond the features tell which player had a seat. They are fitted too and then dropped, so that the habits
    of a strong player are not mistaken for its strength.
    """

    features: Array
    winners: Array

    def __len__(self) -> int:
        return len(self.winners)

    def __getitem__(self, chosen: slice | Array) -> "TrainingSamples":
        return TrainingSamples(self.features[chosen], self.winners[chosen])

    @property
    def target(self) -> Array:
        """The chances to be learned: 1 for the winner, or as they are given."""
        if self.winners.ndim == 2:
            return self.winners
        return np.eye(self.features.shape[1], dtype=np.float32)[self.winners]

    def split(self) -> tuple["TrainingSamples", "TrainingSamples"]:
        """The samples to fit and those held back. Samples of one game are neighbours and stay together."""
        edge = len(self) // HELD_BACK
        return self[edge:], self[:edge]


def unpack(weights: Array) -> list[Array]:
    """Linear weights, biases, outer and inner weights as arrays of single precision."""
    parts = weights[:SIZE], weights[BIAS:OUT], weights[OUT:INNER], weights[INNER:].reshape(SIZE, HIDDEN)
    return [part.astype(np.float32) for part in parts]


def pack(parts: Sequence[Array]) -> Array:
    """The reverse of ``unpack``."""
    return np.concatenate([part.ravel() for part in parts]).astype(np.float64)


def widened(parts: list[Array], columns: int) -> list[Array]:
    """The network widened to ``columns`` columns. The weights of the new ones are 0."""
    more = columns - SIZE
    linear, inner = np.pad(parts[0], (0, more)), np.pad(parts[3], ((0, more), (0, 0)))
    return [linear, parts[1], parts[2], inner]


def narrowed(parts: Sequence[Array]) -> list[Array]:
    """The network without the additional columns."""
    return [parts[0][:SIZE], parts[1], parts[2], parts[3][:SIZE]]


def seeded(parts: list[Array], random: np.random.Generator) -> list[Array]:
    """Give a network without hidden weights small random ones, so that they can be fitted."""
    if not parts[3].any():
        parts[3] = (random.normal(size=parts[3].shape) * 0.25).astype(np.float32)
        parts[2] = (random.normal(size=HIDDEN) * 0.05).astype(np.float32)
    return parts


def loss_of(samples: TrainingSamples, parts: Sequence[Tensor]) -> Tensor:
    """The mean cross entropy of the winners, in nats."""
    linear, bias, outer, inner = parts
    scores = samples.features @ linear + (samples.features @ inner + bias).relu() @ outer
    found: Tensor = cross_entropy(scores, samples.target)
    return found


def loss(samples: TrainingSamples, parts: Sequence[Array]) -> float:
    """``loss_of`` as a number."""
    return loss_of(samples, [Tensor(part) for part in parts]).item()


def batches(sets: Sequence[TrainingSamples], random: np.random.Generator) -> list[tuple[TrainingSamples, Array]]:
    """Batches of all sets in random order. Each is of one set, that is of one number of seats."""
    found = []
    for samples in sets:
        order = random.permutation(len(samples))
        found += [(samples, order[first : first + BATCH]) for first in range(0, len(order), BATCH)]
    random.shuffle(found)
    return found


def fit(
    weights: Array,
    sets: Sequence[TrainingSamples],
    epochs: int = 4,
    rate: float = 2e-3,
    seed: int = 0,
    tell: Callable[[float], None] = lambda _: None,
) -> Array:
    """Fit the weights to the samples. ``tell`` is called with the loss of the held-back samples after each epoch."""
    random = np.random.default_rng(seed)
    parts = [Tensor(part) for part in widened(seeded(unpack(weights), random), sets[0].features.shape[2])]
    learn, test = zip(*(samples.split() for samples in sets), strict=True)
    optimiser = Adam(parts)
    for epoch in range(epochs):
        for samples, chosen in batches(learn, random):
            optimiser.step(loss_of(samples[chosen], parts), rate * (1 - epoch / epochs))
        tell(float(np.mean([loss_of(samples, parts).item() for samples in test])))
    return pack(narrowed([part.value for part in parts]))
