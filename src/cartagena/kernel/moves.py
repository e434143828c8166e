"""What a seat can do: for each kind of move the mask of places it can be made from, and its target.

Only this module decides what may be done. Listing, counting, picking, testing and explaining moves (``legal``,
``legal_mask``, ``reasons``) all use it.
"""

from .cards import FEET, freebooters, total
from .intrinsics import RuleTable, Words, highest, lowest, rule
from .layout import (
    CAPTAIN,
    FREEBOOTER,
    HAND,
    HIDDEN,
    HIDDEN_BITS,
    MAX_SIGNS,
    SEAT,
    SEAT_WORDS,
    SIGN,
    SLOOP,
    T_ACTIONS,
    T_BOAT,
    T_CREW,
    T_FIRST,
    T_GOAL,
    T_NEST,
    T_PASS,
    T_RETREAT,
    T_SEATS,
    T_SECOND,
    USED,
)
from .track import above, behind, below, number_at, one_or_two, places_of, vacant


@rule
def hand_of(state: Words, seat: int) -> int:
    """The seat's hand as a card word."""
    return state[SEAT + seat * SEAT_WORDS + HAND]


@rule
def hand_size(state: Words, seat: int) -> int:
    """How many cards the seat holds, shown or hidden."""
    return total(hand_of(state, seat)) + ((state[HIDDEN] >> (seat * HIDDEN_BITS)) & 0xFF)


@rule
def sign_of(card: int) -> int:
    """The sign that a card shows. Freebooters show one, too."""
    if card < FREEBOOTER:
        return card
    return card - FREEBOOTER


# --- the sloop


@rule
def sloop_takes(table: RuleTable, state: Words, seat: int) -> int:
    """1 if a pirate of that seat can go aboard now.

    The tunnel's sloop takes any pirate. The nest's sloop must lie at the first island and holds three of each colour.
    """
    at = SEAT + seat * SEAT_WORDS
    three = (state[at] & state[at + 1]) >> table[T_BOAT]  # both planes set: SLOOP_ROOM pirates are aboard
    if table[T_NEST] == 0:
        return 1
    return state[SLOOP] & ~three & 1  # the sloop lies at 1 or 2, and only 1 is odd


@rule
def may_sail(table: RuleTable, state: Words, seat: int) -> int:
    """1 if the seat may move the sloop: out with a pirate of its own aboard, back with one on the first island."""
    if state[SLOOP] == 0:
        return 0
    places = places_of(state, seat)
    if state[SLOOP] == 1:
        return (places >> table[T_BOAT]) & 1
    if places & table[T_FIRST]:
        return 1
    return 0


@rule
def is_captain(table: RuleTable, state: Words, seat: int) -> int:
    """1 if the seat has enough pirates aboard and no seat has more. Seats that tie are all captains."""
    boat = table[T_BOAT]
    aboard = number_at(state, seat, boat)
    if aboard < table[T_CREW]:
        return 0
    for other in range(table[T_SEATS]):
        if number_at(state, other, boat) > aboard:
            return 0
    return 1


# --- forward with a card


@rule
def second_leg(table: RuleTable, state: Words) -> int:
    """The places on the second leg that a pirate can move from, with the sloop while it lies at the second island."""
    return table[T_SECOND] | (state[SLOOP] >> 1) << table[T_BOAT]  # the sloop lies at 1 or 2


@rule
def free_movers(table: RuleTable, state: Words, seat: int) -> int:
    """The seat's places from which every card can be played."""
    if table[T_NEST] == 0:
        return places_of(state, seat) & table[T_FIRST]
    first = table[T_FIRST] & -sloop_takes(table, state, seat)
    return places_of(state, seat) & (first | second_leg(table, state))


@rule
def bound_movers(table: RuleTable, state: Words, seat: int) -> int:
    """The seat's places from which a card can be played only where its sign has a vacant field ahead."""
    return places_of(state, seat) & table[T_FIRST] & (sloop_takes(table, state, seat) - 1)


@rule
def reaches(table: RuleTable, state: Words) -> int:
    """The last vacant field of every sign on the first leg, or 0, in lanes of eight bits."""
    fields = vacant(table, state) & table[T_FIRST]
    last = 0
    for sign in range(MAX_SIGNS):
        last |= highest((state[SIGN + sign] & fields) | 1) << (8 * sign)  # bit 0 is the start, which is no field
    return last


@rule
def playable(last: int, place: int, cards: int) -> int:
    """The cards of a ``held`` mask whose sign has a vacant field ahead of the place, given all ``reaches``.

    All lanes are compared at once: adding 127 - place to seven bits sets the eighth if they are above place.
    """
    signs = ((last + (127 - place) * FEET) >> 7) & FEET
    return cards & (signs | freebooters(signs))


@rule
def bound_cards(table: RuleTable, state: Words, place: int, cards: int) -> int:
    """The cards of a ``held`` mask that can be played on a bound mover at that place."""
    return playable(reaches(table, state), place, cards)


@rule
def advance_target(table: RuleTable, state: Words, place: int, sign: int) -> int:
    """Where a card of that sign takes a pirate: to the next vacant field of the sign, else to the end of this leg."""
    ahead = state[SIGN + sign] & vacant(table, state) & above(place)
    if (table[T_FIRST] >> place) & 1:
        return lowest((ahead & table[T_FIRST]) | (1 << table[T_BOAT]))
    return lowest(ahead | (1 << table[T_GOAL]))


# --- back for cards


@rule
def retreaters(table: RuleTable, state: Words, seat: int) -> int:
    """The seat's places from which a pirate can go back: a field behind has one or two pirates."""
    fields = one_or_two(state)
    return places_of(state, seat) & table[T_RETREAT] & -((fields & -fields) << 1)


@rule
def retreat_target(state: Words, place: int) -> int:
    """The nearest field behind with one or two pirates. A single pirate is never skipped for a pair."""
    return highest(one_or_two(state) & below(place))


# --- another seat's pirate forward for cards


@rule
def pushable(table: RuleTable, state: Words, victim: int) -> int:
    """The places from which other seats may push this seat's pirates."""
    places = places_of(state, victim)
    fields = one_or_two(state)
    first = behind(fields & table[T_FIRST]) | -sloop_takes(table, state, victim)
    second = behind(fields & table[T_SECOND])
    return places & (table[T_FIRST] & first | second_leg(table, state) & second)


@rule
def push_target(table: RuleTable, state: Words, place: int) -> int:
    """The next field ahead on this island with one or two pirates, else the sloop."""
    ahead = one_or_two(state) & above(place)
    if (table[T_FIRST] >> place) & 1:
        return lowest((ahead & table[T_FIRST]) | (1 << table[T_BOAT]))
    return lowest(ahead)


# --- the turn


@rule
def next_seat(table: RuleTable, seat: int) -> int:
    """The seat to the left, clockwise."""
    seat += 1
    if seat == table[T_SEATS]:
        return 0
    return seat


@rule
def may_act(table: RuleTable, state: Words) -> int:
    """1 while the turn has actions left."""
    if state[USED] < table[T_ACTIONS]:
        return 1
    return 0


@rule
def may_end(table: RuleTable, state: Words, actions: int) -> int:
    """1 if the turn may end, given how many actions are possible now.

    One action must be taken unless the edition lets a seat pass or no action is possible. A captain's free crossing is
    not an action: it neither fulfils nor causes this duty.
    """
    if state[USED] + table[T_PASS] > 0 or actions == 0:
        return 1
    return 0


@rule
def crossing_is_free(state: Words) -> int:
    """1 if ``sail`` is now the captain's free crossing and no action."""
    return state[CAPTAIN]
