"""Limits of addresses and connections: calls in a time, open sockets, and the CPU time that they use.

Limits that were reached are counted for the metrics, and logged once a minute with their kind and the busiest address.
An address is an IPv4 address or an IPv6 network. Nothing else about a visitor is kept or logged.
"""

import logging
import math
import random
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Coroutine, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, Protocol

from starlette.requests import HTTPConnection
from starlette.types import Scope

from ..addresses import Share, address_key, person_or_network, shares, widest
from ..metrics import LIMITED
from ..protocol.errors import Refused
from ..tasks import ignore

log = logging.getLogger("cartagena.limits")
EVERY: Final = 60.0  # seconds between two reports of a kind
MOST_ADDRESSES: Final = 1000  # addresses that are counted for each kind between two reports
CODES: Final = ("too-many", "limit")  # refusals that mean a limit


def host_in(scope: Scope) -> str:
    """The address that a request or socket comes from, given its scope."""
    return str(scope["client"][0]) if scope.get("client") else "?"


def host_of(connection: HTTPConnection) -> str:
    """The address that a request or socket comes from."""
    return host_in(connection.scope)


MAX_ADDRESSES: Final = 20_000
HELLO_SHARE: Final = 4  # a network may have a quarter of the sockets that have not said hello
SOCKET_STEPS: Final = 32  # one step of a socket in this many is measured


class Window:
    """At most ``most`` calls in any ``seconds`` seconds."""

    __slots__ = ("clock", "most", "seconds", "times")

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.most, self.seconds, self.clock = most, seconds, clock
        self.times: deque[float] = deque()

    def due(self, most: int | None = None, calls: int = 1) -> float:
        """Seconds until so many calls are allowed; ``most`` replaces the number of calls in the window."""
        now, most = self.clock(), self.most if most is None else most
        while self.times and self.times[0] <= now - self.seconds:
            self.times.popleft()
        others = most - calls
        if len(self.times) <= others:
            return 0.0
        return self.times[-others - 1] + self.seconds - now if others >= 0 else self.seconds

    def wait(self) -> float:
        """Count a call and return 0, or return the seconds until one is allowed."""
        due = self.due()
        if due == 0:
            self.times.append(self.clock())
        return due

    def note(self, number: int) -> None:
        """Count calls that are allowed already."""
        self.times.extend([self.clock()] * min(number, self.most))

    def check(self, what: str) -> None:
        """Count one more call, or refuse it."""
        must_not_wait(self.wait(), what)


def must_not_wait(seconds: float, what: str) -> None:
    """Refuse a call that is allowed only after some seconds."""
    if seconds > 0:
        raise Refused("too-many", f"Too many {what}; wait a moment.", retry_after=math.ceil(seconds), limit=what)


