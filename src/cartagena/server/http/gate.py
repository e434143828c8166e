"""Limits of addresses: connections, requests and frames.

What an address has used outlives its connections, so reconnecting resets nothing. IPv6 counts by /64, the smallest
network that a provider hands out. The connections of trusted proxies count as a whole only; their visitors are told
apart by the requests they forward.
"""

import asyncio
import logging
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Protocol

from ..addresses import Networks, address_key
from ..protocol.errors import Refused
from ..settings import Settings
from ..tasks import ignore
from .ratelimit import Bucket, Window

log = logging.getLogger("cartagena.gate")
SWEEP: Final = 1.0  # seconds between two looks at all connections
RESERVED: Final = 4  # a quarter of the connections is reserved for addresses of seated players
SEATED_SECONDS: Final = 3600.0  # how long an address counts as one of a seated player after its last request
MAX_VISITORS: Final = 20_000
BUFFER_BYTES: Final = 16 << 20  # most bytes that an address may leave unread, over all its connections
TOLERANCE: Final = 0.5  # seconds that an address may be ahead of its share
MAX_DELAY: Final = 10.0  # a request that would wait longer is refused
MAX_DEBT: Final = 20.0
ASSETS: Final = 5  # files of the page for each request that an address may send: a first visit fetches all of them
STUDY_SECONDS: Final = 20  # of study processes for an address in a minute
FILES: Final = 256  # file descriptors left to the database, engines and files


class Connection(Protocol):
    """What the gate needs to know about a connection."""

    visitor: "Visitor"

    def check(self, now: float) -> None:
        """End what is overdue."""

    def unread(self) -> int:
        """Bytes that the client has not read yet."""

    def drop(self) -> None:
        """Abort the connection."""


class Visitor:
    """What one address has used up."""

    __slots__ = (
        "address", "assets", "connections", "cost", "exempt", "frames", "opened", "paced_until", "requests",
        "seated_at", "share", "study",
    )  # fmt: skip

    def __init__(self, settings: Settings, address: str = "", *, exempt: bool = False) -> None:
        seconds = settings.window_seconds
        self.address = address
        self.exempt = exempt
        self.connections = 0
        self.opened = Bucket(2 * settings.requests, seconds)
        self.requests = Window(settings.requests, seconds)
        self.assets = Window(ASSETS * settings.requests, seconds)
        self.frames = Bucket(10 * settings.messages, seconds, burst=5 * settings.messages)
        self.study = Bucket(STUDY_SECONDS, 60.0, burst=STUDY_SECONDS)
        self.share = settings.address_share
        self.paced_until = 0.0
        self.cost = 0.0
        self.seated_at = -math.inf

    @property
    def is_seated(self) -> bool:
        """Whether a seated player used this address lately."""
        return time.monotonic() - self.seated_at < SEATED_SECONDS

    def charge(self, seconds: float) -> None:
        """Count time that the event loop spent on this address: its next requests wait longer."""
        now = time.monotonic()
        self.paced_until = min(max(self.paced_until, now) + seconds / self.share, now + MAX_DEBT)

    def note_cost(self, seconds: float) -> None:
        """Keep a running mean of what a request costs."""
        self.cost += (seconds - self.cost) / 8

    def sit(self) -> None:
        """Note that a seated player uses this address."""
        self.seated_at = time.monotonic()


