"""Cards and boards as text: multisets (``BD4H``), queues (``BDDH``), hidden sets (``?6``), pieces (``BPHSDK``)."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from cartagena.errors import ImpossiblePosition, NotationError
from cartagena.kernel import layout as at
from cartagena.kernel.cards import tally, unit
from cartagena.rulesets import RuleSet

GROUP: Final = re.compile(r"([A-Z]!?)([1-9][0-9]?)?")
HIDDEN: Final = re.compile(r"\?(0|[1-9][0-9]{0,2})")


@lru_cache(maxsize=1024)
def card_letters(rules: RuleSet) -> tuple[str, ...]:
    """The text of all cards in writing order: alphabetical, plain before freebooter."""
    if rules.freebooters:
        return tuple(letter + mark for letter in rules.letters for mark in ("", "!"))
    return tuple(rules.letters)


def card_text(rules: RuleSet, card: int) -> str:
    """The text of a card."""
    if card >= at.FREEBOOTER:
        return rules.letters[card - at.FREEBOOTER] + "!"
    return rules.letters[card]


def card_number(rules: RuleSet, text: str) -> int:
    """The card of a text, or -1 if the game has no such card."""
    sign = rules.letters.find(text[0]) if text else -1
    if sign < 0:
        return -1
    if len(text) == 1:
        return sign
    return sign + at.FREEBOOTER if rules.freebooters and text[1:] == "!" else -1


@lru_cache(maxsize=1024)
def card_units(rules: RuleSet) -> dict[str, tuple[int, int, int]]:
    """For each card's text its rank in writing order, the card word of one, and how many the deck has."""
    most = dict(zip(rules.letters, rules.counts, strict=True))
    return {
        text: (place, unit(card_number(rules, text)), min(1, most[text[0]]) if text[-1] == "!" else most[text])
        for place, text in enumerate(card_letters(rules))
    }


@lru_cache(maxsize=1024)
def card_numbers(rules: RuleSet) -> tuple[tuple[str, int], ...]:
    """The text and the number of all cards in writing order."""
    return tuple((text, card_number(rules, text)) for text in card_letters(rules))


def card_counts(rules: RuleSet, word: int) -> dict[str, int]:
    """The cards of a card word in writing order, and how many of each."""
    counts = {text: tally(word, number) for text, number in card_numbers(rules)}
    return {text: number for text, number in counts.items() if number}


@lru_cache(maxsize=16384)
def format_cards(rules: RuleSet, word: int) -> str:
    """Write a card word as a multiset."""
    return "".join([texts[tally(word, number)] for number, texts in counted_cards(rules)]) or "-"


@lru_cache(maxsize=1024)
def counted_cards(rules: RuleSet) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """For each card in writing order its number, and how none, one and more of it are written."""
    more = range(2, 0xFF + 1)
    return tuple((number, ("", text, *(f"{text}{times}" for times in more))) for text, number in card_numbers(rules))


@lru_cache(maxsize=16384)
def parse_cards(rules: RuleSet, text: str, where: str) -> int:
    """Read a multiset as a card word."""
    if text == "-":
        return 0
    known = card_units(rules)
    word, end, last = 0, 0, -1
    for card, digits in GROUP.findall(text):
        if card not in known or digits == "1" or not text.startswith(card + digits, end):
            break
        place, one, most = known[card]
        if place <= last:
            raise NotationError(f"{where}: cards are written in the order {' '.join(known)}, each once.", where)
        number = int(digits or 1)
        if number > most:
            raise ImpossiblePosition(f"{where}: there are not {number} cards {card} in the deck.", where)
        word += number * one
        end, last = end + len(card) + len(digits), place
    if end < len(text):
        raise NotationError(f"{where}: {text[end : end + 12]} is not a set of cards of {rules.game}.", where)
    if end == 0:
        raise NotationError(f"{where}: a set of cards is missing; an empty one is written -.", where)
    return word


def parse_hidden(text: str) -> int:
    """The size of a hidden set, or -1 if the text is not one."""
    match = HIDDEN.fullmatch(text) if text.startswith("?") else None
    return int(match[1]) if match else -1


def parse_queue(rules: RuleSet, text: str, where: str) -> list[int]:
    """Read a queue of cards, the next one first."""
    if text == "-":
        return []
    cards = [rules.letters.find(letter) for letter in text]
    if not cards or min(cards) < 0:
        raise NotationError(f"{where}: {text[:20]} is not a row of cards of {rules.game}.", where)
    if len(cards) > rules.row:
        raise ImpossiblePosition(f"{where}: {len(cards)} cards; the row has at most {rules.row}.", where)
    return cards


def format_queue(rules: RuleSet, cards: Sequence[int]) -> str:
    """Write a queue of cards."""
    letters = rules.letters
    return "".join([letters[card] for card in cards]) or "-"


@lru_cache(maxsize=4096)
def parse_board(rules: RuleSet, text: str) -> tuple[tuple[str, ...], ...]:
    """Read the pieces of each island."""
    islands = tuple(tuple(island.split("/")) for island in text.split("|"))
    for piece in (piece for island in islands for piece in island):
        if not piece or any(letter not in rules.letters for letter in piece):
            raise NotationError(
                f"board: {piece[:20] or 'an empty piece'} is not a board piece of {rules.game}.", "board"
            )
        if sorted(piece) != sorted(rules.letters):
            raise ImpossiblePosition(f"board: the piece {piece[:20]} must show each sign once.", "board")
    check_islands(rules, [len(island) for island in islands])
    return islands


def check_islands(rules: RuleSet, sizes: list[int]) -> None:
    """Check the sizes: the nest has two islands, of 2 and 3 pieces unless it is a variant, a tunnel 1 to 8 pieces."""
    if rules.nest and sizes != list(rules.islands):
        first, second = rules.islands
        raise ImpossiblePosition(f"board: the nest has an island of {first} pieces and one of {second}.", "board")
    if not rules.nest and (len(sizes) != 1 or sizes[0] > 8):
        raise ImpossiblePosition("board: the tunnel is one row of 1 to 8 pieces.", "board")
