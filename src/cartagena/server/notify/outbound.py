"""Requests to addresses that strangers gave, push services and webhooks, and what webhooks are sent.

Such an address is hostile until proved. Only https is spoken. A name is resolved once, all its addresses must be
public, and the connection goes to one of exactly these, so that a second answer of the name server changes nothing.
Redirects are not followed. An answer is read up to a size, and all of it has a few seconds. A connection is kept for
the next request to the same host.
"""

import asyncio
import hashlib
import hmac
import ipaddress
import json
import socket
import ssl
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import h11

from cartagena.server.addresses import Networks

from ..storage.rows import read_chairs
from .outbox import Row

LONGEST_URL: Final = 2000
LARGEST_ANSWER: Final = 4096
SECONDS: Final = 5.0
IDLE_SECONDS: Final = 20.0
"""How long a connection is kept at most for the next request after one."""
MOST_IDLE: Final = 200
LOOKUPS: Final = 2
"""Names of strangers that are resolved at once, however slowly: half of the event loop's threads for that."""
PORT: Final = 443
IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
NO_HOST: Final = ipaddress.ip_network("64:ff9b:1::/48")  # translated addresses of a local network
TRANSLATED: Final = ipaddress.ip_network("64:ff9b::/96")  # an IPv4 address in its last 32 bits
SIGNATURE: Final = "Cartagena-Signature"
COMPATIBLE: Final = ipaddress.ip_network("::/96")
NOWHERE: Final = tuple(map(ipaddress.ip_network, ("192.88.99.0/24", "3fff::/20")))
"""Networks that lead nowhere and that Python's list of public ones does not know yet."""


class Forbidden(ValueError):
    """An address that no request goes to. The message is one sentence for the person who gave it."""


class Unreachable(Exception):
    """No answer came; a later try may bring one."""


class Closed(Exception):
    """The other side closed the connection before it answered."""


class Destination(NamedTuple):
    """Where a request goes."""

    host: str
    port: int
    target: str

    @property
    def authority(self) -> str:
        """The host as a request names it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORT else f"{host}:{self.port}"


class Answer(NamedTuple):
    """The answer to a request. ``retry_after`` are the seconds that it asks to wait, 0 if it does not say."""

    status: int
    body: bytes
    retry_after: float


def parse(url: str) -> Destination:
    """The destination of a URL. Raises Forbidden unless it is a plain https address without a user's name."""
    if len(url) > LONGEST_URL or not url.isascii() or not url.isprintable() or any(mark in url for mark in ' \\"<>'):
        raise Forbidden(f"An address has at most {LONGEST_URL} printable ASCII characters.")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise Forbidden("This is not an address.") from None
    if parts.scheme != "https" or not host:
        raise Forbidden("The address must begin with https://.")
    if "@" in parts.netloc:
        raise Forbidden("The address must not hold a user's name.")
    if "%" in host:
        raise Forbidden("The address must be a public one; this one names an interface of this machine.")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Destination(host, PORT if port is None else port, target)


