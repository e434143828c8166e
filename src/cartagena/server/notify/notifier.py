"""Messages to people who are away: what the server keeps for them, how a person asks for them, and who sends them."""

import logging
import secrets
from collections.abc import Callable
from email.utils import parseaddr
from typing import Final
from urllib.parse import urlsplit

from sqlalchemy import select

from ..live.registry import TableRegistry
from ..protocol.contacts import HeldSeat, Notify, PushSubscription, Wishes
from ..protocol.errors import Refused
from ..settings import Settings, split_list
from ..storage import schema as db
from ..storage.database import Conflict, Database
from ..storage.rows import PlainWrite
from ..storage.write_queue import WriteQueue
from ..tables.tokens import digest, seat_key
from ..tasks import repeat
from .mail import Mailer, MailFailed, MailRefused, is_address
from .outbound import Forbidden, Unreachable, parse
from .outbox import Contacts, Linked
from .sender import Sender

try:
    from .push import Signer
except ImportError:  # the package cryptography is missing: no web push
    HAS_PUSH = False
else:
    HAS_PUSH = True

log = logging.getLogger("cartagena.notify")
PUSH_HOSTS: Final = ("fcm.googleapis.com", "push.services.mozilla.com", "push.apple.com", "notify.windows.com")
"""Push services of the usual browsers, with all names below theirs."""
NEW_SECRETS: Final[dict[str, Callable[[], str]]] = {
    "links": lambda: secrets.token_hex(32),
    "servers": lambda: secrets.token_hex(32),
    **({"push": lambda: Signer.new_key().decode()} if HAS_PUSH else {}),
}
"""What the server keeps for itself: a key that proves the links in mails, one of its notices to other servers, and that
of web push."""
SWEEP_SECONDS: Final = 3600.0
UNSENT: Final = "The mail could not be sent; check the address or try again later."


async def server_secrets(database: Database, writes: WriteQueue) -> dict[str, str]:
    """The keys of the server, made at its first start. Raises StorageError."""
    for _ in range(3):
        known = {str(row.name): str(row.value) for row in await database.rows(select(db.secrets))}
        missing = [{"name": name, "value": make()} for name, make in NEW_SECRETS.items() if name not in known]
        if not missing:
            break
        try:
            await writes.write(PlainWrite([(db.ADD_SECRET, [dict(row) for row in missing])]))
        except Conflict:  # another server was first
            continue
    return known


def contact_of(settings: Settings) -> str:
    """Whom a push service may ask about our messages."""
    sender = parseaddr(settings.smtp_from)[1]
    if sender:
        return f"mailto:{sender}"
    return settings.public_url if settings.public_url.startswith("https:") else "mailto:cartagena@example.org"


