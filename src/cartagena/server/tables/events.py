"""Events: the truth about a table. Everything else is worked out from them."""

from dataclasses import dataclass
from typing import Any, Final

from pydantic_core import to_json

SEAT: Final = "seat"  # a person takes a chair: chair, name, salt
SALT: Final = "salt"  # a person adds randomness: chairs, salt
DEAL: Final = "deal"  # opening, order (which chair got seat 1, 2, ...)
MOVE: Final = "move"  # seat, move, cards (dealt after it), ms (thought about it)
UNDO: Final = "undo"  # seat, ms
AWAY: Final = "away"  # seat, why (left, time), level, ms
BACK: Final = "back"  # seat, ms
RESIGN: Final = "resign"  # seat, level, ms
TALK: Final = "talk"  # seat, text
NEXT: Final = "next"  # table: the rematch
KINDS: Final = (SEAT, SALT, DEAL, MOVE, UNDO, AWAY, BACK, RESIGN, TALK, NEXT)
GAME: Final = frozenset({DEAL, MOVE, UNDO, RESIGN})
"""The events after which the game is another one, so that a move that did not see them is stale."""

CLOCKED: Final = GAME | {AWAY, BACK}
"""The events that say how long somebody has thought, or from which on somebody thinks anew."""


@dataclass(slots=True)
class Event:
    """Number ``number`` (from 1) of its table, at ``at`` milliseconds since 1970."""

    number: int
    at: int
    kind: str
    data: dict[str, Any]
    move_id: str | None = None

    def dump(self) -> str:
        """The data as it is stored."""
        return to_json(self.data).decode()


@dataclass(slots=True)
class Key:
    """The hash of a word that opens something: a token (``seat``) that holds chairs, or an ``invite`` to one."""

    number: int
    kind: str
    digest: str
    chairs: tuple[int, ...]
    revoked: bool = False
    host: bool = False


@dataclass(frozen=True, slots=True)
class Requester:
    """Who is asking: the chairs and seats held (none: a spectator) and whether it is the host."""

    key: int = 0
    chairs: tuple[int, ...] = ()
    seats: tuple[int, ...] = ()
    host: bool = False


SPECTATOR: Final = Requester()
