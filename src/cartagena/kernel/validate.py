"""Building a position, and finding what makes one impossible."""

from typing import Final

from .cards import covers, tally, total, unit
from .chance import cards_left, due
from .intrinsics import RuleTable, Words, rule
from .layout import (
    CAPTAIN,
    DEADLOCK,
    DISCARD,
    DROPPER,
    HAND,
    HIDDEN,
    HIDDEN_BITS,
    HIDDEN_STOCK,
    HIGH,
    LOW,
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
    SLOOP_ROOM,
    STOCK,
    T_ACTIONS,
    T_BOAT,
    T_DECK,
    T_FIELDS,
    T_LIMIT,
    T_NEST,
    T_PIRATES,
    T_ROW,
    T_SEATS,
    TURN,
    USED,
    WORDS,
)
from .moves import hand_size, has_won, is_captain, may_sail, next_seat
from .track import number_at, put

POSSIBLE: Final = 0
FIELD_IS_FULL: Final = 1
TOO_MANY_ABOARD: Final = 2
TOO_MANY_CARDS: Final = 3  # of one kind
WRONG_NUMBER_OF_CARDS: Final = 4
ROW_TOO_LONG: Final = 5
NO_SUCH_TURN: Final = 6
TOO_MANY_ACTIONS: Final = 7
TOO_MANY_PASSES: Final = 8
NOT_THE_CAPTAIN: Final = 9
ROW_NOT_DUE: Final = 10
CARDS_NOT_OWED: Final = 11
NO_DROP_DUE: Final = 12
NOT_WON: Final = 13
WON_ALREADY: Final = 14


@rule
def clear(rules: RuleTable, state: Words) -> None:
    """Clear the state: no pirate, no card, the nest's sloop at the first island."""
    for word in range(WORDS):
        state[word] = 0
    state[SLOOP] = rules[T_NEST]


@rule
def stand(rules: RuleTable, state: Words, seat: int, place: int) -> int:
    """Set a pirate down if its place is not full. Returns POSSIBLE or the fault."""
    if (rules[T_FIELDS] & state[LOW] & state[HIGH]) >> place & 1:
        return FIELD_IS_FULL
    if rules[T_NEST] and place == rules[T_BOAT] and number_at(state, seat, place) == SLOOP_ROOM:
        return TOO_MANY_ABOARD
    put(rules, state, seat, place)
    return POSSIBLE


@rule
def lay_out(rules: RuleTable, state: Words) -> None:
    """Put all pirates at the start and the deck in the stock of a cleared state."""
    state[STOCK] = rules[T_DECK]
    for seat in range(rules[T_SEATS]):
        for _ in range(rules[T_PIRATES]):
            put(rules, state, seat, 0)


@rule
def deal_first(state: Words, target: int, card: int) -> None:
    """Deal a card before the first turn, from the stock to a seat's hand or, for the target -1, to the row's end."""
    state[STOCK] -= unit(card)
    if target < 0:
        state[ROW] |= card << (state[ROW_LEN] * ROW_BITS)
        state[ROW_LEN] += 1
    else:
        state[SEAT + target * SEAT_WORDS + HAND] += unit(card)


@rule
def gather(rules: RuleTable, state: Words) -> int:
    """Compute LOW and HIGH from the planes of all seats. Returns POSSIBLE or the fault."""
    low, high, full, aboard = 0, 0, 0, 0
    for at in range(SEAT, SEAT + rules[T_SEATS] * SEAT_WORDS, SEAT_WORDS):
        own_low = state[at] & rules[T_FIELDS]
        own_high = state[at + 1] & rules[T_FIELDS]
        carry = low & own_low
        full |= (high & own_high) | (carry & (high | own_high)) | (rules[T_FIELDS] & (state[at + 2] | state[at + 3]))
        low ^= own_low
        high ^= own_high ^ carry
        aboard |= (state[at + 2] | state[at + 3]) >> rules[T_BOAT]
    state[LOW] = low
    state[HIGH] = high
    if full:
        return FIELD_IS_FULL
    if rules[T_NEST] and aboard & 1:
        return TOO_MANY_ABOARD
    return POSSIBLE


@rule
def row_word(state: Words) -> int:
    """The cards of the open row as a card word. Twelve cards of one sign fit a lane."""
    word = 0
    for index in range(state[ROW_LEN]):
        word += unit((state[ROW] >> (index * ROW_BITS)) & 7)
    return word


