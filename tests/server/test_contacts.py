"""Devices, mail addresses and webhooks under requests at the same time, and streams of turns in a crowd."""

import asyncio
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from types import SimpleNamespace

import httpx
import pytest
from starlette.types import Message, Receive, Scope, Send

from cartagena.server.http.gate import Gate
from cartagena.server.http.middleware import GuardMiddleware
from cartagena.server.http.ratelimit import Slots
from cartagena.server.live import timers
from cartagena.server.notify.mail import Mailer
from cartagena.server.notify.outbound import Answer, Poster
from cartagena.server.notify.outbox import MOST_CONTACTS, ContactRow, Contacts, quiet_end
from cartagena.server.notify.push import Signer
from cartagena.server.notify.sender import Sender
from cartagena.server.protocol.contacts import Wishes
from cartagena.server.protocol.errors import Refused
from cartagena.server.settings import Settings
from cartagena.server.storage import schema as db
from cartagena.server.storage.database import Conflict, StorageError
from cartagena.server.storage.rows import PlainWrite
from cartagena.server.tables.clocks import Moment

from .receivers import Browser, mailbox
from .rig import Person, bearer, running
from .test_notify import telling, two
from .test_operation import file_of
from .test_post import house
from .test_sender import row


def together(*calls: Callable[[], httpx.Response]) -> list[httpx.Response]:
    """The answers to requests that are sent at once."""
    with ThreadPoolExecutor(len(calls)) as pool:
        return [sent.result() for sent in [pool.submit(call) for call in calls]]


def sending(person: Person, verb: str, body: object) -> Callable[[], httpx.Response]:
    return lambda: httpx.post(
        f"{person.server.url}{person.path}/{verb}", json=body, headers=bearer(person.token), timeout=None
    )


def test_a_device_that_leaves_one_table_and_joins_another_at_once_is_told_about_that(database: str) -> None:
    with telling(database) as server:
        for number in range(20):
            old, new, device = server.table(), server.table(), Browser(f"https://localhost/{number}")
            [contact] = old.do("notify", {"push": device.subscription}).json()["contacts"]
            joins = sending(new, "notify", {"push": device.subscription})
            answers = together(sending(old, f"notify/{contact['id']}/remove", {}), joins)
            assert [answer.status_code for answer in answers] == [200, 200]
            assert len(server.get(f"{new.path}/notify", new.token).json()["contacts"]) == 1
            assert server.get(f"{old.path}/notify", old.token).json()["contacts"] == []


def test_requests_at_once_give_a_seat_no_more_devices_than_it_may_have(database: str) -> None:
    with telling(database) as server:
        ann = server.table()
        devices = [Browser(f"https://localhost/{number}").subscription for number in range(2 * MOST_CONTACTS)]
        answers = together(*(sending(ann, "notify", {"push": device}) for device in devices))
        assert sorted(answer.status_code for answer in answers) == [200] * MOST_CONTACTS + [409] * MOST_CONTACTS
        assert len(server.get(f"{ann.path}/notify", ann.token).json()["contacts"]) == MOST_CONTACTS
        again = Browser("https://localhost/again").subscription
        assert "at most 10 devices" in ann.do("notify", {"push": again}).json()["error"]["message"]