def embedded(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address that an IPv6 address leads to, if it does."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF) if address in TRANSLATED else None


def is_public(address: IPAddress) -> bool:
    """True for an address of the open internet."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = embedded(address)
        if inner is not None:
            return is_public(inner)
        if address in NO_HOST or address in COMPATIBLE or address.is_site_local:
            return False
    if any(address in network for network in NOWHERE):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


async def look_up(destination: Destination, gate: asyncio.Semaphore | None) -> list[Any]:
    """Resolve a name. A lookup that is waited for no longer holds its place at the gate until it ends."""
    if gate is not None:
        await gate.acquire()
    loop = asyncio.get_running_loop()
    lookup = asyncio.ensure_future(loop.getaddrinfo(destination.host, destination.port, type=socket.SOCK_STREAM))

    def ended(done: "asyncio.Future[list[Any]]") -> None:
        if gate is not None:
            gate.release()
        if not done.cancelled():
            done.exception()  # retrieved: the request may have given up

    lookup.add_done_callback(ended)
    return await asyncio.shield(lookup)


async def resolve(destination: Destination, allowed: Networks, gate: asyncio.Semaphore | None = None) -> list[str]:
    """The addresses of a destination. Raises Forbidden if one is neither public nor ``allowed``, and Unreachable."""
    try:
        entries = await look_up(destination, gate)
    except OSError as error:
        raise Unreachable(f"{destination.host} has no address ({error.strerror})") from None
    except UnicodeError:
        raise Forbidden("The address names no host.") from None
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in entries))
    for text in addresses:
        address = ipaddress.ip_address(text.partition("%")[0])
        if "%" in text or not (is_public(address) or text in allowed):
            raise Forbidden("The address must be a public one; this one leads into a private network.")
    return addresses


@cache
def secure() -> ssl.SSLContext:
    """How certificates are checked: as the system does."""
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


class Line(NamedTuple):
    """A connection to a destination, used for one request at a time."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @property
    def is_open(self) -> bool:
        return not (self.reader.at_eof() or self.writer.is_closing())

    async def close(self) -> None:
        self.writer.transport.abort()
        with suppress(OSError, ssl.SSLError):
            await self.writer.wait_closed()


class Poster:
    """Sends requests and keeps connections for the next ones to the same host.

    Addresses are checked before every connection is made. A kept one leads to an address that was, and is closed when
    it was idle for some seconds, so that a name that moves is followed.
    """

    def __init__(self, allowed: Networks) -> None:
        self.allowed = allowed
        self.gate = asyncio.Semaphore(LOOKUPS)
        self.idle: dict[tuple[str, int], list[Line]] = {}

    async def check(self, url: str) -> None:
        """Raises Forbidden unless requests may go to an address, and Unreachable if its name is not resolved."""
        destination = parse(url)
        try:
            async with asyncio.timeout(SECONDS):
                await resolve(destination, self.allowed, self.gate)
        except TimeoutError:
            raise Unreachable(f"{destination.host} has no address within {SECONDS:.0f} seconds") from None

    async def post(self, url: str, body: bytes, headers: Mapping[str, str], *, known: bool = False) -> Answer:
        """Send a request and read the answer. Raises Forbidden and Unreachable.

        The name of a ``known`` host, such as a push service, waits for no name that strangers have given.
        """
        destination = parse(url)
        try:
            async with asyncio.timeout(SECONDS):
                return await self._post(destination, request(destination, body, headers), None if known else self.gate)
        except TimeoutError:
            raise Unreachable(f"{destination.host} did not answer within {SECONDS:.0f} seconds") from None
        except (OSError, asyncio.IncompleteReadError, h11.RemoteProtocolError) as error:
            raise Unreachable(f"{destination.host} could not be asked ({type(error).__name__})") from None

    async def _post(self, destination: Destination, sent: bytes, gate: asyncio.Semaphore | None) -> Answer:
        """Send a request over a kept connection; if there is none, or it turns out to be closed, over a new one."""
        kept = self._take(destination)
        if kept is not None:
            with suppress(Closed):
                return await self._ask(destination, kept, sent)
        line = Line(*await connect(destination, await resolve(destination, self.allowed, gate)))
        try:
            return await self._ask(destination, line, sent)
        except Closed:
            raise Unreachable(f"{destination.host} closed the connection") from None

    async def _ask(self, destination: Destination, line: Line, sent: bytes) -> Answer:
        """Send a request and read the answer. The connection is kept if both sides can use it again."""
        reusable = False
        try:
            answer, reusable = await ask(line, sent)
        finally:
            if reusable:
                self._keep(destination, line)
            else:
                await line.close()
        return answer

    def _take(self, destination: Destination) -> Line | None:
        lines = self.idle.get((destination.host, destination.port), [])
        while lines:
            line = lines.pop()
            if line.is_open:
                return line
            line.writer.transport.abort()
        return None

    def _keep(self, destination: Destination, line: Line) -> None:
        server = (destination.host, destination.port)
        if sum(map(len, self.idle.values())) >= MOST_IDLE:
            line.writer.transport.abort()
            return
        self.idle.setdefault(server, []).append(line)
        asyncio.get_running_loop().call_later(IDLE_SECONDS, self._drop, server, line)

    def _drop(self, server: tuple[str, int], line: Line) -> None:
        """Close a connection, unless it is in use just now."""
        lines = self.idle.get(server, [])
        if line in lines:
            lines.remove(line)
            line.writer.transport.abort()
        if not lines:
            self.idle.pop(server, None)

    def close(self) -> None:
        """Close all connections that are kept."""
        for server, lines in list(self.idle.items()):
            for line in list(lines):
                self._drop(server, line)


def request(destination: Destination, body: bytes, headers: Mapping[str, str]) -> bytes:
    """The bytes of a request."""
    connection = h11.Connection(h11.CLIENT)
    own = {"Host": destination.authority, "Content-Length": str(len(body)), **headers}
    sent = [
        connection.send(h11.Request(method="POST", target=destination.target, headers=list(own.items()))),
        connection.send(h11.Data(body)),
        connection.send(h11.EndOfMessage()),
    ]
    return b"".join(part or b"" for part in sent)


async def connect(
    destination: Destination, addresses: Sequence[str]
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to the first of the addresses that answers, with the certificate of the destination's name."""
    for number, address in enumerate(addresses, 1):
        try:
            return await asyncio.open_connection(
                address, destination.port, ssl=secure(), server_hostname=destination.host, limit=LARGEST_ANSWER
            )
        except OSError:
            if number == len(addresses):
                raise
    raise Unreachable(f"{destination.host} has no address")


async def ask(line: Line, sent: bytes) -> tuple[Answer, bool]:
    """Send a request and read the answer. Returns also whether the connection can be used again. Raises Closed."""
    try:
        line.writer.write(sent)
        await line.writer.drain()
        first = await line.reader.read(LARGEST_ANSWER)
    except ConnectionError:
        raise Closed from None
    if not first:
        raise Closed
    return await answer(line.reader, first)


async def answer(reader: asyncio.StreamReader, first: bytes) -> tuple[Answer, bool]:
    """Read an answer that begins with ``first``. What is longer than the limit is cut, and ends the connection."""
    connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=LARGEST_ANSWER)
    connection.send(h11.Request(method="POST", target="/", headers=[("Host", "-"), ("Content-Length", "0")]))
    connection.send(h11.EndOfMessage())
    connection.receive_data(first)
    status, retry_after, body, received = 0, 0.0, b"", len(first)
    while True:
        event = connection.next_event()
        if event is h11.NEED_DATA:
            more = await reader.read(LARGEST_ANSWER)
            received += len(more)
            if received > 2 * LARGEST_ANSWER:
                if not status:  # interim answers without end
                    raise h11.RemoteProtocolError("too long")
                return Answer(status, body[:LARGEST_ANSWER], retry_after), False
            connection.receive_data(more)
        elif isinstance(event, h11.Response):
            status = event.status_code
            retry_after = seconds_of(dict(event.headers).get(b"retry-after", b""))
        elif isinstance(event, h11.Data):
            body += bytes(event.data)
            if len(body) >= LARGEST_ANSWER:
                return Answer(status, body[:LARGEST_ANSWER], retry_after), False
        elif not isinstance(event, h11.InformationalResponse):
            over = connection.their_state is h11.DONE and connection.trailing_data == (b"", False)
            return Answer(status, body, retry_after), over and status < 300


def seconds_of(text: bytes) -> float:
    """The seconds of a Retry-After header; 0 for a date and for anything else, which the usual delay serves."""
    return float(text) if text.isdigit() and len(text) < 7 else 0.0


# --- webhooks: what happens at a table as signed JSON, for a program of the host


def webhook_body(row: Row) -> bytes:
    """What is sent about a notice. Nothing in it is hidden from anyone at the table."""
    content = {
        "id": row.cause, "kind": row.kind, "table": row.table_id, "chairs": list(read_chairs(row.chairs)),
        "seq": row.number, "at": row.at,
    }  # fmt: skip
    return json.dumps(content, separators=(",", ":")).encode()


def sign(secret: str, body: bytes, at: int) -> str:
    """The signature of a body that is sent at ``at`` seconds since 1970: HMAC-SHA-256 of ``AT.BODY``."""
    mark = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={mark}"


def webhook_headers(row: Row, secret: str, body: bytes, at: int) -> dict[str, str]:
    """The headers of a request."""
    return {
        "Content-Type": "application/json",
        "User-Agent": "Cartagena",
        "Idempotency-Key": row.cause,
        SIGNATURE: sign(secret, body, at),
    }
