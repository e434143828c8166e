"""Connections with deadlines and sizes: uvicorn's protocols for HTTP and WebSocket with the limits that they lack.

A connection has a deadline for its first byte, for the end of each request's head and for the end of its body. Heads,
header fields, pieces of a body and requests sent ahead are bounded. A client that does not read is cut off.

Frames of a socket are counted before they are parsed, also fragments, pings and empty ones; a socket or an address that
sends too many is cut off. One encoded frame goes to many sockets without a task for each.
"""

import asyncio
import math
import random
import time
from collections.abc import Callable
from typing import Any, ClassVar, Final

import uvicorn
from websockets.frames import Close, Frame, Opcode
from websockets.http11 import Request

from ..protocol.encoding import FrameCounter, dumps, is_utf8
from ..tasks import ignore
from .crowd import BUSY, IDLE
from .gate import REFUSAL, SAMPLED, Gate, Visitor
from .ratelimit import LIMITS, Bucket
from .uvicorn_internals import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
    ServerState,
    WebSocketsSansIOProtocol,
)

SLICE: Final = 16_384  # bytes parsed before the limits are checked again
MAX_HEAD: Final = 16_384  # bytes of a request line and its header fields
MAX_TARGET: Final = 4_096
MAX_FIELDS: Final = 100
MAX_PIECES: Final = 1_024  # parts of a body, chunks for example
MAX_AHEAD: Final = 8  # requests sent before the answer to the first
FIRST_BYTE: Final = 15.0
HEAD_SECONDS: Final = 10.0
BODY_SECONDS: Final = 20.0

Loop = asyncio.AbstractEventLoop | None
State = dict[str, object]
NAME: Final = "cartagena.frames"
CONNECTION: Final = "cartagena.connection"
MAX_OPERATORS: Final = 64  # connections to the operator's port
CLOSE_SECONDS: Final = 2.0  # time in which a client may answer a close frame


def is_long(length: str) -> bool:
    """Whether a body with this ``content-length`` does not fit one read."""
    return length.isdecimal() and int(length[:12]) > SLICE


class Config(uvicorn.Config):
    """Uvicorn's configuration with the gate, which every connection needs."""

    gate: Gate


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

    def __init__(self, config: Config, server_state: ServerState, app_state: State, _loop: Loop = None) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.gate: Gate = config.gate
        self.reader = SlowReader(config.gate.settings.send_seconds)
        self.most_body = 2 * config.gate.settings.body_bytes + SLICE
        self.deadline = math.inf
        self.answered: RequestResponseCycle | None = None
        self.in_body = self.upgraded = self.begun = False
        self.used = 0  # bytes of the head or body that is being read
        self.heads = self.pieces = 0
        self.fault: tuple[int, str] = (400, "Invalid HTTP request received.")
        self.retry_after = 0

    # --- the life of a connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.deadline = time.monotonic() + FIRST_BYTE
        if not self._enter():
            transport.abort()

    def _enter(self) -> bool:
        """Whether the gate admits the connection."""
        return self.gate.enter(self, self.client[0] if self.client else "?")

    @property
    def use(self) -> int:
        """Whether a request is being answered."""
        return BUSY if self.answered is not None and not self.answered.response_complete else IDLE

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self.answered = cycle
        cycle.scope[CONNECTION] = self  # type: ignore[typeddict-unknown-key]
        super()._start_asgi_task(cycle, app)

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the request that is being answered, which need not be the last one that was read."""
        self.gate.leave(self)
        if self.answered is not None and not self.answered.response_complete:
            self.answered.disconnected = True
            self.answered.message_event.set()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """Go on as a socket: the gate counts it instead of this connection."""
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
        body, head = sentence.encode(), [STATUS_LINE[status], b"content-type: text/plain; charset=utf-8\r\n"]
        if self.retry_after:
            error = {"code": "too-many", "message": sentence, "retry_after": self.retry_after}
            body, head[1] = dumps({"error": error}), b"content-type: application/json\r\n"
            head.append(b"retry-after: %d\r\n" % self.retry_after)
        head += [b"content-length: %d\r\n" % len(body), b"connection: close\r\n\r\n", body]
        if not self.transport.is_closing():
            self.transport.write(b"".join(head))
            self.transport.close()

    # --- reading

    def data_received(self, data: bytes) -> None:
        """Read what came. The time of one read in ``SAMPLED`` is measured and charged for all of them."""
        began = time.thread_time() if random.random() < 1 / SAMPLED else 0.0
        for start in range(0, len(data), SLICE):
            if self.transport.is_closing() or self.upgraded:
                break
            self._read(data[start : start + SLICE] if len(data) > SLICE else data)
        if began and not self.visitor.exempt:
            self.visitor.charge((time.thread_time() - began) * SAMPLED)

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
        asset = self.url.startswith(b"/assets/")
        if (wait := self.gate.busy(self.visitor, asset=asset)) and not self._opens_page():
            self._refuse(math.ceil(wait))
        self.in_body = True
        self.deadline = time.monotonic() + BODY_SECONDS
        super().on_headers_complete()

    def _opens_page(self) -> bool:
        """Whether a person's browser asks for a page to show."""
        return any(name == b"accept" and b"text/html" in value for name, value in self.headers)

    def _refuse(self, seconds: int) -> None:
        """Refuse a request that is over a limit, before anything is done for it."""
        LIMITS.note("requests", self.visitor.address)
        self.visitor.charge(REFUSAL)
        self.retry_after = seconds
        self._too_much(429, "Too many requests; wait a moment.")

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


