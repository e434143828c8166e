"""Where games start from: a position, or a rule set for which every game is dealt anew."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from cartagena.errors import BackendError, shown
from cartagena.kernel import layout as at
from cartagena.rulesets import MAX_SEATS, MIN_SEATS, RuleSet, check_deal, compile_table, load

from .portable import deal


class Positioned(Protocol):
    """An object with the kernel's numbers, such as ``cartagena.Position``."""

    @property
    def table(self) -> Sequence[int]: ...
    @property
    def words(self) -> Sequence[int]: ...


Source: TypeAlias = Positioned | RuleSet | str
"""A position, a rule set or a rule set's name."""


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
    printed = rules.printed if rules.style == "printed" else ()
    signs = [rules.letters.index(letter) for piece in printed for letter in piece]
    plan = [0] * deal.P_SIGNS + signs
    plan[deal.P_PIECES] = pieces
    plan[deal.P_PRINTED] = len(printed)
    plan[deal.P_DEAL] = rules.deal
    return tuple(plan)


def new_deals(rules: RuleSet, seats: int | None) -> Start:
    """Deal every game anew, on a new board."""
    chosen = rules.seats or MIN_SEATS if seats is None else seats
    if isinstance(chosen, bool) or not isinstance(chosen, int) or not MIN_SEATS <= chosen <= MAX_SEATS:
        raise BackendError(f"seats must be a whole number from {MIN_SEATS} to {MAX_SEATS}, not {shown(chosen)}.")
    check_deal(rules.name, rules, chosen)
    return Start(compile_table(rules, chosen, rules.pieces, rules.pirates), EMPTY, deal_plan(rules, rules.pieces))


def new_deals_on(rules: RuleSet, laid: Positioned) -> Start:
    """Deal every game anew, on the board of a position."""
    return Start(tuple(laid.table), tuple(laid.words), deal_plan(rules, deal.BOARD_LAID))


def from_position(position: Positioned, seats: int | None) -> Start:
    """Start every game from one position. What a view hides is dealt anew in every game."""
    rules, words = tuple(position.table), tuple(position.words)
    if len(rules) != at.T_NUMBERS or len(words) != at.WORDS:
        raise BackendError(f"a position has {at.T_NUMBERS} rule numbers and {at.WORDS} words.")
    if seats is not None and seats != rules[at.T_SEATS]:
        raise BackendError(f"the position has {rules[at.T_SEATS]} seats, not {shown(seats)}.")
    if words[at.OVER]:
        raise BackendError("the position is finished: no move is left.")
    return Start(rules, words, NO_PLAN)


def start_of(source: Source, seats: int | None = None) -> Start:
    """Return where games start from. ``seats`` is for rule sets; a position has its own number."""
    if isinstance(source, str):
        source = load(source)
    if isinstance(source, RuleSet):
        return new_deals(source, seats)
    if not hasattr(source, "table") or not hasattr(source, "words"):
        raise BackendError(f"games start from a position or a rule set, not from {type(source).__name__}.")
    return from_position(source, seats)
