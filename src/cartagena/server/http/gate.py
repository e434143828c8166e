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
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Protocol
from weakref import WeakValueDictionary

from ..addresses import Networks, Share, address_key, blocked_until, shares
from ..metrics import CONNECTIONS, CONNECTIONS_MOST, LARGEST_HOLDER
from ..protocol.errors import Refused
from ..settings import Settings
from ..tasks import ignore
from .crowd import MAX_DEBT, STUDY_SECONDS, TOLERANCE, Crowd, Held, Network, TimeShare, Turns, Unread, lateness
from .ratelimit import LIMITS, Bucket, StudyBudget, Window, must_not_wait

log = logging.getLogger("cartagena.gate")
SWEEP: Final = 1.0  # seconds between two looks at all connections
LOOKS: Final = 10  # looks in that time whether the event loop is late; the worst counts
RESERVED: Final = 4  # a quarter of the connections is reserved for addresses of people with a game under way
SEATED_SECONDS: Final = 3600.0  # how long an address counts as one of a player after its last request
MAX_VISITORS: Final = 20_000
MAX_DELAY: Final = 10.0  # a request that would wait longer is refused
ASSETS: Final = 5  # files of the page for each request that an address may send: a first visit fetches all of them
MAX_KINDS: Final = 100  # kinds of requests whose cost is known
SHUT_SECONDS: Final = 0.5  # for so long the connections of an address are refused without another look
SAMPLED: Final = 16  # of so many steps of connections one is measured, and counted that many times
REFUSAL: Final = 0.0002  # seconds that a request is charged which is refused because of a limit
FILES: Final = 256  # file descriptors left to the database, engines and files, at most half of all


class Connection(Held, Protocol):
    """What the gate needs to know about a connection."""

    visitor: "Visitor"

    def check(self, now: float) -> None:
        """End what is overdue."""

    def unread(self) -> int:
        """Bytes that the client has not read yet."""


@dataclass(slots=True)
class Shut:
    """Why connections of an address are refused, until when, and how many were since the last report."""

    limit: str
    until: float
    times: int


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
        until = self.paced_until
        for network in self.networks:
            until = max(until, network.paced_until)
        return max(0.0, until - time.monotonic() - TOLERANCE)

    def take_frames(self, number: int) -> float:
        """Count frames of a socket, or return the seconds until so many are allowed."""
        wait = self.frames.take(number)
        for network in self.networks:
            wait = wait or network.frames.take(number)
        return wait

    def note_cost(self, seconds: float) -> None:
        """Keep a running mean of what a request costs."""
        self.cost += (seconds - self.cost) / 8

    def sit(self) -> None:
        """Note that a person with a game under way uses this address."""
        self.seated_at = time.monotonic()


