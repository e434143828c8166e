"""Options: the target and the cards of each legal move, and why likely other moves are not legal.

Everything comes from ``kernel/options.py``, so a board that shows it needs no rules. It works on a position and on the
chooser's view alike, and tells nothing that this view does not show.
"""

from dataclasses import dataclass

from cartagena.errors import IllegalMove
from cartagena.kernel import layout as at
from cartagena.kernel import options as kernel
from cartagena.kernel.reasons import LEGAL
from cartagena.kernel.step import step

from .move import Move
from .notation import cards
from .notation.actions import place_text, place_words
from .position import Position
from .reasons import CODES, refusal


@dataclass(frozen=True, slots=True)
class Option:
    """A legal move, the place where its pirate ends (or an empty text) and the number of cards it brings.

    ``passed`` are the fields that show the sign of the played card and are leapt over because they are taken.
    """

    move: Move
    to: str
    cards: int
    passed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A move that a person is likely to try, and why it is not legal now."""

    move: Move
    error: IllegalMove


def destination(position: Position, move: Move) -> str:
    """The place where the pirate of a legal move ends. Empty if no pirate moves."""
    return _target_text(position, kernel.destination(position.table, position.state(), position.action(move)))


def _target_text(position: Position, place: int) -> str:
    return "" if place == kernel.NOWHERE else place_text(position.table, place)


def options(position: Position) -> list[Option]:
    """The legal moves, each with its target, its cards and the fields it leaps over."""
    rule_table, state = position.table, position.state()
    return [
        Option(
            position.move(action),
            _target_text(position, kernel.destination(rule_table, state, action)),
            _cards_of(position, action),
            _fields(position, kernel.leapt(rule_table, state, action)),
        )
        for action in position.legal_actions()
    ]


def _cards_of(position: Position, action: int) -> int:
    """How many cards a legal action brings to the mover, cards still to be dealt included."""
    if not at.RETREAT <= action < at.SAIL:
        return 0
    after = position.state()
    step(position.table, after, action)
    return kernel.brought(position.state(), action, after)


def _fields(position: Position, mask: int) -> tuple[str, ...]:
    """The fields of a mask, in the order of the track."""
    return tuple(place_text(position.table, place) for place in range(mask.bit_length()) if (mask >> place) & 1)


def refusals(position: Position) -> list[NearMiss]:
    """Illegal moves of existing pirates with cards in hand, each with its reason.

    Empty if one reason forbids all moves (the game is over, a card is due).
    """
    rules, rule_table, state = position.rules, position.table, position.state()
    actions, why = [0] * kernel.MAX_ATTEMPTS, [0] * kernel.MAX_ATTEMPTS
    number = kernel.near_misses(rule_table, state, actions, why)
    tried = zip(map(position.move, actions[:number]), why[:number], strict=True)
    return [NearMiss(move, refusal(rules, rule_table, state, move, reason)) for move, reason in tried]


def elsewhere(position: Position) -> dict[str, list[str]]:
    """Places that no option or refusal starts from, in the order of the track, by the reason code of a move there.

    Empty if no seat has to choose.
    """
    reasons = [0] * at.MAX_PLACES
    size = kernel.elsewhere(position.table, position.state(), reasons)
    by_reason: dict[str, list[str]] = {}
    for reason, text in zip(reasons[:size], place_words(position.table), strict=False):
        if reason != LEGAL:
            by_reason.setdefault(CODES[reason], []).append(text)
    return by_reason


def cards_of(position: Position, seat: int) -> dict[str, int]:
    """The cards of a seat that are not hidden here, and how many of each."""
    return position.hand(seat) or {}


def card_counts(position: Position, word: int) -> dict[str, int]:
    """The cards of a card word, and how many of each."""
    return cards.card_counts(position.rules, word)
