"""The lower end of a socket: a frame that was made once is written to many, with no task and no wait for each."""

from collections.abc import Callable
from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

NAME: Final = "cartagena.frames"


def ignore() -> None:
    """Nobody waits for that."""


class FrameProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's WebSocket, which the application finds in the scope and may also write to directly.

    That goes past the compression of messages, which is therefore never offered.
    """

    on_writable: Callable[[], None] = staticmethod(ignore)
    answering = False

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.handshake_initiated and not self.handshake_complete:
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[NAME] = self

    @property
    def keeps_up(self) -> bool:
        """Whether the other side reads what it is sent."""
        return self.writable.is_set()

    def push(self, frame: bytes) -> None:
        """Write a frame, without waiting."""
        if self.handshake_complete and not self.close_sent and not self.disconnected:
            self.transport.write(frame)

    def resume_writing(self) -> None:
        super().resume_writing()
        self.on_writable()

    def drop(self) -> None:
        """Give up on somebody who does not read."""
        self.transport.abort()

    def shutdown(self) -> None:
        """The server stops. A move in flight is answered first; then the application closes the socket itself."""
        if not self.answering:
            super().shutdown()
