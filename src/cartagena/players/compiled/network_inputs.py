"""The inputs of the network: whole numbers that say where a seat's pirates stand and what its cards can do with them.

Each input is the number of a row of weights. A sign has no number of its own: for every sign the inputs say how many
of its cards are held and how far one would go, so that all signs share their weights. About 70 of 1,780 inputs are
active at a time. The kernel says where a card would take a pirate and who can fetch cards; nothing of it is worked out
again here.
"""

from typing import Any, Final

from cartagena.backends.cpu import block, entry, kernel, part, pointer, rule
from cartagena.backends.cpu.compiler import stack_words
from cartagena.backends.cpu.intrinsics import highest, lowest, popcount
from cartagena.kernel.cards import FEET
from cartagena.kernel.intrinsics import RuleTable, Words
from cartagena.kernel.layout import (
    CAPTAIN,
    DROPPER,
    MAX_SEATS,
    OWED,
    PASSES,
    ROW,
    ROW_BITS,
    ROW_LEN,
    SLOOP,
    T_BOAT,
    T_GOAL,
    T_NEST,
    T_SEATS,
    T_SIGNS,
    TURN,
    USED,
    WORDS,
)

from .jumps import cards_of, jump, movers_of

INPUT_SET: Final = 1
"""The number of this list of inputs, which files of networks name. A change of order or meaning needs a new one."""
LENGTHS: Final = 12
"""Classes of lengths of jumps: 0, 1, 2, 3, 4-5, 6-7, 8-11 and so on."""
STRETCH: Final = 4
"""Places of a stretch, where the exact place matters less."""
STRETCHES: Final = 13
SLOTS: Final = 6
"""Cards of the open row that are looked at."""

# --- the inputs of a seat, each with its first number
PLACES: Final = 0  # + place * 3 + pirates - 1, at most 3
AT_START: Final = PLACES + 150  # + pirates
AT_GOAL: Final = AT_START + 9  # + pirates
HELD_BEST: Final = AT_GOAL + 9  # per sign: + cards held (at most 3) * LENGTHS + the longest jump
HELD_LAST: Final = HELD_BEST + 4 * LENGTHS  # per sign: the same with the jump of the last pirate
PIRATES: Final = HELD_LAST + 4 * LENGTHS  # per pirate: + stretch * LENGTHS + the longest jump by a card held
FETCHES: Final = PIRATES + STRETCHES * LENGTHS  # per way to fetch: + (cards - 1) * LENGTHS + length
CARDS: Final = FETCHES + 2 * LENGTHS  # + cards, at most 15
VARIETY: Final = CARDS + 16  # + signs held
SHOWN: Final = VARIETY + 8  # per card of the row: + (slot * 3 + cards held) * LENGTHS + the longest jump
LAST_TWO: Final = SHOWN + SLOTS * 3 * LENGTHS  # + stretch of the last * STRETCHES + stretch of the next
ABOARD: Final = LAST_TWO + STRETCHES * STRETCHES  # + pirates
IS_CAPTAIN: Final = ABOARD + 4
SLOOP_TAKES: Final = IS_CAPTAIN + 2
WAITS: Final = SLOOP_TAKES + 2  # more than two seats: + seats until its turn
BLOCK: Final = WAITS + MAX_SEATS

# --- the inputs of the table as a whole
ACTIONS_USED: Final = 0
CARDS_OWED: Final = 8
ROW_LENGTH: Final = 11
SLOOP_AT: Final = 24
FREE_CROSSING: Final = 27
DROPS: Final = 29
PASSED: Final = 35
SEATS: Final = 40
GLOBALS: Final = 48

OWN: Final = 0
RIVAL: Final = BLOCK
WHOLE: Final = 2 * BLOCK
INPUTS: Final = WHOLE + GLOBALS
MOST: Final = 96
"""Room for the active inputs of a seat, and for those of the table."""

SIGNS_ROOM: Final = 8

_places_of = kernel.track.places_of
_number_at = kernel.track.number_at
_bound_movers = kernel.moves.bound_movers
_sloop_takes = kernel.moves.sloop_takes
_hand_of = kernel.moves.hand_of
_hand_size = kernel.moves.hand_size
_held = kernel.cards.held
_retreaters = kernel.moves.retreaters
_retreat_target = kernel.moves.retreat_target
_pushable = kernel.moves.pushable
_push_target = kernel.moves.push_target
_haul = kernel.step.haul
_is_captain = kernel.moves.is_captain


@rule
def class_of(length: int) -> int:
    """The class of a length below 64."""
    if length < 2:
        return length
    power = highest(length)
    return 2 * power + ((length >> (power - 1)) & 1)


@rule
def stands(rules: RuleTable, state: Words, seat: int, rows: Words) -> int:
    """The places of the pirates. Returns the number of inputs, as all functions below do."""
    goal = rules[T_GOAL]
    size = 2
    rows[0] = AT_START + _number_at(state, seat, 0)
    rows[1] = AT_GOAL + _number_at(state, seat, goal)
    places = _places_of(state, seat) & ~1 & ~(1 << goal)
    while places:
        place = lowest(places)
        places &= places - 1
        rows[size] = PLACES + place * 3 + min(_number_at(state, seat, place), 3) - 1
        size += 1
    return size


