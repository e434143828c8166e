"""What happens when time is up: late and absent players are replaced, clocks are stored, and salts are waited for.

At a table with a clock the computer takes over when the time is up. At a table without one it takes over from a player
who is offline while another player waits; a game in which no other player waits is left alone. A replaced player may
take the seat back. The deal comes when every person has added randomness, or when the time for it is over.

A table by post without a viewer has no timer and no lease: one indexed query finds those whose days run out, at any
server. Such a table is loaded, and the transaction that decides checks the deadline again, so that two servers that
find the same table do no harm. A person who has one legal decision only does not have to come for it.
"""

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, Final, NamedTuple

from ..protocol.errors import Refused
from ..storage import schema as db
from ..storage.database import Conflict, StorageError
from ..storage.rows import PlainWrite, TableWrite
from ..tables import by_post, decide
from ..tables.clocks import Moment, TrustedTime
from ..tables.decide import Change
from ..tables.events import ComputerSeated, Joined, Paused
from ..tables.state import Table
from ..tasks import repeat
from .lease import Lease
from .live_table import LiveTable, TableObserver, now_ms
from .registry import TableRegistry

log = logging.getLogger("cartagena.timers")
MARGIN: Final = 0.01
"""Seconds by which a timer is late, so that the time is up when it fires."""
FIRST_NOTE: Final = 10_000
LONGEST_NOTE: Final = 600_000
"""Milliseconds of thinking after which it is stored: the first time in a turn, and at the latest."""
PAUSE: Final = 20.0
"""Seconds between two looks for tables whose days run out."""
BATCH: Final = 200
BEAT: Final = 300_000
"""Milliseconds between two notes in the database that a server runs."""


class Timer(NamedTuple):
    """A call that is due, and the lease that keeps its table in memory until then."""

    handle: asyncio.TimerHandle
    lease: Lease


class Timers(TableObserver):
    """At most one timer for each table in memory. A fired timer acts in a task that has the timer's lease."""

    def __init__(self, registry: TableRegistry) -> None:
        self.registry = registry
        self.timers: dict[str, Timer] = {}

    def set(self, live: LiveTable, seconds: float, act: Callable[[Lease], None]) -> None:
        """Start the timer of a table. ``act`` gets its lease."""
        lease = self.registry.hold(live)
        handle = asyncio.get_running_loop().call_later(max(0.0, seconds), self._fire, live.id, act)
        self.timers[live.id] = Timer(handle, lease)

    def cancel(self, table_id: str) -> None:
        """Stop the timer of a table if there is one."""
        timer = self.timers.pop(table_id, None)
        if timer is not None:
            timer.handle.cancel()
            timer.lease.release()

    def _fire(self, table_id: str, act: Callable[[Lease], None]) -> None:
        act(self.timers.pop(table_id).lease)

    def stop(self) -> None:
        """Cancel all timers."""
        for table_id in tuple(self.timers):
            self.cancel(table_id)


class TurnTimers(Timers, ABC):
    """Timers for the seat that must choose."""

    why: ClassVar[str] = ""

    @abstractmethod
    def seconds_left(self, live: LiveTable) -> float | None:
        """Seconds until it is due; None while no time runs."""

    def changed(self, live: LiveTable) -> None:
        """Reset the timer after a change of the table or of who is online."""
        left = None if live.is_gone else self.seconds_left(live)
        if left is None and live.id not in self.timers:
            return
        before = self.timers.pop(live.id, None)
        if left is not None:
            self.set(live, max(0.0, left) + MARGIN + self.registry.stand_by(live), self._start)
        if before is not None:
            before.handle.cancel()
            before.lease.release()

    def _start(self, lease: Lease) -> None:
        self.registry.spawn(self._act(lease, lease.live.table.chooser))

    async def _act(self, lease: Lease, seat: int) -> None:
        with lease as live:
            try:
                change = await self.registry.change(live, lambda table, now: self._decide(live, table, now, seat))
            except Refused as error:
                log.info("a timer had nothing to do", extra={"table": live.id, "why": error.code})
            else:
                if not change.events:
                    self.changed(live)

    def _decide(self, live: LiveTable, table: Table, now: Moment, seat: int) -> Change:
        """Do what is due unless the seat moved or came back in the meantime."""
        left = self.seconds_left(live)
        if table.chooser != seat or left is None or left > 0:
            return Change()
        return self._due(table, now, seat)

    def _due(self, table: Table, now: Moment, seat: int) -> Change:
        """What is stored when the time is up: by default that the computer takes over."""
        return decide.leave(table, [seat], self.why, now, self.registry.level_for(table))


