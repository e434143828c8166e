"""A table in memory: its state, its subscribers, who is present and how many hold it, and who is told about it."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final, Protocol

from ..tables.state import Table
from ..tables.tokens import Requester
from ..tables.updates import UpdateBuilder

LONG: Final = 500  # events of a game that takes the memory of another table
LOOKED: Final = 40.0
"""Seconds for which a table counts as watched after a look: a client that waits for news asks every 30 seconds."""


def now_ms() -> int:
    """Milliseconds of the steady clock. Only differences within one run of the program mean something."""
    return time.monotonic_ns() // 1_000_000


def wall_ms() -> int:
    """Milliseconds since 1970 by the clock of the system, which may be set forward or back at any time."""
    return time.time_ns() // 1_000_000


class TableObserver:
    """A part that acts on what happens at tables. Connected in ``app``; a subclass overrides what it needs.

    The methods must not wait. Work that outlasts a call takes a lease of its own with ``registry.hold``.
    """

    def changed(self, live: "LiveTable") -> None:
        """A table was loaded, changed, found to be removed, or watched at another server."""

    def written(self, live: "LiveTable") -> None:
        """This server has stored a change of a table."""

    def presence_changed(self, live: "LiveTable") -> None:
        """A person has come online or gone offline, at any server."""

    def viewers_changed(self, live: "LiveTable") -> None:
        """A socket or stream was opened or closed at this server."""

    def looked_at(self, live: "LiveTable") -> None:
        """A client has asked about a table."""

    def address_changed(self, live: "LiveTable") -> None:
        """A player uses another address."""

    def seat_taken(self, address: str, table_id: str) -> None:
        """An address has taken a seat that needs no invitation."""

    def table_listed(self, address: str, table_id: str) -> None:
        """An address has set up a table in the lobby."""


class Subscriber(Protocol):
    """A socket that is pushed to on every change."""

    def tell(self) -> None: ...


class LiveTable:
    """The one object of a table in this process. It outlives its contents: they are replaced where they may be wrong.

    ``table`` and ``updates`` are there from the first ``fill`` on, which every lease waits for. ``bell`` is set at
    every change and then replaced.
    """

    table: Table
    updates: UpdateBuilder

    def __init__(self, table_id: str, observer: TableObserver) -> None:
        self.id = table_id
        self.observer = observer
        self.leases = 0
        self.is_stale = True
        """Whether the contents must be read from the database before the next change."""
        self.is_filled = False
        self.is_gone = False
        """Whether the table was removed from the database."""
        self.filling: asyncio.Task[None] | None = None
        self.writing: asyncio.Event | None = None
        """Set when the write of a change is over whose task was cancelled."""
        self.failures = 0
        """How often in a row the contents became stale, for the pause before they are read again."""
        self.lock = asyncio.Lock()
        self.rematch_lock = asyncio.Lock()
        self.bell = asyncio.Event()
        self.viewers = 0
        """Sockets and streams."""
        self.elsewhere: frozenset[int] = frozenset()
        """Chairs that are online at other servers."""
        self.salts_over = False
        """Whether the time to add randomness is over."""
        self.connections: Counter[int] = Counter()
        self.sockets: set[Subscriber] = set()
        self.loaded_at = time.monotonic()
        self.seen: dict[int, float] = {}
        self.seated_from: dict[int, str] = {}
        """The address from which each token was last used, by the number of the key."""
        self.seated_elsewhere: tuple[str, ...] = ()
        """Addresses of players at other servers."""
        self.looked_at = time.monotonic()

    def fill(
        self,
        table: Table,
        until_takeover: "Callable[[LiveTable], float | None]",
        until_due: "Callable[[LiveTable], int | None]",
    ) -> None:
        """Take over the contents, for the first time or again."""
        online = self.updates.online if self.is_filled else frozenset()
        hurried = self.updates.hurried if self.is_filled else None
        self.table, self.updates = table, UpdateBuilder(table)
        self.updates.hurried = hurried
        self.updates.online, self.updates.until_takeover = online, partial(until_takeover, self)
        self.updates.until_due = partial(until_due, self)
        self.is_filled, self.is_stale = True, False

    @property
    def size(self) -> int:
        """How much memory the table takes: a long game counts as several tables."""
        return 1 + self.table.seq // LONG

    def sit_at(self, address: str, key: int) -> None:
        """Note the address of the player who holds a key."""
        if self.seated_from.get(key) != address:
            self.seated_from[key] = address
            self.observer.address_changed(self)

    @property
    def addresses(self) -> tuple[str, ...]:
        """Addresses of the players. The computers' time at the table is charged to them."""
        return tuple({*self.seated_from.values(), *self.seated_elsewhere})

    def ring(self) -> None:
        """Wake all subscribers."""
        old, self.bell = self.bell, asyncio.Event()
        old.set()
        if self.sockets:
            self.updates.tell_all([viewer.tell for viewer in self.sockets])

    def note(self, who: Requester) -> Requester:
        """Note that the requester is here now."""
        self.looked_at = time.monotonic()
        self.seen.update(dict.fromkeys(who.chairs, self.looked_at))
        self.observer.looked_at(self)
        return who

    @property
    def was_looked_at(self) -> bool:
        """Whether a client asked about the table lately."""
        return time.monotonic() - self.looked_at < LOOKED

    def away_for(self, chair: int) -> float:
        """Seconds since the person of a chair was last seen."""
        return time.monotonic() - self.seen.get(chair, self.loaded_at)

    def come(self, who: Requester) -> None:
        """Add a socket or stream."""
        self.viewers += 1
        self.connections.update(who.chairs)
        self._show_online()
        self.observer.viewers_changed(self)

    def go(self, who: Requester) -> None:
        """Remove a socket or stream."""
        self.viewers -= 1
        self.connections.subtract(who.chairs)
        self.note(who)
        self._show_online()
        self.observer.viewers_changed(self)

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
            self.observer.presence_changed(self)


