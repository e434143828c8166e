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

from cartagena.players.compiled.network import UNITS, WIDTH
from cartagena.players.compiled.network_inputs import BLOCK, INPUTS, RIVAL, WHOLE
from cartagena.players.networks import Layers

from .game_chunks import TrainingSet
from .training import Adam

WARM: Final = 0.03
"""The part of the training in which the rate rises."""
LAST_RATE: Final = 0.01
"""The rate at the end, as a share of the highest."""


@dataclass(frozen=True)
class Effort:
    """How long a network is trained: ``steps`` steps of ``batch`` samples, but no longer than ``seconds``.

    After ``patience`` reports without a better loss of the samples held back it ends early; with any patience the best
    network that was reported is found, not the last one.
    """

    steps: int = 1000
    seconds: float = math.inf
    batch: int = 256
    rate: float = 1.5e-3
    seed: int = 1
    patience: int = 0

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


class Best:
    """The best parameters so far, by the loss of the samples held back."""

    def __init__(self, patience: int) -> None:
        self.patience = patience
        self.loss, self.worse = math.inf, 0
        self.parts: list[Any] | None = None

    def is_over(self, held: float, parts: Sequence[Any]) -> bool:
        """Take a report. True where the last ``patience`` ones were no better than one before."""
        if not self.patience:
            return False
        if held < self.loss:
            self.loss, self.worse, self.parts = held, 0, copies(parts)
        else:
            self.worse += 1
        return self.worse >= self.patience


def copies(parts: Sequence[Any]) -> list[Any]:
    """Copies of arrays of NumPy, or of PyTorch, which calls that something else."""
    return [part.copy() if isinstance(part, np.ndarray) else part.detach().clone() for part in parts]


def shares(sets: Sequence[TrainingSet], sizes: Sequence[int]) -> Any:
    """How likely each set is to be learned from, by its samples and their weight."""
    found = np.array([data.weight * size for data, size in zip(sets, sizes, strict=True)], float)
    return found / found.sum()


def counts_of(rows: Any, size: int) -> Any:
    """How often each input is active: (samples, size) for rows (samples, inputs)."""
    samples = len(rows)
    flat = rows.astype(np.int64) + size * np.arange(samples)[:, None]
    return np.bincount(flat[rows >= 0], minlength=samples * size).reshape(samples, size).astype(np.float32)


@dataclass
class Forward:
    """Values of the forward pass that the backward pass needs. ``sums`` are (sample, seat, rival or one, unit)."""

    own: Any
    common: Any
    sums: Any
    hidden: Any
    inner: Any
    chances: Any


def pair_sums(layers: Layers, mine: Any, its: Any) -> Any:
    """The sums of each seat with each rival, in the order of their turns: (sample, seat, rival, unit)."""
    pairs = [mine + np.roll(its, -away, axis=1) + layers.rows[INPUTS + away] for away in range(1, mine.shape[1])]
    return np.stack(pairs, axis=2)[..., :UNITS]


def forward(layers: Layers, data: TrainingSet, chosen: Any) -> Forward:
    """The win chances of some samples, from the mover on."""
    seats, size = data.seats, len(chosen)
    rows = data.rows[chosen]
    own = counts_of(rows[:, :seats].reshape(size * seats, -1), BLOCK)
    common = counts_of(np.where(rows[:, seats] < 0, -1, rows[:, seats] - WHOLE), INPUTS - WHOLE)
    whole = common @ layers.rows[WHOLE:INPUTS] + layers.sums
    mine = (own @ layers.rows[:BLOCK]).reshape(size, seats, WIDTH) + whole[:, None]
    its = (own @ layers.rows[RIVAL : RIVAL + BLOCK]).reshape(size, seats, WIDTH)
    looks = 1 if seats == 2 and not layers.pairs else seats
    together = mine[:, :looks] + its.sum(axis=1, keepdims=True) - its[:, :looks]
    sums = pair_sums(layers, mine, its) if layers.pairs else together[:, :, None, :UNITS]
    hidden = np.maximum(sums, 0).mean(axis=2)
    inner = hidden @ layers.inner + layers.layer
    both = together[:, :, UNITS:] + np.maximum(inner, 0) @ layers.outer + layers.scores
    scores = both[:, 0] if looks == 1 else both[:, :, 0]
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
    looks, rivals = seen.sums.shape[1:3]
    back = np.zeros((size, looks, 2), np.float32)
    if looks == 1:
        back[:, 0] = error
    else:
        back[:, :, 0] = error
    layer = np.maximum(seen.inner, 0)
    to_layer = (back @ layers.outer.T) * (seen.inner > 0)
    to_sums = (to_layer @ (layers.inner.T / rivals))[:, :, None] * (seen.sums > 0)
    mine = np.zeros((size, seats, WIDTH), np.float32)
    mine[:, :looks, :UNITS] = to_sums.sum(axis=2)
    mine[:, :looks, UNITS:] = back
    whole = mine.sum(axis=1)
    its = whole[:, None] - mine
    away = np.zeros((len(layers.rows) - INPUTS, WIDTH), np.float32)
    if layers.pairs:
        its[:, :, :UNITS] = sum(np.roll(to_sums[:, :, rival], rival + 1, axis=1) for rival in range(rivals))
        away[1:seats, :UNITS] = to_sums.sum(axis=(0, 1))
    rows = [seen.own.T @ part.reshape(size * seats, WIDTH) for part in (mine, its)]
    found = [
        np.concatenate([*rows, seen.common.T @ whole, away]),
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
    chance, best, over = shares(sets, [len(rows) for rows in learn]), Best(effort.patience), False
    while not over and (done := effort.progress(step, begin)) < 1:
        number = int(random.choice(len(sets), p=chance))
        chosen = learn[number][random.integers(len(learn[number]), size=effort.batch)]
        changes, loss = gradients(Layers(*parts), sets[number], chosen)
        optimiser.step(parts, changes, effort.rate_at(done))
        step += 1
        if step % 100 == 0:
            held = held_loss(Layers(*parts), sets)
            tell(step, loss, held)
            over = best.is_over(held, parts)
    return Layers(*(best.parts or parts))
