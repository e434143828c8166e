"""Text that people type: names and table talk, bounded, on one line, without anything that is not text."""

import unicodedata
from typing import Any, Final

from pydantic_core import to_json

KEPT_OUT: Final = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def clean(text: str, limit: int) -> str:
    """One line of visible text in normal form: no control, formatting or unassigned characters."""
    normal = unicodedata.normalize("NFC", text)
    visible = "".join(" " if char.isspace() else char for char in normal)
    kept = "".join(char for char in visible if unicodedata.category(char) not in KEPT_OUT)
    line = " ".join(kept.split())
    if len(line) > limit:
        raise ValueError(f"at most {limit} characters")
    return line


def clean_name(text: str) -> str:
    """A person's name as it is kept."""
    return clean(text, 24)


def clean_talk(text: str) -> str:
    """Something said at the table as it is kept."""
    line = clean(text, 200)
    if not line:
        raise ValueError("say something")
    return line


def dumps(value: Any) -> bytes:
    """JSON that stays harmless even where somebody pastes it into a page."""
    text = to_json(value, inf_nan_mode="null")
    return text.replace(b"<", b"\\u003c").replace(b">", b"\\u003e").replace(b"&", b"\\u0026")


def spliced(known: dict[str, Any], **parts: bytes) -> bytes:
    """An object of JSON with parts that are JSON already behind what is known."""
    more = b"".join(b',"%s":%s' % (name.encode(), text) for name, text in parts.items())
    return b"%s%s}" % (dumps(known)[:-1], more)


def text_frame(payload: bytes) -> bytes:
    """A text frame as a server sends it (RFC 6455): not masked, so the same bytes for everybody."""
    size = len(payload)
    if size < 126:
        return bytes((0x81, size)) + payload
    wide = size >= 1 << 16
    return bytes((0x81, 127 if wide else 126)) + size.to_bytes(8 if wide else 2, "big") + payload
