"""Watches the clocks: a person whose time is up is replaced by the computer and may come back."""

import asyncio
import logging
from collections.abc import Callable

from ..protocol.errors import Refused
from . import decide
from .decide import Change
from .registry import LoadedTable, TableRegistry, now_ms
from .state import Table

log = logging.getLogger("cartagena.clocks")


class ClockWatch:
    """One timer for each table whose clock runs for a person."""

    def __init__(self, registry: TableRegistry, level_for: Callable[[Table], str | None]) -> None:
        self.registry = registry
        self.level_for = level_for
        self.timers: dict[LoadedTable, asyncio.TimerHandle] = {}

    def consider(self, loaded: LoadedTable) -> None:
        """Set the timer anew after a change."""
        table = loaded.table
        old = self.timers.pop(loaded, None)
        if old is not None:
            old.cancel()
            loaded.watchers -= 1
        if table.clocks.runs and not table.chooser_is_computer and self.level_for(table) is not None:
            due = table.thinking_since + table.clocks.allowance() - now_ms()
            loop = asyncio.get_running_loop()
            loaded.watchers += 1  # a table with a timer stays in memory
            self.timers[loaded] = loop.call_later(max(0, due) / 1000 + 0.01, self._ring, loaded)

    def _ring(self, loaded: LoadedTable) -> None:
        del self.timers[loaded]
        loaded.watchers -= 1
        self.registry.spawn(self._time_is_up(loaded, loaded.table.chooser))

    async def _time_is_up(self, loaded: LoadedTable, seat: int) -> None:
        try:
            await self.registry.change(loaded, lambda table, now: self._decide(table, now, seat))
        except Refused as error:
            log.info("a clock ran out but nothing was done", extra={"table": loaded.table.id, "why": error.code})

    def _decide(self, table: Table, now: int, seat: int) -> Change:
        """Nothing, if the person was quicker after all."""
        late = table.clocks.runs and now - table.thinking_since >= table.clocks.allowance()
        if not late or table.chooser != seat or table.chooser_is_computer:
            return Change()
        return decide.leave(table, seat, "time", now, self.level_for(table))

    def stop(self) -> None:
        for timer in self.timers.values():
            timer.cancel()
        self.timers.clear()
