"""All tables: loaded from their events on demand, changed one step at a time, durable before visible."""

import asyncio
import logging
import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, TypeVar

from cartagena.game.fair_deal import new_secret

from ..metrics import CACHED, CONTESTED, STORED
from ..protocol.errors import Refused
from ..protocol.requests import TableSetup
from ..settings import Settings
from ..storage.database import Conflict, Database, StorageError, Uncertain
from ..storage.rows import Stage, TableRow, TableWrite
from ..storage.write_queue import WriteQueue
from ..tables.clocks import Moment
from ..tables.decide import Change
from ..tables.events import KINDS, Paused
from ..tables.state import Table
from ..tables.tokens import SPECTATOR, Requester, find, new_table_id
from ..tasks import Tasks
from .live_table import LoadedTable, call_safely, ignore, never, weight
from .lobby import Listings, OpenSeats
from .moments import now_ms, wall_ms
from .others import OtherServers
from .persistence import new_stage, replayed, written

log = logging.getLogger("cartagena.tables")
T = TypeVar("T")
RELOAD: Final = 5.0  # seconds before a table is loaded again after a failed write; doubled each time
UNKNOWN: Final = "It is not known whether the change was stored; look again, or repeat it with the same id."
LONGEST_RELOAD: Final = 320.0
TRIES: Final = 10  # tries to decide a change while other servers change the table first
ID: Final = re.compile(r"[a-z0-9]{4,20}")
EVENTS: Final = {kind: STORED.labels(kind) for kind in KINDS}


