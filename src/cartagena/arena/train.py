"""Training a network by searched self-play: play, train at the same time, and keep what wins a match.

A generation plays games by the champion while a network is trained on the games of the generations before. The new
network replaces the champion only if it wins a match against it with its whole error bar. Games, the network in
training and the progress are kept in a folder; the same command continues after an interruption.
"""

import json
import math
import shlex
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from pathlib import Path
from threading import Event
from typing import Any, Final

import numpy as np

from cartagena.errors import PlayerError
from cartagena.game import Game
from cartagena.jobs import Executor, executor
from cartagena.players.files import files_among, save
from cartagena.players.networks import (
    Layers,
    for_more_seats,
    fresh,
    from_file,
    is_network,
    pack,
    sizes_of,
    unpack,
    write,
)
from cartagena.players.networks import read as read_network
from cartagena.players.registry import digest_of
from cartagena.players.weights import TUNED

from . import network_fit, network_torch
from .duel import Duel, is_better, play_duel, total
from .game_chunks import GAMES, Chunk, TrainingSet, make_chunks, read_chunk
from .network_fit import Effort
from .ratings import Share
from .scope import Scope
from .searched import SearchedPlay

EARLY: Final = 2
"""Generations that learn at the whole rate."""
LATER_RATE: Final = 0.5
"""The share of that rate in later generations, which only improve the network."""
BATCHES: Final = {"cuda": 4096, "cpu": 1024, "numpy": 256}
"""Samples of a step."""
PART: Final = 50_000
"""The number of the first chunk of the second part of a generation."""
ALLOWANCE: Final = 20.0
"""Seconds that a generation may need for training and its match, besides playing."""


@dataclass(frozen=True)
class TrainConfig(Scope):
    """What is trained, and by how much work.

    ``tables`` are the numbers of seats: two, or any of those above. A generation plays ``games`` games, or plays for
    ``seconds`` if that is not 0; then what is found depends on the speed of the machine. Training takes each sample
    ``epochs`` times on average. ``window`` generations of games are learned from. ``share`` is the part of a game's
    result in the target. ``gate`` games decide whether a network replaces the champion. ``start`` is the first
    champion: ``tuned``, ``hand`` or a file; a network is also where training starts. For more seats it may be one for
    two: then training starts with it, and the first champion has the tuned weights.
    """

    generations: int = 3
    games: int = 2000
    epochs: float = 6.0
    seconds: float = 0.0
    nodes: int = 300
    gate: int = 200
    window: int = 5
    share: float = 0.3
    rate: float = 1.5e-3
    seed: int = 1
    start: str = TUNED
    trainer: str = "auto"
    device: str = "auto"

    def __post_init__(self) -> None:
        if 2 in self.tables and len(self.tables) > 1:
            raise PlayerError("a network is for two seats or for more; train them one after the other")
        if self.trainer not in {"auto", "torch", "numpy"}:
            raise PlayerError(f"{self.trainer[:20]!r} is not a trainer; there are torch and numpy")
        if self.device not in {"auto", "cuda", "cpu"}:
            raise PlayerError(f"{self.device[:20]!r} is not a device to train on; there are cuda and cpu")
        if self.trainer == "numpy" and self.device == "cuda":
            raise PlayerError("NumPy does not train on a GPU; use --trainer torch")

    @property
    def command(self) -> str:
        """The command line of this configuration."""
        words = ["cartagena train", shlex.quote(self.rules), *(f"--seats {seats}" for seats in self.tables)]
        for key, value in asdict(self).items():
            if key not in {"rules", "tables", "device"} and value != getattr(TrainConfig, key):
                words.append(f"--{key} {shlex.quote(str(value))}")
        return " ".join(words)

    @cached_property
    def grows(self) -> bool:
        """True where a network for two seats is the start for more."""
        return 2 not in self.tables and is_network(self.start) and read_network(self.start)[1].get("tables") == [2]

    @property
    def champion(self) -> str:
        """The first champion."""
        return TUNED if self.grows else self.start

    @property
    def layers(self) -> Layers:
        """The network to train first. Raises PlayerError for one of another game."""
        if not is_network(self.start):
            return fresh(self.seed)
        if not self.grows:
            return unpack(read_network(self.start)[0])
        return for_more_seats(unpack(from_file(self.start, Game.new(self.content, seed=1).position)))

    def table(self, seats: int) -> Any:
        """The rule table for a number of seats."""
        return Game.new(self.content, seats=seats, seed=1).position.table

    def about(self, history: list[dict[str, Any]]) -> dict[str, Any]:
        """The header of the network's file."""
        return {
            "set": self.name,
            "game": self.content.game,
            "rules": self.rules,
            "rules-hash": self.content.digest,
            "rules-content": self.content.to_data(),
            "tables": list(self.tables),
            "sizes": sizes_of(self.table(self.tables[0])),
            "made-by": self.command,
            "curve": history,
        }


