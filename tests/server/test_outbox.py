"""The outbox: a server that stalls past the end of its lease does not send again what another server has sent."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import select, text

from cartagena.server.notify.outbox import LEASE, WEBHOOK, Outbox, Row
from cartagena.server.storage import schema as db
from cartagena.server.storage.database import Database

from .conftest import make_database
from .rig import PATIENCE
from .test_post import House, house
from .test_sender import hook, row

BLOCKED = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


async def due_for_a_webhook(home: House) -> Outbox:
    """An outbox with a row that a table's webhook is to get. No server has taken it yet."""
    box = Outbox(home.registry)
    await box.write((db.webhooks.insert(), [hook(1, 443)]), (db.outbox.insert(), [row(1, "", home.wall)]))
    return box


async def rows_in(database: Database) -> list[tuple[str, str]]:
    """The contact and the holder of all rows."""
    return [tuple(each) for each in await database.rows(select(db.outbox.c.contact, db.outbox.c.holder))]


async def send(box: Outbox) -> list[Row]:
    """Take what is due for contacts and settle it as sent."""
    rows = [each for each in await box.take(10) if each.contact]
    await box.settle(rows, [])
    return rows


def test_a_server_that_stalls_past_its_lease_enters_nothing_that_another_has_sent(database: str) -> None:
    async def work() -> None:
        async with house(database) as home:
            box = await due_for_a_webhook(home)
            stalled = await box.take(10)
            home.set(home.wall + LEASE + 1)
            await box.share_out(await box.take(10))
            assert [each.contact for each in await send(box)] == [WEBHOOK]
            await box.share_out(stalled)
            assert await rows_in(home.registry.database) == []
            assert await send(box) == []

    asyncio.run(work())


def test_a_server_that_has_lost_a_row_leaves_it_to_the_one_that_has_taken_it(database: str) -> None:
    async def work() -> None:
        async with house(database) as home:
            box = await due_for_a_webhook(home)
            stalled = await box.take(10)
            home.set(home.wall + LEASE + 1)
            taken = await box.take(10)
            await box.share_out(stalled)
            assert await rows_in(home.registry.database) == [("", taken[0].holder)]
            await box.share_out(taken)
            assert len(await send(box)) == 1

    asyncio.run(work())


def test_a_row_that_is_taken_at_the_same_instant_is_shared_out_once(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """The other server has taken the row but not committed that yet when this one shares it out."""

    async def work() -> None:
        async with house(make_database("postgresql", tmp_path, request)) as home:
            box, database = await due_for_a_webhook(home), home.registry.database
            [stalled] = await box.take(10)
            async with database.writing() as other:
                again = {"of_cause": stalled.cause, "of_contact": "", "of_due": stalled.due}
                await other.execute(db.TAKE, [{**again, "new_due": stalled.due + LEASE, "new_holder": "other"}])
                sharing = asyncio.create_task(box.share_out([stalled]))
                async with asyncio.timeout(PATIENCE):
                    while not await database.rows(text(f"{BLOCKED} HAVING count(*) > 0")):
                        await asyncio.sleep(0.01)
            await sharing
            assert await rows_in(database) == [("", "other")]

    asyncio.run(work())