class Gate:
    """Admits connections and requests, and ends connections that are overdue."""

    def __init__(self, settings: Settings, most_files: int | None = None) -> None:
        self.settings = settings
        self.most = min(settings.connections, (most_files or math.inf) - FILES)
        self.visitors: OrderedDict[str, Visitor] = OrderedDict()
        self.proxy = Visitor(settings, exempt=True)
        self.trusted = Networks(settings.forwarded)
        self.open: set[Connection] = set()
        self.rate = 5 * settings.requests / settings.window_seconds
        self.on_request: Callable[[str], None] = ignore

    # --- visitors

    def visitor(self, host: str) -> Visitor:
        """The visitor of an address. Those without connections are forgotten first."""
        key = address_key(host)
        if key in self.visitors:
            self.visitors.move_to_end(key)
            return self.visitors[key]
        if len(self.visitors) >= MAX_VISITORS:
            self._forget_one()
        visitor = self.visitors[key] = Visitor(self.settings, key)
        return visitor

    def study_budget(self, address: str) -> Bucket:
        """The time of study processes that an address may use."""
        return self.visitor(address).study

    def note(self, address: str, number: int) -> None:
        """Count requests of an address that another server admitted."""
        visitor = self.visitors.get(address)
        if visitor is None and len(self.visitors) < MAX_VISITORS:
            visitor = self.visitors[address] = Visitor(self.settings, address)
        if visitor is not None:
            visitor.requests.note(number)

    def _forget_one(self) -> None:
        oldest = (key for key, visitor in self.visitors.items() if visitor.connections == 0)
        self.visitors.pop(next(oldest, next(iter(self.visitors))))

    # --- connections

    def enter(self, connection: Connection, host: str) -> bool:
        """Admit a new connection, or return False. ``leave`` must follow either way."""
        is_proxy = host in self.trusted
        visitor = connection.visitor = self.proxy if is_proxy else self.visitor(host)
        visitor.connections += 1
        self.open.add(connection)
        if len(self.open) > (self.most if visitor.is_seated or is_proxy else self.most - self.most // RESERVED):
            return False
        if is_proxy:
            return True
        return visitor.connections <= self.settings.connections_per_address and visitor.opened.take() == 0

    def replace(self, old: Connection, new: Connection) -> None:
        """Let a connection go on as another one: a request that became a socket."""
        new.visitor = old.visitor
        self.open.discard(old)
        self.open.add(new)

    def leave(self, connection: Connection) -> None:
        """Forget a connection."""
        if connection in self.open:
            self.open.discard(connection)
            connection.visitor.connections -= 1

    # --- requests

    async def admit(self, visitor: Visitor, path: str = "") -> float:
        """Count a request and delay it if the address sends many at once or costly ones.

        Files of the page are counted apart: several people behind one address may open it at the same time.

        Returns:
            The seconds that were charged in advance: what requests of this address cost so far.

        Raises:
            Refused: the address is beyond its limit.
        """
        if path.startswith("/assets/"):
            visitor.assets.check("requests")
        else:
            visitor.requests.check("requests")
            self.on_request(visitor.address)
        now = time.monotonic()
        delay = max(0.0, visitor.paced_until - now - TOLERANCE)
        if delay >= MAX_DELAY:
            raise Refused("too-many", "Too many requests; wait a moment.", retry_after=math.ceil(delay))
        expected = max(visitor.cost, visitor.share / self.rate)
        visitor.charge(expected)
        if delay > 0:
            await asyncio.sleep(delay)
        return expected

    # --- looking after connections

    async def sweep(self) -> None:
        """End overdue connections, for ever."""
        while True:
            await asyncio.sleep(SWEEP)
            now, unread = time.monotonic(), dict[int, int]()
            for connection in tuple(self.open):
                try:
                    self._look_after(connection, now, unread)
                except RuntimeError:  # of uvloop: the connection is closed
                    continue
                except Exception:  # a fault in one connection leaves the others looked after
                    log.exception("a connection could not be checked")

    @staticmethod
    def _look_after(connection: Connection, now: float, unread: dict[int, int]) -> None:
        """End a connection that is overdue, or whose address leaves too much ``unread``, by visitor."""
        connection.check(now)
        waiting = connection.unread()
        if waiting:
            key = id(connection.visitor)
            unread[key] = unread.get(key, 0) + waiting
            if unread[key] > BUFFER_BYTES and not connection.visitor.exempt:
                connection.drop()


def raise_file_limit() -> int | None:
    """Raise the limit of open files as far as the system allows, and return it (None: unknown)."""
    try:
        import resource
    except ImportError:
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65_536 if hard == resource.RLIM_INFINITY else min(hard, 65_536)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return None if soft == resource.RLIM_INFINITY else soft
