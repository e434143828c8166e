"""Reading the nine words of a position as the kernel's numbers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from cartagena.errors import ImpossiblePosition, NotationError, shown
from cartagena.kernel import layout as at
from cartagena.kernel import validate
from cartagena.kernel.cards import tally
from cartagena.kernel.track import put
from cartagena.rulesets import MAX_SEATS, MIN_SEATS, RuleSet, RuleSetError, by_name, compile_table
from cartagena.rulesets.compile import sign_masks

from ..plurals import counted
from ..seats import colour
from .actions import place_numbers
from .cards import card_letters, card_number, parse_board, parse_cards, parse_hidden, parse_queue

WORDS: Final = ("rule set", "board", "pirates", "hands", "row", "stock", "discard pile", "sloop", "turn")
PLACE: Final = re.compile(r"s|b|n|[1-9][0-9]{0,3}")
PLACES: Final = re.compile(rf"(?:{PLACE.pattern})(?:[,/](?:{PLACE.pattern}))*")
TURN: Final = re.compile(
    r"([0-9]{1,3})\.([0-9]{1,3})(c)?(?:p([1-9][0-9]?))?(?:r([1-9][0-9]?))?(?:\+([1-9][0-9]?))?(?:!([1-9][0-9]?))?"
)
OVER: Final = re.compile(r"=([0-9]{1,3})")
MAX_TEXT: Final = 2000


@dataclass(frozen=True)
class Parts:
    """A position as numbers: its rule set, the board as written, the kernel's table and state."""

    rules: RuleSet
    board: str
    table: tuple[int, ...]
    words: list[int]


def read_rules(word: str, given: RuleSet | None) -> RuleSet:
    """The rule set of that name, or the given one if it has the name."""
    if given is not None and not isinstance(given, RuleSet):
        raise NotationError(f"rules must be a rule set, not {shown(given)}", "rule set")
    try:
        named = by_name(word)
    except RuleSetError as error:
        raise NotationError(f"rule set: {error}".rstrip("."), "rule set") from None
    if given is not None and given.name != named.name:
        raise NotationError(f"rule set: the position is one of {named.name}, not of {given.name}", "rule set")
    return given or named


def read_places(word: str) -> list[tuple[str, ...]]:
    """Split the places of each seat and check the numbers of seats and pirates."""
    seats = [tuple(seat.split(",")) for seat in word.split("/")]
    if not PLACES.fullmatch(word):
        wrong = next(place for seat in seats for place in seat if not PLACE.fullmatch(place))
        raise NotationError(f"pirates: {wrong[:20] or 'an empty word'} is not a place", "pirates")
    if not MIN_SEATS <= len(seats) <= MAX_SEATS:
        raise ImpossiblePosition(f"pirates: {counted(len(seats), 'seat')}; there are 2 to 5", "pirates")
    if len({len(seat) for seat in seats}) > 1 or len(seats[0]) > at.MAX_PIRATES:
        raise ImpossiblePosition("pirates: each seat has the same number of pirates, 1 to 8", "pirates")
    return seats


def set_board(words: list[int], rules: RuleSet, islands: tuple[tuple[str, ...], ...]) -> None:
    """Set the mask of the fields of each sign."""
    words[at.SIGN : at.SIGN + len(rules.letters)] = sign_masks(rules.letters, islands)


@lru_cache(maxsize=16384)
def seat_planes(rule_table: tuple[int, ...], places: tuple[str, ...]) -> Sequence[int]:
    """The planes of a seat with pirates on these places."""
    known = place_numbers(rule_table)
    numbers = [known.get(place, -1) for place in places]
    if min(numbers) < 0:
        raise ImpossiblePosition(f"pirates: this board has no place {places[numbers.index(-1)]}", "pirates")
    if numbers != sorted(numbers):
        raise NotationError("pirates: a seat's places are written in track order", "pirates")
    words = [0] * at.WORDS
    for number in numbers:
        put(rule_table, words, 0, number)
    return words[at.SEAT : at.SEAT + at.HAND]


def set_pirates(words: list[int], rule_table: tuple[int, ...], seats: list[tuple[str, ...]]) -> None:
    """Set the pirates down on their places."""
    for seat, places in enumerate(seats):
        first = at.SEAT + seat * at.SEAT_WORDS
        words[first : first + at.HAND] = seat_planes(rule_table, places)
    if validate.gather(rule_table, words) != validate.POSSIBLE:
        raise explain_crowd(rule_table, seats)


