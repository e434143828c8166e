"""The hall: all tables. It loads them from their events on demand, lets one change happen at a time at each, makes it
durable first, and only then shows it to anybody.
"""

import asyncio
import re
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

from . import events as ev
from .events import SPECTATOR, Who
from .metrics import CACHED, EVENTS
from .referee import Change
from .refusal import Refused
from .settings import Settings
from .store import Row, Store, StoreError
from .table import Table
from .telling import Teller
from .tokens import find
from .wire import TableSetup
from .writer import Writer

T = TypeVar("T")
ID: Final = re.compile(r"[a-z0-9]{4,20}")


def now_ms() -> int:
    return time.time_ns() // 1_000_000


class Seated:
    """A table in memory, with who watches it. ``bell`` rings at every change and is then replaced by a new one."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.teller = Teller(table)
        self.lock = asyncio.Lock()
        self.rematch_lock = asyncio.Lock()
        self.bell = asyncio.Event()
        self.watchers = 0
        self.gone = False
        self.connections: Counter[int] = Counter()

    def ring(self) -> None:
        """Wake everybody who waits for news."""
        old, self.bell = self.bell, asyncio.Event()
        old.set()

    def come(self, who: Who) -> None:
        """Somebody watches."""
        self.watchers += 1
        self.connections.update(who.chairs)
        self._show_online()

    def go(self, who: Who) -> None:
        """Somebody stops watching."""
        self.watchers -= 1
        self.connections.subtract(who.chairs)
        self._show_online()

    def _show_online(self) -> None:
        online = frozenset(chair for chair, number in self.connections.items() if number > 0)
        if online != self.teller.online:
            self.teller.online = online
            self.ring()

    @property
    def idle(self) -> bool:
        return self.watchers == 0 and not self.lock.locked()


class Hall:
    """Finds tables, says who somebody is, and carries changes out."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.writer = Writer(store, settings.batch_moves)
        self.started = now_ms()
        self.cache: OrderedDict[str, Seated] = OrderedDict()
        self.loading: dict[str, asyncio.Task[Seated | None]] = {}
        self.after_change: list[Callable[[Seated], None]] = []
        self.tasks: set[asyncio.Task[Any]] = set()
        self.stopping = False

    # --- finding

    async def find(self, table_id: str) -> Seated:
        """The table, from memory or replayed from its events."""
        seated = self.cache.get(table_id)
        if seated is None and not ID.fullmatch(table_id):
            raise Refused("no-such-table", "There is no such table.")
        if seated is None:
            task = self.loading.get(table_id)
            if task is None:
                task = self.loading[table_id] = asyncio.create_task(self._load(table_id))
                task.add_done_callback(lambda _: self.loading.pop(table_id, None))
            try:
                seated = await asyncio.shield(task)
            except StoreError:
                raise Refused("storage", "The table cannot be read now; try again later.") from None
        if seated is None:
            raise Refused("no-such-table", "There is no such table.")
        if table_id in self.cache:
            self.cache.move_to_end(table_id)
        return seated

    async def _load(self, table_id: str) -> Seated | None:
        row = await self.store.table_row(table_id)
        if row is None:
            return None
        keys, events = await self.store.table_keys(table_id), await self.store.table_events(table_id)
        setup = TableSetup.model_validate_json(row.setup)
        grace = int(self.settings.grace_seconds * 1000)
        table = Table(row.id, row.created, setup, row.secret, keys, grace, events)
        table.thinking_since = max(table.thinking_since, self.started)
        if table.stage != row.stage:
            self.spawn(self._restage(table))
        seated = self.keep(Seated(table))
        for hook in self.after_change:
            hook(seated)
        return seated

    def keep(self, seated: Seated) -> Seated:
        """Hold a table in memory, and let go of those that nobody needs when there are too many."""
        self.cache[seated.table.id] = seated
        excess = len(self.cache) - self.settings.cached_tables
        if excess > 0:
            idle = [key for key, item in self.cache.items() if item.idle and item is not seated][:excess]
            for key in idle:
                del self.cache[key]
        CACHED.set(len(self.cache))
        return seated

    async def lobby_rows(self, limit: int) -> list[Row]:
        """The tables that are listed."""
        try:
            return await self.store.lobby(limit)
        except StoreError:
            raise Refused("storage", "The lobby cannot be read now; try again later.") from None

    def who(self, table: Table, token: str | None, *, watching: bool = True) -> Who:
        """Who holds that token. Without one: a spectator, where the table allows them."""
        if token:
            key = find(table.keys, token, "seat")
            if key is None:
                raise Refused("not-seated", "That token holds no seat at this table.")
            return table.who(key)
        if not watching or table.setup.spectators == "none":
            raise Refused("not-seated", "Only who sits at this table may see it.")
        return SPECTATOR

    # --- changing

    async def change(self, seated: Seated, decide: Callable[[Table, int], Change]) -> Change:
        """Decide and carry out, one at a time at each table. A caller that goes away does not stop it halfway."""
        if self.stopping:
            raise Refused("stopping", "The server is stopping; try again in a moment.", retry_after=3)
        return await asyncio.shield(self.spawn(self._change(seated, decide)))

    async def _change(self, seated: Seated, decide: Callable[[Table, int], Change]) -> Change:
        async with seated.lock:
            if seated.gone:
                raise Refused("storage", "The table was read anew; try again.", retry_after=1)
            change = decide(seated.table, now_ms())
            if change.events or change.keys or change.revoked:
                await self._store(seated, change)
            return change

    async def _store(self, seated: Seated, change: Change) -> None:
        table = seated.table
        if table.seq + len(change.events) > self.settings.table_events:
            raise Refused("full", "This table has seen too many events; set up another one.")
        try:
            await self.writer.write(table.id, change, stage=new_stage(table, change))
        except StoreError:
            self._forget(seated)
            raise Refused("storage", "This could not be stored, so nothing has changed; try again later.") from None
        before = table.stage
        self._apply(seated, change)
        if table.stage == "over" and before != "over":
            self.spawn(self._restage(table))

    def _apply(self, seated: Seated, change: Change) -> None:
        table = seated.table
        table.keys += change.keys
        for key in table.keys:
            key.revoked = key.revoked or key.number in change.revoked
        for event in change.events:
            table.apply(event)
            EVENTS.labels(event.kind).inc()
        seated.ring()
        for hook in self.after_change:
            hook(seated)

    def _forget(self, seated: Seated) -> None:
        """What is on disk is not certain any more: read it anew when it is needed."""
        seated.gone = True
        if self.cache.get(seated.table.id) is seated:
            del self.cache[seated.table.id]
        seated.ring()

    async def create(self, table: Table, change: Change) -> Seated:
        """Store a new table with its first events and show it."""
        if self.stopping:
            raise Refused("stopping", "The server is stopping; try again in a moment.", retry_after=3)
        stage, wake, touched = new_stage(table, change) or ("waiting", False, table.created)
        setup = table.setup.model_dump_json()
        row = Row(table.id, table.created, touched, stage, table.setup.lobby, wake, setup, table.secret)
        try:
            await asyncio.shield(self.writer.write(table.id, change, row))
        except StoreError:
            raise Refused("storage", "The table could not be stored; try again later.") from None
        seated = self.keep(Seated(table))
        self._apply(seated, change)
        return seated

    async def _restage(self, table: Table) -> None:
        """Bring the index of stages up to what the events say."""
        await self.writer.write(table.id, Change(), stage=(table.stage, table.stage == "playing", now_ms()))

    def spawn(self, work: Awaitable[T]) -> "asyncio.Task[T]":
        """Run something to its end whoever waits for it."""
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: "asyncio.Task[Any]") -> None:
        self.tasks.discard(task)
        if not task.cancelled():
            task.exception()  # whoever waits has it; nobody need be warned twice

    def begin_to_stop(self) -> None:
        """Take nothing new, and tell everybody who watches to come back later."""
        self.stopping = True
        for seated in self.cache.values():
            seated.ring()

    async def stop(self) -> None:
        """Let what is under way finish and write everything."""
        self.begin_to_stop()
        if self.tasks:
            await asyncio.wait(set(self.tasks), timeout=self.settings.stop_seconds)
        await self.writer.stop()


def new_stage(table: Table, change: Change) -> tuple[str, bool, int] | None:
    """The row's new stage where this change sets one: the deal starts the game, and a computer needs waking."""
    for event in change.events:
        if event.kind == ev.DEAL:
            wake = table.setup.clock.kind != "none" or any(chair.kind == "computer" for chair in table.chairs)
            return "playing", wake, event.at
        if event.kind in (ev.AWAY, ev.RESIGN):
            return "playing", True, event.at
    return None
