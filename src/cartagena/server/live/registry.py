"""All tables, changed one step at a time: a change is decided, stored, and then visible."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AsyncExitStack
from typing import Final, TypeVar

from cartagena.game.fair_deal import new_secret

from ..metrics import CONTESTED, STORED
from ..protocol.errors import Refused
from ..protocol.requests import MAX_ABSENCE, MIN_ABSENCE, BankClock, NoClock, PostClock, TableSetup, TurnClock
from ..settings import Settings
from ..storage.database import Conflict, Database, StorageError, Uncertain
from ..storage.rows import Known, Stage, TableRow, TableWrite
from ..storage.write_queue import WriteQueue
from ..tables import by_post
from ..tables.clocks import Moment
from ..tables.decide import Change, notices
from ..tables.events import KINDS, Paused
from ..tables.state import Table
from ..tables.tokens import Requester, new_table_id
from .live_table import LiveTable
from .loading import LoadedTables, no_such_table, stopping, unknown, unreadable
from .lobby import Listings, OpenSeats

log = logging.getLogger("cartagena.tables")
Want = TypeVar("Want")
TRIES: Final = 10  # tries to decide a change while other servers change the table first
OLD_SERVER: Final = "Tables by post can be set up once every server of this site runs the new version."
PROMISE: Final = 3
"""The newest form of the promise of the deal."""
EVENTS: Final = {kind: STORED.labels(kind) for kind in KINDS}


def written(
    table: Table, change: Change, row: TableRow | None = None, stage: Stage | None = None, delay: int = 0
) -> TableWrite:
    """The write of a change. ``delay`` is the time in ms that people have to see it before they get a message."""
    seats = row is None and (change.keys or change.revoked or any(event.changes_seats for event in change.events))
    return TableWrite(
        table.id,
        [event.row() for event in change.events],
        change.keys,
        change.revoked,
        row,
        stage,
        rewritten=[event.row() for event in change.rewritten] if change.rewritten else (),
        setup=None if change.setup is None else change.setup.model_dump_json(),
        notices=notices(table, change.events, delay),
        known=Known(table.seq, len(table.keys), sum(key.revoked for key in table.keys)) if seats else None,
    )


def new_stage(table: Table, change: Change) -> Stage | None:
    """The row's new stage if the change sets one. The end of a game is stored with the event that ends it."""
    if table.deadline is not None and change.events:
        return by_post.stage_after(table, change.events)
    for event in change.events:
        if event.ends(table, change.events):
            return Stage("over", False, event.at)
    for event in change.events:
        wake = event.wakes(table)
        if wake is not None:
            return Stage("playing", wake, event.at)
    return None


