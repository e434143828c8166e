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
    T_HOME,
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
def has_cards(state: Words, seat: int) -> int:
    """Nonzero if the seat holds a card, shown or hidden."""
    return hand_of(state, seat) | ((state[HIDDEN] >> (seat * HIDDEN_BITS)) & 0xFF)


@rule
def sign_of(card: int) -> int:
    """The sign that a card shows. Freebooters show one, too."""
    if card < FREEBOOTER:
        return card
    return card - FREEBOOTER


@rule
def has_won(rules: RuleTable, state: Words, seat: int) -> int:
    """1 if all pirates of the seat are home, or as many as the rule set asks for."""
    if rules[T_HOME]:
        return 1 if number_at(state, seat, rules[T_GOAL]) >= rules[T_HOME] else 0
    return 1 if places_of(state, seat) == 1 << rules[T_GOAL] else 0


# --- the sloop


@rule
def has_berth(rules: RuleTable, state: Words, seat: int) -> int:
    """1 if the nest's sloop can take another pirate of that seat. It holds three of each, on either side."""
    at = SEAT + seat * SEAT_WORDS
    return ~((state[at] & state[at + 1]) >> rules[T_BOAT]) & 1  # both planes set: SLOOP_ROOM pirates are aboard


@rule
def sloop_takes(rules: RuleTable, state: Words, seat: int) -> int:
    """1 if a pirate of that seat can go aboard now.

    The tunnel's sloop takes any pirate. The nest's sloop must lie at the first island and have a berth.
    """
    if rules[T_NEST] == 0:
        return 1
    return state[SLOOP] & has_berth(rules, state, seat)  # the sloop lies at 1 or 2, and only 1 is odd


@rule
def may_sail(rules: RuleTable, state: Words, seat: int) -> int:
    """1 if the seat may move the sloop: out with a pirate of its own aboard, back with one on the first island."""
    if state[SLOOP] == 0:
        return 0
    places = places_of(state, seat)
    if state[SLOOP] == 1:
        return (places >> rules[T_BOAT]) & 1
    if places & rules[T_FIRST]:
        return 1
    return 0


@rule
def is_captain(rules: RuleTable, state: Words, seat: int) -> int:
    """1 if the seat has enough pirates aboard and no seat has more. Seats that tie are all captains."""
    boat = rules[T_BOAT]
    aboard = number_at(state, seat, boat)
    if aboard < rules[T_CREW]:
        return 0
    for other in range(rules[T_SEATS]):
        if number_at(state, other, boat) > aboard:
            return 0
    return 1


# --- forward with a card


@rule
def second_leg(rules: RuleTable, state: Words) -> int:
    """The places on the second leg that a pirate can move from, with the sloop while it lies at the second island."""
    return rules[T_SECOND] | (state[SLOOP] >> 1) << rules[T_BOAT]  # the sloop lies at 1 or 2


@rule
def free_movers(rules: RuleTable, state: Words, seat: int) -> int:
    """The seat's places from which every card can be played."""
    if rules[T_NEST] == 0:
        return places_of(state, seat) & rules[T_FIRST]
    first = rules[T_FIRST] & -sloop_takes(rules, state, seat)
    return places_of(state, seat) & (first | second_leg(rules, state))


@rule
def bound_movers(rules: RuleTable, state: Words, seat: int) -> int:
    """The seat's places from which a card can be played only where its sign has a vacant field ahead."""
    return places_of(state, seat) & rules[T_FIRST] & (sloop_takes(rules, state, seat) - 1)


@rule
def reaches(rules: RuleTable, state: Words) -> int:
    """The last vacant field of every sign on the first leg, or 0, in lanes of eight bits."""
    fields = vacant(rules, state) & rules[T_FIRST]
    last = 0
    for sign in range(MAX_SIGNS):
        last |= highest((state[SIGN + sign] & fields) | 1) << (8 * sign)  # bit 0 is the start, which is no field
    return last


@rule
def reaches_of(rules: RuleTable, state: Words, bound: int) -> int:
    """All ``reaches`` if there are bound movers, else 0: only these need them, and they are the longest to find."""
    return reaches(rules, state) if bound else 0


@rule
def playable(last: int, place: int, cards: int) -> int:
    """The cards of a ``held`` mask whose sign has a vacant field ahead of the place, given all ``reaches``.

    All lanes are compared at once: adding 127 - place to seven bits sets the eighth if they are above place.
    """
    signs = ((last + (127 - place) * FEET) >> 7) & FEET
    return cards & (signs | freebooters(signs))


