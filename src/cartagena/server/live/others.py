"""What the registry needs to know about the other servers of its database. ``Sharing`` knows it."""

from collections.abc import Iterable
from typing import Protocol

from .live_table import LoadedTable


class OtherServers(Protocol):
    """The other servers, which may change any table at any time."""

    since: int
    """When the oldest living server began, in the database's time."""

    @property
    def hears_all(self) -> bool:
        """Whether every living server has said lately who is online there."""

    async def catch_up(self, loaded: LoadedTable) -> bool:
        """Apply what other servers have written. Returns whether there was anything. The caller holds the lock."""

    async def check(self, loaded: LoadedTable) -> None:
        """Make sure that a table in memory is as new as the database. Raises StorageError if that cannot be known."""

    async def check_all(self, table_ids: Iterable[str]) -> None:
        """As ``check``, for those of the tables that are in memory, with one question."""

    def cares(self, loaded: LoadedTable) -> bool:
        """Whether this server runs the computers and timers of a table."""

    def stand_by(self, loaded: LoadedTable) -> float:
        """Seconds by which the timers of a table are late, because another server cares for it."""

    def told(self, loaded: LoadedTable) -> None:
        """Tell the other servers that this one has changed a table."""
