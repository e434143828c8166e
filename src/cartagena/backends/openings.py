"""Where games start from: a position, or a rule set for which every game is dealt anew."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias, runtime_checkable

from cartagena.errors import BackendError, shown, whole
from cartagena.kernel import layout as at
from cartagena.rulesets import MAX_SEATS, MIN_SEATS, RuleSet, check_deal, compile_table, load
from cartagena.rulesets.compile import sign_masks
from cartagena.rulesets.model import islands_of

from .arguments import checked_number
from .portable import deal


@runtime_checkable
class Positioned(Protocol):
    """An object with the kernel's numbers, such as ``cartagena.Position``."""

    @property
    def table(self) -> Sequence[int]: ...
    @property
    def words(self) -> Sequence[int]: ...


@runtime_checkable
class HasPosition(Protocol):
    """An object with a position, such as ``cartagena.Game``."""

    @property
    def position(self) -> Positioned: ...


Source: TypeAlias = HasPosition | Positioned | RuleSet | str
"""A game, a position or its text, a rule set or its name."""

EMPTY: Final = (0,) * at.WORDS
NO_PLAN: Final = (deal.NOTHING_DEALT,) * deal.P_SIGNS


@dataclass(frozen=True)
class Start:
    """The rule table, the words that games start from and the plan by which they are dealt (see ``portable.deal``)."""

    rules: tuple[int, ...]
    words: tuple[int, ...]
    plan: tuple[int, ...]

    @property
    def seats(self) -> int:
        return self.rules[at.T_SEATS]


def deal_plan(rules: RuleSet, pieces: int) -> tuple[int, ...]:
    """Return the deal plan of a rule set. ``pieces`` may also be ``deal.BOARD_LAID``."""
    printed = rules.printed if rules.style == "printed" and not rules.board else ()
    signs = [rules.letters.index(letter) for piece in printed for letter in piece]
    plan = [0] * deal.P_SIGNS + signs
    plan[deal.P_PIECES] = pieces
    plan[deal.P_PRINTED] = len(printed)
    plan[deal.P_DEAL] = rules.deal
    plan[deal.P_EXTRA : deal.P_EXTRA + len(rules.extra)] = rules.extra
    return tuple(plan)


def new_deals(rules: RuleSet, seats: int | None) -> Start:
    """Deal every game anew, on a new board or on the rule set's own."""
    given = rules.seats or MIN_SEATS if seats is None else seats
    chosen = checked_number("seats", given, MIN_SEATS, MAX_SEATS)
    check_deal(rules.name, rules, chosen)
    table = compile_table(rules, chosen, rules.pieces, rules.pirates)
    if not rules.board:
        return Start(table, EMPTY, deal_plan(rules, rules.pieces))
    masks = sign_masks(rules.letters, islands_of(rules.board))
    words = (*EMPTY[: at.SIGN], *masks, *EMPTY[at.SIGN + len(masks) :])
    return Start(table, words, deal_plan(rules, deal.BOARD_LAID))


def new_deals_on(rules: RuleSet, laid: Positioned) -> Start:
    """Deal every game anew, on the board of a position."""
    return Start(tuple(laid.table), tuple(laid.words), deal_plan(rules, deal.BOARD_LAID))


def from_position(position: Positioned, seats: int | None) -> Start:
    """Start every game from one position. What a view hides is dealt anew in every game."""
    rules, words = tuple(position.table), tuple(position.words)
    if len(rules) != at.T_NUMBERS or len(words) != at.WORDS:
        raise BackendError(f"a position has {at.T_NUMBERS} rule numbers and {at.WORDS} words.")
    if seats is not None and whole(seats) != rules[at.T_SEATS]:
        raise BackendError(f"the position has {rules[at.T_SEATS]} seats, not {shown(seats)}.")
    if words[at.OVER]:
        raise BackendError("the position is finished: no move is left.")
    return Start(rules, words, NO_PLAN)


_readers: Final[list[Callable[[str], Positioned]]] = []


def read_positions_with(reader: Callable[[str], Positioned]) -> None:
    """Have the texts of positions read by ``reader``: the notation belongs to a room that stands above this one."""
    _readers[:] = [reader]


def read(text: str) -> Positioned | RuleSet:
    """Return the position that a text with spaces describes, or the rule set that a name or a TOML file gives."""
    if _readers and " " in text.strip() and not text.endswith(".toml"):
        return _readers[0](text)
    return load(text)


def start_of(source: Source, seats: int | None = None) -> Start:
    """Return where games start from. ``seats`` is for rule sets; a position has its own number."""
    if isinstance(source, str):
        source = read(source)
    if isinstance(source, RuleSet):
        return new_deals(source, seats)
    position = source.position if isinstance(source, HasPosition) else source
    if not hasattr(position, "table") or not hasattr(position, "words"):
        raise BackendError(f"games start from a position or a rule set, not from {type(source).__name__}.")
    return from_position(position, seats)
