"""Seats of people who have vanished: at a table without a clock the computer takes over while somebody waits for them.

Who comes back takes the seat back. A game that nobody else is waiting in goes on whenever its people like.
"""

import asyncio
import logging
from collections.abc import Callable

from ..protocol.errors import Refused
from . import decide
from .decide import Change
from .registry import LoadedTable, TableRegistry
from .state import Table

log = logging.getLogger("cartagena.absence")


def patience(table: Table, setting: float) -> float:
    """How many seconds an absent person is waited for; 0: for ever."""
    return setting if table.setup.absence is None else table.setup.absence


class AbsenceWatch:
    """A timer for each table whose chooser is not there while another person is."""

    def __init__(self, registry: TableRegistry, level_for: Callable[[Table], str | None]) -> None:
        self.registry = registry
        self.level_for = level_for
        self.timers: dict[LoadedTable, asyncio.TimerHandle] = {}

    def consider(self, loaded: LoadedTable) -> None:
        """Set the timer anew after a change, or after somebody came or went."""
        old = self.timers.pop(loaded, None)
        if old is not None:
            old.cancel()
        if self.is_awaited(loaded):
            left = self.patience(loaded) - loaded.away_for(self.chair(loaded))
            loop = asyncio.get_running_loop()
            self.timers[loaded] = loop.call_later(max(0.0, left) + 0.01, self._ring, loaded)

    def chair(self, loaded: LoadedTable) -> int:
        return loaded.table.order[loaded.table.chooser - 1]

    def patience(self, loaded: LoadedTable) -> float:
        return patience(loaded.table, self.registry.settings.absent_seconds)

    def is_awaited(self, loaded: LoadedTable) -> bool:
        """Whether a person who is not there must choose, and another one waits."""
        table = loaded.table
        if table.chooser == 0 or table.chooser_is_computer or table.setup.clock.kind != "none":
            return False
        here = loaded.updates.online
        return bool(here) and self.chair(loaded) not in here and self.patience(loaded) > 0

    def _ring(self, loaded: LoadedTable) -> None:
        del self.timers[loaded]
        if loaded.away_for(self.chair(loaded)) < self.patience(loaded):
            self.consider(loaded)  # seen meanwhile, by a plain request
        else:
            self.registry.spawn(self._take_over(loaded, loaded.table.chooser))

    async def _take_over(self, loaded: LoadedTable, seat: int) -> None:
        try:
            await self.registry.change(loaded, lambda table, now: self._decide(loaded, table, now, seat))
        except Refused as error:
            log.info("an absent person was not replaced", extra={"table": loaded.table.id, "why": error.code})

    def _decide(self, loaded: LoadedTable, table: Table, now: int, seat: int) -> Change:
        """Nothing, if the person is there after all."""
        if table.chooser != seat or not self.is_awaited(loaded):
            return Change()
        return decide.leave(table, seat, "left", now, self.level_for(table))

    def stop(self) -> None:
        for timer in self.timers.values():
            timer.cancel()
        self.timers.clear()
