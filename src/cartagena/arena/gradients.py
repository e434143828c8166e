"""Gradients in NumPy: arrays that remember what they were made of, and the Adam optimiser.

A ``Tensor`` has the names of PyTorch's, as far as our networks need them, so that a network is described once and is
trained with either library.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Source = tuple["Tensor", Callable[[Array], Array]]
"""What a tensor was made of, and what turns a slope along the result into one along it."""
DECAY: Final = 1e-5


def unspread(slope: Array, shape: tuple[int, ...]) -> Array:
    """Add up a slope along the axes that broadcasting has added or stretched."""
    if slope.shape == shape:
        return slope
    slope = slope.sum(axis=tuple(range(slope.ndim - len(shape))))
    stretched = tuple(axis for axis, size in enumerate(shape) if size != slope.shape[axis])
    return np.asarray(slope.sum(axis=stretched, keepdims=True))


class Tensor:
    """An array and what it was made of. Arrays of NumPy may stand beside tensors and are taken as constants."""

    __array_ufunc__ = None  # NumPy leaves `array @ tensor` to the tensor

    def __init__(self, value: Array, *sources: Source) -> None:
        self.value, self.sources = value, sources

    def item(self) -> float:
        return float(self.value)

    def __len__(self) -> int:
        return len(self.value)

    def __add__(self, other: "Tensor | Array | float") -> "Tensor":
        def back(source: Tensor) -> Source:
            return source, lambda slope: unspread(slope, source.value.shape)

        if isinstance(other, Tensor):
            return Tensor(self.value + other.value, back(self), back(other))
        return Tensor(self.value + other, back(self))

    def __mul__(self, factor: Array | float) -> "Tensor":
        return Tensor(self.value * factor, (self, lambda slope: slope * factor))

    def __sub__(self, other: "Tensor") -> "Tensor":
        return self + other * -1.0

    def __matmul__(self, other: "Tensor") -> "Tensor":
        turned = other.value.T
        result = self.value @ other
        return Tensor(result.value, *result.sources, (self, lambda slope: np.tensordot(slope, turned, turned.ndim - 1)))

    def __rmatmul__(self, left: Array) -> "Tensor":
        axes = list(range(left.ndim - 1))
        return Tensor(left @ self.value, (self, lambda slope: np.tensordot(left, slope, (axes, axes))))

    def __getitem__(self, key: Any) -> "Tensor":
        def back(slope: Array) -> Array:
            whole = np.zeros_like(self.value)
            whole[key] = slope
            return whole

        return Tensor(self.value[key], (self, back))

    def reshape(self, *shape: int) -> "Tensor":
        return Tensor(self.value.reshape(shape), (self, lambda slope: slope.reshape(self.value.shape)))

    def roll(self, places: int, axis: int) -> "Tensor":
        return Tensor(np.roll(self.value, places, axis), (self, lambda slope: np.roll(slope, -places, axis)))

    def sum(self, axis: int | None = None, keepdim: bool = False) -> "Tensor":
        def back(slope: Array) -> Array:
            slope = slope if axis is None or keepdim else np.expand_dims(slope, axis)
            return np.broadcast_to(slope, self.value.shape)

        return Tensor(np.asarray(self.value.sum(axis=axis, keepdims=keepdim)), (self, back))

    def relu(self) -> "Tensor":
        return Tensor(np.maximum(self.value, 0), (self, lambda slope: slope * (self.value > 0)))

    def log_softmax(self, axis: int) -> "Tensor":
        shifted = self.value - self.value.max(axis=axis, keepdims=True)
        logs = shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
        return Tensor(logs, (self, lambda slope: slope - np.exp(logs) * slope.sum(axis=axis, keepdims=True)))


def gradients(loss: Tensor, parts: Sequence[Tensor]) -> list[Array]:
    """The slopes of a number along the tensors that it was made of."""
    order: list[Tensor] = []
    seen: set[Tensor] = set()

    def visit(tensor: Tensor) -> None:
        if tensor not in seen:
            seen.add(tensor)
            for source, _ in tensor.sources:
                visit(source)
            order.append(tensor)

    visit(loss)
    slopes = {loss: np.ones_like(loss.value)}
    for tensor in reversed(order):
        for source, back in tensor.sources:
            slope = back(slopes[tensor])
            slopes[source] = slopes[source] + slope if source in slopes else slope
    return [slopes[part] for part in parts]


def cross_entropy(scores: Any, target: Any) -> Any:
    """The mean cross entropy of the chances that scores stand for, in nats: tensors of either library."""
    return (scores.log_softmax(1) * target).sum() * (-1 / len(target))


class Adam:
    """The Adam optimiser."""

    def __init__(self, parts: Sequence[Tensor]) -> None:
        self.parts = parts
        self.mean = [np.zeros_like(part.value) for part in parts]
        self.square = [np.zeros_like(part.value) for part in parts]
        self.steps = 0

    def step(self, loss: Tensor, rate: float) -> None:
        """Change the parts a step against the gradient of a loss."""
        self.steps += 1
        for number, (part, gradient) in enumerate(zip(self.parts, gradients(loss, self.parts), strict=True)):
            slope = gradient + DECAY * part.value
            self.mean[number] = 0.9 * self.mean[number] + 0.1 * slope
            self.square[number] = 0.999 * self.square[number] + 0.001 * slope * slope
            mean = self.mean[number] / (1 - 0.9**self.steps)
            square = self.square[number] / (1 - 0.999**self.steps)
            part.value = part.value - rate * mean / (np.sqrt(square) + 1e-8)
