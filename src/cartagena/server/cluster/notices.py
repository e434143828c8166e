"""This server among the others: how it joins them, and the notices that they send each other through Redis.

Notices carry news of tables, who is online, and what addresses have used. One that is lost costs time, never an event:
``live.sharing`` asks the database every second.
"""

import asyncio
import contextlib
import json
import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Final

from ..live.live_table import LiveTable, TableObserver
from ..live.registry import TableRegistry
from ..live.sharing import Sharing
from ..metrics import REDIS
from ..settings import Settings
from ..storage.database import Database, StorageError
from ..storage.peers import Living, fingerprint, living, must_fit, new_member
from ..storage.postgres import Member
from ..tables.state import Table
from ..tasks import cancel_all
from .redis import RedisError, RedisLink, RedisUnavailable, SharedWindows, check_url
from .seal import Seal

log = logging.getLogger("cartagena.cluster")
TICK: Final = 0.25
"""Seconds between two notices about what addresses have used."""
REPEAT: Final = 5.0
"""Seconds between two notices about all tables that are watched here."""
SILENCE: Final = 12.0
"""Seconds without any notice, our own included, after which the connection is replaced."""
SETTLE: Final = 1.0
"""Seconds that the other servers get to say who is online there."""
PAUSE: Final = 0.5
"""Seconds between two tries to connect."""
MOST_TABLES: Final = 10_000
"""Most tables whose players' addresses at other servers are remembered."""
SEATS: Final = "seats"
LISTINGS: Final = "listings"
SKEWED: Final = "the clock of this machine is far from the database's; let both follow a time server"
DOWN: Final = "Redis does not answer: moves are accepted, and moves at other servers are seen within 2 seconds"
NOT_SQLITE: Final = "Servers with --redis share a PostgreSQL database; without one leave --redis out."


