"""Games of the evaluation against itself, for tuning: one action ahead, with some heat, many a second.

The positions kept are the starts of turns, a few of every game, as features of all seats with the result.
"""

import math
from typing import Final

from cartagena.backends.cpu import entry, kernel, pointer
from cartagena.kernel.layout import MAX_LEGAL, MAX_SEATS, NOBODY, OVER, T_SEATS, WORDS

from .features import SIZE, compare, describe
from .search import chooser
from .tools import GOLDEN, ONE, U, apply, below, block, copy, deal_card, floats, list_moves, mix, shift
from .value import SCRATCH, evaluate

MOST: Final = 1500
ROOM: Final = 2 * WORDS + MAX_LEGAL
NUMBERS: Final = SCRATCH + MAX_SEATS + MAX_LEGAL

_due = kernel.chance.due


@block
def heated(table, state, weights, heat, moves, after, scratch, value, chances, x):  # type: ignore[no-untyped-def]
    """A move drawn by how good the position after it looks."""
    seat = chooser(state)
    size = list_moves(table, state, moves)
    top = -1.0
    for number in range(size):
        copy(state, after)
        apply(table, after, moves[number])
        evaluate(table, after, weights, scratch, value)
        chances[number] = value[seat]
        top = max(top, value[seat])
    total = 0.0
    for number in range(size):
        chances[number] = math.exp((chances[number] - top) / heat)
        total += chances[number]
    mark = total * (float(x >> U(11)) / 9007199254740992.0)
    for number in range(size):
        mark -= chances[number]
        if mark < 0.0:
            return moves[number]
    return moves[size - 1]


@block
def keep(table, state, features):  # type: ignore[no-untyped-def]
    """Write the features of all seats."""
    for seat in range(table[T_SEATS]):
        describe(table, state, seat, shift(features, seat * SIZE))
    compare(table, features)


@block
def play_game(table, room, weights, heat, most, every, features, first, limit, numbers, x):  # type: ignore[no-untyped-def]
    """Play on from ``room``'s state, keeping a sample now and then; how many samples there are then."""
    state = room
    after = shift(room, WORDS)
    moves = shift(room, 2 * WORDS)
    scratch = numbers
    value = shift(numbers, SCRATCH)
    chances = shift(numbers, SCRATCH + MAX_SEATS)
    kept = first
    stride = table[T_SEATS] * SIZE
    for _ in range(most):
        if state[OVER]:
            break
        x += GOLDEN
        if _due(state):
            deal_card(table, state, mix(x))
            continue
        if below(mix(x ^ ONE), every) == 0 and kept < limit:
            keep(table, state, shift(features, kept * stride))
            kept += 1
        apply(table, state, heated(table, state, weights, heat, moves, after, scratch, value, chances, mix(x)))
    return kept


@entry
def play_games(table, starts, games, weights, heat, seed, every, room, numbers, features, winners):  # type: ignore[no-untyped-def]
    """Play from each of the openings in turn; how many samples were kept, with the winner (from 0, -1 nobody) of each."""
    rules = pointer(table, 0)
    work = pointer(room, 0)
    kept = 0
    openings = starts.size // WORDS
    for game in range(games):
        copy(pointer(starts, (game % openings) * WORDS), work)
        x = mix(U(seed) * GOLDEN + U(game))
        first = kept
        kept = play_game(
            rules,
            work,
            floats(weights, 0),
            heat,
            MOST,
            every,
            floats(features, 0),
            kept,
            winners.size,
            floats(numbers, 0),
            x,
        )
        for sample in range(first, kept):
            winners[sample] = work[OVER] - 1 if 0 < work[OVER] < NOBODY else -1
    return kept
