"""The outbox: notices to people from the transaction of the event until they are sent, and the contacts they go to.

A contact is a device or a mail address, linked to seats. A link holds for as long as the seat's token does.

A row is made without a contact. A server takes it and shares it out: one row for each contact that is to be told. Rows
are taken by a lease: their ``due`` moves to its end, so that another server finds them again if this one fails.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final, NamedTuple
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from sqlalchemy import and_, exists, select

from ..live.registry import TableRegistry
from ..protocol.contacts import Contact, QuietHours, Wishes
from ..protocol.errors import Refused
from ..protocol.requests import STORED
from ..storage import schema as db
from ..storage.database import Conflict, StorageError
from ..storage.rows import PlainWrite, Values, read_chairs

LEASE: Final = 60_000
"""Milliseconds after which another server may send what this one has taken."""
WEBHOOK: Final = "webhook"
"""Stands for a contact in the rows that go to the webhook of a table."""
ANSWERED: Final = ("move", "undo")
"""Kinds of events after which a turn is no news any more."""
MOST_CONTACTS: Final = 10
"""Devices and mail addresses of one seat."""
MOST_SEATS: Final = 1000
"""Seats of one device or mail address."""
TRIES: Final = 5
"""Tries of a change while another request or server changes the same rows."""
DAY: Final = 86_400_000


# --- contacts: devices and mail addresses


class ContactRow(NamedTuple):
    """A device (kind ``push``) or a mail address (kind ``mail``)."""

    id: str
    kind: str
    digest: str
    address: str
    keys: str
    wishes: str
    created: int
    quiet_until: int

    @property
    def wanted(self) -> Wishes:
        """What its person wants to be told."""
        return Wishes.model_validate_json(self.wishes, context=STORED)

    @property
    def shown(self) -> str:
        """The address as it is shown: enough to know it again, not enough to use it."""
        if self.kind == "push":
            return urlsplit(self.address).hostname or ""
        name, _, host = self.address.rpartition("@")
        return f"{name[:1]}…@{host}"


class Linked(NamedTuple):
    """A contact, whether it was confirmed for a seat, and since when it belongs to it."""

    contact: ContactRow
    confirmed: bool
    since: int

    def json(self) -> dict[str, object]:
        """The contact as its person sees it, without the wishes of an unconfirmed address: it may be another's."""
        row, wishes = self.contact, self.contact.wanted if self.confirmed else Wishes()
        answer = Contact.model_validate(
            {"id": row.id, "kind": row.kind, "address": row.shown, "confirmed": self.confirmed, "since": self.since,
             "device": row.digest if row.kind == "push" else None, "wishes": wishes.model_dump(by_alias=True)}
        )  # fmt: skip
        return answer.model_dump(by_alias=True)


def digest_of(kind: str, address: str) -> str:
    """The digest by which an address is found."""
    return hashlib.sha256(f"{kind} {address}".encode()).hexdigest()


def unreadable() -> Refused:
    return Refused("storage", "Messages cannot be set up now; try again later.")


