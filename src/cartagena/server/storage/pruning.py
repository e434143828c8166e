"""Old tables are removed: finished ones, ones that never started, and abandoned games, each after its own time."""

import asyncio
import logging
from typing import Final

from ..metrics import PRUNED
from ..settings import Settings
from ..tables.registry import TableRegistry, now_ms
from .database import StoreError

log = logging.getLogger("cartagena.pruning")
DAY: Final = 86_400_000
PAUSE: Final = 3600.0


def limits(settings: Settings, now: int) -> dict[str, int]:
    """For each stage the moment before which the last event must lie; a setting of 0 keeps everything."""
    days = {
        "over": settings.keep_finished_days,
        "waiting": settings.keep_waiting_days,
        "playing": settings.keep_idle_days,
    }
    return {stage: now - int(value * DAY) for stage, value in days.items() if value > 0}


async def prune_once(registry: TableRegistry, settings: Settings) -> int:
    removed = await registry.store.prune(limits(settings, now_ms()))
    PRUNED.inc(removed)
    if removed:
        log.info("old tables removed", extra={"tables": removed})
    return removed


async def prune_for_ever(registry: TableRegistry, settings: Settings) -> None:
    while True:
        try:
            while await prune_once(registry, settings):
                await asyncio.sleep(0.1)
        except StoreError as error:
            log.warning("old tables could not be removed", extra={"why": str(error)})
        await asyncio.sleep(PAUSE)
