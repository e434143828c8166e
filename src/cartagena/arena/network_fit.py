"""Train a network in NumPy: slow, and without any further package. ``network_torch`` does the same on a GPU.

Both learn alike: Adam on the cross entropy of the target and the win chances, with a rate that rises briefly and then
falls along a cosine.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from cartagena.players.compiled.network import BLOCK, INPUTS, RIVAL, UNITS, WHOLE, WIDTH
from cartagena.players.networks import Layers

from .game_chunks import TrainingSet
from .training import Adam

WARM: Final = 0.03
"""The part of the training in which the rate rises."""
LAST_RATE: Final = 0.01
"""The rate at the end, as a share of the highest."""


@dataclass(frozen=True)
class Effort:
    """How long a network is trained: ``steps`` steps of ``batch`` samples, but no longer than ``seconds``."""

    steps: int = 1000
    seconds: float = math.inf
    batch: int = 256
    rate: float = 1.5e-3
    seed: int = 1

    def progress(self, step: int, begin: float) -> float:
        """The part that is done, from 0 to 1."""
        return max((time.monotonic() - begin) / self.seconds, step / self.steps)

    def rate_at(self, done: float) -> float:
        """The rate after this part of the training."""
        if done < WARM:
            return self.rate * (0.1 + 0.9 * done / WARM)
        return self.rate * (LAST_RATE + (1 - LAST_RATE) * 0.5 * (1 + math.cos(math.pi * min(done, 1.0))))


Tell = Callable[[int, float, float], None]
"""Called with the steps done, the loss of a batch, and the loss of the samples held back."""


def quiet(_steps: int, _loss: float, _held: float) -> None:
    """No-op default callback."""


def counts_of(rows: Any, size: int) -> Any:
    """How often each input is active: (samples, size) for rows (samples, inputs)."""
    samples = len(rows)
    flat = rows.astype(np.int64) + size * np.arange(samples)[:, None]
    return np.bincount(flat[rows >= 0], minlength=samples * size).reshape(samples, size).astype(np.float32)


@dataclass
class Forward:
    """Values of the forward pass that the backward pass needs."""

    own: Any
    common: Any
    sums: Any
    hidden: Any
    inner: Any
    chances: Any


def forward(layers: Layers, data: TrainingSet, chosen: Any) -> Forward:
    """The win chances of some samples, from the mover on."""
    seats, size = data.seats, len(chosen)
    rows = data.rows[chosen]
    own = counts_of(rows[:, :seats].reshape(size * seats, -1), BLOCK)
    common = counts_of(np.where(rows[:, seats] < 0, -1, rows[:, seats] - WHOLE), INPUTS - WHOLE)
    mine = (own @ layers.rows[:BLOCK]).reshape(size, seats, WIDTH)
    its = (own @ layers.rows[RIVAL : RIVAL + BLOCK]).reshape(size, seats, WIDTH)
    whole = common @ layers.rows[WHOLE:] + layers.sums
    looks = 1 if seats == 2 else seats
    sums = whole[:, None] + mine[:, :looks] + its.sum(axis=1, keepdims=True) - its[:, :looks]
    hidden = np.maximum(sums[:, :, :UNITS], 0)
    inner = hidden @ layers.inner + layers.layer
    both = sums[:, :, UNITS:] + np.maximum(inner, 0) @ layers.outer + layers.scores
    scores = both[:, 0] if seats == 2 else both[:, :, 0]
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return Forward(own, common, sums, hidden, inner, powers / powers.sum(axis=1, keepdims=True))


def loss_of(chances: Any, target: Any) -> float:
    """The mean cross entropy, in nats."""
    return float(-(target * np.log(chances + 1e-9)).sum(axis=1).mean())


def gradients(layers: Layers, data: TrainingSet, chosen: Any) -> tuple[list[Any], float]:
    """The gradients of all layers for a batch, and its loss."""
    seen = forward(layers, data, chosen)
    size, seats = len(chosen), data.seats
    error = (seen.chances - data.target[chosen]) / size
    looks = seen.sums.shape[1]
    back = np.zeros((size, looks, 2), np.float32)
    if seats == 2:
        back[:, 0] = error
    else:
        back[:, :, 0] = error
    layer = np.maximum(seen.inner, 0)
    to_layer = (back @ layers.outer.T) * (seen.inner > 0)
    to_sums = np.concatenate([(to_layer @ layers.inner.T) * (seen.hidden > 0), back], axis=2)
    whole = to_sums.sum(axis=1)
    mine = np.zeros((size, seats, WIDTH), np.float32)
    mine[:, :looks] = to_sums
    its = whole[:, None] - mine
    rows = [seen.own.T @ part.reshape(size * seats, WIDTH) for part in (mine, its)]
    found = [
        np.concatenate([*rows, seen.common.T @ whole]),
        whole.sum(axis=0),
        np.tensordot(seen.hidden, to_layer, ([0, 1], [0, 1])),
        to_layer.sum(axis=(0, 1)),
        np.tensordot(layer, back, ([0, 1], [0, 1])),
        back.sum(axis=(0, 1)),
    ]
    return found, loss_of(seen.chances, data.target[chosen])


def held_loss(layers: Layers, sets: Sequence[TrainingSet], most: int = 4096) -> float:
    """The mean loss of the samples held back, at most ``most`` of each set."""
    found = []
    for data in sets:
        rows = np.nonzero(data.held)[0][:most]
        if len(rows):
            found.append(loss_of(forward(layers, data, rows).chances, data.target[rows]))
    return float(np.mean(found)) if found else math.nan


def fit(layers: Layers, sets: Sequence[TrainingSet], effort: Effort, tell: Tell = quiet) -> Layers:
    """Train a network further. The layers given are not changed. The same steps give the same result."""
    random = np.random.default_rng(effort.seed)
    parts = [part.copy() for part in layers.all()]
    optimiser, begin, step = Adam(parts), time.monotonic(), 0
    learn = [np.nonzero(~data.held)[0] for data in sets]
    sizes = np.array([len(rows) for rows in learn], float)
    while (done := effort.progress(step, begin)) < 1:
        number = int(random.choice(len(sets), p=sizes / sizes.sum()))
        chosen = learn[number][random.integers(len(learn[number]), size=effort.batch)]
        changes, loss = gradients(Layers(*parts), sets[number], chosen)
        optimiser.step(parts, changes, effort.rate_at(done))
        step += 1
        if step % 100 == 0:
            tell(step, loss, held_loss(Layers(*parts), sets))
    return Layers(*parts)
