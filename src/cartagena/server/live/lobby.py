"""The lobby: the host of a table, and limits on how many tables an address lists and how many open seats it takes.

The limits are kept in memory, by address, and forgotten at a restart. Servers of a cluster tell each other.
"""

from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from cartagena.game.plurals import counted

from ..addresses import person_or_network, shares, widest
from ..protocol.errors import Refused
from ..tables.state import Table

MAX_TABLES: Final = 20_000


def host_name(table: Table) -> str:
    """The name of the person who set the table up; empty if none was given."""
    chairs = next((key.chairs for key in table.keys if key.host), ())
    return next((table.chairs[chair - 1].name for chair in chairs), "")


def rules_title(table: Table) -> str:
    """The title of a variant, or its name where it has none. Empty for the games of the package."""
    entries = table.setup.variant or {}
    return str(entries.get("title") or entries.get("name") or "")


class OpenSeats:
    """Who took the seats that need no invitation. A network gets at most half of those of a table.

    In a local network every address does.
    """

    def __init__(self) -> None:
        self.taken: OrderedDict[str, Counter[str]] = OrderedDict()

    @staticmethod
    def share(table: Table) -> int:
        """How many open seats of a table a network may take."""
        links = sum(seat.kind == "link" for seat in table.setup.seats)
        return max(1, (links + 1) // 2)

    def check(self, table: Table, address: str) -> None:
        """Refuse another seat if the address has taken its share. Seats of removed persons count."""
        holder = person_or_network(address)
        takers = self.taken.get(table.id, Counter[str]())
        taken = sum(number for other, number in takers.items() if person_or_network(other) == holder)
        if table.setup.lobby and taken >= self.share(table):
            raise Refused("limit", "Your network has its share of the open seats; ask the host for an invitation.")

    def note(self, address: str, table_id: str, number: int = 1) -> None:
        """Count seats that an address took, here or at another server."""
        self.taken.setdefault(table_id, Counter())[address] += number
        self.taken.move_to_end(table_id)
        if len(self.taken) > MAX_TABLES:
            self.taken.popitem(last=False)


class Listings:
    """Which tables of the lobby an address and its networks have set up."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.tables: OrderedDict[str, dict[str, str]] = OrderedDict()
        """By widest network the ids of the tables, each with its address."""
        self.added: Counter[str] = Counter()
        """How many tables of an address or network are being stored."""

    def of(self, address: str) -> list[str]:
        """Ids of the tables that count against the address or its networks."""
        return list(self.tables.get(widest(address), ()))

    def forget(self, address: str, table_id: str) -> None:
        """Count a table no longer, which does not wait for people any more."""
        self.tables.get(widest(address), {}).pop(table_id, None)

    def check(self, address: str) -> None:
        """Refuse one more table if too many of the address or its networks still wait for people."""
        holder = widest(address)
        known = self.tables.setdefault(holder, {})
        self.tables.move_to_end(holder)
        if len(self.tables) > MAX_TABLES:
            self.tables.popitem(last=False)
        listed = Counter(share.key for each in known.values() for share in shares(each)) + self.added
        own = listed[address]
        if any(listed[share.key] >= self.most * share.visitors for share in shares(address)):
            whose = f"You have {counted(own, 'table')}" if own >= self.most else "Your network has too many tables"
            raise Refused("limit", f"{whose} waiting in the lobby; wait until people have joined.")

    @contextmanager
    def adding(self, address: str) -> Iterator[None]:
        """Count a table that is being stored, so that requests at the same time find it."""
        keys = [share.key for share in shares(address)]
        self.added.update(keys)
        try:
            yield
        finally:
            self.added.subtract(keys)
            self.added += Counter()  # forget addresses without any

    def note(self, address: str, table_id: str) -> None:
        """Count a table that an address listed, here or at another server."""
        self.tables.setdefault(widest(address), {})[table_id] = address
