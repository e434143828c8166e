"""What happens when time is up: late and absent players are replaced, clocks are stored, and salts are waited for.

At a table with a clock the computer takes over when the time is up. At a table without one it takes over from a player
who is offline while another player waits; a game in which no other player waits is left alone. A replaced player may
take the seat back. The deal comes when every person has added randomness, or when the time for it is over.
"""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, Final, NamedTuple

from ..protocol.errors import Refused
from ..tables import decide
from ..tables.clocks import Moment
from ..tables.decide import Change
from ..tables.events import Paused
from ..tables.state import Table
from .lease import Lease
from .live_table import LiveTable, TableObserver, now_ms
from .registry import TableRegistry

log = logging.getLogger("cartagena.timers")
MARGIN: Final = 0.01
"""Seconds by which a timer is late, so that the time is up when it fires."""
FIRST_NOTE: Final = 10_000
LONGEST_NOTE: Final = 600_000
"""Milliseconds of thinking after which it is stored: the first time in a turn, and at the latest."""


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


class SaltTimers(Timers):
    """Timers of full tables that wait for salts. One starts anew if a person leaves and another one comes."""

    def changed(self, live: LiveTable) -> None:
        """Start or stop the timer after a change of the table."""
        waits = not live.is_gone and live.table.is_full and bool(live.table.unsalted) and not live.salts_over
        if not waits:
            self.cancel(live.id)
        elif live.id not in self.timers:
            self.set(live, float(live.table.setup.salts or 0), self._end)
        if not live.table.is_full:
            live.salts_over = False

    def _end(self, lease: Lease) -> None:
        lease.live.salts_over = True
        self.registry.spawn(self._deal(lease))

    async def _deal(self, lease: Lease) -> None:
        with lease as live:

            def proposal(table: Table, now: Moment) -> Change:
                return decide.deal_if_full(table, Change(), now, salts_over=live.salts_over)

            try:
                await self.registry.change(live, proposal)
            except Refused as error:
                log.info("a table was not dealt", extra={"table": live.id, "why": error.code})
