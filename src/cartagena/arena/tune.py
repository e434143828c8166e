"""Tuning the evaluation by self-play: play, fit, and play again with the new weights."""

import shlex
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from cartagena.errors import PlayerError
from cartagena.game import Game
from cartagena.jobs import Executor, cores, executor
from cartagena.kernel.intrinsics import RuleTable
from cartagena.kernel.layout import MAX_SEATS, T_SEATS
from cartagena.players.compiled import selfplay
from cartagena.players.compiled.evaluation import SCRATCH, WEIGHTS, judge_by_features
from cartagena.players.compiled.features import SIZE
from cartagena.players.compiled.selfplay import EVERY, WHOLE_TURNS
from cartagena.players.compiled.turn_search import new_space
from cartagena.players.registry import digest_of
from cartagena.players.weights import (
    DIGITS,
    EVERY_DIGIT,
    NEWEST,
    TUNED,
    about_file,
    by_hand,
    packaged,
    read,
    write,
)

from .game_chunks import GAMES, Chunk, make_chunks, read_chunk
from .gradients import Array
from .scope import Scope
from .searched import SearchedPlay, SearchedSamples
from .training import TrainingSamples, fit

OPENINGS: Final = 400
EVERY_ACTION: Final = 24
"""One decision in this many is kept as a sample, because neighbours are alike."""
EVERY_TURN: Final = 8
"""The same where whole turns are played, because such games are slow."""
CHUNK: Final = 500
"""Games that one thread plays at a time."""
KEPT: Final = 192
"""Decisions per game that there is room for."""
RESULT_SHARE: Final = 0.3
"""The part of the result in what is learned from a searched position; the rest is the value that the search found."""
HEATS: Final = (0.03, 0.02, 0.015, 0.012, 0.01)
"""The heat of each generation: how much worse a move may look and still be played sometimes."""


@dataclass(frozen=True)
class TuneConfig(Scope):
    """What is tuned, and by how many games.

    ``tables`` are the numbers of seats. ``start`` is a file of weights to start from, by default those set by hand. The
    last ``whole`` generations play whole turns, with about half of the seats by the weights set by hand. ``half`` stops
    the last generation half-way between its old and its new weights, so that it adapts less to its opponents.
    ``nodes`` other than 0 plays games in which every decision is searched; they are slow, and much more is learned from
    each: what the search thought of many positions, and the result.
    """

    generations: int = 5
    games: int = 12_000
    seed: int = 1
    start: str = ""
    whole: int = 0
    half: bool = False
    nodes: int = 0

    @property
    def command(self) -> str:
        """The command line of this configuration."""
        seats = [f"--seats {seats}" for seats in self.tables]
        amount = f"--generations {self.generations} --games {self.games} --seed {self.seed}"
        start = [f"--start {shlex.quote(self.start)}"] if self.start else []
        whole = [f"--whole-turns {self.whole}"] if self.whole else []
        half = ["--half-way"] if self.half else []
        nodes = [f"--nodes {self.nodes}"] if self.nodes else []
        return " ".join(["cartagena tune", self.rules, *seats, amount, *whole, *half, *nodes, *start])

    @property
    def start_hash(self) -> str:
        """A hash of the file to start from; empty without one."""
        return digest_of(Path(self.start)) if self.start else ""

    def turns_at(self, generation: int) -> bool:
        """True where a generation plays whole turns."""
        return generation >= self.generations - self.whole

    def beginning(self, out: Path) -> tuple[int, Array]:
        """The number of generations done and the weights to continue with, from ``out`` if it was interrupted."""
        if out.exists():
            told = about_file(str(out))
            done = told.get("generation")
            if told.get("made-by") == self.command and isinstance(done, int):
                if told.get("rules-hash", self.content.digest) != self.content.digest:
                    raise PlayerError(f"{out}: {self.rules} has changed since this tuning began; choose another file")
                if told.get("start-hash", self.start_hash) != self.start_hash:
                    raise PlayerError(f"{out}: {self.start} has changed since this tuning began; choose another file")
                return done, read(str(out))
        if self.start == TUNED:
            return 0, packaged(f"{NEWEST}/{self.name}")
        return 0, read(self.start) if self.start else by_hand(self.content)


@dataclass(frozen=True)
class SharedSetup:
    """What all games of one generation with the same number of seats share."""

    table: Array
    starts: Array
    weights: Array
    settings: Array
    seed: int

    def samples(self, first: int, last: int) -> TrainingSamples:
        """Play some of the games, and collect the samples of those that have a winner."""
        seats, room = int(self.table[T_SEATS]), (last - first) * KEPT // int(self.settings[EVERY])
        out = selfplay.Samples(np.zeros(room * seats * SIZE), np.zeros(room, np.int64), np.zeros(room, np.int64))
        game: Any = np.zeros(selfplay.GAME, np.int64)
        numbers: Any = np.zeros(selfplay.NUMBERS)
        play = selfplay.SelfPlay(self.table, self.weights, self.settings, game, numbers)
        kept = selfplay.play_games(play, new_space(), self.starts, first, last, self.seed, out)
        shaped, winners = out.features[: kept * seats * SIZE].reshape(kept, seats, SIZE), out.winners[:kept]
        if self.settings[WHOLE_TURNS]:
            shaped = np.concatenate([shaped, out.guests[:kept, None, None] >> np.arange(seats)[:, None] & 1], axis=2)
        decided = winners >= 0
        return TrainingSamples(shaped[decided].astype(np.float32), winners[decided])


