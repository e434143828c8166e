"""The sender of messages beside receivers that do not answer."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from cartagena.server.notify import outbound
from cartagena.server.notify.mail import Mailer
from cartagena.server.notify.outbox import WEBHOOK, Contacts
from cartagena.server.notify.push import Signer
from cartagena.server.notify.sender import FLYING, HOOKS, PER_HOOK_HOST, Sender
from cartagena.server.protocol.contacts import Wishes
from cartagena.server.storage import schema as db

from .receivers import Browser, Receiver, receiving
from .rig import PATIENCE
from .test_post import house

HOSTS = 2 * FLYING // PER_HOOK_HOST


@pytest.fixture
def receiver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    with receiving(tmp_path, monkeypatch) as found:
        yield found


def row(number: int, contact: str, now: int) -> dict[str, object]:
    """A row of the outbox that is due."""
    about = {"cause": f"t{number}-1", "contact": contact, "table_id": f"t{number}", "kind": "turn", "chairs": "1"}
    return {**about, "number": 1, "at": now, "expires": now + 10**9, "due": now, "holder": "", "tries": 0}


def hook(number: int, port: int) -> dict[str, object]:
    """A webhook of a table at one of many hosts."""
    return {"table_id": f"t{number}", "url": f"https://hook{number % HOSTS}.test:{port}/", "secret": "s"}


@asynccontextmanager
async def silent_hosts(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[int]:
    """Hosts that take connections at a port and say nothing."""
    monkeypatch.setattr(outbound, "SECONDS", PATIENCE)
    listening: set[asyncio.Task[None] | None] = set()

    async def silence(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        listening.add(asyncio.current_task())
        with suppress(OSError):
            await reader.read()
        writer.close()

    loop = asyncio.get_running_loop()
    usual = loop.getaddrinfo

    async def named(host: str, port: int, **how: int) -> object:
        return await usual("127.0.0.1" if host.endswith(".test") else host, port, **how)

    monkeypatch.setattr(loop, "getaddrinfo", named)
    silent = await asyncio.start_server(silence, "127.0.0.1", 0)
    yield silent.sockets[0].getsockname()[1]
    silent.close()
    await asyncio.gather(*(task for task in listening if task))


def test_webhooks_that_do_not_answer_leave_places_for_push_services(
    sqlite: str, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with silent_hosts(monkeypatch) as port, house(sqlite, notify_networks="127.0.0.1,::1") as home:
            contacts = Contacts(home.registry, "key")
            signer = Signer(Signer.new_key(), "mailto:host@example.org")
            sender = Sender(home.registry, contacts, signer, Mailer(home.registry.settings, contacts))
            numbers = range(HOSTS * PER_HOOK_HOST)
            await sender.box.write((db.webhooks.insert(), [hook(number, port) for number in numbers]))
            await sender.box.write((db.outbox.insert(), [row(number, WEBHOOK, home.wall) for number in numbers]))
            while await sender.step():
                pass
            assert len(sender.flying) == HOOKS
            device = Browser(f"{receiver.url}/ann").subscription
            keys = {name: device[name] for name in ("p256dh", "auth")}
            ann = await contacts.add("push", device["endpoint"], keys, Wishes())
            await sender.box.write((db.outbox.insert(), [row(1000, ann.id, home.wall)]))
            await sender.step()
            await asyncio.to_thread(receiver.wait_for, 1, "/ann")
            await sender.stop()

    asyncio.run(work())


def test_a_sender_that_stops_starts_none_of_the_messages_that_wait(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with silent_hosts(monkeypatch) as port, house(sqlite, notify_networks="127.0.0.1,::1") as home:
            contacts = Contacts(home.registry, "key")
            sender = Sender(home.registry, contacts, None, Mailer(home.registry.settings, contacts))
            numbers = range(0, 3 * PER_HOOK_HOST * HOSTS, HOSTS)  # of one host
            await sender.box.write((db.webhooks.insert(), [hook(number, port) for number in numbers]))
            await sender.box.write((db.outbox.insert(), [row(number, WEBHOOK, home.wall) for number in numbers]))
            while await sender.step():
                pass
            assert len(sender.flying) == PER_HOOK_HOST
            assert sender.queues
            await sender.stop()
            assert not sender.flying
            assert not sender.places
            assert len(await sender.box.take(len(numbers))) == len(numbers) - PER_HOOK_HOST, "due for another server"

    asyncio.run(work())
