"""A rematch that two servers set up at the same time, or while a token is replaced at another server."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest

from cartagena import Move
from cartagena.server.live import privacy, seating
from cartagena.server.live.live_table import LiveTable
from cartagena.server.live.operator import Operator
from cartagena.server.live.registry import TableRegistry
from cartagena.server.live.rematch import ask, rematch
from cartagena.server.live.sharing import Sharing
from cartagena.server.live.timers import salts_over
from cartagena.server.protocol.contacts import HeldSeat
from cartagena.server.protocol.errors import Refused
from cartagena.server.protocol.requests import CreateTable, JoinTable, RemovePerson, SeatComputer
from cartagena.server.settings import Settings
from cartagena.server.storage import migrate
from cartagena.server.storage.database import Database
from cartagena.server.storage.peers import living, new_member
from cartagena.server.storage.write_queue import WriteQueue
from cartagena.server.tables import decide
from cartagena.server.tables.events import Resigned
from cartagena.server.tables.state import Table
from cartagena.server.tables.tokens import digest, find, new_token
from cartagena.server.tasks import cancel_all, ignore

from .conftest import new_postgres_database


@asynccontextmanager
async def tables_of_a_server(url: str, number: int) -> AsyncIterator[TableRegistry]:
    """The tables of one of several servers, without the server in front of them."""
    database = Database(url)
    sole = migrate.SoleServer(database, new_member())
    await sole.take()
    await migrate.upgrade(database, shared=True)
    queue = WriteQueue(database, 10)
    queue.start()
    registry = TableRegistry(database, queue, Settings(database=url, salt_seconds=0))
    registry.sharing = sharing = Sharing(registry, number)
    try:
        yield registry
    finally:
        await registry.stop()
        await sharing.close()
        await queue.stop()
        await sole.free()
        await database.close()


@asynccontextmanager
async def finished_game(one: TableRegistry, two: TableRegistry) -> AsyncIterator[tuple[LiveTable, LiveTable, str, str]]:
    """A game of two people that is over, at both servers, and their tokens."""
    seats = [{"kind": "here", "name": "Ann"}, {"kind": "link"}]
    want = CreateTable.model_validate({"seats": seats, "lots": False})
    created = await seating.create(one, want)
    async with one.lease(created.id) as live:
        ben = await seating.join(one, live, JoinTable(name="Ben", invite=created.invites[2]), None)
        await one.change(live, lambda table, now: decide.all_of(table, now, [Resigned(1, None)]))
        assert live.table.stage == "over"
        async with two.lease(created.id) as there:
            yield live, there, created.token, ben


def before(
    monkeypatch: pytest.MonkeyPatch,
    registry: TableRegistry,
    step: str,
    work: Callable[[], Awaitable[object]],
    number: int = 1,
) -> None:
    """Do the work once, just before the next such step of a server, or before a later one of that number."""
    real, count = getattr(registry, step), 0

    async def late(*given: Any, **named: Any) -> object:
        nonlocal count
        count += 1
        if count == number:
            monkeypatch.setattr(registry, step, real)
            await work()
        return await real(*given, **named)

    monkeypatch.setattr(registry, step, late)


def test_a_rematch_at_two_servers_leaves_one_table_and_no_old_token(
    postgres: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another server does between two steps of this one is done there at exactly that moment."""

    async def trial(one: TableRegistry, two: TableRegistry) -> None:
        async with finished_game(one, two) as (old, there, ann, ben):
            ann_here, ben_there = old.table.requester(ann), there.table.requester(ben)
            before(monkeypatch, one, "create", lambda: rematch(two, there, ben_there))
            again = await rematch(one, old, ann_here)
            assert again == there.table.next
            assert {row.id for row in await one.database.all_tables()} == {old.id, again}, "an unused table is left"

        async with finished_game(one, two) as (old, there, ann, ben):
            new = new_token()
            before(monkeypatch, one, "create", lambda: seating.renew_token(two, there, ben, new))
            async with one.lease(await rematch(one, old, old.table.requester(ann))) as found:
                assert find(found.table.keys, ben, "seat") is None, "a token that was replaced is valid at the rematch"
                assert find(found.table.keys, new, "seat") is not None

        async with finished_game(one, two) as (old, there, ann, ben):
            new, asks = new_token(), old.table.requester(ann)
            before(monkeypatch, two, "change_together", lambda: rematch(one, old, asks))
            await seating.renew_token(two, there, ben, new)
            async with one.lease(str(old.table.next)) as found:
                assert find(found.table.keys, ben, "seat") is None, "a rematch during the renewal keeps the old token"
                assert find(found.table.keys, new, "seat") is not None

        async with finished_game(one, two) as (old, there, ann, ben):
            asks = old.table.requester(ann)
            before(monkeypatch, two, "change_together", lambda: rematch(one, old, asks))
            assert await privacy.forget(two, there, ben) == 2
            async with one.lease(str(old.table.next)) as found:
                assert "Ben" not in str(found.table.chairs), "a rematch keeps a name that was deleted meanwhile"

    at_two_servers(postgres, trial)


