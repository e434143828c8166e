"""Legal moves: counted, listed, picked by number. Complete, sorted, without duplicates, free of strategy."""

from .cards import card_at, held, nth_bit
from .chance import due, source
from .intrinsics import RuleTable, Words, lowest, popcount, rule
from .layout import (
    ADVANCE,
    CARD_SLOTS,
    DEADLOCK,
    DEAL,
    DROP,
    DROPPER,
    END,
    OVER,
    PUSH,
    RETREAT,
    SAIL,
    SEAT_SLOTS,
    T_NEST,
    T_SEATS,
    TURN,
)
from .moves import (
    bound_movers,
    crossing_is_free,
    free_movers,
    hand_of,
    may_act,
    may_end,
    may_sail,
    next_seat,
    playable,
    pushable,
    reaches_of,
    retreaters,
)

# --- whose move it is, and who has won


@rule
def chooser(state: Words) -> int:
    """The seat that must choose now: the mover or one that must drop a card. -1 for a deal or a finished game."""
    if state[OVER] or due(state):
        return -1
    if state[DROPPER]:
        return state[DROPPER] - 1
    return state[TURN]


@rule
def winner(state: Words) -> int:
    """The seat that has won. -1 while the game goes on and after a deadlock."""
    if 0 < state[OVER] < DEADLOCK:
        return state[OVER] - 1
    return -1


# --- counted


@rule
def count_bound(last: int, bound: int, cards: int) -> int:
    """How many advances the bound movers have, given all ``reaches``."""
    number = 0
    while bound:
        number += popcount(playable(last, lowest(bound), cards))
        bound &= bound - 1
    return number


@rule
def count_pushes(rules: RuleTable, state: Words, seat: int) -> int:
    """How many pirates of others the seat can push. Those of one colour on one place count once.

    From seat to seat around the table: a loop over a range would become code for eight seats at a time.
    """
    number = 0
    victim = next_seat(rules, seat)
    while victim != seat:
        number += popcount(pushable(rules, state, victim))
        victim = next_seat(rules, victim)
    return number


@rule
def count_tunnel(cards: int, free: int, back: int) -> int:
    """How many actions there are with these cards, free movers and retreaters."""
    return popcount(free) * popcount(cards) + popcount(back)


@rule
def count_nest(rules: RuleTable, state: Words, seat: int, cards: int, free: int, bound: int, last: int) -> int:
    """How many actions and crossings there are with these cards, free movers, bound movers and ``reaches``."""
    number = popcount(free) * popcount(cards) + count_bound(last, bound, cards)
    return number + count_pushes(rules, state, seat) + may_sail(rules, state, seat)


@rule
def count_actions(rules: RuleTable, state: Words) -> int:
    """How many actions the mover can take. A captain's free crossing is not an action."""
    if may_act(rules, state) == 0:
        return 0
    seat = state[TURN]
    cards = held(hand_of(state, seat))
    free = free_movers(rules, state, seat)
    if rules[T_NEST] == 0:
        return count_tunnel(cards, free, retreaters(rules, state, seat))
    bound = bound_movers(rules, state, seat)
    last = reaches_of(rules, state, bound)
    return count_nest(rules, state, seat, cards, free, bound, last) - crossing_is_free(state)


@rule
def forced_cards(rules: RuleTable, state: Words) -> int:
    """The ``held`` mask of cards that can be dealt or dropped, in a state that waits for a deal or a drop."""
    if due(state):
        return held(source(rules, state))
    return held(hand_of(state, state[DROPPER] - 1))


@rule
def count(rules: RuleTable, state: Words) -> int:
    """The number of legal moves."""
    if state[OVER]:
        return 0
    if due(state) or state[DROPPER]:
        return popcount(forced_cards(rules, state))
    actions = count_actions(rules, state)
    return actions + crossing_is_free(state) + may_end(rules, state, actions)


# --- picked by number


@rule
def nth_free(cards: int, free: int, size: int, number: int) -> int:
    """The advance with that number from places that can play all ``size`` different cards."""
    passed = 0  # number // size by subtraction: the quotient is small
    while number >= 4 * size:
        number -= 4 * size
        passed += 4
    if number >= 2 * size:
        number -= 2 * size
        passed += 2
    if number >= size:
        number -= size
        passed += 1
    return ADVANCE + nth_bit(free, passed) * CARD_SLOTS + card_at(nth_bit(cards, number))


@rule
def nth_bound(last: int, cards: int, bound: int, number: int) -> int:
    """The advance with that number of the bound movers, or, if they have fewer, -1 - the rest of the number."""
    while bound:
        place = lowest(bound)
        bound &= bound - 1
        cards_here = playable(last, place, cards)
        size = popcount(cards_here)
        if number < size:
            return ADVANCE + place * CARD_SLOTS + card_at(nth_bit(cards_here, number))
        number -= size
    return -1 - number


@rule
def nth_push(rules: RuleTable, state: Words, seat: int, number: int) -> int:
    """The push with that number, or, if there are fewer, -1 - the rest of the number."""
    for victim in range(rules[T_SEATS]):
        if victim != seat:
            places = pushable(rules, state, victim)
            size = popcount(places)
            if number < size:
                return PUSH + victim * SEAT_SLOTS + nth_bit(places, number)
            number -= size
    return -1 - number


