"""What is kept and when it is deleted: names, talk and tokens when their holder asks, tables when they are old.

Moves, deals and the randomness of each chair stay: the records of the other players are proved with them, and without
names they tell nothing about a person. Names are no part of a commitment, so every record still verifies.

Old tables are finished ones, ones that never started and abandoned games, each after its own time. A table is marked
first and removed a day later if it is still old. A run marks and removes a small share of all tables, and nothing at
all where the clock cannot be trusted. A table in memory, and so one with a viewer, is left alone.
"""

import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from ..metrics import PRUNED
from ..protocol.errors import Refused
from ..protocol.requests import RemovePerson
from ..settings import Settings
from ..storage.database import StorageError
from ..storage.peers import turn
from ..storage.rows import Key, PlainWrite
from ..storage.schema import LOOSE_CONTACTS, LOOSE_LINKS, LOOSE_WEBHOOKS
from ..tables import decide
from ..tables.clocks import Moment
from ..tables.decide import Change
from ..tables.events import Cancelled, Forgotten, Joined, Moved, Removed, Resigned, Talked, nameless
from ..tables.state import Event, Table
from ..tables.tokens import Requester, find, seat_key
from ..tasks import repeat
from . import seating
from .live_table import LiveTable, now_ms, wall_ms
from .registry import TableRegistry
from .seating import all_held

log = logging.getLogger("cartagena.pruning")
DAY: Final = 86_400_000
PAUSE: Final = 3600.0
PRUNING_LOCK: Final = 0x0CA27A71
WAIT: Final = DAY
"""Milliseconds between the mark and the removal of a table."""
POST_DAYS: Final = 30.0
"""Days for which a table by post waits for its people at least."""
FAR: Final = 2 * DAY
"""Milliseconds past the newest change of any table after which the clock is not trusted."""
JUMP: Final = 3_600_000
"""Milliseconds by which the wall clock may differ from the steady clock within a run."""
SHARE: Final = 0.05
FEWEST: Final = 20
"""A run takes this share of all tables, and this many where the share is smaller."""


def kept_at(table: Table, chairs: Sequence[int], key: Key | None, *, earlier: bool = False) -> dict[str, object]:
    """What a table keeps about the people of some chairs; ``earlier``: also about all who sat there before."""
    seats = [table.seat_of(chair) for chair in chairs]
    words = [event for event in table.words_of(chairs, earlier=earlier) if event.says]
    talk = [event for event in words if isinstance(event, Talked)]
    return {
        "table": table.id,
        "created": table.created,
        "rules": table.setup.rules,
        "stage": table.stage,
        "seats": [
            {"seat": seat, "name": table.chairs[chair - 1].name, "salt": table.chairs[chair - 1].salt}
            for seat, chair in zip(seats, chairs, strict=True)
        ],
        "names": sorted({event.name for event in words if isinstance(event, Joined)}),
        "talk": [{"seq": event.number, "at": event.at, "text": event.text} for event in talk],
        "moves": sum(isinstance(event, Moved) and event.seat in seats for event in table.events),
        "token": None if key is None else {"kept": "SHA-256", "host": key.host},
    }


async def kept_about(registry: TableRegistry, live: LiveTable, token: str) -> list[dict[str, object]]:
    """What is kept about the holder of a token, at this table and at its rematches."""
    kept = []
    async with all_held(registry, live, token) as tables:
        for each in tables:
            key = find(each.table.keys, token, "seat")
            if key is not None:
                kept.append(kept_at(each.table, key.chairs, key))
    return kept


async def forget(registry: TableRegistry, live: LiveTable, token: str) -> int:
    """Delete what is kept about the holder of a token, at this table and at its rematches, and revoke the token.

    The seats of a game in progress are left to the computer. A table that has not started loses the person, and is
    closed if that is the host. It is done at all tables or at none. Returns the number of tables.
    """
    async with all_held(registry, live, token) as tables:  # a rematch that is being set up copies names and keys
        await _forget_at(registry, tables, token)
    if registry.sharing is None:
        return len(tables)
    async with all_held(registry, live, token) as late:  # rematches that another server has set up meanwhile
        await _forget_at(registry, late[1:], token)
    return len(tables) + len(late) - 1


