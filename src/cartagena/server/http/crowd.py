"""Who holds the connections: counted by address and by network, so that a crowd of addresses is seen as what it is.

When all connections are taken, the largest holder gives way to a newcomer of a smaller one: first connections that are
idle, then spectators, last the sockets of players. A newcomer is so refused only where very many networks hold a few
connections each.
"""

from collections import Counter
from heapq import nsmallest
from typing import Final, Protocol

from ..addresses import shares, widest

IDLE, BUSY, PLAYING = 0, 1, 2
"""What a connection is used for: nothing now, a request or a spectator's socket, a player's socket."""
FEW: Final = 64  # the holder of less than this part of all connections gives way to no newcomer
LEAST: Final = 4  # as few connections are left to every holder
AT_ONCE: Final = 16  # connections that the largest holder loses at once


class Held(Protocol):
    """What is needed of a connection."""

    @property
    def use(self) -> int:
        """``IDLE``, ``BUSY`` or ``PLAYING``."""

    def drop(self) -> None:
        """Abort the connection."""


class Crowd:
    """The connections of all visitors, by address and by their widest network."""

    def __init__(self, most: float, per_address: int) -> None:
        self.most = most
        self.per_address = per_address
        self.held: Counter[str] = Counter()
        """Connections of each address and network."""
        self.holders: dict[str, dict[Held, str]] = {}
        """By widest network the connections, the oldest first, each with its address."""
        self.by_size: dict[int, dict[str, None]] = {}
        """Holders by the number of their connections."""
        self.size = self.largest = 0

    def add(self, connection: Held, address: str) -> None:
        """Count a connection."""
        self.held.update(share.key for share in shares(address))
        self.size += 1
        holder = widest(address)
        self._resize(holder, +1)
        self.holders.setdefault(holder, {})[connection] = address

    def remove(self, connection: Held, address: str) -> None:
        """Forget a connection."""
        holder = widest(address)
        if self.holders.get(holder, {}).pop(connection, None) is None:
            return
        self.held.subtract(share.key for share in shares(address))
        for share in shares(address):
            if self.held[share.key] <= 0:
                del self.held[share.key]
        self.size -= 1
        self._resize(holder, -1)
        if not self.holders[holder]:
            del self.holders[holder]

    def _resize(self, holder: str, change: int) -> None:
        size = len(self.holders.get(holder, ()))
        before = size if change > 0 else size + 1
        self.by_size.get(before, {}).pop(holder, None)
        if not self.by_size.get(before, True):
            del self.by_size[before]
        if before + change > 0:
            self.by_size.setdefault(before + change, {})[holder] = None
        self.largest = max(self.largest, before + change)
        while self.largest and self.largest not in self.by_size:
            self.largest -= 1

    def is_over(self, address: str) -> bool:
        """Whether an address or one of its networks has more connections than it may."""
        return any(self.held[share.key] > self.per_address * share.visitors for share in shares(address))

    def make_room(self, address: str, most: float) -> bool:
        """Make room for one of ``most`` connections that was added last. Returns False if the newcomer must go."""
        if self.size <= most:
            return True
        left = max(len(self.holders[widest(address)]), LEAST, int(self.most // FEW))
        if self.largest <= left:
            return False
        holder = next(iter(self.by_size[self.largest]))
        for connection in nsmallest(min(AT_ONCE, self.largest - left), self.holders[holder], key=lambda each: each.use):
            self.remove(connection, self.holders[holder][connection])
            connection.drop()
        return True
