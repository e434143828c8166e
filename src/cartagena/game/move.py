"""Moves as words: ``17:B``, ``18<``, ``3@14``, ``sail``, ``drop:D``, ``end``, ``+D``."""

import re
from dataclasses import dataclass
from typing import Final

from cartagena.errors import NotationError

PLACE: Final = r"(?:s|b|n|[1-9][0-9]?)"
CARD: Final = r"[A-Z]!?"
FORMS: Final = {
    "advance": re.compile(rf"(?P<place>{PLACE}):(?P<card>{CARD})"),
    "retreat": re.compile(rf"(?P<place>{PLACE})<"),
    "push": re.compile(rf"(?P<seat>[1-9])@(?P<place>{PLACE})"),
    "drop": re.compile(rf"drop:(?P<card>{CARD})"),
    "deal": re.compile(rf"\+(?P<card>{CARD}|\?)"),
    "sail": re.compile("sail"),
    "end": re.compile("end"),
}


@dataclass(frozen=True, slots=True)
class Move:
    """One move, independent of any position. ``kind`` is one of ``FORMS``; unused parts are empty.

    >>> Move.parse("17:B")
    Move('17:B')
    >>> Move.parse("3@14").seat
    3
    """

    kind: str
    place: str = ""
    card: str = ""
    seat: int = 0

    @classmethod
    def parse(cls, text: str) -> "Move":
        """Read a move; raises NotationError where the text is none."""
        for kind, form in FORMS.items():
            match = form.fullmatch(text)
            if match:
                parts = match.groupdict()
                return cls(kind, parts.get("place", ""), parts.get("card", ""), int(parts.get("seat", 0)))
        raise NotationError(
            f"{text[:40]!r} is not a move; moves look like 17:B, 18<, 3@14, sail, drop:D, end, +D.", "move"
        )

    @property
    def is_chance(self) -> bool:
        """Whether it is a card that chance brings, not a choice."""
        return self.kind == "deal"

    @property
    def is_hidden(self) -> bool:
        """Whether it is a deal that the viewer may not see."""
        return self.card == "?"

    def __str__(self) -> str:
        match self.kind:
            case "advance":
                return f"{self.place}:{self.card}"
            case "retreat":
                return f"{self.place}<"
            case "push":
                return f"{self.seat}@{self.place}"
            case "drop":
                return f"drop:{self.card}"
            case "deal":
                return f"+{self.card}"
            case _:
                return self.kind

    def __repr__(self) -> str:
        return f"Move({str(self)!r})"
