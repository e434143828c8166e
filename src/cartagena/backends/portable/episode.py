"""What a step does to one of many games, here the plain way: an action is played, and the game stays where it ends.

``rl.compiled.episode`` is another way, with rewards, turn limits and new games after the end. A vector engine names
the module that it wants; a backend compiles it into its loops.
"""

from typing import Final

from ...kernel.intrinsics import RuleTable, Words, rule
from ...kernel.legal import chooser
from .games import Games, play
from .intrinsics import state_of

IDLE: Final = -1
"""The action of a game in which no seat has a choice; below 0 there is none, and its mask is empty."""
WIDTH: Final = 0
"""Bytes of an observation; 0: there are none."""


@rule
def may_choose(games: Games, number: int) -> bool:
    """Whether a seat has a choice."""
    waits: bool = games.viewers[number] >= 0
    return waits


@rule
def advance(games: Games, number: int, action: int) -> None:
    """Play a legal action. A number below 0 leaves the game as it is."""
    if action >= 0:
        state = state_of(games.states, number)
        games.keys[number] = play(games.rules, state, action, games.keys[number])
        games.viewers[number] = chooser(state)


@rule
def see(rules: RuleTable, state: Words, viewer: int, working: Words, out: Words, at: int) -> None:
    """Write the observation of a viewer into zeros: there is none."""
