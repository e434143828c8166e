"""The numbers behind the evaluation, as data: hand-set ones, and those that ``cartagena tune`` found.

A set is a file in ``data``: ``hand.json`` (and ``hand-nest.json``) name the features they
weigh; a tuned one, ``GAME-2.json`` for two seats and
``GAME-many.json`` for more, holds all numbers of the network.
"""

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cartagena.errors import PlayerError
from cartagena.game import Position
from cartagena.rulesets import RuleSet

from .compiled.evaluation import HIDDEN, WEIGHTS
from .compiled.features import NAMES

Weights = NDArray[np.float64]
HAND: Final = "hand"
TUNED: Final = "tuned"
DIGITS: Final = 4
"""Digits after the point that are enough to play by."""
EVERY_DIGIT: Final = 17
"""Digits to go on tuning with as if it had never been broken off."""


def set_name(game: str, seats: int) -> str:
    """The name of the tuned set for a table."""
    return f"{game}-{'2' if seats == 2 else 'many'}"


def weights_for(view: Position, kind: str = TUNED) -> Weights:
    """The weights for a table: hand-set, tuned, or from a file of one's own."""
    if kind == TUNED:
        return packaged(set_name(view.rules.game, view.seats))
    if kind == HAND:
        return by_hand(view.rules)
    return own(kind)


def by_hand(rules: RuleSet) -> Weights:
    """The hand-set weights for a game."""
    return packaged("hand-nest" if rules.nest else "hand")


@cache
def packaged(name: str) -> Weights:
    """A set that comes along."""
    path = files("cartagena.players") / "data" / f"{name}.json"
    return from_data(f"{name}.json", json.loads(path.read_text(encoding="utf-8")))


@cache
def own(path: str) -> Weights:
    """A set from a file, which is read once."""
    return read(path)


def read(path: str) -> Weights:
    """A set from a file as it is now."""
    return from_data(path, about_file(path))


def about_file(path: str) -> dict[str, Any]:
    """All that a file of weights says."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        data = None
    if not isinstance(data, dict):
        raise PlayerError(f"{path}: is not a file of weights")
    return data


def from_data(where: str, data: Any) -> Weights:
    """The numbers of a set in the order ``core.value`` wants them."""
    if not isinstance(data, dict) or not isinstance(data.get("linear", {}), dict):
        raise PlayerError(f"{where}: is not a file of weights")
    try:
        weights = from_linear(where, data["linear"]) if "linear" in data else from_network(where, data)
    except PlayerError:
        raise
    except (TypeError, ValueError):
        weights = np.array([np.nan])
    if not np.isfinite(weights).all():
        raise PlayerError(f"{where}: has a weight that is not a number")
    return weights


def from_linear(where: str, linear: dict[str, float]) -> Weights:
    """A set that names the features it weighs."""
    weights = np.zeros(WEIGHTS)
    for name, weight in linear.items():
        if name not in NAMES:
            raise PlayerError(f"{where}: there is no feature {name}")
        weights[NAMES.index(name)] = weight
    return weights


def from_network(where: str, data: dict[str, Any]) -> Weights:
    """A set with all numbers of the network."""
    numbers = data.get("weights")
    if data.get("features") != list(NAMES) or data.get("hidden") != HIDDEN or not isinstance(numbers, list):
        raise PlayerError(f"{where}: was tuned for other features; run cartagena tune again")
    if len(numbers) != WEIGHTS:
        raise PlayerError(f"{where}: has {len(numbers)} weights, not {WEIGHTS}")
    return np.array(numbers, np.float64)


def to_data(weights: Weights, digits: int = DIGITS, **about: Any) -> dict[str, Any]:
    """A set as it is written to a file."""
    numbers = [round(float(weight), digits) for weight in weights]
    return {**about, "features": list(NAMES), "hidden": HIDDEN, "weights": numbers}


def write(path: Path, weights: Weights, digits: int = DIGITS, **about: Any) -> None:
    """Write a set to a file, at once or not at all."""
    part = path.with_suffix(".part")
    try:
        part.write_text(json.dumps(to_data(weights, digits, **about)) + "\n", encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise PlayerError(f"{path}: cannot be written: {error.strerror or 'unwritable'}") from None
