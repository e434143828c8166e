"""A table in memory, with its subscribers and who is present."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable
from typing import Final, Protocol

from ..tables.state import Table
from ..tables.tokens import Requester
from ..tables.updates import UpdateBuilder

log = logging.getLogger("cartagena.tables")
LONG: Final = 500  # events of a game that takes the memory of another table
LOOKED: Final = 40.0
"""Seconds for which a table counts as watched after a look: a client that waits for news asks every 30 seconds."""


def ignore(_loaded: "LoadedTable") -> None:
    """No-op default callback."""


def never(_loaded: "LoadedTable") -> float | None:
    """Default callback where no computer takes over."""
    return None


def call_safely(hook: "Callable[[LoadedTable], None]", loaded: "LoadedTable") -> None:
    """Call a background part for a table. Its errors are logged and harm no request."""
    try:
        hook(loaded)
    except Exception:
        log.exception("a table was not taken care of", extra={"table": loaded.table.id})


class Subscriber(Protocol):
    """A socket that is pushed to on every change."""

    def tell(self) -> None: ...


class LoadedTable:
    """A table in memory with its subscribers. ``bell`` is set at every change and then replaced."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.updates = UpdateBuilder(table)
        self.lock = asyncio.Lock()
        self.rematch_lock = asyncio.Lock()
        self.bell = asyncio.Event()
        self.watchers = 0
        """Viewers, timers and tasks that keep the table in memory."""
        self.viewers = 0
        """Sockets and streams."""
        self.elsewhere: frozenset[int] = frozenset()
        """Chairs that are online at other servers."""
        self.gone = False
        self.salts_over = False
        """Whether the time to add randomness is over."""
        self.connections: Counter[int] = Counter()
        self.live: set[Subscriber] = set()
        self.loaded_at = time.monotonic()
        self.seen: dict[int, float] = {}
        self.owner = ""
        """Owner of the computers' time that the table uses: the players' address, or the table if they differ."""
        self.looked_at = time.monotonic()
        self.on_presence: Callable[[LoadedTable], None] = ignore
        self.on_look: Callable[[LoadedTable], None] = ignore
        self.on_viewers: Callable[[LoadedTable], None] = ignore

    def belong_to(self, address: str) -> None:
        """Note the address of a seated player. With several addresses the table has a share of its own."""
        if self.owner not in (address, self.table.id):
            self.owner = self.table.id if self.owner else address

    def ring(self) -> None:
        """Wake all subscribers."""
        old, self.bell = self.bell, asyncio.Event()
        old.set()
        for viewer in tuple(self.live):
            viewer.tell()

    def note(self, who: Requester) -> Requester:
        """Note that the requester is here now."""
        self.looked_at = time.monotonic()
        self.seen.update(dict.fromkeys(who.chairs, self.looked_at))
        call_safely(self.on_look, self)
        return who

    @property
    def was_looked_at(self) -> bool:
        """Whether a client asked about the table lately."""
        return time.monotonic() - self.looked_at < LOOKED

    def away_for(self, chair: int) -> float:
        """Seconds since the person of a chair was last seen."""
        return time.monotonic() - self.seen.get(chair, self.loaded_at)

    def come(self, who: Requester) -> None:
        """Add a watcher."""
        self.watchers += 1
        self.viewers += 1
        self.connections.update(who.chairs)
        self._show_online()
        self.on_viewers(self)

    def go(self, who: Requester) -> None:
        """Remove a watcher."""
        self.watchers -= 1
        self.viewers -= 1
        self.connections.subtract(who.chairs)
        self.note(who)
        self._show_online()
        self.on_viewers(self)

    @property
    def online_here(self) -> frozenset[int]:
        """The chairs with a socket or stream at this server."""
        return frozenset(chair for chair, number in self.connections.items() if number > 0)

    def show_elsewhere(self, chairs: frozenset[int]) -> None:
        """Show which chairs are online at other servers."""
        left, self.elsewhere = self.elsewhere - chairs, chairs
        self.seen.update(dict.fromkeys(left, time.monotonic()))
        self._show_online()

    def _show_online(self) -> None:
        online = self.online_here | self.elsewhere
        if online != self.updates.online:
            self.updates.online = online
            self.ring()
            self.on_presence(self)

    @property
    def idle(self) -> bool:
        return self.watchers == 0 and not self.lock.locked()


def weight(loaded: LoadedTable) -> int:
    """How much memory a table takes: long games count as several tables."""
    return 1 + loaded.table.seq // LONG
