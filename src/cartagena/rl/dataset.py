"""Datasets: games of computer players as Parquet, with a row for every choice.

A dataset is one file, or a folder of files (shards) that can be extended by more games later. Memory does not grow with
the number of games. Interrupted work continues after the last whole part or shard. Every game follows from the seed and
its own number alone, so that the same seed gives the same rows. ``SCHEMA`` lists the columns, ``MORE`` those that are
written where they are asked for; the metadata of every file says how it was made (``provenance``).
"""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from types import NoneType
from typing import Final

from cartagena.errors import missing

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ModuleNotFoundError as error:
    raise missing(error, __name__, "rl") from None

import cartagena
from cartagena.backends.arguments import checked_number
from cartagena.errors import shown, takes, whole
from cartagena.game import CartagenaError, Game, Move, Position
from cartagena.game.files import as_path
from cartagena.game.rng import seed_text
from cartagena.jobs import Executor, executor, in_order
from cartagena.players import Limit, Player, choose, create
from cartagena.players.registry import files_of
from cartagena.rulesets import MAX_SEATS, MIN_SEATS, RuleSet, rule_set

from .dataset_columns import MORE, REPEATED, SCHEMA, Choice, Columns, Row, batch_of, more_of, schema_of, table_of
from .level_games import LEVELS, LevelGame

__all__ = ["MORE", "SCHEMA", "DatasetConfig", "write_dataset"]

Progress = Callable[[int], None]

MOST: Final = 10**12
PART: Final = 50
"""Games in a part."""


