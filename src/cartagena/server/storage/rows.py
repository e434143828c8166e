"""What the database holds, as Python values: tables, their events and their keys.

Nothing here knows what an event means; ``tables`` does.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pydantic_core import to_json
from sqlalchemy import Executable

from . import schema as db


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
    due: int | None = None


@dataclass(slots=True)
class EventRow:
    """Number ``number`` (from 1) of its table, at ``at`` milliseconds since 1970."""

    number: int
    at: int
    kind: str
    data: dict[str, object]
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
    """New values of a table's row: its stage, whether to load it after a restart, and when the stage changed.

    ``due`` is when the due-time query is to find a table by post.
    """

    stage: str
    wake: bool
    touched: int
    due: int | None = None


class Notice(NamedTuple):
    """What people at a table are to be told because of an event: a row of the outbox.

    ``chairs`` are those of the people, ``due`` is when to tell them, ``expires`` when it is not worth telling any more.
    """

    cause: str
    kind: str
    chairs: tuple[int, ...]
    number: int
    at: int
    due: int
    expires: int


class Known(NamedTuple):
    """What is known of a table: how many events and keys it has, and how many of the keys are revoked."""

    events: int
    keys: int
    revoked: int


Values = list[dict[str, object]]


@dataclass(frozen=True, slots=True)
class PlainWrite:
    """Statements that belong to no table, with their values, in order, all or nothing."""

    statements: Sequence[tuple[Executable, Values]]


@dataclass(slots=True)
class TableWrite:
    """What is written for one table, all or nothing. ``revoked`` are numbers of keys.

    ``rewritten`` are stored events whose data changes, ``setup`` replaces the set-up.
    ``mark`` is when the table was marked for removal, 0 to take the mark away, None to leave it as it is.
    ``look`` puts the next look at a table by post off, from one time to another.
    ``known`` is what a change of seats or keys was decided on, which must be the newest that is stored.
    """

    table_id: str
    events: Sequence[EventRow] = ()
    keys: Sequence[Key] = ()
    revoked: Sequence[int] = ()
    row: TableRow | None = None
    stage: Stage | None = None
    mark: int | None = None
    removed: bool = False
    rewritten: Sequence[EventRow] = ()
    setup: str | None = None
    notices: Sequence[Notice] = ()
    look: tuple[int, int] | None = None
    known: Known | None = None


Write = TableWrite | PlainWrite


@dataclass(frozen=True, slots=True)
class CommitRows:
    """Rows of one commit, as values by column. ``needed`` are ids of tables that must exist.

    ``known`` says by table what must not have changed since the commit was decided.
    """

    new: list[dict[str, object]] = field(default_factory=list)
    events: list[dict[str, object]] = field(default_factory=list)
    keys: list[dict[str, object]] = field(default_factory=list)
    revoked: list[dict[str, object]] = field(default_factory=list)
    stages: list[dict[str, object]] = field(default_factory=list)
    marks: list[dict[str, object]] = field(default_factory=list)
    removed: list[dict[str, object]] = field(default_factory=list)
    rewritten: list[dict[str, object]] = field(default_factory=list)
    setups: list[dict[str, object]] = field(default_factory=list)
    looks: list[dict[str, object]] = field(default_factory=list)
    notices: list[dict[str, object]] = field(default_factory=list)
    needed: list[str] = field(default_factory=list)
    known: dict[str, Known] = field(default_factory=dict)
    others: list[tuple[Executable, Values]] = field(default_factory=list)
    """Statements about anything but tables, with their values."""

    def updates(self) -> Iterator[tuple[Executable, Values]]:
        """Statements for what is not inserted, each with its values, in order."""
        tables = [{"of_table": item["of_table"]} for item in self.marks]
        marks = [item for item in self.marks if item["new_at"]]
        pairs: list[tuple[Executable, Values]]
        pairs = [(db.REVOKE, self.revoked), (db.STAGE, self.stages), (db.UNMARK, tables), (db.MARK, marks)]
        pairs += [(db.REWRITE, self.rewritten), (db.SET_UP, self.setups), (db.LOOK, self.looks)]
        pairs += [(db.ANNOUNCE, self.notices)]
        pairs += [(statement, self.removed) for statement in db.REMOVE]
        pairs += self.others
        return ((statement, values) for statement, values in pairs if values)


def collect(mixed: Sequence[Write]) -> CommitRows:
    """Rows that the writes add up to, by table: commits of several servers wait for each other in that order."""
    batch = CommitRows()
    batch.others.extend(pair for write in mixed if isinstance(write, PlainWrite) for pair in write.statements)
    writes = [write for write in mixed if isinstance(write, TableWrite)]
    needed = {write.table_id for write in writes} - {write.table_id for write in writes if write.row is not None}
    batch.needed.extend(sorted(needed))
    for write in sorted(writes, key=lambda write: write.table_id):
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
        if write.known is not None:
            batch.known[table] = write.known
        if write.stage is not None:
            values = {f"new_{name}": value for name, value in write.stage._asdict().items()}
            batch.stages.append({"of_table": table, **values})
        if write.mark is not None:
            batch.marks.append({"of_table": table, "new_at": write.mark})
        batch.rewritten.extend(
            {"of_table": table, "of_number": e.number, "new_data": e.dump()} for e in write.rewritten
        )
        if write.setup is not None:
            batch.setups.append({"of_table": table, "new_setup": write.setup})
        batch.notices.extend(
            {"new_table_id": table, **{f"new_{name}": value for name, value in notice._asdict().items()},
             "new_chairs": write_chairs(notice.chairs)}
            for notice in write.notices
        )  # fmt: skip
        if write.look is not None:
            batch.looks.append({"of_table": table, "of_due": write.look[0], "new_due": write.look[1]})
        if write.removed:
            batch.removed.append({"of_table": table})
    return batch


def read_chairs(text: str) -> tuple[int, ...]:
    """Chair numbers from their column."""
    return tuple(int(word) for word in text.split(",") if word)


def write_chairs(chairs: Sequence[int]) -> str:
    """Chair numbers as their column holds them."""
    return ",".join(map(str, chairs))