def explain_crowd(rule_table: tuple[int, ...], seats: list[tuple[str, ...]]) -> ImpossiblePosition:
    """The error for the first pirate whose place is full."""
    words = [0] * at.WORDS
    pirates = ((seat, place) for seat, places in enumerate(seats) for place in places)
    for seat, place in pirates:
        fault = validate.stand(rule_table, words, seat, place_numbers(rule_table)[place])
        if fault == validate.FIELD_IS_FULL:
            return ImpossiblePosition(f"pirates: a fourth pirate on field {place}", "pirates")
        if fault == validate.TOO_MANY_ABOARD:
            break
    return ImpossiblePosition(f"pirates: a fourth {colour(seat)} pirate aboard the sloop", "pirates")


def read_set(rules: RuleSet, text: str, where: str) -> tuple[int, int]:
    """Read a set of cards as its card word and its hidden size. One of them is 0."""
    size = parse_hidden(text)
    if size > 255:
        raise ImpossiblePosition(f"{where}: {size} cards are more than there are", where)
    return (0, size) if size >= 0 else (parse_cards(rules, text, where), 0)


def set_hands(words: list[int], rules: RuleSet, text: str, seats: int) -> None:
    """Set the hands, hidden ones as sizes."""
    hands = text.split("/")
    if len(hands) != seats:
        raise ImpossiblePosition(f"hands: {counted(len(hands), 'hand')} for {seats} seats", "hands")
    for seat, hand in enumerate(hands):
        word, size = read_set(rules, hand, "hands")
        words[at.SEAT + seat * at.SEAT_WORDS + at.HAND] = word
        words[at.HIDDEN] |= size << (seat * at.HIDDEN_BITS)


def set_piles(words: list[int], rules: RuleSet, row: str, stock: str, discard: str) -> None:
    """Set the row, the stock and the discard pile."""
    if rules.row == 0 and row != "-":
        raise ImpossiblePosition(f"row: {rules.game} has no open row", "row")
    for number, card in enumerate(parse_queue(rules, row, "row")):
        words[at.ROW] |= card << (number * at.ROW_BITS)
        words[at.ROW_LEN] += 1
    words[at.STOCK], size = read_set(rules, stock, "stock")
    words[at.HIDDEN] |= size << at.HIDDEN_STOCK
    words[at.DISCARD] = parse_cards(rules, discard, "discard pile")


def set_sloop(words: list[int], rules: RuleSet, text: str) -> None:
    """Set the island the sloop lies at."""
    if text not in ("1", "2", "-"):
        raise NotationError(f"sloop: {text[:20]} is not 1, 2 or -", "sloop")
    if (text == "-") == rules.nest:
        raise ImpossiblePosition(f"sloop: it is {'1 or 2' if rules.nest else '-'} in {rules.game}", "sloop")
    words[at.SLOOP] = 0 if text == "-" else int(text)


def set_turn(words: list[int], seats: int, text: str) -> None:
    """Set whose turn it is and what is due, or the result."""
    over = OVER.fullmatch(text)
    if over:
        winner = int(over[1])
        if winner > seats:
            raise ImpossiblePosition(f"turn: there is no seat {winner}", "turn")
        words[at.OVER] = winner or at.DEADLOCK
        return
    match = TURN.fullmatch(text)
    if match is None:
        raise NotationError(f"turn: {text[:20]} is not a turn like 1.0 or =2", "turn")
    numbers = [int(group or 0) for group in match.group(1, 2, 4, 5, 6, 7)]
    for seat in (numbers[0], numbers[5] or 1):
        if not 1 <= seat <= seats:
            raise ImpossiblePosition(f"turn: there is no seat {seat}", "turn")
    words[at.TURN] = numbers[0] - 1
    words[at.CAPTAIN] = 1 if match[3] else 0
    for word, value in zip((at.USED, at.PASSES, at.ROW_DUE, at.OWED, at.DROPPER), numbers[1:], strict=True):
        words[word] = value


