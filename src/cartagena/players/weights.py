"""The weights of the evaluation, as files: set by hand, or found by ``cartagena tune``.

The files of this package are in ``data``: ``hand.json`` and ``hand-nest.json`` name the features they weigh. Every
generation of tuned weights has a folder, named by its month: ``GAME-2.json`` for two seats and ``GAME-many.json`` for
more have all numbers of the network. A file names the feature set it belongs to, ``"feature-set": 1``; files of version
0.1.0 name none and belong to the first. Files of the larger networks are read by ``networks``.

A player takes weights as an option: ``captain:weights=my-weights.json``, ``captain:weights=2026-11``.
"""

import json
import re
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cartagena.errors import PlayerError
from cartagena.game import Position
from cartagena.rulesets import RuleSet

from . import networks
from .compiled.evaluation import HIDDEN, WEIGHTS
from .compiled.features import FEATURE_SET, NAMES
from .files import at, save

Weights = NDArray[np.float64]
HAND: Final = "hand"
TUNED: Final = "tuned"
NETWORK: Final = "network"
NEWEST: Final = "2026-11"
"""The generation of weights that players use unless another one is named."""
GENERATION: Final = re.compile(r"20[0-9]{2}-[0-9]{2}")
FIRST_SET: Final = 1
"""The feature set of files that name none, as version 0.1.0 wrote them."""
DIGITS: Final = 4
"""Decimal places that are enough to play by."""
EVERY_DIGIT: Final = 17
"""Decimal places that lose nothing, to continue an interrupted tuning."""


def weights_for(view: Position, kind: str = TUNED) -> Weights:
    """The weights for a game: set by hand, tuned, of a generation, a network, or from a file whose path is ``kind``.

    Where this package has no network for a game, its seats or its sizes, the tuned weights take its place.
    """
    if kind == HAND:
        return by_hand(view.rules)
    network = networks.network_for(view) if kind == NETWORK else None
    if network is not None:
        return network  # type: ignore[no-any-return]
    if kind in {TUNED, NETWORK, *generations()}:
        return packaged(f"{kind if kind in generations() else NEWEST}/{networks.set_name(view.rules.game, view.seats)}")
    return networks.from_file(kind, view) if networks.is_network(kind) else from_file(kind)


@cache
def generations() -> tuple[str, ...]:
    """The generations of tuned weights that this package has, oldest first."""
    folders = (files("cartagena.players") / "data").iterdir()
    return tuple(sorted(folder.name for folder in folders if GENERATION.fullmatch(folder.name)))


def checked(kind: str) -> str:
    """The same name of weights. Raises PlayerError where there are none of that name and no such file."""
    if kind in (HAND, TUNED, NETWORK, *generations()):
        return kind
    if not at(kind).exists():
        known = ", ".join([HAND, TUNED, *generations(), NETWORK])
        raise PlayerError(f"{kind[:200]}: is neither a file nor weights of this package ({known})")
    if networks.is_network(kind):
        networks.read(kind)
    else:
        from_file(kind)
    return kind


def by_hand(rules: RuleSet) -> Weights:
    """The weights set by hand for a game."""
    return packaged("hand-nest" if rules.nest else "hand")


@cache
def packaged(name: str) -> Weights:
    """Weights from a file of this package."""
    path = files("cartagena.players") / "data" / f"{name}.json"
    return from_data(f"{name}.json", json.loads(path.read_text(encoding="utf-8")))


def from_file(path: str) -> Weights:
    """The weights that a file has now."""
    return _kept(path, text_of(path))


def read(path: str) -> Weights:
    """The weights of a file in an array of the caller's own, to change them."""
    return from_file(path).copy()


def about_file(path: str) -> dict[str, Any]:
    """All fields of a file of weights."""
    return fields_of(path, text_of(path))


def text_of(path: str) -> str:
    """The text of a file, or of the copy of it on this machine."""
    try:
        return at(path).read_text(encoding="utf-8")
    except (OSError, ValueError):
        raise PlayerError(f"{path}: is not a file of weights") from None


@lru_cache(maxsize=32)
def _kept(path: str, text: str) -> Weights:
    """Parse weights. The cache key is the content of the file, not the time at which it was written."""
    return from_data(path, fields_of(path, text))


def fields_of(where: str, text: str) -> dict[str, Any]:
    """The fields of a text. Raises PlayerError if it is not a JSON object."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise PlayerError(f"{where}: is not a file of weights")
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
    """Weights of the features that are named. The others are 0."""
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
    save(path, (json.dumps(to_data(weights, digits, **about)) + "\n").encode())
