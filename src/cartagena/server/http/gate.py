"""Limits of addresses and networks: connections, requests, frames, and time of the event loop.

What an address has used outlives its connections, so reconnecting resets nothing. It counts for the networks of the
address too (``addresses``). The connections of trusted proxies are the proxy's while they are idle; a request or socket
that they carry counts for its visitor.
"""

import asyncio
import logging
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from ipaddress import ip_network
from typing import Final, Protocol
from weakref import WeakValueDictionary

from ..addresses import Networks, Share, address_key, shares
from ..limits import LIMITS
from ..metrics import CONNECTIONS, CONNECTIONS_MOST, LARGEST_HOLDER
from ..protocol.errors import Refused
from ..settings import Settings
from ..tasks import ignore
from .crowd import Crowd, Held
from .ratelimit import Bucket, StudyBudget, Window

log = logging.getLogger("cartagena.gate")
SWEEP: Final = 1.0  # seconds between two looks at all connections
LATE: Final = 0.1  # seconds by which the event loop may be late before networks that ask for too much get less
LEAST_SLACK: Final = 0.02  # the least part of their share that is left to them
RESERVED: Final = 4  # a quarter of the connections is reserved for addresses of people with a game under way
SEATED_SECONDS: Final = 3600.0  # how long an address counts as one of a player after its last request
NETWORK_SHARE: Final = 2.0  # share of the event loop's time that a network may use, in shares of an address
TOGETHER: Final = 2.5  # the same for all networks together that ask for more than their share
MAX_VISITORS: Final = 20_000
BUFFER_BYTES: Final = 16 << 20  # most bytes that an address may leave unread, over all its connections
TOLERANCE: Final = 0.5  # seconds that an address may be ahead of its share
MAX_DELAY: Final = 10.0  # a request that would wait longer is refused
MAX_DEBT: Final = 20.0
ASSETS: Final = 5  # files of the page for each request that an address may send: a first visit fetches all of them
STUDY_SECONDS: Final = 20  # of study processes for an address in a minute
MAX_KINDS: Final = 100  # kinds of requests whose cost is known
FILES: Final = 256  # file descriptors left to the database, engines and files


class Connection(Held, Protocol):
    """What the gate needs to know about a connection."""

    visitor: "Visitor"

    def check(self, now: float) -> None:
        """End what is overdue."""

    def unread(self) -> int:
        """Bytes that the client has not read yet."""


class TimeShare:
    """The part of the event loop's time that a network may use now: less where many ask for too much."""

    def __init__(self, of_address: float) -> None:
        self.of_address = of_address
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
        self.study = Bucket(visitors * STUDY_SECONDS, 60.0, burst=visitors * STUDY_SECONDS)
        self.time_share = time_share
        self.paced_until = 0.0

    def charge(self, seconds: float) -> None:
        """Count time of the event loop."""
        now = time.monotonic()
        self.paced_until = min(max(self.paced_until, now) + seconds / self.time_share.part, now + MAX_DEBT)

    def is_pressing(self, now: float) -> bool:
        """Whether the network has asked for more time than its share."""
        return self.paced_until > now + TOLERANCE


class Visitor:
    """What one address has used up."""

    __slots__ = (
        "address", "assets", "blocked_until", "connections", "cost", "exempt", "frames", "networks", "opened",
        "paced_until", "requests", "seated_at", "share", "study",
    )  # fmt: skip

    def __init__(self, settings: Settings, address: str = "", networks: tuple[Network, ...] = ()) -> None:
        seconds = settings.window_seconds
        self.address = address
        self.networks = networks
        self.exempt = not address
        self.blocked_until = 0
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
    def is_blocked(self) -> bool:
        """Whether the operator has blocked this address for now."""
        return self.blocked_until > 0 and time.time() * 1000 < self.blocked_until

    @property
    def is_seated(self) -> bool:
        """Whether a person with a game under way used this address lately."""
        return time.monotonic() - self.seated_at < SEATED_SECONDS

    def charge(self, seconds: float) -> None:
        """Count time that the event loop spent on this address: its next requests wait longer."""
        now = time.monotonic()
        self.paced_until = min(max(self.paced_until, now) + seconds / self.share, now + MAX_DEBT)
        for network in self.networks:
            network.charge(seconds)

    def delay(self) -> float:
        """Seconds that the next request must wait, because the address or a network of it is ahead of its share."""
        until = max((network.paced_until for network in self.networks), default=0.0)
        return max(0.0, max(self.paced_until, until) - time.monotonic() - TOLERANCE)

    def note_cost(self, seconds: float) -> None:
        """Keep a running mean of what a request costs."""
        self.cost += (seconds - self.cost) / 8

    def sit(self) -> None:
        """Note that a person with a game under way uses this address."""
        self.seated_at = time.monotonic()


