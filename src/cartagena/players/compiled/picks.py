"""The choices of the players that look no further than one action, written like rules.

Plain Python plays by them, so that these players answer without compiled code; browsers and vector environments get
them compiled. A choice follows from a key and the view. That of a player follows from its seed and the number of the
decision (``key_at``), so that a browser chooses the same.
"""

from typing import Final

from ...backends.portable.generator import draw, key_of, mix, next_key, state_key
from ...backends.portable.intrinsics import Numbers, Word, word
from ...backends.portable.toolkit import list_moves
from ...kernel.intrinsics import RuleTable, Words, rule
from ...kernel.layout import END, RETREAT
from ...kernel.legal import drawn, share
from .greedy import worth

FORWARD: Final = 3
"""How much likelier the deckhand is to advance than to do anything else."""


@rule
def key_at(state: Words, seed: int, number: int) -> Word:
    """The key of decision ``number`` (from 0) of a seed, in this view."""
    return mix(key_of(word(seed), word(number)) ^ state_key(state))


@rule
def any_action(rules: RuleTable, state: Words, key: Word) -> int:
    """A legal action, each as likely as any other."""
    return drawn(rules, state, draw(key))


@rule
def liking(action: int) -> int:
    """How likely the deckhand is to choose an action: it ends a turn only where nothing else is legal."""
    if action == END:
        return 0
    return FORWARD if action < RETREAT else 1


@rule
def deckhand_action(rules: RuleTable, state: Words, key: Word, out: Words) -> int:
    """The deckhand's action; ``out`` has space for the legal ones."""
    size = list_moves(rules, state, out)
    total = 0
    for index in range(size):
        total += liking(out[index])
    left = share(draw(key), total)
    for index in range(size):
        left -= liking(out[index])
        if left < 0:
            return out[index]
    return out[0]


@rule
def sailor_scores(rules: RuleTable, state: Words, key: Word, after: Words, out: Words, scores: Numbers) -> int:
    """Write the legal actions, in an order that is drawn, with their scores by themselves.

    ``after`` has space for a state. Returns the number of actions.
    """
    size = list_moves(rules, state, out)
    for last in range(size - 1, 0, -1):
        key = next_key(key)
        other = share(draw(key), last + 1)
        action = out[last]
        out[last] = out[other]
        out[other] = action
    for index in range(size):
        scores[index] = worth(rules, state, out[index], after)
    return size


@rule
def best_scored(out: Words, scores: Numbers, size: int) -> int:
    """The action with the highest score, the first of equal ones."""
    best = 0
    for index in range(1, size):
        if scores[index] > scores[best]:
            best = index
    return out[best]


@rule
def rank_scored(out: Words, scores: Numbers, size: int) -> None:
    """Put the actions in the order of their scores, the best first; equal ones keep theirs."""
    for index in range(1, size):
        action, score, rank = out[index], scores[index], index
        while rank > 0 and scores[rank - 1] < score:
            out[rank] = out[rank - 1]
            scores[rank] = scores[rank - 1]
            rank -= 1
        out[rank] = action
        scores[rank] = score


@rule
def sailor_order(rules: RuleTable, state: Words, key: Word, after: Words, out: Words, scores: Numbers) -> int:
    """``sailor_scores``, the best action first."""
    size = sailor_scores(rules, state, key, after, out, scores)
    rank_scored(out, scores, size)
    return size
