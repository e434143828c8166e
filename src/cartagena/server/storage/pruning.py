"""Removal of old tables: finished ones, ones that never started and abandoned games, each after its own time."""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final

from ..metrics import PRUNED
from ..settings import Settings
from .database import Database, StorageError

log = logging.getLogger("cartagena.pruning")
DAY: Final = 86_400_000
PAUSE: Final = 3600.0


def limits(settings: Settings, now: int) -> dict[str, int]:
    """For each stage, the time before which the last event must lie. A setting of 0 keeps all tables."""
    days = {
        "over": settings.keep_finished_days,
        "waiting": settings.keep_waiting_days,
        "playing": settings.keep_idle_days,
    }
    return {stage: now - int(value * DAY) for stage, value in days.items() if value > 0}


async def prune(database: Database, settings: Settings, removed: Callable[[str], None]) -> None:
    """Remove all old tables and call ``removed`` with each id."""
    while found := await database.prune(limits(settings, time.time_ns() // 1_000_000)):
        for table_id in found:
            removed(table_id)
        PRUNED.inc(len(found))
        log.info("old tables removed", extra={"tables": len(found)})
        await asyncio.sleep(0.1)


async def prune_hourly(database: Database, settings: Settings, removed: Callable[[str], None]) -> None:
    """Remove old tables now and every hour, whatever goes wrong."""
    while True:
        try:
            await prune(database, settings, removed)
        except StorageError as error:
            log.warning("old tables could not be removed", extra={"why": str(error)})
        except Exception:
            log.exception("old tables could not be removed")
        await asyncio.sleep(PAUSE)
