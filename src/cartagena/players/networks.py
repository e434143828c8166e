"""Networks as files: what ``cartagena train`` writes and the admiral plays by.

A file is compressed by gzip. Inside are eight letters, the length of a header, the header (JSON: for which game and
sizes, inputs, hashes, the command that made it, the curve of its training), and the numbers as ``compiled.network``
reads them, so that every backend takes them as they are.
"""

import gzip
import json
import logging
import struct
import zlib
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import numpy as np

from cartagena.errors import PlayerError
from cartagena.game import Position
from cartagena.kernel.layout import (
    T_BOAT,
    T_GOAL,
    T_HOME,
    T_NEST,
    T_OPEN,
    T_PIRATES,
    T_ROW,
    T_SIGNS,
)
from cartagena.rulesets import RuleSet

from .compiled.network import (
    DISTANCES,
    LARGEST,
    LAYER,
    LAYER_BIAS,
    LAYER_WEIGHTS,
    MARK,
    PAIRS_MARK,
    PAIRS_SIZE,
    ROWS,
    SCORE_BIAS,
    SCORE_WEIGHTS,
    SCORES,
    SIZE,
    SUMS_BIAS,
    UNIT,
    UNITS,
    WIDTH,
)
from .compiled.network_inputs import BLOCK, INPUT_SET, INPUTS, RIVAL
from .files import at, save

log = logging.getLogger("cartagena.players")
Weights = Any
MAGIC: Final = b"CARTNET1"
SUFFIX: Final = ".network"
FINEST: Final = 9
"""The sums count in steps of at least 2**-9: finer ones play no better and compress worse."""
MOST_BYTES: Final = 1 << 24
"""No network is as large as this."""
SHARE_OF_RIVALS: Final = 0.4
"""Factor for each rival's part of a network for two seats where two or three rivals play."""
PAIRS_SET: Final = 2
"""The input set of networks of pairs: ``INPUT_SET``, and the distances in turns."""
KINDS: Final = {INPUT_SET: (MARK, SIZE), PAIRS_SET: (PAIRS_MARK, PAIRS_SIZE)}
"""The mark and the size of a network of each input set."""


@dataclass
class Layers:
    """The numbers of a network in single precision, as training changes them.

    Shapes: rows (INPUTS, WIDTH), sums (WIDTH), inner (UNITS, LAYER), layer (LAYER), outer (LAYER, SCORES), scores
    (SCORES). A network of pairs has ``DISTANCES`` rows more.
    """

    rows: Any
    sums: Any
    inner: Any
    layer: Any
    outer: Any
    scores: Any

    def all(self) -> list[Any]:
        """The arrays in their order."""
        return [self.rows, self.sums, self.inner, self.layer, self.outer, self.scores]

    @property
    def pairs(self) -> bool:
        """True for a network of pairs."""
        return len(self.rows) > INPUTS


SHAPES: Final = ((INPUTS, WIDTH), (WIDTH,), (UNITS, LAYER), (LAYER,), (LAYER, SCORES), (SCORES,))


def fresh(seed: int, pairs: bool = False) -> Layers:
    """An untrained network: small random numbers, and zeros in its last two sums."""
    random = np.random.default_rng(seed)
    layers = Layers(*(np.zeros(shape, np.float32) for shape in SHAPES))
    layers.rows[:, :UNITS] = random.normal(size=(INPUTS, UNITS)) * 0.02
    if pairs:
        layers.rows = np.pad(layers.rows, ((0, DISTANCES), (0, 0)))
    layers.inner[:] = random.normal(size=(UNITS, LAYER)) * (1.4 / UNITS**0.5)
    layers.outer[:] = random.normal(size=(LAYER, SCORES)) * 0.1
    return layers


def for_more_seats(two: Layers) -> Layers:
    """A network of pairs to start with: a seat's score is how far a network for two seats sees it ahead of a rival."""
    layers = Layers(*(part.copy() for part in two.all()))
    layers.rows = np.pad(layers.rows, ((0, DISTANCES), (0, 0)))
    layers.rows[RIVAL : RIVAL + BLOCK, UNITS:] *= SHARE_OF_RIVALS
    for part in (layers.rows[:, UNITS:], layers.outer, layers.scores):
        part[..., 0] -= part[..., 1]
        part[..., 1] = 0
    return layers


