"""The weights of the evaluation, as files: set by hand, or found by ``cartagena tune``.

The files of this package are in ``data``: ``hand.json`` and ``hand-nest.json`` name the features they weigh; a tuned
one, ``GAME-2.json`` for two seats or ``GAME-many.json`` for more, has all numbers of the network. A file names the
feature set it belongs to, ``"feature-set": 1``; files of version 0.1.0 name none and belong to the first.
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
from .compiled.features import FEATURE_SET, NAMES

Weights = NDArray[np.float64]
HAND: Final = "hand"
TUNED: Final = "tuned"
FIRST_SET: Final = 1
"""The feature set of files that name none, as version 0.1.0 wrote them."""
DIGITS: Final = 4
"""Decimal places that are enough to play by."""
EVERY_DIGIT: Final = 17
"""Decimal places that lose nothing, to continue an interrupted tuning."""


def set_name(game: str, seats: int) -> str:
    """The name of the tuned weights for a game and a number of seats."""
    return f"{game}-{'2' if seats == 2 else 'many'}"


def weights_for(view: Position, kind: str = TUNED) -> Weights:
    """The weights for a game: set by hand, tuned, or from a file whose path is ``kind``."""
    if kind == TUNED:
        return packaged(set_name(view.rules.game, view.seats))
    if kind == HAND:
        return by_hand(view.rules)
    return from_file(kind)


def by_hand(rules: RuleSet) -> Weights:
    """The weights set by hand for a game."""
    return packaged("hand-nest" if rules.nest else "hand")


@cache
def packaged(name: str) -> Weights:
    """Weights from a file of this package."""
    path = files("cartagena.players") / "data" / f"{name}.json"
    return from_data(f"{name}.json", json.loads(path.read_text(encoding="utf-8")))


@cache
def from_file(path: str) -> Weights:
    """Weights from a file, which is read only once."""
    return read(path)


def read(path: str) -> Weights:
    """Weights from a file as it is now."""
    return from_data(path, about_file(path))


def about_file(path: str) -> dict[str, Any]:
    """All fields of a file of weights."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        data = None
    if not isinstance(data, dict):
        raise PlayerError(f"{path}: is not a file of weights")
    return data


def from_data(where: str, data: Any) -> Weights:
    """The weights in the order of ``compiled.evaluation``. Raises PlayerError for anything else."""
    if not isinstance(data, dict) or not isinstance(data.get("linear", {}), dict):
        raise PlayerError(f"{where}: is not a file of weights")
    feature_set = data.get("feature-set", FIRST_SET)
    if feature_set != FEATURE_SET:
        raise PlayerError(f"{where}: belongs to feature set {str(feature_set)[:20]}, this version has {FEATURE_SET}")
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
    """Weights of the features that are named; the others are 0."""
    weights = np.zeros(WEIGHTS)
    for name, weight in linear.items():
        if name not in NAMES:
            raise PlayerError(f"{where}: there is no feature {name}")
        weights[NAMES.index(name)] = weight
    return weights


def from_network(where: str, data: dict[str, Any]) -> Weights:
    """All numbers of the network."""
    numbers = data.get("weights")
    if data.get("features") != list(NAMES) or data.get("hidden") != HIDDEN or not isinstance(numbers, list):
        raise PlayerError(f"{where}: was tuned for other features; tune it again")
    if len(numbers) != WEIGHTS:
        raise PlayerError(f"{where}: has {len(numbers)} weights, not {WEIGHTS}")
    return np.array(numbers, np.float64)


def to_data(weights: Weights, digits: int = DIGITS, **about: Any) -> dict[str, Any]:
    """The fields of a file of weights."""
    numbers = [round(float(weight), digits) for weight in weights]
    return {**about, "feature-set": FEATURE_SET, "features": list(NAMES), "hidden": HIDDEN, "weights": numbers}


def write(path: Path, weights: Weights, digits: int = DIGITS, **about: Any) -> None:
    """Write a file of weights, completely or not at all."""
    part = path.with_suffix(".part")
    try:
        part.write_text(json.dumps(to_data(weights, digits, **about)) + "\n", encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise PlayerError(f"{path}: cannot be written: {error.strerror or 'unwritable'}") from None
