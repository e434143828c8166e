"""Direct writing of WebSocket frames: one encoded frame goes to many sockets without a task for each."""

from collections.abc import Callable
from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

NAME: Final = "cartagena.frames"


def ignore() -> None:
    """No-op default callback."""


class FrameProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's WebSocket protocol, which the application finds in the scope and may write to directly.

    Direct writes bypass message compression, which is therefore never offered.
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
