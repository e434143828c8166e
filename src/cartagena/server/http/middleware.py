"""Middleware around every request: headers, version, size of bodies, refusals as JSON, HEAD, one log line."""

import html
import ipaddress
import logging
import socket
import time
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..metrics import FAILURES, REFUSALS
from ..protocol.encoding import dumps
from ..protocol.errors import Refused
from ..protocol.requests import PROTOCOL
from ..settings import Settings, split_list
from .connection import CONNECTION, NAME, OperatorProtocol, is_long
from .gate import REFUSAL, Gate
from .ratelimit import LIMITS, SOCKET_STEPS, Meter, Metered, host_in

log = logging.getLogger("cartagena.http")

POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
MAX_PATH: Final = 1024
OPERATOR_PATHS: Final = ("/healthz", "/readyz", "/metrics")
PROTOCOL_HEADER: Final = "cartagena-protocol"
HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
FOR_PARTS: Final = {name: HEADERS[name] for name in ("x-content-type-options", "cross-origin-resource-policy")}
"""What holds for any file of the page. The rest says what a page may do, and would be half of a small answer."""
FOR_SCRIPTS: Final = {
    **FOR_PARTS,
    "content-security-policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
    "referrer-policy": HEADERS["referrer-policy"],
}
"""What holds for a script too, which may be a worker: it has a policy of its own."""
PARTS: Final = (".css", ".woff2", ".json", ".wasm", ".network")
LINES: Final = "application/x-ndjson"
NAMELESS: Final = (
    "This server does not go by the name in this address: add the name to CARTAGENA_HOSTS and start the server again, "
    "or open the server by its IP address."
)
PAGE: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Cartagena</title><h1>Cartagena</h1><p>%s</p></html>
"""
"""A refusal for a person whose browser opens an address of this server."""


def refusal_body(error: Refused) -> bytes:
    REFUSALS.labels(error.code).inc()
    return dumps({"error": error.wire.model_dump(exclude_none=True)})


def opens_page(scope: Scope) -> bool:
    """Whether a person's browser asks for a page to show, not a program for an answer of the API."""
    accepts = Headers(scope=scope).get("accept", "")
    return scope["method"] in ("GET", "HEAD") and not scope["path"].startswith("/api") and "text/html" in accepts


async def send_refusal(send: Send, error: Refused, kind: str = "http.response", page: bool = False) -> None:
    """Send a refusal as a complete HTTP answer. An address that is over a limit must connect again."""
    body = refusal_body(error)
    media = b"application/json"
    if page:
        body, media = (PAGE % html.escape(error.wire.message)).encode(), b"text/html; charset=utf-8"
    headers = [(b"content-type", media), (b"content-length", str(len(body)).encode())]
    if error.wire.retry_after is not None:
        headers.append((b"retry-after", str(error.wire.retry_after).encode()))
        headers.append((b"connection", b"close"))
    await send({"type": f"{kind}.start", "status": error.status, "headers": headers})
    await send({"type": f"{kind}.body", "body": body})


class HostNames:
    """The names that the header Host may have.

    An address is always allowed: a page of another site can make a browser send its own name here (DNS rebinding), but
    never an address.
    """

    def __init__(self, settings: Settings) -> None:
        origins = (urlsplit(origin).hostname or "" for origin in split_list(settings.origins))
        own = ("localhost", socket.gethostname(), settings.host, urlsplit(settings.public_url).hostname or "")
        self.names = {name.lower().rstrip(".") for name in (*split_list(settings.hosts), *origins, *own)}

    def __contains__(self, header: str) -> bool:
        try:
            name = (urlsplit(f"//{header}").hostname or "").rstrip(".")
        except ValueError:
            return False
        if name in self.names or "*" in self.names or name.endswith(".localhost"):
            return True
        try:
            ipaddress.ip_address(name.partition("%")[0])
        except ValueError:
            return False
        return True