@rule
def bound_cards(rules: RuleTable, state: Words, place: int, cards: int) -> int:
    """The cards of a ``held`` mask that can be played on a bound mover at that place."""
    return playable(reaches(rules, state), place, cards)


@rule
def advance_target(rules: RuleTable, state: Words, place: int, sign: int) -> int:
    """Where a card of that sign takes a pirate: to the next vacant field of the sign, else to the end of this leg."""
    ahead = state[SIGN + sign] & vacant(rules, state) & above(place)
    if (rules[T_FIRST] >> place) & 1:
        return lowest((ahead & rules[T_FIRST]) | (1 << rules[T_BOAT]))
    return lowest(ahead | (1 << rules[T_GOAL]))


# --- back for cards


@rule
def retreaters(rules: RuleTable, state: Words, seat: int) -> int:
    """The seat's places from which a pirate can go back: a field behind has one or two pirates."""
    fields = one_or_two(state)
    return places_of(state, seat) & rules[T_RETREAT] & -((fields & -fields) << 1)


@rule
def retreat_target(state: Words, place: int) -> int:
    """The nearest field behind with one or two pirates. A single pirate is never skipped for a pair."""
    return highest(one_or_two(state) & below(place))


# --- another seat's pirate forward for cards


@rule
def pushable_with(rules: RuleTable, state: Words, victim: int, takes: int, leg: int) -> int:
    """The places from which this seat's pirates can be pushed.

    ``takes`` is 1 if the sloop takes such a pirate, ``leg`` the places that a pirate can move from on the second leg.
    """
    fields = one_or_two(state)
    first = behind(fields & rules[T_FIRST]) | -takes
    second = behind(fields & rules[T_SECOND])
    return places_of(state, victim) & (rules[T_FIRST] & first | leg & second)


@rule
def pushable(rules: RuleTable, state: Words, victim: int) -> int:
    """The places from which other seats may push this seat's pirates now."""
    return pushable_with(rules, state, victim, sloop_takes(rules, state, victim), second_leg(rules, state))


@rule
def ever_pushable(rules: RuleTable, state: Words, victim: int) -> int:
    """The places from which other seats could push this seat's pirates with the sloop at one shore or the other."""
    both_legs = rules[T_SECOND] | 1 << rules[T_BOAT]
    return pushable_with(rules, state, victim, has_berth(rules, state, victim), both_legs)


@rule
def is_becalmed(rules: RuleTable, state: Words) -> int:
    """1 if in the nest nothing but sailing is left for ever: no seat has a card, and no pirate could be pushed.

    Only cards and pushes move pirates, and only pushes bring cards, so nothing but the sloop's place changes any more.
    """
    if rules[T_NEST] == 0:
        return 0
    for seat in range(rules[T_SEATS]):  # hands first: they are seldom all empty
        if has_cards(state, seat):
            return 0
    for seat in range(rules[T_SEATS]):
        if ever_pushable(rules, state, seat):
            return 0
    return 1


@rule
def push_target(rules: RuleTable, state: Words, place: int) -> int:
    """The next field ahead on this island with one or two pirates, else the sloop."""
    ahead = one_or_two(state) & above(place)
    if (rules[T_FIRST] >> place) & 1:
        return lowest((ahead & rules[T_FIRST]) | (1 << rules[T_BOAT]))
    return lowest(ahead)


# --- the turn


@rule
def next_seat(rules: RuleTable, seat: int) -> int:
    """The seat to the left, clockwise."""
    seat += 1
    if seat == rules[T_SEATS]:
        return 0
    return seat


@rule
def may_act(rules: RuleTable, state: Words) -> int:
    """1 while the turn has actions left."""
    if state[USED] < rules[T_ACTIONS]:
        return 1
    return 0


@rule
def may_end(rules: RuleTable, state: Words, actions: int) -> int:
    """1 if the turn may end, given how many actions are possible now.

    One action must be taken unless the edition lets a seat pass or no action is possible. A captain's free crossing is
    not an action: it neither fulfils nor causes this duty.
    """
    if state[USED] + rules[T_PASS] > 0 or actions == 0:
        return 1
    return 0


@rule
def crossing_is_free(state: Words) -> int:
    """1 if ``sail`` is now the captain's free crossing and no action."""
    return state[CAPTAIN]
