"""Who holds the connections: counted by address and by network, so that a crowd of addresses is seen as what it is.

When all connections are taken, the largest holder gives way to a newcomer of a smaller one: first connections that are
idle, then spectators, last the sockets of players. A newcomer is so refused only where very many networks hold a few
connections each.

Requests and messages take turns in the same way: between two looks at the sockets the event loop begins few of them,
those of players' sockets first, then one of each network. So a crowd waits for itself, and the moves of others do not.
"""

import asyncio
import time
from collections import Counter, deque
from heapq import nsmallest
from typing import Final, Protocol

from ..addresses import shares, widest
from ..settings import Settings
from .ratelimit import Bucket, Window

IDLE, BUSY, PLAYING = 0, 1, 2
"""What a connection is used for: nothing now, a request or a spectator's socket, a player's socket."""
FEW: Final = 64  # the holder of less than this part of all connections gives way to no newcomer
LEAST: Final = 4  # as few connections are left to every holder
BUFFER_BYTES: Final = 16 << 20  # most bytes that an address may leave unread, over all its connections
AT_ONCE: Final = 16  # connections that the largest holder loses at once
LATE: Final = 0.05  # seconds by which the event loop may be late before networks that ask for too much get less
LEAST_SLACK: Final = 0.02  # the least part of their share that is left to them
NETWORK_SHARE: Final = 2.0  # share of the event loop's time that a network may use, in shares of an address
TOLERANCE: Final = 0.5  # seconds that an address may be ahead of its share
MAX_DEBT: Final = 20.0
STUDY_SECONDS: Final = 20  # of study processes for an address in a minute
TOGETHER: Final = 1.25  # the same for all networks together that ask for more than their share
TURN: Final = 0.001  # seconds of requests that one turn of the event loop begins
PLAYERS_TURN: Final = 0.003  # the same for messages of players' sockets
MOST_WAITING: Final = 100  # requests of a network that wait for a turn; no further connection of it is taken
MESSAGE: Final = 0.0005  # seconds that a message of a socket is expected to take; half of it makes moves wait longer


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
        for share in shares(address):
            self.held[share.key] += 1
        self.size += 1
        holder = widest(address)
        self._resize(holder, +1)
        self.holders.setdefault(holder, {})[connection] = address

    def remove(self, connection: Held, address: str) -> None:
        """Forget a connection."""
        holder = widest(address)
        if self.holders.get(holder, {}).pop(connection, None) is None:
            return
        for share in shares(address):
            self.held[share.key] -= 1
            if self.held[share.key] <= 0:
                del self.held[share.key]
        self.size -= 1
        self._resize(holder, -1)
        if not self.holders[holder]:
            del self.holders[holder]

    def replace(self, old: Held, new: Held, address: str) -> None:
        """Count a connection instead of another one of the same address, as the newest."""
        connections = self.holders.get(widest(address), {})
        if connections.pop(old, None) is not None:
            connections[new] = address

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

    def is_full(self, address: str) -> bool:
        """Whether an address or one of its networks has as many connections as it may."""
        return any(self.held[share.key] >= self.per_address * share.visitors for share in shares(address))

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


class Unread:
    """The bytes that addresses and networks leave unread, in one look at all connections."""

    def __init__(self) -> None:
        self.held: Counter[str] = Counter()

    def add(self, address: str, waiting: int) -> bool:
        """Count those of a connection. Returns False if they are too many, for its address or for a network of it."""
        if any(self.held[share.key] + waiting > BUFFER_BYTES * share.visitors for share in shares(address)):
            return False
        self.held.update({share.key: waiting for share in shares(address)})
        return True


# --- time of the event loop


class TimeShare:
    """The part of the event loop's time that a network may use now: less where many ask for too much."""

    def __init__(self, of_address: float) -> None:
        self.of_address = of_address
        self.whole = of_address * NETWORK_SHARE
        """The part of a network that does not ask for too much."""
        self.slack = 1.0
        """Below 1 where the event loop is late, because the machine gives this process less than a core."""
        self.set(0)

    def set(self, pressing: int, late: float = 0.0) -> None:
        """Share the time among that many networks that ask for too much, so that the others have the rest.

        ``late`` is by how many seconds the event loop was late: as long as it is, the share is halved again.
        """
        self.slack = max(LEAST_SLACK, self.slack / 2) if late > LATE and pressing else min(1.0, self.slack * 1.5)
        self.part = self.slack * self.of_address * min(NETWORK_SHARE, TOGETHER / max(1, pressing))


