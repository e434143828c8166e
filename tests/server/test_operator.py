"""The operator's commands beside running servers: close, revoke, block, look, and the log of who did what."""

import asyncio
import contextlib
import sqlite3
import stat
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest

from cartagena.cli import operator as client
from cartagena.cli.verbs.db import Person as Whom
from cartagena.cli.verbs.db import checked_network, kept_data
from cartagena.errors import CartagenaError
from cartagena.server.http.gate import Gate
from cartagena.server.live import seating
from cartagena.server.live.operator import Operator, readable
from cartagena.server.live.rematch import rematch
from cartagena.server.protocol.requests import CreateTable
from cartagena.server.settings import Settings
from cartagena.server.storage import commands
from cartagena.server.storage.commands import Command
from cartagena.server.storage.database import Database, StorageError
from cartagena.server.storage.rows import TableWrite
from cartagena.server.storage.write_queue import Waiting, WriteQueue
from cartagena.server.tables import decide
from cartagena.server.tables.tokens import digest

from .receivers import Browser
from .rig import Person, Server, running
from .test_operation import file_of
from .test_post import house

T = TypeVar("T")
VISITOR = {"x-forwarded-for": "203.0.113.5"}


def on(database: str, work: Callable[[Database], Awaitable[T]]) -> T:
    """Work on a database as ``cartagena db`` does."""

    async def main() -> T:
        opened = Database(database)
        try:
            return await work(opened)
        finally:
            await opened.close()

    return asyncio.run(main())


def told(database: str, verb: str, **data: object) -> str:
    """What is said about a command."""
    return on(database, lambda opened: client.carry_out(opened, verb, data))


def status(server: Server, path: str = "/healthz") -> int:
    return server.http.get(path, headers=VISITOR).status_code


async def kept(opened: Database, ann: Person) -> str:
    async with client.beside(opened) as registry:
        return str(await kept_data(registry, Whom(ann.token, "", 0), show=True))


def test_commands_reach_the_server_that_runs_and_are_logged(database: str) -> None:
    with running(database, forwarded="127.0.0.1") as server:
        ann, ben = server.table(lots=False), server.table(lots=False)
        assert "'name': 'Ann'" in on(database, lambda opened: kept(opened, ann))
        assert told(database, "close", table=ann.table) == f"Table {ann.table} is closed."
        assert ann.look()["stage"] == "over"
        assert server.get(f"{ann.path}/record", ann.token).status_code == 200
        with pytest.raises(CartagenaError, match="is over"):
            told(database, "close", table=ann.table)
        assert told(database, "revoke", digest=digest(ben.token)) == "The token is revoked at 1 table."
        assert server.get(ben.path, ben.token).status_code == 401
        assert status(server) == 200
        assert "203.0.113.0/24 is blocked" in told(database, "block", network="203.0.113.0/24", minutes=5)
        assert status(server) == 403
        assert server.http.get("/healthz").status_code == 200
        assert told(database, "block", network="203.0.113.0/24", minutes=0)
        assert status(server) == 200
        with pytest.raises(CartagenaError, match="does not know"):
            told(database, "dance")
        last = server.table()
    assert told(database, "revoke", table=last.table, chair=1) == "The token is revoked at 1 table."
    lines = [readable(row) for row in on(database, commands.log_of)]
    assert [line.split("  ")[1].split()[0] for line in lines] == [
        "close", "close", "revoke", "block", "block", "dance", "revoke",
    ]  # fmt: skip
    assert lines[0].startswith(client.sender())
    assert not any(ben.token in line for line in lines)


