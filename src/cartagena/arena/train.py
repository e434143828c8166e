"""Training a network by self-play: play, train at the same time, and keep what wins a match.

A training may begin with rounds of quick self-play (``train_quick``). Then a generation plays searched games by the
champion while a network is trained on those of the generations before, with quick games mixed in. The new network
replaces the champion only if it wins a match against it with its whole error bar. Games, the network in training and
the progress are kept in a folder; the same command continues after an interruption.
"""

import json
import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any, Final

import numpy as np

from cartagena.errors import PlayerError
from cartagena.jobs import Executor, executor
from cartagena.players.files import files_among
from cartagena.players.networks import (
    Layers,
    is_network,
    pack,
    unpack,
    write,
)
from cartagena.players.networks import read as read_network

from .duel import Duel, is_better, play_duel, style_for, total
from .game_chunks import GAMES, Chunk, TrainingSet, make_chunks, read_chunk
from .network_fit import Arrays, Effort, NumpyArrays, fit
from .network_torch import TorchArrays, device_of, torch_or_fail
from .ratings import Share
from .searched import SearchedPlay
from .train_config import TrainConfig, TrainProgress
from .train_quick import PATIENCE, QuickStage, mixed

EARLY: Final = 2
"""Generations that learn at the whole rate."""
LATER_RATE: Final = 0.5
"""The share of that rate in later generations, which only improve the network."""
BATCHES: Final = {"cuda": 8192, "cpu": 1024, "numpy": 256}
"""Samples of a step."""
PART: Final = 50_000
"""The number of the first chunk of the second part of a generation."""
ALLOWANCE: Final = 20.0
"""Seconds that a generation may need for training and its match, besides playing."""


class Replay:
    """The games that are learned from, each file read once."""

    def __init__(self, config: TrainConfig, folder: Path) -> None:
        self.config, self.folder = config, folder
        self.known: dict[Path, TrainingSet | None] = {}

    def sets(self, before: int) -> list[TrainingSet]:
        """The samples of the generations before this one, as far as the window goes, by the number of seats."""
        first = max(0, before - self.config.window)
        paths = [path for path in sorted(self.folder.glob("[0-9]*.npz")) if first <= int(path.name[:3]) < before]
        self.known = {path: self.known[path] if path in self.known else self.read(path) for path in paths}
        found: dict[int, list[TrainingSet]] = {}
        for data in self.known.values():
            if data is not None:
                found.setdefault(data.seats, []).append(data)
        if not found:
            raise PlayerError(f"{self.folder}: no game had a winner, so there is nothing to learn from")
        return [TrainingSet.joined(found[seats]) for seats in sorted(found)]

    def read(self, path: Path) -> TrainingSet | None:
        found = read_chunk(path)
        return None if found is None else TrainingSet.of(*found, self.config.share)


