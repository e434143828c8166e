"""Events: the truth about a table. Everything else is worked out from them."""

from dataclasses import dataclass
from typing import Final

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
STANDIN: Final = "standin"  # seat, level: a weaker computer player replaces the seat's own, which failed
KINDS: Final = (SEAT, SALT, DEAL, MOVE, UNDO, AWAY, BACK, RESIGN, TALK, NEXT, STANDIN)
GAME: Final = frozenset({DEAL, MOVE, UNDO, RESIGN})
"""The events after which the game is another one, so that a move that did not see them is stale."""

CLOCKED: Final = GAME | {AWAY, BACK}
"""The events that say how long somebody has thought, or from which on somebody thinks anew."""


@dataclass(frozen=True, slots=True)
class Requester:
    """Who is asking: the chairs and seats held (none: a spectator) and whether it is the host."""

    key: int = 0
    chairs: tuple[int, ...] = ()
    seats: tuple[int, ...] = ()
    host: bool = False


SPECTATOR: Final = Requester()
