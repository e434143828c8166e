"""What a training does, and how far it has come."""

import json
import shlex
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from cartagena.errors import PlayerError
from cartagena.game import Game
from cartagena.players.files import save
from cartagena.players.networks import Layers, for_more_seats, fresh, from_file, is_network, sizes_of, unpack
from cartagena.players.networks import read as read_network
from cartagena.players.registry import digest_of
from cartagena.players.weights import TUNED

from .scope import Scope


@dataclass(frozen=True)
class TrainConfig(Scope):
    """What is trained, and by how much work.

    ``tables`` are the numbers of seats: two, or any of those above. A generation plays ``games`` games, or plays for
    ``seconds`` if that is not 0; then what is found depends on the speed of the machine. Training takes each sample
    ``epochs`` times on average. ``window`` generations of games are learned from. ``share`` is the part of a game's
    result in the target. ``gate`` games decide whether a network replaces the champion. ``start`` is the first
    champion: ``tuned``, ``hand`` or a file; a network is also where training starts. For more seats it may be one for
    two: then training starts with it, and the first champion has the tuned weights.

    ``quick`` games are played by each of ``rounds`` rounds of quick self-play before the first generation. After them
    ``mix`` is the part of searched games in what the generations learn from; the rest are quick games of the last
    round.
    """

    generations: int = 3
    games: int = 2000
    epochs: float = 6.0
    seconds: float = 0.0
    nodes: int = 300
    gate: int = 1000
    window: int = 5
    share: float = 0.3
    rate: float = 1.5e-3
    seed: int = 1
    start: str = TUNED
    trainer: str = "auto"
    device: str = "auto"
    quick: int = 0
    rounds: int = 2
    mix: float = 0.4

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
            return fresh(self.seed, pairs=2 not in self.tables)
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
            "sizes": sizes_of(self.content, self.table(self.tables[0])),
            "made-by": self.command,
            "curve": history,
        }


@dataclass
class TrainProgress:
    """How far a run has come: the generation to do next, the champion, and what each generation brought.

    ``quick`` is true after the rounds of quick self-play.
    """

    command: str
    rules_hash: str
    start_hash: str = ""
    generation: int = 0
    champion: str = ""
    quick: bool = False
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
