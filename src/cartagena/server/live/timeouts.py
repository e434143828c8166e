"""What happens when time is up: late and absent players are replaced by the computer, and clocks are stored.

At a table with a clock the computer takes over when the time is up. At a table without one it takes over from a player
who is offline while another player waits; a game in which no other player waits is left alone. A replaced player may
take the seat back.
"""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, Final

from ..protocol.errors import Refused
from ..tables import decide
from ..tables.clocks import Moment
from ..tables.decide import Change
from ..tables.events import Paused
from ..tables.state import Table
from .live_table import LoadedTable
from .moments import now_ms
from .registry import TableRegistry

log = logging.getLogger("cartagena.timeouts")
MARGIN: Final = 0.01
"""Seconds by which a timer is late, so that the time is up when it fires."""
FIRST_NOTE: Final = 10_000
LONGEST_NOTE: Final = 600_000
"""Milliseconds of thinking after which it is stored: the first time in a turn, and at the latest."""


class Timeouts(ABC):
    """One timer for each table where something is due."""

    why: ClassVar[str] = ""

    def __init__(self, registry: TableRegistry, level_for: Callable[[Table], str | None]) -> None:
        self.registry = registry
        self.level_for = level_for
        self.timers: dict[LoadedTable, asyncio.TimerHandle] = {}

    @abstractmethod
    def seconds_left(self, loaded: LoadedTable) -> float | None:
        """Seconds until it is due; None while no time runs."""

    def consider(self, loaded: LoadedTable) -> None:
        """Reset the timer after a change of the table or of who is online."""
        if loaded in self.timers:
            self.timers.pop(loaded).cancel()
            loaded.watchers -= 1
        left = None if loaded.gone else self.seconds_left(loaded)
        if left is not None:
            loaded.watchers += 1  # a table with a timer stays in memory
            loop = asyncio.get_running_loop()
            late = MARGIN + self.registry.stand_by(loaded)
            self.timers[loaded] = loop.call_later(max(0.0, left) + late, self._fire, loaded)

    def _fire(self, loaded: LoadedTable) -> None:
        del self.timers[loaded]
        loaded.watchers -= 1
        self.registry.spawn(self._act(loaded, loaded.table.chooser))

    async def _act(self, loaded: LoadedTable, seat: int) -> None:
        try:
            change = await self.registry.change(loaded, lambda table, now: self._decide(loaded, table, now, seat))
        except Refused as error:
            log.info("a timer had nothing to do", extra={"table": loaded.table.id, "why": error.code})
        else:
            if not change.events:
                self.consider(loaded)

    def _decide(self, loaded: LoadedTable, table: Table, now: Moment, seat: int) -> Change:
        """Do what is due unless the seat moved or came back in the meantime."""
        left = self.seconds_left(loaded)
        if table.chooser != seat or left is None or left > 0:
            return Change()
        return self._due(table, now, seat)

    def _due(self, table: Table, now: Moment, seat: int) -> Change:
        """What is stored when the time is up: by default that the computer takes over."""
        return decide.leave(table, [seat], self.why, now, self.level_for(table))

    def stop(self) -> None:
        """Cancel all timers."""
        for timer in self.timers.values():
            timer.cancel()
        self.timers.clear()


class ClockTimeouts(Timeouts):
    """Replacement of a player whose clock has run out."""

    why = "time"

    def seconds_left(self, loaded: LoadedTable) -> float | None:
        table = loaded.table
        if not table.clocks.runs or table.chooser_is_computer or self.level_for(table) is None:
            return None
        return (table.clocks.allowance() - table.thinking(now_ms())) / 1000


class ClockNotes(Timeouts):
    """Stores the thinking time of a player during a long turn, so that a crash gives little of it back.

    The notes become rarer: what is lost is at most ``FIRST_NOTE``, or half of the turn, or ``LONGEST_NOTE``.
    """

    def seconds_left(self, loaded: LoadedTable) -> float | None:
        table = loaded.table
        if not table.clocks.runs or table.chooser_is_computer:
            return None
        due = min(max(FIRST_NOTE, table.clocks.stint), LONGEST_NOTE)
        return (due - table.thinking(now_ms())) / 1000

    def _due(self, table: Table, now: Moment, seat: int) -> Change:  # noqa: ARG002
        return Change().add(table, now, Paused(table.thinking(now.steady)))


class AbsenceTimeouts(Timeouts):
    """Replacement of a player who is offline while another player waits."""

    why = "left"

    def seconds_left(self, loaded: LoadedTable) -> float | None:
        table = loaded.table
        if table.chooser == 0 or table.chooser_is_computer or table.setup.clock.kind != "none":
            return None
        if not self.registry.knows_who_is_online:
            return None
        chair, online = table.order[table.chooser - 1], loaded.updates.online
        patience = self.registry.settings.absent_seconds if table.setup.absence is None else table.setup.absence
        if not online or chair in online or patience <= 0 or self.level_for(table) is None:
            return None
        return patience - loaded.away_for(chair)
