"""A stranger: a raw connection from an address of its own that sends whatever it likes."""

import contextlib
import json
import os
import socket
import struct
from typing import Any, Self

from .rig import PATIENCE

TEXT, PING, CONTINUATION = 1, 9, 0


def frame(payload: bytes = b"", opcode: int = TEXT, *, fin: bool = True) -> bytes:
    """A masked frame of a client."""
    size = len(payload)
    head = bytes([(128 if fin else 0) | opcode])
    head += bytes([128 | size]) if size < 126 else bytes([254]) + struct.pack("!H", size)
    return head + b"\0\0\0\0" + payload


class Stranger:
    """A connection from a given address of this machine."""

    def __init__(self, port: int, address: str = "127.0.0.2", *, small_buffer: bool = False) -> None:
        self.socket = socket.socket()
        self.socket.settimeout(PATIENCE)
        if small_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        self.socket.bind((address, 0))
        self.socket.connect(("127.0.0.1", port))
        self.unread = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, data: bytes) -> bool:
        """Whether all of it could be sent."""
        try:
            self.socket.sendall(data)
        except OSError:
            return False
        return True

    def get(self, path: str = "/healthz", more: str = "") -> bool:
        return self.send(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{more}\r\n".encode())

    def read(self, enough: int = 1) -> bytes:
        """At least that many bytes, or all until the server closes the connection."""
        while len(self.unread) < enough:
            try:
                read = self.socket.recv(65536)
            except ConnectionError:
                read = b""
            if not read:
                break
            self.unread += read
        found, self.unread = self.unread, b""
        return found

    def read_all(self) -> bytes:
        """Everything until the server closes the connection."""
        return self.read(1 << 40)

    @property
    def is_answered(self) -> bool:
        """Whether a simple request is answered."""
        with contextlib.suppress(OSError):
            return self.get() and self.read().startswith(b"HTTP/1.1 200")
        return False

    def open_socket(self, table: str, hello: dict[str, Any] | None = None) -> bytes:
        """Become a WebSocket, and return the status line."""
        key = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        key += "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        self.get(f"/api/tables/{table}/live", key)
        head = b""
        while b"\r\n\r\n" not in head:
            read = self.read()
            if not read:
                break
            head += read
        head, _, self.unread = head.partition(b"\r\n\r\n")
        if hello is not None:
            self.send(frame(json.dumps({"type": "hello", **hello}).encode()))
        return head.split(b"\r\n")[0]

    def close_code(self) -> int | None:
        """Read to the end and return the code of the close frame."""
        data = self.read_all()
        while len(data) >= 2:
            size, at = data[1] & 127, 2
            if size == 126:
                size, at = struct.unpack("!H", data[2:4])[0], 4
            elif size == 127:
                size, at = struct.unpack("!Q", data[2:10])[0], 10
            if data[0] & 15 == 8:
                return int(struct.unpack("!H", data[at : at + 2])[0])
            data = data[at + size :]
        return None


def some_noise(size: int) -> bytes:
    return os.urandom(size)