class ClockTimers(TurnTimers):
    """Replacement of a player whose clock has run out."""

    why = "time"

    def seconds_left(self, live: LiveTable) -> float | None:
        table = live.table
        if not table.clocks.runs or table.chooser_is_computer or self.registry.level_for(table) is None:
            return None
        return (table.clocks.allowance() - table.thinking(now_ms())) / 1000


class ClockNotes(TurnTimers):
    """Stores the thinking time of a player during a long turn, so that a crash gives little of it back.

    The notes become rarer: what is lost is at most ``FIRST_NOTE``, or half of the turn, or ``LONGEST_NOTE``.
    """

    def seconds_left(self, live: LiveTable) -> float | None:
        table = live.table
        if not table.clocks.runs or table.chooser_is_computer:
            return None
        due = min(max(FIRST_NOTE, table.clocks.stint), LONGEST_NOTE)
        return (due - table.thinking(now_ms())) / 1000

    def _due(self, table: Table, now: Moment, seat: int) -> Change:  # noqa: ARG002
        return Change().add(table, now, Paused(table.thinking(now.steady)))


class AbsenceTimers(TurnTimers):
    """Replacement of a player who is offline while another player waits."""

    why = "left"

    def seconds_left(self, live: LiveTable) -> float | None:
        return self.registry.until_takeover(live)

    def presence_changed(self, live: LiveTable) -> None:
        self.changed(live)


def salts_left(registry: TableRegistry, live: LiveTable) -> float:
    """Seconds that a full table still waits for randomness. Servers of a cluster count from the same event."""
    table, wait = live.table, float(live.table.setup.salts or 0)
    if registry.sharing is None:
        return 0.0 if live.salts_over else wait
    full = next((event.at for event in reversed(table.events) if isinstance(event, (Joined, ComputerSeated))), 0)
    return wait - (now_ms() - registry.steady_at(max(full, table.created))) / 1000


def salts_over(registry: TableRegistry, live: LiveTable) -> bool:
    """Whether the time to add randomness at a full table is over."""
    return salts_left(registry, live) <= 0


class SaltTimers(Timers):
    """Timers of full tables that wait for salts. One starts anew if a person leaves and another one comes."""

    def changed(self, live: LiveTable) -> None:
        """Start or stop the timer after a change of the table."""
        full = live.table.is_full
        waits = full and not live.is_gone and bool(live.table.unsalted) and not live.salts_over
        if not waits:
            self.cancel(live.id)
        elif live.id not in self.timers:
            self.set(live, salts_left(self.registry, live), self._end)
        if not full:
            live.salts_over = False

    def _end(self, lease: Lease) -> None:
        lease.live.salts_over = True
        self.registry.spawn(self._deal(lease))

    async def _deal(self, lease: Lease) -> None:
        with lease as live:

            def proposal(table: Table, now: Moment) -> Change:
                return decide.deal_if_full(table, Change(), now, salts_over=salts_over(self.registry, live))

            try:
                await self.registry.change(live, proposal)
            except Refused as error:
                log.info("a table was not dealt", extra={"table": live.id, "why": error.code})
            live.salts_over = salts_over(self.registry, live)  # another person may have come at another server
            if not live.salts_over:
                self.changed(live)


# --- tables by post


