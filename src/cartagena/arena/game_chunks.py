"""Searched games on disk: chunks of games as files, and what a trainer takes from them.

A chunk is one file, written completely or not at all. Its name says by which weights it was played, for how many seats,
and which games it has, so that an interrupted run finds what is there and plays the rest.
"""

import io
import json
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from cartagena.errors import PlayerError
from cartagena.jobs import Executor
from cartagena.kernel.intrinsics import RuleTable
from cartagena.kernel.layout import T_SEATS, TURN
from cartagena.players.compiled.network_inputs import INPUT_SET, MOST, active_inputs
from cartagena.players.files import at, files_among, save
from cartagena.players.registry import digest_of

from .gradients import Array
from .searched import SearchedPlay, SearchedSamples, play_searched

GAMES: Final = 4
"""Games of a chunk."""
HELD_BACK: Final = 20
"""One game in this many is held back to test what was learned."""
AT_ONCE: Final = 4096
"""States whose inputs are listed at a time."""


@dataclass(frozen=True)
class Chunk:
    """Some games to be played, and the file they are kept in."""

    play: SearchedPlay
    generation: int
    number: int
    folder: Path

    @property
    def path(self) -> Path:
        return self.folder / f"{self.generation:03}-{self.play.seats}-{self.number:05}.npz"

    def head(self) -> str:
        """What the games depend on."""
        play = self.play
        told = {"rules": play.rules.digest, "seats": play.seats, "nodes": play.nodes, "seed": play.seed}
        weights = digest_of(at(play.weights)) or play.weights
        return json.dumps({**told, "weights": weights, "input-set": INPUT_SET}, sort_keys=True)

    def is_done(self) -> bool:
        """True if the file is there. Raises PlayerError if it has games of another run."""
        return check_head(self.path, self.head())


def play_chunk(chunk: Chunk) -> tuple[Path, bytes]:
    """Play the games of a chunk. Returns its file and what belongs into it."""
    first = (chunk.generation << 20) + chunk.number * GAMES
    samples = play_searched(chunk.play, first, first + GAMES)
    arrays = {}
    if samples is not None:
        arrays = {**vars(samples), "rows": inputs_of(samples.states, chunk.play.basis.rules)}
    file = io.BytesIO()
    np.savez_compressed(file, head=np.array(chunk.head()), **arrays)
    return chunk.path, file.getvalue()


def make_chunks(place: Executor, chunks: Iterator[Chunk], is_over: Callable[[], bool], weights: str) -> int:
    """Play chunks and keep them. Returns their number."""
    number = 0
    for path, data in place.map(play_chunk, chunks, is_over, files_among([weights])):
        save(path, data)
        number += 1
    return number


def arrays_of(path: Path, names: Iterable[str] | None = None) -> dict[str, Array]:
    """The arrays of a file of searched games, all of them or some."""
    try:
        with np.load(path) as arrays:
            return {name: arrays[name] for name in names or arrays.files}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
        raise PlayerError(f"{path}: is not a file of searched games; remove it") from None


def check_head(path: Path, head: str) -> bool:
    """True if the file of a chunk is there. Raises PlayerError if its games depend on something else."""
    if not path.exists():
        return False
    if str(arrays_of(path, ["head"])["head"]) != head:
        raise PlayerError(f"{path}: has games of another run; choose another folder")
    return True


def read_chunk(path: Path) -> tuple[SearchedSamples, Array] | None:
    """The samples of a chunk with their inputs, or None if no game had a winner."""
    found = arrays_of(path)
    del found["head"]
    if not found:
        return None
    rows = found.pop("rows")
    return SearchedSamples(**found), rows


@dataclass
class TrainingSet:
    """Samples of tables of one size as a trainer takes them.

    ``rows`` are the active inputs (sample, seat from the mover on and then the table, input), filled up with -1;
    ``target`` the win chances from the mover on; ``held`` marks samples that are held back. ``weight`` is how often a
    sample is learned from, compared with those of other sets.
    """

    seats: int
    rows: Array
    target: Array
    held: Array
    weight: float = 1.0

    def __len__(self) -> int:
        return len(self.target)

    @classmethod
    def of(cls, samples: SearchedSamples, rows: Array, share: float) -> "TrainingSet":
        """Turn the targets so that the mover comes first."""
        seats = samples.q.shape[1]
        order = (samples.states[:, TURN, None] + np.arange(seats)) % seats
        target = np.take_along_axis(samples.target(share), order, axis=1).astype(np.float32)
        return cls(seats, rows, target, samples.game % HELD_BACK == 0)

    @classmethod
    def joined(cls, parts: "list[TrainingSet]") -> "TrainingSet":
        """All samples of several sets with the same number of seats."""
        most = max(part.rows.shape[2] for part in parts)
        rows = np.full((sum(map(len, parts)), *parts[0].rows.shape[1:2], most), -1, np.int16)
        end = 0
        for part in parts:
            rows[end : end + len(part), :, : part.rows.shape[2]] = part.rows
            end += len(part)
        return cls(
            parts[0].seats,
            rows,
            np.concatenate([part.target for part in parts]),
            np.concatenate([part.held for part in parts]),
        )


def inputs_of(states: Array, rules: RuleTable) -> Array:
    """The active inputs of many states, with as much room as the fullest needs."""
    seats = int(rules[T_SEATS])
    found = []
    for first in range(0, len(states), AT_ONCE):
        part = np.ascontiguousarray(states[first : first + AT_ONCE])
        rows = np.zeros((len(part), seats + 1, MOST), np.int64)
        active_inputs(rules, part.reshape(-1), len(part), rows.reshape(-1))
        found.append(rows.astype(np.int16))
    whole = np.concatenate(found)
    used = int((whole >= 0).sum(axis=2).max())
    return whole[:, :, :used].copy()
