"""A batch of states on processors: the rules applied to each of them in turn."""

from typing import Any

from cartagena.backends.cpu.compiler import entry, part, pointer

from ...kernel.layout import MAX_LEGAL, WORDS
from ...kernel.legal import chooser, legal
from ...kernel.reasons import LEGAL, reason
from ...kernel.step import step
from ...kernel.view import view
from ..portable.deal import set_up
from ..portable.generator import key_of, next_key
from ..portable.intrinsics import word
from ..portable.playout import deal_due
from ..portable.policy import choose


@entry
def first_illegal(table: Any, states: Any, actions: Any, first: int, last: int) -> int:
    """The first game whose action is not legal, -1 if there is none; an action below 0 leaves its game alone."""
    rules = pointer(table, 0)
    words = pointer(states, 0)
    for game in range(first, last):
        if actions[game] >= 0 and reason(rules, part(words, game * WORDS), actions[game]) != LEGAL:
            return game
    return -1


@entry
def step_all(table: Any, states: Any, actions: Any, keys: Any, deals: bool, first: int, last: int) -> None:
    """Play an action in each game; with ``deals`` also the cards that are due then, from the games' keys."""
    rules = pointer(table, 0)
    words = pointer(states, 0)
    for game in range(first, last):
        if actions[game] >= 0:
            state = part(words, game * WORDS)
            step(rules, state, actions[game])
            if deals:
                keys[game] = deal_due(rules, state, keys[game])


@entry
def choose_all(table: Any, states: Any, keys: Any, actions: Any, first: int, last: int) -> None:
    """Choose an action for each game by the policy, from its key; -1 where nobody must choose."""
    rules = pointer(table, 0)
    words = pointer(states, 0)
    for game in range(first, last):
        state = part(words, game * WORDS)
        actions[game] = -1
        if chooser(state) >= 0:
            keys[game] = next_key(keys[game])
            actions[game] = choose(rules, state, keys[game])


@entry
def legal_all(table: Any, states: Any, masks: Any, moves: Any, first: int, last: int) -> None:
    """Write a 1 for every legal action of each game."""
    rules = pointer(table, 0)
    words = pointer(states, 0)
    out = pointer(moves, 0)
    for game in range(first, last):
        masks[game, :] = 0
        for number in range(legal(rules, part(words, game * WORDS), out)):
            masks[game, out[number]] = 1


@entry
def view_all(table: Any, states: Any, seats: Any, views: Any, first: int, last: int) -> None:
    """Write what a seat of each game may see; seat -1 sees what everybody sees."""
    rules = pointer(table, 0)
    words = pointer(states, 0)
    out = pointer(views, 0)
    for game in range(first, last):
        view(rules, part(words, game * WORDS), seats[game], part(out, game * WORDS))


@entry
def choosers(states: Any, seats: Any, first: int, last: int) -> None:
    """Write the seat that must choose in each game, -1 where none must."""
    words = pointer(states, 0)
    for game in range(first, last):
        seats[game] = chooser(part(words, game * WORDS))


@entry
def deal_all(
    table: Any, start: Any, plan: Any, states: Any, keys: Any, numbers: Any, seed: int, first: int, last: int
) -> None:
    """Start each game that has a number from 0, by the plan or from ``start`` (see ``set_up``)."""
    rules = pointer(table, 0)
    opening = pointer(start, 0)
    layout = pointer(plan, 0)
    words = pointer(states, 0)
    for game in range(first, last):
        if numbers[game] >= 0:
            state = part(words, game * WORDS)
            keys[game] = set_up(rules, layout, opening, state, key_of(word(seed), word(numbers[game])))


ROOM = MAX_LEGAL
"""How many words ``moves`` of ``legal_all`` must have."""