@rule
def jumps(rules: RuleTable, state: Words, seat: int, rows: Words, best: Words) -> int:
    """What cards can do: for every pirate and for every sign. Writes the longest jump of each sign to ``best``."""
    signs = rules[T_SIGNS]
    hand = _hand_of(state, seat)
    movers = movers_of(rules, state, seat)
    bound = _bound_movers(rules, state, seat)
    last = lowest(movers | (1 << rules[T_GOAL]))
    for sign in range(signs):
        best[sign] = 0
    size = 0
    rest = movers
    while rest:
        place = lowest(rest)
        rest &= rest - 1
        top = 0
        for sign in range(signs):
            length = jump(rules, state, place, sign, bound)
            best[sign] = max(best[sign], length)
            if cards_of(hand, sign):
                top = max(top, length)
        rows[size] = PIRATES + place // STRETCH * LENGTHS + class_of(top)
        size += 1
    for sign in range(signs):
        number = min(cards_of(hand, sign), 3)
        length = jump(rules, state, last, sign, bound) if movers else 0
        rows[size] = HELD_BEST + number * LENGTHS + class_of(best[sign])
        rows[size + 1] = HELD_LAST + number * LENGTHS + class_of(length)
        size += 2
    if movers:
        behind = last if _number_at(state, seat, last) > 1 else lowest((movers & (movers - 1)) | (1 << rules[T_GOAL]))
        rows[size] = LAST_TWO + last // STRETCH * STRETCHES + behind // STRETCH
        size += 1
    return size


@rule
def fetch(rules: RuleTable, state: Words, target: int, length: int) -> int:
    """The input of one way to fetch cards."""
    return FETCHES + (_haul(rules, state, target) - 1) * LENGTHS + class_of(length)


@rule
def fetches(rules: RuleTable, state: Words, seat: int, rows: Words) -> int:
    """Ways to fetch cards: back to other pirates, or in the nest by pushing a rival."""
    size = 0
    if rules[T_NEST] == 0:
        places = _retreaters(rules, state, seat)
        while places:
            place = lowest(places)
            places &= places - 1
            target = _retreat_target(state, place)
            rows[size] = fetch(rules, state, target, place - target)
            size += 1
        return size
    for victim in range(rules[T_SEATS]):
        if victim != seat:
            places = _pushable(rules, state, victim)
            while places:
                place = lowest(places)
                places &= places - 1
                target = _push_target(rules, state, place)
                rows[size] = fetch(rules, state, target, target - place)
                size += 1
    return size


@rule
def cards(rules: RuleTable, state: Words, seat: int, rows: Words, best: Words) -> int:
    """The hand, and what the cards of the open row would do."""
    hand = _hand_of(state, seat)
    number = _hand_size(state, seat)
    if state[TURN] == seat:
        number += state[OWED]
    rows[0] = CARDS + min(number, 15)
    rows[1] = VARIETY + popcount(_held(hand) & FEET)
    shown = state[ROW]
    slots = min(state[ROW_LEN], SLOTS)
    for slot in range(slots):
        sign = shown & 7
        shown >>= ROW_BITS
        rows[2 + slot] = SHOWN + (slot * 3 + min(cards_of(hand, sign), 2)) * LENGTHS + class_of(best[sign])
    size = 2 + slots
    if rules[T_NEST]:
        rows[size] = ABOARD + _number_at(state, seat, rules[T_BOAT])
        rows[size + 1] = IS_CAPTAIN + _is_captain(rules, state, seat)
        rows[size + 2] = SLOOP_TAKES + _sloop_takes(rules, state, seat)
        size += 3
    return size


@rule
def seats_after(rules: RuleTable, state: Words, seat: int) -> int:
    """Seats until the seat's turn: 0 for the mover."""
    wait = seat - state[TURN]
    return wait if wait >= 0 else wait + rules[T_SEATS]


@block
def seat_inputs(rules: RuleTable, state: Words, seat: int, rows: Words) -> int:
    """Write the active inputs of a seat. Returns their number."""
    best = stack_words(SIGNS_ROOM)
    size = stands(rules, state, seat, rows)
    size += jumps(rules, state, seat, part(rows, size), best)
    size += fetches(rules, state, seat, part(rows, size))
    size += cards(rules, state, seat, part(rows, size), best)
    if rules[T_SEATS] > 2:
        rows[size] = WAITS + seats_after(rules, state, seat)
        size += 1
    return size


@rule
def table_inputs(rules: RuleTable, state: Words, rows: Words) -> int:
    """Write the active inputs of the table as a whole. Returns their number."""
    rows[0] = WHOLE + ACTIONS_USED + min(state[USED], 7)
    rows[1] = WHOLE + CARDS_OWED + state[OWED]
    rows[2] = WHOLE + ROW_LENGTH + state[ROW_LEN]
    rows[3] = WHOLE + SLOOP_AT + state[SLOOP]
    rows[4] = WHOLE + FREE_CROSSING + state[CAPTAIN]
    rows[5] = WHOLE + DROPS
    if state[DROPPER]:
        rows[5] += 1 + seats_after(rules, state, state[DROPPER] - 1)
    rows[6] = WHOLE + PASSED + min(state[PASSES], 4)
    rows[7] = WHOLE + SEATS + rules[T_SEATS]
    return 8


@entry
def active_inputs(rules: Any, states: Any, number: int, rows: Any) -> None:
    """Write the inputs of many states for training: of each seat from the mover on, then of the table, the rest -1.

    ``rows`` has ``MOST`` numbers for every seat and for the table, for each state.
    """
    table = pointer(rules, 0)
    seats = rules[T_SEATS]
    for each in range(number):
        state = pointer(states, each * WORDS)
        for away in range(seats + 1):
            place = pointer(rows, (each * (seats + 1) + away) * MOST)
            seat = state[TURN] + away
            if seat >= seats:
                seat -= seats
            size = table_inputs(table, state, place) if away == seats else seat_inputs(table, state, seat, place)
            for rest in range(size, MOST):
                place[rest] = -1