class Network:
    """What all addresses of a network have used up."""

    def __init__(self, settings: Settings, visitors: int, time_share: TimeShare) -> None:
        most, seconds = visitors * settings.requests, settings.window_seconds
        self.opened = Bucket(2 * most, seconds)
        self.requests = Window(most, seconds)
        self.frames = Bucket(10 * visitors * settings.messages, seconds, burst=5 * visitors * settings.messages)
        self.study = Bucket(visitors * STUDY_SECONDS, 60.0, burst=visitors * STUDY_SECONDS)
        self.time_share = time_share
        self.paced_until = 0.0

    def charge(self, seconds: float) -> None:
        """Count time of the event loop. Only a network that has asked for too much pays what crowds pay."""
        now = time.monotonic()
        pressing = self.is_pressing(now)
        until = max(self.paced_until, now) + seconds / (self.time_share.part if pressing else self.time_share.whole)
        least = now + TOLERANCE if pressing else now  # what was charged before it pressed was charged for less
        self.paced_until = min(max(until, least), now + MAX_DEBT)

    def is_pressing(self, now: float) -> bool:
        """Whether the network has asked for more time than its share."""
        return self.paced_until > now + TOLERANCE


class Line:
    """Requests that wait for a turn of the event loop: the networks take turns, and each has its oldest first."""

    def __init__(self, seconds: float) -> None:
        self.waiting: dict[str, deque[tuple[asyncio.Future[None], float]]] = {}
        self.left = self.seconds = seconds

    def begins(self, seconds: float) -> bool:
        """Whether a request that takes that long may begin at once."""
        if self.waiting or self.left <= 0:
            return False
        self.left -= seconds
        return True

    def wait(self, network: str, seconds: float) -> asyncio.Future[None]:
        """A future that is done when a request of a network is let through."""
        turn = asyncio.get_running_loop().create_future()
        self.waiting.setdefault(network, deque()).append((turn, seconds))
        return turn

    def advance(self) -> None:
        """Let through as many as one turn of the event loop may begin, at least one."""
        self.left = self.seconds
        while self.waiting and self.left > 0:
            network = next(iter(self.waiting))
            line = self.waiting.pop(network)
            turn, seconds = line.popleft()
            if line:
                self.waiting[network] = line  # behind the others
            if not turn.done():
                turn.set_result(None)
                self.left -= seconds


class Turns:
    """Lets few requests and messages begin in one turn of the event loop, so that sockets are looked at in between."""

    def __init__(self) -> None:
        self.players, self.others = Line(PLAYERS_TURN), Line(TURN)
        self.is_due = False

    async def take(self, address: str, seconds: float) -> None:
        """Begin what is expected to take some seconds, now or in a later turn.

        Args:
            address: Whose it is; all addresses of a network take turns as one.
            seconds: The expected time.
        """
        self._will_advance()
        if not self.others.begins(seconds):
            await self.others.wait(widest(address), seconds)

    def of_message(self, address: str, *, playing: bool) -> asyncio.Future[None] | None:
        """What a message of a socket, a player's or another one's, must wait for. None: it begins at once."""
        self._will_advance()
        line = self.players if playing else self.others
        return None if line.begins(MESSAGE) else line.wait(widest(address), MESSAGE)

    def _will_advance(self) -> None:
        if not self.is_due:
            self.is_due = True
            asyncio.get_running_loop().call_soon(self._advance)

    def are_many(self, address: str) -> bool:
        """Whether so many requests of an address and its network wait that no connection of theirs is taken."""
        return len(self.others.waiting.get(widest(address), ())) >= MOST_WAITING

    def _advance(self) -> None:
        """Begin the next turn, as long as something was begun or waits."""
        lines = (self.players, self.others)
        self.is_due = any(line.waiting for line in lines)
        for line in lines:
            line.advance()
        if self.is_due:
            asyncio.get_running_loop().call_soon(self._advance)


async def lateness(seconds: float) -> float:
    """Sleep for some seconds. Returns by how many seconds the event loop was late."""
    began = time.monotonic()
    await asyncio.sleep(seconds)
    return time.monotonic() - began - seconds
