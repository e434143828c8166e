"""Playouts: fast play to the end of a game by a simple policy.

A turn uses all its actions. With cards, it plays a random one on the pirate that it takes furthest; without, it takes
the cheapest way to fetch some, pairs before singles. In the nest the sloop sails as soon as that helps the seat to
move. Where more than two play, the card is the best of a few, and pushes favour a rival who is behind: such playouts
predict the winner better (``bench/playouts_tell.py``).
"""

from typing import TYPE_CHECKING

from cartagena.backends.cpu import (
    GOLDEN,
    Word,
    below,
    block,
    compiled,
    copy,
    deal_card,
    deal_hidden,
    draw_card,
    entry,
    kernel,
    mix,
    pointer,
    rule,
    word,
)
from cartagena.backends.cpu.intrinsics import lowest
from cartagena.kernel import layout
from cartagena.kernel.intrinsics import RuleTable, Words

from .constants import IDLE, LEAD, LOOKS

if TYPE_CHECKING:
    from .greedy import fields_gone as _fields_gone
else:
    _fields_gone = compiled.load("players.compiled.greedy").fields_gone

cards, legal, moves, step, track = kernel.cards, kernel.legal, kernel.moves, kernel.step, kernel.track


@rule
def longest(rules: RuleTable, state: Words, places: int, sign: int) -> int:
    """The place from which a card of that sign takes a pirate furthest."""
    best = -1
    start = 0
    while places:
        place = lowest(places)
        places &= places - 1
        length = moves.advance_target(rules, state, place, sign) - place
        if length > best:
            best = length
            start = place
    return start


@rule
def forward(rules: RuleTable, state: Words, seat: int, card: int) -> int:
    """The best advance with that card, or -1."""
    movers = moves.free_movers(rules, state, seat)
    if rules[layout.T_NEST]:
        bound = moves.bound_movers(rules, state, seat)
        while bound:
            place = lowest(bound)
            bound &= bound - 1
            if moves.bound_cards(rules, state, place, cards.unit(card)):
                movers |= 1 << place
    if movers == 0:
        return -1
    return longest(rules, state, movers, moves.sign_of(card)) * layout.CARD_SLOTS + card


@rule
def length_of(rules: RuleTable, state: Words, action: int) -> int:
    """Fields that an advance goes."""
    place = action // layout.CARD_SLOTS
    return moves.advance_target(rules, state, place, moves.sign_of(action % layout.CARD_SLOTS)) - place


@rule
def furthest(rules: RuleTable, state: Words, seat: int, hand: int, x: Word) -> int:
    """The furthest advance with one of a few random cards of the hand, or -1."""
    best = -1
    top = -1
    for _ in range(LOOKS):
        x += GOLDEN
        action = forward(rules, state, seat, draw_card(hand, mix(x)))
        length = length_of(rules, state, action) if action >= 0 else -1
        if length > top:
            top = length
            best = action
    return best


@rule
def cheapest_retreat(rules: RuleTable, state: Words, seat: int) -> int:
    """The retreat that brings most cards for the fewest fields, or -1."""
    places = moves.retreaters(rules, state, seat)
    best = -1000
    action = -1
    while places:
        place = lowest(places)
        places &= places - 1
        target = moves.retreat_target(state, place)
        worth = 8 * step.haul(rules, state, target) - (place - target)
        if worth > best:
            best = worth
            action = layout.RETREAT + place
    return action


@rule
def cheapest_push(rules: RuleTable, state: Words, seat: int) -> int:
    """The push that brings most cards for the fewest fields, to the rival furthest behind, or -1."""
    best = -100_000
    action = -1
    for victim in range(rules[layout.T_SEATS]):
        if victim != seat:
            places = moves.pushable(rules, state, victim)
            lead = LEAD * _fields_gone(state, victim)
            while places:
                place = lowest(places)
                places &= places - 1
                target = moves.push_target(rules, state, place)
                worth = 16 * (8 * step.haul(rules, state, target) - (target - place)) - lead
                if worth > best:
                    best = worth
                    action = layout.PUSH + victim * layout.SEAT_SLOTS + place
    return action


@rule
def wants_to_sail(rules: RuleTable, state: Words, seat: int) -> bool:
    """True to sail out with two aboard or none left ashore, and back with none aboard."""
    aboard = track.number_at(state, seat, rules[layout.T_BOAT])
    if state[layout.SLOOP] == 1:
        return aboard >= 2 or (aboard > 0 and track.places_of(state, seat) & rules[layout.T_FIRST] == 0)
    return aboard == 0 and track.places_of(state, seat) & rules[layout.T_FIRST] != 0


@rule
def choose(rules: RuleTable, state: Words, x: Word) -> int:
    """The policy's move for the seat to choose."""
    if state[layout.DROPPER]:
        hand = moves.hand_of(state, state[layout.DROPPER] - 1)
        return layout.DROP + draw_card(hand, x)
    if state[layout.USED] >= rules[layout.T_ACTIONS]:
        return layout.END
    seat = state[layout.TURN]
    if rules[layout.T_NEST] and moves.may_sail(rules, state, seat) and wants_to_sail(rules, state, seat):
        return layout.SAIL
    hand = moves.hand_of(state, seat)
    size = cards.total(hand)
    action = -1
    if size > 0 and (size > 1 or state[layout.USED] > 0 or below(mix(x), 2) == 0):
        if rules[layout.T_SEATS] > 2:
            action = furthest(rules, state, seat, hand, x)
        else:
            action = forward(rules, state, seat, draw_card(hand, x))
    if action < 0:
        action = cheapest_push(rules, state, seat) if rules[layout.T_NEST] else cheapest_retreat(rules, state, seat)
    if action < 0 and state[layout.USED] == 0:
        number = legal.count_actions(rules, state)
        if number:
            action = legal.nth(rules, state, below(x, number))
    if action < 0:
        return layout.END
    return action


@block
def playout(rules: RuleTable, state: Words, x: Word, most: int) -> int:
    """Play until the game is over or stuck, or for ``most`` moves. Returns the moves made.

    In the nest, with no cards anywhere and no pirate to push, the sloop may sail back and forth without end.
    """
    made = 0
    idle = 0
    while state[layout.OVER] == 0 and made < most and idle < IDLE:
        x += GOLDEN
        if state[layout.OWED] + state[layout.ROW_DUE]:
            deal_card(rules, state, mix(x))
        else:
            action = choose(rules, state, mix(x))
            idle = idle + 1 if action in (layout.SAIL, layout.END) else 0
            step.step(rules, state, action)
            made += 1
    return made


@entry
def playouts(rules: RuleTable, start: Words, work: Words, seed: int, games: int, most: int, wins: Words) -> int:
    """Play many games from a position or view, and count them in ``wins`` by OVER. Returns all moves made."""
    numbers = pointer(rules, 0)
    state = pointer(work, 0)
    opening = pointer(start, 0)
    made = 0
    for game in range(games):
        key = mix(word(seed) * GOLDEN + word(game))
        copy(opening, state)
        deal_hidden(numbers, state, key)
        made += playout(numbers, state, key, most)
        wins[state[layout.OVER]] += 1
    return made