def pack(layers: Layers) -> Weights:
    """The network as one row of numbers, its rows rounded to 16 bits."""
    top = max(float(np.abs(layers.rows).max()), 1e-6)
    power = min(FINEST, int(np.floor(np.log2(LARGEST / top))))
    unit = 2.0**-power
    mark, size = KINDS[PAIRS_SET if layers.pairs else INPUT_SET]
    packed = np.zeros(size)
    packed[0], packed[UNIT] = mark, unit
    packed[SCORE_BIAS:SCORE_WEIGHTS] = layers.scores
    packed[SCORE_WEIGHTS:LAYER_BIAS] = layers.outer.ravel()
    packed[LAYER_BIAS:LAYER_WEIGHTS].view(np.float32)[:] = layers.layer
    inner = np.zeros((WIDTH, LAYER), np.float32)
    inner[:UNITS] = layers.inner * np.float32(unit)
    packed[LAYER_WEIGHTS:SUMS_BIAS].view(np.float32)[:] = inner.ravel()
    packed[SUMS_BIAS:ROWS].view(np.int32)[:] = np.rint(layers.sums / unit)
    packed[ROWS:].view(np.int16)[:] = np.rint(layers.rows / unit).ravel()
    return packed


def unpack(packed: Weights) -> Layers:
    """The layers of a network, to train it further."""
    unit = np.float32(packed[UNIT])
    return Layers(
        packed[ROWS:].view(np.int16).reshape(-1, WIDTH) * unit,
        (packed[SUMS_BIAS:ROWS].view(np.int32) * unit).astype(np.float32),
        packed[LAYER_WEIGHTS:SUMS_BIAS].view(np.float32).reshape(WIDTH, LAYER)[:UNITS] / unit,
        packed[LAYER_BIAS:LAYER_WEIGHTS].view(np.float32).copy(),
        packed[SCORE_WEIGHTS:LAYER_BIAS].reshape(LAYER, SCORES).astype(np.float32),
        packed[SCORE_BIAS:SCORE_WEIGHTS].astype(np.float32),
    )


# --- files


SIZES: Final = {"pirates": T_PIRATES, "goal": T_GOAL, "signs": T_SIGNS, "row": T_ROW, "nest": T_NEST}
"""Where a rule table has the sizes that a network is trained for."""


def sizes_of(rules: RuleSet, table: Any) -> dict[str, int]:
    """The sizes and variant keys that a network is trained for; other ones need a network of their own."""
    edition = rules.default or rules
    sizes = {name: int(table[place]) for name, place in SIZES.items()}
    varied = {"hold": rules.hold, "draw": rules.draw, "home": int(table[T_HOME])}  # 0 in the games of the package
    sizes |= {name: number for name, number in varied.items() if number}
    if rules.open_hands != edition.open_hands:
        sizes["open"] = int(table[T_OPEN])
    if rules.nest and rules.islands[0] != edition.islands[0]:
        sizes["boat"] = int(table[T_BOAT])
    return sizes


def to_bytes(weights: Weights, about: dict[str, Any]) -> bytes:
    """A file of a network."""
    header = json.dumps({**about, "input-set": PAIRS_SET if len(weights) == PAIRS_SIZE else INPUT_SET}, sort_keys=True)
    inside = MAGIC + struct.pack("<I", len(header)) + header.encode() + np.asarray(weights, "<f8").tobytes()
    return gzip.compress(inside, 9, mtime=0)


