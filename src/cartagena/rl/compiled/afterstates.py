"""What every choice of many games leads to, compiled for this processor. ``record`` is that of the vector engine."""

from cartagena.backends.arrays import ByteArray, IntArray
from cartagena.backends.cpu.compiler import entry, part, pointer, stack_words

from ...backends.cpu.vector_loops import games_at, observe
from ...backends.portable.intrinsics import state_of
from ...backends.portable.toolkit import apply, copy, list_moves
from ...kernel.layout import MAX_LEGAL, WORDS
from ...kernel.legal import count
from .episode import IDLE, WIDTH, may_choose

SPACE = 2 * WORDS + MAX_LEGAL


@entry
def count_choices(record: IntArray, firsts: IntArray) -> None:
    """Write where the choices of each game start when all are listed one after the other; a finished game has one."""
    games = games_at(record)
    firsts[0] = 0
    for number in range(firsts.size - 1):
        size = 1
        if may_choose(games, number):
            size = count(games.rules, state_of(games.states, number))
        firsts[number + 1] = firsts[number] + size


@entry
def list_afterstates(record: IntArray, firsts: IntArray, actions: IntArray, observations: ByteArray) -> None:
    """Write every choice and what the seat to choose would observe after it, before any card is dealt."""
    games = games_at(record)
    working = stack_words(SPACE)
    after, moves = part(working, WORDS), part(working, 2 * WORDS)
    for number in range(firsts.size - 1):
        state = state_of(games.states, number)
        row = firsts[number]
        if not may_choose(games, number):
            actions[row] = IDLE
            observe(games.rules, state, games.viewers[number], working, pointer(observations, row * WIDTH))
            continue
        for choice in range(list_moves(games.rules, state, moves)):
            actions[row + choice] = moves[choice]
            copy(state, after)
            apply(games.rules, after, moves[choice])
            out = pointer(observations, (row + choice) * WIDTH)
            observe(games.rules, after, games.viewers[number], working, out)
