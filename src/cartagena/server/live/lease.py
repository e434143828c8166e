"""Leases: who holds a table in memory. What has no lease may be dropped, and nothing else is.

There is one ``LiveTable`` for each table id, from the first lease until it is dropped without any. Two copies of a
table cannot exist: a second one would need the first to be forgotten while it is held.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from types import TracebackType

from ..metrics import CACHED
from .live_table import LiveTable


class Lease:
    """A claim on a table in memory, released once by its owner or at the end of a ``with`` block."""

    __slots__ = ("_tables", "live")

    def __init__(self, tables: "TablesInMemory", live: LiveTable) -> None:
        self.live = live
        self._tables: TablesInMemory | None = tables

    def release(self) -> None:
        """Give the claim up. Calling it again changes nothing."""
        tables, self._tables = self._tables, None
        if tables is not None:
            tables.release(self.live)

    def __enter__(self) -> LiveTable:
        return self.live

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.release()


class TablesInMemory:
    """All tables of this process that are in memory, one for each id. At most ``most`` unused ones are kept."""

    def __init__(self, most: int, make: Callable[[str], LiveTable], on_drop: Callable[[LiveTable], None]) -> None:
        self.most = most
        self.make = make
        self.on_drop = on_drop
        self.held: dict[str, LiveTable] = {}
        self.unused: OrderedDict[str, LiveTable] = OrderedDict()
        """Tables without a lease, the least recently used first."""
        self.unused_size = 0

    def __contains__(self, table_id: str) -> bool:
        return table_id in self.held or table_id in self.unused

    def __iter__(self) -> Iterator[LiveTable]:
        """The tables with contents, as a copy of the moment."""
        return iter([live for live in (*self.held.values(), *self.unused.values()) if live.is_filled])

    def peek(self, table_id: str) -> LiveTable | None:
        """The table if it is in memory with contents, for a look that does not wait."""
        live = self.held.get(table_id) or self.unused.get(table_id)
        return live if live is not None and live.is_filled else None

    def lease(self, table_id: str) -> Lease:
        """Claim the ``LiveTable`` of an id, which may have no contents yet."""
        live = self.held.get(table_id)
        if live is None:
            live = self.unused.pop(table_id, None)
            if live is None:
                live = self.make(table_id)
            else:
                self.unused_size -= live.size
            self.held[table_id] = live
            CACHED.set(len(self.held) + len(self.unused))
        live.leases += 1
        return Lease(self, live)

    def hold(self, live: LiveTable) -> Lease:
        """Claim a table that is in memory. RuntimeError: it is not, and a claim could lead to a second copy."""
        if live is not self.held.get(live.id) and live is not self.unused.get(live.id):
            raise RuntimeError("A table is held that is not in memory any more.")
        return self.lease(live.id)

    def release(self, live: LiveTable) -> None:
        """Give one claim up. The last one makes the table an unused one, if it is worth keeping."""
        live.leases -= 1
        if live.leases:
            return
        del self.held[live.id]
        if live.is_filled and not live.is_gone:
            self.unused[live.id] = live
            self.unused_size += live.size
            while self.unused_size > self.most:
                self.forget(next(iter(self.unused.values())))
        CACHED.set(len(self.held) + len(self.unused))

    def forget(self, live: LiveTable) -> None:
        """Drop a table, unless it is held."""
        if self.unused.pop(live.id, None) is not None:
            self.unused_size -= live.size
            self.on_drop(live)
