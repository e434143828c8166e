"""Many positions of one game as text, byte by byte: what ``game.notation.format`` writes for a single one.

``texts`` holds the texts that the notation has for places and cards (``level_games.packed_texts``), each packed into a
word, its first byte lowest.
"""

from typing import Final

from cartagena.backends.arrays import ByteArray, IntArray
from cartagena.backends.cpu.compiler import entry, part, pointer

from ...backends.portable.intrinsics import block
from ...kernel.cards import tally
from ...kernel.intrinsics import RuleTable, Words, lowest, rule
from ...kernel.layout import (
    CAPTAIN,
    CARDS,
    DEADLOCK,
    DISCARD,
    DROPPER,
    HAND,
    HIDDEN,
    HIDDEN_BITS,
    HIDDEN_STOCK,
    MAX_PLACES,
    OVER,
    OWED,
    PASSES,
    ROW,
    ROW_BITS,
    ROW_DUE,
    ROW_LEN,
    SEAT,
    SEAT_WORDS,
    SLOOP,
    STOCK,
    T_SEATS,
    TURN,
    USED,
    WORDS,
)
from ...kernel.track import number_at, places_of

# --- the words of ``texts``
KINDS: Final = 0  # how many kinds of cards there are
ORDER: Final = 1  # + place: the number of the card that is written there
CARD: Final = ORDER + CARDS  # + card: its text
PLACE: Final = CARD + CARDS  # + place of the track: its text
TEXTS: Final = PLACE + MAX_PLACES

LONGEST: Final = 512
"""Bytes that a position needs at most besides its rule set and board."""

SPACE: Final = ord(" ")
SLASH: Final = ord("/")
COMMA: Final = ord(",")
DASH: Final = ord("-")
DOT: Final = ord(".")
QUESTION: Final = ord("?")
EQUALS: Final = ord("=")
ZERO: Final = ord("0")
FREE: Final = ord("c")
PASSED: Final = ord("p")
TO_ROW: Final = ord("r")
TO_HAND: Final = ord("+")
TO_DROP: Final = ord("!")


@rule
def put(out: Words, end: int, text: int) -> int:
    """Write a packed text and return where it ends."""
    while text:
        out[end] = text & 0xFF
        text >>= 8
        end += 1
    return end


@rule
def put_number(out: Words, end: int, number: int) -> int:
    """Write a number from 0 to 999 and return where it ends."""
    if number >= 100:
        out[end] = ZERO + number // 100
        end += 1
    if number >= 10:
        out[end] = ZERO + number // 10 % 10
        end += 1
    out[end] = ZERO + number % 10
    return end + 1


@rule
def put_mark(out: Words, end: int, mark: int, number: int) -> int:
    """Write what is due, if anything is: a mark and how much."""
    if number == 0:
        return end
    out[end] = mark
    return put_number(out, end + 1, number)


@rule
def put_cards(texts: RuleTable, cards: int, hidden: int, out: Words, end: int) -> int:
    """Write a card word, or the number of its cards where they are hidden."""
    if hidden:
        return put_mark(out, end, QUESTION, hidden)
    begin = end
    for place in range(texts[KINDS]):
        card = texts[ORDER + place]
        times = tally(cards, card)
        if times:
            end = put(out, end, texts[CARD + card])
            if times > 1:
                end = put_number(out, end, times)
    if end == begin:
        end = put(out, end, DASH)
    return end


@rule
def put_pirates(texts: RuleTable, state: Words, seat: int, out: Words, end: int) -> int:
    """Write the places of a seat's pirates, with a comma after each."""
    left = places_of(state, seat)
    while left:
        place = lowest(left)
        left &= left - 1
        for _ in range(number_at(state, seat, place)):
            end = put(out, end, texts[PLACE + place])
            out[end] = COMMA
            end += 1
    return end


@rule
def put_row(texts: RuleTable, state: Words, out: Words, end: int) -> int:
    """Write the open row, the next card first."""
    if state[ROW_LEN] == 0:
        return put(out, end, DASH)
    for number in range(state[ROW_LEN]):
        end = put(out, end, texts[CARD + ((state[ROW] >> (number * ROW_BITS)) & 7)])
    return end


@rule
def put_turn(state: Words, out: Words, end: int) -> int:
    """Write whose turn it is and what is due, or the result."""
    if state[OVER]:
        out[end] = EQUALS
        return put_number(out, end + 1, 0 if state[OVER] == DEADLOCK else state[OVER])
    end = put_number(out, end, state[TURN] + 1)
    out[end] = DOT
    end = put_number(out, end + 1, state[USED])
    if state[CAPTAIN]:
        end = put(out, end, FREE)
    end = put_mark(out, end, PASSED, state[PASSES])
    end = put_mark(out, end, TO_ROW, state[ROW_DUE])
    end = put_mark(out, end, TO_HAND, state[OWED])
    return put_mark(out, end, TO_DROP, state[DROPPER])


@block
def put_position(rules: RuleTable, texts: RuleTable, state: Words, out: Words, end: int) -> int:
    """Write the last seven words of a position or a view, and return where they end."""
    for seat in range(rules[T_SEATS]):
        end = put_pirates(texts, state, seat, out, end)
        out[end - 1] = SLASH
    out[end - 1] = SPACE
    for seat in range(rules[T_SEATS]):
        hand = state[SEAT + seat * SEAT_WORDS + HAND]
        end = put_cards(texts, hand, (state[HIDDEN] >> (seat * HIDDEN_BITS)) & 0xFF, out, end)
        out[end] = SLASH
        end += 1
    out[end - 1] = SPACE
    end = put(out, put_row(texts, state, out, end), SPACE)
    end = put(out, put_cards(texts, state[STOCK], state[HIDDEN] >> HIDDEN_STOCK, out, end), SPACE)
    end = put(out, put_cards(texts, state[DISCARD], 0, out, end), SPACE)
    end = put(out, end, ZERO + state[SLOOP] if state[SLOOP] else DASH)
    return put_turn(state, out, put(out, end, SPACE))


@entry
def write_all(
    rule_numbers: RuleTable, texts: IntArray, head: ByteArray, states: IntArray, ends: IntArray, out: ByteArray
) -> None:
    """Write as many positions as ``ends`` has numbers beyond its first, each after ``head``, and where each ends."""
    rules, known, begin = pointer(rule_numbers, 0), pointer(texts, 0), pointer(head, 0)
    words, text, end = pointer(states, 0), pointer(out, 0), 0
    for number in range(ends.size - 1):
        for index in range(head.size):
            text[end + index] = begin[index]
        end = put_position(rules, known, part(words, number * WORDS), text, end + head.size)
        ends[number + 1] = end
