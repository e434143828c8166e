"""One table of an environment: a new game, a choice, the cards that follow, what it brings.

Written like a rule, loaded again by the backends: functions and numbers only. A table of an environment has, besides
the kernel's state, the key of its chance, the number of turns played and how its episode stands.
"""

from typing import Final

from ...backends.portable.deal import new_table
from ...backends.portable.intrinsics import Word
from ...kernel.intrinsics import RuleTable, Words, rule
from ...kernel.layout import DEAL, MAX_SIGNS, NOBODY, OVER, SIGN, T_SEATS
from ...kernel.reasons import LEGAL, reason

# --- how an episode stands
RUNNING: Final = 0
ENDED: Final = 1  # a seat has won, or nobody can move any more
CUT: Final = 2  # the limit of turns is reached
FORFEIT: Final = 3  # a seat chose an action that is not legal


@rule
def open_game(table: RuleTable, plan: RuleTable, board: RuleTable, state: Words, key: Word) -> Word:
    """Lay and deal a new game; ``board`` has, behind a 1, for each sign the mask of its fields where it is fixed."""
    key = new_table(table, plan, state, key)
    if board[0]:
        for sign in range(MAX_SIGNS):
            state[SIGN + sign] = board[1 + sign]
    return key


@rule
def is_choice(table: RuleTable, state: Words, action: int) -> int:
    """1 if the number is an action that the actor can choose."""
    if action < 0 or action >= DEAL:
        return 0
    if reason(table, state, action) == LEGAL:
        return 1
    return 0


@rule
def standing(state: Words, turns: int, limit: int) -> int:
    """How the episode stands after a legal action."""
    if state[OVER]:
        return ENDED
    if turns >= limit:
        return CUT
    return RUNNING


@rule
def lowest_reward(table: RuleTable, zero_sum: int) -> float:
    """What a seat gets that has not won."""
    if zero_sum:
        return -1.0 / (table[T_SEATS] - 1)
    return 0.0


@rule
def shared_reward(table: RuleTable, zero_sum: int) -> float:
    """What every seat gets in a deadlock: the prize is shared."""
    if zero_sum:
        return 0.0
    return 1.0 / table[T_SEATS]


@rule
def reward(table: RuleTable, state: Words, stands: int, loser: int, seat: int, zero_sum: int) -> float:
    """What a seat gets now. 1 for a win; a forfeit costs the one who chose it 1, and nobody else anything."""
    if stands == FORFEIT:
        if seat == loser:
            return -1.0
        return 0.0
    if stands != ENDED:
        return 0.0
    if state[OVER] == NOBODY:
        return shared_reward(table, zero_sum)
    if state[OVER] == seat + 1:
        return 1.0
    return lowest_reward(table, zero_sum)
