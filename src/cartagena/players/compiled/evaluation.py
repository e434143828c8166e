"""Win chances of a position: a small network over each seat's features, the same for every seat.

    score of a seat = linear . f + out . relu(bias + inner f)        chances = softmax over the seats

The weights are one row of numbers: linear (SIZE), bias (HIDDEN), out (HIDDEN), inner (SIZE x HIDDEN). A row that begins
with a mark of ``network`` belongs to a larger network of that module; a search decides by that mark at run time, so
that it is compiled once for all.
"""

from typing import Final

from cartagena.backends.cpu import Numbers, block, entry, exp, kernel, part, pointer, rule
from cartagena.backends.cpu.vectors import sum_of_products
from cartagena.kernel.intrinsics import RuleTable, Words
from cartagena.kernel.layout import MAX_SEATS, OVER, T_SEATS

from .features import SIZE, compare, feature_vector
from .network import is_network, network_chances

HIDDEN: Final = 16
BIAS: Final = SIZE
OUT: Final = BIAS + HIDDEN
INNER: Final = OUT + HIDDEN
WEIGHTS: Final = INNER + SIZE * HIDDEN
SCRATCH: Final = MAX_SEATS * SIZE + HIDDEN
"""Numbers that ``evaluate`` works in: the features of all seats, and the hidden layer."""


_winner = kernel.legal.winner
add_products = sum_of_products(HIDDEN, sparse=True)


@rule
def score(weights: Numbers, features: Numbers, inner: Numbers) -> float:
    """The network's score of one seat's features."""
    for unit in range(HIDDEN):
        inner[unit] = weights[BIAS + unit]
    add_products(features, SIZE, part(weights, INNER), inner)
    total = 0.0
    for number in range(SIZE):
        total += weights[number] * features[number]
    for unit in range(HIDDEN):
        total += weights[OUT + unit] * max(inner[unit], 0.0)
    return total


@block
def settle(rules: RuleTable, state: Words, out: Numbers) -> None:
    """Write what a game that is over is worth to each seat: 1 to the winner and 0 to the others.

    A deadlock is shared equally, as by ``Outcome.shares`` and ``study.solve``: a losing seat seeks it, a leading one
    avoids it.
    """
    won = _winner(state)
    share = 1.0 / rules[T_SEATS] if won < 0 else 0.0
    for seat in range(rules[T_SEATS]):
        out[seat] = share
    if won >= 0:
        out[won] = 1.0


@block
def feature_chances(rules: RuleTable, state: Words, weights: Numbers, scratch: Numbers, out: Numbers) -> None:
    """Write the win chance of every seat by its features, or the result of a game that is over."""
    if state[OVER]:
        settle(rules, state, out)
        return
    seats = rules[T_SEATS]
    for seat in range(seats):
        feature_vector(rules, state, seat, part(scratch, seat * SIZE))
    compare(rules, scratch)
    inner = part(scratch, MAX_SEATS * SIZE)
    total = 0.0
    for seat in range(seats):
        out[seat] = exp(min(30.0, max(-30.0, score(weights, part(scratch, seat * SIZE), inner))))
        total += out[seat]
    for seat in range(seats):
        out[seat] /= total


@block
def evaluate(rules: RuleTable, state: Words, weights: Numbers, scratch: Numbers, out: Numbers) -> None:
    """Write the win chance of every seat by either kind of weights, or the result of a game that is over."""
    if is_network(weights) and state[OVER] == 0:
        network_chances(rules, state, weights, scratch, out)
    else:
        feature_chances(rules, state, weights, scratch, out)


@entry
def judge_by_features(
    rule_numbers: RuleTable, words: Words, features: Numbers, values: Numbers, weights: Numbers, scratch: Numbers
) -> None:
    """Write the features of all seats and their win chances, for Python to read."""
    rules, state = pointer(rule_numbers, 0), pointer(words, 0)
    for seat in range(rules[T_SEATS]):
        feature_vector(rules, state, seat, pointer(features, seat * SIZE))
    compare(rules, pointer(features, 0))
    feature_chances(rules, state, pointer(weights, 0), pointer(scratch, 0), pointer(values, 0))