@rule
def visible(state: Words, card: int) -> int:
    """How many such cards the state shows."""
    number = tally(state[STOCK], card) + tally(state[DISCARD], card)
    for at in range(SEAT + HAND, WORDS, SEAT_WORDS):
        number += tally(state[at], card)
    for index in range(state[ROW_LEN]):
        if (state[ROW] >> (index * ROW_BITS)) & 7 == card:
            number += 1
    return number


@rule
def card_fault(rules: RuleTable, state: Words) -> int:
    """Check that every card of the deck is in exactly one place."""
    number = (state[HIDDEN] >> HIDDEN_STOCK) & 0xFF
    for seat in range(rules[T_SEATS]):
        number += (state[HIDDEN] >> (seat * HIDDEN_BITS)) & 0xFF
    left = rules[T_DECK]
    for at in range(SEAT + HAND, WORDS, SEAT_WORDS):
        if covers(left, state[at]) == 0:
            return TOO_MANY_CARDS
        left -= state[at]
    row = row_word(state)
    if covers(left, row) == 0:
        return TOO_MANY_CARDS
    left -= row
    if covers(left, state[STOCK]) == 0:
        return TOO_MANY_CARDS
    left -= state[STOCK]
    if covers(left, state[DISCARD]) == 0:
        return TOO_MANY_CARDS
    if number != total(left - state[DISCARD]):
        return WRONG_NUMBER_OF_CARDS
    if state[ROW_LEN] > rules[T_ROW]:
        return ROW_TOO_LONG
    return POSSIBLE


@rule
def chance_fault(rules: RuleTable, state: Words) -> int:
    """Check the cards due: some are left to deal, and the mover waits only for the stock or a row being laid out."""
    if state[ROW_DUE] and (state[ROW_DUE] + state[ROW_LEN] != rules[T_ROW] or cards_left(state) == 0):
        return ROW_NOT_DUE
    if state[OWED] and (state[OWED] > 2 or cards_left(state) == 0 or (rules[T_ROW] and state[ROW_DUE] == 0)):
        return CARDS_NOT_OWED
    return POSSIBLE


@rule
def drop_fault(rules: RuleTable, state: Words) -> int:
    """Check that the dropper has too many cards and the seats before it do not."""
    if state[DROPPER] == 0:
        return POSSIBLE
    if rules[T_NEST] == 0 or state[DROPPER] > rules[T_SEATS] or due(state):
        return NO_DROP_DUE
    seat = state[TURN]
    while seat != state[DROPPER] - 1:
        if hand_size(state, seat) > rules[T_LIMIT]:
            return NO_DROP_DUE
        seat = next_seat(rules, seat)
    if hand_size(state, seat) <= rules[T_LIMIT]:
        return NO_DROP_DUE
    return POSSIBLE


@rule
def win_fault(rules: RuleTable, state: Words) -> int:
    """Check that exactly the winner has all its pirates home, or as many as the rule set asks for."""
    for seat in range(rules[T_SEATS]):
        if has_won(rules, state, seat) and state[OVER] != seat + 1:
            return WON_ALREADY
    if state[OVER] and state[OVER] != DEADLOCK:
        if state[OVER] > rules[T_SEATS] or has_won(rules, state, state[OVER] - 1) == 0:
            return NOT_WON
    return POSSIBLE


@rule
def turn_fault(rules: RuleTable, state: Words) -> int:
    """Check that the turn fits the rule table."""
    if state[TURN] >= rules[T_SEATS]:
        return NO_SUCH_TURN
    if state[USED] > rules[T_ACTIONS]:
        return TOO_MANY_ACTIONS
    if state[PASSES] >= rules[T_SEATS]:
        return TOO_MANY_PASSES
    if state[CAPTAIN]:
        seat = state[TURN]
        if state[USED] or is_captain(rules, state, seat) == 0 or may_sail(rules, state, seat) == 0:
            return NOT_THE_CAPTAIN
    return POSSIBLE


@rule
def fault(rules: RuleTable, state: Words) -> int:
    """POSSIBLE, or the first fault. The places of pirates are checked by ``stand`` and ``gather``."""
    number = card_fault(rules, state)
    if number == POSSIBLE:
        number = turn_fault(rules, state)
    if number == POSSIBLE:
        number = chance_fault(rules, state)
    if number == POSSIBLE:
        number = drop_fault(rules, state)
    if number == POSSIBLE:
        number = win_fault(rules, state)
    return number