@dataclass
class TrainProgress:
    """How far a run has come: the generation to do next, the champion, and what each generation brought."""

    command: str
    rules_hash: str
    start_hash: str = ""
    generation: int = 0
    champion: str = ""
    history: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def read(cls, config: TrainConfig, folder: Path) -> "TrainProgress":
        """The progress in a folder, or none. Raises PlayerError for a folder of another run."""
        begin = cls(config.command, config.content.digest, digest_of(Path(config.start)), champion=config.champion)
        path = folder / "progress.json"
        if not path.exists():
            return begin
        try:
            found = cls(**json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError, RecursionError):
            raise PlayerError(f"{path}: is not the progress of a training; choose another folder") from None
        if (found.command, found.rules_hash) != (begin.command, begin.rules_hash):
            raise PlayerError(f"{folder}: has the progress of {found.command}; choose another folder")
        if found.start_hash and found.start_hash != begin.start_hash:
            raise PlayerError(f"{folder}: {config.start} has changed since this training began; choose another folder")
        return found

    def write(self, folder: Path) -> None:
        save(folder / "progress.json", json.dumps(asdict(self), indent=1).encode())


class Replay:
    """The games that are learned from, each file read once."""

    def __init__(self, config: TrainConfig, folder: Path) -> None:
        self.config, self.folder = config, folder
        self.known: dict[Path, TrainingSet | None] = {}

    def sets(self, before: int) -> list[TrainingSet]:
        """The samples of the generations before this one, as far as the window goes, by the number of seats."""
        first = max(0, before - self.config.window)
        paths = [path for path in sorted(self.folder.glob("*.npz")) if first <= int(path.name[:3]) < before]
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
        self.stopped = Event()

    def run(self) -> TrainProgress:
        """Train to the end, or until the time is over. Returns the progress."""
        try:
            self.games.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PlayerError(f"{self.folder}: cannot be written: {error.strerror or 'unwritable'}") from None
        self.progress = TrainProgress.read(self.config, self.folder)
        self.trainer, self.batch = trainer_of(self.config)
        self.first = self.config.layers
        get_ready(self.config)
        with self.place, ThreadPoolExecutor(1) as thread:
            try:
                last = False
                while not last and self.progress.generation <= self.config.generations:
                    last = self.progress.generation == self.config.generations or not self.has_time()
                    self.generation(thread, last)
            finally:
                self.stopped.set()
        return self.progress

    def has_time(self) -> bool:
        """True where a whole generation and the training on its games fit before the deadline."""
        return time.monotonic() + self.config.seconds + 2 * ALLOWANCE < self.deadline

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
            told |= {"curve": curve, **self.judge(number, layers)}
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
            play = SearchedPlay(config.content, seats, self.progress.champion, config.nodes, config.seed)
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
        """Train the network further. Returns it with its curve: steps, loss, and loss of what was held back."""
        config = self.config
        sets = self.replay.sets(number)
        curve: list[list[float]] = []

        def tell(steps: int, loss: float, held: float) -> None:
            if self.stopped.is_set():
                raise PlayerError("the training was broken off")
            curve.append([steps, round(loss, 4), round(held, 4)])

        rate = config.rate * (1 if number <= EARLY and not is_network(config.champion) else LATER_RATE)
        size = sum(len(part) for part in sets)
        batch = min(self.batch, max(64, size // 16))
        steps = max(1, round(config.epochs * size / batch))
        effort = Effort(steps, config.seconds or math.inf, batch, rate, config.seed * 1000 + number)
        self.tell(f"generation {number}: training on {size} samples, {steps} steps")
        layers = self.trainer(self.layers(number), sets, effort, tell)
        if not all(np.isfinite(part).all() for part in layers.all()):
            raise PlayerError("the training has diverged; choose a lower --rate")
        return layers, curve

    def layers(self, number: int) -> Layers:
        """The network to train further: of the generation before, of the start, or a new one."""
        path = self.candidate(number - 1)
        return unpack(read_network(path)[0]) if path.exists() else self.first

    def candidate(self, number: int) -> Path:
        """The file of the network that a generation has trained."""
        return self.folder / f"{self.config.name}-{number:03}.network"

    # --- judging

    def judge(self, number: int, layers: Layers) -> dict[str, Any]:
        """Let the new network play the champion, and make it champion if it wins."""
        config, path = self.config, self.candidate(number)
        write(path, pack(layers), **config.about(self.progress.history))
        share = self.match(str(path), self.progress.champion, config.gate, f"gate-{config.seed}-{number}")
        better = is_better(share)
        told = {str(seats): [part.won, part.played] for seats, part in share.items()}
        if better:
            self.progress.champion = str(path)
            kept = [*self.progress.history, {"generation": number, "gate": told}]
            write(self.out, pack(layers), **config.about(kept))
        lines = ", ".join(f"{seats} seats {part}" for seats, part in share.items())
        self.tell(f"generation {number}: won {lines}; {'the new champion' if better else 'the champion stays'}")
        return {"gate": told, "accepted": better}

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


def trainer_of(config: TrainConfig) -> tuple[Callable[..., Layers], int]:
    """The function that trains and its batch size. ``auto`` is PyTorch if it is installed."""
    if config.trainer != "numpy":
        try:
            torch = network_torch.torch_or_fail()
        except PlayerError:
            if config.trainer == "torch" or config.device == "cuda":
                raise
        else:
            device = network_torch.device_of(torch, config.device)
            return partial(network_torch.fit, wanted=device.type), BATCHES[device.type]
    return network_fit.fit, BATCHES["numpy"]


def get_ready(config: TrainConfig) -> None:
    """Compile what the processes need, once, before they start."""
    from .game_chunks import inputs_of
    from .searched import play_searched

    seats = config.tables[0]
    play = SearchedPlay(config.content, seats, config.champion, 2, 1)
    samples = play_searched(play, 0, 1)
    if samples is not None:
        inputs_of(samples.states[:1], play.basis.table)
