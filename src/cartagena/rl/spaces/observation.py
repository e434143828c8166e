"""The observation: what each number of the vector means. One vector serves all games and sizes.

The vector has ``SIZE`` entries, whole numbers from 0 to 255 (``uint8``). It is the same for every rule set, number of
seats, pirates and board pieces, so that one learner can play all of them; what a game does not have is 0. Entries are
counts, not fractions: divide by ``HIGH`` to scale to 0..1. ``VERSION`` changes whenever a field does.

Seats are counted from the viewer, so that a learner need not know its seat: 0 is the viewer, 1 the seat to its left.
Only pushes (nest) number seats from the first one at the table; the field ``seat`` has the viewer's.
"""

from collections.abc import Sequence, Sized
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cartagena.backends.arguments import checked_number
from cartagena.errors import CartagenaError, has_parts, shown, whole
from cartagena.kernel import layout as at
from cartagena.kernel.legal import chooser, legal
from cartagena.kernel.view import view

from ..compiled import observation as obs

__all__ = ["BY_NAME", "FIELDS", "HIGH", "RULES", "SIZE", "VERSION", "Field", "mask", "observe", "part"]

VERSION: Final = 1
"""The version of the observation.

>>> from cartagena.rl.spaces.observation import VERSION
>>> VERSION
1
"""
SIZE: Final = obs.SIZE
"""The entries of an observation.

>>> from cartagena.rl.spaces.observation import SIZE
>>> SIZE
832
"""
MASK_TYPE: Final = np.int8
DECK: Final = 140  # the largest deck: 7 signs, 20 of each


@dataclass(frozen=True)
class Field:
    """One field: its name, its first entry, its shape, the largest value of an entry, and its meaning.

    >>> from cartagena.rl.spaces.observation import BY_NAME
    >>> BY_NAME["pirates"].shape, BY_NAME["pirates"].size
    ((5, 50), 250)
    """

    name: str
    start: int
    shape: tuple[int, ...]
    high: int
    about: str

    @property
    def size(self) -> int:
        """How many entries the field has."""
        return int(np.prod(self.shape))


RULES: Final = (
    ("seats", at.MAX_SEATS, "number of seats"),
    ("pirates", at.MAX_PIRATES, "pirates a seat"),
    ("actions", 5, "actions a turn"),
    ("pass", 1, "1: a turn may be passed although an action is possible"),
    ("return", 1, "1: a pirate may retreat from the sloop"),
    ("crew", 1, "pirates a captain needs aboard (nest)"),
    ("row", obs.ROW_ROOM, "cards laid out in the open row, 0 without one"),
    ("open", 1, "1: hands lie open"),
    ("nest", 1, "1: the Pirate's Nest"),
    ("signs", at.MAX_SIGNS, "number of signs"),
    ("limit", 20, "cards a freebooter leaves in a hand (nest)"),
    ("boat", at.MAX_PLACES, "index of the sloop's place"),
    ("goal", at.MAX_PLACES, "index of the place where a pirate is home"),
)
"""The entries of the field ``rules``: name, largest value, meaning.

>>> from cartagena.rl.spaces.observation import RULES
>>> RULES[0]
('seats', 5, 'number of seats')
"""

FIELDS: Final = (
    Field("rules", obs.O_RULES, (len(RULES),), at.MAX_PLACES, "the rule set and the size of the board, see ``RULES``"),
    Field("board", obs.O_BOARD, (at.MAX_SIGNS, at.MAX_PLACES), 1, "1 where a field shows the sign"),
    Field("pirates", obs.O_PIRATES, (at.MAX_SEATS, at.MAX_PLACES), at.MAX_PIRATES, "a seat's pirates on each place"),
    Field("hands", obs.O_HANDS, (at.MAX_SEATS, at.CARDS), 20, "cards the viewer sees in a seat's hand, of each kind"),
    Field("hand_sizes", obs.O_SIZES, (at.MAX_SEATS,), DECK, "how many cards a seat holds, seen or unseen"),
    Field("row", obs.O_ROW, (obs.ROW_ROOM, at.MAX_SIGNS), 1, "the sign of each card of the open row, next first"),
    Field("discard", obs.O_DISCARD, (at.CARDS,), 20, "cards on the discard pile, of each kind"),
    Field("unseen", obs.O_UNSEEN, (at.CARDS,), 20, "cards that lie nowhere in sight, of each kind"),
    Field("stock", obs.O_STOCK, (1,), DECK, "how many cards the stock has"),
    Field("sloop", obs.O_SLOOP, (2,), 1, "the island the sloop lies at (nest)"),
    Field("seat", obs.O_SEAT, (at.MAX_SEATS,), 1, "where the viewer sits at the table, first seat first"),
    Field("turn", obs.O_TURN, (at.MAX_SEATS,), 1, "whose turn it is, empty when the game is over"),
    Field("actor", obs.O_ACTOR, (at.MAX_SEATS,), 1, "who must choose now, empty while a card is dealt"),
    Field("used", obs.O_USED, (1,), 5, "actions taken this turn"),
    Field("passes", obs.O_PASSES, (1,), at.MAX_SEATS, "forced passes in a row"),
    Field("captain", obs.O_CAPTAIN, (1,), 1, "1: the mover may cross for nothing (nest)"),
    Field("drop", obs.O_DROP, (1,), 1, "1: the actor must drop a card (nest)"),
    Field("row_due", obs.O_ROW_DUE, (1,), 12, "cards due to the row, while one is to be dealt"),
    Field("owed", obs.O_OWED, (1,), 2, "cards owed to the mover, while one is to be dealt"),
    Field("result", obs.O_RESULT, (at.MAX_SEATS + 1,), 1, "who has won; the last entry is a deadlock"),
    Field("spare", obs.O_SPARE, (2,), 1, "always 0: fills the vector up to whole machine words"),
)

