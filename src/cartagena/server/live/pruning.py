"""Removal of old tables: finished ones, ones that never started and abandoned games, each after its own time.

A table is marked first and removed a day later if it is still old. A run marks and removes a small share of all tables,
and nothing at all where the clock cannot be trusted. A table in memory, and so one with a viewer, is left alone.
"""

import logging
from typing import Final

from ..metrics import PRUNED
from ..settings import Settings
from ..storage.peers import turn
from ..tasks import repeat
from .live_table import now_ms, wall_ms
from .registry import TableRegistry

log = logging.getLogger("cartagena.pruning")
DAY: Final = 86_400_000
PAUSE: Final = 3600.0
PRUNING_LOCK: Final = 0x0CA27A71
WAIT: Final = DAY
"""Milliseconds between the mark and the removal of a table."""
FAR: Final = 2 * DAY
"""Milliseconds past the newest change of any table after which the clock is not trusted."""
JUMP: Final = 3_600_000
"""Milliseconds by which the wall clock may differ from the steady clock within a run."""
SHARE: Final = 0.05
FEWEST: Final = 20
"""A run takes this share of all tables, and this many where the share is smaller."""


def limits(settings: Settings, now: int) -> dict[str, int]:
    """For each stage, the time before which the last event must lie. A setting of 0 keeps all tables."""
    days = {
        "over": settings.keep_finished_days,
        "waiting": settings.keep_waiting_days,
        "playing": settings.keep_idle_days,
    }
    return {stage: now - int(value * DAY) for stage, value in days.items() if value > 0}


class Pruning:
    """Removes old tables through the registry."""

    def __init__(self, registry: TableRegistry) -> None:
        self.registry = registry
        self.offset = wall_ms() - now_ms()

    def distrust(self, now: int, newest: int) -> str | None:
        """Why the clock cannot be trusted, or None if it can."""
        if abs(now - now_ms() - self.offset) > JUMP:
            return "the clock of the system was set while the server ran"
        if now - newest > FAR:
            return "the clock is far past the newest change of any table"
        return None

    async def prune(self) -> None:
        """Mark old tables, and remove those that were marked a day ago and are still old. One server does it."""
        if self.registry.sharing is not None:
            await self._keep_watched()
        async with turn(self.registry.database, PRUNING_LOCK) as ours:
            if ours:
                await self._prune()

    async def _keep_watched(self) -> None:
        """Take the marks from tables that are watched at this server: another one may be about to remove them."""
        for table_id in await self.registry.database.marked_tables():
            live = self.registry.tables.peek(table_id)
            if live is not None and live.viewers > 0:
                await self.registry.mark(table_id, None)

    async def _prune(self) -> None:
        registry, now = self.registry, wall_ms()
        number, newest = await registry.database.extent()
        if not number:
            return
        why = self.distrust(now, newest)
        if why is not None:
            log.warning("no table was removed", extra={"why": why})
            return
        most = max(FEWEST, int(number * SHARE))
        old = await registry.database.old_tables(limits(registry.settings, now))
        due = [table_id for table_id, marked in old.items() if marked is not None and now - WAIT >= marked]
        removed = [table_id for table_id in due[:most] if await registry.remove(table_id)]
        fresh = [table_id for table_id, marked in old.items() if marked is None or marked > now]
        for table_id in fresh[:most]:
            await registry.mark(table_id, now)
        for table_id in await registry.database.marked_tables():
            if table_id not in old:
                await registry.mark(table_id, None)
        if removed:
            PRUNED.inc(len(removed))
            log.info("old tables removed", extra={"tables": len(removed)})

    async def prune_hourly(self) -> None:
        """Remove old tables now and every hour, whatever goes wrong."""
        await repeat(self.prune, PAUSE, "old tables could not be removed")
