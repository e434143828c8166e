"""The columns of a dataset, and rows as tables of them."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from cartagena.errors import missing

try:
    import pyarrow as pa
except ModuleNotFoundError as error:
    raise missing(error, __name__, "rl") from None
from numpy.typing import NDArray

from cartagena.kernel import layout as at
from cartagena.players import Analysis

from .spaces import observation

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
"""The columns that every dataset has. Games count from 0, plies and turns from 0 within a game, seats from 1.
``position`` has all cards, ``view`` what the seat knew; ``dealt`` has the cards dealt after the move; ``result`` is the
winner's seat, 0 for a deadlock, -1 for a game that was stopped at the turn limit; ``turns`` is the number of turns of
the whole game.

>>> from cartagena.rl.dataset import SCHEMA
>>> SCHEMA.names[:5]
['game', 'ply', 'turn', 'seat', 'player']
"""

Value: TypeAlias = "str | int | NDArray[np.generic] | None"
Row: TypeAlias = dict[str, Value]
Column: TypeAlias = "list[Value] | NDArray[np.generic] | pa.Array"
Columns: TypeAlias = dict[str, Column]
"""The rows of a game, column by column."""
REPEATED: Final = ["player", "move", "action", "dealt", "game", "turn", "seat", "result", "turns"]
"""Columns with few values, of which files keep a dictionary."""
MORE: Final = ("observation", "mask", "policy", "value")
"""The columns that are written where they are asked for.

>>> from cartagena.rl.dataset import MORE
>>> MORE
('observation', 'mask', 'policy', 'value')
"""


def more_fields() -> dict[str, pa.Field]:
    """The types of the columns that are written where they are asked for."""
    return {
        "observation": pa.field("observation", pa.list_(pa.uint8(), observation.SIZE), nullable=False),
        "mask": pa.field("mask", pa.list_(pa.int8(), at.ACTIONS), nullable=False),
        # Where there is none, older readers fail at lists of a fixed size.
        "policy": pa.field("policy", pa.list_(pa.float32())),
        "value": pa.field("value", pa.list_(pa.float32())),
    }


@lru_cache(maxsize=16)
def schema_with(columns: tuple[str, ...]) -> pa.Schema:
    """All columns of a file."""
    more = more_fields()
    return pa.schema([*SCHEMA, *(more[name] for name in columns)])


def schema_of(columns: Sequence[str], provenance: Mapping[str, object]) -> pa.Schema:
    """The schema of a file: all columns, and in its metadata how the rows were made."""
    metadata = {"cartagena": SCHEMA.metadata[b"cartagena"].decode(), "provenance": json.dumps(provenance)}
    return schema_with(tuple(columns)).with_metadata(metadata)


class Choice(NamedTuple):
    """A seat, from 1, the words of its view, and how it chose; None for a level that neither searches nor values."""

    seat: int
    words: list[int]
    analysis: Analysis | None = None


def more_of(columns: Sequence[str], table: Sequence[int], choice: Choice) -> Row:
    """The part of a row that was asked for. A player that does not search has neither ``policy`` nor ``value``."""
    row: Row = {}
    value = () if choice.analysis is None else choice.analysis.value
    if "observation" in columns:
        row["observation"] = observation.observe(table, choice.words, choice.seat - 1)
    if "mask" in columns:
        row["mask"] = observation.mask(table, choice.words, choice.seat - 1)
    if "policy" in columns:
        row["policy"] = policy_of(choice.analysis)
    if "value" in columns:
        row["value"] = np.array(value, np.float32) if value else None
    return row


def policy_of(analysis: Analysis | None) -> NDArray[np.float32] | None:
    """The share of the visits that a search gave to each action, or None without a search."""
    visits = {} if analysis is None else dict(analysis.visits)
    if not sum(visits.values()):
        return None
    shares = np.zeros(at.ACTIONS, dtype=np.float32)
    shares[list(visits)] = list(visits.values())
    shares /= shares.sum()
    return shares


def batch_of(game: Columns, columns: Sequence[str]) -> pa.RecordBatch:
    """The rows of a game as Arrow keeps them."""
    schema = schema_with(tuple(columns))
    return pa.record_batch([column_of(game[field.name], field.type) for field in schema], schema)


def table_of(games: Sequence[pa.RecordBatch], schema: pa.Schema) -> pa.Table:
    """Games as one table."""
    return pa.Table.from_batches(games).replace_schema_metadata(schema.metadata).combine_chunks()


def column_of(values: Column, kind: pa.DataType) -> pa.Array:
    """Values as a column; arrays become lists of a fixed size."""
    if isinstance(values, pa.Array):
        return values.cast(kind)
    if not pa.types.is_fixed_size_list(kind):
        return pa.array(values, kind)
    return pa.FixedSizeListArray.from_arrays(pa.array(np.asarray(values).reshape(-1), kind.value_type), type=kind)