class Bucket:
    """``most`` units in ``seconds`` seconds on average, at most ``burst`` (by default all) of them at once."""

    __slots__ = ("at", "burst", "clock", "left", "rate")

    def __init__(
        self, most: int, seconds: float, burst: int | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.rate, self.clock = most / seconds, clock
        self.burst = self.left = float(most if burst is None else burst)
        self.at = clock()

    def take(self, units: float = 1.0) -> float:
        """Take that much and return 0, or return the seconds until that much is left."""
        self._refill()
        if self.left < units:
            return (units - self.left) / self.rate if self.rate else math.inf
        self.left -= units
        return 0.0

    def charge(self, units: float) -> None:
        """Take that much even if less is left."""
        self._refill()
        self.left -= units

    def wait(self) -> float:
        """Seconds until anything is left."""
        self._refill()
        return -self.left / self.rate if self.left < 0 else 0.0

    def _refill(self) -> None:
        now = self.clock()
        self.left = min(self.burst, self.left + (now - self.at) * self.rate)
        self.at = now


class StudyBudget:
    """The time of study processes that an address and its networks may use."""

    def __init__(self, buckets: Sequence[Bucket]) -> None:
        self.buckets = buckets

    def wait(self) -> float:
        """Seconds until any time is left."""
        return max(bucket.wait() for bucket in self.buckets)

    def charge(self, units: float) -> None:
        """Take that many seconds even if less is left."""
        for bucket in self.buckets:
            bucket.charge(units)


class SharedCounter(Protocol):
    """Counts the calls of all servers of a cluster, one after another."""

    async def count(self, limits: Mapping[str, int], seconds: float) -> float | None:
        """Count a call of each key, or of none. Returns the seconds until it is allowed; None if that is unknown.

        Args:
            limits: The keys, with the most calls of each in ``seconds`` seconds.
            seconds: The length of the window.
        """

    @property
    def servers(self) -> int:
        """Number of living servers."""


class Windows:
    """A window for each address and each network that has counted a call. The least recently used are dropped first.

    A refused call leaves nothing behind: one network has so many addresses that windows of all of them would make those
    of others be forgotten.

    With ``shared`` the limit holds for all servers together. While the shared counter cannot be reached, each server
    allows an equal part.
    """

    def __init__(self, most: int, seconds: float) -> None:
        self.most, self.seconds = most, seconds
        self.windows: OrderedDict[str, Window] = OrderedDict()
        self.shared: SharedCounter | None = None

    async def check(self, host: str, what: str) -> None:
        """Count a call of an address and its networks, or refuse it."""
        networks = shares(address_key(host))
        must_not_wait(self._due(networks, 1), what)
        if self.shared is not None:
            limits = {share.key: self.most * share.visitors for share in networks}
            wait = await self.shared.count(limits, self.seconds)
            must_not_wait(self._due(networks, self.shared.servers) if wait is None else wait, what)
        for share in networks:
            self._note(share)

    def _due(self, networks: Iterable[Share], servers: int) -> float:
        """Seconds until a call of all these is allowed, if each of so many servers allows an equal part."""
        windows = (self.windows.get(share.key) or self._new(share) for share in networks)
        return max(window.due(max(1, window.most // servers) if servers > 1 else None) for window in windows)

    def _new(self, share: Share) -> Window:
        return Window(self.most * share.visitors, self.seconds)

    def _note(self, share: Share) -> None:
        window = self.windows.setdefault(share.key, self._new(share))
        window.note(1)
        self.windows.move_to_end(share.key)
        if len(self.windows) > MAX_ADDRESSES:
            self.windows.popitem(last=False)


class Slots:
    """Limits on the open connections of each address and of each table.

    Spectators have half of a table's connections, those of one network a quarter (in a local network those of one
    address), and each token a fifth: neither a crowd nor a person at the table keeps the others from being connected.
    """

    def __init__(self, per_address: int, per_table: int) -> None:
        self.per_address, self.per_table = per_address, per_table
        self.taken: Counter[tuple[object, ...]] = Counter()

    def take(self, host: str, table_id: str | None, holder: int = 0) -> Callable[[], None]:
        """Take a connection for the number of a key, 0 for a spectator. Returns what frees it. Raises Refused.

        One that belongs to no table watches many: an address may have a tenth of its connections for that.
        """
        address = address_key(host)
        limits: dict[tuple[object, ...], int] = {
            (share.key,): self.per_address * share.visitors for share in shares(address)
        }
        if table_id is None:
            limits |= {("many", share.key): -(-self.per_address // 10) * share.visitors for share in shares(address)}
        elif holder:
            limits[table_id, holder] = -(-self.per_table // 5)
        else:
            network = person_or_network(address)
            limits |= {(table_id, 0): -(-self.per_table // 2), (table_id, 0, network): -(-self.per_table // 4)}
        if any(self.taken[key] >= most for key, most in limits.items()):
            raise Refused("too-many", "Too many connections are open.", retry_after=10, limit="sockets")
        self.taken.update(limits.keys())
        return lambda: self._free(limits)

    def _free(self, keys: Iterable[tuple[object, ...]]) -> None:
        for key in keys:
            self.taken[key] -= 1
            if self.taken[key] <= 0:
                del self.taken[key]


class HelloLimiter:
    """The sockets that have not said hello: at most ``most``, and a share of them for each network."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.waiting: dict[str, OrderedDict[object, Callable[[], None]]] = {}

    @contextmanager
    def wait(self, host: str, drop: Callable[[], None]) -> Iterator[None]:
        """Count a socket until it has said hello. ``drop`` is called if it must give way."""
        key, ticket = widest(address_key(host)), object()
        self._make_room(key)
        self.waiting.setdefault(key, OrderedDict())[ticket] = drop
        try:
            yield
        finally:
            self._remove(key, ticket)

    def _make_room(self, key: str) -> None:
        """Drop the oldest socket of an address that has its share, or of the address with the most."""
        if len(self.waiting.get(key, ())) >= max(1, self.most // HELLO_SHARE):
            self._drop_oldest(key)
        elif sum(map(len, self.waiting.values())) >= self.most:
            self._drop_oldest(max(self.waiting, key=lambda each: len(self.waiting[each])))

    def _drop_oldest(self, key: str) -> None:
        ticket, drop = next(iter(self.waiting[key].items()))
        self._remove(key, ticket)
        drop()

    def _remove(self, key: str, ticket: object) -> None:
        tickets = self.waiting.get(key, OrderedDict())
        tickets.pop(ticket, None)
        if not tickets:
            self.waiting.pop(key, None)


class Meter:
    """Adds up seconds. What exceeds the seconds that are ``paid`` is charged as it comes, not only at the end."""

    def __init__(self, paid: float = 0.0, charge: Callable[[float], None] = ignore) -> None:
        self.paid, self.charge = paid, charge
        self.seconds = 0.0

    def add(self, seconds: float) -> None:
        self.seconds += seconds
        if self.seconds > self.paid:
            self.settle()

    def settle(self) -> None:
        """Charge what is owed, or give back what was paid too much."""
        owed, self.paid = self.seconds - self.paid, self.seconds
        self.charge(owed)


class Metered:
    """Awaits a coroutine and reports the CPU seconds of its steps.

    Reading the CPU clock takes longer than many steps do. A coroutine of many short steps is therefore sampled:
    one step in ``every`` on average, chosen at random, is measured and counted ``every`` times.
    """

    __slots__ = ("charge", "every", "work")

    def __init__(self, work: Coroutine[object, None, None], charge: Callable[[float], None], every: int = 1) -> None:
        self.work = work
        self.charge = charge
        self.every = every

    def _pause(self) -> int:
        """The number of steps until the next one that is measured."""
        return random.randrange(2 * self.every - 1)

    def __await__(self) -> Generator[object, None, None]:
        work, charge, every, clock = self.work, self.charge, self.every, time.thread_time
        thrown: BaseException | None = None
        pause = self._pause()
        while True:
            measured = pause == 0
            pause = self._pause() if measured else pause - 1
            began = clock() if measured else 0.0
            try:
                waits_for = work.send(None) if thrown is None else work.throw(thrown)
            except StopIteration:
                return
            finally:
                if measured:
                    charge((clock() - began) * every)
            try:
                yield waits_for
                thrown = None
            except BaseException as error:  # handed on to the coroutine, a cancellation for example
                thrown = error


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


class LimitLog:
    """What was refused since the last report, by kind of limit and by address."""

    def __init__(self) -> None:
        self.counts: dict[str, Counter[str]] = {}
        self.reported: dict[str, float] = {}

    def note(self, kind: str, host: str, times: int = 1) -> None:
        """Count a limit that an address has reached. The first of its kind is logged at once."""
        LIMITED.labels(kind).inc(times)
        address, counts = address_key(host), self.counts.setdefault(kind, Counter())
        counts[address if address in counts or len(counts) < MOST_ADDRESSES else "others"] += times
        if time.monotonic() - self.reported.get(kind, -EVERY) >= EVERY:
            self._report(kind)

    def note_refusal(self, error: Refused, host: str) -> None:
        """Count a refusal if a limit is its reason."""
        if error.code in CODES:
            self.note(error.limit or error.code, host)

    def report(self) -> None:
        """Log what has been counted for a minute."""
        now = time.monotonic()
        for kind in [kind for kind in self.counts if now - self.reported[kind] >= EVERY]:
            self._report(kind)

    def _report(self, kind: str) -> None:
        counts, self.reported[kind] = self.counts.pop(kind), time.monotonic()
        [(address, most)] = counts.most_common(1)
        details = {
            "limit": kind,
            "times": counts.total(),
            "addresses": len(counts),
            "most": address,
            "most_times": most,
        }
        log.warning("a limit was reached", extra=details)


LIMITS: Final = LimitLog()