class TableRegistry:
    """All tables: finds them, identifies requesters and carries out changes."""

    def __init__(self, database: Database, writes: WriteQueue, settings: Settings) -> None:
        self.database = database
        self.writes = writes
        self.settings = settings
        self.grace = int(settings.grace_seconds * 1000)
        self.cache: OrderedDict[str, LoadedTable] = OrderedDict()
        self.loading: dict[str, asyncio.Task[LoadedTable | None]] = {}
        self.after_change: list[Callable[[LoadedTable], None]] = []
        self.on_presence: Callable[[LoadedTable], None] = ignore
        self.on_look: Callable[[LoadedTable], None] = ignore
        self.until_takeover: Callable[[LoadedTable], float | None] = never
        self.tasks = Tasks()
        self.open_seats = OpenSeats()
        self.listings = Listings(settings.lobby_tables)
        self.removing: set[str] = set()
        self.renewals = asyncio.Lock()
        """Held while a token is replaced at all its tables."""
        self.thinking: dict[str, tuple[int, int]] = {}
        """For dropped tables with a running clock: the number of events, and when the chooser began to think."""
        self.sharing: OtherServers | None = None
        """The other servers of the database. None: there are none."""
        self.on_viewers: Callable[[LoadedTable], None] = ignore
        self.offset = 0
        """Milliseconds to add to the clock of this machine, so that all servers have the same time."""
        self.stopping = False

    def now(self) -> Moment:
        """The time, which dates events, and the steady clock."""
        return Moment(wall_ms() + self.offset, now_ms())

    def steady_at(self, at: int) -> int:
        """What the steady clock said at that time, or when the first of the living servers began."""
        wall, steady = self.now()
        return steady - max(0, wall - max(at, self.sharing.since if self.sharing else 0))

    def cares(self, loaded: LoadedTable) -> bool:
        """Whether this server runs the computers and timers of a table."""
        return self.sharing is None or self.sharing.cares(loaded)

    def stand_by(self, loaded: LoadedTable) -> float:
        """Seconds by which the timers of a table are late, because another server cares for it."""
        return 0.0 if self.sharing is None else self.sharing.stand_by(loaded)

    @property
    def knows_who_is_online(self) -> bool:
        """Whether a person who is not online here is known not to be online at another server."""
        return self.sharing is None or self.sharing.hears_all

    def new_table(self, setup: TableSetup) -> Table:
        """A table that is not stored yet."""
        salts = self.settings.salt_seconds if setup.salts is None else setup.salts
        agreed = setup.model_copy(update={"promise": 2, "salts": salts})
        return Table(new_table_id(), self.now().at, agreed, new_secret(), [], self.grace)

    # --- finding

    async def find(self, table_id: str, *, checked: bool = False) -> LoadedTable:
        """Find a table in memory or load it. Refused if there is none.

        In a cluster it is as new as the database; ``checked`` says that it is known to be.
        """
        loaded = self.cache.get(table_id)
        if loaded is None and (table_id in self.removing or not ID.fullmatch(table_id)):
            raise Refused("no-such-table", "There is no such table.")
        try:
            if loaded is None:
                task = self.loading.get(table_id)
                if task is None:
                    task = self.loading[table_id] = self.spawn(self._load(table_id))
                    task.add_done_callback(lambda _: self.loading.pop(table_id, None))
                loaded = await asyncio.shield(task)
            if loaded is not None and self.sharing is not None and not checked:
                await self.sharing.check(loaded)
        except StorageError:
            raise Refused("storage", "The table cannot be read now; try again later.") from None
        if loaded is None:
            raise Refused("no-such-table", "There is no such table.")
        if loaded.gone and self.sharing is not None:
            raise Refused("storage", "The table was reloaded; try again.", retry_after=1)
        if table_id in self.cache:
            self.cache.move_to_end(table_id)
        return loaded

    async def _load(self, table_id: str) -> LoadedTable | None:
        row = await self.database.table_row(table_id)
        if row is None:
            return None
        table = await replayed(self.database, row, self.grace, any_kind=self.sharing is not None)
        seq, since = self.thinking.pop(table_id, (-1, 0))
        table.thinking_since = since if seq == table.seq else self._thinking_since(table)
        if table.stage != row.stage:
            self.spawn(self._restage(table))
        loaded = self.keep(LoadedTable(table))
        self.call_hooks(loaded)
        return loaded

    def _thinking_since(self, table: Table) -> int:
        """When the chooser of a loaded table began to think, not counting the time in which no server ran."""
        if self.sharing is None:
            return now_ms()
        return self.steady_at(next((event.at for event in reversed(table.events) if event.restarts_thinking), 0))

    def call_hooks(self, loaded: LoadedTable) -> None:
        """Call the background parts after a change. An error in one of them does not reach the others."""
        for hook in self.after_change:
            call_safely(hook, loaded)

    async def wake(self) -> None:
        """After a restart, load the games in which a computer player must move or a clock runs."""
        try:
            sleeping = await self.database.to_wake()
        except StorageError as error:
            log.warning("running games could not be loaded", extra={"why": str(error)})
            return
        for table_id in sleeping:
            try:
                await self.find(table_id)
            except Refused as error:
                log.warning("a running game could not be loaded", extra={"table": table_id, "why": str(error)})
            except Exception:
                log.exception("a running game could not be loaded", extra={"table": table_id})
            await asyncio.sleep(0)

    def keep(self, loaded: LoadedTable) -> LoadedTable:
        """Keep a table in memory and drop idle ones beyond the limit."""
        self.cache[loaded.table.id] = loaded
        loaded.on_presence, loaded.on_look, loaded.on_viewers = self.on_presence, self.on_look, self.on_viewers
        loaded.updates.until_takeover = partial(self.until_takeover, loaded)
        excess = sum(map(weight, self.cache.values())) - self.settings.cached_tables
        for key, item in list(self.cache.items()) if excess > 0 else ():
            if excess > 0 and item.idle and item is not loaded:
                excess -= weight(item)
                self._keep_thinking(self.cache.pop(key).table)
        CACHED.set(len(self.cache))
        return loaded

    def _keep_thinking(self, table: Table) -> None:
        """Remember since when the chooser of a table that is dropped has been thinking."""
        if table.clocks.runs:
            self.thinking[table.id] = (table.seq, table.thinking_since)

    async def lobby_rows(self, limit: int) -> list[TableRow]:
        """The rows of the listed tables."""
        try:
            rows = await self.database.lobby(limit)
            if self.sharing is not None:
                await self.sharing.check_all([row.id for row in rows])
        except StorageError:
            raise Refused("storage", "The lobby cannot be read now; try again later.") from None
        return rows

    async def tables_of(self, digest: str) -> list[str]:
        """Ids of the tables where the token of that digest holds seats."""
        try:
            return await self.database.tables_of(digest)
        except StorageError:
            raise Refused("storage", "The tables cannot be read now; try again later.") from None

    def who(self, table: Table, token: str | None, *, watching: bool = True) -> Requester:
        """The holder of a token, or without one a spectator if the table allows them."""
        if token:
            key = find(table.keys, token, "seat")
            if key is None:
                raise Refused("not-seated", "That token holds no seat at this table.")
            return table.holder(key)
        if not watching or table.setup.spectators == "none":
            raise Refused("not-seated", "Only seated players can see this table.")
        return SPECTATOR

    # --- changing

    async def change(
        self,
        loaded: LoadedTable,
        decide: Callable[[Table, Moment], Change],
        then: Callable[[Change], None] | None = None,
    ) -> Change:
        """Decide and carry out a change, one at a time at each table.

        ``then`` is called when the change is durable, before any update is sent.
        """
        if self.stopping:
            raise Refused("stopping", "The server is stopping; try again in a moment.", retry_after=3)
        async with loaded.lock:
            for _ in range(TRIES):
                if loaded.gone:
                    raise Refused("storage", "The table was reloaded; try again.", retry_after=1)
                try:
                    change = decide(loaded.table, self.now())
                except Refused:
                    if await self._has_read_on(loaded):
                        continue
                    raise
                if not (change.events or change.keys or change.revoked) or await self._store(loaded, change, then):
                    return change
        raise Refused("storage", "Others change the table at the same time; try again.", retry_after=1)

    async def _has_read_on(self, loaded: LoadedTable) -> bool:
        """Read what other servers have written. Returns whether there was anything, and so whether to decide again."""
        if self.sharing is None:
            return False
        try:
            return await self.sharing.catch_up(loaded)
        except StorageError:
            raise Refused("storage", "The table cannot be read now; try again later.") from None

    async def _store(self, loaded: LoadedTable, change: Change, then: Callable[[Change], None] | None) -> bool:
        """Store a change. Returns False if another server was first: what it wrote is applied, and nothing else."""
        table = loaded.table
        if any(event.limited and event.number > self.settings.table_events for event in change.events):
            raise Refused("limit", "This table has reached its limit of events; set up another one.")
        try:
            await self.writes.write(written(table, change, stage=new_stage(table, change)))
        except Uncertain:
            self.reload_later(loaded)
            raise Refused("unknown", UNKNOWN) from None
        except StorageError as error:
            if self.sharing is not None and isinstance(error, Conflict):
                CONTESTED.inc()
                await self._has_read_on(loaded)
                return False
            self.reload_later(loaded)
            raise Refused("storage", "The change could not be stored; try again later.") from None
        except asyncio.CancelledError:
            self.reload_later(loaded)  # the write continues after cancellation
            raise
        before = table.stage
        self._apply(loaded, change, then)
        if table.stage == "over" and before != "over":
            self.spawn(self._restage(table))
        return True

    def _apply(self, loaded: LoadedTable, change: Change, then: Callable[[Change], None] | None = None) -> None:
        table = loaded.table
        table.keys += change.keys
        for number in change.revoked:
            table.keys[number - 1].revoked = True
        for event in change.events:
            table.apply(event)
            EVENTS[event.kind].inc()
            if event.restarts_thinking:
                table.thinking_since = change.steady
        if then is not None:
            then(change)
        if self.sharing is not None:
            self.sharing.told(loaded)
        self.tell(loaded)

    def tell(self, loaded: LoadedTable) -> None:
        """Wake the subscribers of a changed table, and call the background parts."""
        loaded.ring()
        self.call_hooks(loaded)

    async def mark(self, table_id: str, at: int | None) -> None:
        """Mark a table for removal, or take the mark away."""
        await self.writes.write(TableWrite(table_id, mark=at or 0))

    async def remove(self, table_id: str) -> bool:
        """Remove a table from the database unless it is in memory. Returns whether it was removed."""
        if table_id in self.cache or table_id in self.loading:
            return False
        self.removing.add(table_id)
        try:
            await self.writes.write(TableWrite(table_id, removed=True))
        finally:
            self.removing.discard(table_id)
        return True

    def drop(self, loaded: LoadedTable) -> None:
        """Drop a table from memory, because it may differ from the database."""
        if loaded.gone:
            return
        loaded.gone = True
        self._keep_thinking(loaded.table)
        if self.cache.get(loaded.table.id) is loaded:
            del self.cache[loaded.table.id]
            CACHED.set(len(self.cache))
        self.tell(loaded)

    def reload_all(self) -> None:
        """Drop all tables, since another server may have changed them, and load them again."""
        for loaded in list(self.cache.values()):
            self.reload_later(loaded)

    def keep_all(self) -> None:
        """Keep all tables although other servers may have changed them; the next change reads their events first."""
        self.writes.forget_fault()

    def reload_later(self, loaded: LoadedTable) -> None:
        """Drop a table and load it again after a while, so that its computer players and clocks go on."""
        self.drop(loaded)
        self._schedule_reload(loaded.table.id, RELOAD)

    def _schedule_reload(self, table_id: str, delay: float) -> None:
        asyncio.get_running_loop().call_later(delay, lambda: self.spawn(self._reload(table_id, delay)))

    async def _reload(self, table_id: str, waited: float) -> None:
        """Load a table. If it cannot be read, try again later."""
        try:
            if not self.stopping:
                await self.find(table_id)
        except Refused as error:
            if error.code == "storage":
                self._schedule_reload(table_id, min(2 * waited, LONGEST_RELOAD))

    async def create(self, table: Table, change: Change) -> LoadedTable:
        """Store a new table with its first events."""
        if self.stopping:
            raise Refused("stopping", "The server is stopping; try again in a moment.", retry_after=3)
        stage, wake, touched = new_stage(table, change) or ("waiting", False, table.created)
        setup = table.setup.model_dump_json()
        row = TableRow(table.id, table.created, touched, stage, table.setup.lobby, wake, setup, table.secret)
        try:
            await asyncio.shield(self.writes.write(written(table, change, row)))
        except Uncertain:
            raise Refused("unknown", UNKNOWN) from None
        except StorageError:
            raise Refused("storage", "The table could not be stored; try again later.") from None
        loaded = self.keep(LoadedTable(table))
        self._apply(loaded, change)
        return loaded

    async def _restage(self, table: Table) -> None:
        """Correct the stage in the table's row."""
        await self.writes.write(TableWrite(table.id, stage=Stage(table.stage, table.stage == "playing", wall_ms())))

    def spawn(self, work: Awaitable[T]) -> "asyncio.Task[T]":
        """Run a task to its end even if its caller is cancelled."""
        return self.tasks.spawn(work)

    def begin_to_stop(self) -> None:
        """Refuse new changes and close sockets with 1012 so that clients reconnect."""
        self.stopping = True
        for loaded in self.cache.values():
            loaded.ring()

    async def stop(self) -> None:
        """Let the changes in progress finish; cancel what takes longer than the settings allow."""
        self.begin_to_stop()
        await self.tasks.finish(self.settings.stop_seconds)
        await self._pause_clocks()

    async def _pause_clocks(self) -> None:
        """Store how long the choosers have been thinking, so that a restart gives no time back."""
        now, paused = self.now(), []
        for loaded in self.cache.values():
            thought = 0 if loaded.lock.locked() else loaded.table.thinking(now.steady)
            if thought:
                paused.append(written(loaded.table, Change().add(loaded.table, now, Paused(thought))))
        found = await asyncio.gather(*map(self.writes.write, paused), return_exceptions=True)
        for error in found:
            if error is not None:
                log.warning("a clock was not stored", extra={"why": str(error)})
