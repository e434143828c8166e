"""Moves and places as text, and the kernel's numbers for them."""

from functools import lru_cache

from cartagena.errors import IllegalMove, shown, whole
from cartagena.kernel import layout as at
from cartagena.kernel.intrinsics import RuleTable
from cartagena.rulesets import RuleSet

from ..move import Move
from .cards import card_letters, card_number


def place_text(rule_table: RuleTable, place: int) -> str:
    """The text of a place."""
    if place == 0:
        return "s"
    if place == rule_table[at.T_BOAT]:
        return "b"
    if place == rule_table[at.T_GOAL]:
        return "n"
    return str(place if place < rule_table[at.T_BOAT] else place - 1)


@lru_cache(maxsize=1024)
def place_words(rule_table: tuple[int, ...]) -> tuple[str, ...]:
    """The text of all places along the track."""
    return tuple(place_text(rule_table, place) for place in range(rule_table[at.T_GOAL] + 1))


@lru_cache(maxsize=1024)
def place_numbers(rule_table: tuple[int, ...]) -> dict[str, int]:
    """The index of each place by its text."""
    return {text: place for place, text in enumerate(place_words(rule_table))}


@lru_cache(maxsize=128)
def action_moves(rules: RuleSet, rule_table: tuple[int, ...]) -> dict[int, Move]:
    """All moves that a game on this board can have, by the kernel's numbers."""
    cards = [(card_number(rules, text), text) for text in card_letters(rules)]
    places = list(enumerate(place_words(rule_table)))
    words = {at.SAIL: "sail", at.END: "end"}
    words |= {at.ADVANCE + place * at.CARD_SLOTS + card: f"{p}:{c}" for place, p in places for card, c in cards}
    words |= {at.RETREAT + place: f"{text}<" for place, text in places}
    words |= {
        at.PUSH + seat * at.SEAT_SLOTS + place: f"{seat + 1}@{text}"
        for seat in range(at.MAX_SEATS)
        for place, text in places
    }
    words |= {first + card: mark + text for first, mark in ((at.DROP, "drop:"), (at.DEAL, "+")) for card, text in cards}
    return {action: Move(text) for action, text in words.items()}


@lru_cache(maxsize=128)
def word_actions(rules: RuleSet, rule_table: tuple[int, ...]) -> dict[str, int]:
    """The kernel's numbers of all these moves by their text."""
    return {move.text: action for action, move in action_moves(rules, rule_table).items()}


def action_to_move(rules: RuleSet, rule_table: tuple[int, ...], action: int) -> Move:
    """The move that a number of the kernel means. Raises IllegalMove where it means none on this board."""
    number = whole(action)
    move = None if number is None else action_moves(rules, rule_table).get(number)
    if move is None:
        raise IllegalMove(f"{rules.name} has no action {shown(action)} on this board", "not-in-this-game")
    return move