def room_in(files: int | None) -> float:
    """The connections for which there is room where the system allows so many open files. None: it sets no limit."""
    return math.inf if files is None else files - min(FILES, files // 2)


class Gate:
    """Admits connections and requests, and ends connections that are overdue."""

    def __init__(self, settings: Settings, most_files: int | None = None) -> None:
        self.settings = settings
        self.most = min(settings.connections, room_in(most_files))
        if self.most < settings.connections / 2:
            details = {"connections": self.most, "files": most_files, "setting": settings.connections}
            log.warning(
                "the system allows few open files, so few connections; raise its limit (ulimit -n)", extra=details
            )
        self.visitors: OrderedDict[str, Visitor] = OrderedDict()
        self.networks: WeakValueDictionary[str, Network] = WeakValueDictionary()
        self.crowd = Crowd(self.most, settings.connections_per_address)
        self.proxy = Visitor(settings)
        self.trusted = Networks(settings.forwarded)
        self.open: set[Connection] = set()
        self.time_share = TimeShare(settings.address_share)
        self.turns = Turns()
        CONNECTIONS_MOST.set(self.most)
        self.rate = 5 * settings.requests / settings.window_seconds
        self.on_request: Callable[[str], None] = ignore
        self.blocks: dict[str, int] = {}
        self.shut: dict[str, Shut] = {}
        """Addresses whose connections are refused without another look."""
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
        self.shut.clear()
        for visitor in self.visitors.values():
            visitor.blocked_until = blocked_until(visitor.address, blocks)
        for connection in tuple(self.open):
            if connection.visitor.is_blocked:
                connection.drop()

    # --- connections

    def knock(self, host: str) -> bool:
        """Whether a connection of an address may be taken, before anything is built for it."""
        shut = self.shut.get(host)
        if shut is not None and time.monotonic() < shut.until:
            shut.times += 1  # a flood of refused connections must cost next to nothing
            return False
        if host in self.trusted:
            return True
        limit = self._unwelcome(self.visitor(host))
        if limit and len(self.shut) < MAX_VISITORS:
            times = 1 if shut is None else shut.times + 1
            self.shut[host] = Shut(limit, time.monotonic() + SHUT_SECONDS, times)
        return not limit

    def _report_shut(self, now: float) -> None:
        """Count the connections that were refused, and forget the addresses that may try again."""
        for host, shut in list(self.shut.items()):
            if shut.times:
                LIMITS.note(shut.limit, host, shut.times)
                shut.times = 0
            if now > shut.until:
                del self.shut[host]

    def _unwelcome(self, visitor: Visitor) -> str:
        """The limit that forbids another connection of a visitor; empty if one may come."""
        if visitor.is_blocked:
            return "blocked"
        waits = [bucket.take() for bucket in (visitor.opened, *(network.opened for network in visitor.networks))]
        if any(waits) or self.turns.are_many(visitor.address):
            return "new connections"
        if visitor.delay() >= MAX_DELAY:
            return "time"
        return "connections of an address or network" if self.crowd.is_full(visitor.address) else ""

    def enter(self, connection: Connection, host: str) -> bool:
        """Admit a new connection, or return False. ``leave`` must follow either way."""
        is_proxy = host in self.trusted
        visitor = connection.visitor = self.proxy if is_proxy else self.visitor(host)
        self._add(connection)
        if is_proxy:
            return len(self.open) <= self.most
        if limit := self._crowded(visitor):
            LIMITS.note(limit, visitor.address)
        return not limit

    def _crowded(self, visitor: Visitor) -> str:
        """The limit that a visitor's newest connection exceeds; empty if it may stay."""
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
        visitor = new.visitor = old.visitor
        if old in self.open:
            self.open.discard(old)
            self.open.add(new)
            self.crowd.replace(old, new, visitor.address)

    def leave(self, connection: Connection) -> None:
        """Forget a connection."""
        if connection in self.open:
            self.open.discard(connection)
            connection.visitor.connections -= 1
            if not connection.visitor.exempt:
                self.crowd.remove(connection, connection.visitor.address)

    # --- requests

    def busy(self, visitor: Visitor, *, asset: bool) -> float:
        """Seconds for which every request of a visitor is refused; 0 if one may be admitted. Counts nothing."""
        delay = visitor.delay()
        if delay >= MAX_DELAY or visitor.exempt or asset:
            return delay if delay >= MAX_DELAY and not visitor.exempt else 0.0
        return max(window.due() for window in (visitor.requests, *(network.requests for network in visitor.networks)))

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
        await self.turns.take(visitor.address, expected)
        return expected

    def count_more(self, visitor: Visitor, number: int) -> None:
        """Count a request that was admitted as so many more. Refused if they are beyond the limit: none is counted."""
        windows = (visitor.requests, *(network.requests for network in visitor.networks))
        must_not_wait(max(window.due(calls=number) for window in windows), "requests")
        for window in windows:
            window.note(number)
        for _ in range(number):
            self.on_request(visitor.address)

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
            late = max([await lateness(SWEEP / LOOKS) for _ in range(LOOKS)])
            now, unread = time.monotonic(), Unread()
            pressing = sum(network.is_pressing(now) for network in self.networks.values())
            self.time_share.set(pressing, late)
            self._report_shut(now)
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
    def _look_after(connection: Connection, now: float, unread: Unread) -> None:
        """End a connection that is overdue, or for whose unread bytes there is no room."""
        connection.check(now)
        waiting, visitor = connection.unread(), connection.visitor
        if waiting and not visitor.exempt and not unread.add(visitor.address, waiting):
            connection.drop()


@lru_cache(1024)
def kind_of(path: str) -> str:
    """The kind of a request: its path without the name of a table."""
    parts = path.split("/")[1:5]
    return "/".join(part if number != 2 or parts[1] != "tables" else "*" for number, part in enumerate(parts))