class Contacts:
    """All contacts of the database. ``key`` proves links in mails."""

    def __init__(self, registry: TableRegistry, key: str) -> None:
        self.registry = registry
        self.key = key.encode()

    def proof(self, purpose: str, *parts: str) -> str:
        """A word that only this server can make, for a link in a mail."""
        return hmac.new(self.key, "\n".join((purpose, *parts)).encode(), "sha256").hexdigest()[:40]

    async def write(self, *statements: tuple[object, Values]) -> None:
        """Write through the one writer. Refused if the database does not take it."""
        for _ in range(TRIES):
            try:
                await self.registry.writes.write(PlainWrite(statements))  # type: ignore[arg-type]
            except Conflict:  # another server writes the same rows
                continue
            except StorageError:
                break
            return
        raise unreadable()

    async def _rows(self, question: object) -> list[tuple[object, ...]]:
        try:
            return [tuple(row) for row in await self.registry.database.rows(question)]  # type: ignore[arg-type]
        except StorageError:
            raise unreadable() from None

    async def of(self, digest: str) -> list[Linked]:
        """The contacts of a token."""
        question = (
            select(db.contacts, db.links.c.confirmed, db.links.c.since)
            .join(db.links, db.links.c.contact == db.contacts.c.id)
            .where(db.links.c.digest == digest)
            .order_by(db.links.c.since, db.contacts.c.id)
        )
        rows = await self._rows(question)
        return [Linked(ContactRow(*row[:-2]), bool(row[-2]), int(str(row[-1]))) for row in rows]  # type: ignore[arg-type]

    async def find(self, kind: str, address: str) -> ContactRow | None:
        """The contact of an address."""
        rows = await self._rows(select(db.contacts).where(db.contacts.c.digest == digest_of(kind, address)))
        return ContactRow(*rows[0]) if rows else None  # type: ignore[arg-type]

    async def get(self, contact: str) -> ContactRow | None:
        """A contact by its id."""
        rows = await self._rows(select(db.contacts).where(db.contacts.c.id == contact))
        return ContactRow(*rows[0]) if rows else None  # type: ignore[arg-type]

    async def add(self, kind: str, address: str, keys: dict[str, str], wishes: Wishes) -> ContactRow:
        """The contact of an address, made if there is none. Refused if it is known with other keys."""
        stored = json.dumps(keys)
        for _ in range(TRIES):
            known = await self.find(kind, address)
            if known is not None and known.keys != stored:
                raise Refused("not-allowed", "This subscription is known with other keys; subscribe anew.")
            if known is not None:
                return known
            row = ContactRow(
                secrets.token_hex(8), kind, digest_of(kind, address), address, stored,
                wishes.model_dump_json(by_alias=True), self.registry.now().at, 0,
            )  # fmt: skip
            try:
                await self.registry.writes.write(PlainWrite([(db.ADD_CONTACT, [row._asdict()])]))
            except Conflict:  # another request was first
                continue
            except StorageError:
                break
            return row
        raise unreadable()

    async def link(self, contact: ContactRow, digest: str, *, confirmed: bool) -> bool:
        """Let a contact belong to a token. Returns False if the contact was deleted meanwhile.

        The limits are checked in the transaction, so that requests at the same time do not get past them.
        """
        row = {
            "new_digest": digest, "new_contact": contact.id, "new_confirmed": confirmed,
            "new_since": self.registry.now().at, "most_contacts": MOST_CONTACTS, "most_seats": MOST_SEATS,
        }  # fmt: skip
        await self.write((db.HOLD_CONTACT, [{"of_contact": contact.id}]), (db.ADD_LINK, [row]))
        linked = await self.of(digest)
        if any(each.contact.id == contact.id for each in linked):
            return True
        if await self.get(contact.id) is None:
            return False
        if len(linked) >= MOST_CONTACTS:
            raise Refused("limit", f"A seat has at most {MOST_CONTACTS} devices and mail addresses; remove one first.")
        raise Refused("limit", f"A device or mail address belongs to at most {MOST_SEATS} seats.")

    async def add_to(
        self, digest: str, kind: str, address: str, keys: dict[str, str], wishes: Wishes, *, confirmed: bool
    ) -> ContactRow:
        """Let the contact of an address, made if there is none, belong to a token. As ``add`` and ``link``."""
        for _ in range(TRIES):
            contact = await self.add(kind, address, keys, wishes)
            if await self.link(contact, digest, confirmed=confirmed):
                return contact
        raise unreadable()

    async def is_confirmed(self, contact: str) -> bool:
        """Whether a contact was confirmed for any seat."""
        links = select(db.links.c.contact).where(db.links.c.contact == contact, db.links.c.confirmed).limit(1)
        return bool(await self._rows(links))

    async def wish(self, contact: str, wishes: Wishes) -> None:
        """Change what a contact is told."""
        values: Values = [{"of_contact": contact, "new_wishes": wishes.model_dump_json(by_alias=True)}]
        await self.write((db.WISH, values))

    async def unlink(self, digest: str, contacts: Iterable[str]) -> None:
        """Let contacts belong to a token no longer. What belongs to no token is deleted."""
        held: Values = [{"of_contact": contact} for contact in sorted(contacts)]
        links: Values = [{"of_digest": digest, **contact} for contact in held]
        await self.write((db.HOLD_CONTACT, held), (db.UNLINK, links), *((each, held) for each in db.DROP_UNUSED))

    async def unlink_all(self, digest: str) -> None:
        """Let no contact belong to a token any longer."""
        linked = [each.contact.id for each in await self.of(digest)]
        if linked:
            await self.unlink(digest, linked)

    async def drop(self, contact: str) -> None:
        """Delete a contact with its links and the messages that wait for it."""
        values: Values = [{"of_contact": contact}]
        await self.write(*((statement, values) for statement in db.DROP_CONTACT))

    async def unconfirmed(self, contact: str, proof: str) -> str | None:
        """The digest of the token whose link the proof confirms, or None."""
        waiting = select(db.links.c.digest).where(db.links.c.contact == contact)
        for (digest,) in await self._rows(waiting):
            if hmac.compare_digest(self.proof("confirm", contact, str(digest)).encode(), proof.encode()):
                return str(digest)
        return None

    async def confirm(self, contact: str, proof: str) -> bool:
        """Confirm a mail address for a seat. Returns whether the proof is one."""
        digest = await self.unconfirmed(contact, proof)
        if digest is not None:
            await self.write((db.CONFIRM, [{"of_contact": contact, "of_digest": digest}]))
        return digest is not None

    async def sweep(self) -> None:
        """Delete what belongs to no seat any more, a day after it was set up."""
        values: Values = [{"before": self.registry.now().at - DAY}]
        await self.write((db.LOOSE_LINKS, values), (db.LOOSE_CONTACTS, values), (db.LOOSE_WEBHOOKS, [{}]))


