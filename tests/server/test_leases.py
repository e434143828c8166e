"""Tables in memory have owners: what is held stays in memory, and there is one copy of a table in a process."""

import asyncio
import gc
import json
import random
import weakref
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest

from cartagena.server.http.routes import events
from cartagena.server.live.live_table import LiveTable
from cartagena.server.protocol.errors import Refused
from cartagena.server.storage.database import Database, StorageError
from cartagena.server.storage.rows import Key
from cartagena.server.tables.clocks import Moment
from cartagena.server.tables.decide import Change
from cartagena.server.tables.events import Talked
from cartagena.server.tables.state import Table
from cartagena.server.tables.tokens import digest, new_token
from cartagena.server.tables.updates import FULL

from .players import Hand, create, live
from .rig import PATIENCE, bearer, receive, running
from .test_pruning import House, at_home

GAMES, MOVES, CACHE = 24, 8, 2


class Poller:
    """A spectator who asks for news again and again, and waits for it."""

    def __init__(self, client: httpx.AsyncClient, table: str) -> None:
        self.client, self.path, self.seq = client, f"/api/tables/{table}/events", 0

    async def until(self, seq: int) -> None:
        """Poll until the table is known to have that many events."""
        while self.seq < seq:
            query: dict[str, Any] = {"after": self.seq, "wait": 30, "detail": "text"}
            answer = await self.client.get(self.path, params=query)
            assert answer.status_code == 200, answer.text
            self.seq = answer.json()["seq"]


async def play_with_an_audience(client: httpx.AsyncClient, hand: Hand) -> None:
    """Play by one socket while another socket and a poll watch, each coming and going at every second move."""
    poller, path = Poller(client, hand.table), f"/api/tables/{hand.table}"
    async with AsyncExitStack() as players:
        mover = await players.enter_async_context(live(hand.port, hand.table, hand.token))
        await hand.until_update(mover, 1)
        for _ in range(MOVES // 2):
            watching = Hand(hand.port, hand.table, hand.token, hand.chance)
            async with live(hand.port, hand.table, hand.token) as viewer:
                await watching.until_update(viewer, hand.seq)
                for _ in range(2):
                    want = hand.choose()
                    assert want is not None
                    answer = await hand.play(mover, want)
                    assert answer["type"] == "ack", answer
                    news = asyncio.gather(
                        hand.until_update(mover, answer["seq"]),
                        watching.until_update(viewer, answer["seq"]),
                        poller.until(answer["seq"]),
                    )
                    await asyncio.wait_for(news, PATIENCE / 4)
            seen = await client.get(path, headers=bearer(hand.token))
            assert seen.json()["seq"] >= hand.seq


class Copies:
    """Counts the tables of each id that exist in this process."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.made = weakref.WeakSet[LiveTable]()
        real, made = LiveTable.__init__, self.made

        def noted(self: LiveTable, *given: Any, **more: Any) -> None:
            real(self, *given, **more)
            made.add(self)

        patch.setattr(LiveTable, "__init__", noted)

    def count(self) -> Counter[str]:
        """How many there are now. What only a reference cycle keeps does not count."""
        found = Counter(each.id for each in tuple(self.made))
        if max(found.values(), default=0) > 1:
            gc.collect()
            found = Counter(each.id for each in tuple(self.made))
        return found


def test_games_go_on_and_have_one_copy_each_in_a_cache_of_two(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many games at once, in a server that may keep two unused tables."""
    copies, most = Copies(monkeypatch), Counter[str]()

    async def main(port: int) -> list[BaseException | None]:
        chance = random.Random(30)
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=3 * PATIENCE) as client:
            made = [await create(client) for _ in range(GAMES)]
            hands = [Hand(port, table, token, chance) for table, token in made]
            games = [asyncio.create_task(play_with_an_audience(client, hand)) for hand in hands]
            while not all(game.done() for game in games):
                most.update(copies.count() - most)
                await asyncio.sleep(0.05)
            return await asyncio.gather(*games, return_exceptions=True)

    with running(sqlite, cached_tables=CACHE) as server:
        found = asyncio.run(main(server.port))
    frozen = [error for error in found if error is not None]
    assert not frozen, f"{len(frozen)} of {GAMES} games: {frozen[0]!r}"
    assert set(most.values()) == {1}