log = logging.getLogger("cartagena.tables")


class Observers(TableObserver):
    """All observers as one. An error in one of them is logged and reaches neither the others nor a request."""

    def __init__(self) -> None:
        self.calls: dict[Callable[..., None], list[Callable[..., None]]] = {}
        """By method of ``TableObserver`` those of the observers that do something then."""

    def connect(self, *observers: TableObserver) -> None:
        """Add observers, which are called in this order."""
        for observer in observers:
            for name, nothing in vars(TableObserver).items():
                if not name.startswith("_") and getattr(type(observer), name) is not nothing:
                    self.calls.setdefault(nothing, []).append(getattr(observer, name))

    def changed(self, live: LiveTable) -> None:
        self._tell(TableObserver.changed, live.id, live)

    def written(self, live: LiveTable) -> None:
        self._tell(TableObserver.written, live.id, live)

    def presence_changed(self, live: LiveTable) -> None:
        self._tell(TableObserver.presence_changed, live.id, live)

    def viewers_changed(self, live: LiveTable) -> None:
        self._tell(TableObserver.viewers_changed, live.id, live)

    def looked_at(self, live: LiveTable) -> None:
        self._tell(TableObserver.looked_at, live.id, live)

    def address_changed(self, live: LiveTable) -> None:
        self._tell(TableObserver.address_changed, live.id, live)

    def seat_taken(self, address: str, table_id: str) -> None:
        self._tell(TableObserver.seat_taken, table_id, address, table_id)

    def table_listed(self, address: str, table_id: str) -> None:
        self._tell(TableObserver.table_listed, table_id, address, table_id)

    def _tell(self, what: Callable[..., None], table_id: str, *about: object) -> None:
        for call in self.calls.get(what, ()):
            try:
                call(*about)
            except Exception:
                log.exception("a table was not taken care of", extra={"table": table_id})


class OtherServers(Protocol):
    """The other servers of the database, which may change any table at any time. ``Sharing`` knows them."""

    since: int
    """When the oldest living server began, in the database's time."""

    @property
    def hears_all(self) -> bool:
        """Whether every living server has said lately who is online there."""

    async def catch_up(self, live: LiveTable) -> bool:
        """Apply what other servers have written. Returns whether there was anything. The caller holds the lock."""

    async def check(self, live: LiveTable) -> None:
        """Make sure that a table in memory is as new as the database. Raises StorageError if that cannot be known."""

    async def check_all(self, table_ids: Iterable[str]) -> None:
        """As ``check``, for those of the tables that are in memory, with one question."""

    def cares(self, live: LiveTable) -> bool:
        """Whether this server runs the computers and timers of a table."""

    def stand_by(self, live: LiveTable) -> float:
        """Delay before this server runs a timer of a table that another server looks after, in seconds."""
