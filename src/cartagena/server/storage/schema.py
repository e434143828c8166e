"""Tables of the database. Migrations bring older databases up to this."""

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, MetaData, String, Text, bindparam, true, update
from sqlalchemy import Table as SqlTable
from sqlalchemy.sql.elements import ColumnElement

metadata: Final = MetaData()

tables: Final = SqlTable(
    "tables",
    metadata,
    Column("id", String(20), primary_key=True),
    Column("created", BigInteger, nullable=False),
    Column("touched", BigInteger, nullable=False),  # when the stage last changed
    Column("stage", String(10), nullable=False),  # waiting, playing or over: an index, the events are the truth
    Column("lobby", Boolean, nullable=False),
    Column("wake", Boolean, nullable=False),  # load after a restart: a computer plays or a clock runs
    Column("setup", Text, nullable=False),
    Column("secret", String(64), nullable=False),
    Index("tables_by_stage", "stage", "touched"),
)

events: Final = SqlTable(
    "events",
    metadata,
    Column("table_id", String(20), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("kind", String(10), nullable=False),
    Column("data", Text, nullable=False),
    Column("move_id", String(60)),
    Index("events_by_move_id", "table_id", "move_id", unique=True),
)

keys: Final = SqlTable(
    "keys",
    metadata,
    Column("table_id", String(20), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(10), nullable=False),
    Column("digest", String(64), nullable=False),
    Column("chairs", String(20), nullable=False),
    Column("revoked", Boolean, nullable=False),
    Column("host", Boolean, nullable=False),
    Index("keys_by_digest", "digest"),
)

marks: Final = SqlTable(
    "marks",
    metadata,
    Column("table_id", String(20), primary_key=True),
    Column("at", BigInteger, nullable=False),  # when the table was marked for removal
)


commands: Final = SqlTable(
    "commands",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("sender", String(100), nullable=False),  # the user and the machine
    Column("verb", String(20), nullable=False),
    Column("data", Text, nullable=False),
    Column("taken", BigInteger),  # when a server took it
    Column("done", BigInteger),
    Column("result", Text),
)

blocks: Final = SqlTable(
    "blocks",
    metadata,
    Column("network", String(50), primary_key=True),
    Column("until", BigInteger, nullable=False),
)


def is_event(at: int, data: str) -> ColumnElement[bool]:
    """Whether an event has that time and data: another server may have written one of the same number."""
    return (events.c.at == at) & (events.c.data == data)


REVOKE: Final = (
    update(keys)
    .where((keys.c.table_id == bindparam("of_table")) & (keys.c.number == bindparam("of_number")))
    .values(revoked=true())
)
REWRITE: Final = (
    update(events)
    .where((events.c.table_id == bindparam("of_table")) & (events.c.number == bindparam("of_number")))
    .values(data=bindparam("new_data"))
)
SET_UP: Final = update(tables).where(tables.c.id == bindparam("of_table")).values(setup=bindparam("new_setup"))
UNMARK: Final = marks.delete().where(marks.c.table_id == bindparam("of_table"))
MARK: Final = marks.insert().values(table_id=bindparam("of_table"), at=bindparam("new_at"))
REMOVE: Final = (
    events.delete().where(events.c.table_id == bindparam("of_table")),
    keys.delete().where(keys.c.table_id == bindparam("of_table")),
    UNMARK,
    tables.delete().where(tables.c.id == bindparam("of_table")),
)
STAGE: Final = (
    update(tables)
    .where(tables.c.id == bindparam("of_table"))
    .values(stage=bindparam("new_stage"), wake=bindparam("new_wake"), touched=bindparam("new_touched"))
)