@dataclass(frozen=True)
class DatasetConfig:
    """What a dataset holds. ``players`` has one name for all seats, or one for each; they move on by one seat from game
    to game. Players are limited to ``nodes`` nodes for a choice: a time limit would not give the same game twice.
    ``columns`` are columns of ``MORE``. With ``shard`` above 0 the dataset is a folder of files with that many games.

    >>> from cartagena.rl.dataset import DatasetConfig
    >>> limits = {"rules": "jamaica-en", "seats": 2, "seed": "1", "nodes": 100, "turns": 3}
    >>> DatasetConfig.of(["sailor"], 10, **limits).players
    ('sailor', 'sailor')
    """

    rules: RuleSet
    seats: int
    players: tuple[str, ...]
    games: int
    seed: str
    nodes: int
    turns: int
    columns: tuple[str, ...] = ()
    shard: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.players, list | tuple) or len(self.players) != whole(self.seats):
            raise CartagenaError(
                f"name a player for each of the {shown(self.seats)} seats, or let DatasetConfig.of do it."
            )

    @classmethod
    def of(
        cls,
        players: Sequence[str],
        games: int,
        *,
        rules: str | RuleSet,
        seats: int | None,
        seed: int | str,
        nodes: int,
        turns: int,
        columns: Sequence[str] = (),
        shard: int = 0,
    ) -> "DatasetConfig":
        """Check the arguments of a dataset. Raises CartagenaError with one sentence."""
        if not isinstance(players, list | tuple) or not all(isinstance(name, str) for name in players):
            raise CartagenaError(f"players must be a list of names, not {shown(players)}.")
        names, chosen = tuple(players), rule_set(rules)
        number = seats if seats is not None else chosen.seats or max(len(names), MIN_SEATS)
        number = checked_number("seats", number, MIN_SEATS, MAX_SEATS, CartagenaError)
        if len(names) not in (1, number):
            raise CartagenaError(f"name one player, or one for each of the {number} seats, not {len(names)}.")
        given = (("games", games), ("nodes", nodes), ("turns", turns))
        games, nodes, turns = (checked_number(what, value, 1, MOST, CartagenaError) for what, value in given)
        if not isinstance(columns, list | tuple):
            raise CartagenaError(f"columns must be a list of names, not {shown(columns)}.")
        for column in columns:
            if column not in MORE:
                raise CartagenaError(f"{shown(column)} is not a column; there are {', '.join(MORE)}.")
        shard = checked_number("shard", shard, 0, MOST, CartagenaError)
        for name in set(names):
            create(name)
        named = names * number if len(names) == 1 else names
        Game.new(chosen, seats=number, seed=0)
        wanted = tuple(column for column in MORE if column in columns)
        return cls(chosen, number, named, games, seed_text(seed), nodes, turns, wanted, shard)

    def to_json(self) -> dict[str, object]:
        """The configuration as data, with the content of the rule set and the hashes of ``hashes``."""
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        return {**given, "rules": self.rules.to_data(), **self.hashes()}

    def hashes(self) -> dict[str, object]:
        """Hashes of the rule set and of the files, such as weights, that the players name in their options."""
        files = {path: digest for name in self.players for path, digest in files_of(name).items()}
        return {"rules-hash": self.rules.digest, **({"files": files} if files else {})}

    @takes(CartagenaError, games=range)
    def provenance(self, games: range) -> dict[str, object]:
        """How the rows of these games were made: the version, players, limits, seed, rule set and hashes."""
        return {
            "version": cartagena.__version__,
            "players": self.players,
            "limits": {"nodes": self.nodes, "turns": self.turns},
            "seed": self.seed,
            "seats": self.seats,
            "games": [games.start, games.stop],
            "rules": self.rules.to_data(),
            **self.hashes(),
        }

    def schema(self, games: range) -> pa.Schema:
        """The schema of a file with these games."""
        return schema_of(self.columns, self.provenance(games))

    def parts(self) -> int:
        """How many parts the games are played in."""
        return -(-self.games // PART)

    def games_of(self, part: int) -> range:
        """The numbers of the games of a part."""
        part = checked_number("part", part, 0, self.parts(), CartagenaError)
        return range(part * PART, min((part + 1) * PART, self.games))


def seed_of(config: DatasetConfig, game: int, what: str) -> int:
    """Return a seed for one purpose in one game."""
    return int.from_bytes(hashlib.sha256(f"{config.seed}:{game}:{what}".encode()).digest()[:6], "big")


def seated(config: DatasetConfig, game: int) -> list[tuple[str, Player]]:
    """Return the players of a game, by seat."""
    return [
        (name, create(name, seed_of(config, game, f"seat{seat}"))) for seat, name in enumerate(names_of(config, game))
    ]


def names_of(config: DatasetConfig, game: int) -> list[str]:
    """Return the names of the players of a game, by seat."""
    return [config.players[(seat + game) % config.seats] for seat in range(config.seats)]


def play_game(config: DatasetConfig, number: int) -> pa.RecordBatch:
    """Play one game and return its rows. Compiled code plays the games of simple levels, the same and faster."""
    is_simple = set(config.players) <= set(LEVELS) and not ("gunner" in config.players and "value" in config.columns)
    found = played_by_levels(config, number) if is_simple else None
    return batch_of(found or played_by_players(config, number), config.columns)


def opened(config: DatasetConfig, number: int) -> Game:
    """Return a game at its beginning."""
    return Game.new(config.rules, seats=config.seats, seed=seed_of(config, number, "deal"))


def played_by_levels(config: DatasetConfig, number: int) -> Columns | None:
    """Play one game by compiled code. Returns None for one that only players can play."""
    names = names_of(config, number)
    seeds = [seed_of(config, number, f"seat{seat}") for seat in range(config.seats)]
    game = LevelGame(opened(config, number), names, seeds, config.turns)
    if not game.play():
        return None
    written = game.columns()
    seats: list[int] = written["seat"].to_pylist()
    found: Columns = written | counted(number, len(seats), game.result, game.turns)
    found["player"] = [names[seat - 1] for seat in seats]
    for column in config.columns:
        made = {"observation": game.observations, "mask": game.masks}.get(column)
        found[column] = made() if made else [None] * len(seats)
    return found


def played_by_players(config: DatasetConfig, number: int) -> Columns:
    """Let the players play one game."""
    game = opened(config, number)
    players = seated(config, number)
    limit = Limit(nodes=config.nodes)
    rows: list[Row] = []
    turn = 0
    while not game.is_over and turn < config.turns:
        position, seat = game.position, game.turn
        name, player = players[seat - 1]
        view = position.view(seat)
        analysis = choose(player, view, limit, str(number))  # not ``analyse``, which may find another move
        played = game.play(analysis.move)
        row: Row = {"turn": turn, "player": name}
        more = more_of(config.columns, view.table, Choice(seat, list(view.words), analysis))
        rows.append(row_of(position, view, seat, played) | row | more)
        turn += played[0].kind == "end"
    outcome = game.outcome()
    result = -1 if outcome is None else outcome.winner or 0
    return {name: [row[name] for row in rows] for name in rows[0]} | counted(number, len(rows), result, turn)


def counted(number: int, plies: int, result: int, turns: int) -> Columns:
    """The columns that are the same in all rows of a game, and the number of each row."""
    same = {"game": number, "result": result, "turns": turns}
    return {name: pa.repeat(value, plies) for name, value in same.items()} | {"ply": [*range(plies)]}


def row_of(position: Position, view: Position, seat: int, played: Sequence[Move]) -> Row:
    """Return the part of a row that describes the choice."""
    return {
        "seat": seat,
        "position": str(position),
        "view": str(view),
        "move": str(played[0]),
        "action": position.action(played[0]),
        "dealt": " ".join(str(deal) for deal in played[1:]),
    }


def played(config: DatasetConfig, workers: Executor, numbers: Iterator[int]) -> Iterator[pa.RecordBatch]:
    """The rows of games, in the order of their numbers."""
    return in_order(
        workers, partial(play_game, config), numbers, {path for name in config.players for path in files_of(name)}
    )


# --- the file and its parts


class PartsFolder:
    """The folder beside the file that holds the parts until all are written.

    Raises CartagenaError if the file exists already.
    """

    def __init__(self, config: DatasetConfig, out: Path) -> None:
        if out.exists():
            raise CartagenaError(f"{out} already exists.")
        self.config = config
        self.out = out
        self.folder = out.with_name(out.name + ".parts")

    def open(self) -> None:
        """Begin, or continue the same work. Raises CartagenaError if the folder holds other work."""
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
        return self.folder / f"{number:06d}.arrow"

    def missing(self) -> Iterator[int]:
        return (number for number in range(self.config.parts()) if not self.part(number).exists())

    def write(self, number: int, games: Sequence[pa.RecordBatch]) -> None:
        """Write a part so that it appears whole or not at all. It is joined to the others soon, so not compressed."""
        draft = self.part(number).with_suffix(".draft")
        table = table_of(games, self.config.schema(range(self.config.games)))
        with pa.ipc.new_file(str(draft), table.schema) as writer:
            writer.write_table(table)
        draft.rename(self.part(number))

    def join(self) -> None:
        """Join the parts into the file and remove the folder."""
        draft = self.folder / "whole.draft"
        schema = self.config.schema(range(self.config.games))
        with pq.ParquetWriter(draft, schema, compression="zstd", use_dictionary=REPEATED) as writer:
            for number in range(self.config.parts()):
                with pa.memory_map(str(self.part(number))) as part:
                    writer.write_table(pa.ipc.open_file(part).read_all())
        draft.rename(self.out)
        shutil.rmtree(self.folder)


def write_file(config: DatasetConfig, out: Path, progress: Progress, workers: Executor) -> None:
    """Play the missing games and write one file."""
    parts = PartsFolder(config, out)
    parts.open()
    missing = list(parts.missing())
    done = config.games - sum(len(config.games_of(part)) for part in missing)
    progress(done)
    games = played(config, workers, (game for part in missing for game in config.games_of(part)))
    for part in missing:
        found = []
        for _, added in zip(config.games_of(part), games, strict=False):
            found.append(added)
            done += 1
            progress(done)
        parts.write(part, found)
    parts.join()


# --- a folder of shards


class ShardFolder:
    """A folder of files, each with the games from the first to before the last number in its name.

    Readers of Parquet folders skip names that start with ``_``.
    """

    def __init__(self, config: DatasetConfig, folder: Path) -> None:
        self.config = config
        self.folder = folder

    def open(self) -> int:
        """Begin, or continue the same dataset. Returns how many games are there. Raises CartagenaError."""
        about = {**self.config.to_json(), "version": cartagena.__version__}
        wanted = json.dumps({key: value for key, value in about.items() if key not in ("games", "shard")}, indent=1)
        self.folder.mkdir(parents=True, exist_ok=True)
        note = self.folder / "_dataset.json"
        if not note.exists() and any(self.folder.iterdir()):
            raise CartagenaError(f"{self.folder} holds other files; name an empty folder.")
        if note.exists() and note.read_text(encoding="utf-8") != wanted:
            raise CartagenaError(f"{self.folder} holds another dataset, so it cannot be extended by these games.")
        note.write_text(wanted, encoding="utf-8")
        return self.games()

    def games(self) -> int:
        """How many games the shards hold. Raises CartagenaError if one in between is missing."""
        done = 0
        for path in sorted(self.folder.glob("games-*.parquet")):
            first, last = (int(number) for number in path.stem.split("-")[1:])
            if first != done:
                raise CartagenaError(f"{self.folder} lacks the games {done} to {first - 1}.")
            done = last
        return done

    def write(self, games: range, played: Iterator[pa.RecordBatch], progress: Progress) -> None:
        """Write the shard of games that are played, so that it appears whole or not at all."""
        schema, draft = self.config.schema(games), self.folder / "_shard.draft"
        with pq.ParquetWriter(draft, schema, compression="zstd", use_dictionary=REPEATED) as writer:
            for first in range(games.start, games.stop, PART):
                found = []
                for number, added in zip(range(first, min(first + PART, games.stop)), played, strict=False):
                    found.append(added)
                    progress(number + 1)
                writer.write_table(table_of(found, schema))
        draft.rename(self.folder / f"games-{games.start:09d}-{games.stop:09d}.parquet")


def write_shards(config: DatasetConfig, folder: Path, progress: Progress, workers: Executor) -> None:
    """Play the games that the folder lacks and write them as new shards."""
    shards = ShardFolder(config, folder)
    done = shards.open()
    progress(min(done, config.games))
    games = played(config, workers, iter(range(done, config.games)))
    for first in range(done, config.games, config.shard):
        shards.write(range(first, min(first + config.shard, config.games)), games, progress)


@takes(CartagenaError, config=DatasetConfig, out=(str, Path), progress=Callable, place=(Executor, NoneType))
def write_dataset(
    config: DatasetConfig, out: str | Path, progress: Progress = lambda _: None, place: Executor | None = None
) -> None:
    """Play the missing games and write them. ``progress`` is called with the number of games done.

    ``out`` is a file; or a folder where the configuration has shards, which more games extend. The games are played at
    ``place``, by default one after another in this process.

    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> import pyarrow.parquet
    >>> from cartagena.rl.dataset import DatasetConfig, write_dataset
    >>> limits = {"rules": "jamaica-en", "seats": 2, "seed": "1", "nodes": 100, "turns": 3}
    >>> file = Path(mkdtemp()) / "games.parquet"
    >>> write_dataset(DatasetConfig.of(["sailor"], 2, **limits), file)
    >>> set(pyarrow.parquet.read_table(file)["player"].to_pylist())
    {'sailor'}
    """
    try:
        with place or executor(workers=1) as opened:
            (write_shards if config.shard else write_file)(config, as_path(out), progress, opened)
    except OSError as error:
        raise CartagenaError(f"{out} cannot be written: {error.strerror or 'the disk refuses'}.") from None
