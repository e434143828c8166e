"""Live: a socket or a stream that always ends up with the table as it is.

There are no queues. A viewer has a number, the last event it was told of. When the bell rings it gets one update with
all events since and the table as it is now; a viewer that reads slowly gets fewer and larger updates. So memory is
bounded whatever a client does, and to resume after a lost connection is nothing special.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator

from ..protocol.errors import Refused
from .events import SPECTATOR, Key, Who
from .registry import Hall, Seated, now_ms
from .tokens import find
from .updates import looking_seat


class Viewer:
    """Somebody who watches a table through a seat."""

    def __init__(
        self, hall: Hall, seated: Seated, token: str | None, *, after: int = 0, seat: int | None = None
    ) -> None:
        self.hall = hall
        self.seated = seated
        self.token = token
        self.asked = seat
        self.after = min(after, seated.table.seq)
        self.detail = "full"
        self.key: Key | None = find(seated.table.keys, token, "seat") if token else None
        self.who = seated.note(hall.who(seated.table, token))
        self._check_seat()

    def _check_seat(self) -> None:
        if self.asked is not None and self.asked not in self.who.seats:
            raise Refused("not-allowed", f"Seat {self.asked} is not yours.")

    def look_through(self, seat: int | None) -> None:
        """Look through another of the seats held."""
        self.refresh()
        before, self.asked = self.asked, seat
        try:
            self._check_seat()
        except Refused:
            self.asked = before
            raise

    def refresh(self) -> Who:
        """Who this is now: lots change seats, and a token can be revoked."""
        if self.key is None:
            self.who = SPECTATOR
            return self.who
        if self.key.revoked:
            found = find(self.seated.table.keys, self.token or "", "seat")
            if found is None:
                raise Refused("not-seated", "That token holds no seat at this table any more.")
            self.key = found
        self.who = self.seated.table.who(self.key)
        return self.who

    def news(self) -> bytes:
        """The update this viewer is owed now."""
        return self._news(self.seated.teller.update)

    def frame(self) -> bytes:
        """The same as a frame of a socket."""
        return self._news(self.seated.teller.frame)

    def _news(self, make: Callable[..., bytes]) -> bytes:
        who, table = self.refresh(), self.seated.table
        seat = looking_seat(table, who, self.asked)
        told = make(who, seat, self.after, now_ms(), detail=self.detail)
        self.after = table.seq
        return told

    @property
    def over(self) -> bool:
        """Whether the table must be read anew, or the server stops."""
        return self.seated.gone or self.hall.stopping

    async def updates(self, heartbeat: float) -> AsyncIterator[bytes | None]:
        """Updates as they come; None where it is time for a heartbeat. Ends when the table must be read anew."""
        while not self.over:
            bell = self.seated.bell
            yield self.news()
            while not bell.is_set():
                try:
                    async with asyncio.timeout(heartbeat):
                        await bell.wait()
                except TimeoutError:
                    yield None

    @contextlib.contextmanager
    def present(self) -> Iterator[None]:
        """Be counted among those who watch."""
        who = self.who
        self.seated.come(who)
        try:
            yield
        finally:
            self.seated.go(who)
