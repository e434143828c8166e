"""Devices and mail addresses, and the seats that they belong to. A link holds for as long as its token does."""

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from sqlalchemy import func, select

from ..live.registry import TableRegistry
from ..protocol.contacts import Contact, Wishes
from ..protocol.errors import Refused
from ..protocol.requests import STORED
from ..storage import schema as db
from ..storage.database import Conflict, StorageError
from ..storage.rows import PlainWrite, Values

MOST_CONTACTS: Final = 10
"""Devices and mail addresses of one seat."""
MOST_SEATS: Final = 1000
"""Seats of one device or mail address."""
DAY: Final = 86_400_000


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
        """The contact as its person sees it."""
        row = self.contact
        answer = Contact.model_validate(
            {"id": row.id, "kind": row.kind, "address": row.shown, "confirmed": self.confirmed, "since": self.since,
             "wishes": row.wanted.model_dump(by_alias=True)}
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
        try:
            await self.registry.writes.write(PlainWrite(statements))  # type: ignore[arg-type]
        except Conflict:
            raise
        except StorageError:
            raise unreadable() from None

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
        for _ in range(2):
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
                await self.write((db.ADD_CONTACT, [row._asdict()]))
            except Conflict:  # another request was first
                continue
            return row
        raise unreadable()

    async def link(self, contact: ContactRow, digest: str, *, confirmed: bool) -> None:
        """Let a contact belong to a token. Nothing changes if it does already."""
        linked = await self.of(digest)
        if any(each.contact.id == contact.id for each in linked):
            return
        if len(linked) >= MOST_CONTACTS:
            raise Refused("limit", f"A seat has at most {MOST_CONTACTS} devices and mail addresses; remove one first.")
        seats = await self._rows(select(func.count()).select_from(db.links).where(db.links.c.contact == contact.id))
        if int(str(seats[0][0])) >= MOST_SEATS:
            raise Refused("limit", f"A device or mail address belongs to at most {MOST_SEATS} seats.")
        row = {"digest": digest, "contact": contact.id, "confirmed": confirmed, "since": self.registry.now().at}
        try:
            await self.write((db.ADD_LINK, [row]))
        except Conflict:  # another request was first
            return

    async def wish(self, contact: str, wishes: Wishes) -> None:
        """Change what a contact is told."""
        values: Values = [{"of_contact": contact, "new_wishes": wishes.model_dump_json(by_alias=True)}]
        await self.write((db.WISH, values))

    async def unlink(self, digest: str, contacts: Iterable[str]) -> None:
        """Let contacts belong to a token no longer. What belongs to no token is deleted."""
        ids = list(contacts)
        await self.write((db.UNLINK, [{"of_digest": digest, "of_contact": contact} for contact in ids]))
        held = select(db.links.c.contact).where(db.links.c.contact.in_(ids)).distinct()
        left = {row[0] for row in await self._rows(held)}
        for contact in ids:
            if contact not in left:
                await self.drop(contact)

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
        """The token's digest that a confirmation is for, None if there is none that the proof fits."""
        waiting = select(db.links.c.digest).where(db.links.c.contact == contact)
        for (digest,) in await self._rows(waiting):
            if hmac.compare_digest(self.proof("confirm", contact, str(digest)), proof):
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
