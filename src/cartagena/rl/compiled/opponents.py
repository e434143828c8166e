"""What the simple levels reply in many games, compiled for this processor. ``record`` is that of the vector engine.

A level sees the view of its seat and nothing else. Instead of the memory that the players of ``cartagena.players`` have
of repeated moves, a level chooses at random now and then when a game has become long.
"""

from typing import Any, Final

from cartagena.backends.cpu.compiler import entry, part, pointer, pointers, room
from cartagena.players.compiled.turn_search import TurnSpace, look_through

from ...backends.cpu.vector_loops import games_at
from ...backends.portable.generator import mix, next_key
from ...backends.portable.intrinsics import Word, block, state_of
from ...backends.portable.toolkit import below, copy, list_moves
from ...kernel.cards import total
from ...kernel.intrinsics import RuleTable, Words, rule
from ...kernel.layout import END, HIDDEN, HIDDEN_STOCK, MAX_LEGAL, RETREAT, STOCK, T_SEATS, WORDS
from ...kernel.legal import chooser
from ...kernel.view import view
from ...players.compiled.greedy import worth
from .episode import HOLD
from .observation import SIZE, observe

# --- levels
RANDOM: Final = 0
DECKHAND: Final = 1
SAILOR: Final = 2
GUNNER: Final = 3

FORWARD: Final = 3
"""How much likelier the deckhand is to advance than to do anything else."""
LATE: Final = 40
"""Turns of each seat after which a game counts as long."""
SELDOM: Final = 8
"""In a long game one choice in so many is random."""
ROOM: Final = 2 * WORDS + MAX_LEGAL


@rule
def forward(moves: Words, size: int, value: Word) -> int:
    """The deckhand's choice: rather an advance, and ``end`` only where nothing else is left."""
    shares = 0
    for number in range(size):
        if moves[number] != END:
            shares += FORWARD if moves[number] < RETREAT else 1
    if shares == 0:
        return END
    mark = below(value, shares)
    for number in range(size):
        if moves[number] != END:
            mark -= FORWARD if moves[number] < RETREAT else 1
            if mark < 0:
                return moves[number]
    return END


@rule
def greedy(rules: RuleTable, seen: Words, moves: Words, size: int, after: Words, value: Word) -> int:
    """The sailor's choice: one of the actions that look best by themselves, each as likely as any other."""
    best = -1e9
    chosen = END
    equals = 0
    for number in range(size):
        score = worth(rules, seen, moves[number], after)
        if score > best:
            best = score
            equals = 0
        if score == best:
            equals += 1
            value = mix(next_key(value))
            if below(value, equals) == 0:
                chosen = moves[number]
    return chosen


@block
def simple_reply(rules: RuleTable, seen: Words, level: int, late: bool, key: Word) -> int:
    """The choice of a level that looks at single actions, given the view of its seat in a room of ``ROOM`` words."""
    after, moves = part(seen, WORDS), part(seen, 2 * WORDS)
    size = list_moves(rules, seen, moves)
    value = mix(key)
    if level == RANDOM or (late and below(mix(next_key(value)), SELDOM) == 0):
        return int(moves[below(value, size)])
    if level == DECKHAND:
        return forward(moves, size, value)
    return greedy(rules, seen, moves, size, after, value)


@entry
def reply_all(record: Any, levels: Any, actions: Any) -> None:
    """Write what the level of each game chooses for the seat to choose; a level below 0 holds its game."""
    games = games_at(record)
    seen = room(ROOM)
    for number in range(actions.size):
        actions[number] = HOLD
        if levels[number] >= 0:
            state = state_of(games.states, number)
            late = games.turns[number] >= LATE * games.rules[T_SEATS]
            games.keys[number] = next_key(games.keys[number])
            view(games.rules, state, chooser(state), seen)
            actions[number] = simple_reply(games.rules, seen, levels[number], late, games.keys[number])


@entry
def plan_all(record: Any, numbers: Any, actions: Any, arrays: TurnSpace, weights: Any, result: Any) -> None:
    """The same for the gunner, which compares whole turns, in the games of these numbers."""
    games, turn = games_at(record), pointers(arrays)
    seen = room(ROOM)
    for index in range(numbers.size):
        number = numbers[index]
        state = state_of(games.states, number)
        games.keys[number] = next_key(games.keys[number])
        value = mix(games.keys[number])
        view(games.rules, state, chooser(state), seen)
        late = games.turns[number] >= LATE * games.rules[T_SEATS]
        if late and below(value, SELDOM) == 0:
            actions[number] = simple_reply(games.rules, seen, RANDOM, False, games.keys[number])
        else:
            copy(seen, turn.states)
            actions[number] = look_through(games.rules, pointer(weights, 0), turn, pointer(result, 0))


@entry
def reveal_all(record: Any, out: Any, first: int, last: int) -> None:
    """Write the games with all hands open, as the first seat would observe them; ``out`` is 0."""
    games = games_at(record)
    seen = room(WORDS)
    for number in range(first, last):
        copy(state_of(games.states, number), seen)
        seen[HIDDEN] += total(seen[STOCK]) << HIDDEN_STOCK
        seen[STOCK] = 0
        observe(games.rules, seen, 0, pointer(out, 0), number * SIZE)
