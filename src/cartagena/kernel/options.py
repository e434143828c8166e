"""What a board shows of the choices: where a move leads, what it brings, which likely moves are not legal, and undo.

Everything here follows from ``moves`` and ``reasons``. A view of the chooser gives the same as the position.
"""

from typing import Final

from .cards import tally, total
from .intrinsics import RuleTable, Words, rule
from .layout import (
    ADVANCE,
    CARD_SLOTS,
    CARDS,
    DISCARD,
    DROPPER,
    END,
    FREEBOOTER,
    HIDDEN,
    HIDDEN_STOCK,
    MAX_PIRATES,
    MAX_SEATS,
    OVER,
    OWED,
    PUSH,
    RETREAT,
    SAIL,
    SEAT_SLOTS,
    SIGN,
    STOCK,
    T_GOAL,
    T_NEST,
    T_SEATS,
    T_SIGNS,
    TURN,
)
from .legal import chooser
from .moves import advance_target, hand_of, hand_size, push_target, retreat_target, sign_of
from .reasons import LEGAL, reason
from .track import above, below, places_of

NOWHERE: Final = -1
"""The destination of a move of no pirate."""
MAX_ATTEMPTS: Final = MAX_PIRATES * (CARDS + MAX_SEATS) + 2
"""Room that ``near_misses`` needs: every card and one retreat, or a push of each rival, for every pirate."""

# --- what follows for undo from a move
MAY_UNDO: Final = 0
NEW_TURN: Final = 1
OTHERS_CHOSE: Final = 2
CARDS_DEALT: Final = 3


@rule
def destination(rules: RuleTable, state: Words, action: int) -> int:
    """The place where the pirate of a legal action ends, or NOWHERE."""
    if action < RETREAT:
        return advance_target(rules, state, action // CARD_SLOTS, sign_of(action % CARD_SLOTS))
    if action < PUSH:
        return retreat_target(state, action - RETREAT)
    if action < SAIL:
        return push_target(rules, state, (action - PUSH) % SEAT_SLOTS)
    return NOWHERE


@rule
def leapt(rules: RuleTable, state: Words, action: int) -> int:
    """The mask of the fields that show the sign of the played card and are leapt over because they are taken."""
    if action >= RETREAT:
        return 0
    sign = state[SIGN + sign_of(action % CARD_SLOTS)]
    return sign & above(action // CARD_SLOTS) & below(destination(rules, state, action))


@rule
def brought(state: Words, action: int, after: Words) -> int:
    """How many cards an action brought to the mover, cards still to be dealt included; ``after`` is the state then."""
    if action < RETREAT or action >= SAIL:
        return 0
    undealt = total(after[STOCK]) + total(after[DISCARD]) + (after[HIDDEN] >> HIDDEN_STOCK)
    seat = state[TURN]
    return hand_size(after, seat) - hand_size(state, seat) + min(after[OWED], undealt)


@rule
def own_attempts(rules: RuleTable, state: Words, out: Words) -> int:
    """Write every held card on every pirate of the mover, in writing order, and in a tunnel every retreat."""
    mover = state[TURN]
    size = 0
    for place in range(rules[T_GOAL] + 1):
        if (places_of(state, mover) >> place) & 1 == 0:
            continue
        for number in range(2 * rules[T_SIGNS]):
            card = (number >> 1) + FREEBOOTER * (number & 1)
            if tally(hand_of(state, mover), card):
                out[size] = ADVANCE + place * CARD_SLOTS + card
                size += 1
        if rules[T_NEST] == 0:
            out[size] = RETREAT + place
            size += 1
    return size


@rule
def attempts(rules: RuleTable, state: Words, out: Words) -> int:
    """Write the moves that a person is likely to try, legal ones too, and return their number."""
    size = own_attempts(rules, state, out)
    if rules[T_NEST]:
        for seat in range(rules[T_SEATS]):
            for place in range(rules[T_GOAL] + 1):
                if seat != state[TURN] and (places_of(state, seat) >> place) & 1:
                    out[size] = PUSH + seat * SEAT_SLOTS + place
                    size += 1
        out[size] = SAIL
        size += 1
    out[size] = END
    return size + 1


@rule
def near_misses(rules: RuleTable, state: Words, actions: Words, reasons: Words) -> int:
    """Write the illegal moves that a person is likely to try, with the reason for each, and return their number.

    There are none where one reason forbids all moves (the game is over, a card is due).
    """
    if chooser(state) < 0 or state[DROPPER]:
        return 0
    size = 0
    for number in range(attempts(rules, state, actions)):
        why = reason(rules, state, actions[number])
        if why != LEGAL:
            actions[size] = actions[number]
            reasons[size] = why
            size += 1
    return size


@rule
def starts(rules: RuleTable, state: Words) -> int:
    """The mask of the places that ``attempts`` starts from, or none while cards must be dropped."""
    mover = state[TURN]
    if state[DROPPER]:
        return 0
    if rules[T_NEST] == 0:
        return places_of(state, mover)
    mask = 0
    for seat in range(rules[T_SEATS]):
        if seat != mover or hand_size(state, mover):
            mask |= places_of(state, seat)
    return mask


@rule
def elsewhere(rules: RuleTable, state: Words, reasons: Words) -> int:
    """Write for each place why no move starts there, or LEGAL for the places of legal moves and near misses.

    Returns the number of places, or 0 if no seat has to choose.
    """
    if chooser(state) < 0:
        return 0
    started, own = starts(rules, state), places_of(state, state[TURN])
    without = LEGAL  # the reason is the same at all places without a pirate of the mover
    for place in range(rules[T_GOAL] + 1):
        reasons[place] = LEGAL
        if (started >> place) & 1 == 0:
            if without == LEGAL or (own >> place) & 1:
                reasons[place] = reason(rules, state, ADVANCE + place * CARD_SLOTS)
            else:
                reasons[place] = without
            if (own >> place) & 1 == 0:
                without = reasons[place]
    return rules[T_GOAL] + 1


@rule
def undo_wall(before: Words, after: Words, action: int, dealt: int) -> int:
    """MAY_UNDO if a move can be taken back, else why neither it nor a move before it can.

    ``dealt`` is the number of cards that were dealt between the two states: a card cannot be unseen.
    """
    if action == END:
        return NEW_TURN
    if chooser(before) != before[TURN]:
        return OTHERS_CHOSE
    if dealt or after[OVER]:
        return CARDS_DEALT
    return MAY_UNDO
