"""The lobby: the host of a table, and limits on how many tables an address lists and how many open seats it takes.

The limits are kept in memory, by address, and forgotten at a restart. Servers of a cluster tell each other.
"""

from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from cartagena.game.plurals import counted

from ..protocol.errors import Refused
from ..tables.state import Table

MAX_TABLES: Final = 20_000


def host_name(table: Table) -> str:
    """The name of the person who set the table up; empty if none was given."""
    chairs = next((key.chairs for key in table.keys if key.host), ())
    return next((table.chairs[chair - 1].name for chair in chairs), "")


class OpenSeats:
    """Who took the seats that need no invitation. An address gets at most half of those of a table."""

    def __init__(self) -> None:
        self.taken: OrderedDict[str, Counter[str]] = OrderedDict()

    def check(self, table: Table, address: str) -> None:
        """Refuse another seat if the address has taken its share. Seats of removed persons count."""
        links = sum(seat.kind == "link" for seat in table.setup.seats)
        if table.setup.lobby and self.taken.get(table.id, Counter())[address] >= max(1, (links + 1) // 2):
            raise Refused("limit", "Your network has its share of the open seats; ask the host for an invitation.")

    def note(self, address: str, table_id: str, number: int = 1) -> None:
        """Count seats that an address took, here or at another server."""
        self.taken.setdefault(table_id, Counter())[address] += number
        self.taken.move_to_end(table_id)
        if len(self.taken) > MAX_TABLES:
            self.taken.popitem(last=False)


class Listings:
    """Which tables of the lobby an address has set up."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.tables: OrderedDict[str, list[str]] = OrderedDict()
        self.added: Counter[str] = Counter()
        """How many tables of an address are being stored."""

    def of(self, address: str) -> list[str]:
        """Ids of the tables that count against the address."""
        return self.tables.get(address, [])

    def check(self, address: str, waiting: list[str]) -> None:
        """Refuse one more table; ``waiting`` are those of the address that still wait for people."""
        self.tables[address] = waiting
        self.tables.move_to_end(address)
        if len(self.tables) > MAX_TABLES:
            self.tables.popitem(last=False)
        number = len(waiting) + self.added[address]
        if number >= self.most:
            tables = counted(number, "table")
            raise Refused("limit", f"You have {tables} waiting in the lobby; wait until people have joined.")

    @contextmanager
    def adding(self, address: str) -> Iterator[None]:
        """Count a table that is being stored, so that requests at the same time find it."""
        self.added[address] += 1
        try:
            yield
        finally:
            self.added[address] -= 1
            self.added += Counter()  # forget addresses without any

    def note(self, address: str, table_id: str) -> None:
        """Count a table that an address listed, here or at another server."""
        self.tables.setdefault(address, []).append(table_id)
