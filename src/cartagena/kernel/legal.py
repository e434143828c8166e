"""Legal moves: counted, listed, picked by number. Complete, sorted, without doubles, free of strategy."""

from .cards import card_at, held
from .chance import due, source
from .layout import (
    ADVANCE,
    CARD_SLOTS,
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
from .machine import Table, Words, lowest, popcount, rule
from .moves import (
    bound_cards,
    bound_movers,
    crossing_is_free,
    free_movers,
    hand_of,
    may_act,
    may_end,
    may_sail,
    pushable,
    reach,
    retreaters,
    sign_of,
)


@rule
def count_bound(table: Table, state: Words, bound: int, cards: int) -> int:
    """How many advances the bound movers have."""
    number = 0
    while cards:
        number += popcount(bound & reach(table, state, sign_of(card_at(lowest(cards)))))
        cards &= cards - 1
    return number


@rule
def count_pushes(table: Table, state: Words, seat: int) -> int:
    """How many foreign pirates the seat can push, those of one colour on one place counted once."""
    number = 0
    for victim in range(table[T_SEATS]):
        if victim != seat:
            number += popcount(pushable(table, state, victim))
    return number


@rule
def count_actions(table: Table, state: Words) -> int:
    """How many moves that are actions the seat to move has; a captain's free crossing is none."""
    if may_act(table, state) == 0:
        return 0
    seat = state[TURN]
    cards = held(hand_of(state, seat))
    number = popcount(free_movers(table, state, seat)) * popcount(cards)
    if table[T_NEST] == 0:
        return number + popcount(retreaters(table, state, seat))
    bound = bound_movers(table, state, seat)
    if bound:
        number += count_bound(table, state, bound, cards)
    number += count_pushes(table, state, seat)
    if crossing_is_free(state) == 0:
        number += may_sail(table, state, seat)
    return number


@rule
def forced_cards(table: Table, state: Words) -> int:
    """The ``held`` mask of cards that can be dealt or dropped, in a state that waits for one of these."""
    if due(state):
        return held(source(table, state))
    return held(hand_of(state, state[DROPPER] - 1))


@rule
def count(table: Table, state: Words) -> int:
    """The number of legal moves."""
    if state[OVER]:
        return 0
    if due(state) or state[DROPPER]:
        return popcount(forced_cards(table, state))
    actions = count_actions(table, state)
    return actions + crossing_is_free(state) + may_end(table, state, actions)


@rule
def nth_bit(mask: int, number: int) -> int:
    """The index of the set bit with that number, the lowest being number 0."""
    while number > 0:
        mask &= mask - 1
        number -= 1
    return lowest(mask)


@rule
def nth_push(table: Table, state: Words, seat: int, number: int) -> int:
    """The push with that number, or, where there are fewer, -1 - what is left of the number."""
    for victim in range(table[T_SEATS]):
        if victim != seat:
            places = pushable(table, state, victim)
            size = popcount(places)
            if number < size:
                return PUSH + victim * SEAT_SLOTS + nth_bit(places, number)
            number -= size
    return -1 - number


@rule
def nth_advance(table: Table, state: Words, seat: int, number: int) -> int:
    """The advance with that number, or, where there are fewer, -1 - what is left of the number."""
    cards = held(hand_of(state, seat))
    bound = bound_movers(table, state, seat)
    while bound:
        place = lowest(bound)
        bound &= bound - 1
        playable = bound_cards(table, state, place, cards)
        size = popcount(playable)
        if number < size:
            return ADVANCE + place * CARD_SLOTS + card_at(nth_bit(playable, number))
        number -= size
    free = free_movers(table, state, seat)
    size = popcount(cards)
    if number < popcount(free) * size:
        while number >= size:
            number -= size
            free &= free - 1
        return ADVANCE + lowest(free) * CARD_SLOTS + card_at(nth_bit(cards, number))
    return -1 - (number - popcount(free) * size)


@rule
def nth_action(table: Table, state: Words, number: int) -> int:
    """The action, crossing or end of turn with that number."""
    seat = state[TURN]
    if may_act(table, state) == 0:
        return END
    found = nth_advance(table, state, seat, number)
    if found >= 0:
        return found
    number = -1 - found
    if table[T_NEST] == 0:
        places = retreaters(table, state, seat)
        size = popcount(places)
        if number < size:
            return RETREAT + nth_bit(places, number)
        return END
    found = nth_push(table, state, seat, number)
    if found >= 0:
        return found
    if found == -1 and may_sail(table, state, seat):
        return SAIL
    return END


@rule
def nth(table: Table, state: Words, number: int) -> int:
    """The legal move with that number, 0 to ``count`` - 1, in the order of ``legal``."""
    if due(state):
        return DEAL + card_at(nth_bit(forced_cards(table, state), number))
    if state[DROPPER]:
        return DROP + card_at(nth_bit(forced_cards(table, state), number))
    return nth_action(table, state, number)


@rule
def list_cards(cards: int, first: int, out: Words, size: int) -> int:
    """Append the actions ``first + card`` for each card of a ``held`` mask."""
    while cards:
        out[size] = first + card_at(lowest(cards))
        cards &= cards - 1
        size += 1
    return size


@rule
def list_places(places: int, first: int, out: Words, size: int) -> int:
    """Append the actions ``first + place`` for each place of a mask."""
    while places:
        out[size] = first + lowest(places)
        places &= places - 1
        size += 1
    return size


@rule
def list_advances(table: Table, state: Words, seat: int, out: Words) -> int:
    """Write the advances, by place and then by card."""
    size = 0
    cards = held(hand_of(state, seat))
    bound = bound_movers(table, state, seat)
    while bound:
        place = lowest(bound)
        bound &= bound - 1
        size = list_cards(bound_cards(table, state, place, cards), ADVANCE + place * CARD_SLOTS, out, size)
    free = free_movers(table, state, seat)
    while free:
        size = list_cards(cards, ADVANCE + lowest(free) * CARD_SLOTS, out, size)
        free &= free - 1
    return size


@rule
def list_actions(table: Table, state: Words, out: Words) -> int:
    """Write the moves that are actions, and the captain's free crossing; how many there are."""
    seat = state[TURN]
    size = list_advances(table, state, seat, out)
    if table[T_NEST] == 0:
        return list_places(retreaters(table, state, seat), RETREAT, out, size)
    for victim in range(table[T_SEATS]):
        if victim != seat:
            size = list_places(pushable(table, state, victim), PUSH + victim * SEAT_SLOTS, out, size)
    if may_sail(table, state, seat):
        out[size] = SAIL
        size += 1
    return size


@rule
def legal(table: Table, state: Words, out: Words) -> int:
    """Write all legal moves into ``out`` (room for ``MAX_LEGAL``) in ascending order; how many there are."""
    if state[OVER]:
        return 0
    if due(state):
        return list_cards(forced_cards(table, state), DEAL, out, 0)
    if state[DROPPER]:
        return list_cards(forced_cards(table, state), DROP, out, 0)
    size = 0
    if may_act(table, state):
        size = list_actions(table, state, out)
    if may_end(table, state, size - crossing_is_free(state)):
        out[size] = END
        size += 1
    return size
