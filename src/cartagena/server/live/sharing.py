"""Tables that several servers serve: none of them owns one, and the event log decides.

An event is (table, number) and written once. A server that comes second reads what the others wrote and decides again.
What it learns from the other servers (news, who is online elsewhere) only saves time: every second each
server asks the database about the tables that are watched here, about the servers that live and about games that wait
for a computer or a clock.
"""

import asyncio
import contextlib
import hashlib
import logging
import time
from collections.abc import Iterable
from typing import Final, NamedTuple

from ..metrics import CAUGHT_UP, SERVERS
from ..storage.database import StorageError
from ..storage.peers import BY_POST, MOST_SKEW, Living, Reader, living
from ..tables.events import read_any_event
from ..tasks import repeat
from .live_table import LiveTable, TableObserver
from .registry import TableRegistry

log = logging.getLogger("cartagena.sharing")
POLL: Final = 1.0
"""Seconds between two looks at the database."""
OVERLAP: Final = 60_000
"""Milliseconds by which two looks for games that wait overlap, since a commit may be later than its events' time."""
LOADS: Final = 4
"""Games that are loaded at once because they wait for a computer or a clock."""
STAND_BY: Final = 1.0
"""Seconds by which the timers of a server that does not care for a table are late."""
PROMPT: Final = 500
"""Milliseconds within which an answer must come to set the time by it."""
PRESENCE: Final = 15.0
"""Seconds for which a server's report about who is online there holds. It is repeated every 5 seconds."""


class OnlineElsewhere(NamedTuple):
    """A report of another server about a table: the chairs that are online there, whether it is watched, and when."""

    chairs: frozenset[int]
    watched: bool
    at: float


