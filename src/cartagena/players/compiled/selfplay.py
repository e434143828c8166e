"""Games of the evaluation against itself, for tuning: one action ahead, with some heat, many a second; or slower, turn
by turn as people and the higher levels play, about half of the seats by other weights.

The positions kept are some of every game, as features of all seats with the result.
"""

import math
from typing import Any, Final

from cartagena.backends.cpu import block, entry, kernel, part, pointer
from cartagena.backends.cpu.toolkit import (
    FIRST,
    GOLDEN,
    SECOND,
    Numbers,
    Word,
    apply,
    below,
    copy,
    deal_card,
    list_moves,
    mix,
    word,
)
from cartagena.kernel.intrinsics import RuleTable, Words
from cartagena.kernel.layout import ACTIONS, MAX_LEGAL, MAX_SEATS, NOBODY, OVER, T_SEATS, WORDS

from .evaluation import SCRATCH, WEIGHTS, evaluate
from .features import SIZE, compare, describe
from .turn_search import NUMBERS as TURN_NUMBERS
from .turn_search import ROOM as TURN_ROOM
from .turn_search import SLOTS, STATES, look_through

MOST: Final = 1500
HEATED: Final = 16
"""Where whole turns are played, one decision in so many is still drawn by heat: games shall differ, and end."""

# The room of a game: what looking through a turn needs, from 0 on, then the game itself.
SLOTS_AT: Final = TURN_ROOM
FIRST_AT: Final = SLOTS_AT + SLOTS
BARS_AT: Final = FIRST_AT + STATES
GAME_AT: Final = BARS_AT + ACTIONS
ROOM: Final = GAME_AT + 2 * WORDS + MAX_LEGAL
RESULT_AT: Final = TURN_NUMBERS
HEATED_AT: Final = RESULT_AT + MAX_SEATS + 1
NUMBERS: Final = HEATED_AT + SCRATCH + MAX_SEATS + MAX_LEGAL

_chooser = kernel.legal.chooser
_due = kernel.chance.due


@block
def heated(table: RuleTable, room: Words, weights: Numbers, heat: float, numbers: Numbers, x: Word) -> int:
    """A move drawn by how good the position after it looks."""
    after = part(room, WORDS)
    moves = part(room, 2 * WORDS)
    value = part(numbers, SCRATCH)
    chances = part(numbers, SCRATCH + MAX_SEATS)
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
    mark = total * (float(x >> word(11)) / 9007199254740992.0)
    for number in range(size):
        mark -= chances[number]
        if mark < 0.0:
            return int(moves[number])
    return int(moves[size - 1])


@block
def planned(table: RuleTable, room: Any, weights: Numbers, numbers: Any) -> int:
    """The first action of the turn that ends best."""
    copy(pointer(room, GAME_AT), pointer(room, 0))
    slots, first, bars = pointer(room, SLOTS_AT), pointer(room, FIRST_AT), pointer(room, BARS_AT)
    return look_through(table, weights, room, slots, numbers, first, bars, pointer(numbers, RESULT_AT))


@block
def keep(table: RuleTable, state: Words, features: Numbers) -> None:
    """Write the features of all seats."""
    for seat in range(table[T_SEATS]):
        describe(table, state, seat, part(features, seat * SIZE))
    compare(table, features)


@block
def play_game(  # noqa: PLR0917
    table: RuleTable,
    room: Any,
    weights: Numbers,
    settings: Numbers,
    features: Numbers,
    space: int,
    numbers: Any,
    guests: int,
    x: Word,
) -> int:
    """Play on from the state in ``room``, keeping a sample now and then; how many were kept."""
    kept = 0
    state = pointer(room, GAME_AT)
    for _ in range(MOST):
        if state[OVER]:
            break
        x += GOLDEN
        if _due(state):
            deal_card(table, state, mix(x))
            continue
        if below(mix(x ^ FIRST), int(settings[1])) == 0 and kept < space:
            keep(table, state, part(features, kept * table[T_SEATS] * SIZE))
            kept += 1
        its = part(weights, ((guests >> _chooser(state)) & 1) * WEIGHTS)
        if settings[2] > 0.0 and below(mix(x ^ SECOND), HEATED) != 0:
            apply(table, state, planned(table, room, its, numbers))
        else:
            apply(table, state, heated(table, state, its, settings[0], pointer(numbers, HEATED_AT), mix(x)))
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
    guests: Any,
) -> int:
    """Play the games ``first`` to ``last`` - 1 of a seed, from each opening in turn; how many samples were kept.

    ``settings`` are the heat, that one decision in so many is kept, and whether whole turns are played; then
    ``weights`` are two sets, and every seat plays by the second one with chance a half. ``winners`` gets the seat that
    won, from 0, or -1, for each sample, ``guests`` the seats that played by the second set, as bits.
    """
    rules = pointer(table, 0)
    work = pointer(room, GAME_AT)
    kept = 0
    openings = starts.size // WORDS
    for game in range(first, last):
        copy(pointer(starts, (game % openings) * WORDS), work)
        x = mix(word(seed) * GOLDEN + word(game))
        others = below(mix(x), 1 << MAX_SEATS) if settings[2] > 0.0 else 0
        place = pointer(features, kept * rules[T_SEATS] * SIZE)
        space = winners.size - kept
        added = play_game(rules, room, pointer(weights, 0), pointer(settings, 0), place, space, numbers, others, x)
        for sample in range(kept, kept + added):
            guests[sample] = others
            winners[sample] = work[OVER] - 1 if 0 < work[OVER] < NOBODY else -1
        kept += added
    return kept