# --- rows of the outbox


class Row(NamedTuple):
    """A row of the outbox that this server has taken. ``stale``: it is a turn that was played, or whose game ended."""

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


def zone_of(name: str) -> tzinfo:
    """The time zone of a name; UTC for one that this machine does not know, though the one that stored it did."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return UTC


def quiet_end(quiet: QuietHours | None, now: int) -> int:
    """The end of the quiet hours around ``now`` (ms since 1970), or ``now`` itself outside of them."""
    if quiet is None:
        return now
    there = datetime.fromtimestamp(now / 1000, zone_of(quiet.zone))
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
        answer = and_(
            db.events.c.table_id == box.c.table_id, db.events.c.number > box.c.number, db.events.c.kind.in_(ANSWERED)
        )
        end = and_(db.tables.c.id == box.c.table_id, db.tables.c.stage == "over")
        stale = box.c.kind.in_(("turn", "late")) & (exists().where(answer) | exists().where(end))
        rows = await self.database.rows(select(box, stale).where(box.c.due == until, box.c.holder == holder))
        return [Row(*row) for row in rows]

    async def share_out(self, rows: Sequence[Row]) -> None:
        """Replace rows without a contact by one row for each contact that is to be told.

        A row that another server has taken meanwhile is left to that server.
        """
        now = self.registry.now().at
        fresh = {row.cause: row for row in rows if row.expires > now}
        entered: Values = []
        for cause, contact in await self._recipients(fresh):
            row = fresh[cause]
            if contact is None:
                entered.append(self._entered(row, WEBHOOK, now))
            elif not row.stale and wants(contact, row.kind):
                until = max(contact.quiet_until if contact.kind == "mail" else 0, quiet_end(contact.wanted.quiet, now))
                entered.append(self._entered(row, contact.id, until))
        mine: Values = [held(row) for row in rows]
        await self.write((db.HOLD, mine), (db.ENTER, entered), (db.DONE, mine))

    async def _recipients(self, rows: dict[str, Row]) -> list[tuple[str, ContactRow | None]]:
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
        recipients: dict[tuple[str, str], tuple[str, ContactRow | None]] = {}
        for row in rows.values():
            for table_id, chairs, contact in people:
                if table_id == row.table_id and chairs & set(read_chairs(row.chairs)):
                    recipients[row.cause, contact.id] = (row.cause, contact)
            if row.table_id in hooked:
                recipients[row.cause, WEBHOOK] = (row.cause, None)
        return list(recipients.values())

    @staticmethod
    def _entered(row: Row, contact: str, due: int) -> dict[str, object]:
        values = row._replace(contact=contact, due=due, holder="", tries=0)._asdict()
        values.pop("stale")
        return {**held(row), **{f"new_{name}": value for name, value in values.items()}}

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
