"""Cleaning of typed text: names and table talk, bounded, on one line, visible characters only."""

import unicodedata
from typing import Final

MAX_NAME: Final = 24
MAX_TALK: Final = 200
KEPT_OUT: Final = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def clean(text: str, limit: int) -> str:
    """One line in normal form C, without control, formatting or unassigned characters."""
    normal = unicodedata.normalize("NFC", text)
    visible = "".join(" " if char.isspace() else char for char in normal)
    kept = "".join(char for char in visible if unicodedata.category(char) not in KEPT_OUT)
    line = " ".join(kept.split())
    if len(line) > limit:
        raise ValueError(f"at most {limit} characters")
    return line


def clean_name(text: str) -> str:
    """Clean a person's name."""
    return clean(text, MAX_NAME)


def clean_talk(text: str) -> str:
    """Clean a line of table talk. Raises ValueError if nothing is left."""
    line = clean(text, MAX_TALK)
    if not line:
        raise ValueError("must not be empty")
    return line
