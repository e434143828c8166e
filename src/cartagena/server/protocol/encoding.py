"""Encoding: lines that people type, JSON that is safe inside a page, moves as fields, and WebSocket frames."""

import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from pydantic_core import to_json

from cartagena.game import Move

MAX_NAME: Final = 24
MAX_TALK: Final = 200
KEPT_OUT: Final = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that count as letters, marks or signs and show nothing."""
MAX_MARKS: Final = 4
"""Marks above, below or around one letter; more of them would cover the lines of others. Languages need three."""
MAX_FRAGMENTS: Final = 16  # parts of one message
CONTINUATION: Final = 0
TEXT: Final = 0x81  # first byte of a whole text frame
CONTROL: Final = 8  # opcodes from here on are of control frames


def clean(text: str, limit: int) -> str:
    """One line in normal form C, without control, formatting or unassigned characters and without piles of marks."""
    visible = "".join(" " if char.isspace() else char for char in text)
    kept = "".join(char for char in visible if unicodedata.category(char) not in KEPT_OUT and char not in BLANK)
    line = without_piles(unicodedata.normalize("NFC", " ".join(kept.split())))
    if len(line) > limit:
        raise ValueError(f"at most {limit} characters")
    return line


def without_piles(line: str) -> str:
    """The line with at most ``MAX_MARKS`` marks in a row that take no room of their own."""
    kept, marks = [], 0
    for char in line:
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        if marks <= MAX_MARKS:
            kept.append(char)
    return "".join(kept)


def is_visible(line: str) -> bool:
    """Whether a line has more than spaces and marks that need a letter to stand on."""
    return any(unicodedata.category(char)[0] not in "MZ" for char in line)


def clean_name(text: str) -> str:
    """Clean a person's name, which may be left empty. Raises ValueError if there is one that shows nothing."""
    line = clean(text, MAX_NAME)
    if text.strip() and not is_visible(line):
        raise ValueError("must have characters that can be seen")
    return line


def clean_talk(text: str) -> str:
    """Clean a line of table talk. Raises ValueError if nothing is left."""
    line = clean(text, MAX_TALK)
    if not is_visible(line):
        raise ValueError("must not be empty")
    return line


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


def text_frame(payload: bytes) -> bytes:
    """A server's text frame (RFC 6455): unmasked, so the same bytes serve every client."""
    size = len(payload)
    if size < 126:
        return bytes((0x81, size)) + payload
    wide = size >= 1 << 16
    return bytes((0x81, 127 if wide else 126)) + size.to_bytes(8 if wide else 2, "big") + payload


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
        at, end, frames = self.skip, len(data), 0
        while end - at >= 2 and frames <= most:
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
            frames += 1
        self.skip, self.part = (at - end, b"") if at >= end else (0, data[at:])
        return frames