def test_a_mail_that_cannot_be_sent_is_no_failure_of_the_server(sqlite: str) -> None:
    with mailbox() as (box, smtp), telling(sqlite, smtp=smtp, public_url="https://play.example") as server:
        ann, _ = two(server)
        box.refused.add("unknown@example.org")
        answer = ann.do("notify", {"mail": "unknown@example.org"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "malformed")
        assert server.get(f"{ann.path}/notify", ann.token).json()["contacts"] == [], "nothing of it is kept"
    with telling(sqlite, smtp="smtp://127.0.0.1:1", public_url="https://play.example") as server:
        ann, _ = two(server)
        answer = ann.do("notify", {"mail": "ann@example.org"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "failed")


def test_a_host_who_is_forgotten_leaves_no_webhook(sqlite: str) -> None:
    with telling(sqlite) as server:
        ann, ben = two(server)
        other, _ = two(server)
        for host in (ann, other):
            assert host.do("webhook", {"url": "https://127.0.0.1/mine"}).status_code == 200
        assert ben.do("forget").status_code == 200
        assert server.get(f"{ann.path}/notify", ann.token).json()["webhook"] == "127.0.0.1"
        assert ann.do("forget").status_code == 200
        with closing(sqlite3.connect(file_of(sqlite))) as base:
            assert base.execute("SELECT table_id FROM webhooks").fetchall() == [(other.table,)]


@pytest.mark.parametrize("verb", ["token", "leave", "forget"])
def test_what_was_done_to_a_seat_is_told_although_its_devices_cannot_be_unlinked(
    sqlite: str, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    with telling(sqlite) as server:
        _, ben = two(server)
        assert ben.do("notify", {"push": Browser("https://localhost/ben").subscription}).status_code == 200

        async def failing(*_: object) -> None:
            raise Refused("storage", "Messages cannot be set up now; try again later.")

        monkeypatch.setattr(Contacts, "unlink", failing)
        answer = ben.do(verb)
        assert answer.status_code == 200, answer.text
        if verb == "token":
            assert server.get(ben.path, answer.json()["token"]).status_code == 200


def test_a_change_that_another_server_hinders_is_tried_again() -> None:
    """Two servers may replace a webhook at once."""
    answers: list[StorageError | None] = [Conflict("first"), Conflict("again"), None]
    written: list[PlainWrite] = []

    class Queue:
        async def write(self, write: PlainWrite) -> None:
            written.append(write)
            if error := answers.pop(0):
                raise error

    contacts = Contacts(SimpleNamespace(writes=Queue()), "key")  # type: ignore[arg-type]
    asyncio.run(contacts.write((db.DROP_WEBHOOK, [{"of_table": "t"}])))
    assert len(written) == 3
    answers += [StorageError("the disk is full")]
    with pytest.raises(Refused, match="try again later"):
        asyncio.run(contacts.write((db.DROP_WEBHOOK, [{"of_table": "t"}])))


def test_a_zone_that_this_machine_does_not_know_stops_no_messages() -> None:
    stored = Wishes.model_validate({"quiet": {"from": "22:00", "to": "07:30", "zone": "Asia/Tokyo"}})
    text = stored.model_dump_json(by_alias=True).replace("Asia/Tokyo", "Europe/Kyjiw")
    quiet = ContactRow("1", "push", "", "", "{}", text, 0, 0).wanted.quiet
    night = int(datetime(2026, 3, 1, 23, tzinfo=UTC).timestamp() * 1000)
    assert quiet_end(quiet, night) == int(datetime(2026, 3, 2, 7, 30, tzinfo=UTC).timestamp() * 1000)
    with pytest.raises(ValueError, match="name of a time zone"):
        Wishes.model_validate_json(text)


def test_streams_of_turns_of_some_addresses_leave_room_for_those_of_others() -> None:
    slots = Slots(200, 100)
    for host in range(10):
        for _ in range(20):
            slots.take(f"10.0.{host}.1", None)
        with pytest.raises(Refused, match="Too many connections"):
            slots.take(f"10.0.{host}.1", None)
        slots.take(f"10.0.{host}.1", "table", 1)
    frees = [slots.take("192.0.2.1", None) for _ in range(20)]
    for free in frees:
        free()
    slots.take("192.0.2.1", None)


def test_a_stranger_who_holds_streams_of_turns_keeps_nobody_from_one(sqlite: str) -> None:
    with running(sqlite, table_sockets=4, forwarded="127.0.0.1") as server, ExitStack() as held:
        ann = server.table()
        seat = {"seats": [{"table": ann.table, "token": ann.token}]}
        for number in range(5):
            headers = {"X-Forwarded-For": f"9.{number}.1.1"}
            answer = held.enter_context(server.http.stream("POST", "/api/turns/stream", json=seat, headers=headers))
            assert answer.status_code == 200, number


def test_a_stream_is_charged_while_it_runs_and_raises_no_price() -> None:
    settings = Settings(database="sqlite:///tables.db", address_share=1.0)
    gate = Gate(settings)
    visitor = gate.visitor("192.0.2.1")
    owed: list[float] = []

    async def lines(scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(b"content-type", b"application/x-ndjson")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        for _ in range(2):
            began = time.thread_time()
            while time.thread_time() - began < 0.2:
                pass
            await asyncio.sleep(0)
            owed.append(visitor.paced_until)

    async def ignored(message: Message) -> None:
        """A client that reads all."""

    async def nothing() -> Message:
        return {"type": "http.request"}

    scope: Scope = {
        "type": "http", "method": "GET", "path": "/api/tables/x/stream", "headers": [], "client": ("192.0.2.1", 1),
        "app": SimpleNamespace(state=SimpleNamespace(draining=False)),
    }  # fmt: skip
    asyncio.run(GuardMiddleware(lines, settings, gate)(scope, nothing, ignored))
    assert owed[1] >= owed[0] + 0.2, "charged after each step; its share is a whole core"
    assert (visitor.cost, gate.costs) == (0.0, {})


def test_tables_by_post_that_cannot_be_looked_at_keep_no_others_from_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timers, "BATCH", 2)
    waiting = [("bad1", 1), ("bad2", 2), ("bad3", 3), ("good1", 4), ("good2", 5), ("good3", 6)]

    class Tables:
        def now(self) -> Moment:
            return Moment(10, 10)

        @property
        def database(self) -> "Tables":
            return self

        async def due_tables(self, _now: int, most: int) -> list[tuple[str, int]]:
            return waiting[:most]

    class Looking(timers.Deadlines):
        async def _may_end(self, now: int) -> None:
            """They may."""

        async def _look_at(self, table_id: str, at: int) -> bool:
            if table_id.startswith("good"):
                waiting.remove((table_id, at))
            return table_id.startswith("good")

    asyncio.run(Looking(Tables()).look())  # type: ignore[arg-type]
    assert [table_id for table_id, _ in waiting] == ["bad1", "bad2", "bad3"]


@pytest.mark.parametrize(("hosts", "known"), [("push.example", True), ("*", False)])
def test_names_of_push_services_wait_for_those_of_strangers_where_strangers_choose_them(
    sqlite: str, monkeypatch: pytest.MonkeyPatch, hosts: str, known: bool
) -> None:
    asked: list[object] = []

    async def posted(_self: object, *_what: object, **how: object) -> Answer:
        asked.append(how)
        return Answer(201, b"", 0.0)

    monkeypatch.setattr(Poster, "post", posted)

    async def main() -> None:
        async with house(sqlite, push_hosts=hosts) as home:
            contacts = Contacts(home.registry, "key")
            signer = Signer(Signer.new_key(), "mailto:host@example.org")
            sender = Sender(home.registry, contacts, signer, Mailer(home.registry.settings, contacts))
            device = Browser("https://push.example/ann").subscription
            ann = await contacts.add("push", device.pop("endpoint"), device, Wishes())
            await sender.box.write((db.outbox.insert(), [row(1, ann.id, home.wall)]))
            await sender.step()
            await asyncio.gather(*sender.flying)
            await sender.stop()

    asyncio.run(main())
    assert asked == [{"known": known}]