class Notifier:
    """How people are reached who are away."""

    def __init__(self, registry: TableRegistry, known: dict[str, str]) -> None:
        settings = self.settings = registry.settings
        self.registry = registry
        self.contacts = Contacts(registry, known["links"])
        self.signer = Signer(known["push"].encode(), contact_of(settings)) if HAS_PUSH else None
        self.mailer = Mailer(settings, self.contacts)
        self.sender = Sender(registry, self.contacts, self.signer, self.mailer)
        self.push_hosts = (*PUSH_HOSTS, *split_list(settings.push_hosts.lower()))

    @property
    def offer(self) -> dict[str, object]:
        """How this server can reach people."""
        return {
            "push": self.signer.public if self.signer else None,
            "mail": self.mailer.is_on,
            "webhooks": self.settings.webhooks,
        }

    async def sweep_hourly(self) -> None:
        """Delete hourly what belongs to no seat any more."""
        await repeat(self.contacts.sweep, SWEEP_SECONDS, "old contacts could not be deleted")

    # --- what a person asks for

    async def linked(self, token: str) -> list[dict[str, object]]:
        """The contacts of a token, as its person sees them."""
        return [each.json() for each in await self.contacts.of(digest(token))]

    async def add(self, token: str, want: Notify) -> None:
        """Tell a device or a mail address what happens to the seats of a token."""
        ways = [way for way in (want.push, want.mail, want.like) if way is not None]
        if len(ways) != 1:
            raise Refused("malformed", "Name one of push, mail and like.")
        if want.push is not None:
            await self._add_push(token, want.push, want.wishes)
        elif want.mail is not None:
            await self._add_mail(token, want.mail, want.wishes)
        elif want.like is not None:
            await self._add_like(token, want.like)

    async def _add_push(self, token: str, want: PushSubscription, wishes: Wishes) -> None:
        if self.signer is None:
            raise Refused("off", "This server has no web push.")
        try:
            host = parse(want.endpoint).host.lower()
            self.signer.check(want.endpoint, want.p256dh, want.auth)
        except Forbidden as error:
            raise Refused("malformed", str(error)) from None
        known = (host == name or host.endswith(f".{name}") for name in self.push_hosts)
        if "*" not in self.push_hosts and not any(known):
            raise Refused("not-allowed", "This server does not know the push service of your browser.")
        keys = {"p256dh": want.p256dh, "auth": want.auth}
        await self.contacts.add_to(digest(token), "push", want.endpoint, keys, wishes, confirmed=True)

    async def _add_mail(self, token: str, address: str, wishes: Wishes) -> None:
        if not self.mailer.is_on:
            raise Refused("off", "This server sends no mail.")
        if not is_address(address):
            raise Refused("malformed", "This is not a mail address.")
        contact = await self.contacts.add_to(digest(token), "mail", address, {}, wishes, confirmed=False)
        if not await self.contacts.is_confirmed(contact.id):  # a stranger may have given the address first
            await self.contacts.wish(contact.id, wishes)
            contact = contact._replace(wishes=wishes.model_dump_json(by_alias=True))
        linked = {each.contact.id: each for each in await self.contacts.of(digest(token))}
        if contact.id in linked and linked[contact.id].confirmed:
            return
        try:
            await self.mailer.ask(contact, digest(token))
        except MailRefused as error:
            await self.contacts.unlink(digest(token), [contact.id])
            log.info("a mail was refused", extra={"why": str(error)})
            raise Refused("malformed", "The mail server does not take mail to this address.") from None
        except MailFailed as error:
            log.warning("a mail was not sent", extra={"why": str(error)})
            raise Refused("failed", UNSENT, status=503) from None

    async def _add_like(self, token: str, other: HeldSeat) -> None:
        async with self.registry.lease(other.table) as live:
            seat_key(live.table.keys, other.token)
        for each in await self.contacts.of(digest(other.token)):
            if each.confirmed:
                await self.contacts.link(each.contact, digest(token), confirmed=True)

    async def _own(self, token: str, contact: str) -> Linked:
        """A contact of a token. Refused if it is none."""
        for each in await self.contacts.of(digest(token)):
            if each.contact.id == contact:
                return each
        raise Refused("not-allowed", "This seat has no such device or mail address.")

    async def wish(self, token: str, contact: str, wishes: Wishes) -> None:
        """Change what a contact of a token is told."""
        own = await self._own(token, contact)
        if not own.confirmed:
            raise Refused("not-allowed", "Confirm the mail address first, by the link that was sent to it.")
        await self.contacts.wish(contact, wishes)

    async def remove(self, token: str, contact: str) -> None:
        """Let a contact belong to a token no longer."""
        own = await self._own(token, contact)
        await self.contacts.unlink(digest(token), [own.contact.id])

    async def let_go(self, token: str, *, forgotten: bool = False) -> None:
        """Let no contact belong to a token any longer, which was replaced, revoked or left its seats.

        That is done by now, so an error here must not hide it. An hourly look finds what is left of a token without
        seats. With a token that is ``forgotten`` the webhooks of tables go that have lost their host.
        """
        try:
            await self.contacts.unlink_all(digest(token))
            if forgotten:
                await self.contacts.write((db.LOOSE_WEBHOOKS, [{}]))
        except Refused as error:
            log.warning("devices could not be unlinked", extra={"why": error.code})

    # --- webhooks

    async def hook_host(self, table_id: str) -> str | None:
        """The host of a table's webhook."""
        hooks = await self.sender.box.webhooks([table_id])
        return urlsplit(hooks[table_id][0]).hostname if table_id in hooks else None

    async def set_webhook(self, table_id: str, url: str) -> str:
        """Give a table a webhook in place of the one it had. Returns the secret that signs what is sent."""
        if not self.settings.webhooks:
            raise Refused("off", "This server offers no webhooks.")
        try:
            await self.sender.poster.check(url)
        except (Forbidden, Unreachable) as error:
            raise Refused("malformed", f"{str(error).rstrip('.')}.") from None
        secret = secrets.token_urlsafe(32)
        row: dict[str, object] = {"table_id": table_id, "url": url, "secret": secret}
        await self.contacts.write((db.DROP_WEBHOOK, [{"of_table": table_id}]), (db.ADD_WEBHOOK, [row]))
        return secret

    async def remove_webhook(self, table_id: str) -> None:
        """Take a table's webhook away."""
        await self.contacts.write((db.DROP_WEBHOOK, [{"of_table": table_id}]))