def awake_ms() -> int:
    """Milliseconds of a steady clock that also counts the time in which the machine sleeps, where there is one."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return now_ms() if clock is None else time.clock_gettime_ns(clock) // 1_000_000


class Deadlines(TableObserver):
    """Ends turns by post whose days have run out, reminds people before, and plays what is the only decision."""

    def __init__(self, registry: TableRegistry, steady: Callable[[], int] = awake_ms) -> None:
        self.registry = registry
        self.steady = steady
        self.time: TrustedTime | None = None
        self.noted = 0
        self.playing: set[str] = set()
        """Ids of the tables where the only decision is being played."""

    @property
    def notes(self) -> list[str]:
        """What the person who runs the server should know, for ``/readyz``."""
        why = self.time.why if self.time else None
        return [f"no days by post run out: {why}\n"] if why else []

    # --- the only decision

    def changed(self, live: LiveTable) -> None:
        """Play for a person who has one legal decision only."""
        if live.is_gone or live.table.deadline is None or live.id in self.playing:
            return
        if by_post.forced_move(live.table) is not None and self.registry.cares(live):
            self.playing.add(live.id)
            self.registry.spawn(self._play(self.registry.hold(live)))

    async def _play(self, lease: Lease) -> None:
        with lease as live:
            try:
                while (await self.registry.change(live, by_post.play_forced)).events:
                    pass
            except Refused as error:
                log.info("a decision was not played", extra={"table": live.id, "why": error.code})
            finally:
                self.playing.discard(live.id)

    # --- days that run out

    async def run(self) -> None:
        """Look for tables whose days run out, for ever."""
        await repeat(self.look, PAUSE, "tables by post could not be looked at")

    async def look(self) -> None:
        """Look once: at all tables that are due, unless the clock cannot be trusted."""
        now = self.registry.now().at
        why = await self._may_end(now)
        if why is not None:
            log.warning("no days by post run out", extra={"why": why})
            return
        failed, seen = 0, set[str]()
        while due := await self.registry.database.due_tables(now, BATCH + failed):  # however many fail, others follow
            fresh = [(table_id, at) for table_id, at in due if table_id not in seen]
            if not fresh:
                return
            seen.update(table_id for table_id, _ in fresh)
            failed += [await self._look_at(table_id, at) for table_id, at in fresh].count(False)

    async def _may_end(self, now: int) -> str | None:
        """Why no days may run out now, or None. Notes now and then that a server runs."""
        if self.time is None:
            self.time = TrustedTime.start(now, self.steady(), *await self.registry.database.uptime())
        why = self.time.check(now, self.steady())
        if why is None and now - self.noted >= BEAT:
            _, earliest = await self.registry.database.uptime()
            self.time.earliest = max(self.time.earliest, earliest)
            row: dict[str, object] = {"name": "servers", "alive": now, "earliest": self.time.earliest}
            try:
                await self.registry.writes.write(PlainWrite([(db.FORGET_UPTIME, [{}]), (db.NOTE_UPTIME, [row])]))
            except Conflict:
                log.debug("another server has noted that it runs")
            self.noted = now
        self.registry.earliest = self.time.earliest
        return why

    async def _look_at(self, table_id: str, at: int) -> bool:
        """End a turn whose days have run out, or remind its person. Returns whether that was done."""
        try:
            async with self.registry.lease(table_id) as live:
                change = await self.registry.change(live, self._run_out)
                if not change.events:
                    await self._put_off(live.table, at)
        except (Refused, StorageError) as error:
            log.warning("a table by post was not looked at", extra={"table": table_id, "why": str(error)})
            return False
        except Exception:
            log.exception("a table by post was not looked at", extra={"table": table_id})
            return False
        return True

    def _run_out(self, table: Table, now: Moment) -> Change:
        return by_post.run_out(table, now, self.registry.earliest, self.registry.level_for(table))

    async def _put_off(self, table: Table, at: int) -> None:
        """Look again when the days run out. A first look comes in time for the reminder."""
        registry, now = self.registry, self.registry.now().at
        due = table.deadline.due if table.deadline else None
        if due is None:
            await registry.writes.write(TableWrite(table.id, stage=by_post.stage_of(table, now)))
            return
        reminders = by_post.reminder(table, now) if at < due else []
        write = TableWrite(table.id, notices=reminders, look=(at, max(due, registry.earliest)))
        try:
            await registry.writes.write(write)
        except Conflict:
            log.debug("another server has sent the reminder")
