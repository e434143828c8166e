"""A table and the database: how its events are replayed and checked, and what a change writes."""

import asyncio
import logging
from typing import Final

from ..protocol.requests import stored_setup
from ..storage.backup import find_damage
from ..storage.database import Database, StorageError
from ..storage.rows import EventRow, Stage, TableRow, TableWrite
from ..tables.decide import Change
from ..tables.events import read_any_event, read_event
from ..tables.state import Table

log = logging.getLogger("cartagena.tables")
SLICE: Final = 50  # events that are replayed at once


async def replayed(database: Database, row: TableRow, grace: int, *, any_kind: bool) -> Table:
    """The table that the events describe. Raises StorageError if one is damaged.

    Args:
        grace: milliseconds of each turn that are not charged.
        any_kind: also read kinds that only newer servers of the same database know.
    """
    try:
        keys, events = await database.table_keys(row.id), await database.table_events(row.id)
        table = Table(row.id, row.created, stored_setup(row.setup), row.secret, keys, grace)
        read = read_any_event if any_kind else read_event
        for first in range(0, len(events), SLICE):
            table.replay(map(read, events[first : first + SLICE]))
            await asyncio.sleep(0)  # others play on while a long game is loaded
    except StorageError:
        raise
    except Exception as error:
        log.exception("a table does not replay; see `cartagena db check`", extra={"table": row.id})
        raise StorageError(f"Table {row.id} does not replay.") from error
    return table


def written(table: Table, change: Change, row: TableRow | None = None, stage: Stage | None = None) -> TableWrite:
    """The write of a change."""
    return TableWrite(
        table.id,
        [event.row() for event in change.events],
        change.keys,
        change.revoked,
        row,
        stage,
        rewritten=[event.row() for event in change.rewritten],
        setup=None if change.setup is None else change.setup.model_dump_json(),
    )


def new_stage(table: Table, change: Change) -> Stage | None:
    """The row's new stage if the change sets one."""
    for event in change.events:
        wake = event.wakes(table)
        if wake is not None:
            return Stage("playing", wake, event.at)
    return None


async def check(database: Database) -> tuple[int, list[str]]:
    """Replay every table and prove its deal.

    Returns:
        The number of tables, and a sentence for each table that is wrong.
    """
    damage = await find_damage(database)
    if damage is not None:
        return 0, [damage]
    rows = await database.all_tables()
    problems = []
    for row in rows:
        try:
            problem = check_table(row, await database.table_events(row.id))
        except StorageError:
            problem = "an event cannot be read."
        if problem:
            problems.append(f"Table {row.id}: {problem}")
    return len(rows), problems


def check_table(row: TableRow, events: list[EventRow]) -> str | None:
    """What is wrong with a table, or None."""
    if [event.number for event in events] != list(range(1, len(events) + 1)):
        return "an event is missing."
    try:
        table = Table(row.id, row.created, stored_setup(row.setup), row.secret, [])
        for event in map(read_event, events):
            table.go_on_for(event)
            flaw = event.flaw(table)
            if flaw is not None:
                return f"event {event.number}: {flaw}."
            table.apply(event)
    except Exception as error:  # damage shows in many ways
        return f"it does not replay: {str(error).rstrip('.')}."
    return None