class Gate:
    """Admits connections and requests, and ends connections that are overdue."""

    def __init__(self, settings: Settings, most_files: int | None = None) -> None:
        self.settings = settings
        self.most = min(settings.connections, (most_files or math.inf) - FILES)
        self.visitors: OrderedDict[str, Visitor] = OrderedDict()
        self.networks: WeakValueDictionary[str, Network] = WeakValueDictionary()
        self.crowd = Crowd(self.most, settings.connections_per_address)
        self.proxy = Visitor(settings)
        self.trusted = Networks(settings.forwarded)
        self.open: set[Connection] = set()
        self.time_share = TimeShare(settings.address_share)
        CONNECTIONS_MOST.set(self.most)
        self.rate = 5 * settings.requests / settings.window_seconds
        self.on_request: Callable[[str], None] = ignore
        self.blocks: dict[str, int] = {}
        self.costs: dict[str, float] = {}
        """Running means of what requests cost, by kind."""

    # --- visitors

    def visitor(self, host: str) -> Visitor:
        """The visitor of an address. Those without connections are forgotten first."""
        key = address_key(host)
        if key in self.visitors:
            self.visitors.move_to_end(key)
            return self.visitors[key]
        if len(self.visitors) >= MAX_VISITORS:
            self._forget_one()
        visitor = self.visitors[key] = Visitor(self.settings, key, self._networks_of(key))
        visitor.blocked_until = blocked_until(key, self.blocks)
        return visitor

    def _networks_of(self, key: str) -> tuple[Network, ...]:
        return tuple(self._network(share) for share in shares(key)[1:])

    def _network(self, share: Share) -> Network:
        network = self.networks.get(share.key)
        if network is None:
            network = self.networks[share.key] = Network(self.settings, share.visitors, self.time_share)
        return network

    def study_budget(self, address: str) -> StudyBudget:
        """The time of study processes that an address may use."""
        visitor = self.visitor(address)
        return StudyBudget([visitor.study, *(network.study for network in visitor.networks)])

    def note(self, address: str, number: int) -> None:
        """Count requests of an address that another server admitted."""
        visitor = self.visitors.get(address)
        if visitor is None and len(self.visitors) < MAX_VISITORS:
            visitor = self.visitor(address)
        if visitor is not None:
            for window in (visitor.requests, *(network.requests for network in visitor.networks)):
                window.note(number)

    def _forget_one(self) -> None:
        oldest = (key for key, visitor in self.visitors.items() if visitor.connections == 0)
        self.visitors.pop(next(oldest, next(iter(self.visitors))))

    def block(self, blocks: dict[str, int]) -> None:
        """Refuse addresses of some networks, each until a time, and no others. What they have open is ended."""
        if blocks == self.blocks:
            return
        self.blocks = blocks
        for visitor in self.visitors.values():
            visitor.blocked_until = blocked_until(visitor.address, blocks)
        for connection in tuple(self.open):
            if connection.visitor.is_blocked:
                connection.drop()

    # --- connections

    def enter(self, connection: Connection, host: str) -> bool:
        """Admit a new connection, or return False. ``leave`` must follow either way."""
        is_proxy = host in self.trusted
        visitor = connection.visitor = self.proxy if is_proxy else self.visitor(host)
        self._add(connection)
        if is_proxy:
            return len(self.open) <= self.most
        opened = [bucket.take() for bucket in (visitor.opened, *(network.opened for network in visitor.networks))]
        limit = "new connections" if any(opened) else self._crowded(visitor)
        if visitor.is_blocked:
            limit = "blocked"
        if limit:
            LIMITS.note(limit, visitor.address)
        return not limit

    def _crowded(self, visitor: Visitor) -> str:
        """Why a connection of a visitor that was added last must end, empty if it may stay."""
        if self.crowd.is_over(visitor.address):
            return "connections of an address or network"
        most = self.most if visitor.is_seated else self.most - self.most // RESERVED
        return "" if self.crowd.make_room(visitor.address, most) else "connections"

    def _add(self, connection: Connection) -> None:
        visitor = connection.visitor
        visitor.connections += 1
        self.open.add(connection)
        if not visitor.exempt:
            self.crowd.add(connection, visitor.address)

    @contextmanager
    def carrying(self, connection: Connection | None, visitor: Visitor) -> Iterator[None]:
        """Count a proxy's connection for a visitor while it carries that visitor's request. Raises Refused."""
        if connection is None or not connection.visitor.exempt:
            yield
            return
        self.assign(connection, visitor)
        try:
            yield
        finally:
            if connection in self.open:
                self.leave(connection)
                connection.visitor = self.proxy
                self._add(connection)

    def assign(self, connection: Connection, visitor: Visitor) -> None:
        """Count a proxy's connection for a visitor from now on. Raises Refused."""
        if connection not in self.open or not connection.visitor.exempt:
            return
        self.leave(connection)
        connection.visitor = visitor
        self._add(connection)
        if limit := self._crowded(visitor):
            raise Refused("too-many", "Too many connections are open.", retry_after=10, limit=limit)

    def replace(self, old: Connection, new: Connection) -> None:
        """Let a connection go on as another one: a request that became a socket."""
        if old in self.open:
            self.leave(old)
            new.visitor = old.visitor
            self._add(new)
        else:
            new.visitor = old.visitor

    def leave(self, connection: Connection) -> None:
        """Forget a connection."""
        if connection in self.open:
            self.open.discard(connection)
            connection.visitor.connections -= 1
            if not connection.visitor.exempt:
                self.crowd.remove(connection, connection.visitor.address)

    # --- requests

    async def admit(self, visitor: Visitor, path: str = "") -> float:
        """Count a request and delay it if the address sends many at once or costly ones.

        Files of the page are counted apart: several people behind one address may open it at the same time.

        Returns:
            The seconds that were charged in advance: what requests of this address cost so far.

        Raises:
            Refused: the address is beyond its limit.
        """
        if visitor.is_blocked:
            raise Refused("not-allowed", "The operator of this server has blocked this address for a while.")
        if path.startswith("/assets/"):
            visitor.assets.check("requests")
        else:
            visitor.requests.check("requests")
            for network in visitor.networks:
                network.requests.check("requests")
            self.on_request(visitor.address)
        delay = visitor.delay()
        if delay >= MAX_DELAY:
            wait = math.ceil(delay)
            raise Refused("too-many", "Too many requests; wait a moment.", retry_after=wait, limit="time")
        expected = max(visitor.cost, self.costs.get(kind_of(path), 0.0), visitor.share / self.rate)
        visitor.charge(expected)
        if delay > 0:
            await asyncio.sleep(delay)
        return expected

    def note_cost(self, visitor: Visitor, path: str, seconds: float) -> None:
        """Note what a request has cost. The next request of its kind is charged that before it is answered."""
        visitor.note_cost(seconds)
        kind = kind_of(path)
        before = self.costs.get(kind, seconds)
        self.costs[kind] = before + (seconds - before) / 8
        if len(self.costs) > MAX_KINDS:  # paths that lead nowhere cost least, so they take no place of others
            del self.costs[min(self.costs, key=self.costs.__getitem__)]

    # --- looking after connections

    async def sweep(self) -> None:
        """End overdue connections, for ever."""
        while True:
            began = time.monotonic()
            await asyncio.sleep(SWEEP)
            now, unread = time.monotonic(), dict[int, int]()
            pressing = sum(network.is_pressing(now) for network in self.networks.values())
            self.time_share.set(pressing, now - began - SWEEP)
            LIMITS.report()
            CONNECTIONS.set(len(self.open))
            LARGEST_HOLDER.set(self.crowd.largest)
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


@lru_cache(1024)
def kind_of(path: str) -> str:
    """The kind of a request: its path without the name of a table."""
    parts = path.split("/")[1:5]
    return "/".join(part if number != 2 or parts[1] != "tables" else "*" for number, part in enumerate(parts))


def blocked_until(key: str, blocks: dict[str, int]) -> int:
    """When the last block of an address ends, in milliseconds since 1970, 0 if there is none."""
    try:
        network = ip_network(key)
    except ValueError:
        return 0
    wide = {ip_network(name): until for name, until in blocks.items()}
    return max(
        (until for each, until in wide.items() if each.version == network.version and network.overlaps(each)), default=0
    )
