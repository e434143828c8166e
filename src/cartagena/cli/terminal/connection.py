"""A game server as the terminal sees it: requests over HTTP, and the seats that a person holds there.

Redirects are not followed, because a request carries the token of a seat. An answer has a size and a time.
"""

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from platformdirs import user_data_path

from cartagena.errors import CartagenaError

from ..sentences import harmless
from .words import Words

try:
    import fcntl
except ImportError:  # Windows has no locks of this kind: there every lock is granted
    HAS_LOCKS = False
else:
    HAS_LOCKS = True

PROTOCOL: Final = 2
"""The version of the server's interface that is spoken here."""
HEADERS: Final = {"Cartagena-Protocol": str(PROTOCOL), "User-Agent": "Cartagena-terminal"}
SECONDS: Final = 20
WAIT: Final = 30
"""Seconds that a server is asked to wait for news."""
LARGEST: Final = 8_000_000
INVITATION: Final = "/#/join/"
MOST_TURNS: Final = 200
"""Tables that one request may ask about."""


class ServerError(CartagenaError):
    """A server that does not answer, or that refuses. ``code`` and ``reason`` are the server's, where it has any."""

    def __init__(self, message: str, code: str = "", reason: str = "") -> None:
        super().__init__(message)
        self.code, self.reason = code, reason


class Stay(HTTPRedirectHandler):
    """Follows no redirect."""

    def redirect_request(self, *_: Any) -> None:
        return None


def split_link(text: str) -> tuple[str, str, str]:
    """The server, the table and the invitation of a link; table and invitation are empty where it has none."""
    server, _, rest = text.partition(INVITATION)
    table, _, invite = rest.partition("/")
    return server.rstrip("/"), table, invite


class Connection:
    """A server by its address. Everything that goes wrong raises ServerError with one sentence."""

    def __init__(self, url: str, words: Words) -> None:
        self.url, self.words = url, words
        try:
            parts = urlsplit(url)
            usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
        except ValueError:
            usable = False
        if not usable or not url.isascii() or not url.isprintable() or " " in url or "@" in url or "#" in url:
            raise ServerError(words("server_address", server=url[:200]))
        self.opener = build_opener(Stay)

    def greet(self) -> None:
        """Raise ServerError unless a game server of this version of the interface answers."""
        if self.get("/api/about").get("protocol") != PROTOCOL:
            raise ServerError(self.words("server_other", server=self.url))

    def get(self, path: str, token: str = "", **query: object) -> dict[str, Any]:
        asked = urlencode({key: str(value).lower() for key, value in query.items()})
        request = Request(f"{self.url}{path}?{asked}", headers=HEADERS)  # noqa: S310  # http and https only, see above
        return self._ask(request, token, SECONDS + WAIT)

    def post(self, path: str, body: object, token: str = "", *, again: bool = False) -> dict[str, Any]:
        """Send a request. One that the server carries out only once is sent ``again`` where no answer came."""
        data = json.dumps(body).encode()
        headers = {**HEADERS, "Content-Type": "application/json"}
        request = Request(f"{self.url}{path}", data, headers)  # noqa: S310  # http and https only, see above
        try:
            return self._ask(request, token, SECONDS)
        except ServerError as error:
            if error.code or not again:
                raise
            return self._ask(request, token, SECONDS)

    def _ask(self, request: Request, token: str, seconds: float) -> dict[str, Any]:
        if token:
            request.add_unredirected_header("Authorization", f"Bearer {token}")
        try:
            with self.opener.open(request, timeout=seconds) as answer:
                return self._read(answer.read(LARGEST))
        except HTTPError as error:
            with error:
                raise self._refusal(error) from None
        except (URLError, OSError, HTTPException):
            raise ServerError(self.words("server_dead", server=self.url)) from None

    def _read(self, body: bytes) -> dict[str, Any]:
        try:
            found = json.loads(body)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise ServerError(self.words("server_other", server=self.url), "failed")
        return found

    def _refusal(self, answer: HTTPError) -> ServerError:
        try:
            error = self._read(answer.read(LARGEST))["error"]
            return ServerError(harmless(str(error["message"])), str(error["code"]), str(error.get("reason") or ""))
        except (KeyError, TypeError, AttributeError, OSError, HTTPException, ServerError):
            return ServerError(self.words("server_other", server=self.url), "failed")


@dataclass
class HeldSeat:
    """Seats that a person holds at a table by one token, and what was seen of it."""

    server: str
    table: str
    token: str
    label: str = ""
    """The rule set and the players, for the list of tables."""
    seen: int = 0
    """The number of the last event that was shown."""
    links: list[str] = field(default_factory=list)
    """Invitations to the free seats of a table that the person has set up."""


class SeatBook:
    """The file with the tokens of all seats. Only its owner can read it.

    It is locked and read before every change, so that two terminals keep each other's seats.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or user_data_path("cartagena", appauthor=False) / "seats.json"

    def read(self) -> list[HeldSeat]:
        """All seats, at all servers. Raises CartagenaError."""
        try:
            return [HeldSeat(**each) for each in json.loads(self.path.read_text(encoding="utf-8"))]
        except FileNotFoundError:
            return []
        except (ValueError, TypeError):
            raise CartagenaError(f"{self.path} is not a list of seats; move it away to begin a new one") from None

    def at(self, server: str) -> list[HeldSeat]:
        return [seat for seat in self.read() if seat.server == server]

    def keep(self, seat: HeldSeat) -> HeldSeat:
        """Write a seat, a new one at the end."""
        with self._locked():
            held = self.read()
            known = [(each.table, each.token) for each in held]
            if (seat.table, seat.token) in known:
                held[known.index((seat.table, seat.token))] = seat
            else:
                held.append(seat)
            self._write(held)
        return seat

    def remove(self, seat: HeldSeat) -> None:
        with self._locked():
            gone = (seat.table, seat.token)
            self._write([each for each in self.read() if (each.table, each.token) != gone])

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Wait until no other terminal changes the file. The lock is a file of its own, since the list is replaced."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.path.with_name(f"{self.path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if HAS_LOCKS:
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _write(self, seats: list[HeldSeat]) -> None:
        """Replace the file as a whole, so that a crash leaves the old one."""
        draft = self.path.with_name(f"{self.path.name}.{secrets.token_hex(4)}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            json.dump([asdict(seat) for seat in seats], file, indent=1)
        draft.replace(self.path)


def turns(connection: Connection, seats: list[HeldSeat]) -> list[dict[str, Any]]:
    """Whose turn it is at the tables of these seats, in their order."""
    found: list[dict[str, Any]] = []
    for start in range(0, len(seats), MOST_TURNS):
        part = [{"table": seat.table, "token": seat.token} for seat in seats[start : start + MOST_TURNS]]
        found += connection.post("/api/turns", {"seats": part}, again=True)["tables"]
    return found
