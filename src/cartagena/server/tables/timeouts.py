"""Seats of people who have vanished: at a table without a clock the computer takes over while somebody waits for them.

Who comes back takes the seat back. A game that nobody else is waiting in goes on whenever its people like.
"""

import asyncio
import logging
from collections.abc import Callable

from ..protocol.errors import Refused
from . import decide
from .decide import Change
from .registry import Hall, Seated
from .state import Table

log = logging.getLogger("cartagena.absence")


def patience(table: Table, setting: float) -> float:
    """How many seconds an absent person is waited for; 0: for ever."""
    return setting if table.setup.absence is None else table.setup.absence


class AbsenceWatch:
    """A timer for each table whose chooser is not there while another person is."""

    def __init__(self, hall: Hall, level_for: Callable[[Table], str | None]) -> None:
        self.hall = hall
        self.level_for = level_for
        self.timers: dict[Seated, asyncio.TimerHandle] = {}

    def consider(self, seated: Seated) -> None:
        """Set the timer anew after a change, or after somebody came or went."""
        old = self.timers.pop(seated, None)
        if old is not None:
            old.cancel()
        if self.is_awaited(seated):
            left = self.patience(seated) - seated.away_for(self.chair(seated))
            loop = asyncio.get_running_loop()
            self.timers[seated] = loop.call_later(max(0.0, left) + 0.01, self._ring, seated)

    def chair(self, seated: Seated) -> int:
        return seated.table.order[seated.table.chooser - 1]

    def patience(self, seated: Seated) -> float:
        return patience(seated.table, self.hall.settings.absent_seconds)

    def is_awaited(self, seated: Seated) -> bool:
        """Whether a person who is not there must choose, and another one waits."""
        table = seated.table
        if table.chooser == 0 or table.chooser_is_computer or table.setup.clock.kind != "none":
            return False
        here = seated.teller.online
        return bool(here) and self.chair(seated) not in here and self.patience(seated) > 0

    def _ring(self, seated: Seated) -> None:
        del self.timers[seated]
        if seated.away_for(self.chair(seated)) < self.patience(seated):
            self.consider(seated)  # seen meanwhile, by a plain request
        else:
            self.hall.spawn(self._take_over(seated, seated.table.chooser))

    async def _take_over(self, seated: Seated, seat: int) -> None:
        try:
            await self.hall.change(seated, lambda table, now: self._decide(seated, table, now, seat))
        except Refused as error:
            log.info("an absent person was not replaced", extra={"table": seated.table.id, "why": error.code})

    def _decide(self, seated: Seated, table: Table, now: int, seat: int) -> Change:
        """Nothing, if the person is there after all."""
        if table.chooser != seat or not self.is_awaited(seated):
            return Change()
        return decide.leave(table, seat, "left", now, self.level_for(table))

    def stop(self) -> None:
        for timer in self.timers.values():
            timer.cancel()
        self.timers.clear()
