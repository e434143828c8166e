"""Around every request: security headers, a limit on bodies, refusals as JSON, one log line; written as plain ASGI."""

import logging
import time
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .metrics import FAILURES, REFUSALS
from .refusal import Refused
from .settings import Settings
from .words import dumps

log = logging.getLogger("cartagena.http")

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


def refusal_body(error: Refused) -> bytes:
    REFUSALS.labels(error.code).inc()
    return dumps({"error": error.wire.model_dump(exclude_none=True)}).encode()


async def send_refusal(send: Send, error: Refused) -> None:
    """A refusal as a whole HTTP answer."""
    body = refusal_body(error)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if error.wire.retry_after is not None:
        headers.append((b"retry-after", str(error.wire.retry_after).encode()))
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class Guard:
    """The outermost layer. Nothing that goes wrong inside reaches the client but as a refusal."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                add_headers(MutableHeaders(scope=message), scope["path"])
            await send(message)

        try:
            await self.app(scope, self._bounded(scope, receive), sending)
        except Refused as error:
            if status == 0:
                await send_refusal(sending, error)
        except Exception:
            FAILURES.inc()
            log.exception("a request failed", extra={"path": scope["path"]})
            if status == 0:
                await send_refusal(sending, Refused("failed", "That failed by our fault; it is noted."))
        finally:
            took = round((time.perf_counter() - began) * 1000, 1)
            log.debug("request", extra={"method": scope["method"], "path": scope["path"], "status": status, "ms": took})

    def _bounded(self, scope: Scope, receive: Receive) -> Receive:
        """The body, refused as soon as it is known to be too large."""
        most = self.settings.body_bytes
        stated = Headers(scope=scope).get("content-length", "")
        too_large = Refused("too-large", f"A body has at most {most} bytes.")
        if stated.isdigit() and int(stated[:12]) > most:
            raise too_large
        received = 0

        async def bounded() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > most:
                raise too_large
            return message

        return bounded


def add_headers(headers: MutableHeaders, path: str) -> None:
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    if path.startswith("/api"):
        headers.setdefault("cache-control", "no-store")


def origin_allowed(headers: Headers, settings: Settings) -> bool:
    """Whether a page of that origin may open a socket here: our own pages, those named, and programs without one."""
    origin = headers.get("origin")
    if origin is None:
        return True
    allowed = {item.strip().rstrip("/") for item in settings.origins.split(",") if item.strip()}
    try:
        return origin.rstrip("/") in allowed or urlsplit(origin).netloc == headers.get("host")
    except ValueError:
        return False


def quiet_errors(context: dict[str, Any]) -> str:
    return str(context.get("message", ""))
