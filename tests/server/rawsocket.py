"""A WebSocket client that does next to nothing, so that a load trial measures the server and not itself."""

import asyncio
from collections.abc import Callable
from typing import cast


class RawSocket(asyncio.Protocol):
    """Sends masked text frames, hands every text frame that comes to ``told``."""

    def __init__(self, path: str, told: Callable[[bytes], None], lost: Callable[[], None]) -> None:
        self.path, self.told, self.lost = path, told, lost
        self.buffer = b""
        self.open = False
        self.transport: asyncio.WriteTransport | None = None
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @classmethod
    async def connect(
        cls, port: int, path: str, told: Callable[[bytes], None], lost: Callable[[], None]
    ) -> "RawSocket":
        loop = asyncio.get_running_loop()
        _, found = await loop.create_connection(lambda: cls(path, told, lost), "127.0.0.1", port)
        await found.ready
        return found

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.WriteTransport", transport)
        head = f"GET {self.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        head += "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        self.transport.write(head.encode())

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.open:
            head, mark, rest = self.buffer.partition(b"\r\n\r\n")
            if not mark:
                return
            assert b" 101 " in head, head
            self.open, self.buffer = True, rest
            self.ready.set_result(None)
        self._read_frames()

    def _read_frames(self) -> None:
        data, start = self.buffer, 0
        while len(data) - start >= 2:
            size, body = data[start + 1] & 127, start + 2
            if size >= 126:
                more = 2 if size == 126 else 8
                size, body = int.from_bytes(data[body : body + more], "big"), body + more
            if len(data) < body + size:
                break
            kind, payload = data[start] & 15, data[body : body + size]
            if kind == 1:
                self.told(payload)
            elif kind == 9:
                self._send(10, payload)
            start = body + size
        self.buffer = data[start:]

    def send(self, text: str) -> None:
        self._send(1, text.encode())

    def _send(self, kind: int, payload: bytes) -> None:
        size = len(payload)
        length = bytes([128 | size]) if size < 126 else bytes([254]) + size.to_bytes(2, "big")
        if self.transport is not None:  # masked with zeros, which changes nothing
            self.transport.write(bytes([128 | kind]) + length + bytes(4) + payload)

    def connection_lost(self, _error: Exception | None) -> None:
        self.lost()

    def close(self) -> None:
        if self.transport is not None:
            self.transport.close()