@asynccontextmanager
async def waiting_table(registry: TableRegistry, name: str) -> AsyncIterator[tuple[LiveTable, str]]:
    """A table of three that waits for two people, and the token of its host."""
    seats = [{"kind": "here", "name": name}, {"kind": "link"}, {"kind": "link"}]
    created = await seating.create(registry, CreateTable.model_validate({"seats": seats, "lots": False}))
    async with registry.lease(created.id) as live:
        yield live, created.token


def asks(registry: TableRegistry, live: LiveTable, host: str, old: str, token: str) -> Awaitable[list[int]]:
    return ask(registry, live, live.table.requester(host), HeldSeat(table=old, token=token))


def holds(live: LiveTable, token: str) -> tuple[int, ...]:
    """The chairs that a token holds."""
    key = find(live.table.keys, token, "seat")
    return key.chairs if key else ()


def test_people_who_are_asked_at_two_servers_are_asked_to_one_table(
    postgres: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def trial(one: TableRegistry, two: TableRegistry) -> None:
        for number in (1, 2):  # before chairs are held for people, and before the finished game names the table
            async with (
                finished_game(one, two) as (old, _, ann, ben),
                waiting_table(one, "Ann") as (hers, ann_host),
                waiting_table(two, "Ben") as (his, ben_host),
            ):
                before(monkeypatch, one, "change", partial(asks, two, his, ben_host, old.id, ben), number)
                with pytest.raises(Refused, match="asked to another table already"):
                    await asks(one, hers, ann_host, old.id, ann)
                assert old.table.next == his.id
                assert (holds(hers, ben), holds(his, ann)) == ((), (2,))

    at_two_servers(postgres, trial)


def test_of_two_tables_that_ask_at_two_servers_one_gets_the_people(postgres: Any) -> None:
    async def trial(one: TableRegistry, two: TableRegistry) -> None:
        for _ in range(5):
            async with (
                finished_game(one, two) as (old, there, ann, ben),
                waiting_table(one, "Ann") as (hers, ann_host),
                waiting_table(two, "Ben") as (his, ben_host),
            ):
                answers = await asyncio.gather(
                    asks(one, hers, ann_host, old.id, ann),
                    asks(two, his, ben_host, old.id, ben),
                    return_exceptions=True,
                )
                for registry, live in ((one, old), (two, there)):
                    await registry.check(live)
                held = {hers.id: holds(hers, ben), his.id: holds(his, ann)}
                won = [isinstance(answer, list) for answer in answers]
                assert sorted(won) == [False, True], answers
                assert old.table.next == there.table.next == (hers.id if won[0] else his.id)
                assert held == {hers.id: (2,) if won[0] else (), his.id: () if won[0] else (2,)}

    at_two_servers(postgres, trial)


def test_one_table_that_asks_at_two_servers_holds_one_chair_a_person(postgres: Any) -> None:
    async def trial(one: TableRegistry, two: TableRegistry) -> None:
        for _ in range(5):
            async with (
                finished_game(one, two) as (old, _, ann, ben),
                waiting_table(one, "Ann") as (hers, host),
                two.lease(hers.id) as seen,
            ):
                asked = (asks(one, hers, host, old.id, ann), asks(two, seen, host, old.id, ann))
                assert list(await asyncio.gather(*asked)) == [[2], [2]]
                await one.check(hers)
                assert [key.chairs for key in hers.table.keys if key.kind == "seat"] == [(1,), (2,)]
                assert holds(hers, ben) == (2,)

    at_two_servers(postgres, trial)


def test_a_table_that_could_not_ask_people_can_ask_them_after_their_next_game(
    postgres: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def trial(one: TableRegistry, two: TableRegistry) -> None:
        async with finished_game(one, two) as (old, there, ann, ben), waiting_table(one, "Ann") as (hers, host):
            asked = there.table.requester(ben)
            before(monkeypatch, one, "change", lambda: rematch(two, there, asked), 2)
            with pytest.raises(Refused):
                await asks(one, hers, host, old.id, ann)
            assert holds(hers, ben) == ()
            async with one.lease(str(old.table.next)) as again:
                await seating.join(one, again, JoinTable(name="Ann"), ann)
                await one.change(again, lambda table, now: decide.all_of(table, now, [Resigned(1, None)]))
                assert await asks(one, hers, host, again.id, ann) == [2]
            assert holds(hers, ben) == (2,)

    at_two_servers(postgres, trial)


def at_two_servers(postgres: Any, trial: Callable[[TableRegistry, TableRegistry], Awaitable[None]]) -> None:
    async def work() -> None:
        url = new_postgres_database(postgres)
        async with tables_of_a_server(url, 1) as one, tables_of_a_server(url, 2) as two:
            await trial(one, two)

    asyncio.run(work())


def test_of_two_renewals_at_a_game_and_its_rematch_one_is_carried_out(postgres: Any) -> None:
    async def trial(one: TableRegistry, two: TableRegistry) -> None:
        for _ in range(3):
            async with finished_game(one, two) as (old, there, ann, ben):
                again = await rematch(one, old, old.table.requester(ann))
                async with two.lease(again) as next_one:
                    chosen = [new_token(), new_token()]
                    asked = (
                        seating.renew_token(one, old, ben, chosen[0]),
                        seating.renew_token(two, next_one, ben, chosen[1]),
                    )
                    answers = await asyncio.gather(*asked, return_exceptions=True)
                    tokens = [answer for answer in answers if isinstance(answer, str)]
                    assert len(tokens) == 1, answers
                    for registry, live in ((two, there), (two, next_one)):
                        await registry.check(live)
                        assert find(live.table.keys, tokens[0], "seat") is not None, "the seat is lost"
                        assert find(live.table.keys, ben, "seat") is None

    at_two_servers(postgres, trial)


def test_seats_and_tokens_that_two_servers_change_at_once_are_decided_one_after_another(
    postgres: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the other server does comes after this one has decided and before it stores."""

    async def trial(one: TableRegistry, two: TableRegistry) -> None:
        async with waiting_table(one, "Ann") as (live, ann), two.lease(live.id) as there:
            invite = await seating.renew_invite(one, live, live.table.requester(ann), 2)
            ben, new = await seating.join(one, live, JoinTable(name="Ben", invite=invite), None), new_token()
            before(monkeypatch, one, "_store", lambda: seating.renew_token(two, there, ben, new))
            await one.act(live, live.table.requester(ann), privacy.remove, RemovePerson(seat=2))
            await one.check(live)
            assert (holds(live, ben), holds(live, new)) == ((), ()), "a person who was removed keeps the seat"

        games, table = finished_game(one, two), waiting_table(one, "Ann")
        async with games as (old, _, ann, _), table as (live, host), two.lease(live.id) as there:
            want = SeatComputer(seat=2, level="sailor")
            before(monkeypatch, one, "_store", lambda: asks(two, there, host, old.id, ann))
            await one.act(live, live.table.requester(host), seating.seat_computer, want)
            await one.check(live)
            assert live.table.keys_to(2) == [], "a person holds the chair of a computer and sees its cards"

        async with finished_game(one, two) as (old, there, _, ben):
            new = new_token()
            before(monkeypatch, one, "_store", lambda: seating.renew_token(two, there, ben, new))
            assert "done" in await Operator(one, ignore).revoke({"table": old.id, "chair": 2})
            await one.check(old)
            assert (holds(old, ben), holds(old, new)) == ((), ()), "a token is revoked, and the one after it is valid"

        async with finished_game(one, two) as (old, there, ann, ben):
            before(monkeypatch, one, "_store", lambda: rematch(two, there, there.table.requester(ann)))
            assert "done" in await Operator(one, ignore).revoke({"digest": digest(ben)})
            await one.check(old)
            async with one.lease(str(old.table.next)) as again:
                assert (holds(old, ben), holds(again, ben)) == ((), ()), (
                    "a token that was revoked is valid at a rematch"
                )

    at_two_servers(postgres, trial)


def test_a_server_whose_wall_clock_is_set_back_charges_nobody(postgres: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def trial(one: TableRegistry, two: TableRegistry) -> None:
        await know_the_time(one, two)
        here = {"kind": "here", "name": ""}
        want = {"seats": [here, here], "lots": False, "clock": {"kind": "bank", "seconds": 600}}
        created = await seating.create(one, CreateTable.model_validate(want))
        async with one.lease(created.id) as live, two.lease(created.id) as there:
            with monkeypatch.context() as patch:
                real = time.time_ns
                patch.setattr(time, "time_ns", lambda: real() - 99 * 10**9)
                await one.change(live, lambda table, now: decide.play_for(table, first_move(table), now))
            await two.check(there)
            assert there.table.thinking(two.now().steady) < 60_000, "99 seconds are charged that nobody thought"

    at_two_servers(postgres, trial)


def test_a_server_that_just_loaded_a_table_knows_how_long_it_has_waited_for_salts(
    postgres: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def trial(one: TableRegistry, two: TableRegistry) -> None:
        await know_the_time(one, two)
        seats = [{"kind": "here", "name": "Ann"}, {"kind": "link"}]
        want = CreateTable.model_validate({"seats": seats, "lots": False, "hold": True, "salts": 10})
        created = await seating.create(one, want)
        async with one.lease(created.id) as live:
            await seating.join(one, live, JoinTable(name="Ben", invite=created.invites[2]), None)
            assert not salts_over(one, live)

        with monkeypatch.context() as patch:
            real = time.monotonic_ns
            patch.setattr(time, "monotonic_ns", lambda: real() + 11 * 10**9)
            async with two.lease(created.id) as there:
                host = there.table.requester(created.token)
                await two.act(there, host, seating.start, lambda: salts_over(two, there))
                assert there.table.stage == "playing"

    at_two_servers(postgres, trial)


async def know_the_time(*registries: TableRegistry) -> None:
    """Let servers set their time by the database, as if they had run for long."""
    for registry in registries:
        servers = await living(registry.database)
        assert servers is not None
        assert isinstance(registry.sharing, Sharing)
        registry.sharing.take_over(servers)
        registry.sharing.since = 0


def first_move(table: Table) -> Move:
    return decide.must_play(table).legal_moves[0]


def test_a_task_that_drops_a_cancellation_is_cancelled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cartagena.server.tasks.AGAIN", 0.01)
    dropped = 0

    async def stubborn() -> None:
        nonlocal dropped
        while True:
            try:
                await asyncio.sleep(600)
            except asyncio.CancelledError:
                dropped += 1
                if dropped == 3:
                    raise

    async def work() -> None:
        task = asyncio.create_task(stubborn())
        await asyncio.sleep(0)
        await cancel_all(task)
        assert task.cancelled()

    asyncio.run(work())