class Training:
    """One run."""

    def __init__(
        self,
        config: TrainConfig,
        folder: Path,
        out: Path,
        place: Executor | None = None,
        tell: Callable[[str], None] = lambda _: None,
        minutes: float = 0.0,
    ) -> None:
        self.config, self.folder, self.out, self.tell = config, folder, out, tell
        self.place = place or executor()
        self.deadline = time.monotonic() + minutes * 60 if minutes else float("inf")
        self.games = folder / "games"
        self.replay = Replay(config, self.games)
        self.stage = QuickStage(config, config.quick, config.seed, folder, tell)
        self.stopped = Event()

    def run(self) -> TrainProgress:
        """Train to the end, or until the time is over. Returns the progress."""
        try:
            self.games.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PlayerError(f"{self.folder}: cannot be written: {error.strerror or 'unwritable'}") from None
        self.progress = TrainProgress.read(self.config, self.folder)
        self.arrays, self.batch = arrays_for(self.config)
        self.first = self.config.layers
        get_ready(self.config)
        with self.place, ThreadPoolExecutor(1) as thread:
            try:
                if self.config.quick:
                    self.quick_rounds()
                last = False
                while not last and self.progress.generation <= self.config.generations:
                    last = self.progress.generation == self.config.generations or not self.has_time()
                    self.generation(thread, last)
            finally:
                self.stopped.set()
        return self.progress

    def is_late(self) -> bool:
        """True where the time that was given is over."""
        return time.monotonic() >= self.deadline

    def has_time(self) -> bool:
        """True where a whole generation and the training on its games fit before the deadline."""
        return time.monotonic() + self.config.seconds + 2 * ALLOWANCE < self.deadline

    def quick_rounds(self) -> None:
        """Play quick games and train on them, round by round; the last network plays the champion."""
        config, weights = self.config, self.config.champion
        for number in range(1, config.rounds + 1):
            weights = str(self.stage.run(number, weights, self.place, self.learn_quickly, self.is_late))
            self.first = unpack(read_network(weights)[0])
        if not self.progress.quick:
            told = self.judge(Path(weights), self.first, "quick self-play", f"gate-{config.seed}-quick")
            self.progress.history.append({"rounds": config.rounds, "quick": config.quick, **told})
            self.progress.quick = True
            self.progress.write(self.folder)

    def learn_quickly(self, number: int, sets: list[TrainingSet]) -> None:
        """Train the network of a round of quick self-play and write its file."""
        rate = self.config.rate * (1 if number == 1 and not is_network(self.config.start) else LATER_RATE)
        layers, curve = self.fit(self.first, sets, f"round {number}", rate, 0)
        write(self.stage.network(number), pack(layers), **self.config.about([{"round": number, "curve": curve}]))

    def generation(self, thread: ThreadPoolExecutor, last: bool) -> None:
        """Play games, train on those before at the same time, and let the new network play the champion.

        Where time decides, games are also played after the match, by the champion that it has found. The last
        generation only trains.
        """
        number, begin = self.progress.generation, time.monotonic()
        timed = self.config.seconds > 0
        played = 0
        told: dict[str, Any] = {"generation": number}
        if number > 0:
            learning = thread.submit(self.learn, number)
            played = 0 if last else self.play(number, 0, learning.done if timed else lambda: failed(learning))
            layers, curve = learning.result()
            path = self.candidate(number)
            write(path, pack(layers), **self.config.about(self.progress.history))
            judged = self.judge(path, layers, f"generation {number}", f"gate-{self.config.seed}-{number}")
            told |= {"curve": curve, **judged}
        if not last and (timed or number == 0):
            end = time.monotonic() + (self.config.seconds if timed else math.inf)
            played += self.play(number, 1, lambda: time.monotonic() >= end)
        told |= {"games": played, "champion": Path(self.progress.champion).name}
        self.progress.history.append(told | {"seconds": round(time.monotonic() - begin, 1)})
        self.progress.generation = number + 1
        self.progress.write(self.folder)
        self.tell(json.dumps({key: value for key, value in self.progress.history[-1].items() if key != "curve"}))

    # --- playing

    def chunks(self, number: int, part: int) -> Iterator[Chunk]:
        """The chunks of a part of a generation that are not on disk yet, without end where time decides."""
        config = self.config
        most = len(config.tables) * max(1, config.games // GAMES // len(config.tables))
        each = 0
        while config.seconds or each < most:
            seats = config.tables[each % len(config.tables)]
            champion = self.progress.champion
            play = SearchedPlay(config.content, seats, champion, config.nodes, config.seed, style_for(champion))
            chunk = Chunk(play, number, part * PART + each // len(config.tables), self.games)
            known = chunk.path.exists() if config.seconds else chunk.is_done()
            if not known:
                yield chunk
            each += 1

    def play(self, number: int, part: int, is_over: Callable[[], bool]) -> int:
        """Play games with all workers. Returns the number of those played now."""
        return GAMES * make_chunks(self.place, self.chunks(number, part), is_over, self.progress.champion)

    # --- training

    def learn(self, number: int) -> tuple[Layers, list[list[float]]]:
        """Train the network of a generation on the games before, mixed with quick ones."""
        config = self.config
        sets = self.replay.sets(number)
        is_new = number <= EARLY and not is_network(config.champion) and not config.quick
        rate = config.rate * (1 if is_new else LATER_RATE)
        if config.quick:
            sets = mixed(sets, self.stage.sets(config.rounds), config.mix)
        return self.fit(self.layers(number), sets, f"generation {number}", rate, PATIENCE if config.quick else 0)

    def fit(
        self, layers: Layers, sets: list[TrainingSet], name: str, rate: float, patience: int
    ) -> tuple[Layers, list[list[float]]]:
        """Train a network further. Returns it with its curve: steps, loss, and loss of what was held back."""
        config = self.config
        curve: list[list[float]] = []

        def tell(steps: int, loss: float, held: float) -> None:
            if self.stopped.is_set():
                raise PlayerError("the training was broken off")
            curve.append([steps, round(loss, 4), round(held, 4)])

        size = sum(len(part) for part in sets)
        batch = min(self.batch, max(64, size // 16))
        steps = max(1, round(config.epochs * size / batch))
        seed = config.seed * 1000 + self.progress.generation
        effort = Effort(steps, config.seconds or math.inf, batch, rate, seed, patience)
        self.tell(f"{name}: training on {size} samples, {steps} steps")
        found = fit(layers, sets, effort, tell, self.arrays)
        if not all(np.isfinite(part).all() for part in found.all()):
            raise PlayerError("the training has diverged; choose a lower --rate")
        return found, curve

    def layers(self, number: int) -> Layers:
        """The network to train further: of the generation before, of the start, or a new one."""
        path = self.candidate(number - 1)
        return unpack(read_network(path)[0]) if path.exists() else self.first

    def candidate(self, number: int) -> Path:
        """The file of the network that a generation has trained."""
        return self.folder / f"{self.config.name}-{number:03}.network"

    # --- judging

    def judge(self, path: Path, layers: Layers, name: str, seed: str) -> dict[str, Any]:
        """Let a new network, written to ``path``, play the champion, and make it champion if it wins."""
        config = self.config
        share = self.match(str(path), self.progress.champion, config.gate, seed)
        better = is_better(share)
        told = {"gate": {str(seats): [part.won, part.played] for seats, part in share.items()}, "accepted": better}
        if better:
            self.progress.champion = str(path)
            write(self.out, pack(layers), **config.about([*self.progress.history, {"name": name, **told}]))
        lines = ", ".join(f"{seats} seats {part}" for seats, part in share.items())
        self.tell(f"{name}: won {lines}; {'the new champion' if better else 'the champion stays'}")
        return told

    def match(self, new: str, old: str, games: int, seed: str) -> dict[int, Share]:
        """Shares of the games that ``new`` wins, by the number of seats."""
        return match(self.config, self.place, Pairing(new, old, self.config.nodes, games, seed))


@dataclass(frozen=True)
class Pairing:
    """A match: who plays, with how many nodes in how many trees, and how many games."""

    new: str
    old: str
    nodes: int
    games: int
    seed: str
    trees: int = 1


def match(config: TrainConfig, place: Executor, pair: Pairing) -> dict[int, Share]:
    """Shares of the games that ``new`` wins, by the number of seats."""
    found = {}
    for seats in config.tables:
        deals = max(1, pair.games // seats // len(config.tables))
        given = config.content, seats, pair.new, pair.old, pair.nodes, pair.seed
        duels = (Duel(*given, deal, pair.trees) for deal in range(deals))
        found[seats] = total(place.map(play_duel, duels, files=files_among([pair.new, pair.old])))
    return found


def failed(work: Future[Any]) -> bool:
    """True where the work has ended by an error."""
    return work.done() and work.exception() is not None


def arrays_for(config: TrainConfig) -> tuple[Arrays, int]:
    """The arrays to train with and their batch size. ``auto`` is PyTorch if it is installed."""
    if config.trainer != "numpy":
        try:
            torch = torch_or_fail()
        except PlayerError:
            if config.trainer == "torch" or config.device == "cuda":
                raise
        else:
            device = device_of(torch, config.device)
            return TorchArrays(torch, device), BATCHES[device.type]
    return NumpyArrays(), BATCHES["numpy"]


def get_ready(config: TrainConfig) -> None:
    """Compile what the processes need, once, before they start."""
    from .game_chunks import inputs_of
    from .searched import play_searched

    seats = config.tables[0]
    play = SearchedPlay(config.content, seats, config.champion, 2, 1)
    samples = play_searched(play, 0, 1)
    if samples is not None:
        inputs_of(samples.states[:1], play.basis.rules)
