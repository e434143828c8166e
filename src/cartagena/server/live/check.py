"""The check of a database: every game is replayed and every deal proved."""

from ..protocol.requests import stored_setup
from ..storage.backup import find_damage
from ..storage.database import Database, StorageError
from ..storage.rows import EventRow, TableRow
from ..tables.events import read_event
from ..tables.state import Table


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
            flaw = event.flaw(table)
            if flaw is not None:
                return f"event {event.number}: {flaw}."
            table.apply(event)
    except Exception as error:  # damage shows in many ways
        return f"it does not replay: {str(error).rstrip('.')}."
    return None
