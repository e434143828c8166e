"""The sender: takes rows of the outbox, sends them, and settles what became of them.

Nothing that happens here reaches a table: events are stored before their rows are looked at, and a push service that is
slow, dead or hostile only fills the places of its own host.
"""

import asyncio
import json
import logging
import time
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from ..addresses import Networks
from ..live.live_table import LiveTable, TableObserver
from ..live.registry import TableRegistry
from ..metrics import MESSAGES
from ..protocol.errors import Refused
from ..settings import split_list
from ..storage import schema as db
from ..storage.database import StorageError
from .mail import Mailer, MailFailed, MailRefused, newest
from .outbound import Answer, Forbidden, Poster, Unreachable, webhook_body, webhook_headers
from .outbox import WEBHOOK, ContactRow, Contacts, Outbox, Row, quiet_end, wants

if TYPE_CHECKING:
    from .push import Signer

log = logging.getLogger("cartagena.notify")
POLL: Final = 1.0
"""Seconds between two looks at the outbox; a change at this server is looked at sooner."""
BREATH: Final = 0.2
"""Seconds between two looks where the last one found everything: messages of many moves are taken and settled together.
"""
BATCH: Final = 500
FLYING: Final = 200
"""Messages on their way at once."""
PER_HOST: Final = 50
PER_HOOK_HOST: Final = 4
HOOKS: Final = 100
"""Messages to webhooks on their way at once: however many hosts do not answer, push services have places left."""
QUEUED: Final = 1000
"""Messages that wait here until their host may be sent another."""
STARTS_BEFORE: Final = 30_000
"""Milliseconds before the end of its lease until which a message that waited is sent; later it is put off."""
CROWDED: Final = 1000
"""Milliseconds until a message is tried again whose host has its most messages under way."""
FIRST_PAUSE: Final = 10_000
LONGEST_PAUSE: Final = 3_600_000
"""Milliseconds before a message that failed is tried again: the first time, and at most."""
HOUR: Final = 3_600_000
MOST_NOTICES: Final = 20
"""Notices that one message names; it tells how many more there are."""


@dataclass
class Settled:
    """What became of messages since the last commit."""

    done: list[Row] = field(default_factory=list)
    later: list[tuple[Row, int]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.done or self.later)


@dataclass(frozen=True)
class Message:
    """Rows that become one message, and where it goes."""

    rows: list[Row]
    contact: ContactRow | None
    hook: tuple[str, str] | None = None

    @property
    def host(self) -> str:
        """What shares the places of one host."""
        if self.contact is not None and self.contact.kind == "mail":
            return "mail"
        url = self.hook[0] if self.hook else self.contact.address if self.contact else ""
        return ("hook " if self.hook else "") + (urlsplit(url).hostname or "")

    @property
    def kind(self) -> str:
        return WEBHOOK if self.contact is None else self.contact.kind


