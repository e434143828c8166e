"""What the registry tells its observers about the tables in memory, and what it asks about the other servers."""

import logging
from collections.abc import Callable, Iterable
from typing import Protocol

from .live_table import LiveTable, TableObserver

log = logging.getLogger("cartagena.tables")


class Observers(TableObserver):
    """All observers as one. An error in one of them is logged and reaches neither the others nor a request."""

    def __init__(self) -> None:
        self.connected: list[TableObserver] = []

    def connect(self, *observers: TableObserver) -> None:
        """Add observers, which are called in this order."""
        self.connected += observers

    def changed(self, live: LiveTable) -> None:
        self._tell(live.id, lambda observer: observer.changed(live))

    def written(self, live: LiveTable) -> None:
        self._tell(live.id, lambda observer: observer.written(live))

    def presence_changed(self, live: LiveTable) -> None:
        self._tell(live.id, lambda observer: observer.presence_changed(live))

    def viewers_changed(self, live: LiveTable) -> None:
        self._tell(live.id, lambda observer: observer.viewers_changed(live))

    def looked_at(self, live: LiveTable) -> None:
        self._tell(live.id, lambda observer: observer.looked_at(live))

    def seat_taken(self, address: str, table_id: str) -> None:
        self._tell(table_id, lambda observer: observer.seat_taken(address, table_id))

    def table_listed(self, address: str, table_id: str) -> None:
        self._tell(table_id, lambda observer: observer.table_listed(address, table_id))

    def _tell(self, table_id: str, call: Callable[[TableObserver], None]) -> None:
        for observer in self.connected:
            try:
                call(observer)
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
        """Seconds by which the timers of a table are late, because another server cares for it."""