def self_play(config: TuneConfig, seats: int, weights: Array, generation: int) -> TrainingSamples:
    """Play games with the weights in all cores. The samples do not depend on the number of threads."""
    seed = config.seed * 1000 + generation
    openings = [
        Game.new(config.content, seats=seats, seed=f"tune-{seed}-{number}").position for number in range(OPENINGS)
    ]
    starts = np.array([opening.words for opening in openings], np.int64).reshape(-1)
    whole = config.turns_at(generation)
    settings = np.array([HEATS[min(generation, len(HEATS) - 1)], EVERY_TURN if whole else EVERY_ACTION, whole])
    if whole:
        weights = np.concatenate([weights, by_hand(config.content)])
    field = SharedSetup(np.array(openings[0].table, np.int64), starts, weights, settings, seed)
    games = config.games // len(config.tables)
    edges = [*range(0, games, CHUNK), games]
    with ThreadPoolExecutor(cores()) as pool:
        parts = list(pool.map(field.samples, edges[:-1], edges[1:]))
    return TrainingSamples(
        np.concatenate([part.features for part in parts]), np.concatenate([part.winners for part in parts])
    )


def features_of(samples: SearchedSamples, rules: RuleTable) -> TrainingSamples:
    """Searched positions as samples: the features of all seats, and the chances that are learned."""
    seats = samples.q.shape[1]
    found = np.zeros((len(samples), seats, SIZE), np.float32)
    features, values = np.zeros(seats * SIZE), np.zeros(MAX_SEATS)
    weights, scratch = np.zeros(WEIGHTS), np.zeros(SCRATCH)
    for number, state in enumerate(samples.states):
        judge_by_features(rules, state, features, values, weights, scratch)
        found[number] = features.reshape(seats, SIZE)
    return TrainingSamples(found, samples.target(RESULT_SHARE))


def searched_play(
    config: TuneConfig, seats: int, weights: Array, generation: int, out: Path, place: Executor
) -> TrainingSamples:
    """Play searched games with the weights, as far as they are not on disk yet."""
    folder = out.with_suffix(".games")
    folder.mkdir(exist_ok=True)
    present = folder / f"weights-{generation}.json"
    write(present, weights, EVERY_DIGIT)
    play = SearchedPlay(config.content, seats, str(present), config.nodes, config.seed)
    number = max(1, config.games // len(config.tables) // GAMES)
    chunks = [Chunk(play, generation, each, folder) for each in range(number)]
    make_chunks(place, (chunk for chunk in chunks if not chunk.is_done()), lambda: False, str(present))
    found = [read_chunk(chunk.path) for chunk in chunks]
    samples = [part[0] for part in found if part is not None]
    if not samples:
        raise PlayerError(f"{folder}: no game had a winner, so there is nothing to learn from")
    return features_of(SearchedSamples.joined(samples), play.basis.rules)


def samples_of(
    config: TuneConfig, seats: int, weights: Array, generation: int, out: Path, place: Executor
) -> TrainingSamples:
    """Play the games of a generation."""
    if config.nodes:
        return searched_play(config, seats, weights, generation, out, place)
    return self_play(config, seats, weights, generation)


def tune(
    config: TuneConfig,
    out: Path,
    tell: Callable[[int, str, float], None] = lambda *_: None,
    place: Executor | None = None,
) -> Array:
    """Tune, and write the weights after every generation. The same call continues after an interruption.

    Searched games are played at ``place``, by default in all cores of this machine.
    """
    with place or executor() as opened:
        return generations(config, out, tell, opened)


def generations(config: TuneConfig, out: Path, tell: Callable[[int, str, float], None], place: Executor) -> Array:
    """Tune as many generations as are missing."""
    done, weights = config.beginning(out)
    for generation in range(done, config.generations):
        sets = [samples_of(config, seats, weights, generation, out, place) for seats in config.tables]
        tell(generation, "samples", float(sum(len(samples.winners) for samples in sets)))
        losses: list[float] = []
        found = fit(weights, sets, epochs=4, seed=config.seed + generation, tell=losses.append)
        tell(generation, "loss", losses[-1])
        last = generation + 1 == config.generations
        weights = (weights + found) / 2 if last and config.half else found
        digits = DIGITS if last else EVERY_DIGIT
        write(out, weights, digits, **about(config, generation, losses))
    return weights


def about(config: TuneConfig, generation: int, losses: Sequence[float]) -> dict[str, Any]:
    """The origin of the weights, for their file."""
    rules = config.content
    told: dict[str, Any] = {"set": config.name, "rules-hash": rules.digest, "rules-content": rules.to_data()}
    told |= {"made-by": config.command, "generation": generation + 1, "loss": round(losses[-1], 4)}
    if config.start_hash:
        told["start-hash"] = config.start_hash
    before = about_file(config.start).get("made-by") if config.start not in {"", TUNED} else None
    return told | ({"start-made-by": before} if before else {})
