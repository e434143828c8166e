"""What the simple levels reply in many games, compiled for this processor. ``record`` is that of the vector engine.

A level sees the view of its seat and nothing else. It chooses by the same functions as the player of its name, and
remembers repeated moves as that does (``players.compiled.repetition``), for each game in a row of ``memories``.
"""

from typing import Final

from cartagena.backends.arrays import ByteArray, IntArray
from cartagena.backends.cpu.compiler import entry, float64s, part, pointer, pointers, stack_words
from cartagena.players.compiled.turn_search import TurnSpace, compare_turns

from ...backends.cpu.vector_loops import games_at
from ...backends.portable.generator import next_key
from ...backends.portable.intrinsics import Numbers, Word, block, state_of
from ...backends.portable.toolkit import copy, list_moves
from ...kernel.cards import total
from ...kernel.intrinsics import RuleTable, Words
from ...kernel.layout import HIDDEN, HIDDEN_STOCK, MAX_LEGAL, STOCK, WORDS
from ...kernel.legal import chooser
from ...kernel.view import view
from ...players.compiled.picks import any_action, best_scored, deckhand_action, rank_scored, sailor_scores
from ...players.compiled.repetition import MEMORY, is_barred, least_repeated, move_key, note, standing_key
from .episode import HOLD
from .observation import SIZE, observe

# --- levels
RANDOM: Final = 0
DECKHAND: Final = 1
SAILOR: Final = 2
GUNNER: Final = 3

SPACE: Final = 2 * WORDS + 2 * MAX_LEGAL


@block
def simple_reply(rules: RuleTable, seen: Words, level: int, memory: Words, key: Word) -> int:
    """The choice of a level that looks at single actions, given the view of its seat in a space of ``SPACE`` words."""
    after, moves = part(seen, WORDS), part(seen, 2 * WORDS)
    if level == RANDOM:
        return any_action(rules, seen, key)
    if level == DECKHAND:
        return deckhand_action(rules, seen, key, moves)
    scores, standing = float64s(part(moves, MAX_LEGAL)), standing_key(seen)
    size = sailor_scores(rules, seen, key, after, moves, scores)
    action = best_scored(moves, scores, size)
    if is_barred(memory, seen, standing):
        rank_scored(moves, scores, size)
        action = least_repeated(memory, seen, standing, moves, size)
    note(memory, seen, standing, action)
    return action


@block
def planned_reply(
    rules: RuleTable, seen: Words, memory: Words, turn: TurnSpace, weights: Numbers, result: Numbers
) -> int:
    """The gunner's choice, which compares whole turns; actions that it made too often here are barred."""
    moves = part(seen, 2 * WORDS)
    size, standing = list_moves(rules, seen, moves), standing_key(seen)
    for index in range(size):
        turn.bars[moves[index]] = is_barred(memory, seen, move_key(standing, moves[index]))
    copy(seen, turn.states)
    action = compare_turns(rules, weights, turn, result)
    for index in range(size):
        turn.bars[moves[index]] = 0
    if action < 0:
        copy(seen, turn.states)
        action = compare_turns(rules, weights, turn, result)
    note(memory, seen, standing, action)
    return action


@entry
def reply_all(record: IntArray, levels: IntArray, memories: IntArray, actions: IntArray) -> None:
    """Write what the level of each game chooses for the seat to choose; a level below 0 holds its game."""
    games = games_at(record)
    seen = stack_words(SPACE)
    for number in range(actions.size):
        actions[number] = HOLD
        if levels[number] >= 0:
            state = state_of(games.states, number)
            games.keys[number] = next_key(games.keys[number])
            view(games.rules, state, chooser(state), seen)
            memory = pointer(memories, number * MEMORY)
            actions[number] = simple_reply(games.rules, seen, levels[number], memory, games.keys[number])


@entry
def plan_all(
    record: IntArray,
    numbers: IntArray,
    memories: IntArray,
    actions: IntArray,
    arrays: TurnSpace,
    weights: Numbers,
    result: Numbers,
) -> None:
    """The same for the gunner, in the games of these numbers."""
    games, turn = games_at(record), pointers(arrays)
    seen = stack_words(SPACE)
    for index in range(numbers.size):
        state = state_of(games.states, numbers[index])
        view(games.rules, state, chooser(state), seen)
        memory = pointer(memories, numbers[index] * MEMORY)
        action = planned_reply(games.rules, seen, memory, turn, pointer(weights, 0), pointer(result, 0))
        actions[numbers[index]] = action


@entry
def reveal_all(record: IntArray, out: ByteArray, first: int, last: int) -> None:
    """Write the games with all hands open, as the first seat would observe them; ``out`` is 0."""
    games = games_at(record)
    seen = stack_words(WORDS)
    for number in range(first, last):
        copy(state_of(games.states, number), seen)
        seen[HIDDEN] += total(seen[STOCK]) << HIDDEN_STOCK
        seen[STOCK] = 0
        observe(games.rules, seen, 0, pointer(out, 0), number * SIZE)
