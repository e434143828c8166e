"""HTTP connections with deadlines and sizes: uvicorn's protocol with the limits that it lacks.

A connection has a deadline for its first byte, for the end of each request's head and for the end of its body. Heads,
header fields, pieces of a body and requests sent ahead are bounded. A client that does not read is cut off.
"""

import math
import time
from typing import Any, Final

from .gate import Gate, Visitor
from .uvicorn_internals import STATUS_LINE, HttpToolsProtocol

SLICE: Final = 16_384  # bytes parsed before the limits are checked again
MAX_HEAD: Final = 16_384  # bytes of a request line and its header fields
MAX_TARGET: Final = 4_096
MAX_FIELDS: Final = 100
MAX_PIECES: Final = 1_024  # parts of a body, chunks for example
MAX_AHEAD: Final = 8  # requests sent before the answer to the first
FIRST_BYTE: Final = 15.0
HEAD_SECONDS: Final = 10.0
BODY_SECONDS: Final = 20.0


def is_long(length: str) -> bool:
    """Whether a body with this ``content-length`` does not fit one read."""
    return length.isdecimal() and int(length[:12]) > SLICE


class TooMuch(Exception):
    """A limit of the connection was exceeded."""


class SlowReader:
    """Detects a client that does not read what it is sent."""

    def __init__(self, patience: float) -> None:
        self.patience = patience
        self.since = math.inf

    def is_stuck(self, *, waits: bool, now: float) -> bool:
        """Whether the connection has waited too long for its client. ``waits``: it waits now."""
        if not waits:
            self.since = math.inf
        elif self.since == math.inf:
            self.since = now
        return now - self.since > self.patience


class HttpProtocol(HttpToolsProtocol):
    """One connection that speaks HTTP until it ends or becomes a socket."""

    visitor: Visitor

    def __init__(self, config: Any, server_state: Any, app_state: Any, _loop: Any = None) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.gate: Gate = config.gate
        self.reader = SlowReader(config.gate.settings.send_seconds)
        self.most_body = 2 * config.gate.settings.body_bytes + SLICE
        self.deadline = math.inf
        self.answered: Any = None
        self.in_body = self.upgraded = self.begun = False
        self.used = 0  # bytes of the head or body that is being read
        self.heads = self.pieces = 0
        self.fault: tuple[int, str] = (400, "Invalid HTTP request received.")

    # --- the life of a connection

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.deadline = time.monotonic() + FIRST_BYTE
        if not self.gate.enter(self, self.client[0] if self.client else "?"):
            transport.abort()

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self.answered = cycle
        super()._start_asgi_task(cycle, app)

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the request that is being answered, which need not be the last one that was read."""
        self.gate.leave(self)
        if self.answered is not None and not self.answered.response_complete:
            self.answered.disconnected = True
            self.answered.message_event.set()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """Go on as a socket, which takes this connection's place at the gate."""
        self.upgraded = True
        super().handle_websocket_upgrade()
        self.gate.replace(self, self.transport.get_protocol())  # type: ignore[arg-type]

    def check(self, now: float) -> None:
        """End the connection if its client is late or does not read."""
        closing = self.transport.is_closing()
        if self.reader.is_stuck(waits=closing or self.flow.write_paused, now=now):
            self.drop()
        elif now > self.deadline and not closing:
            self.deadline = math.inf
            self.fail(408, "The request took too long.") if self.begun else self.drop()

    def unread(self) -> int:
        return int(self.transport.get_write_buffer_size())

    def drop(self) -> None:
        self.transport.abort()

    def fail(self, status: int, sentence: str) -> None:
        """Answer with an error unless an answer has begun, and close."""
        if self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete:
            self.drop()
            return
        self.fault = (status, sentence)
        self.send_400_response(sentence)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002
        """Answer with the fault that was found."""
        status, sentence = self.fault
        body = sentence.encode()
        head = [STATUS_LINE[status], b"content-type: text/plain; charset=utf-8\r\n"]
        head += [b"content-length: %d\r\n" % len(body), b"connection: close\r\n\r\n", body]
        if not self.transport.is_closing():
            self.transport.write(b"".join(head))
            self.transport.close()

    # --- reading

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), SLICE):
            if self.transport.is_closing() or self.upgraded:
                return
            self._read(data[start : start + SLICE] if len(data) > SLICE else data)

    def _read(self, data: bytes) -> None:
        if not self.begun:
            self.begun = True
            self.deadline = time.monotonic() + HEAD_SECONDS
        heads = self.heads
        super().data_received(data)
        if self.heads != heads:
            self.used = 0
        else:
            self.used += len(data)
        if self.transport.is_closing() or self.upgraded:
            return
        if self.in_body and self.used > self.most_body:
            self.fail(413, "The body is too large.")
        elif not self.in_body and self.used > MAX_HEAD:
            self.fail(431, "The header is too large.")

    def _too_much(self, status: int, sentence: str) -> None:
        self.fault = (status, sentence)
        raise TooMuch(sentence)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.pieces = 0
        if not self.begun:
            self.begun, self.deadline = True, time.monotonic() + HEAD_SECONDS

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        if len(self.url) > MAX_TARGET:
            self._too_much(414, "The address is too long.")

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        if len(self.headers) > MAX_FIELDS:
            self._too_much(431, "There are too many header fields.")

    def on_headers_complete(self) -> None:
        self.heads += 1
        if len(self.pipeline) >= MAX_AHEAD:
            self._too_much(429, "Too many requests were sent ahead.")
        self.in_body = True
        self.deadline = time.monotonic() + BODY_SECONDS
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self.pieces += 1
        if self.pieces > MAX_PIECES:
            self._too_much(413, "The body has too many pieces.")
        super().on_body(body)

    def on_message_complete(self) -> None:
        self.in_body = self.begun = False
        self.used = 0
        self.deadline = math.inf
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Close a connection whose request was answered before it was read, unless the rest is short."""
        if not self.pipeline and self.cycle.more_body and not self.upgraded and not self._is_short():
            self.transport.close()
        super().on_response_complete()

    def _is_short(self) -> bool:
        """Whether the body is announced to fit one read. It may arrive after a request that needs none is answered."""
        length = dict(self.headers).get(b"content-length", b"").decode("latin-1")
        return length.isdecimal() and not is_long(length)