class Notices(TableObserver):
    """Tells the other servers what happens here, and hears what happens there."""

    def __init__(self, link: RedisLink, sharing: Sharing, owner: str, seal: Seal) -> None:
        self.link = link
        self.seal = seal
        self.sharing = sharing
        self.owner = owner
        self.channel = link.key("news", owner)
        self.news: dict[str, tuple[int, int, bool]] = {}
        self.online: dict[str, tuple[frozenset[int], bool]] = {}
        self.addresses: dict[str, list[str]] = {}
        self.addresses_elsewhere: OrderedDict[str, tuple[str, ...]] = OrderedDict()
        """Of each table, the addresses of players that another server has told last."""
        self.counts: Counter[tuple[str, str]] = Counter()
        self.counters: dict[str, Callable[[str, int], None]] = {}
        """For each limit, the function that counts its use at other servers."""
        self.all_at = -REPEAT
        self.greets = self.connected = False
        self.pending = asyncio.Event()
        self.heard_at = time.monotonic()
        self.complaint = ""

    # --- out

    def written(self, live: LiveTable) -> None:
        """Tell how many events and keys a table has."""
        table = live.table
        self.news[table.id] = table.seq, len(table.keys), self._waits(table)
        self.pending.set()

    def changed(self, live: LiveTable) -> None:
        """Tell the server that cares for a table if a computer or a clock must act there."""
        live.seated_elsewhere = self.addresses_elsewhere.get(live.id, ())
        if not live.is_gone and self._waits(live.table) and not self.sharing.cares(live):
            self.written(live)

    @staticmethod
    def _waits(table: Table) -> bool:
        """Whether the table waits for a computer or a clock."""
        return table.chooser_is_computer or table.clocks.runs

    def viewers_changed(self, live: LiveTable) -> None:
        """Tell who is online at a table here."""
        self.online[live.table.id] = live.online_here, live.viewers > 0
        self.pending.set()

    def address_changed(self, live: LiveTable) -> None:
        """Tell the addresses of a table's players, whose shares the computers' time there uses."""
        self.addresses[live.id] = sorted(live.seated_from.values())
        self.pending.set()

    def seat_taken(self, address: str, table_id: str) -> None:
        self.count(SEATS, f"{address} {table_id}")

    def table_listed(self, address: str, table_id: str) -> None:
        self.count(LISTINGS, f"{address} {table_id}")

    def count(self, limit: str, address: str) -> None:
        """Tell that an address has used up a part of a limit."""
        self.counts[limit, address] += 1

    async def send(self) -> None:
        """Send notices as they come, for ever. What cannot be sent is dropped."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TICK):
                    await self.pending.wait()
            self.pending.clear()
            try:
                await self._publish(self._collect())
            except Exception:
                log.exception("notices could not be sent")
                await asyncio.sleep(PAUSE)

    async def _publish(self, message: dict[str, object]) -> None:
        if message and self.connected:
            try:
                with self.link.guarded():
                    await self.link.client.publish(self.channel, json.dumps(message))
            except RedisError as error:
                self._lose(error)

    def _collect(self) -> dict[str, object]:
        """The notices to send since the last time; empty if there are none."""
        everything = time.monotonic() - self.all_at > REPEAT
        if everything:
            self.all_at = time.monotonic()
            here = self.sharing.registry.tables
            self.online = {live.id: (live.online_here, True) for live in here if live.viewers > 0}
        parts = {
            "news": [[table, *message] for table, message in self.news.items()],
            "online": [[table, sorted(chairs), watched] for table, (chairs, watched) in self.online.items()],
            "sealed": self._sealed(),
            "all": everything,
            "hello": self.greets,
        }
        self.news, self.online, self.counts, self.addresses, self.greets = {}, {}, Counter(), {}, False
        message = {name: part for name, part in parts.items() if part}
        return {"from": self.sharing.number, **message} if message else {}

    def _sealed(self) -> str:
        """What tells the addresses of visitors, readable by servers only; empty if there is nothing."""
        counts = [[*key, number] for key, number in self.counts.items()]
        addresses = list(self.addresses.items())
        return self.seal.close({"counts": counts, "addresses": addresses}) if counts or addresses else ""

    # --- in

    async def listen(self) -> None:
        """Hear notices, for ever, with a new connection whenever one is lost."""
        while True:
            try:
                await self._listen_once()
            except RedisError as error:
                self._lose(error)
            except Exception:
                log.exception("notices could not be heard")
                self._lose(RedisUnavailable(DOWN))
            await asyncio.sleep(PAUSE)

    async def _listen_once(self) -> None:
        await self.link.check(self.owner)
        with self.link.guarded():
            async with self.link.client.pubsub(ignore_subscribe_messages=True) as channel:
                await channel.subscribe(self.channel)
                settled = asyncio.get_running_loop().call_later(SETTLE, self._begin_to_hear)
                self.connected = self.greets = True
                self.all_at, self.heard_at = -REPEAT, time.monotonic()
                self.pending.set()
                try:
                    while time.monotonic() - self.heard_at < SILENCE:
                        message = await channel.get_message(timeout=1.0)
                        if message is not None:
                            self.heard_at = time.monotonic()
                            self._hear(str(message["data"]))
                finally:
                    settled.cancel()
        raise RedisUnavailable(f"Redis {self.link.shown} passes nothing on.")

    def _begin_to_hear(self) -> None:
        if not self.sharing.hears:
            log.info("notices of other servers arrive")
        self.sharing.hears, self.complaint = True, ""
        REDIS.set(1)
        self.sharing.show_all()

    def _lose(self, error: RedisError) -> None:
        """Go on without notices until they arrive again."""
        if str(error) != self.complaint:
            log.warning(str(error))
        self.complaint, self.connected = str(error), False
        REDIS.set(0)
        if self.sharing.hears:
            self.sharing.hears = False
            self.sharing.show_all()

    def _hear(self, text: str) -> None:
        """Take over a notice. One that cannot be read is left alone: another version may have sent it."""
        try:
            message = json.loads(text)
            server = int(message["from"])
            if server == self.sharing.number:
                return
            for table, events, keys, waits in message.get("news", ()):
                self.sharing.news(str(table), int(events), int(keys), waits=bool(waits))
            online = {str(table): (frozenset(chairs), bool(seen)) for table, chairs, seen in message.get("online", ())}
            everything = bool(message.get("all"))
            if online or everything:
                self.sharing.heard(server, online, everything=everything)
            private = self.seal.open(str(message["sealed"])) if "sealed" in message else message  # of an older version
            for limit, address, number in private.get("counts", ()):
                self._hear_count(str(limit), str(address), int(number))
            for table, addresses in private.get("addresses", ()):
                self._hear_addresses(str(table), tuple(map(str, addresses)))
            if message.get("hello"):
                self.all_at = -REPEAT
                self.pending.set()
        except (AttributeError, KeyError, TypeError, ValueError):
            log.warning("a notice could not be read")

    def _hear_addresses(self, table_id: str, addresses: tuple[str, ...]) -> None:
        """Remember the addresses of a table's players at another server."""
        self.addresses_elsewhere.pop(table_id, None)
        self.addresses_elsewhere[table_id] = addresses
        if len(self.addresses_elsewhere) > MOST_TABLES:
            self.addresses_elsewhere.popitem(last=False)
        live = self.sharing.registry.tables.peek(table_id)
        if live is not None:
            live.seated_elsewhere = addresses

    def _hear_count(self, limit: str, address: str, number: int) -> None:
        """Count what an address has used elsewhere. Seats and listings name the table behind the address."""
        registry = self.sharing.registry
        if limit in self.counters:
            self.counters[limit](address, number)
            return
        address, _, table_id = address.partition(" ")
        if limit == SEATS:
            registry.open_seats.note(address, table_id, number)
        elif limit == LISTINGS:
            registry.listings.note(address, table_id)

    @property
    def notes(self) -> list[str]:
        """What the person who runs the server should know, for ``/readyz``."""
        return [f"{DOWN}\n"] * bool(self.complaint) + [f"{SKEWED}\n"] * self.sharing.is_skewed

    async def leave(self) -> None:
        """Say that no person is online here any more."""
        await self._publish({"from": self.sharing.number, "all": True})


