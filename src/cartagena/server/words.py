"""Text that people type: names and table talk, bounded, on one line, without anything that is not text."""

import json
import unicodedata
from typing import Any, Final

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


ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def dumps(value: Any) -> str:
    """JSON that stays harmless even where somebody pastes it into a page."""
    text = ENCODER.encode(value)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
