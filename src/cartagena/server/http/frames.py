"""WebSocket frames: counted before they are parsed, and written directly.

One encoded frame goes to many sockets without a task for each. Every frame that comes counts, also fragments, pings and
empty ones; a socket or an address that sends too many is cut off before they are parsed.
"""

from collections.abc import Callable
from typing import Any, Final

from websockets.frames import Close, Frame, Opcode
from websockets.http11 import Request

from .connection import SlowReader
from .gate import Gate, Visitor
from .ratelimit import Bucket
from .uvicorn_internals import WebSocketsSansIOProtocol

NAME: Final = "cartagena.frames"
MAX_FRAGMENTS: Final = 16  # parts of one message
CLOSE_SECONDS: Final = 2.0  # time in which a client may answer a close frame
CONTINUATION: Final = 0
TEXT: Final = 0x81  # first byte of a whole text frame
CONTROL: Final = 8  # opcodes from here on are of control frames


def ignore() -> None:
    """No-op default callback."""


def is_utf8(data: bytes) -> bool:
    """Whether the bytes are text."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


class FrameCounter:
    """Counts frames by their headers."""

    def __init__(self) -> None:
        self.skip = 0  # bytes of the present frame still to come
        self.part = b""  # of a header that is not complete
        self.fragments = 0

    def _is_one_text(self, data: bytes) -> bool:
        """Whether the data are one short masked text frame, as most are."""
        if self.skip or self.part or len(data) < 7:
            return False
        size = data[1] - 128
        return data[0] == TEXT and size < 126 and len(data) == size + 6

    def count(self, data: bytes, most: int) -> int:
        """The number of frames that begin in the data, or any number above ``most``."""
        if self._is_one_text(data):
            self.fragments = 0
            return 1
        data = self.part + data if self.part else data
        at, end, found = self.skip, len(data), 0
        while end - at >= 2 and found <= most:
            opcode, size = data[at] & 15, data[at + 1] & 127
            more = 2 if size == 126 else 8 if size == 127 else 0
            if end - at < 2 + more:
                break
            if more:
                size = int.from_bytes(data[at + 2 : at + 2 + more], "big")
            if opcode < CONTROL:
                self.fragments = self.fragments + 1 if opcode == CONTINUATION else 0
                if self.fragments > MAX_FRAGMENTS:
                    return most + 1
            at += 2 + more + (4 if data[at + 1] & 128 else 0) + size
            found += 1
        self.skip, self.part = (at - end, b"") if at >= end else (0, data[at:])
        return found


class FrameProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's WebSocket protocol, which the application finds in the scope and may write to directly.

    Direct writes bypass message compression, which is therefore never offered.
    """

    on_writable: Callable[[], None] = staticmethod(ignore)
    answering = False
    visitor: Visitor

    def __init__(self, config: Any, server_state: Any, app_state: Any, _loop: Any = None) -> None:
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
            if frames and (self.frame_budget.take(frames) or self.visitor.frames.take(frames)):
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
            extensions: dict[str, Any] = self.scope["extensions"]
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
