"""Between moves as words and the kernel's action numbers, and between places as words and as indexes."""

from functools import lru_cache

from cartagena.kernel import layout as at
from cartagena.kernel.intrinsics import RuleTable
from cartagena.rulesets import RuleSet

from ..move import Move
from .cards import card_letters, card_number, card_text


def place_text(table: RuleTable, place: int) -> str:
    """The word for a place."""
    if place == 0:
        return "s"
    if place == table[at.T_BOAT]:
        return "b"
    if place == table[at.T_GOAL]:
        return "n"
    return str(place if place < table[at.T_BOAT] else place - 1)


def place_number(table: RuleTable, text: str) -> int:
    """The index of a place, or -1 if the board has none of that name."""
    if text == "s":
        return 0
    if text == "b":
        return table[at.T_BOAT]
    if text == "n":
        return table[at.T_GOAL] if table[at.T_NEST] else -1
    place = int(text)
    if place >= table[at.T_BOAT]:
        place += 1
    return place if (table[at.T_FIELDS] >> place) & 1 else -1


@lru_cache(maxsize=1024)
def place_words(table: tuple[int, ...]) -> tuple[str, ...]:
    """The words for all places along the track."""
    return tuple(place_text(table, place) for place in range(table[at.T_GOAL] + 1))


@lru_cache(maxsize=1024)
def place_numbers(table: tuple[int, ...]) -> dict[str, int]:
    """The index of each place by its word."""
    return {text: place for place, text in enumerate(place_words(table))}


@lru_cache(maxsize=128)
def action_words(rules: RuleSet, table: tuple[int, ...]) -> dict[int, str]:
    """The words of all moves that a game on this board can have, by the kernel's numbers."""
    cards = [card_number(rules, text) for text in card_letters(rules)]
    places = range(table[at.T_GOAL] + 1)
    actions = [at.SAIL, at.END]
    actions += [at.ADVANCE + place * at.CARD_SLOTS + card for place in places for card in cards]
    actions += [at.RETREAT + place for place in places]
    actions += [at.PUSH + seat * at.SEAT_SLOTS + place for seat in range(table[at.T_SEATS]) for place in places]
    actions += [first + card for first in (at.DROP, at.DEAL) for card in cards]
    return {action: str(action_to_move(rules, table, action)) for action in actions}


@lru_cache(maxsize=128)
def word_actions(rules: RuleSet, table: tuple[int, ...]) -> dict[str, int]:
    """The same the other way round."""
    return {text: action for action, text in action_words(rules, table).items()}


def move_to_action(rules: RuleSet, table: RuleTable, move: Move) -> int:
    """The kernel's number for a move, or -1 if the game has no such move on any position of this board."""
    place = place_number(table, move.place) if move.place else 0
    card = card_number(rules, move.card) if move.card else 0
    if place < 0 or card < 0 or move.seat > at.MAX_SEATS:
        return -1
    match move.kind:
        case "advance":
            return at.ADVANCE + place * at.CARD_SLOTS + card
        case "retreat":
            return at.RETREAT + place
        case "push":
            return at.PUSH + (move.seat - 1) * at.SEAT_SLOTS + place
        case "drop":
            return at.DROP + card
        case "deal":
            return at.DEAL + card
        case "sail":
            return at.SAIL
        case _:
            return at.END


def action_to_move(rules: RuleSet, table: RuleTable, action: int) -> Move:
    """The move that one of the kernel's numbers means."""
    if action < at.RETREAT:
        card = card_text(rules, action % at.CARD_SLOTS)
        return Move("advance", place_text(table, action // at.CARD_SLOTS), card)
    if action < at.PUSH:
        return Move("retreat", place_text(table, action - at.RETREAT))
    if action < at.SAIL:
        seat, place = divmod(action - at.PUSH, at.SEAT_SLOTS)
        return Move("push", place_text(table, place), seat=seat + 1)
    if action == at.SAIL:
        return Move("sail")
    if action == at.END:
        return Move("end")
    if action < at.DEAL:
        return Move("drop", card=card_text(rules, action - at.DROP))
    return Move("deal", card=card_text(rules, action - at.DEAL))
