"""Subscriptions of sockets and streams to a table, without queues.

A subscription remembers the number of the last event it has sent. On a change it sends one update with all events since
then and the table as it is now, so a slow reader gets fewer and larger updates. Memory stays bounded, and resuming
after a lost connection needs no special case.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator

from ..storage.rows import Key
from ..tables.tokens import SPECTATOR, Requester, find, seat_key
from ..tables.updates import FULL, Detail, looking_seat
from .live_table import LiveTable, now_ms
from .registry import TableRegistry


class Subscription:
    """A client that watches a table through a seat."""

    def __init__(
        self,
        registry: TableRegistry,
        live: LiveTable,
        token: str | None,
        *,
        after: int = 0,
        seat: int | None = None,
        detail: Detail = FULL,
    ) -> None:
        self.registry = registry
        self.live = live
        self.token = token
        self.asked = seat
        self.after = min(after, live.table.seq)
        self.detail = detail
        self.table = live.table
        self.key: Key | None = find(live.table.keys, token, "seat") if token else None
        self.who = live.note(live.table.requester(token))
        self.who.must_hold(seat)

    def look_through(self, seat: int | None) -> None:
        """Look through another seat that is held."""
        self.refresh().must_hold(seat)
        self.asked = seat

    def refresh(self) -> Requester:
        """Work out the holder again: lots change seats, tokens are revoked, and tables are read again."""
        if self.key is None:
            self.who = SPECTATOR
            return self.who
        if self.key.revoked or self.table is not self.live.table:
            self.table = self.live.table
            self.key = seat_key(self.live.table.keys, self.token or "")
        self.who = self.live.table.holder(self.key)
        if not self.who.seats:
            self.live.table.must_show(self.who)
        return self.who

    def news(self) -> bytes:
        """The pending update as JSON."""
        return self._news(self.live.updates.update)

    def frame(self) -> bytes:
        """The pending update as a WebSocket frame."""
        return self._news(self.live.updates.frame)

    def _news(self, make: Callable[..., bytes]) -> bytes:
        who, table = self.refresh(), self.live.table
        seat = looking_seat(table, who, self.asked)
        update = make(who, seat, self.after, now_ms(), detail=self.detail)
        self.after = table.seq
        return update

    @property
    def over(self) -> bool:
        """Whether the client must connect again: the table was removed, has lost events, or the server stops."""
        return self.live.is_gone or self.registry.stopping or self.after > self.live.table.seq

    async def updates(self, heartbeat: float) -> AsyncIterator[bytes | None]:
        """Updates as they come, and None for a heartbeat. Ends when the client must connect again."""
        while not self.over:
            bell = self.live.bell
            yield self.news()
            while not bell.is_set():
                try:
                    async with asyncio.timeout(heartbeat):
                        await bell.wait()
                except TimeoutError:
                    yield None

    @contextlib.contextmanager
    def present(self) -> Iterator[None]:
        """Count as online."""
        who = self.who
        self.live.come(who)
        try:
            yield
        finally:
            self.live.go(who)