class Sender(TableObserver):
    """Sends what the outbox holds, in one task."""

    def __init__(self, registry: TableRegistry, contacts: Contacts, signer: "Signer | None", mailer: Mailer) -> None:
        self.registry, self.contacts, self.signer, self.mailer = registry, contacts, signer, mailer
        self.box = Outbox(registry)
        self.poster = Poster(Networks(registry.settings.notify_networks))
        self.any_host = "*" in split_list(registry.settings.push_hosts)
        """Whether strangers choose the hosts of web push too."""
        self.flying: set[asyncio.Task[None]] = set()
        self.places: Counter[str] = Counter()
        self.queues: dict[str, deque[Message]] = {}
        """Messages to hosts that have their most messages under way."""
        self.settled = Settled()
        self.bell = asyncio.Event()

    def written(self, live: LiveTable) -> None:  # noqa: ARG002
        if not self.registry.patience:
            self.bell.set()

    async def run(self) -> None:
        """Send for ever, whatever goes wrong."""
        while True:
            try:
                more = await self.step()
            except (StorageError, Refused) as error:
                log.warning("messages could not be sent", extra={"why": str(error)})
                more = False
            except Exception:
                log.exception("messages could not be sent")
                more = False
            if not more:
                await asyncio.sleep(BREATH)
            if not more or len(self.flying) >= FLYING:
                await self._wait()

    async def _wait(self) -> None:
        try:
            async with asyncio.timeout(POLL):
                await self.bell.wait()
        except TimeoutError:
            pass
        self.bell.clear()

    async def stop(self) -> None:
        """Settle what was sent. What is on its way is sent again by the next server that finds it."""
        now = self.registry.now().at
        for message in (message for queue in self.queues.values() for message in queue):
            self.settled.later += [(row, now) for row in message.rows]
        self.queues.clear()  # before a place becomes free, which starts the next message
        for task in tuple(self.flying):
            task.cancel()
        await asyncio.gather(*self.flying, return_exceptions=True)
        self.poster.close()
        try:
            await self._settle()
        except StorageError as error:
            log.warning("messages that were sent may be sent again", extra={"why": str(error)})

    async def step(self) -> bool:
        """Settle, take, share out and send once. Returns whether the outbox may hold more."""
        await self._settle()
        most = max(0, min(BATCH, FLYING - len(self.flying)))
        rows = await self.box.take(most) if most else []
        unshared = [row for row in rows if not row.contact]
        if unshared:
            await self.box.share_out(unshared)
        shared = [row for row in rows if row.contact]
        for message in await self._messages(shared):
            self._start(message)
        if rows:
            self.bell.set()  # rows that were shared out are due now
        return len(rows) == most

    async def _settle(self) -> None:
        if not self.settled:
            return
        settled, self.settled = self.settled, Settled()
        try:
            await self.box.settle(settled.done, settled.later)
        except StorageError:
            self.settled.done += settled.done
            self.settled.later += settled.later
            raise

    async def _messages(self, rows: Sequence[Row]) -> list[Message]:
        """The messages that rows become: one for each contact, one for each row that goes to a webhook."""
        if not rows:
            return []
        now = self.registry.now().at
        contacts = await self.box.contacts({row.contact for row in rows} - {WEBHOOK})
        hooks = await self.box.webhooks({row.table_id for row in rows if row.contact == WEBHOOK})
        messages: list[Message] = []
        for contact, group in groupby(sorted(rows, key=lambda row: row.contact), lambda row: row.contact):
            held = list(group)
            worth = [row for row in held if row.expires > now and (contact == WEBHOOK or not row.stale)]
            if contact == WEBHOOK:
                worth = [row for row in worth if row.table_id in hooks]
                messages += [Message([row], None, hooks[row.table_id]) for row in worth]
            else:
                known = contacts.get(contact)
                worth = [row for row in worth if known is not None and wants(known, row.kind)]
                until = quiet_end(known.wanted.quiet, now) if known else now
                if until > now:  # a message that waited, such as the hourly mail, may come to its time in quiet hours
                    self.settled.later += [(row, until) for row in worth]
                elif worth:
                    messages.append(Message(worth, known))
            self.settled.done += [row for row in held if row not in worth]
        return messages

    # --- one message

    def _start(self, message: Message) -> None:
        """Send a message, let it wait here while its host has its most under way, or put it off where many wait."""
        host, places = message.host, PER_HOOK_HOST if message.hook else PER_HOST
        if message.hook and self.hooks >= HOOKS:
            self._later(message, FIRST_PAUSE, "crowded")
            return
        if self.places[host] < places:
            self._launch(message, host)
            return
        queue = self.queues.setdefault(host, deque())
        if message.kind != "mail" and len(queue) < QUEUED:
            queue.append(message)
        else:
            self._later(message, CROWDED, "crowded")

    @property
    def hooks(self) -> int:
        """Messages to webhooks that are on their way."""
        return sum(number for host, number in self.places.items() if host.startswith("hook "))

    def _launch(self, message: Message, host: str) -> None:
        self.places[host] += 1
        task = asyncio.create_task(self._fly(message))
        self.flying.add(task)
        task.add_done_callback(lambda ended: self._landed(ended, host))

    def _landed(self, task: "asyncio.Task[None]", host: str) -> None:
        self.flying.discard(task)
        self.places[host] -= 1
        queue = self.queues.get(host, deque())
        now = self.registry.now().at
        while queue and self._is_late(queue[0], now):
            self._later(queue.popleft(), CROWDED, "crowded")
        if queue:
            self._launch(queue.popleft(), host)
        elif not self.places[host]:
            del self.places[host]
            self.queues.pop(host, None)
        self.bell.set()

    @staticmethod
    def _is_late(message: Message, now: int) -> bool:
        """Whether another server may take the message before it has been sent."""
        return min(row.due for row in message.rows) - now < STARTS_BEFORE

    async def _fly(self, message: Message) -> None:
        try:
            if message.contact is not None and message.contact.kind == "mail":
                await self._mail(message, message.contact)
            else:
                await self._judge(message, await self._post(message))
        except (Unreachable, MailFailed, Refused, StorageError) as error:
            log.info("a message was not sent", extra={"to": message.host, "why": str(error)})
            self._later(message, 0, "failed")
        except Forbidden as error:
            log.info("a message was not sent", extra={"to": message.host, "why": str(error)})
            await self._drop(message)
        except Exception:
            log.exception("a message was not sent", extra={"to": message.host})
            self._later(message, 0, "failed")

    async def _post(self, message: Message) -> Answer:
        row = newest(message.rows)
        if message.hook is not None:
            url, secret = message.hook
            body = webhook_body(row)
            return await self.poster.post(url, body, webhook_headers(row, secret, body, int(time.time())))
        contact = message.contact
        if contact is None or self.signer is None:
            raise Unreachable("web push is not installed")
        keys = json.loads(contact.keys)
        lasts = max(0, max(each.expires for each in message.rows) - self.registry.now().at) // 1000
        urgent = any(each.kind in ("turn", "late") for each in message.rows)
        headers = self.signer.headers(contact.address, row.cause, lasts, urgent=urgent)
        body = self.signer.sealed(contact.address, keys["p256dh"], keys["auth"], payload(message.rows))
        return await self.poster.post(contact.address, body, headers, known=not self.any_host)

    async def _judge(self, message: Message, answer: Answer) -> None:
        """Settle a message by its answer: sent, gone for ever, refused for good, or to be tried again."""
        if 200 <= answer.status < 300:
            self._done(message, "sent")
        elif answer.status == 410 or (answer.status == 404 and message.hook is None):
            await self._drop(message)
        elif answer.status in (408, 425, 429) or answer.status >= 500:
            self._later(message, int(answer.retry_after * 1000), "failed")
        else:
            log.warning("a message was refused", extra={"to": message.host, "status": answer.status})
            self._done(message, "refused")

    async def _mail(self, message: Message, contact: ContactRow) -> None:
        """Send one mail, unless one was sent to the address within the last hour."""
        now = self.registry.now().at
        if not self.mailer.is_on:
            self._done(message, "refused")
            return
        if contact.quiet_until > now:
            self.settled.later += [(row, contact.quiet_until) for row in message.rows]
            return
        until = now + HOUR
        claim = {"of_contact": contact.id, "new_quiet_until": until, "of_quiet_until": contact.quiet_until}
        await self.box.write((db.HUSH, [claim]))
        claimed = (await self.box.contacts([contact.id])).get(contact.id)
        if claimed is None or claimed.quiet_until != until:  # another server was first
            self._later(message, CROWDED, "crowded")
            return
        try:
            await self.mailer.tell(contact, message.rows)
        except MailRefused:
            await self._drop(message)
        except BaseException:
            back = {"of_contact": contact.id, "new_quiet_until": contact.quiet_until, "of_quiet_until": until}
            await self.box.write((db.HUSH, [back]))
            raise
        else:
            self._done(message, "sent")

    def _done(self, message: Message, result: str) -> None:
        MESSAGES.labels(message.kind, result).inc()
        self.settled.done += message.rows

    def _later(self, message: Message, pause: int, result: str) -> None:
        """Try again later: after the pause that was asked for, or after the usual one."""
        MESSAGES.labels(message.kind, result).inc()
        now = self.registry.now().at
        for row in message.rows:
            usual = min(FIRST_PAUSE * 4 ** min(row.tries - 1, 10), LONGEST_PAUSE)
            self.settled.later.append((row, now + min(pause or usual, LONGEST_PAUSE)))

    async def _drop(self, message: Message) -> None:
        """Forget an address that takes no messages any more."""
        MESSAGES.labels(message.kind, "gone").inc()
        if message.contact is not None:
            await self.contacts.drop(message.contact.id)
        else:
            await self.box.write((db.DROP_WEBHOOK, [{"of_table": message.rows[0].table_id}]))
            self.settled.done += message.rows


def payload(rows: Sequence[Row]) -> bytes:
    """What a device is told: causes, kinds and tables, newest first, and how many more there are."""
    ordered = sorted(rows, key=lambda row: (row.at, row.number), reverse=True)
    named = [{"cause": row.cause, "kind": row.kind, "table": row.table_id} for row in ordered[:MOST_NOTICES]]
    content = {"cause": newest(rows).cause, "notices": named, "more": len(ordered) - len(named)}
    return json.dumps(content, separators=(",", ":")).encode()
