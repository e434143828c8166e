"""Playouts: fast play to the end of a game by a simple policy.

A turn uses all its actions. With cards, it plays a random one on the pirate that it takes furthest; without, it takes
the cheapest way to fetch some, pairs before singles. In the nest the sloop sails as soon as that helps the seat to
move. Where more than two play, the card is the best of a few, and pushes favour a rival who is behind: such playouts
predict the winner better (``bench/playouts_tell.py``).
"""

from cartagena.backends.cpu import (
    GOLDEN,
    Word,
    below,
    block,
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
from cartagena.kernel.intrinsics import RuleTable, Words
from cartagena.kernel.layout import (
    CARD_SLOTS,
    DROP,
    DROPPER,
    END,
    OVER,
    OWED,
    PUSH,
    RETREAT,
    ROW_DUE,
    SAIL,
    SEAT_SLOTS,
    SLOOP,
    T_ACTIONS,
    T_BOAT,
    T_FIRST,
    T_NEST,
    T_SEATS,
    TURN,
    USED,
)

from .constants import IDLE, LEAD, LOOKS

_step = kernel.step.step
_haul = kernel.step.haul
_hand_of = kernel.moves.hand_of
_total = kernel.cards.total
_unit = kernel.cards.unit
_free_movers = kernel.moves.free_movers
_bound_movers = kernel.moves.bound_movers
_bound_cards = kernel.moves.bound_cards
_advance_target = kernel.moves.advance_target
_sign_of = kernel.moves.sign_of
_retreaters = kernel.moves.retreaters
_retreat_target = kernel.moves.retreat_target
_pushable = kernel.moves.pushable
_push_target = kernel.moves.push_target
_may_sail = kernel.moves.may_sail
_number_at = kernel.track.number_at
_places_of = kernel.track.places_of
_count_actions = kernel.legal.count_actions
_nth = kernel.legal.nth


@rule
def longest(rules: RuleTable, state: Words, places: int, sign: int) -> int:
    """The place from which a card of that sign takes a pirate furthest."""
    best = -1
    found = 0
    while places:
        place = lowest(places)
        places &= places - 1
        length = _advance_target(rules, state, place, sign) - place
        if length > best:
            best = length
            found = place
    return found


@rule
def forward(rules: RuleTable, state: Words, seat: int, card: int) -> int:
    """The best advance with that card, or -1."""
    movers = _free_movers(rules, state, seat)
    if rules[T_NEST]:
        bound = _bound_movers(rules, state, seat)
        while bound:
            place = lowest(bound)
            bound &= bound - 1
            if _bound_cards(rules, state, place, _unit(card)):
                movers |= 1 << place
    if movers == 0:
        return -1
    return longest(rules, state, movers, _sign_of(card)) * CARD_SLOTS + card


@rule
def length_of(rules: RuleTable, state: Words, action: int) -> int:
    """Fields that an advance goes."""
    place = action // CARD_SLOTS
    return _advance_target(rules, state, place, _sign_of(action % CARD_SLOTS)) - place


@rule
def furthest(rules: RuleTable, state: Words, seat: int, hand: int, x: Word) -> int:
    """The furthest advance with one of a few random cards of the hand, or -1."""
    found = -1
    top = -1
    for _ in range(LOOKS):
        x += GOLDEN
        action = forward(rules, state, seat, draw_card(hand, mix(x)))
        length = length_of(rules, state, action) if action >= 0 else -1
        if length > top:
            top = length
            found = action
    return found


@rule
def progress(state: Words, seat: int) -> int:
    """Fields that a seat's pirates have gone."""
    fields = 0
    places = _places_of(state, seat)
    while places:
        place = lowest(places)
        places &= places - 1
        fields += _number_at(state, seat, place) * place
    return fields


@rule
def cheapest_retreat(rules: RuleTable, state: Words, seat: int) -> int:
    """The retreat that brings most cards for the fewest fields, or -1."""
    places = _retreaters(rules, state, seat)
    best = -1000
    found = -1
    while places:
        place = lowest(places)
        places &= places - 1
        target = _retreat_target(state, place)
        worth = 8 * _haul(rules, state, target) - (place - target)
        if worth > best:
            best = worth
            found = RETREAT + place
    return found


@rule
def cheapest_push(rules: RuleTable, state: Words, seat: int) -> int:
    """The push that brings most cards for the fewest fields, to the rival furthest behind, or -1."""
    best = -100_000
    found = -1
    for victim in range(rules[T_SEATS]):
        if victim != seat:
            places = _pushable(rules, state, victim)
            lead = LEAD * progress(state, victim)
            while places:
                place = lowest(places)
                places &= places - 1
                target = _push_target(rules, state, place)
                worth = 16 * (8 * _haul(rules, state, target) - (target - place)) - lead
                if worth > best:
                    best = worth
                    found = PUSH + victim * SEAT_SLOTS + place
    return found


@rule
def wants_to_sail(rules: RuleTable, state: Words, seat: int) -> bool:
    """True to sail out with two aboard or none left ashore, and back with none aboard."""
    aboard = _number_at(state, seat, rules[T_BOAT])
    if state[SLOOP] == 1:
        return aboard >= 2 or (aboard > 0 and _places_of(state, seat) & rules[T_FIRST] == 0)
    return aboard == 0 and _places_of(state, seat) & rules[T_FIRST] != 0


@rule
def choose(rules: RuleTable, state: Words, x: Word) -> int:
    """The policy's move for the seat to choose."""
    if state[DROPPER]:
        hand = _hand_of(state, state[DROPPER] - 1)
        return DROP + draw_card(hand, x)
    if state[USED] >= rules[T_ACTIONS]:
        return END
    seat = state[TURN]
    if rules[T_NEST] and _may_sail(rules, state, seat) and wants_to_sail(rules, state, seat):
        return SAIL
    hand = _hand_of(state, seat)
    size = _total(hand)
    found = -1
    if size > 0 and (size > 1 or state[USED] > 0 or below(mix(x), 2) == 0):
        if rules[T_SEATS] > 2:
            found = furthest(rules, state, seat, hand, x)
        else:
            found = forward(rules, state, seat, draw_card(hand, x))
    if found < 0:
        found = cheapest_push(rules, state, seat) if rules[T_NEST] else cheapest_retreat(rules, state, seat)
    if found < 0 and state[USED] == 0:
        number = _count_actions(rules, state)
        if number:
            found = _nth(rules, state, below(x, number))
    if found < 0:
        return END
    return found


@block
def playout(rules: RuleTable, state: Words, x: Word, most: int) -> int:
    """Play until the game is over or stuck, or for ``most`` moves. Returns the moves made.

    In the nest, with no cards anywhere and no pirate to push, the sloop may sail back and forth without end.
    """
    made = 0
    idle = 0
    while state[OVER] == 0 and made < most and idle < IDLE:
        x += GOLDEN
        if state[OWED] + state[ROW_DUE]:
            deal_card(rules, state, mix(x))
        else:
            action = choose(rules, state, mix(x))
            idle = idle + 1 if action in (SAIL, END) else 0
            _step(rules, state, action)
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
        wins[state[OVER]] += 1
    return made
