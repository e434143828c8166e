"""All tables: loaded from their events on demand, changed one step at a time, durable before visible."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final, TypeVar

from cartagena.game.fair_deal import new_secret

from ..metrics import CONTESTED, STORED
from ..protocol.errors import Refused
from ..protocol.requests import NoClock, TableSetup
from ..settings import Settings, split_list
from ..storage.database import Conflict, Database, StorageError, Uncertain
from ..storage.rows import Stage, TableRow, TableWrite
from ..storage.write_queue import WriteQueue
from ..tables.clocks import Moment
from ..tables.decide import Change
from ..tables.events import KINDS, Paused
from ..tables.state import Table
from ..tables.tokens import SPECTATOR, Requester, find, new_table_id
from ..tasks import Tasks
from .lease import Lease, TablesInMemory
from .live_table import LiveTable, Observers, OtherServers, now_ms, wall_ms
from .lobby import Listings, OpenSeats
from .persistence import new_stage, replayed, written

log = logging.getLogger("cartagena.tables")
T = TypeVar("T")
RELOAD: Final = 1.0  # seconds before a table is read again after a failed write; doubled each time it fails again
LONGEST_RELOAD: Final = 320.0
TRIES: Final = 10  # tries to decide a change while other servers change the table first
ID: Final = re.compile(r"[a-z0-9]{4,20}")
EVENTS: Final = {kind: STORED.labels(kind) for kind in KINDS}


def no_such_table() -> Refused:
    return Refused("no-such-table", "There is no such table.")


def unreadable() -> Refused:
    return Refused("storage", "The table cannot be read now; try again later.")


def unknown() -> Refused:
    return Refused(
        "unknown", "It is not known whether the change was stored; look again, or repeat it with the same id."
    )


def stopping() -> Refused:
    return Refused("stopping", "The server is stopping; try again in a moment.", retry_after=3)


class TableRegistry:
    """All tables: leases them, identifies requesters and carries out changes."""

    def __init__(self, database: Database, writes: WriteQueue, settings: Settings) -> None:
        self.database = database
        self.writes = writes
        self.settings = settings
        self.levels = split_list(settings.levels)
        self.grace = int(settings.grace_seconds * 1000)
        self.observers = Observers()
        self.tables = TablesInMemory(
            settings.cached_tables, lambda table_id: LiveTable(table_id, self.observers), self._remember_thinking
        )
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

    def cares(self, live: LiveTable) -> bool:
        """Whether this server runs the computers and timers of a table."""
        return self.sharing is None or self.sharing.cares(live)

    def stand_by(self, live: LiveTable) -> float:
        """Seconds by which the timers of a table are late, because another server cares for it."""
        return 0.0 if self.sharing is None else self.sharing.stand_by(live)

    def level_for(self, table: Table) -> str | None:
        """The computer player that replaces a person: the one that the table chose, or the weakest on offer."""
        return table.setup.replace or (self.levels[0] if self.levels else None)

    def until_takeover(self, live: LiveTable) -> float | None:
        """Seconds until the computer replaces an absent person for whom another one waits; None while no time runs."""
        table = live.table
        if table.chooser == 0 or table.chooser_is_computer or table.setup.clock.kind != "none":
            return None
        if self.sharing is not None and not self.sharing.hears_all:
            return None  # the person may be online at another server
        chair, online = table.order[table.chooser - 1], live.updates.online
        patience = self.settings.absent_seconds if table.setup.absence is None else table.setup.absence
        if not online or chair in online or patience <= 0 or self.level_for(table) is None:
            return None
        return patience - live.away_for(chair)

    def new_table(self, setup: TableSetup) -> Table:
        """A table that is not stored yet."""
        salts = self.settings.salt_seconds if setup.salts is None else setup.salts
        clock = setup.clock if isinstance(setup.clock, NoClock) else setup.clock.model_copy(update={"form": 2})
        agreed = setup.model_copy(update={"promise": 2, "salts": salts, "clock": clock})
        return Table(new_table_id(), self.now().at, agreed, new_secret(), [], self.grace)

    # --- holding

    @asynccontextmanager
    async def lease(self, table_id: str, *, checked: bool = False) -> AsyncIterator[LiveTable]:
        """Hold a table in memory, loaded if it was not there. Refused if there is none.

        In a cluster it is as new as the database; ``checked`` says that it is known to be.
        """
        if table_id in self.removing or not ID.fullmatch(table_id):
            raise no_such_table()
        with self.tables.lease(table_id) as live:
            await self.check(live, checked=checked)
            yield live

    def hold(self, live: LiveTable) -> Lease:
        """A further lease of a table that is held, for a part that goes on with it by itself."""
        return self.tables.hold(live)

    async def check(self, live: LiveTable, *, checked: bool = False) -> None:
        """Make sure that a table has contents, and in a cluster that they are as new as the database. As ``lease``."""
        try:
            await self._filled(live)
            if self.sharing is not None and not checked:
                await self.sharing.check(live)
        except StorageError:
            raise unreadable() from None
        if live.is_gone:
            raise no_such_table()

    async def _filled(self, live: LiveTable) -> None:
        """Read the contents of a table if they are missing or stale. All who wait for them share one reading."""
        if live.is_stale and not live.is_gone:
            if live.filling is None:
                live.filling = self.spawn(self._fill(self.hold(live)))
            await asyncio.shield(live.filling)

    async def _fill(self, lease: Lease) -> None:
        with lease as live:
            try:
                async with live.lock:
                    if live.is_stale:  # a table that is being created has contents by now
                        await self._read(live)
            finally:
                live.filling = None

    async def _read(self, live: LiveTable) -> None:
        """Replace the contents of a table by what is stored. The caller holds the lock."""
        if live.writing is not None:
            await asyncio.wait({live.writing})
            live.writing = None
        row = await self.database.table_row(live.id)
        if row is None:
            self.vanish(live)
            return
        table = await replayed(self.database, row, self.grace, any_kind=self.sharing is not None)
        if live.is_filled:
            self._remember_thinking(live)
        seq, since = self.thinking.pop(live.id, (-1, 0))
        table.thinking_since = since if seq == table.seq else self._thinking_since(table)
        if table.stage != row.stage:
            self.spawn(self._restage(table))
        live.fill(table, self.until_takeover)
        self.tell(live)

    def _thinking_since(self, table: Table) -> int:
        """When the chooser of a loaded table began to think, not counting the time in which no server ran."""
        if self.sharing is None:
            return now_ms()
        return self.steady_at(next((event.at for event in reversed(table.events) if event.restarts_thinking), 0))

    def _remember_thinking(self, live: LiveTable) -> None:
        """Remember since when the chooser of a table that is dropped or read again has been thinking.

        Servers of a cluster know it from the time of the events, which their clocks agree about.
        """
        if live.table.clocks.runs and self.sharing is None:
            self.thinking[live.id] = (live.table.seq, live.table.thinking_since)

    async def wake(self) -> None:
        """After a restart, load the games in which a computer player must move or a clock runs."""
        try:
            sleeping = await self.database.to_wake()
        except StorageError as error:
            log.warning("running games could not be loaded", extra={"why": str(error)})
            return
        for table_id in sleeping:
            try:
                async with self.lease(table_id):
                    pass  # the observers hold it from now on
            except Refused as error:
                log.warning("a running game could not be loaded", extra={"table": table_id, "why": str(error)})
            except Exception:
                log.exception("a running game could not be loaded", extra={"table": table_id})
            await asyncio.sleep(0)

    # --- contents that may be wrong

    def read_again(self, live: LiveTable) -> None:
        """Refuse changes of a table until its contents were read again: by the next request, or soon by itself."""
        if live.is_stale or live.is_gone:
            return
        live.is_stale = True
        delay = min(RELOAD * 2**live.failures, LONGEST_RELOAD)
        live.failures += 1
        self._schedule_reading(self.hold(live), delay)

    def _schedule_reading(self, lease: Lease, delay: float) -> None:
        asyncio.get_running_loop().call_later(delay, lambda: self.spawn(self._read_soon(lease, delay)))

    async def _read_soon(self, lease: Lease, waited: float) -> None:
        """Read the contents of a table that is held for it. If that is not possible, try again later."""
        try:
            if not self.stopping:
                await self._filled(lease.live)
        except StorageError:
            self._schedule_reading(lease, min(2 * waited, LONGEST_RELOAD))
        except BaseException:
            lease.release()
            raise
        else:
            lease.release()

    def read_all_again(self) -> None:
        """Read all tables again, since another server may have changed them."""
        for live in self.tables:
            if live.leases:
                self.read_again(live)
            else:
                self.tables.forget(live)

    def keep_all(self) -> None:
        """Keep all tables although other servers may have changed them; the next change reads their events first."""
        self.writes.forget_fault()

    def vanish(self, live: LiveTable) -> None:
        """Note that a table was removed from the database. Its subscribers are sent away, and no lease is given."""
        if live.is_gone:
            return
        live.is_gone = True
        if live.is_filled:
            self.tell(live)
        self.tables.forget(live)
        self.thinking.pop(live.id, None)

    # --- looking

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
        live: LiveTable,
        decide: Callable[[Table, Moment], Change],
        then: Callable[[Change], None] | None = None,
    ) -> Change:
        """Decide and carry out a change of a table that the caller holds, one at a time at each table.

        ``then`` is called when the change is durable, before any update is sent.
        """
        if self.stopping:
            raise stopping()
        if not live.leases:
            raise RuntimeError("A table is changed without a lease.")
        if live.is_stale:
            await self.check(live, checked=True)
        async with live.lock:
            for _ in range(TRIES):
                if live.is_gone:
                    raise no_such_table()
                if live.is_stale:
                    raise Refused("storage", "The table is being read again; try again.", retry_after=1)
                try:
                    change = decide(live.table, self.now())
                except Refused:
                    if await self._has_read_on(live):
                        continue
                    raise
                if not (change.events or change.keys or change.revoked) or await self._store(live, change, then):
                    return change
        raise Refused("storage", "Others change the table at the same time; try again.", retry_after=1)

    async def _has_read_on(self, live: LiveTable) -> bool:
        """Read what other servers have written. Returns whether there was anything, and so whether to decide again."""
        if self.sharing is None:
            return False
        try:
            return await self.sharing.catch_up(live)
        except StorageError:
            raise unreadable() from None

    async def _store(self, live: LiveTable, change: Change, then: Callable[[Change], None] | None) -> bool:
        """Store a change. Returns False if another server was first: what it wrote is applied, and nothing else."""
        table = live.table
        if any(event.limited and event.number > self.settings.table_events for event in change.events):
            raise Refused("limit", "This table has reached its limit of events; set up another one.")
        writing = self.writes.put(written(table, change, stage=new_stage(table, change)))
        try:
            await asyncio.shield(writing)
        except Uncertain:
            self.read_again(live)
            raise unknown() from None
        except StorageError as error:
            if self.sharing is not None and isinstance(error, Conflict):
                CONTESTED.inc()
                await self._has_read_on(live)
                return False
            self.read_again(live)
            raise Refused("storage", "The change could not be stored; try again later.") from None
        except asyncio.CancelledError:
            live.writing = writing  # it continues after the cancellation
            self.read_again(live)
            raise
        live.failures = 0
        before = table.stage
        self._apply(live, change, then)
        if table.stage == "over" and before != "over":
            self.spawn(self._restage(table))
        return True

    def _apply(self, live: LiveTable, change: Change, then: Callable[[Change], None] | None = None) -> None:
        table = live.table
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
        self.observers.written(live)
        self.tell(live)

    def tell(self, live: LiveTable) -> None:
        """Wake the subscribers of a changed table, and tell the observers."""
        live.ring()
        self.observers.changed(live)

    async def create(self, table: Table, change: Change) -> None:
        """Store a new table with its first events. A lease that is asked for meanwhile waits until it is stored."""
        if self.stopping:
            raise stopping()
        stage, wake, touched = new_stage(table, change) or ("waiting", False, table.created)
        setup = table.setup.model_dump_json()
        row = TableRow(table.id, table.created, touched, stage, table.setup.lobby, wake, setup, table.secret)
        with self.tables.lease(table.id) as live:
            async with live.lock:
                try:
                    await self.writes.write(written(table, change, row))
                except Uncertain:
                    raise unknown() from None
                except StorageError:
                    raise Refused("storage", "The table could not be stored; try again later.") from None
                live.fill(table, self.until_takeover)
                self._apply(live, change)

    async def mark(self, table_id: str, at: int | None) -> None:
        """Mark a table for removal, or take the mark away."""
        await self.writes.write(TableWrite(table_id, mark=at or 0))

    async def remove(self, table_id: str, *, unless_in_memory: bool = True) -> bool:
        """Remove a table from the database, by default unless it is in memory. Returns whether it was removed."""
        if unless_in_memory and table_id in self.tables:
            return False
        live = self.tables.peek(table_id)
        if live is not None:
            self.vanish(live)
        self.removing.add(table_id)
        try:
            await self.writes.write(TableWrite(table_id, removed=True))
        finally:
            self.removing.discard(table_id)
        self.thinking.pop(table_id, None)
        return True

    async def _restage(self, table: Table) -> None:
        """Correct the stage in the table's row."""
        await self.writes.write(TableWrite(table.id, stage=Stage(table.stage, table.stage == "playing", wall_ms())))

    # --- running and stopping

    def spawn(self, work: Awaitable[T]) -> "asyncio.Task[T]":
        """Run a task to its end even if its caller is cancelled."""
        return self.tasks.spawn(work)

    def begin_to_stop(self) -> None:
        """Refuse new changes and close sockets with 1012 so that clients reconnect."""
        self.stopping = True
        for live in self.tables:
            live.ring()

    async def stop(self) -> None:
        """Let the changes in progress finish; cancel what takes longer than the settings allow."""
        self.begin_to_stop()
        await self.tasks.finish(self.settings.stop_seconds)
        await self._pause_clocks()

    async def _pause_clocks(self) -> None:
        """Store how long the choosers have been thinking, so that a restart gives no time back."""
        now, paused = self.now(), []
        for live in self.tables:
            thought = 0 if live.lock.locked() or live.is_stale else live.table.thinking(now.steady)
            if thought:
                paused.append(written(live.table, Change().add(live.table, now, Paused(thought))))
        found = await asyncio.gather(*map(self.writes.write, paused), return_exceptions=True)
        for error in found:
            if error is not None:
                log.warning("a clock was not stored", extra={"why": str(error)})