@rule
def nth_tunnel(cards: int, free: int, back: int, number: int) -> int:
    """The action or end of turn with that number, given the cards, free movers and retreaters."""
    size = popcount(cards)
    advances = popcount(free) * size
    if number < advances:
        return nth_free(cards, free, size, number)
    number -= advances
    if number < popcount(back):
        return RETREAT + nth_bit(back, number)
    return END


@rule
def nth_nest(rules: RuleTable, state: Words, cards: int, free: int, bound: int, last: int, number: int) -> int:
    """The action, crossing or end of turn with that number, given cards, free movers, bound movers and ``reaches``."""
    seat = state[TURN]
    action = nth_bound(last, cards, bound, number)  # their places are lower than those of all free movers
    if action >= 0:
        return action
    number = -1 - action
    size = popcount(cards)
    advances = popcount(free) * size
    if number < advances:
        return nth_free(cards, free, size, number)
    action = nth_push(rules, state, seat, number - advances)
    if action >= 0:
        return action
    if action == -1 and may_sail(rules, state, seat):
        return SAIL
    return END


@rule
def nth(rules: RuleTable, state: Words, number: int) -> int:
    """The legal move with that number, 0 to ``count`` - 1, in the order of ``legal``."""
    if due(state):
        return DEAL + card_at(nth_bit(forced_cards(rules, state), number))
    if state[DROPPER]:
        return DROP + card_at(nth_bit(forced_cards(rules, state), number))
    if may_act(rules, state) == 0:
        return END
    seat = state[TURN]
    cards = held(hand_of(state, seat))
    free = free_movers(rules, state, seat)
    if rules[T_NEST] == 0:
        return nth_tunnel(cards, free, retreaters(rules, state, seat), number)
    bound = bound_movers(rules, state, seat)
    return nth_nest(rules, state, cards, free, bound, reaches_of(rules, state, bound), number)


@rule
def share(draw: int, limit: int) -> int:
    """Which of ``limit`` equal parts a draw from 0 to 2**32 - 1 falls into."""
    return (draw * limit) >> 32


@rule
def drawn(rules: RuleTable, state: Words, draw: int) -> int:
    """The legal move that a draw from 0 to 2**32 - 1 falls on, spread evenly over those ``count`` counts.

    The same as ``nth(share(draw, count))`` where a seat has a choice, but faster: shared values are computed once.
    """
    if state[DROPPER]:
        cards = forced_cards(rules, state)
        return DROP + card_at(nth_bit(cards, share(draw, popcount(cards))))
    if may_act(rules, state) == 0:
        return END
    seat = state[TURN]
    cards = held(hand_of(state, seat))
    free = free_movers(rules, state, seat)
    if rules[T_NEST] == 0:
        back = retreaters(rules, state, seat)
        actions = count_tunnel(cards, free, back)
        return nth_tunnel(cards, free, back, share(draw, actions + may_end(rules, state, actions)))
    bound = bound_movers(rules, state, seat)
    last = reaches_of(rules, state, bound)
    moves = count_nest(rules, state, seat, cards, free, bound, last)
    moves += may_end(rules, state, moves - crossing_is_free(state))
    return nth_nest(rules, state, cards, free, bound, last, share(draw, moves))


# --- listed


@rule
def list_cards(cards: int, first: int, out: Words, size: int) -> int:
    """Append the action ``first + card`` for each card of a ``held`` mask. Returns the new size."""
    while cards:
        out[size] = first + card_at(lowest(cards))
        cards &= cards - 1
        size += 1
    return size


@rule
def list_places(places: int, first: int, out: Words, size: int) -> int:
    """Append the action ``first + place`` for each place of a mask. Returns the new size."""
    while places:
        out[size] = first + lowest(places)
        places &= places - 1
        size += 1
    return size


@rule
def list_advances(rules: RuleTable, state: Words, seat: int, out: Words) -> int:
    """Write the advances, by place and then by card. Returns how many there are."""
    size = 0
    cards = held(hand_of(state, seat))
    bound = bound_movers(rules, state, seat)
    last = reaches_of(rules, state, bound)
    while bound:
        place = lowest(bound)
        bound &= bound - 1
        size = list_cards(playable(last, place, cards), ADVANCE + place * CARD_SLOTS, out, size)
    free = free_movers(rules, state, seat)
    while free:
        size = list_cards(cards, ADVANCE + lowest(free) * CARD_SLOTS, out, size)
        free &= free - 1
    return size


@rule
def list_actions(rules: RuleTable, state: Words, out: Words) -> int:
    """Write the actions and the captain's free crossing. Returns how many there are."""
    seat = state[TURN]
    size = list_advances(rules, state, seat, out)
    if rules[T_NEST] == 0:
        return list_places(retreaters(rules, state, seat), RETREAT, out, size)
    for victim in range(rules[T_SEATS]):
        if victim != seat:
            size = list_places(pushable(rules, state, victim), PUSH + victim * SEAT_SLOTS, out, size)
    if may_sail(rules, state, seat):
        out[size] = SAIL
        size += 1
    return size


@rule
def legal(rules: RuleTable, state: Words, out: Words) -> int:
    """Write all legal moves to ``out`` (``MAX_LEGAL`` words) in ascending order. Returns how many there are."""
    if state[OVER]:
        return 0
    if due(state):
        return list_cards(forced_cards(rules, state), DEAL, out, 0)
    if state[DROPPER]:
        return list_cards(forced_cards(rules, state), DROP, out, 0)
    size = 0
    if may_act(rules, state):
        size = list_actions(rules, state, out)
    if may_end(rules, state, size - crossing_is_free(state)):
        out[size] = END
        size += 1
    return size