# --- leases


def talk(table: Table, now: Moment) -> Change:
    return Change().add(table, now, Talked(1, "x"))


def test_what_is_held_stays_and_what_is_not_may_be_dropped(sqlite: str) -> None:
    async def work(home: House) -> None:
        registry, ids = home.registry, [await home.table() for _ in range(5)]
        registry.tables.most = CACHE
        async with AsyncExitStack() as leases:
            held = [await leases.enter_async_context(registry.lease(table)) for table in ids]
            assert [live.id for live in registry.tables] == ids
            async with registry.lease(ids[0]) as again:
                assert again is held[0]
        assert [live.id for live in registry.tables] == ids[1::-1], "the last two that were used"
        assert [live.leases for live in held] == [0] * 5
        with pytest.raises(RuntimeError):
            registry.hold(held[4])
        with pytest.raises(RuntimeError):
            await registry.change(held[4], talk)

    at_home(sqlite, work)


def test_a_lease_ends_with_its_task_however_that_ends(sqlite: str) -> None:
    async def work(home: House) -> None:
        registry, table = home.registry, await home.table()
        home.drop(table)

        async def visit(error: BaseException | None) -> None:
            async with registry.lease(table):
                if error is not None:
                    raise error
                await asyncio.sleep(PATIENCE)

        loading, waiting = asyncio.create_task(visit(None)), asyncio.create_task(visit(None))
        await asyncio.sleep(0)
        loading.cancel()  # it has asked for the table, which both wait for
        while (live := registry.tables.peek(table)) is None:
            await asyncio.sleep(0)
        await asyncio.sleep(0.01)
        assert live.leases == 1
        waiting.cancel()
        await asyncio.gather(loading, waiting, return_exceptions=True)
        with pytest.raises(ValueError, match="wrong"):
            await visit(ValueError("wrong"))
        assert (live.leases, registry.tables.peek(table)) == (0, live)
        with pytest.raises(Refused, match="no such table"):
            async with registry.lease("nosuchtable"):
                pass
        assert "nosuchtable" not in registry.tables

    at_home(sqlite, work)


