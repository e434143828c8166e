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
def is_card(rules: RuleTable, card: int) -> int:
    """1 if the game has such a card."""
    signs = rules[T_SIGNS]
    if card < signs or (rules[T_NEST] and FREEBOOTER <= card < FREEBOOTER + signs):
        return 1
    return 0


@rule
def fits_the_game(rules: RuleTable, action: int) -> int:
    """1 if the number is an action of this game, legal now or not."""
    if action < 0 or action >= ACTIONS:
        return 0
    if action < RETREAT:
        return is_card(rules, action % CARD_SLOTS) if action // CARD_SLOTS <= rules[T_GOAL] else 0
    if action < PUSH:
        return 1 if rules[T_NEST] == 0 and action - RETREAT <= rules[T_GOAL] else 0
    if action < SAIL:
        return 1 if rules[T_NEST] and (action - PUSH) % SEAT_SLOTS <= rules[T_GOAL] else 0
    if action == SAIL:
        return rules[T_NEST]
    if action == END:
        return 1
    if action < DEAL:
        return is_card(rules, action - DROP) if rules[T_NEST] else 0
    return is_card(rules, action - DEAL)


@rule
def why_not_aboard(state: Words) -> int:
    """Why the sloop does not take a pirate: it is away, or has three of that colour."""
    if state[SLOOP] != 1:
        return SLOOP_IS_AWAY
    return SLOOP_IS_FULL


@rule
def why_not_advance(rules: RuleTable, state: Words, place: int, card: int) -> int:
    seat = state[TURN]
    if (places_of(state, seat) >> place) & 1 == 0:
        return NO_PIRATE_THERE
    if place == rules[T_GOAL]:
        return ALREADY_HOME
    if tally(hand_of(state, seat), card) == 0:
        return CARD_NOT_HELD
    if (free_movers(rules, state, seat) >> place) & 1:
        return LEGAL
    if (bound_movers(rules, state, seat) >> place) & 1 == 0:
        return SLOOP_IS_AWAY  # aboard, while the sloop lies at the first island
    if bound_cards(rules, state, place, unit(card)):
        return LEGAL
    return why_not_aboard(state)


@rule
def why_not_retreat(rules: RuleTable, state: Words, place: int) -> int:
    seat = state[TURN]
    if (places_of(state, seat) >> place) & 1 == 0:
        return NO_PIRATE_THERE
    if place == 0:
        return NOT_IN_THE_TUNNEL
    if (rules[T_RETREAT] >> place) & 1 == 0:
        return NO_RETURN
    if (retreaters(rules, state, seat) >> place) & 1 == 0:
        return NOTHING_BEHIND
    return LEGAL


@rule
def why_not_push(rules: RuleTable, state: Words, victim: int, place: int) -> int:
    if victim >= rules[T_SEATS]:
        return NO_SUCH_SEAT
    if victim == state[TURN]:
        return OWN_PIRATE
    if (places_of(state, victim) >> place) & 1 == 0:
        return NO_PIRATE_THERE
    if place == rules[T_GOAL]:
        return ALREADY_HOME
    if (pushable(rules, state, victim) >> place) & 1:
        return LEGAL
    if (rules[T_FIRST] >> place) & 1:
        return why_not_aboard(state)
    if place == rules[T_BOAT] and state[SLOOP] == 1:
        return SLOOP_IS_AWAY
    return NOTHING_AHEAD


@rule
def why_not_sail(rules: RuleTable, state: Words) -> int:
    if may_sail(rules, state, state[TURN]):
        return LEGAL
    if state[SLOOP] == 1:
        return NOBODY_ABOARD
    return NOBODY_ASHORE


@rule
def why_not_action(rules: RuleTable, state: Words, action: int) -> int:
    """Check an advance, retreat, push, sail or end in a state that waits for no card."""
    if action == END:
        return LEGAL if may_end(rules, state, count_actions(rules, state)) else MUST_ACT
    if may_act(rules, state) == 0:
        return NO_ACTIONS_LEFT
    if action < RETREAT:
        return why_not_advance(rules, state, action // CARD_SLOTS, action % CARD_SLOTS)
    if action < PUSH:
        return why_not_retreat(rules, state, action - RETREAT)
    if action < SAIL:
        return why_not_push(rules, state, (action - PUSH) // SEAT_SLOTS, (action - PUSH) % SEAT_SLOTS)
    return why_not_sail(rules, state)


@rule
def why_not_forced(rules: RuleTable, state: Words, action: int) -> int:
    """Check an action where a deal or a drop is due. LEGAL if neither is due."""
    if due(state):
        if action < DEAL:
            return CARD_IS_DUE
        return LEGAL if tally(source(rules, state), action - DEAL) else NO_SUCH_CARD_LEFT
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
def reason(rules: RuleTable, state: Words, action: int) -> int:
    """LEGAL, or the first reason that forbids the action."""
    if fits_the_game(rules, action) == 0:
        return NOT_IN_THIS_GAME
    if state[OVER]:
        return GAME_IS_OVER
    forced = why_not_forced(rules, state, action)
    if forced != LEGAL or action >= DROP:
        return forced
    return why_not_action(rules, state, action)
