"""Many games side by side: their arrays, and playing one of them.

``states`` is stored in the way that suits the backend; ``state_of`` finds the words of one game in it.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...kernel.chance import due
from ...kernel.intrinsics import RuleTable, Words, rule
from ...kernel.legal import chooser
from ...kernel.step import step
from .deal import set_up
from .intrinsics import Word, block, state_of
from .playout import deal_due
from .policy import choose

IntArray: TypeAlias = NDArray[np.int64]
FloatArray: TypeAlias = NDArray[np.float64]
KeyArray: TypeAlias = NDArray[np.uint64]
ByteArray: TypeAlias = NDArray[np.uint8]
MaskArray: TypeAlias = NDArray[np.int8 | np.uint8]
FlagArray: TypeAlias = NDArray[np.bool_ | np.uint8]


class Games(NamedTuple):
    """The arrays of many games. Entry i belongs to game i; ``n`` is the number of games.

    On a device the arrays are its own (``cuda.arrays``), and compiled code has pointers in their place.
    """

    rules: IntArray
    plan: IntArray
    opening: IntArray
    states: IntArray  # n times WORDS
    keys: KeyArray  # of the last draw
    viewers: IntArray  # the seat, from 0, that chooses, or whose choice is awaited
    sitting: IntArray  # the same from 1
    learners: IntArray  # the only seat that chooses; the others move at random; -1: all seats choose
    turns: IntArray  # turns ended
    status: IntArray  # of the episode
    rewards: NDArray[np.float32]  # n times seats
    gained: NDArray[np.float32]  # the reward of the seat that has just chosen
    ended: FlagArray
    cut: FlagArray
    observations: ByteArray  # n times WIDTH bytes (see ``episode``), or none
    masks: MaskArray  # n times ACTIONS bytes, n times PACKED_SIZE bytes, or none
    limit: int  # turns after which an episode is cut
    zero_sum: int


@block
def lay_out(rules: RuleTable, plan: RuleTable, opening: RuleTable, state: Words, key: Word) -> Word:
    """Start a game and return the key of the last draw."""
    return set_up(rules, plan, opening, state, key)


@block
def play(rules: RuleTable, state: Words, action: int, key: Word) -> Word:
    """Play a legal action, deal the cards that are due then, and return the key of the last draw."""
    step(rules, state, action)
    return deal_due(rules, state, key)


@block
def choice(rules: RuleTable, state: Words, key: Word) -> int:
    """The action that the policy chooses."""
    return choose(rules, state, key)


@block
def settle(rules: RuleTable, state: Words, key: Word) -> Word:
    """Deal the cards that are due in the position a game starts from, and return the key of the last draw."""
    return deal_due(rules, state, key)


@rule
def begin(games: Games, number: int) -> None:
    """Start a game anew with its present key, up to the first choice."""
    state = state_of(games.states, number)
    games.keys[number] = lay_out(games.rules, games.plan, games.opening, state, games.keys[number])
    if due(state):
        games.keys[number] = settle(games.rules, state, games.keys[number])
    games.viewers[number] = chooser(state)
