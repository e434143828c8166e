"""Quick self-play on disk: chunks of games as files, and what a trainer takes from them.

A game is played one action ahead by the evaluation itself, about two hundred times as quick as by search. What is
learned is half of the result and half of the lambda return (see ``players.compiled.quick_play``).
"""

import io
import json
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np

from cartagena.backends.arguments import cores
from cartagena.backends.openings import new_deals
from cartagena.game import Game
from cartagena.kernel.layout import MAX_SEATS, TURN, WORDS
from cartagena.players.compiled import quick_play
from cartagena.players.compiled.quick_play import QuickRoom, QuickSamples, quick_games
from cartagena.players.files import at
from cartagena.players.registry import digest_of
from cartagena.players.weights import weights_for
from cartagena.rulesets import RuleSet

from .game_chunks import HELD_BACK, TrainingSet, arrays_of, check_head, inputs_of

GAMES: Final = 256
"""Games of a chunk."""
SPACE: Final = 200
"""Room for samples, by game."""
SHARE: Final = 0.5
"""The part of a game's result in what is learned; the rest is the lambda return."""


@dataclass(frozen=True)
class QuickPlay:
    """How games are played: by which weights, with which heat, and how many positions are kept.

    One decision in ``stray`` is drawn by chance alone, one position in ``every`` is kept before its move and as many
    after it; ``fade`` is how much of a return is taken from the next decision.
    """

    rules: RuleSet
    seats: int
    weights: str
    seed: int
    heat: float = 0.01
    stray: int = 50
    every: int = 24
    fade: float = 0.97

    @cached_property
    def room(self) -> QuickRoom:
        """What the compiled games need."""
        start = new_deals(self.rules, self.seats)
        position = Game.new(self.rules, seats=self.seats, seed=1).position
        return QuickRoom(
            np.array(start.rules, np.int64),
            np.array(start.plan, np.int64),
            np.array(start.words, np.int64),
            weights_for(position, self.weights),
            np.array([self.heat, self.stray, self.every, self.fade]),
            np.zeros(quick_play.GAME, np.int64),
            np.zeros(quick_play.NUMBERS),
            np.zeros(quick_play.RETURNS),
            np.zeros(GAMES * SPACE, np.int64),
        )

    def games(self, first: int, last: int) -> QuickSamples:
        """The samples of the games ``first`` to ``last`` - 1: states, winners, returns by seat, and games."""
        space = (last - first) * SPACE
        out = QuickSamples(
            np.zeros(space * WORDS, np.int64),
            np.zeros(space, np.int64),
            np.zeros(space * MAX_SEATS),
            np.zeros(space, np.int64),
        )
        size = int(quick_games(self.room, self.seed, first, last, out))
        returns = out.returns.reshape(-1, MAX_SEATS)[:size, : self.seats]
        return QuickSamples(out.states.reshape(-1, WORDS)[:size], out.winners[:size], returns, out.games[:size])


@dataclass(frozen=True)
class QuickChunk:
    """Some quick games to be played, and the file they are kept in."""

    play: QuickPlay
    part: int
    number: int
    folder: Path

    @property
    def path(self) -> Path:
        return self.folder / f"quick-{self.part}-{self.play.seats}-{self.number:05}.npz"

    def head(self) -> str:
        """What the games depend on."""
        told = asdict(self.play)
        told |= {"rules": self.play.rules.digest, "weights": digest_of(at(self.play.weights)) or self.play.weights}
        return json.dumps(told, sort_keys=True)

    def is_done(self) -> bool:
        """True if the file is there. Raises PlayerError if it has games of another run."""
        return check_head(self.path, self.head())


def play_quick_chunk(chunk: QuickChunk) -> tuple[Path, bytes]:
    """Play the games of a chunk. Returns its file and what belongs into it: inputs and labels from the mover on."""
    play, first = chunk.play, chunk.number * GAMES
    found = play.games(first, first + GAMES)
    arrays = {}
    if len(found.winners):
        mover = found.states[:, TURN]
        order = (mover[:, None] + np.arange(play.seats)) % play.seats
        arrays = {
            "rows": inputs_of(found.states, play.room.rules),
            "won": ((found.winners - mover) % play.seats).astype(np.int8),
            "returns": np.take_along_axis(found.returns, order, axis=1).astype(np.float32),
            "held": found.games % HELD_BACK == 0,
        }
    file = io.BytesIO()
    np.savez_compressed(file, head=np.array(chunk.head()), **arrays)
    return chunk.path, file.getvalue()


def read_quick(path: Path) -> TrainingSet | None:
    """The samples of a chunk, or None if no game had a winner."""
    found = arrays_of(path)
    if "rows" not in found:
        return None
    returns = found["returns"]
    seats = returns.shape[1]
    whole = np.maximum(returns.sum(axis=1, keepdims=True), 1e-6)
    target = SHARE * np.eye(seats, dtype=np.float32)[found["won"]] + (1 - SHARE) * returns / whole
    return TrainingSet(seats, found["rows"], target.astype(np.float32), found["held"])


def quick_sets(paths: Iterable[Path]) -> list[TrainingSet]:
    """The samples of many chunks by the number of seats, read by several threads."""
    found: dict[int, list[TrainingSet]] = {}
    with ThreadPoolExecutor(cores()) as threads:
        for data in threads.map(read_quick, paths):
            if data is not None:
                found.setdefault(data.seats, []).append(data)
    return [TrainingSet.joined(found[seats]) for seats in sorted(found)]
