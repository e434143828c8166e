"""Win chances of a position by a trained network, in the place of ``features`` and their small network.

The inputs are those of ``network_inputs``: the numbers of rows of weights. Where two play, the network looks at the
table once, from the seat to move, and gives the scores of both:

    sums (64)   = bias + own rows of the mover + rival rows of the other + rows of the table as a whole
    layer (16)  = relu(bias + weights . relu(sums))
    scores (2)  = the last two sums + weights . layer          chances = softmax over the seats

Where more play, it looks from every seat and gives the score of that seat. A network of pairs looks at each rival by
itself, so that it can tell one strong rival from two weak ones:

    sums (64)   = bias + own rows + rival rows of one rival + row of its distance in turns + rows of the table
    layer (16)  = relu(bias + weights . mean over the rivals of relu(sums))
    score       = the last sums but one, of all rivals + weights . layer

An older kind of network adds up the rows of all rivals first, as for two seats. The rows are whole numbers, added up
exactly; the rest is in a fixed order. So all backends find the same value to the bit.
"""

from typing import Any, Final

from cartagena.backends.cpu import Numbers, block, exp, part, rule
from cartagena.backends.cpu.compiler import float32s, int16s, int32s, stack_words
from cartagena.backends.cpu.vectors import rectified, rectified_pairs, sum_of_products, sum_of_rows
from cartagena.kernel.intrinsics import RuleTable, Words
from cartagena.kernel.layout import MAX_SEATS, T_SEATS, TURN

from .network_inputs import INPUTS, MOST, OWN, RIVAL, seat_inputs, table_inputs

# --- the weights: one row of numbers, parts of which are read as numbers of other kinds
WIDTH: Final = 64
LAYER: Final = 16
SCORES: Final = 2
UNITS: Final = WIDTH - SCORES
DISTANCES: Final = 8
"""Rows behind those of the inputs in a network of pairs: one for each distance in turns from a seat to its rival."""
MARK: Final = 1e18
"""The first number of a network. In weights of features it weighs what is the same for all seats, and is small."""
PAIRS_MARK: Final = 2e18
"""The first number of a network of pairs."""
UNIT: Final = 1  # the value of 1 in a sum: a power of two
SCORE_BIAS: Final = 2
SCORE_WEIGHTS: Final = SCORE_BIAS + SCORES  # LAYER x SCORES
LAYER_BIAS: Final = SCORE_WEIGHTS + LAYER * SCORES  # single precision: LAYER
# single precision: WIDTH x LAYER, times UNIT; 0 for the last SCORES rows
LAYER_WEIGHTS: Final = LAYER_BIAS + LAYER // 2
SUMS_BIAS: Final = LAYER_WEIGHTS + WIDTH * LAYER // 2  # 32 bits: WIDTH
ROWS: Final = SUMS_BIAS + WIDTH // 2  # 16 bits: INPUTS x WIDTH, and DISTANCES x WIDTH for pairs
SIZE: Final = ROWS + INPUTS * WIDTH // 4
PAIRS_SIZE: Final = SIZE + DISTANCES * WIDTH // 4
GROUP: Final = 16
"""Rows that are added up in 16 bits before the sum goes on in 32, which takes half as long."""
LARGEST: Final = 32767 // GROUP
"""The largest number of a row: a group of them does not overflow."""

# --- words of working space
SUMS_ROOM: Final = WIDTH // 2
ALL_SUMS_ROOM: Final = MAX_SEATS * WIDTH // 2
LAYER_ROOM: Final = LAYER // 2
TABLE_ROOM: Final = 8

sum_rows = sum_of_rows(WIDTH, GROUP)
add_layer = sum_of_products(LAYER, sparse=False)
rectify = rectified(WIDTH)
add_pair = rectified_pairs(WIDTH)


@rule
def is_network(weights: Numbers) -> bool:
    """True for the weights of a network of either kind."""
    return weights[0] == MARK or weights[0] == PAIRS_MARK


@block
def judge(weights: Numbers, sums: Any, scores: Numbers) -> None:
    """The scores that belong to the sums of the first layer."""
    values = float32s(stack_words(SUMS_ROOM))
    layer = float32s(stack_words(LAYER_ROOM))
    bias = float32s(part(weights, LAYER_BIAS))
    rectify(sums, values)
    for unit in range(LAYER):
        layer[unit] = bias[unit]
    add_layer(values, WIDTH, float32s(part(weights, LAYER_WEIGHTS)), layer)
    for score in range(SCORES):
        scores[score] = weights[SCORE_BIAS + score] + weights[UNIT] * sums[UNITS + score]
    for unit in range(LAYER):
        for score in range(SCORES):
            scores[score] += weights[SCORE_WEIGHTS + unit * SCORES + score] * max(layer[unit], 0.0)


