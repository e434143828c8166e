"""The moves that computer seats made in one of many games, in words: what ``players.repetition`` keeps for one player.

A move is counted by a hash of the seat, the places of all pirates and the action; a second count, without the action,
is that of the most frequent move there. An entry has 46 bits of its hash and the count in the 16 lowest bits.
"""

from typing import Final

from ...backends.portable.generator import GOLDEN, mix
from ...backends.portable.intrinsics import Word, number, word
from ...kernel.intrinsics import Words, rule
from ...kernel.layout import DROPPER, HAND, MAX_SEATS, PUSH, RETREAT, SAIL, SEAT, SEAT_WORDS, SLOOP, TURN, USED, WORDS
from ...kernel.legal import chooser

PATIENCE: Final = 3
"""How often a player makes the same move with all pirates in the same places before it tries another."""
AT_ONCE: Final = 4
"""How often a player may be asked about one view in a row before that counts as repetition."""
LATE: Final = 40
"""Own turns after which a game counts as long: from then on every move is made only once in the same places."""

# --- the words of a memory: three for each seat, the number of entries, the entries
TURNS: Final = 0
LAST: Final = MAX_SEATS  # a hash of the last view
AGAIN: Final = 2 * MAX_SEATS  # how often it came in a row
ENTRIES: Final = 3 * MAX_SEATS
FIRST: Final = ENTRIES + 1
SLOTS: Final = 1024
FULL: Final = 768
"""Entries after which all are forgotten: a seat alone makes about 380 moves before that."""
MEMORY: Final = FIRST + SLOTS
COUNT: Final = 0xFFFF
MASK = word(SLOTS - 1)
S18 = word(18)
ALL = word(0xFFFFFFFFFFFFFFFF)


@rule
def brings_on(action: int) -> bool:
    """True where a pirate moves forward, which ends a stand-off because pirates never retreat in the nest."""
    return action < RETREAT or PUSH <= action < SAIL


@rule
def standing_key(state: Words) -> Word:
    """A hash of the seat to choose, the places of all pirates and the sloop, and how far the turn has come."""
    key = mix((GOLDEN + word(chooser(state) + 1)) & ALL)
    key = mix((key + word(state[TURN] * 64 + state[SLOOP] * 8 + state[USED])) & ALL)
    for seat in range(MAX_SEATS):
        for plane in range(HAND):
            key = mix((key + word(state[SEAT + seat * SEAT_WORDS + plane])) & ALL)
    return key


@rule
def move_key(standing: Word, action: int) -> Word:
    """The hash of a move with the pirates in these places."""
    return mix((standing + word(action + 1)) & ALL)


@rule
def slot_of(memory: Words, key: Word) -> int:
    """The word of the entry with a key, or of the free slot for it."""
    slot = number(key & MASK)
    while memory[FIRST + slot] and memory[FIRST + slot] >> 16 != number(key >> S18):
        slot = (slot + 1) % SLOTS
    return FIRST + slot


@rule
def times(memory: Words, key: Word) -> int:
    """The count of an entry."""
    return memory[slot_of(memory, key)] & COUNT


@rule
def raise_to(memory: Words, key: Word, count: int) -> None:
    """Let the count of an entry be at least this."""
    slot = slot_of(memory, key)
    if memory[slot] == 0:
        memory[ENTRIES] += 1
    memory[slot] = (number(key >> S18) << 16) | max(memory[slot] & COUNT, min(count, COUNT))


@rule
def patience(memory: Words, seat: int) -> int:
    """How often the seat makes the same move in the same places."""
    return PATIENCE if memory[TURNS + seat] < LATE else 1


@rule
def is_barred(memory: Words, state: Words, key: Word) -> bool:
    """True for the key of a move that was made too often here, or of a standing where that holds for any move."""
    return times(memory, key) >= patience(memory, chooser(state))


@rule
def least_repeated(memory: Words, state: Words, standing: Word, ranked: Words, size: int) -> int:
    """The best of the ranked actions that was not made too often here, or the least frequent one if all were."""
    chosen = ranked[0]
    if not is_barred(memory, state, standing):
        return chosen
    limit = patience(memory, chooser(state))
    least = COUNT + 1
    for onward in range(2):
        for index in range(size):
            if brings_on(ranked[index]) == (onward == 0):
                excess = max(0, times(memory, move_key(standing, ranked[index])) - limit + 1)
                if excess < least:
                    least = excess
                    chosen = ranked[index]
    return chosen


@rule
def is_asked_again(memory: Words, state: Words) -> bool:
    """True for a repeated question, up to ``AT_ONCE`` times."""
    seat = chooser(state)
    hashed = GOLDEN
    for index in range(WORDS):  # compared with the hash before only, so a product a word is enough
        hashed = ((hashed ^ word(state[index])) * GOLDEN) & ALL
    key = number(mix(hashed) >> word(2))
    memory[AGAIN + seat] = memory[AGAIN + seat] + 1 if memory[LAST + seat] == key else 0
    memory[LAST + seat] = key
    return 0 < memory[AGAIN + seat] < AT_ONCE


@rule
def note(memory: Words, state: Words, standing: Word, action: int) -> None:
    """Remember that a move was made. Dropping a card moves no pirate and does not count."""
    if state[DROPPER] or is_asked_again(memory, state):
        return
    if state[USED] == 0:
        memory[TURNS + chooser(state)] += 1
    if memory[ENTRIES] >= FULL:
        for slot in range(ENTRIES, MEMORY):
            memory[slot] = 0
    key = move_key(standing, action)
    count = times(memory, key) + 1
    raise_to(memory, key, count)
    raise_to(memory, standing, count)