def card_excesses(parts: Parts) -> Iterator[tuple[str, str, int, int]]:
    """The cards with too many copies, word by word: the word, the card, the number, the number in the deck."""
    partial = [0] * at.WORDS
    hands = tuple(range(at.SEAT + at.HAND, at.WORDS, at.SEAT_WORDS))
    groups = {"hands": hands, "row": (at.ROW, at.ROW_LEN), "stock": (at.STOCK,), "discard pile": (at.DISCARD,)}
    for name, group in groups.items():
        for word in group:
            partial[word] = parts.words[word]
        for text in card_letters(parts.rules):
            card = card_number(parts.rules, text)
            number, most = validate.visible(partial, card), tally(parts.table[at.T_DECK], card)
            if number > most:
                yield name, text, number, most


def explain_fault(parts: Parts, fault: int) -> ImpossiblePosition:
    """The error for a fault that the kernel found. It names the word."""
    words, rules = parts.words, parts.rules
    deck = sum(rules.counts)
    if fault == validate.TOO_MANY_CARDS:
        name, card, number, most = next(card_excesses(parts))
        text = (
            f"{name}: {number} cards {card}, the deck has {most}; {all_cards(parts)} cards in all, the deck has {deck}"
        )
        return ImpossiblePosition(text, name)
    if fault == validate.WRONG_NUMBER_OF_CARDS:
        return ImpossiblePosition(f"stock: {all_cards(parts)} cards in all; the deck has {deck}", "stock")
    sentences = {
        validate.ROW_TOO_LONG: f"row: at most {rules.row} cards",
        validate.NO_SUCH_TURN: f"turn: there is no seat {words[at.TURN] + 1}",
        validate.TOO_MANY_ACTIONS: f"turn: {words[at.USED]} actions; a turn has at most {rules.actions}",
        validate.TOO_MANY_PASSES: f"turn: after {words[at.PASSES]} forced passes the game is over",
        validate.NOT_THE_CAPTAIN: "turn: c is set, but the seat is not a captain who may sail before the first action",
        validate.ROW_NOT_DUE: "turn: r does not fit the row: it is laid out when empty, to "
        f"{rules.row} cards, while cards are left",
        validate.CARDS_NOT_OWED: "turn: + does not fit: one or two cards, while cards are left"
        + (", and only while the row is laid out" if rules.row else ""),
        validate.NO_DROP_DUE: "turn: ! names a seat that need not drop a card now",
        validate.NOT_WON: f"turn: that seat has not {needed(parts)} home",
        validate.WON_ALREADY: f"turn: a seat has {needed(parts)} home, so it has won",
    }
    text = sentences[fault]
    return ImpossiblePosition(text, text.split(":")[0])


def needed(parts: Parts) -> str:
    """Which pirates must be home to win."""
    number = parts.table[at.T_HOME]
    return counted(number, "pirate") if number else "all its pirates"


def all_cards(parts: Parts) -> int:
    """How many cards there are in all, hidden ones included."""
    words = parts.words
    hidden = sum((words[at.HIDDEN] >> shift) & 0xFF for shift in range(0, 48, at.HIDDEN_BITS))
    return hidden + sum(validate.visible(words, card) for card in range(at.CARDS))


def read_position(text: str, given: RuleSet | None = None) -> Parts:
    """Read the nine words, of a variant with its rule set. Raises only NotationError or ImpossiblePosition."""
    if not isinstance(text, str) or len(text) > MAX_TEXT:
        raise NotationError(f"a position is a text of at most {MAX_TEXT} characters")
    split = text.strip().split(" ")
    if len(split) != len(WORDS):
        raise NotationError(f"a position has nine words with one space between them, this has {len(split)}")
    rules = read_rules(split[0], given)
    islands = parse_board(rules, split[1])
    seats = read_places(split[2])
    rule_table = compile_table(rules, len(seats), sum(len(island) for island in islands), len(seats[0]))
    words = [0] * at.WORDS
    set_board(words, rules, islands)
    set_pirates(words, rule_table, seats)
    set_hands(words, rules, split[3], len(seats))
    set_piles(words, rules, split[4], split[5], split[6])
    set_sloop(words, rules, split[7])
    set_turn(words, len(seats), split[8])
    parts = Parts(rules, split[1], rule_table, words)
    fault = validate.fault(rule_table, words)
    if fault != validate.POSSIBLE:
        raise explain_fault(parts, fault)
    return parts