@block
def add_rows(weights: Numbers, first: int, rows: Words, number: int, sums: Any) -> None:
    """Add rows of the weights, counted from the row ``first``, to sums."""
    sum_rows(int16s(part(weights, ROWS + first * (WIDTH // 4))), rows, number, sums)


@rule
def look_from(rules: RuleTable, weights: Numbers, seat: int, sums: Any, rival: Any, scores: Numbers) -> None:
    """Complete the sums of a seat by those of its rivals, and write the scores."""
    others = stack_words(TABLE_ROOM)
    number = 0
    for other in range(rules[T_SEATS]):
        if other != seat:
            others[number] = other
            number += 1
    sum_rows(rival, others, number, sums)
    judge(weights, sums, scores)


@block
def pairs_score(rules: RuleTable, weights: Numbers, seat: int, own: Any, rival: Any) -> float:
    """The score of a seat from its own sums and those of each rival."""
    seats = rules[T_SEATS]
    total = int32s(stack_words(SUMS_ROOM))
    values = float32s(stack_words(SUMS_ROOM))
    layer = float32s(stack_words(LAYER_ROOM))
    bias = float32s(part(weights, LAYER_BIAS))
    for unit in range(WIDTH):
        total[unit] = 0
    line = own[UNITS]
    for away in range(1, seats):
        other = seat + away
        if other >= seats:
            other -= seats
        its = part(rival, other * WIDTH)
        add_pair(own, its, int16s(part(weights, SIZE + away * (WIDTH // 4))), total)
        line += its[UNITS]
    rectify(total, values)
    for unit in range(LAYER):
        layer[unit] = 0.0
    add_layer(values, WIDTH, float32s(part(weights, LAYER_WEIGHTS)), layer)
    share = 1.0 / (seats - 1)
    score = weights[SCORE_BIAS] + weights[UNIT] * line
    for unit in range(LAYER):
        score += weights[SCORE_WEIGHTS + unit * SCORES] * max(bias[unit] + share * layer[unit], 0.0)
    return score  # type: ignore[no-any-return]


@rule
def network_scores(rules: RuleTable, state: Words, weights: Numbers, scores: Numbers) -> None:
    """Write the score of every seat. ``scores`` has room for ``SCORES`` more."""
    seats = rules[T_SEATS]
    mover = state[TURN]
    pairs = weights[0] == PAIRS_MARK
    every = pairs or seats > 2
    rows = stack_words(MOST)
    own = int32s(stack_words(ALL_SUMS_ROOM))
    rival = int32s(stack_words(ALL_SUMS_ROOM))
    bias = int32s(part(weights, SUMS_BIAS))
    common = int32s(stack_words(SUMS_ROOM))
    found = part(scores, MAX_SEATS)
    for unit in range(WIDTH):
        common[unit] = bias[unit]
    add_rows(weights, 0, rows, table_inputs(rules, state, rows), common)
    for seat in range(seats):
        mine, its = part(own, seat * WIDTH), part(rival, seat * WIDTH)
        for unit in range(WIDTH):
            mine[unit] = common[unit]
            its[unit] = 0
        size = seat_inputs(rules, state, seat, rows)
        if every or seat == mover:
            add_rows(weights, OWN, rows, size, mine)
        if every or seat != mover:
            add_rows(weights, RIVAL, rows, size, its)
    for seat in range(seats):
        if pairs:
            scores[seat] = pairs_score(rules, weights, seat, part(own, seat * WIDTH), rival)
        elif every or seat == mover:
            look_from(rules, weights, seat, part(own, seat * WIDTH), rival, found)
            scores[seat] = found[0]
    if not every:
        scores[1 - mover] = found[1]


@rule
def network_chances(rules: RuleTable, state: Words, weights: Numbers, scratch: Numbers, out: Numbers) -> None:
    """Write the win chance of every seat of a game that is not over."""
    seats = rules[T_SEATS]
    network_scores(rules, state, weights, scratch)
    total = 0.0
    for seat in range(seats):
        out[seat] = exp(min(30.0, max(-30.0, scratch[seat])))
        total += out[seat]
    for seat in range(seats):
        out[seat] /= total
