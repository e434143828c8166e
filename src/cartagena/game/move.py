"""Moves as words: ``17:B``, ``18<``, ``3@14``, ``sail``, ``drop:D``, ``end``, ``+D``."""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from cartagena.errors import NotationError, shown

from .seats import NO_SEAT

PLACE: Final = r"(?P<place>s|b|n|[1-9][0-9]?)"
CARD: Final = r"(?P<card>[A-Z]!?)"
FORMS: Final = {
    "advance": re.compile(f"{PLACE}:{CARD}"),
    "retreat": re.compile(f"{PLACE}<"),
    "push": re.compile(f"(?P<seat>[1-9])@{PLACE}"),
    "drop": re.compile(f"drop:{CARD}"),
    "deal": re.compile(r"\+(?P<card>[A-Z]!?|\?)"),
    "sail": re.compile("sail"),
    "end": re.compile("end"),
}


@lru_cache(maxsize=16384)
def read_move(text: str) -> tuple[str, str, str, int]:
    """Split a move into its kind, place, card and seat."""
    for kind, form in FORMS.items():
        if match := form.fullmatch(text):
            parts = match.groupdict()
            return kind, parts.get("place", ""), parts.get("card", ""), int(parts.get("seat", NO_SEAT))
    raise NotationError(f"{text[:40]!r} is not a move; moves look like 17:B, 18<, 3@14, sail, drop:D, end, +D.", "move")


@dataclass(frozen=True, slots=True, repr=False)
class Move:
    """A move, independent of any position. Raises NotationError where the text is no move.

    >>> move = Move("17:B")
    >>> move.kind, move.place, move.card
    ('advance', '17', 'B')
    >>> Move("3@14").seat
    3
    >>> move == Move("17:B"), str(move)
    (True, '17:B')
    """

    text: str
    """The move as it is written."""
    kind: str = field(init=False, compare=False)
    """``advance``, ``retreat``, ``push``, ``drop``, ``deal``, ``sail`` or ``end``."""
    place: str = field(init=False, compare=False)
    """Where the pirate stands: ``s``, ``b``, ``n`` or a field's number. Empty where no pirate is moved."""
    card: str = field(init=False, compare=False)
    """The card played, dropped or dealt. Empty where there is none, ``?`` where it is hidden."""
    seat: int = field(init=False, compare=False)
    """The seat whose pirate is pushed, from 1. ``NO_SEAT`` in all other moves."""

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise NotationError(f"{shown(self.text)} is not a move; a move is a text.", "move")
        for name, part in zip(("kind", "place", "card", "seat"), read_move(self.text), strict=True):
            object.__setattr__(self, name, part)

    @classmethod
    def parse(cls, text: str) -> "Move":
        """Read a move. The same as ``Move(text)``.

        >>> Move.parse("sail")
        Move('sail')
        """
        return cls(text)

    @property
    def is_chance(self) -> bool:
        """Whether the move deals a card and is not a choice."""
        return self.kind == "deal"

    @property
    def is_hidden(self) -> bool:
        """Whether the move deals a card that the viewer may not see."""
        return self.card == "?"

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move({self.text!r})"
