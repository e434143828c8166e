"""Datasets: games of computer players, written to one Parquet file with a row for every choice.

Games are written in parts of a few games beside the file, so that memory does not grow with their number. Interrupted
work continues after the last whole part. Every game follows from the seed and its own number alone, so that the same
seed gives the same file.
"""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

import cartagena
from cartagena.game import CartagenaError, Game, Position
from cartagena.players import Limit, Player, create
from cartagena.rulesets import MAX_SEATS, MIN_SEATS, RuleSet, rule_set

PART: Final = 50
"""Games in a part."""

SCHEMA: Final = pa.schema(
    [
        pa.field("game", pa.int64(), nullable=False),
        pa.field("ply", pa.int32(), nullable=False),
        pa.field("turn", pa.int32(), nullable=False),
        pa.field("seat", pa.int8(), nullable=False),
        pa.field("player", pa.string(), nullable=False),
        pa.field("position", pa.string(), nullable=False),
        pa.field("view", pa.string(), nullable=False),
        pa.field("move", pa.string(), nullable=False),
        pa.field("action", pa.int16(), nullable=False),
        pa.field("dealt", pa.string(), nullable=False),
        pa.field("result", pa.int8(), nullable=False),
        pa.field("turns", pa.int32(), nullable=False),
    ],
    metadata={"cartagena": "1"},
)
"""Games count from 0, plies and turns from 0 within a game, seats from 1. ``position`` has all cards, ``view`` what the
seat knew; ``dealt`` has the cards dealt after the move; ``result`` is the winner's seat, 0 for a deadlock, -1 for a
game that was stopped at the turn limit; ``turns`` is the number of turns of the whole game."""


