"""The sailor's score of an action by itself, written like a rule: plain for the player, compiled for environments."""

from ...kernel import layout
from ...kernel.cards import held, tally
from ...kernel.intrinsics import RuleTable, Words, lowest, popcount, rule
from ...kernel.moves import hand_of, hand_size
from ...kernel.step import step
from ...kernel.track import number_at, places_of


@rule
def worth(rules: RuleTable, state: Words, action: int, after: Words) -> float:
    """The score of a legal action: fields won, cards drawn and cards spent. ``after`` has space for a state."""
    if action == layout.END:
        return 0.0
    if action == layout.SAIL:
        return sail_worth(rules, state, state[layout.TURN])
    if action >= layout.DROP:
        return 1.0 * tally(hand_of(state, state[layout.DROPPER] - 1), action - layout.DROP)
    seat = state[layout.TURN]
    for word in range(layout.WORDS):
        after[word] = state[word]
    step(rules, after, action)
    if after[layout.OVER]:
        return 1000.0
    gained = 1.0 * (progress(rules, after, seat) - progress(rules, state, seat))
    if action < layout.RETREAT:
        behind = action // layout.CARD_SLOTS / 20
        single = 1.5 if tally(hand_of(state, seat), action % layout.CARD_SLOTS) == 1 else 0.0
        return gained - behind - single
    drawn = hand_size(after, seat) + after[layout.OWED] - hand_size(state, seat)
    return gained + card_worth(state, seat) * drawn


@rule
def progress(rules: RuleTable, state: Words, seat: int) -> int:
    """Fields that the seat's pirates have gone. A pirate at the goal counts three more."""
    return fields_gone(state, seat) + 3 * number_at(state, seat, rules[layout.T_GOAL])


@rule
def fields_gone(state: Words, seat: int) -> int:
    """Fields that the seat's pirates have gone."""
    fields = 0
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
    aboard = number_at(state, seat, rules[layout.T_BOAT])
    if state[layout.SLOOP] == 1:
        return 6.0
    return 5.0 if aboard == 0 else 0.5