class Sharing(TableObserver):
    """The other servers, as far as the registry needs to know about them."""

    def __init__(self, registry: TableRegistry, number: int) -> None:
        self.registry = registry
        self.database = registry.database
        self.events, self.extents = Reader(registry.database), Reader(registry.database)
        """Two connections, so that reading the events of a table does not wait for questions about many tables."""
        self.number = number
        self.members: frozenset[int] = frozenset({number})
        self.since = 0
        """When the oldest living server began, in the database's time."""
        self.hears = False
        """Whether notices of the other servers arrive."""
        self.is_skewed = False
        """Whether the clock of this machine is far from the database's."""
        self.spoke: dict[int, float] = {}
        """When each server last said who is online there."""
        self.elsewhere: dict[str, dict[int, OnlineElsewhere]] = {}
        self.asking: dict[str, asyncio.Future[tuple[int, int] | None]] = {}
        self.one_question = asyncio.Lock()
        self.awake_until = 0
        self.looks_at_all = True
        """Whether the next poll asks for all games that wait for a computer or a clock, or for those changed lately."""
        self.loads = asyncio.Semaphore(LOADS)
        self.to_load: set[str] = set()

    # --- reading on

    async def catch_up(self, live: LiveTable, keys: int = 0) -> bool:
        """Apply what other servers have written. Returns whether there was anything. The caller holds the lock.

        Args:
            live: The table, which the caller holds.
            keys: How many keys it is known to have. Tokens of a running game change without an event.
        """
        table = live.table
        rows = await self.events.events(table.id, table.seq)
        try:
            events = [read_any_event(row) for row in rows]
            changed = False
            if not events or keys > len(table.keys) or any(event.changes_seats for event in events):
                changed = await self._read_keys(live)
                if live.is_gone:
                    return True
            for event in events:
                table.apply(event)
                if event.restarts_thinking:
                    table.thinking_since = self.registry.steady_at(event.at)
        except StorageError:
            raise
        except Exception as error:
            log.exception("a table does not replay; see `cartagena db check`", extra={"table": table.id})
            self.registry.read_again(live)
            raise StorageError(f"Table {table.id} does not replay.") from error
        if events or changed:
            CAUGHT_UP.inc(len(events))
            self.registry.tell(live)
        return bool(events) or changed

    async def _read_keys(self, live: LiveTable) -> bool:
        """Take over new and revoked keys. Returns whether there were any. A table may be found to be removed."""
        table, keys = live.table, await self.database.table_keys(live.table.id)
        if not keys and await self.database.table_row(table.id) is None:
            self.registry.vanish(live)
            return True
        changed = len(keys) > len(table.keys)
        for old, new in zip(table.keys, keys, strict=False):  # subscriptions hold the old ones
            changed = changed or old.revoked != new.revoked
            old.revoked = new.revoked
        table.keys += keys[len(table.keys) :]
        return changed

    async def refresh(self, live: LiveTable, events: int, keys: int) -> None:
        """Read the new events and keys of a table that has that many. If the database fails, the next poll does it."""
        with contextlib.suppress(StorageError), self.registry.hold(live):
            await self._read_on(live, events, keys)

    async def _read_on(self, live: LiveTable, events: int, keys: int) -> None:
        async with live.lock:
            if not live.is_gone and not live.is_stale and self._is_behind(live, events, keys):
                await self.catch_up(live, keys)

    async def check(self, live: LiveTable) -> None:
        """Make sure that a table in memory is as new as the database. Raises StorageError if that cannot be known."""
        extent = await self._extent(live.table.id)
        if extent is None:
            self.registry.vanish(live)
        elif self._is_behind(live, *extent):
            await self._read_on(live, *extent)

    async def check_all(self, table_ids: Iterable[str]) -> None:
        """As ``check``, for those of the tables that are in memory, with one question."""
        await self._read_on_at([live for live in map(self.registry.tables.peek, table_ids) if live is not None])

    async def _read_on_at(self, tables: list[LiveTable]) -> None:
        """Read on at those tables that are behind the database."""
        with contextlib.ExitStack() as leases:
            for live in tables:
                leases.enter_context(self.registry.hold(live))
            extents = await self.extents.extents([live.id for live in tables]) if tables else {}
            for live in tables:
                extent = extents.get(live.id)
                if extent is None:
                    self.registry.vanish(live)
                elif self._is_behind(live, *extent):
                    await self.refresh(live, *extent)

    @staticmethod
    def _is_behind(live: LiveTable, events: int, keys: int) -> bool:
        return events > live.table.seq or keys > len(live.table.keys)

    async def _extent(self, table_id: str) -> tuple[int, int] | None:
        """The extent of a table. Requests that come during a query share the next one."""
        waiting = self.asking.get(table_id)
        if waiting is None:
            waiting = self.asking[table_id] = asyncio.get_running_loop().create_future()
            waiting.add_done_callback(lambda done: done.cancelled() or done.exception())  # it may not be awaited
            if len(self.asking) == 1:
                self.registry.spawn(self._ask())
        return await asyncio.shield(waiting)

    async def _ask(self) -> None:
        async with self.one_question:
            waiting, self.asking = self.asking, {}
            try:
                extents = await self.extents.extents(list(waiting))
            except BaseException as error:
                wrong = error if isinstance(error, StorageError) else StorageError("The tables cannot be read now.")
                for future in waiting.values():
                    future.set_exception(wrong)
                raise
            for table_id, future in waiting.items():
                future.set_result(extents.get(table_id))

    async def close(self) -> None:
        """Close both connections."""
        await self.events.close()
        await self.extents.close()

    # --- caring for tables: one server lets computers think and fires timers first

    def cares(self, live: LiveTable) -> bool:
        """Whether this server runs the computers and timers of a table. If two do, the first change counts."""
        if len(self.members) == 1:
            return True
        if not self.hears and (live.viewers > 0 or live.was_looked_at):
            return True  # what the others do is not known
        watching = {server for server, report in self._reports(live.table.id) if report.watched}
        if live.viewers > 0:
            watching.add(self.number)
        return self._first(live.table.id, watching or self.members) == self.number

    @staticmethod
    def _first(table_id: str, servers: Iterable[int]) -> int:
        """The server that cares for a table, by a hash that all servers compute alike."""
        return max(servers, key=lambda number: hashlib.blake2b(f"{table_id}{number}".encode()).digest(), default=0)

    def stand_by(self, live: LiveTable) -> float:
        """Delay before this server runs a timer of a table that another server looks after, in seconds."""
        return 0.0 if self.cares(live) else STAND_BY

    def changed(self, live: LiveTable) -> None:
        """Show who is online elsewhere at a table that may just have been loaded."""
        self._show_online(live)

    def needed(self, table_id: str) -> None:
        """Load a table that waits for a computer or a clock, if this server is the one to care for it."""
        watched = {server for server, report in self._reports(table_id) if report.watched}
        if table_id in self.registry.tables or table_id in self.to_load:
            return
        if self._first(table_id, watched or self.members) == self.number:
            self.to_load.add(table_id)
            self.registry.spawn(self._load(table_id))

    async def _load(self, table_id: str) -> None:
        async with self.loads:
            self.looks_at_all |= not await self.registry.load(table_id, checked=True)
        self.to_load.discard(table_id)

    # --- who is online elsewhere

    def _reports(self, table_id: str) -> list[tuple[int, OnlineElsewhere]]:
        """What other living servers say about a table."""
        if not self.hears:
            return []
        now = time.monotonic()
        return [
            (server, report)
            for server, report in self.elsewhere.get(table_id, {}).items()
            if server in self.members and now - report.at < PRESENCE
        ]

    def heard(self, server: int, reports: dict[str, tuple[frozenset[int], bool]], *, everything: bool) -> None:
        """Take over what another server says about who is online there: about these tables, or about all of its own."""
        now = time.monotonic()
        if everything:
            self.spoke[server] = now
            gone = [table_id for table_id, said in self.elsewhere.items() if server in said and table_id not in reports]
            reports = {**dict.fromkeys(gone, (frozenset(), False)), **reports}
        for table_id, (chairs, watched) in reports.items():
            said = self.elsewhere.setdefault(table_id, {})
            before = said.pop(server, None)
            if chairs or watched:
                said[server] = OnlineElsewhere(chairs, watched, now)
            if not said:
                del self.elsewhere[table_id]
            if before is None or before[:2] != (chairs, watched):
                self._show(table_id)

    @property
    def hears_all(self) -> bool:
        """Whether every living server has said lately who is online there."""
        now = time.monotonic()
        others = self.members - {self.number}
        return self.hears and all(now - self.spoke.get(server, -PRESENCE) < PRESENCE for server in others)

    def _forget_reports(self) -> None:
        """Drop reports of servers that are gone or have not repeated them."""
        now = time.monotonic()
        for table_id, said in list(self.elsewhere.items()):
            over = [
                server for server, report in said.items() if server not in self.members or now - report.at > PRESENCE
            ]
            for server in over:
                del said[server]
            if not said:
                del self.elsewhere[table_id]
            if over:
                self._show(table_id)

    def _show(self, table_id: str) -> None:
        """Show who is online everywhere, and let another server care if it has to."""
        live = self.registry.tables.peek(table_id)
        if live is not None:
            self.registry.observers.changed(live)

    def _show_online(self, live: LiveTable) -> None:
        if live.elsewhere or live.table.id in self.elsewhere:
            reports = self._reports(live.table.id)
            live.show_elsewhere(frozenset().union(*(report.chairs for _, report in reports)))

    def show_all(self) -> None:
        """Look at every table again after a server came or went, or notices stopped or came back."""
        for live in self.registry.tables:
            self.registry.observers.changed(live)

    # --- looking at the database

    async def poll(self) -> None:
        """Look at the database every second, for ever."""
        await repeat(self._poll_once, POLL, "other servers could not be looked for")

    async def _poll_once(self) -> None:
        servers = await living(self.database)
        if servers is not None:
            self.take_over(servers)
        self._forget_reports()
        await self._read_on_at(self.watched())
        since, until = 0 if self.looks_at_all else self.awake_until - OVERLAP, self.registry.now().at
        waiting = await self.database.to_wake(since)
        self.awake_until, self.looks_at_all = until, False
        for table_id in waiting:
            self.needed(table_id)

    def take_over(self, servers: Living) -> None:
        """Note the living servers and the database's time. If a server came or went, look at all tables again."""
        if self.registry.offset is None or servers.trip <= PROMPT:
            self.registry.offset = servers.offset
        self.since = servers.since
        self.registry.promise = servers.promise
        self.registry.knows_post = servers.format >= BY_POST
        self.is_skewed = abs(servers.behind) > MOST_SKEW
        members = servers.numbers | {self.number}
        SERVERS.set(len(servers.numbers))
        if members != self.members:
            log.info("servers of this database", extra={"servers": len(members)})
            self.members, self.looks_at_all = members, True
            self.show_all()

    def watched(self) -> list[LiveTable]:
        """The tables in memory that are watched or have a timer."""
        return [live for live in self.registry.tables if self._is_watched(live)]

    @staticmethod
    def _is_watched(live: LiveTable) -> bool:
        return live.leases > 0 or live.was_looked_at

    def news(self, table_id: str, events: int, keys: int, *, waits: bool) -> None:
        """Handle a notice: how many events and keys a table has, and whether it waits for a computer or a clock."""
        live = self.registry.tables.peek(table_id)
        if live is None:
            if waits:
                self.needed(table_id)
        elif self._is_behind(live, events, keys) and (waits or self._is_watched(live)):
            self.registry.spawn(self.refresh(live, events, keys))