class TableRegistry(LoadedTables):
    """All tables: identifies requesters and carries out changes."""

    def __init__(self, database: Database, writes: WriteQueue, settings: Settings) -> None:
        super().__init__(database, writes, settings)
        self.open_seats = OpenSeats()
        self.listings = Listings(settings.lobby_tables)
        self.renewals = asyncio.Lock()
        """Held while all tables of a token are held, so that two never wait for each other."""
        self.promise = PROMISE
        """The form of the promise of new tables: one that every server of this database can read."""
        self.knows_post = True
        """Whether every server of this database knows tables by post."""

    def new_table(self, setup: TableSetup) -> Table:
        """A table that is not stored yet. Refused if it is by post and a server of this database does not know that."""
        if isinstance(setup.clock, PostClock) and not self.knows_post:
            raise Refused("off", OLD_SERVER)
        salts = self.settings.salt_seconds if setup.salts is None else setup.salts
        clock = setup.clock
        if isinstance(clock, TurnClock | BankClock):
            clock = clock.model_copy(update={"form": 2})
        agreed = setup.model_copy(update={"promise": self.promise, "salts": salts, "clock": clock})
        absence = round(self.settings.absent_seconds)
        if setup.absence is None and isinstance(clock, NoClock) and MIN_ABSENCE <= absence <= MAX_ABSENCE:
            agreed = agreed.model_copy(update={"absence": absence})  # shown to who joins
        return Table(new_table_id(), self.now().at, agreed, new_secret(), [], self.grace)

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
        self._must_take_changes(live)
        if live.is_stale:
            await self.check(live, checked=True)
        async with live.lock:
            [change] = await self._change_locked([live], decide, then)
        return change

    async def change_together(
        self,
        tables: Sequence[LiveTable],
        decide: Callable[[Table, Moment], Change],
        then: Callable[[Change], None] | None = None,
    ) -> list[Change]:
        """As ``change``, at several tables in one transaction: at all of them or at none."""
        for live in tables:
            self._must_take_changes(live)
            if live.is_stale:
                await self.check(live, checked=True)
        async with AsyncExitStack() as locks:
            for live in sorted(tables, key=lambda each: each.id):  # in one order, so that two never wait for each other
                await locks.enter_async_context(live.lock)
            return await self._change_locked(tables, decide, then)

    def _must_take_changes(self, live: LiveTable) -> None:
        if self.stopping:
            raise stopping()
        if not live.leases:
            raise RuntimeError("A table is changed without a lease.")

    async def _change_locked(
        self,
        tables: Sequence[LiveTable],
        decide: Callable[[Table, Moment], Change],
        then: Callable[[Change], None] | None,
    ) -> list[Change]:
        for _ in range(TRIES):
            try:
                changes = [self._decided(live, decide) for live in tables]
            except Refused:
                if any([await self._has_read_on(live) for live in tables if not live.is_gone]):
                    continue
                raise
            pairs = [pair for pair in zip(tables, changes, strict=True) if pair[1].is_any]
            if not pairs or await self._store(pairs, then):
                return changes
        raise Refused("storage", "Others change the table at the same time; try again.", retry_after=1)

    def _decided(self, live: LiveTable, decide: Callable[[Table, Moment], Change]) -> Change:
        if live.is_gone:
            raise no_such_table()
        if live.is_stale:
            raise Refused("storage", "The table is being read again; try again.", retry_after=1)
        return decide(live.table, self.now())

    def act(
        self,
        live: LiveTable,
        who: Requester,
        decide: Callable[[Table, Requester, Want, Moment], Change],
        want: Want,
        then: Callable[[Change], None] | None = None,
    ) -> Coroutine[None, None, Change]:
        """Carry out what a person wants, decided with the seats that the person has by then. As ``change``."""
        return self.change(live, lambda table, now: decide(table, table.current(who), want, now), then)

    async def _has_read_on(self, live: LiveTable) -> bool:
        """Read what other servers have written. Returns whether there was anything, and so whether to decide again."""
        if self.sharing is None:
            return False
        try:
            return await self.sharing.catch_up(live)
        except StorageError:
            raise unreadable() from None

    async def _store(self, pairs: Sequence[tuple[LiveTable, Change]], then: Callable[[Change], None] | None) -> bool:
        """Store the changes of tables. Returns False if another server was first: what it wrote is applied, no more."""
        writing = self.writes.put(*[self._write(live.table, change) for live, change in pairs])
        try:
            await writing.done
        except Uncertain:
            self._read_all_again(pairs)
            raise unknown() from None
        except StorageError as error:
            if self.sharing is not None and isinstance(error, Conflict):
                CONTESTED.inc()
                for live, _ in pairs:
                    await self._has_read_on(live)
                return False
            self._read_all_again(pairs)
            raise Refused("storage", "The change could not be stored; try again later.") from None
        except asyncio.CancelledError:
            for live, _ in pairs:
                live.writing = writing.over  # it continues after the cancellation
            self._read_all_again(pairs)
            raise
        for live, change in pairs:
            live.failures = 0
            self._apply(live, change, then)
        return True

    def _write(self, table: Table, change: Change) -> TableWrite:
        """The write of a change. Refused at a table that has too many events."""
        if any(event.limited and event.number > self.settings.table_events for event in change.events):
            raise Refused("limit", "This table has reached its limit of events; set up another one.")
        return written(table, change, stage=new_stage(table, change), delay=self.patience)

    def _read_all_again(self, pairs: Sequence[tuple[LiveTable, Change]]) -> None:
        for live, _ in pairs:
            self.read_again(live)

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

    async def create(self, table: Table, change: Change) -> None:
        """Store a new table with its first events. A lease that is asked for meanwhile waits until it is stored."""
        if self.stopping:
            raise stopping()
        stage = new_stage(table, change) or Stage("waiting", False, table.created)
        setup, lobby = table.setup.model_dump_json(), table.setup.lobby
        row = TableRow(
            table.id, table.created, stage.touched, stage.stage, lobby, stage.wake, setup, table.secret, stage.due
        )
        with self.tables.lease(table.id) as live:
            async with live.lock:
                try:
                    await self.writes.write(written(table, change, row, delay=self.patience))
                except Uncertain:
                    raise unknown() from None
                except StorageError:
                    raise Refused("storage", "The table could not be stored; try again later.") from None
                live.fill(table, self.until_takeover, self.until_due)
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

    # --- running and stopping

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
        outcomes = await asyncio.gather(*map(self.writes.write, paused), return_exceptions=True)
        for error in outcomes:
            if error is not None:
                log.warning("a clock was not stored", extra={"why": str(error)})
