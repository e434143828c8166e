"""The outbox: what people are to be told, from the transaction of the event until it is sent.

A row is made without a contact. A server takes it and shares it out: one row for each contact that is to be told. Rows
are taken by a lease: their ``due`` moves to its end, so that another server finds them again if this one fails.
"""

import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from sqlalchemy import and_, literal, select

from ..live.registry import TableRegistry
from ..protocol.contacts import QuietHours
from ..storage import schema as db
from ..storage.rows import PlainWrite, Values, read_chairs
from .contacts import ContactRow

LEASE: Final = 60_000
"""Milliseconds after which another server may send what this one has taken."""
WEBHOOK: Final = "webhook"
"""Stands for a contact in the rows that go to the webhook of a table."""
ANSWERED: Final = ("move", "undo")
"""Kinds of events after which a turn is no news any more."""


class Row(NamedTuple):
    """A row of the outbox that this server has taken. ``stale``: it is a turn that was played since."""

    cause: str
    contact: str
    table_id: str
    kind: str
    chairs: str
    number: int
    at: int
    expires: int
    due: int
    holder: str
    tries: int
    stale: bool = False


def quiet_end(quiet: QuietHours | None, now: int) -> int:
    """When the quiet hours end that ``now`` (ms since 1970) lies in; ``now`` if it lies in none."""
    if quiet is None:
        return now
    there = datetime.fromtimestamp(now / 1000, ZoneInfo(quiet.zone))
    minute, start, end = f"{there:%H:%M}", quiet.from_, quiet.to
    within = start <= minute < end if start <= end else minute >= start or minute < end
    if not within:
        return now
    hour, minutes = map(int, end.split(":"))
    over = there.replace(hour=hour, minute=minutes, second=0, microsecond=0)
    if minute >= end:
        over = (over.replace(tzinfo=None) + timedelta(days=1)).replace(tzinfo=there.tzinfo)
    return max(now, int(over.timestamp() * 1000))


class Outbox:
    """The rows of the outbox, taken and settled in batches through the one writer."""

    def __init__(self, registry: TableRegistry) -> None:
        self.registry = registry
        self.database = registry.database

    async def write(self, *statements: tuple[object, Values]) -> None:
        """Write statements that have values. Raises StorageError."""
        filled = [(statement, values) for statement, values in statements if values]
        if filled:
            await self.registry.writes.write(PlainWrite(filled))  # type: ignore[arg-type]

    async def take(self, most: int) -> list[Row]:
        """Take rows that are due, the oldest first, at most so many."""
        now = self.registry.now().at
        box = db.outbox
        due = await self.database.rows(
            select(box.c.cause, box.c.contact, box.c.due).where(box.c.due <= now).order_by(box.c.due).limit(most)
        )
        if not due:
            return []
        holder, until = secrets.token_hex(8), now + LEASE
        await self.write(
            (db.TAKE, [
                {"of_cause": row.cause, "of_contact": row.contact, "of_due": row.due, "new_due": until,
                 "new_holder": holder}
                for row in due
            ])
        )  # fmt: skip
        played = (
            select(literal(1))
            .where(
                and_(
                    box.c.kind == "turn",
                    db.events.c.table_id == box.c.table_id,
                    db.events.c.number > box.c.number,
                    db.events.c.kind.in_(ANSWERED),
                )
            )
            .correlate(box)
            .exists()
        )
        rows = await self.database.rows(select(box, played).where(box.c.due == until, box.c.holder == holder))
        return [Row(*row) for row in rows]

    async def share_out(self, rows: Sequence[Row]) -> None:
        """Replace rows without a contact by one row for each contact that is to be told."""
        now = self.registry.now().at
        fresh = {row.cause: row for row in rows if row.expires > now}
        entered: Values = []
        for cause, contact in await self._told(fresh):
            row = fresh[cause]
            if contact is None:
                entered.append(self._entered(row, WEBHOOK, now))
            elif not row.stale and wants(contact, row.kind):
                until = max(contact.quiet_until if contact.kind == "mail" else 0, quiet_end(contact.wanted.quiet, now))
                entered.append(self._entered(row, contact.id, until))
        await self.write((db.DONE, [held(row) for row in rows]), (db.ENTER, entered))

    async def _told(self, rows: dict[str, Row]) -> list[tuple[str, ContactRow | None]]:
        """For each cause the contacts of the people it is for, and None for the table's webhook."""
        tables = {row.table_id for row in rows.values()}
        keys, links = db.keys, db.links
        question = (
            select(keys.c.table_id, keys.c.chairs, db.contacts)
            .join(links, links.c.digest == keys.c.digest)
            .join(db.contacts, db.contacts.c.id == links.c.contact)
            .where(keys.c.table_id.in_(tables), keys.c.kind == "seat", keys.c.revoked.is_(False))
            .where(links.c.confirmed)
        )
        people = [
            (row[0], set(read_chairs(row[1])), ContactRow(*row[2:])) for row in await self.database.rows(question)
        ]
        hooks = select(db.webhooks.c.table_id).where(db.webhooks.c.table_id.in_(tables))
        hooked = {row.table_id for row in await self.database.rows(hooks)}
        told: dict[tuple[str, str], tuple[str, ContactRow | None]] = {}
        for row in rows.values():
            for table_id, chairs, contact in people:
                if table_id == row.table_id and chairs & set(read_chairs(row.chairs)):
                    told[row.cause, contact.id] = (row.cause, contact)
            if row.table_id in hooked:
                told[row.cause, WEBHOOK] = (row.cause, None)
        return list(told.values())

    @staticmethod
    def _entered(row: Row, contact: str, due: int) -> dict[str, object]:
        values = row._asdict()
        values.pop("stale")
        return {**values, "contact": contact, "due": due, "holder": "", "tries": 0}

    async def settle(self, done: Iterable[Row], later: Iterable[tuple[Row, int]]) -> None:
        """Delete rows that were sent or are not worth sending, and put off others until a time."""
        await self.write(
            (db.DONE, [held(row) for row in done]), (db.LATER, [{**held(row), "new_due": due} for row, due in later])
        )

    async def contacts(self, ids: Iterable[str]) -> dict[str, ContactRow]:
        """Contacts by id."""
        rows = await self.database.rows(select(db.contacts).where(db.contacts.c.id.in_(list(ids))))
        return {row.id: ContactRow(*row) for row in rows}

    async def webhooks(self, tables: Iterable[str]) -> dict[str, tuple[str, str]]:
        """The address and the secret of the webhooks of tables."""
        rows = await self.database.rows(select(db.webhooks).where(db.webhooks.c.table_id.in_(list(tables))))
        return {row.table_id: (row.url, row.secret) for row in rows}


def wants(contact: ContactRow, kind: str) -> bool:
    """Whether a contact is told about notices of a kind."""
    wishes = contact.wanted
    return not wishes.muted and kind in wishes.kinds


def held(row: Row) -> dict[str, object]:
    """The values by which a statement finds a row that this server holds."""
    return {"of_cause": row.cause, "of_contact": row.contact, "of_holder": row.holder}
