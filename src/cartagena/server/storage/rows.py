"""What the database holds, as Python values: tables, their events and their keys.

Nothing here knows what an event means; ``tables`` does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pydantic_core import to_json


@dataclass(frozen=True, slots=True)
class TableRow:
    """What is stored about a table besides its events and keys."""

    id: str
    created: int
    touched: int
    stage: str
    lobby: bool
    wake: bool
    setup: str
    secret: str


@dataclass(slots=True)
class EventRow:
    """Number ``number`` (from 1) of its table, at ``at`` milliseconds since 1970."""

    number: int
    at: int
    kind: str
    data: dict[str, Any]
    move_id: str | None = None

    def dump(self) -> str:
        """The data as stored."""
        return to_json(self.data).decode()


@dataclass(slots=True)
class Key:
    """The hash of a token (kind ``seat``) that holds chairs, or of an invitation (kind ``invite``) to one."""

    number: int
    kind: str
    digest: str
    chairs: tuple[int, ...]
    revoked: bool = False
    host: bool = False


class Stage(NamedTuple):
    """New values of a table's row: its stage, whether to load it after a restart, and when the stage changed."""

    stage: str
    wake: bool
    touched: int


@dataclass(frozen=True, slots=True)
class TableWrite:
    """What is written for one table, all or nothing. ``revoked`` are numbers of keys."""

    table_id: str
    events: Sequence[EventRow] = ()
    keys: Sequence[Key] = ()
    revoked: Sequence[int] = ()
    row: TableRow | None = None
    stage: Stage | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of one commit, as values by column."""

    new: list[dict[str, Any]]
    events: list[dict[str, Any]]
    keys: list[dict[str, Any]]
    revoked: list[dict[str, Any]]
    stages: list[dict[str, Any]]


def collect(writes: Sequence[TableWrite]) -> Batch:
    """Rows that the writes add up to."""
    batch = Batch([], [], [], [], [])
    for write in writes:
        table = write.table_id
        if write.row is not None:
            batch.new.append({name: getattr(write.row, name) for name in TableRow.__slots__})
        batch.events.extend(
            {"table_id": table, "number": e.number, "at": e.at, "kind": e.kind, "data": e.dump(), "move_id": e.move_id}
            for e in write.events
        )
        batch.keys.extend(
            {"table_id": table, "number": key.number, "kind": key.kind, "digest": key.digest,
             "chairs": write_chairs(key.chairs), "revoked": key.revoked, "host": key.host}
            for key in write.keys
        )  # fmt: skip
        batch.revoked.extend({"of_table": table, "of_number": number} for number in write.revoked)
        if write.stage is not None:
            stage, wake, touched = write.stage
            batch.stages.append({"of_table": table, "new_stage": stage, "new_wake": wake, "new_touched": touched})
    return batch


def read_chairs(text: str) -> tuple[int, ...]:
    """Chair numbers from their column."""
    return tuple(int(word) for word in text.split(",") if word)


def write_chairs(chairs: Sequence[int]) -> str:
    """Chair numbers as their column holds them."""
    return ",".join(map(str, chairs))
