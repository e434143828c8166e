"""Chance, and playing a game to its end."""

from ...kernel.chance import due, source
from ...kernel.intrinsics import RuleTable, Words, rule
from ...kernel.layout import DEAL, END, OVER
from ...kernel.step import step
from .generator import mix, next_key
from .intrinsics import Word
from .policy import choose
from .toolkit import draw_card


@rule
def chance(rules: RuleTable, state: Words, key: Word) -> int:
    """The deal that a key brings, each card as likely as it is frequent."""
    return DEAL + draw_card(source(rules, state), mix(key))


@rule
def deal_due(rules: RuleTable, state: Words, key: Word) -> Word:
    """Deal the cards that are due and return the last key used."""
    while due(state):
        key = next_key(key)
        step(rules, state, chance(rules, state, key))
    return key


@rule
def play(rules: RuleTable, state: Words, key: Word, cap: int) -> int:
    """Play until the game is over or ``cap`` turns have ended, and return the number of moves."""
    moves = 0
    turns = 0
    while state[OVER] == 0 and turns < cap:
        key = next_key(key)
        if due(state):
            step(rules, state, chance(rules, state, key))
        else:
            action = choose(rules, state, key)
            step(rules, state, action)
            moves += 1
            if action == END:
                turns += 1
    return moves