"""The fields of the observation in their order.

>>> from cartagena.rl.spaces.observation import FIELDS
>>> [field.name for field in FIELDS][:3]
['rules', 'board', 'pirates']
"""

BY_NAME: Final = {field.name: field for field in FIELDS}
"""The fields of the observation by their names.

>>> from cartagena.rl.spaces.observation import BY_NAME
>>> BY_NAME["board"].start
13
"""


def _highs() -> NDArray[np.uint8]:
    high = np.zeros(SIZE, dtype=np.uint8)
    for field in FIELDS:
        high[field.start : field.start + field.size] = field.high
    high[: len(RULES)] = [most for _, most, _ in RULES]
    return high


HIGH: Final = _highs()
"""The largest value each entry can have.

>>> from cartagena.rl.spaces.observation import BY_NAME, HIGH
>>> int(HIGH[BY_NAME["pirates"].start])
8
"""


def part(observation: NDArray[np.uint8], name: str) -> NDArray[np.uint8]:
    """Return a field of an observation, or of a batch of them, in its shape.

    >>> from cartagena import Game
    >>> from cartagena.rl.spaces.observation import observe, part
    >>> position = Game.new("jamaica-en", seats=2, seed=1).position
    >>> int(part(observe(position.table, position.words, 0), "pirates")[0, 0])
    6
    """
    field = BY_NAME.get(name) if isinstance(name, str) else None
    if field is None or not isinstance(observation, np.ndarray) or observation.shape[-1:] != (SIZE,):
        raise CartagenaError(
            f"part takes an observation of {SIZE} numbers and one of {', '.join(BY_NAME)}, not {shown(name)}"
        )
    values = observation[..., field.start : field.start + field.size]
    return values.reshape(*observation.shape[:-1], *field.shape)


def is_row(value: object, length: int) -> bool:
    """Whether it is a list or an array of so many parts."""
    is_other = isinstance(value, str | bytes | dict) or not hasattr(value, "__getitem__")
    return has_parts(value) and isinstance(value, Sized) and not is_other and len(value) == length


def checked_seat(table: Sequence[int], words: Sequence[int], seat: int) -> int:
    """One of the seats of a state, from 0. Raises CartagenaError for what is no rule table, no state or no seat."""
    if not is_row(words, at.WORDS):
        raise CartagenaError(f"a state has {at.WORDS} words, as position.words has, unlike {shown(words)}")
    if not is_row(table, at.T_NUMBERS) or whole(table[at.T_SEATS]) is None:
        raise CartagenaError(f"a rule table is position.table, not {shown(table)}")
    return checked_number("seat", seat, 0, table[at.T_SEATS] - 1, CartagenaError)


def observe(table: Sequence[int], words: Sequence[int], seat: int) -> NDArray[np.uint8]:
    """Return what a seat, from 0, observes of a state, or of its own view.

    >>> from cartagena import Game
    >>> from cartagena.rl.spaces.observation import observe
    >>> position = Game.new("jamaica-en", seats=2, seed=1).position
    >>> observe(position.table, position.words, 0).shape
    (832,)
    """
    seat = checked_seat(table, words, seat)
    seen = [0] * at.WORDS
    view(table, list(words), seat, seen)
    out = [0] * SIZE
    obs.observe(table, seen, seat, out, 0)
    return np.array(out, dtype=np.uint8)


def mask(table: Sequence[int], words: Sequence[int], seat: int) -> NDArray[np.int8]:
    """Return the action mask of a seat, from 0: what it can choose now, or only ``end`` if it has nothing to choose.

    >>> from cartagena import Game
    >>> from cartagena.rl.spaces.observation import mask
    >>> position = Game.new("jamaica-en", seats=2, seed=1).position
    >>> int(mask(position.table, position.words, 1).sum())
    1
    """
    seat = checked_seat(table, words, seat)
    seen, moves = [0] * at.WORDS, [0] * at.MAX_LEGAL
    view(table, list(words), seat, seen)
    out = np.zeros(at.ACTIONS, dtype=MASK_TYPE)
    out[moves[: legal(table, seen, moves)] if chooser(seen) == seat else at.END] = 1
    return out