def test_a_table_that_is_being_stored_is_not_loaded_as_well(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another part of the server may find a new table in the database before its creation has ended."""
    copies = Copies(monkeypatch)

    async def work(home: House) -> None:
        registry, real, asked = home.registry, home.database.write, list[asyncio.Task[int]]()

        async def lease(table: str) -> int:
            async with registry.lease(table) as live:
                return live.table.seq

        async def late(batch: Any) -> None:
            await real(batch)
            asked.extend(asyncio.create_task(lease(live.id)) for live in registry.tables.held.values())
            await asyncio.sleep(0.05)

        monkeypatch.setattr(home.database, "write", late)
        table = await home.table()
        assert await asyncio.gather(*asked) == [1]
        assert copies.count() == {table: 1}

    at_home(sqlite, work)


# --- contents that may be wrong


async def down(_self: Database, _asked: object) -> None:
    raise StorageError("The database is down.")


def test_after_a_failed_write_the_same_place_is_filled_again(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(home: House) -> None:
        table = await home.table()
        async with home.registry.lease(table) as live:
            bell, before = live.bell, live.table
            with monkeypatch.context() as patch:
                patch.setattr(Database, "write", lambda _self, _batch: 1 / 0)
                patch.setattr(Database, "table_row", down)
                with pytest.raises(Refused, match="could not be stored"):
                    await home.registry.change(live, talk)
                for _ in range(2):
                    with pytest.raises(Refused, match="cannot be read"):
                        await home.registry.change(live, talk)
            change = await home.registry.change(live, talk)
            assert [event.number for event in change.events] == [2]
            assert live.table is not before
            assert bell.is_set()
            async with home.registry.lease(table) as same:
                assert same is live

    at_home(sqlite, work)


def test_a_change_whose_task_was_cancelled_is_seen_once_it_is_stored(sqlite: str) -> None:
    async def work(home: House) -> None:
        table = await home.table()
        async with home.registry.lease(table) as live:
            changing = asyncio.create_task(home.registry.change(live, talk))
            await asyncio.sleep(0)
            changing.cancel()
            await asyncio.wait({changing})
            assert changing.cancelled()
            assert [event.number for event in (await home.registry.change(live, talk)).events] == [3]

    at_home(sqlite, work)


def test_a_change_whose_task_was_cancelled_may_fail_and_the_table_is_read_again(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The queue of writes logs the failure. Asyncio must not log it again as an exception that was never retrieved."""
    complaints: list[str] = []

    async def work(home: House) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, about: complaints.append(about["message"]))
        table = await home.table()
        async with home.registry.lease(table) as live:
            for steps in range(1, 6):  # before, while and after the commit fails
                with monkeypatch.context() as patch:
                    patch.setattr(Database, "write", down)
                    changing = asyncio.create_task(home.registry.change(live, talk))
                    for _ in range(steps):
                        await asyncio.sleep(0)
                    changing.cancel()
                    await asyncio.wait({changing})
                    while home.registry.writes.waiting:
                        await asyncio.sleep(0)
                async with asyncio.timeout(PATIENCE / 10):
                    assert [event.number for event in (await home.registry.change(live, talk)).events] == [steps + 1]

    at_home(sqlite, work)
    gc.collect()  # asyncio complains when a future is deleted
    assert complaints == []


def test_a_poll_of_a_table_that_is_gone_or_behind_is_answered_at_once(sqlite: str) -> None:
    async def work(home: House) -> None:
        registry, table = home.registry, await home.table()
        async with registry.lease(table) as live:
            token = new_token()
            await registry.change(live, lambda _table, _now: Change(keys=[Key(2, "seat", digest(token), (1,))]))
            seen = live.table.seq
            ahead = asyncio.create_task(events(registry, live, token, FULL, after=seen + 9, wait=30))
            polls = [asyncio.create_task(events(registry, live, token, FULL, after=seen, wait=30)) for _ in range(2)]
            for _ in range(9):
                await asyncio.sleep(0)
            assert ahead.done(), "a client that knows more than the table, as after a restored backup, waits in vain"
            assert not any(poll.done() for poll in polls)
            registry.vanish(live)
            for poll in polls:
                with pytest.raises(Refused, match="no such table"):
                    await asyncio.wait_for(poll, PATIENCE)

    at_home(sqlite, work)


def test_sockets_and_polls_see_the_moves_after_a_failed_write(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(sqlite) as server:
        ann = server.table(lots=False)
        with server.socket(ann.table, {"token": ann.token}) as live:
            seen = receive(live)
            move = seen["options"]["legal"][0]["move"]
            want = {"type": "move", "id": "m1", "version": seen["version"], "move": move}
            with monkeypatch.context() as patch:
                patch.setattr(Database, "write", lambda _self, _batch: 1 / 0)
                live.send(json.dumps(want))
                assert receive(live, "rejected")["code"] == "storage"
            with ThreadPoolExecutor() as threads:
                poll = threads.submit(server.get, f"{ann.path}/events", ann.token, after=seen["seq"], wait=30)
                live.send(json.dumps(want))
                assert receive(live, "ack")["seq"] == seen["seq"] + 1
                assert poll.result(PATIENCE).json()["seq"] == seen["seq"] + 1
