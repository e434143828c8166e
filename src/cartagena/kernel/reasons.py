"""Why a move is not legal, as a number. ``game.reasons`` has a code and a sentence for each."""

from typing import Final

from .cards import tally, unit
from .chance import due, source
from .intrinsics import RuleTable, Words, rule
from .layout import (
    ACTIONS,
    CARD_SLOTS,
    DEAL,
    DROP,
    DROPPER,
    END,
    FREEBOOTER,
    OVER,
    PUSH,
    RETREAT,
    SAIL,
    SEAT_SLOTS,
    SLOOP,
    T_BOAT,
    T_FIRST,
    T_GOAL,
    T_NEST,
    T_RETREAT,
    T_SEATS,
    T_SIGNS,
    TURN,
)
from .legal import count_actions
from .moves import (
    bound_cards,
    bound_movers,
    free_movers,
    hand_of,
    may_act,
    may_end,
    may_sail,
    pushable,
    retreaters,
)
from .track import places_of

LEGAL: Final = 0
NOT_IN_THIS_GAME: Final = 1
GAME_IS_OVER: Final = 2
CARD_IS_DUE: Final = 3
NO_CARD_IS_DUE: Final = 4
NO_SUCH_CARD_LEFT: Final = 5
DROP_IS_DUE: Final = 6
NO_DROP_IS_DUE: Final = 7
NO_ACTIONS_LEFT: Final = 8
NO_PIRATE_THERE: Final = 9
CARD_NOT_HELD: Final = 10
ALREADY_HOME: Final = 11
SLOOP_IS_AWAY: Final = 12
SLOOP_IS_FULL: Final = 13
NOTHING_BEHIND: Final = 14
NO_RETURN: Final = 15
NOT_IN_THE_TUNNEL: Final = 16
OWN_PIRATE: Final = 17
NO_SUCH_SEAT: Final = 18
NOTHING_AHEAD: Final = 19
NOBODY_ABOARD: Final = 20
NOBODY_ASHORE: Final = 21
MUST_ACT: Final = 22
REASONS: Final = 23


@rule
def is_card(table: RuleTable, card: int) -> int:
    """1 if the game has such a card."""
    signs = table[T_SIGNS]
    if card < signs or (table[T_NEST] and FREEBOOTER <= card < FREEBOOTER + signs):
        return 1
    return 0


@rule
def fits_the_game(table: RuleTable, action: int) -> int:
    """1 if the number is an action of this game, legal now or not."""
    if action < 0 or action >= ACTIONS:
        return 0
    if action < RETREAT:
        return is_card(table, action % CARD_SLOTS) if action // CARD_SLOTS <= table[T_GOAL] else 0
    if action < PUSH:
        return 1 if table[T_NEST] == 0 and action - RETREAT <= table[T_GOAL] else 0
    if action < SAIL:
        return 1 if table[T_NEST] and (action - PUSH) % SEAT_SLOTS <= table[T_GOAL] else 0
    if action == SAIL:
        return table[T_NEST]
    if action == END:
        return 1
    if action < DEAL:
        return is_card(table, action - DROP) if table[T_NEST] else 0
    return is_card(table, action - DEAL)


@rule
def why_not_aboard(state: Words) -> int:
    """Why the sloop does not take a pirate: it is away, or has three of that colour."""
    if state[SLOOP] != 1:
        return SLOOP_IS_AWAY
    return SLOOP_IS_FULL


@rule
def why_not_advance(table: RuleTable, state: Words, place: int, card: int) -> int:
    seat = state[TURN]
    if (places_of(state, seat) >> place) & 1 == 0:
        return NO_PIRATE_THERE
    if place == table[T_GOAL]:
        return ALREADY_HOME
    if tally(hand_of(state, seat), card) == 0:
        return CARD_NOT_HELD
    if (free_movers(table, state, seat) >> place) & 1:
        return LEGAL
    if (bound_movers(table, state, seat) >> place) & 1 == 0:
        return SLOOP_IS_AWAY  # aboard, while the sloop lies at the first island
    if bound_cards(table, state, place, unit(card)):
        return LEGAL
    return why_not_aboard(state)


@rule
def why_not_retreat(table: RuleTable, state: Words, place: int) -> int:
    seat = state[TURN]
    if (places_of(state, seat) >> place) & 1 == 0:
        return NO_PIRATE_THERE
    if place == 0:
        return NOT_IN_THE_TUNNEL
    if (table[T_RETREAT] >> place) & 1 == 0:
        return NO_RETURN
    if (retreaters(table, state, seat) >> place) & 1 == 0:
        return NOTHING_BEHIND
    return LEGAL


@rule
def why_not_push(table: RuleTable, state: Words, victim: int, place: int) -> int:
    if victim >= table[T_SEATS]:
        return NO_SUCH_SEAT
    if victim == state[TURN]:
        return OWN_PIRATE
    if (places_of(state, victim) >> place) & 1 == 0:
        return NO_PIRATE_THERE
    if place == table[T_GOAL]:
        return ALREADY_HOME
    if (pushable(table, state, victim) >> place) & 1:
        return LEGAL
    if (table[T_FIRST] >> place) & 1:
        return why_not_aboard(state)
    if place == table[T_BOAT] and state[SLOOP] == 1:
        return SLOOP_IS_AWAY
    return NOTHING_AHEAD


@rule
def why_not_sail(table: RuleTable, state: Words) -> int:
    if may_sail(table, state, state[TURN]):
        return LEGAL
    if state[SLOOP] == 1:
        return NOBODY_ABOARD
    return NOBODY_ASHORE


@rule
def why_not_action(table: RuleTable, state: Words, action: int) -> int:
    """Check an advance, retreat, push, sail or end in a state that waits for no card."""
    if action == END:
        return LEGAL if may_end(table, state, count_actions(table, state)) else MUST_ACT
    if may_act(table, state) == 0:
        return NO_ACTIONS_LEFT
    if action < RETREAT:
        return why_not_advance(table, state, action // CARD_SLOTS, action % CARD_SLOTS)
    if action < PUSH:
        return why_not_retreat(table, state, action - RETREAT)
    if action < SAIL:
        return why_not_push(table, state, (action - PUSH) // SEAT_SLOTS, (action - PUSH) % SEAT_SLOTS)
    return why_not_sail(table, state)


@rule
def why_not_forced(table: RuleTable, state: Words, action: int) -> int:
    """Check an action where a deal or a drop is due. LEGAL if neither is due."""
    if due(state):
        if action < DEAL:
            return CARD_IS_DUE
        return LEGAL if tally(source(table, state), action - DEAL) else NO_SUCH_CARD_LEFT
    if action >= DEAL:
        return NO_CARD_IS_DUE
    if state[DROPPER]:
        if action < DROP:
            return DROP_IS_DUE
        return LEGAL if tally(hand_of(state, state[DROPPER] - 1), action - DROP) else CARD_NOT_HELD
    if action >= DROP:
        return NO_DROP_IS_DUE
    return LEGAL


@rule
def reason(table: RuleTable, state: Words, action: int) -> int:
    """LEGAL, or the first reason that forbids the action."""
    if fits_the_game(table, action) == 0:
        return NOT_IN_THIS_GAME
    if state[OVER]:
        return GAME_IS_OVER
    forced = why_not_forced(table, state, action)
    if forced != LEGAL or action >= DROP:
        return forced
    return why_not_action(table, state, action)