def from_bytes(where: str, data: bytes) -> tuple[Weights, dict[str, Any]]:
    """The numbers of a network and its header. Raises PlayerError for anything else."""
    try:
        inside = zlib.decompressobj(31).decompress(data, MOST_BYTES)
        size = struct.unpack("<I", inside[8:12])[0]
        about = json.loads(inside[12 : 12 + size])
    except (zlib.error, struct.error, ValueError, RecursionError):
        inside, size, about = b"", 0, None
    if inside[:8] != MAGIC or not isinstance(about, dict):
        raise PlayerError(f"{where}: is not the file of a network")
    given = about.get("input-set")
    if given not in KINDS:
        known = " and ".join(map(str, KINDS))
        raise PlayerError(f"{where}: belongs to input set {str(given)[:20]}, this version has {known}")
    mark, numbers = KINDS[given]
    body = inside[12 + size :]
    if len(body) != 8 * numbers:
        raise PlayerError(f"{where}: has {len(body)} bytes of weights, not {8 * numbers}")
    weights = np.frombuffer(body, "<f8").astype(np.float64)
    small = weights[:LAYER_BIAS], weights[LAYER_BIAS:SUMS_BIAS].view(np.float32)
    if weights[0] != mark or not all(np.isfinite(part).all() for part in small):
        raise PlayerError(f"{where}: has a weight that is not a number")
    rows = weights[ROWS:].view(np.int16)
    if max(int(rows.max()), -int(rows.min())) > LARGEST:
        weights = pack(unpack(weights))  # in coarser steps
    return weights, about


def is_network(path: str | Path) -> bool:
    """True for a file that begins as the file of a network does."""
    try:
        with at(path).open("rb") as file:
            return file.read(2) == b"\x1f\x8b"
    except OSError:
        return False


def read(path: str | Path) -> tuple[Weights, dict[str, Any]]:
    """The network of a file and its header."""
    return from_bytes(str(path), content_of(path))


def content_of(path: str | Path) -> bytes:
    """The bytes of a file, or of the copy of it on this machine."""
    try:
        return at(path).read_bytes()
    except (OSError, ValueError) as error:
        raise PlayerError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or 'unreadable'}") from None


def write(path: Path, weights: Weights, **about: Any) -> None:
    """Write the file of a network, completely or not at all."""
    save(path, to_bytes(weights, about))


# --- choosing


def set_name(game: str, seats: int) -> str:
    """The name of the weights or the network for a game and a number of seats."""
    return f"{game}-{'2' if seats == 2 else 'many'}"


@cache
def packaged(name: str) -> tuple[Weights, dict[str, Any]] | None:
    """A network of this package, or None if there is none of that name."""
    path = files("cartagena.players") / "data" / f"{name}{SUFFIX}"
    return from_bytes(path.name, path.read_bytes()) if path.is_file() else None


LUCK: Final = "luck-"
"""Prefix of the names of the frozen networks that measure luck. Players never use, training never changes them."""


def fits(about: dict[str, Any], rules: RuleSet, table: Any) -> bool:
    """True where a network was trained for this game and its sizes."""
    return about.get("game") == rules.game and about.get("sizes") == sizes_of(rules, table)


def network_for(view: Position) -> Weights | None:
    """The network of this package for a game, or None where there is none for it, for its seats or for its sizes."""
    found = packaged(set_name(view.rules.game, view.seats))
    if found is not None and has_network(view):
        return found[0]
    warn_once(view.rules.name, view.seats)
    return None


def has_network(view: Position) -> bool:
    """True where this package has a network for a game, its seats and its sizes."""
    found = packaged(set_name(view.rules.game, view.seats))
    return found is not None and fits(found[1], view.rules, view.table)


@cache
def warn_once(rules: str, seats: int) -> None:
    """Say that there is no network for a rule set and a number of seats."""
    log.warning("There is no network for %s with %s seats; the captain's weights are used.", rules, seats)


_kept = lru_cache(maxsize=8)(from_bytes)
"""``from_bytes`` with a cache, whose key is the content of the file."""


def from_file(path: str, view: Position) -> Weights:
    """The network that a file has now. Raises PlayerError where it was trained for another game."""
    weights, about = _kept(path, content_of(path))
    if not fits(about, view.rules, view.table) or (view.seats == 2) != (about.get("tables") == [2]):
        trained = f"{about.get('rules')} with {' '.join(map(str, about.get('tables', ['?'])))} seats"
        raise PlayerError(f"{path}: was trained for {trained}, not for {view.rules.name} with {view.seats}")
    return weights
