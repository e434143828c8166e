"""Options: the target and the cards of each legal move, and why likely other moves are not legal.

Everything comes from the kernel, so a board that shows it needs no rules. It works on a position and on the chooser's
view alike, and tells nothing that this view does not show.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from cartagena.errors import IllegalMove
from cartagena.kernel import layout as at
from cartagena.kernel import reasons as why
from cartagena.kernel.cards import total
from cartagena.kernel.intrinsics import Words
from cartagena.kernel.moves import advance_target, hand_size, push_target, retreat_target, sign_of
from cartagena.kernel.step import step
from cartagena.kernel.track import above, below

from .move import Move
from .notation import cards
from .notation.actions import place_text, place_words
from .position import Position
from .reasons import CODES


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
    return _target_text(position, position.state(), position.action(move))


def options(position: Position) -> list[Option]:
    """The legal moves, each with its target, its cards and the fields it leaps over."""
    state = position.state()
    return [
        Option(
            position.move(action),
            _target_text(position, state, action),
            _cards_of_action(position, action),
            _passed(position, state, action),
        )
        for action in position.legal_actions()
    ]


def _target_text(position: Position, state: Words, action: int) -> str:
    table = position.table
    if action < at.RETREAT:
        place, card = divmod(action, at.CARD_SLOTS)
        return place_text(table, advance_target(table, state, place, sign_of(card)))
    if action < at.PUSH:
        return place_text(table, retreat_target(state, action - at.RETREAT))
    if action < at.SAIL:
        return place_text(table, push_target(table, state, (action - at.PUSH) % at.SEAT_SLOTS))
    return ""


def _passed(position: Position, state: Words, action: int) -> tuple[str, ...]:
    """The fields between the pirate and its target that show the card's sign."""
    if action >= at.RETREAT:
        return ()
    table = position.table
    place, card = divmod(action, at.CARD_SLOTS)
    target = advance_target(table, state, place, sign_of(card))
    mask = state[at.SIGN + sign_of(card)] & above(place) & below(target)
    return tuple(place_text(table, field) for field in range(place + 1, target) if (mask >> field) & 1)


def _cards_of_action(position: Position, action: int) -> int:
    """How many cards a legal action brings to the mover, cards still to be dealt included."""
    if not at.RETREAT <= action < at.SAIL:
        return 0
    state = position.state()
    seat = state[at.TURN]
    before = hand_size(state, seat)
    step(position.table, state, action)
    undealt = position.with_words(state).stock_size + total(state[at.DISCARD])
    return hand_size(state, seat) - before + min(state[at.OWED], undealt)


def refusals(position: Position) -> list[NearMiss]:
    """Illegal moves of existing pirates with cards in hand, each with its reason.

    Empty if one reason forbids all moves (the game is over, a card is due).
    """
    if position.is_over or position.is_chance or position.words[at.DROPPER]:
        return []
    found = [(move, position.why_not(move)) for move in _attempts(position)]
    return [NearMiss(move, error) for move, error in found if error is not None]


def elsewhere(position: Position) -> dict[str, list[str]]:
    """Places that no option or refusal starts from, in the order of the track, by the reason code of a move there.

    Empty if no seat has to choose.
    """
    if position.is_over or position.is_chance:
        return {}
    listed, state = _starts(position), position.state()
    found: dict[str, list[str]] = {}
    for place, text in enumerate(place_words(position.table)):
        if text not in listed:
            code = CODES[why.reason(position.table, state, at.ADVANCE + place * at.CARD_SLOTS)]
            found.setdefault(code, []).append(text)
    return found


def _starts(position: Position) -> set[str]:
    """The places that ``_attempts`` starts from, or none while cards must be dropped."""
    mover, nest = position.active, position.rules.nest
    if position.words[at.DROPPER]:
        return set()
    seats = range(1, position.seats + 1) if nest else (mover,)
    moved = [seat for seat in seats if seat != mover or not nest or position.hand_size(mover)]
    return {place for seat in moved for place in position.places(seat)}


def cards_of(position: Position, seat: int) -> dict[str, int]:
    """The cards of a seat that are not hidden here, and how many of each."""
    return position.hand(seat) or {}


def card_counts(position: Position, word: int) -> dict[str, int]:
    """The cards of a card word, and how many of each."""
    return cards.card_counts(position.rules, word)


def _attempts(position: Position) -> Iterator[Move]:
    """Every card on every pirate of the mover, every retreat or push, ``sail`` and ``end``."""
    mover = position.active
    letters = list(cards_of(position, mover))
    for place in dict.fromkeys(position.places(mover)):
        for card in letters:
            yield Move(f"{place}:{card}")
        if not position.rules.nest:
            yield Move(f"{place}<")
    if position.rules.nest:
        for seat in range(1, position.seats + 1):
            if seat != mover:
                for place in dict.fromkeys(position.places(seat)):
                    yield Move(f"{seat}@{place}")
        yield Move("sail")
    yield Move("end")
