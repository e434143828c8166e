"""Whole games of the simple levels for data sets, with every state and view on the way.

A game goes the way that ``Game`` and the players of these names go: the cards follow from the game's draws, which
Python works out from its seed, and each choice from the seat's own seed, its number of decisions and its memory.
"""

from typing import Final, NamedTuple

from cartagena.backends.cpu.compiler import entry, part, pointer, pointers, stack_words
from cartagena.players.compiled.turn_search import TurnSpace

from ...backends.portable.intrinsics import Numbers, Word, block, number, word
from ...backends.portable.toolkit import apply, copy
from ...kernel.cards import tally, total
from ...kernel.chance import due, source
from ...kernel.intrinsics import RuleTable, Words
from ...kernel.layout import DEAL, END, OVER, WORDS
from ...kernel.legal import chooser
from ...kernel.view import view
from ...players.compiled.picks import key_at
from ...players.compiled.repetition import ENTRIES, FULL, MEMORY
from .opponents import GUNNER, SPACE, planned_reply, simple_reply

# --- the words of ``counts``
PLIES: Final = 0
TURNS: Final = 1
DRAWS: Final = 2
COUNTS: Final = 3

# --- the words of a seat in ``seats``
LEVEL: Final = 0
SEED: Final = 1
DECISIONS: Final = 2
SEAT_SIZE: Final = 3

# --- the words of a ply in ``plies``, after which the cards of its draws begin
SEAT_TO_MOVE: Final = 0
ACTION: Final = 1
TURN_NUMBER: Final = 2
FIRST_DRAW: Final = 3
PLY_SIZE: Final = 4

# --- the words of ``limits``
MOST_TURNS: Final = 0
KNOWN_DRAWS: Final = 1
MOST_PLIES: Final = 2
KINDS: Final = 3

# --- what ``play_on`` returns
OVER_NOW: Final = 0
NEEDS_DRAWS: Final = 1
CANNOT: Final = 2

LARGEST = word(0xFFFFFFFFFFFFFFFF)
ONE = word(1)


class GameSpace(NamedTuple):
    """A game under way: its state, counts, seats and their memories, and what is written for each ply."""

    state: Words
    counts: Words
    seats: Words
    memories: Words
    draws: Words
    cards: Words
    order: Words
    plies: Words
    states: Words
    views: Words


@block
def drawn_card(rules: RuleTable, state: Words, value: Word, order: Words, kinds: int) -> int:
    """The card that a draw of 64 bits brings, or -1 for one that would not be fair and is drawn again."""
    cards = source(rules, state)
    limit = word(total(cards))
    if value > LARGEST - (LARGEST % limit + ONE) % limit:
        return -1
    left = number(value % limit)
    for index in range(kinds):
        left -= tally(cards, order[index])
        if left < 0:
            return order[index]
    return -1


@entry
def play_on(
    rule_numbers: RuleTable, game: GameSpace, planning: TurnSpace, weights: Numbers, result: Numbers, limits: Words
) -> int:
    """Play a game on until it is over, lacks draws, or cannot be played here (see ``MOST_TURNS`` for ``limits``)."""
    rules, space, turns, most = pointer(rule_numbers, 0), pointers(game), pointers(planning), pointer(limits, 0)
    values, shares = pointer(weights, 0), pointer(result, 0)
    state, counts, seen = space.state, space.counts, stack_words(SPACE)
    while True:
        while due(state):
            drawn = counts[DRAWS]
            if drawn >= most[KNOWN_DRAWS]:
                return NEEDS_DRAWS
            card = drawn_card(rules, state, space.draws[drawn], space.order, most[KINDS])
            if card < 0:
                return CANNOT
            apply(rules, state, DEAL + card)
            space.cards[drawn] = card
            counts[DRAWS] += 1
        if state[OVER] or counts[TURNS] >= most[MOST_TURNS]:
            return OVER_NOW
        if counts[PLIES] >= most[MOST_PLIES]:
            return CANNOT
        seat, ply = chooser(state), counts[PLIES]
        memory, own = part(space.memories, seat * MEMORY), part(space.seats, seat * SEAT_SIZE)
        if memory[ENTRIES] + 2 >= FULL:
            return CANNOT
        view(rules, state, seat, seen)
        copy(state, part(space.states, ply * WORDS))
        copy(seen, part(space.views, ply * WORDS))
        if own[LEVEL] == GUNNER:
            action = planned_reply(rules, seen, memory, turns, values, shares)
        else:
            key = key_at(seen, own[SEED], own[DECISIONS])
            action = simple_reply(rules, seen, own[LEVEL], memory, key)
        own[DECISIONS] += 1
        note = part(space.plies, ply * PLY_SIZE)
        note[SEAT_TO_MOVE] = seat
        note[ACTION] = action
        note[TURN_NUMBER] = counts[TURNS]
        note[FIRST_DRAW] = counts[DRAWS]
        apply(rules, state, action)
        counts[PLIES] += 1
        if action == END:
            counts[TURNS] += 1