def test_a_token_is_revoked_at_all_tables_or_at_none(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(sqlite) as server:
        ann = server.table(lots=False)
        ann.do("resign")
        again = Person(server, ann.do("rematch").json()["table"], ann.token)
        real, puts = WriteQueue.put, list[int]()

        def fails_later(queue: WriteQueue, *writes: TableWrite) -> Waiting:
            if any(getattr(write, "revoked", ()) for write in writes):  # nothing else that is written meanwhile
                puts.append(len(writes))
                if len(puts) > 1:
                    raise StorageError("the disk is full")
            return real(queue, *writes)

        with monkeypatch.context() as patch:
            patch.setattr(WriteQueue, "put", fails_later)
            with contextlib.suppress(CartagenaError):
                told(sqlite, "revoke", digest=digest(ann.token))
        assert {server.get(each.path, ann.token).status_code for each in (ann, again)} == {401}
        assert puts[0] == 2


def test_a_token_is_revoked_at_a_rematch_that_is_set_up_meanwhile(sqlite: str) -> None:
    async def work() -> None:
        async with house(sqlite) as home:
            registry, want = home.registry, {"seats": [{"kind": "here"}, {"kind": "here"}], "lots": False}
            token = (await seating.create(registry, CreateTable.model_validate(want))).token
            [first] = await registry.tables_of(digest(token))
            async with registry.lease(first) as live:
                who = live.table.requester(token)
                await registry.act(live, who, partial(decide.resign, level=None), 1)
                async with registry.renewals:  # the operator's command waits here
                    command = Command.new("me", "revoke", {"digest": digest(token)})
                    done = asyncio.create_task(Operator(registry, print).carry_out(command))
                    while not registry.renewals._waiters:
                        await asyncio.sleep(0)
                    again = await rematch(registry, live, who)
            assert await done == {"done": "The token is revoked at 2 tables."}
            for table in (first, again):
                async with registry.lease(table) as live:
                    assert all(key.revoked for key in live.table.keys)

    asyncio.run(work())


def test_devices_of_a_token_that_is_revoked_are_forgotten(sqlite: str) -> None:
    with running(sqlite, push_hosts="localhost", notify_networks="127.0.0.1,::1") as server:
        ann, ben = server.table(), server.table()
        for person in (ann, ben):
            answer = person.do(
                "notify", {"push": Browser(f"https://localhost/{person.table}").subscription, "wishes": {}}
            )
            assert answer.status_code == 200, answer.text
        told(sqlite, "revoke", digest=digest(ann.token))
        with contextlib.closing(sqlite3.connect(file_of(sqlite))) as base:
            assert base.execute("SELECT digest FROM links").fetchall() == [(digest(ben.token),)]


def test_only_the_owner_can_open_the_socket_of_a_server(tmp_path: Path) -> None:
    folder = tmp_path / ("a" * 60) / ("b" * 60)
    folder.mkdir(parents=True)
    database = f"sqlite:///{folder / 'tables.db'}"
    with running(database) as server:
        found = (folder / "tables.db.socket").stat()
        assert stat.S_ISSOCK(found.st_mode)
        assert stat.S_IMODE(found.st_mode) == 0o600
        assert "closed" in told(database, "close", table=server.table().table)
    assert not (folder / "tables.db.socket").exists()


def test_blocks_end_and_are_deleted_then(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [commands.now_wall()]
    monkeypatch.setattr(commands, "now_wall", lambda: now[0])
    with running(sqlite):
        told(sqlite, "block", network="2001:db8::/32", minutes=1)

    async def later(opened: Database) -> tuple[int, int]:
        async with client.alone(opened):
            await commands.forget_old(opened)
            return len(await commands.blocks(opened)), len(await commands.log_of(opened))

    assert on(sqlite, later) == (1, 1)
    now[0] += 10 * 60_000  # the other process may be slow to begin
    assert on(sqlite, later) == (0, 1)
    now[0] += 31 * commands.DAY
    assert on(sqlite, later) == (0, 0)


def test_a_block_holds_for_addresses_inside_it_until_its_end() -> None:
    gate = Gate(Settings())
    inside, outside = gate.visitor("2001:db8:1::1"), gate.visitor("192.0.2.1")
    gate.block({"2001:db8::/32": commands.now_wall() + 60_000, "192.0.2.0/24": commands.now_wall() - 1})
    assert (inside.is_blocked, outside.is_blocked, gate.visitor("2001:db8:2::1").is_blocked) == (True, False, True)
    gate.block({checked_network("::ffff:192.0.2.1"): commands.now_wall() + 60_000})
    assert outside.is_blocked, "IPv4 in the form of IPv6 is IPv4"
    for wrong in ("0.0.0.0/0", "::ffff:0:0/96", "nobody"):
        with pytest.raises(CartagenaError):
            checked_network(wrong)