class OperatorProtocol(HttpProtocol):
    """A connection to the operator's port, which is counted apart from those of visitors."""

    open: ClassVar[set["OperatorProtocol"]] = set()

    def _enter(self) -> bool:
        self.visitor = self.gate.proxy
        self.open.add(self)
        return len(self.open) <= MAX_OPERATORS

    def connection_lost(self, exc: Exception | None) -> None:
        self.open.discard(self)
        super().connection_lost(exc)


# --- sockets


class FrameProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's WebSocket protocol, which the application finds in the scope and may write to directly.

    Direct writes bypass message compression, which is therefore never offered.
    """

    on_writable: Callable[[], None] = staticmethod(ignore)
    answering = False
    use = IDLE
    """Until the socket has said hello."""
    visitor: Visitor

    def __init__(self, config: Config, server_state: ServerState, app_state: State, _loop: Loop = None) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.gate: Gate = config.gate
        settings = self.gate.settings
        self.counter = FrameCounter()
        self.frame_budget = Bucket(2 * settings.messages + 50, settings.window_seconds)
        self.reader = SlowReader(settings.send_seconds)
        self.close_timeout = CLOSE_SECONDS

    # --- the life of a socket

    def connection_lost(self, exc: Exception | None) -> None:
        self.gate.leave(self)
        super().connection_lost(exc)

    def check(self, now: float) -> None:
        """End the connection if its client does not read."""
        if self.reader.is_stuck(waits=self.transport.is_closing() or not self.writable.is_set(), now=now):
            self.drop()

    def unread(self) -> int:
        return int(self.transport.get_write_buffer_size())

    # --- reading

    def data_received(self, data: bytes) -> None:
        """Parse frames as long as their number is within the limits."""
        if self.handshake_initiated and not self.close_sent:
            frames = self.counter.count(data, int(self.frame_budget.burst))
            if frames and (self.frame_budget.take(frames) or self.visitor.take_frames(frames)):
                LIMITS.note("frames", self.visitor.address)
                self.cut(4429, "too many frames")
                return
        super().data_received(data)

    def cut(self, code: int, reason: str) -> None:
        """Close the socket without reading on."""
        if self.handshake_complete and not self.close_sent:
            self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
            self.transport.write(Frame(Opcode.CLOSE, Close(code, reason).serialize()).serialize(mask=False))
            self.close_sent = True
        self.transport.close()

    def send_receive_event_to_app(self) -> None:
        """Hand a message on. Text that is not UTF-8 ends the socket, which uvicorn would log as a failure."""
        if self.curr_msg_data_type == "text" and not self.close_sent and not is_utf8(b"".join(self.frames)):
            self.frames = []
            self.conn.send_close(1007)
            self.handle_parser_exception()
        else:
            super().send_receive_event_to_app()

    def handle_ping(self) -> None:
        """Answer a ping, unless the client does not read the answers."""
        if self.keeps_up:
            super().handle_ping()
        else:
            self.conn.data_to_send()

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.handshake_initiated and not self.handshake_complete:
            extensions: dict[str, object] = self.scope["extensions"]  # type: ignore[assignment]
            extensions[NAME] = self

    @property
    def keeps_up(self) -> bool:
        """Whether the client reads what it is sent."""
        return self.writable.is_set()

    def push(self, frame: bytes) -> None:
        """Write a frame without waiting."""
        if self.handshake_complete and not self.close_sent and not self.disconnected:
            self.transport.write(frame)

    def resume_writing(self) -> None:
        super().resume_writing()
        self.on_writable()

    def drop(self) -> None:
        """Abort the connection of a client that does not read."""
        self.transport.abort()

    def shutdown(self) -> None:
        """Close the socket when the server stops, unless a command is still to be answered."""
        if not self.answering:
            super().shutdown()
