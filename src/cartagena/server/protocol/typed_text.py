"""Cleaning of typed text: names and table talk, bounded, on one line, visible characters only."""

import unicodedata
from typing import Final

MAX_NAME: Final = 24
MAX_TALK: Final = 200
KEPT_OUT: Final = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that count as letters, marks or signs and show nothing."""


MAX_MARKS: Final = 4
"""Marks above, below or around one letter; more of them would cover the lines of others. Languages need three."""


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