def member_of(settings: Settings, database: Database) -> Member | None:
    """This server as a member of a cluster, or None for a sole server. Raises StorageError or RedisError."""
    if not settings.redis:
        return None
    check_url(settings.redis)
    if database.is_sqlite:
        raise StorageError(NOT_SQLITE)
    return new_member()


async def must_fit_in(database: Database) -> Living:
    """The servers that live, this one included. Raises StorageError if this one cannot stand beside them."""
    servers = await living(database)
    if servers is None:
        raise StorageError("The lock of the database was lost while the server started; start it again.")
    must_fit(servers)
    return servers


class Cluster:
    """This server among the others."""

    def __init__(self, settings: Settings, registry: TableRegistry, number: int, owner: str, seal: Seal) -> None:
        self.registry = registry
        self.link = RedisLink(settings.redis)
        self.sharing = Sharing(registry, number)
        self.notices = Notices(self.link, self.sharing, owner, seal)
        self.tasks: list[asyncio.Task[None]] = []

    @classmethod
    async def join(
        cls, settings: Settings, registry: TableRegistry, member: Member, servers: Living, key: str
    ) -> "Cluster":
        """Join the others, who know the key. Raises RedisError if Redis is configured wrongly, not if it is down."""
        owner = await fingerprint(registry.database)
        cluster = cls(settings, registry, member.number, owner, Seal(key))
        try:
            await cluster.link.check(owner)
        except RedisUnavailable as error:
            log.warning(str(error))
        except BaseException:
            await cluster.link.close()
            raise
        registry.sharing = cluster.sharing
        cluster.sharing.take_over(servers)
        return cluster

    def counter(self, name: str) -> SharedWindows:
        """The calls of all servers together that a limit counts."""
        return SharedWindows(
            self.link, self.notices.seal, name, lambda: (len(self.sharing.members), self.sharing.hears)
        )

    def share_limit(self, name: str, note: Callable[[str, int], None]) -> Callable[[str], None]:
        """Share a limit of addresses. ``note`` counts its use elsewhere; the returned function reports a use here."""
        self.notices.counters[name] = note
        return partial(self.notices.count, name)

    def start(self) -> None:
        """Begin to tell, to hear and to look at the database."""
        work = (self.notices.send(), self.notices.listen(), self.sharing.poll())
        self.tasks = [asyncio.create_task(each) for each in work]

    async def stop(self) -> None:
        """Leave the others."""
        await self.notices.leave()
        await cancel_all(*self.tasks)
        await self.sharing.close()
        await self.link.close()
