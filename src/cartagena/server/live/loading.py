"""Tables and the database: which are in memory, how they are loaded, read again and checked."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import Final, TypeVar

from ..protocol.errors import Refused
from ..protocol.requests import stored_setup
from ..settings import Settings, split_list
from ..storage.backup import find_damage
from ..storage.database import Database, StorageError
from ..storage.rows import EventRow, Stage, TableRow, TableWrite
from ..storage.write_queue import WriteQueue
from ..tables.by_post import stage_of
from ..tables.clocks import Moment
from ..tables.events import read_any_event, read_event
from ..tables.state import Table
from ..tasks import Tasks
from .lease import Lease, TablesInMemory
from .live_table import LiveTable, Observers, OtherServers, now_ms, wall_ms

log = logging.getLogger("cartagena.tables")
T = TypeVar("T")
SLICE: Final = 50  # events that are replayed at once
RELOAD: Final = 1.0  # seconds before a table is read again after a failed write; doubled each time it fails again
LONGEST_RELOAD: Final = 320.0
ID: Final = re.compile(r"[a-z0-9]{4,20}")


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


class LoadedTables:
    """All tables of the database: leased to their users, loaded on demand, and read again where they may be wrong."""

    def __init__(self, database: Database, writes: WriteQueue, settings: Settings) -> None:
        self.database = database
        self.writes = writes
        self.settings = settings
        self.levels = split_list(settings.levels)
        self.grace = int(settings.grace_seconds * 1000)
        self.patience = int(settings.notify_seconds * 1000)
        self.observers = Observers()
        self.tables = TablesInMemory(
            settings.cached_tables, lambda table_id: LiveTable(table_id, self.observers), self._remember_thinking
        )
        self.tasks = Tasks()
        self.removing: set[str] = set()
        self.thinking: dict[str, tuple[int, int]] = {}
        """For dropped tables with a running clock: the number of events, and when the chooser began to think."""
        self.sharing: OtherServers | None = None
        """The other servers of the database. None: there are none."""
        self.offset: int | None = None
        """Milliseconds to add to the steady clock, so that all servers have the database's time whatever happens to
        the clocks of their machines. None: a sole server uses the clock of its machine."""
        self.earliest = 0
        """When days by post may run out at the earliest, after a stop of all servers."""
        self.stopping = False

    def now(self) -> Moment:
        """The time, which dates events, and the steady clock."""
        steady = now_ms()
        return Moment(wall_ms() if self.offset is None else steady + self.offset, steady)

    def steady_at(self, at: int) -> int:
        """What the steady clock said at that time, or when the first of the living servers began."""
        wall, steady = self.now()
        return steady - max(0, wall - max(at, self.sharing.since if self.sharing else 0))

    def cares(self, live: LiveTable) -> bool:
        """Whether this server runs the computers and timers of a table."""
        return self.sharing is None or self.sharing.cares(live)

    def stand_by(self, live: LiveTable) -> float:
        """Delay before this server runs a timer of a table that another server looks after, in seconds."""
        return 0.0 if self.sharing is None else self.sharing.stand_by(live)

    def level_for(self, table: Table) -> str | None:
        """The computer player that replaces a person: the one that the table chose, or the weakest on offer."""
        return table.setup.replace or (self.levels[0] if self.levels else None)

    def until_takeover(self, live: LiveTable) -> float | None:
        """Seconds until the computer replaces an absent person for whom another one waits; None while no time runs."""
        table, online = live.table, live.updates.online
        seat = table.chooser
        if seat == 0 or not online or (chair := table.order[seat - 1]) in online:
            return None
        if table.setup.clock.kind != "none" or table.chair(seat).by_computer:
            return None
        if self.sharing is not None and not self.sharing.hears_all:
            return None  # the person may be online at another server
        patience = self.settings.absent_seconds if table.setup.absence is None else table.setup.absence
        if patience <= 0 or self.level_for(table) is None:
            return None
        return patience - live.away_for(chair)

    def until_due(self, live: LiveTable) -> int | None:
        """Until when the person who must choose at a table by post may choose, in ms since 1970."""
        due = live.table.deadline.due if live.table.deadline else None
        return None if due is None else max(due, self.earliest)

    def spawn(self, work: Awaitable[T]) -> "asyncio.Task[T]":
        """Run a task to its end even if its caller is cancelled."""
        return self.tasks.spawn(work)

    def tell(self, live: LiveTable) -> None:
        """Wake the subscribers of a changed table, and tell the observers."""
        live.ring()
        self.observers.changed(live)

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
            await live.writing.wait()
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
        live.fill(table, self.until_takeover, self.until_due)
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
            await self.load(table_id)
            await asyncio.sleep(0)

    async def load(self, table_id: str, *, checked: bool = False) -> bool:
        """Load a game; the observers hold it if it waits for one of them. Returns whether it could be read."""
        try:
            async with self.lease(table_id, checked=checked):
                return True
        except Refused as error:
            log.warning("a running game could not be loaded", extra={"table": table_id, "why": str(error)})
        except Exception:
            log.exception("a running game could not be loaded", extra={"table": table_id})
        return False

    # --- contents that may be wrong

    def read_again(self, live: LiveTable) -> None:
        """Refuse changes of a table whose contents may be wrong, until a request or a task has read them again."""
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

    def go_on(self) -> None:
        """Go on with a database that was away: report its failure no longer, and read at once what may be wrong.

        A sole server reads all tables again, since another one may have changed them. In a cluster the next change of
        a table reads what other servers have written meanwhile.
        """
        self.writes.forget_fault()
        if self.sharing is None:
            for live in self.tables:
                if live.leases:
                    self.read_again(live)
                else:
                    self.tables.forget(live)
        for live in self.tables:
            if live.is_stale and live.leases and not live.is_gone:
                self.spawn(self._read_soon(self.hold(live), RELOAD))

    def vanish(self, live: LiveTable) -> None:
        """Note that a table was removed from the database. Its subscribers are sent away, and no lease is given."""
        if live.is_gone:
            return
        live.is_gone = True
        if live.is_filled:
            self.tell(live)
        self.tables.forget(live)
        self.thinking.pop(live.id, None)

    async def _restage(self, table: Table) -> None:
        """Correct the row of a table that an older version left in another stage."""
        now = self.now().at
        stage = Stage(table.stage, table.stage == "playing", now) if table.deadline is None else stage_of(table, now)
        await self.writes.write(TableWrite(table.id, stage=stage))


async def replayed(database: Database, row: TableRow, grace: int, *, any_kind: bool) -> Table:
    """The table that the events describe. Raises StorageError if one is damaged.

    Args:
        grace: milliseconds of each turn that are not charged.
        any_kind: also read kinds that only newer servers of the same database know.
    """
    try:
        keys, events = await database.table_keys(row.id), await database.table_events(row.id)
        table = Table(row.id, row.created, stored_setup(row.setup), row.secret, keys, grace)
        read = read_any_event if any_kind else read_event
        for first in range(0, len(events), SLICE):
            table.replay(map(read, events[first : first + SLICE]))
            await asyncio.sleep(0)  # others play on while a long game is loaded
    except StorageError:
        raise
    except Exception as error:
        log.exception("a table does not replay; see `cartagena db check`", extra={"table": row.id})
        raise StorageError(f"Table {row.id} does not replay.") from error
    return table


async def check(database: Database) -> tuple[int, list[str]]:
    """Replay every table and prove its deal.

    Returns:
        The number of tables, and a sentence for each table that is wrong.
    """
    damage = await find_damage(database)
    if damage is not None:
        return 0, [damage]
    rows = await database.all_tables()
    problems = []
    for row in rows:
        try:
            problem = check_table(row, await database.table_events(row.id))
        except StorageError:
            problem = "an event cannot be read."
        if problem:
            problems.append(f"Table {row.id}: {problem}")
    return len(rows), problems


def check_table(row: TableRow, events: list[EventRow]) -> str | None:
    """What is wrong with a table, or None."""
    if [event.number for event in events] != list(range(1, len(events) + 1)):
        return "an event is missing."
    try:
        table = Table(row.id, row.created, stored_setup(row.setup), row.secret, [])
        for event in map(read_event, events):
            table.go_on_for(event)
            flaw = event.flaw(table)
            if flaw is not None:
                return f"event {event.number}: {flaw}."
            table.apply(event)
    except Exception as error:  # damage shows in many ways
        return f"it does not replay: {str(error).rstrip('.')}."
    return None
