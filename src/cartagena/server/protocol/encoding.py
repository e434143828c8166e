"""Encoding: JSON that is safe inside a page, moves as fields, and WebSocket frames."""

from collections.abc import Mapping
from functools import lru_cache

from pydantic_core import to_json

from cartagena.game import Move

from .requests import MoveJson


def dumps(value: object) -> bytes:
    """Encode a value as JSON with ``<``, ``>`` and ``&`` escaped."""
    text = to_json(value, inf_nan_mode="null")
    return text.replace(b"<", b"\\u003c").replace(b">", b"\\u003e").replace(b"&", b"\\u0026")


def spliced(known: Mapping[str, object], **parts: bytes) -> bytes:
    """Encode an object and append parts that are encoded already."""
    more = b"".join(b',"%s":%s' % (name.encode(), text) for name, text in parts.items())
    return b"%s%s}" % (dumps(known)[:-1], more)


@lru_cache(maxsize=4096)
def move_fields(move: Move) -> dict[str, object]:
    """A choice as ``MoveJson``. The result is shared: do not change it."""
    parts = {"kind": move.kind, "from": move.place, "card": move.card, "seat": move.seat}
    return {name: value for name, value in parts.items() if value}


def move_notation(move: MoveJson | str) -> str:
    """A requested move in notation, which may still be no move at all."""
    if isinstance(move, str):
        return move
    place, card = move.from_ or "", move.card or ""
    match move.kind:
        case "advance":
            return f"{place}:{card}"
        case "retreat":
            return f"{place}<"
        case "push":
            return f"{move.seat or 0}@{place}"
        case "drop":
            return f"drop:{card}"
        case _:
            return move.kind


def text_frame(payload: bytes) -> bytes:
    """A server's text frame (RFC 6455): unmasked, so the same bytes serve every client."""
    size = len(payload)
    if size < 126:
        return bytes((0x81, size)) + payload
    wide = size >= 1 << 16
    return bytes((0x81, 127 if wide else 126)) + size.to_bytes(8 if wide else 2, "big") + payload
