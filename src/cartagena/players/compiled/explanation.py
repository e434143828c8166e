"""Reasons for a move, found by comparing the positions before and after it, written like rules: plain and compiled."""

from typing import Final

from ...backends.portable.intrinsics import Numbers
from ...kernel import layout
from ...kernel.intrinsics import RuleTable, Words, lowest, rule
from ...kernel.moves import hand_size, is_captain
from ...kernel.track import number_at, places_of
from .greedy import fields_gone

# --- bits of the reasons, the most important first
WINS: Final = 1 << 0
BRINGS_HOME: Final = 1 << 1
BOARDS: Final = 1 << 2
LONG_JUMP: Final = 1 << 3
MOVES_STRAGGLER: Final = 1 << 4
CUTS_HANDS: Final = 1 << 5
DRAWS_TWO: Final = 1 << 6
DRAWS_ONE: Final = 1 << 7
SAILS: Final = 1 << 8
SAVES_ACTIONS: Final = 1 << 9
BREAKS_CHAIN: Final = 1 << 10
TAKES_PAIR: Final = 1 << 11
TAKES_CAPTAINCY: Final = 1 << 12

# --- prospects of a seat, which are features of the evaluation
REACH: Final = 0
PAIRS: Final = 1
PROSPECTS: Final = 2

LONG: Final = 8
"""Fields from which a jump counts as long."""
NOTICEABLE: Final = 0.04
"""Decrease of a rival's reach from which a chain counts as broken."""
FEWER_PAIRS: Final = 0.2
"""Decrease of the rivals' pairs together from which one counts as taken."""


@rule
def advance_reasons(rules: RuleTable, before: Words, after: Words, seat: int) -> int:
    """Reasons for an advance that concern the moving pirate."""
    reasons = 0
    goal, boat = rules[layout.T_GOAL], rules[layout.T_BOAT]
    if boat != goal and number_at(after, seat, goal) > number_at(before, seat, goal):
        reasons |= BRINGS_HOME
    if number_at(after, seat, boat) > number_at(before, seat, boat):
        reasons |= BOARDS
    if fields_gone(after, seat) - fields_gone(before, seat) >= LONG:
        reasons |= LONG_JUMP
    if lowest(places_of(after, seat)) > lowest(places_of(before, seat)):  # a pirate beside the last leaves it behind
        reasons |= MOVES_STRAGGLER
    if after[layout.DROPPER]:
        reasons |= CUTS_HANDS
    return reasons


@rule
def rival_reasons(rules: RuleTable, before: Words, after: Words, seat: int, old: Numbers, new: Numbers) -> int:
    """Reasons that concern the rivals; ``old`` and ``new`` have the prospects of every seat before and after."""
    reasons = 0
    pairs = 0.0
    for other in range(rules[layout.T_SEATS]):
        if other != seat:
            at = other * PROSPECTS
            pairs += new[at + PAIRS] - old[at + PAIRS]
            if old[at + REACH] - new[at + REACH] > NOTICEABLE:
                reasons |= BREAKS_CHAIN
    if pairs < -FEWER_PAIRS:
        reasons |= TAKES_PAIR
    if rules[layout.T_NEST] and is_captain(rules, after, seat) > is_captain(rules, before, seat):
        reasons |= TAKES_CAPTAINCY
    return reasons


@rule
def move_reasons(rules: RuleTable, before: Words, after: Words, action: int, old: Numbers, new: Numbers) -> int:
    """The bits of all reasons that fit a move. The prospects are read only where the game goes on within the turn."""
    seat = before[layout.TURN]
    reasons = 0
    if after[layout.OVER]:
        reasons |= WINS
    if action < layout.RETREAT:
        reasons |= advance_reasons(rules, before, after, seat)
    elif action < layout.SAIL:
        drawn = hand_size(after, seat) + after[layout.OWED] - hand_size(before, seat)
        reasons |= DRAWS_TWO if drawn == 2 else DRAWS_ONE
    elif action == layout.SAIL:
        reasons |= SAILS
    elif action == layout.END and before[layout.USED] < rules[layout.T_ACTIONS]:
        reasons |= SAVES_ACTIONS
    if action != layout.END and action < layout.DROP and after[layout.OVER] == 0:
        reasons |= rival_reasons(rules, before, after, seat, old, new)
    return reasons