async def _forget_at(registry: TableRegistry, tables: Sequence[LiveTable], token: str) -> None:
    await registry.change_together(tables, lambda table, now: _forgotten(table, token, now, registry.level_for(table)))


async def forget_chair(registry: TableRegistry, live: LiveTable, chair: int) -> None:
    """Delete what is kept about the person of a chair and about all who sat there before; for the operator."""

    def proposal(table: Table, now: Moment) -> Change:
        chairs, keys = chairs_with(table, chair), table.keys_to(chair)
        return forgetting(table, chairs, keys, now, registry.level_for(table), earlier=True)

    await registry.change(live, proposal)


async def end_devices(registry: TableRegistry, before: int) -> None:
    """Forget devices and mail addresses, made before a time, of tokens that hold no seat any more, as a renewal does.

    Webhooks of tables without a host go with them.
    """
    loose = PlainWrite([(LOOSE_LINKS, [{"before": 0}]), (LOOSE_CONTACTS, [{"before": before}]), (LOOSE_WEBHOOKS, [{}])])
    with suppress(StorageError):  # an hourly look finds them too
        await registry.writes.write(loose)


def chairs_with(table: Table, chair: int) -> tuple[int, ...]:
    """All chairs of the person who holds a chair; the chair itself where a person sat there before."""
    exists = 1 <= chair <= table.seats
    if not exists or (table.chairs[chair - 1].kind == "computer" and not table.words_of([chair], earlier=True)):
        raise Refused("malformed", f"No person sits on chair {chair} of table {table.id}.")
    held = table.keys_to(chair)
    return held[0].chairs if held else (chair,)


def _forgotten(table: Table, token: str, now: Moment, level: str | None) -> Change:
    key = seat_key(table.keys, token)
    return forgetting(table, key.chairs, [key], now, level)


def forgetting(
    table: Table, chairs: Sequence[int], keys: Sequence[Key], now: Moment, level: str | None, *, earlier: bool = False
) -> Change:
    """The change that deletes the words of the people of some chairs, or of all who ever sat there, and their keys."""
    change = Change(revoked=[key.number for key in keys])
    change.add(table, now, Forgotten(list(chairs), earlier))
    change.setup = nameless(table.setup, chairs)
    for event in table.words_of(chairs, earlier=earlier):
        change.rewritten.append(replace(event))
        change.rewritten[-1].hush()
    if table.stage == "waiting" and any(key.host for key in keys):
        return change.add(table, now, Cancelled())
    if table.stage == "waiting":
        for chair in chairs:
            if table.chairs[chair - 1].taken and table.chairs[chair - 1].kind == "person":
                change.add(table, now, Removed(chair))
    if table.stage == "playing":
        for event in _left(table, [each for each in chairs if table.chairs[each - 1].kind == "person"], now, level):
            change.add(table, now, event)
    return change


def _left(table: Table, chairs: Sequence[int], now: Moment, level: str | None) -> Sequence[Event]:
    """The events that give the seats of a game in progress to the computer, or end it where there is none."""
    seats = sorted(map(table.seat_of, chairs))
    standing = sum(not chair.resigned for chair in table.chairs)
    if level is None and standing == 2:
        resigning = [seat for seat in seats if not table.chair(seat).resigned]
        return decide.all_of(table, now, [Resigned(seat, None) for seat in resigning[:1]]).events
    return decide.leave(table, seats, "left", now, level).events


def remove(table: Table, who: Requester, want: RemovePerson, now: Moment) -> Change:
    """Remove the person who holds a chair from a table that has not started, and delete that person's words on request.

    The token is revoked.
    """
    change = seating.remove(table, who, want.seat, now)
    if not want.forget:
        return change
    [key] = table.keys_to(want.seat)
    return forgetting(table, key.chairs, [key], now, None)


# --- old tables


def limits(settings: Settings, now: int) -> dict[str, int]:
    """For each stage, the time before which a table's last event makes it old. A setting of 0 keeps all tables."""
    days = {
        "over": settings.keep_finished_days,
        "waiting": settings.keep_waiting_days,
        "waiting post": max(POST_DAYS, settings.keep_waiting_days) if settings.keep_waiting_days else 0,
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
