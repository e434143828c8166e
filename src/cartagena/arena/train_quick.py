"""The first stage of a training: rounds of quick self-play, each by the network of the round before.

A round plays very many games one action ahead (``quick``) and trains a network on them. It needs no search, so that a
network that knows nothing learns in minutes what searched games would teach it in hours. Games and networks are kept in
the folder of the training; an interrupted round goes on where it was.
"""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from cartagena.errors import PlayerError
from cartagena.jobs import Executor
from cartagena.players.files import files_among, save

from .game_chunks import TrainingSet
from .quick import GAMES, QuickChunk, QuickPlay, play_quick_chunk, quick_sets
from .scope import Scope

TOLD: Final = 10.0
"""Seconds between two reports of the games played."""
PATIENCE: Final = 5
"""Reports without a better loss after which training on searched games ends, where quick ones are mixed in."""


class QuickStage:
    """The rounds of quick self-play of a training. ``games`` are those of a round at tables of all sizes together."""

    def __init__(
        self, scope: Scope, games: int, seed: int, folder: Path, tell: Callable[[str], None] = lambda _: None
    ) -> None:
        self.scope, self.games, self.seed, self.folder, self.tell = scope, games, seed, folder, tell

    def network(self, number: int) -> Path:
        """The file of the network that a round has trained."""
        return self.folder / f"{self.scope.name}-quick-{number}.network"

    # --- playing

    def chunks(self, number: int, weights: str, tables: Sequence[int] = ()) -> Iterator[QuickChunk]:
        """The chunks of a round that are not on disk yet.

        A number of seats that is named twice in ``tables`` gets twice the games.
        """
        tables = tables or self.scope.tables
        plays = {seats: QuickPlay(self.scope.content, seats, weights, self.seed * 100 + number) for seats in tables}
        begun = dict.fromkeys(tables, 0)
        for each in range(max(len(tables), math.ceil(self.games / GAMES))):
            seats = tables[each % len(tables)]
            chunk = QuickChunk(plays[seats], number, begun[seats], self.folder / "games")
            begun[seats] += 1
            if not chunk.is_done():
                yield chunk

    def play(self, place: Executor, chunks: Iterator[QuickChunk], weights: str, is_over: Callable[[], bool]) -> int:
        """Play chunks and keep them. Returns the number of games played now."""
        begin = told = time.monotonic()
        played = 0
        for path, data in place.map(play_quick_chunk, chunks, is_over, files_among([weights])):
            save(path, data)
            played += GAMES
            if time.monotonic() > told + TOLD:
                told = time.monotonic()
                self.tell(f"{played:,} quick games, {played / (told - begin):,.0f} a second")
        return played

    # --- training

    def paths(self, number: int) -> list[Path]:
        """The chunks of a round."""
        return sorted((self.folder / "games").glob(f"quick-{number}-*.npz"))

    def sets(self, number: int) -> list[TrainingSet]:
        """The samples of a round by the number of seats."""
        found = quick_sets(self.paths(number))
        if not found:
            raise PlayerError(f"{self.folder}: no quick game had a winner, so there is nothing to learn from")
        return found

    def run(
        self,
        number: int,
        weights: str,
        place: Executor,
        learn: Callable[[int, list[TrainingSet]], None],
        is_over: Callable[[], bool],
    ) -> Path:
        """Play a round by ``weights``, let ``learn`` train on it, and return the file of its network.

        ``learn`` is called with the number of the round and its samples, and writes the file.
        """
        path = self.network(number)
        if not path.exists():
            self.play(place, self.chunks(number, weights), weights, is_over)
            learn(number, self.sets(number))
        return path


def mixed(searched: Sequence[TrainingSet], quick: Sequence[TrainingSet], share: float) -> list[TrainingSet]:
    """Both kinds of samples: ``share`` of what is learned comes from searched games, which alone judge the fit."""
    few, many = (sum(map(len, sets)) for sets in (searched, quick))
    weight = (1 - share) / share * few / many
    return [*searched, *(replace(data, held=np.zeros_like(data.held), weight=weight) for data in quick)]
