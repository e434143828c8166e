"""Train a network: Adam on the cross entropy of the target and the win chances.

The rate rises briefly and then falls along a cosine. The arrays are NumPy's (``NumpyArrays``): slow, and without any
further package; or PyTorch's, on a GPU if there is one (``network_torch``).
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any, Final, Protocol

import numpy as np

from cartagena.players.compiled.network import UNITS, WIDTH
from cartagena.players.compiled.network_inputs import BLOCK, INPUTS, RIVAL, WHOLE
from cartagena.players.networks import Layers

from .game_chunks import TrainingSet
from .gradients import Adam, Array, Tensor, cross_entropy

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
    """The best network so far, by the loss of the samples held back."""

    def __init__(self, patience: int) -> None:
        self.patience = patience
        self.loss, self.worse = math.inf, 0
        self.layers: Layers | None = None

    def is_over(self, held: float, layers: Layers) -> bool:
        """Take a report. True where the last ``patience`` ones were no better than one before."""
        if not self.patience:
            return False
        if held < self.loss:
            self.loss, self.worse, self.layers = held, 0, layers
        else:
            self.worse += 1
        return self.worse >= self.patience


def shares(sets: Sequence[TrainingSet], sizes: Sequence[int]) -> Any:
    """How likely each set is to be learned from, by its samples and their weight."""
    found = np.array([data.weight * size for data, size in zip(sets, sizes, strict=True)], float)
    return found / found.sum()


class Arrays(Protocol):
    """What training needs of an array library, whose tensors have the names of PyTorch's.

    There is a report each ``report`` steps, by at most ``held`` samples of each set.
    """

    report: int
    held: int

    def load(self, array: Array) -> Any:
        """An array of NumPy as one of this library."""

    def start(self, parts: Sequence[Array]) -> list[Any]:
        """The tensors to be changed, and an optimiser for them."""

    def counts(self, rows: Any, size: int) -> Any:
        """How often each input is active: (samples, size) for rows (samples, inputs), which are filled up with -1."""

    def step(self, loss: Any, rate: float) -> None:
        """Change the tensors a step against the gradient of a loss."""

    def read(self, parts: Sequence[Any]) -> list[Array]:
        """Copies of the tensors as arrays of NumPy."""


class NumpyArrays:
    """``Arrays`` by NumPy alone."""

    report, held = 100, 4096
    load = staticmethod(np.asarray)

    def start(self, parts: Sequence[Array]) -> list[Tensor]:
        self.optimiser = Adam(found := [Tensor(part) for part in parts])
        return found

    def counts(self, rows: Array, size: int) -> Array:
        samples = len(rows)
        flat = rows.astype(np.int64) + size * np.arange(samples)[:, None]
        return np.bincount(flat[rows >= 0], minlength=samples * size).reshape(samples, size).astype(np.float32)

    def step(self, loss: Tensor, rate: float) -> None:
        self.optimiser.step(loss, rate)

    def read(self, parts: Sequence[Tensor]) -> list[Array]:
        return [part.value for part in parts]  # a step makes new ones


class Samples:
    """A training set as arrays of a library, and the network on it."""

    def __init__(self, arrays: Arrays, data: TrainingSet) -> None:
        self.arrays, self.seats = arrays, data.seats
        self.rows, self.target = arrays.load(data.rows), arrays.load(data.target)
        self.learn, self.held = np.nonzero(~data.held)[0], np.nonzero(data.held)[0][: arrays.held]

    def scores(self, parts: Sequence[Any], chosen: Any) -> Any:
        """The scores of some samples, from the mover on."""
        rows, sums, inner, layer, outer, scores = parts
        seats, size, pairs = self.seats, len(chosen), len(rows) > INPUTS
        active = self.rows[chosen]
        own = self.arrays.counts(active[:, :seats].reshape(size * seats, -1), BLOCK)
        common = self.arrays.counts((active[:, seats] - WHOLE).clip(-1), INPUTS - WHOLE)
        whole = common @ rows[WHOLE:INPUTS] + sums
        mine = (own @ rows[:BLOCK]).reshape(size, seats, WIDTH) + whole[:, None]
        its = (own @ rows[RIVAL : RIVAL + BLOCK]).reshape(size, seats, WIDTH)
        looks = 1 if seats == 2 and not pairs else seats
        together = mine[:, :looks] + its.sum(1, keepdim=True) - its[:, :looks]
        units = [together]
        if pairs:
            units = [mine + its.roll(-away, 1) + rows[INPUTS + away] for away in range(1, seats)]
        hidden = reduce(add, (each[:, :, :UNITS].relu() for each in units)) * (1 / len(units))
        both = together[:, :, UNITS:] + (hidden @ inner + layer).relu() @ outer + scores
        return both[:, 0] if looks == 1 else both[:, :, 0]

    def loss(self, parts: Sequence[Any], chosen: Array) -> Any:
        """The mean cross entropy of some samples, in nats."""
        index = self.arrays.load(chosen)
        return cross_entropy(self.scores(parts, index), self.target[index])


def held_loss(sets: Sequence[Samples], parts: Sequence[Any]) -> float:
    """The mean loss of the samples held back."""
    found = [data.loss(parts, data.held).item() for data in sets if len(data.held)]
    return float(np.mean(found)) if found else math.nan


def fit(
    layers: Layers, sets: Sequence[TrainingSet], effort: Effort, tell: Tell = quiet, arrays: Arrays | None = None
) -> Layers:
    """Train a network further. The layers given are not changed. The same steps give the same result."""
    arrays = arrays or NumpyArrays()
    random = np.random.default_rng(effort.seed)
    parts = arrays.start([part.copy() for part in layers.all()])
    data = [Samples(arrays, part) for part in sets]
    chance, best, over = shares(sets, [len(part.learn) for part in data]), Best(effort.patience), False
    begin, step = time.monotonic(), 0
    while not over and (done := effort.progress(step, begin)) < 1:
        part = data[int(random.choice(len(data), p=chance))]
        loss = part.loss(parts, part.learn[random.integers(len(part.learn), size=effort.batch)])
        arrays.step(loss, effort.rate_at(done))
        step += 1
        if step % arrays.report == 0:
            held = held_loss(data, parts)
            tell(step, loss.item(), held)
            over = best.is_over(held, Layers(*arrays.read(parts)))
    return best.layers or Layers(*arrays.read(parts))