class HeadMiddleware:
    """Answers HEAD as GET is answered, at every address, without the body."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return

        async def send_head(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
                await send({"type": "http.response.body"})
            elif message.get("more_body"):  # a stream would go on for hours
                raise ClientDisconnect

        await self.app({**scope, "method": "GET"}, receive, send_head)


class GuardMiddleware:
    """The outermost layer. Every failure inside becomes a refusal."""

    def __init__(self, app: ASGIApp, settings: Settings, gate: Gate) -> None:
        self.app = app
        self.settings = settings
        self.gate = gate
        self.names = HostNames(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self.open_socket(scope, receive, send)
        elif scope["type"] == "http" and isinstance(scope.get(CONNECTION), OperatorProtocol):
            await self.answer_operator(scope, receive, send)
        elif scope["type"] == "http":
            await self.answer(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def check_target(self, scope: Scope) -> None:
        """Refuse an address that no page has, and a name that is not ours."""
        path, hosts = scope["path"], Headers(scope=scope).getlist("host")
        if len(path) > MAX_PATH or not path.startswith("/") or not path.isprintable():
            raise Refused("no-such-page", "There is nothing here.")
        if len(hosts) > 1 or not all(host in self.names for host in hosts):
            raise Refused("origin", NAMELESS)

    async def open_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a socket on, or refuse it before it is opened."""
        visitor = self.gate.visitor(host_in(scope))
        try:
            self.check_target(scope)
            await self.gate.admit(visitor)
            self.gate.assign(scope["extensions"][NAME], visitor)
        except Refused as error:
            LIMITS.note_refusal(error, visitor.address)
            await receive()
            await send_refusal(send, error, "websocket.http.response")
        else:
            await Metered(self.app(scope, receive, send), visitor.charge, SOCKET_STEPS)  # type: ignore[arg-type]

    async def answer_operator(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request at the operator's port, without the limits of visitors."""
        if scope["path"] in OPERATOR_PATHS:
            await self.app(scope, receive, send)
        else:
            await send_refusal(send, Refused("no-such-page", "There is nothing here."))

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        began = time.perf_counter()
        visitor = self.gate.visitor(host_in(scope))
        body = LimitedBody(scope, receive, self.settings.body_bytes)
        answer = GuardedResponse(scope, send, body)
        try:
            self.check_target(scope)
            expected = await self.gate.admit(visitor, scope["path"])
            body.check_stated()
            if scope["path"].startswith("/api/"):
                headers = Headers(scope=scope)
                check_protocol(headers, headers.get(PROTOCOL_HEADER))
            meter = Meter(expected, visitor.charge)
            try:
                with self.gate.carrying(scope.get(CONNECTION), visitor):
                    await Metered(self.app(scope, body.receive, answer.send), meter.add)  # type: ignore[arg-type]
            finally:
                if not answer.is_stream:  # the next stream does not cost what this one has cost in hours
                    self.gate.note_cost(visitor, scope["path"], meter.seconds)
                meter.settle()
        except ClientDisconnect:
            pass
        except Refused as error:
            LIMITS.note_refusal(error, visitor.address)
            if error.code == "too-many":
                visitor.charge(REFUSAL)
            await answer.refuse(error)
        except Exception:
            FAILURES.inc()
            log.exception("a request failed", extra={"path": scope["path"]})
            await answer.refuse(Refused("failed", "The server failed; the error is logged."))
        finally:
            took = round((time.perf_counter() - began) * 1000, 1)
            details = {"method": scope["method"], "path": scope["path"], "status": answer.status, "ms": took}
            log.debug("request", extra=details)


class GuardedResponse:
    """The answer with our headers, or a refusal if the body was too large."""

    def __init__(self, scope: Scope, send: Send, body: "LimitedBody") -> None:
        self.path, self.out, self.body = scope["path"], send, body
        self.page = opens_page(scope)
        self.app = scope["app"]
        self.status = 0
        self.is_stream = False

    async def send(self, message: Message) -> None:
        if self.body.too_large:
            await self.refuse(self.body.refusal)
        else:
            await self._send(message)

    async def refuse(self, error: Refused) -> None:
        """Send a refusal unless the answer has begun."""
        if self.status == 0:
            await send_refusal(self._send, error, page=self.page)

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            self.is_stream = headers.get("content-type", "") == LINES
            add_headers(headers, self.path)
            if self.body.is_left or self.app.state.draining:  # no request meets a connection that is about to close
                headers["connection"] = "close"
        await self.out(message)


class LimitedBody:
    """A request's body, refused as soon as it is known to be too large."""

    def __init__(self, scope: Scope, receive: Receive, most: int) -> None:
        headers = Headers(scope=scope)
        self.stated = headers.get("content-length", "")
        self.is_long = "transfer-encoding" in headers or is_long(self.stated)
        self.is_read = False
        self.source = receive
        self.most = most
        self.received = 0
        self.refusal = Refused("too-large", f"A body has at most {most} bytes.")

    @property
    def too_large(self) -> bool:
        return self.received > self.most

    @property
    def is_left(self) -> bool:
        """Whether the client may still be sending a long body. The answer then closes the connection."""
        return self.is_long and not self.is_read

    def check_stated(self) -> None:
        if self.stated.isdigit() and int(self.stated[:12]) > self.most:
            raise self.refusal

    async def receive(self) -> Message:
        message = await self.source()
        self.received += len(message.get("body", b""))
        self.is_read = not message.get("more_body", False)
        if self.too_large:
            raise self.refusal
        return message


def check_protocol(headers: Headers, stated: str | None) -> None:
    """Refuse a client of another version. A program may leave the version out, a page may not.

    Browsers send ``sec-fetch-site`` with every ``sec-fetch-mode``; Node's ``fetch`` sends the mode only.
    """
    page = "origin" in headers or (
        "sec-fetch-site" in headers and headers.get("sec-fetch-mode") in ("cors", "same-origin")
    )
    if stated != str(PROTOCOL) and (stated is not None or page):
        raise Refused("outdated", f"This server speaks version {PROTOCOL} of the interface; reload the page.")


def add_headers(headers: MutableHeaders, path: str) -> None:
    for name, value in headers_for(path).items():
        headers.setdefault(name, value)
    if path.startswith("/api"):
        headers.setdefault("cache-control", "no-store")
        headers.setdefault(PROTOCOL_HEADER, str(PROTOCOL))


def headers_for(path: str) -> Mapping[str, str]:
    """Our headers that say something about what is at an address."""
    if path.startswith("/assets/") and path.endswith(PARTS):
        return FOR_PARTS
    return FOR_SCRIPTS if path.startswith("/assets/") and path.endswith(".js") else HEADERS


def origin_allowed(headers: Headers, settings: Settings) -> bool:
    """Whether the origin may open a socket: our own, one named in the settings, or none (a program)."""
    origin = headers.get("origin")
    if origin is None:
        return True
    allowed = {named.rstrip("/") for named in split_list(settings.origins)}
    try:
        return origin.rstrip("/") in allowed or urlsplit(origin).netloc == headers.get("host")
    except ValueError:
        return False
