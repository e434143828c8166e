"""Encoding of answers: JSON that is safe inside a page, and WebSocket frames."""

from typing import Any

from pydantic_core import to_json


def dumps(value: Any) -> bytes:
    """Encode a value as JSON with ``<``, ``>`` and ``&`` escaped."""
    text = to_json(value, inf_nan_mode="null")
    return text.replace(b"<", b"\\u003c").replace(b">", b"\\u003e").replace(b"&", b"\\u0026")


def spliced(known: dict[str, Any], **parts: bytes) -> bytes:
    """Encode an object and append parts that are encoded already."""
    more = b"".join(b',"%s":%s' % (name.encode(), text) for name, text in parts.items())
    return b"%s%s}" % (dumps(known)[:-1], more)


def text_frame(payload: bytes) -> bytes:
    """A server's text frame (RFC 6455): unmasked, so the same bytes serve every client."""
    size = len(payload)
    if size < 126:
        return bytes((0x81, size)) + payload
    wide = size >= 1 << 16
    return bytes((0x81, 127 if wide else 126)) + size.to_bytes(8 if wide else 2, "big") + payload
