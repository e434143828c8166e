"""Datasets: games that players play among themselves, written to one Parquet file, a row for every choice.

Memory stays the same however many games there are, because they are written in parts of a few games beside the file
that is to become of them. Work that was interrupted goes on behind the last whole part. Every game follows from the
seed and its own number alone, so the same seed gives the same file.
"""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

import cartagena
from cartagena.game import CartagenaError, Game, Position
from cartagena.players import Limit, Player, create
from cartagena.rulesets import MAX_SEATS, MIN_SEATS, load

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
"""Games from 0, plies and turns from 0 within a game, seats from 1. ``position`` has all cards, ``view`` what the seat
knew; ``dealt`` the cards that came after the move; ``result`` the winner's seat, 0 for a deadlock, -1 where the game
was stopped at the limit of turns; ``turns`` how many the whole game had."""


@dataclass(frozen=True)
class Plan:
    """What a dataset is to hold. ``players`` are named once for all seats, or one for each; they move on by one seat
    from game to game. A player may look at ``nodes`` nodes for a choice: time would not give the same game twice."""

    rules: str
    seats: int
    players: tuple[str, ...]
    games: int
    seed: str
    nodes: int
    turns: int

    @classmethod
    def of(
        cls, players: Sequence[str], games: int, *, rules: str, seats: int | None, seed: str, nodes: int, turns: int
    ) -> "Plan":
        """A plan that can be carried out. Raises one clear sentence where it cannot."""
        names = tuple(players)
        number = seats if seats is not None else max(len(names), MIN_SEATS)
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
        Game.new(load(rules), seats=number, seed=0)
        return cls(load(rules).name, number, whole, games, seed, nodes, turns)

    def parts(self) -> int:
        return -(-self.games // PART)

    def games_of(self, part: int) -> range:
        return range(part * PART, min((part + 1) * PART, self.games))


def seed_of(plan: Plan, game: int, what: str) -> int:
    """A seed that follows from the plan's, the game's number and what it is for."""
    return int.from_bytes(hashlib.sha256(f"{plan.seed}:{game}:{what}".encode()).digest()[:6], "big")


def seated(plan: Plan, game: int) -> list[tuple[str, Player]]:
    """Who sits where in a game."""
    names = [plan.players[(seat + game) % plan.seats] for seat in range(plan.seats)]
    return [(name, create(name, seed_of(plan, game, f"seat{seat}"))) for seat, name in enumerate(names)]


def play_game(plan: Plan, number: int) -> list[dict[str, Any]]:
    """The rows of one game."""
    game = Game.new(plan.rules, seats=plan.seats, seed=seed_of(plan, number, "deal"))
    players = seated(plan, number)
    limit = Limit(nodes=plan.nodes)
    rows: list[dict[str, Any]] = []
    turn = 0
    while not game.is_over and turn < plan.turns:
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
    """What a choice looked like."""
    return {
        "seat": seat,
        "position": str(position),
        "view": str(view),
        "move": str(played[0]),
        "action": position.action(played[0]),
        "dealt": " ".join(str(deal) for deal in played[1:]),
    }


# --- the file and its parts


class Workshop:
    """The folder beside the file in which the parts lie until they are whole."""

    def __init__(self, plan: Plan, out: Path) -> None:
        self.plan = plan
        self.out = out
        self.folder = out.with_name(out.name + ".parts")

    def open(self) -> None:
        """Begin, or go on where the same work was left. Raises where other work lies there."""
        if self.out.exists():
            raise CartagenaError(f"{self.out}: is there already.")
        note = self.folder / "plan.json"
        made_by = {"version": cartagena.__version__, "part": PART}  # another one might play or cut games differently
        wanted = json.dumps({**asdict(self.plan), **made_by}, indent=1)
        self.folder.mkdir(parents=True, exist_ok=True)
        if note.exists() and note.read_text(encoding="utf-8") != wanted:
            raise CartagenaError(
                f"{self.folder}: holds parts of another dataset; finish that one or remove the folder."
            )
        note.write_text(wanted, encoding="utf-8")

    def part(self, number: int) -> Path:
        return self.folder / f"{number:06d}.parquet"

    def missing(self) -> Iterator[int]:
        return (number for number in range(self.plan.parts()) if not self.part(number).exists())

    def write(self, number: int, rows: list[dict[str, Any]]) -> None:
        """A part appears whole or not at all."""
        draft = self.part(number).with_suffix(".draft")
        pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMA), draft, compression="zstd")
        draft.rename(self.part(number))

    def join(self) -> None:
        """All parts become the file, one after the other; then the folder goes."""
        draft = self.folder / "whole.draft"
        with pq.ParquetWriter(draft, SCHEMA, compression="zstd") as writer:
            for number in range(self.plan.parts()):
                writer.write_table(pq.read_table(self.part(number), schema=SCHEMA))
        draft.rename(self.out)
        shutil.rmtree(self.folder)


def write_dataset(plan: Plan, out: Path, progress: Callable[[int], None] = lambda _: None) -> None:
    """Play what is missing and write the file; ``progress`` is told how many games are done."""
    shop = Workshop(plan, out)
    try:
        shop.open()
        missing = list(shop.missing())
        done = plan.games - sum(len(plan.games_of(part)) for part in missing)
        progress(done)
        for part in missing:
            rows = []
            for number in plan.games_of(part):
                rows += play_game(plan, number)
                done += 1
                progress(done)
            shop.write(part, rows)
        shop.join()
    except OSError as error:
        raise CartagenaError(f"{out}: cannot be written: {error.strerror or 'the disk refuses'}.") from None
