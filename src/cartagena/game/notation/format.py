"""Writing the kernel's numbers as the nine words of a position."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from cartagena.kernel import layout as at
from cartagena.kernel.intrinsics import lowest
from cartagena.kernel.track import number_at, places_of
from cartagena.rulesets import RuleSet

from .actions import place_words
from .cards import format_cards, format_queue

TURN_MARKS: Final = (("p", at.PASSES), ("r", at.ROW_DUE), ("+", at.OWED), ("!", at.DROPPER))
"""The letters of what is due in a turn, in writing order, and the words they stand for."""


def row_of(words: list[int]) -> list[int]:
    """The cards of the open row, the next one first."""
    return [(words[at.ROW] >> (number * at.ROW_BITS)) & 7 for number in range(words[at.ROW_LEN])]


def places(words: list[int], seat: int) -> list[int]:
    """The place of each pirate of a seat, in track order."""
    left = places_of(words, seat)
    places = []
    while left:
        place = lowest(left)
        left &= left - 1
        places += [place] * number_at(words, seat, place)
    return places


@lru_cache(maxsize=16384)
def write_seat(rule_table: tuple[int, ...], planes: tuple[int, ...]) -> str:
    """Write the places of a seat's pirates."""
    words = [0] * at.SEAT + list(planes)
    names = place_words(rule_table)
    return ",".join([names[place] for place in places(words, 0)])


def write_pirates(rule_table: tuple[int, ...], words: list[int]) -> str:
    every = range(at.SEAT, at.SEAT + rule_table[at.T_SEATS] * at.SEAT_WORDS, at.SEAT_WORDS)
    return "/".join([write_seat(rule_table, tuple(words[first : first + at.HAND])) for first in every])


def write_set(rules: RuleSet, word: int, hidden: int) -> str:
    """Write a multiset, or its size where it is hidden."""
    return f"?{hidden}" if hidden else format_cards(rules, word)


def hidden_cards(words: Sequence[int], seat: int) -> int:
    """How many cards of a seat, counted from 0, are hidden."""
    return (words[at.HIDDEN] >> (seat * at.HIDDEN_BITS)) & 0xFF


def write_hands(rules: RuleSet, rule_table: tuple[int, ...], words: list[int]) -> str:
    seats = rule_table[at.T_SEATS]
    hands = words[at.SEAT + at.HAND : at.SEAT + seats * at.SEAT_WORDS : at.SEAT_WORDS]
    if words[at.HIDDEN] == 0:
        return "/".join([format_cards(rules, hand) for hand in hands])
    return "/".join([write_set(rules, hand, hidden_cards(words, seat)) for seat, hand in enumerate(hands)])


def write_turn(words: list[int]) -> str:
    """Write whose turn it is and what is due, or the result."""
    if words[at.OVER]:
        return "=0" if words[at.OVER] == at.DEADLOCK else f"={words[at.OVER]}"
    text = f"{words[at.TURN] + 1}.{words[at.USED]}"
    if words[at.CAPTAIN]:
        text += "c"
    return text + "".join([f"{mark}{words[word]}" for mark, word in TURN_MARKS if words[word]])


def write_position(rules: RuleSet, board: str, rule_table: tuple[int, ...], words: list[int]) -> str:
    """Write the nine words of a position."""
    return " ".join(
        (
            rules.name,
            board,
            write_pirates(rule_table, words),
            write_hands(rules, rule_table, words),
            format_queue(rules, row_of(words)),
            write_set(rules, words[at.STOCK], words[at.HIDDEN] >> at.HIDDEN_STOCK),
            format_cards(rules, words[at.DISCARD]),
            str(words[at.SLOOP] or "-"),
            write_turn(words),
        )
    )
