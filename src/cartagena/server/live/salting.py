"""The wait for salts: the deal comes when every person has added randomness, or when the time for it is over."""

import asyncio
import logging

from ..protocol.errors import Refused
from ..tables import decide
from ..tables.clocks import Moment
from ..tables.decide import Change
from ..tables.state import Table
from .live_table import LoadedTable
from .registry import TableRegistry

log = logging.getLogger("cartagena.salting")


class SaltDeadlines:
    """One timer for each full table that waits for salts. It starts anew if a person leaves and another one comes."""

    def __init__(self, registry: TableRegistry) -> None:
        self.registry = registry
        self.timers: dict[LoadedTable, asyncio.TimerHandle] = {}

    def consider(self, loaded: LoadedTable) -> None:
        """Start or stop the timer after a change of the table."""
        waits = not loaded.gone and loaded.table.is_full and bool(loaded.table.unsalted) and not loaded.salts_over
        if waits and loaded not in self.timers:
            loaded.watchers += 1  # a table with a timer stays in memory
            seconds = float(loaded.table.setup.salts or 0)
            self.timers[loaded] = asyncio.get_running_loop().call_later(seconds, self._fire, loaded)
        elif not waits and (timer := self.timers.pop(loaded, None)) is not None:
            timer.cancel()
            loaded.watchers -= 1
        if not loaded.table.is_full:
            loaded.salts_over = False

    def _fire(self, loaded: LoadedTable) -> None:
        del self.timers[loaded]
        loaded.watchers -= 1
        loaded.salts_over = True
        self.registry.spawn(self._deal(loaded))

    async def _deal(self, loaded: LoadedTable) -> None:
        def proposal(table: Table, now: Moment) -> Change:
            return decide.deal_if_full(table, Change(), now, salts_over=loaded.salts_over)

        try:
            await self.registry.change(loaded, proposal)
        except Refused as error:
            log.info("a table was not dealt", extra={"table": loaded.table.id, "why": error.code})

    def stop(self) -> None:
        """Cancel all timers."""
        for timer in self.timers.values():
            timer.cancel()
        self.timers.clear()
