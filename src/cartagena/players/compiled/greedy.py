"""The sailor's score of an action by itself, written like a rule: plain for the player, compiled for environments."""

from ...kernel.cards import held, tally
from ...kernel.intrinsics import RuleTable, Words, lowest, popcount, rule
from ...kernel.layout import (
    CARD_SLOTS,
    DROP,
    DROPPER,
    END,
    OVER,
    OWED,
    RETREAT,
    SAIL,
    SLOOP,
    T_BOAT,
    T_GOAL,
    TURN,
    WORDS,
)
from ...kernel.moves import hand_of, hand_size
from ...kernel.step import step
from ...kernel.track import number_at, places_of


@rule
def worth(rules: RuleTable, state: Words, action: int, after: Words) -> float:
    """The score of a legal action: fields won, cards drawn and cards spent. ``after`` has space for a state."""
    if action == END:
        return 0.0
    if action == SAIL:
        return sail_worth(rules, state, state[TURN])
    if action >= DROP:
        return 1.0 * tally(hand_of(state, state[DROPPER] - 1), action - DROP)
    seat = state[TURN]
    for word in range(WORDS):
        after[word] = state[word]
    step(rules, after, action)
    if after[OVER]:
        return 1000.0
    gained = 1.0 * (progress(rules, after, seat) - progress(rules, state, seat))
    if action < RETREAT:
        behind = action // CARD_SLOTS / 20
        single = 1.5 if tally(hand_of(state, seat), action % CARD_SLOTS) == 1 else 0.0
        return gained - behind - single
    drawn = hand_size(after, seat) + after[OWED] - hand_size(state, seat)
    return gained + card_worth(state, seat) * drawn


@rule
def progress(rules: RuleTable, state: Words, seat: int) -> int:
    """Fields that the seat's pirates have gone. A pirate at the goal counts three more."""
    fields = 3 * number_at(state, seat, rules[T_GOAL])
    places = places_of(state, seat)
    while places:
        place = lowest(places)
        fields += number_at(state, seat, place) * place
        places &= places - 1
    return fields


@rule
def card_worth(state: Words, seat: int) -> float:
    """The worth of one more card, which falls with the size of the hand."""
    variety = popcount(held(hand_of(state, seat)))
    return 8.0 / (1 + hand_size(state, seat)) + (1.0 if variety < 3 else 0.0)


@rule
def sail_worth(rules: RuleTable, state: Words, seat: int) -> float:
    """The worth of sailing: out at any time, back only with no own pirate aboard."""
    aboard = number_at(state, seat, rules[T_BOAT])
    if state[SLOOP] == 1:
        return 6.0
    return 5.0 if aboard == 0 else 0.5
