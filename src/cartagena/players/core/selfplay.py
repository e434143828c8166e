"""Games of the evaluation against itself, for tuning: one action ahead, with some heat, many a second.

The positions kept are the starts of turns, a few of every game, as features of all seats with the result.
"""

import math
from typing import Any, Final

from cartagena.backends.cpu import entry, kernel, pointer
from cartagena.kernel.layout import MAX_LEGAL, MAX_SEATS, NOBODY, OVER, T_SEATS, WORDS
from cartagena.kernel.machine import Table, Words

from .features import SIZE, compare, describe
from .tools import GOLDEN, ONE, Bits, Numbers, U, apply, below, block, copy, deal_card, floats, list_moves, mix, shift
from .value import SCRATCH, evaluate

MOST: Final = 1500
ROOM: Final = 2 * WORDS + MAX_LEGAL
NUMBERS: Final = SCRATCH + MAX_SEATS + MAX_LEGAL

_chooser = kernel.legal.chooser
_due = kernel.chance.due


@block
def heated(table: Table, room: Words, weights: Numbers, heat: float, numbers: Numbers, x: Bits) -> int:
    """A move drawn by how good the position after it looks."""
    after = shift(room, WORDS)
    moves = shift(room, 2 * WORDS)
    value = shift(numbers, SCRATCH)
    chances = shift(numbers, SCRATCH + MAX_SEATS)
    seat = _chooser(room)
    size = list_moves(table, room, moves)
    top = -1.0
    for number in range(size):
        copy(room, after)
        apply(table, after, moves[number])
        evaluate(table, after, weights, numbers, value)
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
            return int(moves[number])
    return int(moves[size - 1])


@block
def keep(table: Table, state: Words, features: Numbers) -> None:
    """Write the features of all seats."""
    for seat in range(table[T_SEATS]):
        describe(table, state, seat, shift(features, seat * SIZE))
    compare(table, features)


@block
def play_game(
    table: Table,
    room: Words,
    weights: Numbers,
    settings: Numbers,
    features: Numbers,
    space: int,
    numbers: Numbers,
    x: Bits,
) -> int:
    """Play on from the state at the head of ``room``, keeping a sample now and then; how many were kept."""
    kept = 0
    for _ in range(MOST):
        if room[OVER]:
            break
        x += GOLDEN
        if _due(room):
            deal_card(table, room, mix(x))
            continue
        if below(mix(x ^ ONE), int(settings[1])) == 0 and kept < space:
            keep(table, room, shift(features, kept * table[T_SEATS] * SIZE))
            kept += 1
        apply(table, room, heated(table, room, weights, settings[0], numbers, mix(x)))
    return kept


@entry
def play_games(  # noqa: PLR0917
    table: Any,
    starts: Any,
    first: int,
    last: int,
    weights: Any,
    settings: Any,
    seed: int,
    room: Any,
    numbers: Any,
    features: Any,
    winners: Any,
) -> int:
    """Play the games ``first`` to ``last`` - 1 of a seed, from each opening in turn; how many samples were kept.

    ``settings`` are the heat, and that one decision in so many is kept; ``winners`` gets the seat that won, from 0, or
    -1, for each sample.
    """
    rules = pointer(table, 0)
    work = pointer(room, 0)
    kept = 0
    openings = starts.size // WORDS
    for game in range(first, last):
        copy(pointer(starts, (game % openings) * WORDS), work)
        x = mix(U(seed) * GOLDEN + U(game))
        place = floats(features, kept * rules[T_SEATS] * SIZE)
        added = play_game(
            rules, work, floats(weights, 0), floats(settings, 0), place, winners.size - kept, floats(numbers, 0), x
        )
        for sample in range(kept, kept + added):
            winners[sample] = work[OVER] - 1 if 0 < work[OVER] < NOBODY else -1
        kept += added
    return kept