@dataclass(frozen=True)
class DatasetConfig:
    """What a dataset holds. ``players`` has one name for all seats, or one for each; they move on by one seat from game
    to game. Players are limited to ``nodes`` nodes for a choice: a time limit would not give the same game twice."""

    rules: RuleSet
    seats: int
    players: tuple[str, ...]
    games: int
    seed: str
    nodes: int
    turns: int

    @classmethod
    def of(
        cls,
        players: Sequence[str],
        games: int,
        *,
        rules: str | RuleSet,
        seats: int | None,
        seed: str,
        nodes: int,
        turns: int,
    ) -> "DatasetConfig":
        """Check the arguments of a dataset. Raises CartagenaError with one sentence."""
        names, chosen = tuple(players), rule_set(rules)
        number = seats if seats is not None else chosen.seats or max(len(names), MIN_SEATS)
        if not MIN_SEATS <= number <= MAX_SEATS:
            raise CartagenaError(f"seats must be from {MIN_SEATS} to {MAX_SEATS}, not {number}.")
        if len(names) not in (1, number):
            raise CartagenaError(f"name one player, or one for each of the {number} seats, not {len(names)}.")
        for what, value in (("games", games), ("nodes", nodes), ("turns", turns)):
            if value < 1:
                raise CartagenaError(f"{what} must be a whole number from 1, not {value}.")
        for name in set(names):
            create(name)
        whole = names * number if len(names) == 1 else names
        Game.new(chosen, seats=number, seed=0)
        return cls(chosen, number, whole, games, seed, nodes, turns)

    def to_json(self) -> dict[str, Any]:
        """The configuration as data, with the content of the rule set and its hash."""
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        return {**given, "rules": self.rules.to_data(), "rules-hash": self.rules.digest}

    def parts(self) -> int:
        return -(-self.games // PART)

    def games_of(self, part: int) -> range:
        return range(part * PART, min((part + 1) * PART, self.games))


def seed_of(config: DatasetConfig, game: int, what: str) -> int:
    """Return a seed for one purpose in one game."""
    return int.from_bytes(hashlib.sha256(f"{config.seed}:{game}:{what}".encode()).digest()[:6], "big")


def seated(config: DatasetConfig, game: int) -> list[tuple[str, Player]]:
    """Return the players of a game, by seat."""
    names = [config.players[(seat + game) % config.seats] for seat in range(config.seats)]
    return [(name, create(name, seed_of(config, game, f"seat{seat}"))) for seat, name in enumerate(names)]


def play_game(config: DatasetConfig, number: int) -> list[dict[str, Any]]:
    """Play one game and return its rows."""
    game = Game.new(config.rules, seats=config.seats, seed=seed_of(config, number, "deal"))
    players = seated(config, number)
    limit = Limit(nodes=config.nodes)
    rows: list[dict[str, Any]] = []
    turn = 0
    while not game.is_over and turn < config.turns:
        position, seat = game.position, game.turn
        name, player = players[seat - 1]
        view = position.view(seat)
        played = game.play(player.decide(view, limit))
        rows.append(
            row_of(position, view, seat, played) | {"game": number, "ply": len(rows), "turn": turn, "player": name}
        )
        turn += played[0].kind == "end"
    outcome = game.outcome()
    result = -1 if outcome is None else outcome.winner or 0
    return [{**row, "result": result, "turns": turn} for row in rows]


def row_of(position: Position, view: Position, seat: int, played: Sequence[Any]) -> dict[str, Any]:
    """Return the part of a row that describes the choice."""
    return {
        "seat": seat,
        "position": str(position),
        "view": str(view),
        "move": str(played[0]),
        "action": position.action(played[0]),
        "dealt": " ".join(str(deal) for deal in played[1:]),
    }


# --- the file and its parts


class PartsFolder:
    """The folder beside the file that holds the parts until all are written."""

    def __init__(self, config: DatasetConfig, out: Path) -> None:
        self.config = config
        self.out = out
        self.folder = out.with_name(out.name + ".parts")

    def open(self) -> None:
        """Begin, or continue the same work. Raises CartagenaError if the folder holds other work."""
        if self.out.exists():
            raise CartagenaError(f"{self.out} already exists.")
        note = self.folder / "plan.json"
        made_by = {
            "version": cartagena.__version__,
            "part": PART,
        }  # others may play differently
        wanted = json.dumps({**self.config.to_json(), **made_by}, indent=1)
        self.folder.mkdir(parents=True, exist_ok=True)
        if note.exists() and note.read_text(encoding="utf-8") != wanted:
            raise CartagenaError(f"{self.folder} holds parts of another dataset; finish that one or remove the folder.")
        note.write_text(wanted, encoding="utf-8")

    def part(self, number: int) -> Path:
        return self.folder / f"{number:06d}.parquet"

    def missing(self) -> Iterator[int]:
        return (number for number in range(self.config.parts()) if not self.part(number).exists())

    def write(self, number: int, rows: list[dict[str, Any]]) -> None:
        """Write a part so that it appears whole or not at all."""
        draft = self.part(number).with_suffix(".draft")
        pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMA), draft, compression="zstd")
        draft.rename(self.part(number))

    def join(self) -> None:
        """Join the parts into the file and remove the folder."""
        draft = self.folder / "whole.draft"
        with pq.ParquetWriter(draft, SCHEMA, compression="zstd") as writer:
            for number in range(self.config.parts()):
                writer.write_table(pq.read_table(self.part(number), schema=SCHEMA))
        draft.rename(self.out)
        shutil.rmtree(self.folder)


def write_dataset(config: DatasetConfig, out: Path, progress: Callable[[int], None] = lambda _: None) -> None:
    """Play the missing games and write the file. ``progress`` is called with the number of games done."""
    parts = PartsFolder(config, out)
    try:
        parts.open()
        missing = list(parts.missing())
        done = config.games - sum(len(config.games_of(part)) for part in missing)
        progress(done)
        for part in missing:
            rows = []
            for number in config.games_of(part):
                rows += play_game(config, number)
                done += 1
                progress(done)
            parts.write(part, rows)
        parts.join()
    except OSError as error:
        raise CartagenaError(f"{out} cannot be written: {error.strerror or 'the disk refuses'}.") from None
