"""The check of a database: every game is replayed and every deal proved."""

from cartagena.game import CartagenaError, Move
from cartagena.game.fair_deal import chance_of, next_card

from ..protocol.requests import TableSetup
from ..storage.backup import find_damage
from ..storage.database import Database, StorageError
from ..storage.rows import Event, TableRow
from . import events as ev
from .decide import Change, deal
from .state import Table


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


def check_table(row: TableRow, events: list[Event]) -> str | None:
    """What is wrong with a table, or None."""
    if [event.number for event in events] != list(range(1, len(events) + 1)):
        return "an event is missing."
    try:
        table = Table(row.id, row.created, TableSetup.model_validate_json(row.setup), row.secret, [])
        for event in events:
            problem = wrong_chance(table, event)
            if problem:
                return f"event {event.number}: {problem}."
            table.apply(event)
    except (CartagenaError, ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        return f"it does not replay: {str(error).rstrip('.')}."
    return None


def wrong_chance(table: Table, event: Event) -> str | None:
    """Why an event's chance does not follow from the table's secret, or None."""
    if event.kind == ev.DEAL:
        expected = Change()
        deal(table, expected, event.at)
        return None if expected.events[0].data == event.data else "the deal does not follow from the secret"
    if event.kind == ev.MOVE and table.position is not None:
        chance, position = chance_of(table.secret, table.salts), table.position.play(event.data["move"])
        for number, card in enumerate(event.data["cards"]):
            if next_card(position, chance, table.dealt + number) != Move(f"+{card}"):
                return f"the card {card} does not follow from the secret"
            position = position.play(f"+{card}")
        return "a card is missing" if position.is_chance else None
    return None
