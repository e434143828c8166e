"""One game of an environment: a choice, the cards that follow, what it brings, and a new game after the end.

The vector engines compile this in place of ``backends.portable.episode``. Functions and numbers only.
"""

from typing import Final

from ...backends.portable.games import Games, begin, choice, play
from ...backends.portable.generator import next_key
from ...backends.portable.intrinsics import state_of
from ...kernel.intrinsics import RuleTable, Words, rule
from ...kernel.layout import DEADLOCK, DEAL, END, OVER, T_SEATS
from ...kernel.legal import chooser
from ...kernel.reasons import LEGAL, reason
from ...kernel.view import view
from .observation import SIZE, observe

# --- the status of an episode
RUNNING: Final = 0
ENDED: Final = 1  # a seat has won, or no seat can move any more
CUT: Final = 2  # the turn limit is reached
FORFEIT: Final = 3  # a seat chose an action that is not legal

IDLE: Final = END
"""The action of a game that is over: no mask is ever empty."""
HOLD: Final = -(1 << 62)
"""Not an action: leaves a game as it is, while others are played on."""
WIDTH: Final = SIZE


@rule
def may_choose(games: Games, number: int) -> bool:
    """Whether the episode goes on: cards are dealt at once, so that a seat always has a choice."""
    runs: bool = games.status[number] == RUNNING
    return runs


@rule
def is_choice(rules: RuleTable, state: Words, action: int) -> bool:
    """Whether the number is an action that the seat to move can choose."""
    if action < 0 or action >= DEAL:
        return False
    return reason(rules, state, action) == LEGAL


@rule
def act(games: Games, number: int, action: int) -> None:
    """Play a legal action and note where the episode stands after it."""
    state = state_of(games.states, number)
    games.keys[number] = play(games.rules, state, action, games.keys[number])
    if action == END:
        games.turns[number] += 1
    if state[OVER]:
        games.status[number] = ENDED
    elif games.turns[number] >= games.limit:
        games.status[number] = CUT


@rule
def let_others_play(games: Games, number: int) -> None:
    """Let the other seats choose at random until it is the learner's choice. A learner of -1 plays all seats."""
    learner = games.learners[number]
    state = state_of(games.states, number)
    while learner >= 0 and games.status[number] == RUNNING and chooser(state) != learner:
        games.keys[number] = next_key(games.keys[number])
        act(games, number, choice(games.rules, state, games.keys[number]))


@rule
def advance(games: Games, number: int, action: int) -> None:
    """Play one choice, or begin a new game where the old one is over. An action that is not legal forfeits the game."""
    if action == HOLD:
        return
    chose = games.viewers[number]
    state = state_of(games.states, number)
    if games.status[number] != RUNNING:
        games.keys[number] = next_key(games.keys[number])
        begin(games, number)
        games.turns[number] = 0
        games.status[number] = RUNNING
        let_others_play(games, number)
    elif is_choice(games.rules, state, action):
        act(games, number, action)
        let_others_play(games, number)
    else:
        games.status[number] = FORFEIT
    settle(games, number, chose)
    if games.learners[number] >= 0:
        games.viewers[number] = games.learners[number]
    elif games.status[number] == RUNNING:
        games.viewers[number] = chooser(state)
    games.sitting[number] = games.viewers[number] + 1


@rule
def settle(games: Games, number: int, chose: int) -> None:
    """Write the rewards and how the episode has ended, if it has."""
    status = games.status[number]
    state = state_of(games.states, number)
    seats = games.rules[T_SEATS]
    for seat in range(seats):
        games.rewards[number * seats + seat] = reward(games, state, status, seat, seat == chose)
    games.gained[number] = games.rewards[number * seats + chose]
    games.ended[number] = (status == ENDED) | (status == FORFEIT)
    games.cut[number] = status == CUT


@rule
def reward(games: Games, state: Words, status: int, seat: int, chose: bool) -> float:
    """The reward of a seat: 1 for a win, -1 for the seat that forfeits."""
    if status == FORFEIT and chose:
        return -1.0
    if status != ENDED:
        return 0.0
    if state[OVER] == seat + 1:
        return 1.0
    if state[OVER] == DEADLOCK:
        return shared_reward(games.rules, games.zero_sum)
    return lowest_reward(games.rules, games.zero_sum)


@rule
def lowest_reward(rules: RuleTable, zero_sum: int) -> float:
    """The reward of a seat that has not won."""
    if zero_sum:
        return -1.0 / (rules[T_SEATS] - 1)
    return 0.0


@rule
def shared_reward(rules: RuleTable, zero_sum: int) -> float:
    """The reward of every seat in a deadlock: the prize is shared."""
    if zero_sum:
        return 0.0
    return 1.0 / rules[T_SEATS]


@rule
def see(rules: RuleTable, state: Words, viewer: int, working: Words, out: Words, at: int) -> None:
    """Write the observation of a viewer into zeros. ``working`` has space for a view."""
    view(rules, state, viewer, working)
    observe(rules, working, viewer, out, at)
