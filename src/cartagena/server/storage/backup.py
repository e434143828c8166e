"""Upkeep of the database: a backup that any database can be restored from, and a check that replays every game."""

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from cartagena.game import CartagenaError, Move
from cartagena.game.fair_deal import chance_of, next_card

from ..protocol.requests import TableSetup
from ..tables import events as ev
from ..tables.decide import Change, deal
from ..tables.events import Event
from ..tables.state import Table
from . import schema as db
from .database import Row, Store, StoreError
from .migrate import SoleServer, current_revision, upgrade

FORM: Final = "cartagena-backup"
PARTS: Final = (db.tables, db.events, db.keys)
CHUNK: Final = 500


async def backup(store: Store, path: Path) -> int:
    """Write everything to a file, as it is at one moment, also while a server runs; how many tables there were."""
    partial = path.with_name(path.name + ".partial")
    number = 0
    partial.touch(mode=0o600)  # running games' secrets are in it
    async with store.guarded(), store.engine.connect() as connection:
        if store.is_sqlite:
            await connection.exec_driver_sql("BEGIN")
        else:
            await connection.execution_options(isolation_level="REPEATABLE READ")
        revision = await connection.run_sync(current_revision)
        if revision is None:
            raise StoreError("The database is empty; there is nothing to back up.")
        with gzip.open(partial, "wt", encoding="utf-8") as file:
            file.write(json.dumps({"form": FORM, "revision": revision}) + "\n")
            for part in PARTS:
                number = await _dump(connection, part, file, number)
            file.write(json.dumps({"end": number}) + "\n")
    with partial.open("rb") as written:
        os.fsync(written.fileno())
    partial.replace(path)
    return number


async def _dump(connection: AsyncConnection, part: Any, file: Any, number: int) -> int:
    async with connection.stream(select(part).order_by(*part.primary_key)) as rows:
        async for row in rows:
            file.write(json.dumps({"part": part.name, "row": list(row)}, ensure_ascii=False) + "\n")
            number += part is db.tables
    return number


async def restore(store: Store, path: Path) -> int:
    """Fill an empty database from a backup, all or nothing; how many tables there were."""
    store.make_folder()
    sole = SoleServer(store)
    await sole.take()
    try:
        await upgrade(store)
        async with store.writing() as connection:
            if await connection.scalar(select(func.count()).select_from(db.tables)):
                raise StoreError("The database has tables already; restore into an empty one.")
            return await _fill(connection, path)
    finally:
        await sole.free()


async def _fill(connection: AsyncConnection, path: Path) -> int:
    parts = {part.name: part for part in PARTS}
    waiting: dict[str, list[dict[str, Any]]] = {name: [] for name in parts}
    number, complete = 0, False
    for item in read_backup(path):
        if "end" in item:
            complete = item["end"] == number
            continue
        part = parts[item["part"]]
        waiting[part.name].append(dict(zip(part.columns.keys(), item["row"], strict=True)))
        number += part is db.tables
        if len(waiting[part.name]) >= CHUNK:
            await connection.execute(part.insert(), waiting[part.name])
            waiting[part.name] = []
    if not complete:
        raise StoreError(f"{path} is not complete; nothing was restored.")
    for name, rows in waiting.items():
        if rows:
            await connection.execute(parts[name].insert(), rows)
    return number


def read_backup(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a backup behind its head."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            head = json.loads(file.readline())
            if head.get("form") != FORM:
                raise StoreError(f"{path} is no backup of Cartagena.")
            for line in file:
                yield json.loads(line)
    except (OSError, EOFError, ValueError, AttributeError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "it is damaged or no backup"
        raise StoreError(f"{path} cannot be read: {why}.") from None


# --- checking


async def check(store: Store) -> tuple[int, list[str]]:
    """Replay every table and prove its deal; how many tables there are, and a line for each that is wrong."""
    async with store.guarded(), store.engine.connect() as connection:
        if await connection.run_sync(current_revision) is None:
            raise StoreError("The database is empty.")
        if store.is_sqlite:
            found = list((await connection.execute(text("PRAGMA integrity_check"))).scalars())
            if found != ["ok"]:
                return 0, [f"The file is damaged: {found[0]}."]
        rows = (await connection.execute(select(db.tables).order_by(db.tables.c.id))).all()
    problems = []
    for found_row in rows:
        row = Row(*found_row)
        try:
            problem = check_table(row, await store.table_events(row.id))
        except ValueError:
            problem = "an event cannot be read."
        if problem:
            problems.append(f"Table {row.id}: {problem}")
    return len(rows), problems


def check_table(row: Row, events: list[Event]) -> str | None:
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
    except (CartagenaError, ValueError, KeyError, IndexError) as error:
        return f"it does not replay: {str(error).rstrip('.')}."
    return None


def wrong_chance(table: Table, event: Event) -> str | None:
    """Whether an event's chance does not follow from the table's secret."""
    if event.kind == ev.DEAL:
        expected = Change()
        deal(table, expected, event.at)
        return None if expected.events[0].data == event.data else "the deal does not follow from the secret"
    if event.kind == ev.MOVE and table.position is not None:
        chance, position = chance_of(table.secret, table.salts), table.position.play(event.data["move"])
        for number, card in enumerate(event.data["cards"]):
            if next_card(position, chance, table.dealt + number) != Move("deal", card=card):
                return f"the card {card} does not follow from the secret"
            position = position.play(f"+{card}")
        return "a card is missing" if position.is_chance else None
    return None
