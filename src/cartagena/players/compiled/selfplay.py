"""Self-play for tuning: games one action ahead with some heat, many a second; or slower, by whole turns.

Whole turns are what people and the higher levels play; about half of the seats then play by other weights. Some
positions of every game are kept as samples: the features of all seats, with the winner.
"""

from typing import Final, NamedTuple

from cartagena.backends.arrays import FloatArray, IntArray
from cartagena.backends.cpu import (
    FIRST,
    GOLDEN,
    SECOND,
    Numbers,
    Word,
    apply,
    below,
    block,
    copy,
    deal_card,
    entry,
    exp,
    kernel,
    list_moves,
    mix,
    part,
    pointer,
    pointers,
    word,
)
from cartagena.kernel.intrinsics import RuleTable, Words
from cartagena.kernel.layout import MAX_LEGAL, MAX_SEATS, OVER, T_SEATS, WORDS

from .constants import HEATED, MOST
from .evaluation import SCRATCH, WEIGHTS, feature_chances
from .features import SIZE, compare, feature_vector
from .tree import Tree, find, key_of
from .turn_search import TurnSpace, compare_turns

# --- settings[]
HEAT: Final = 0
EVERY: Final = 1
WHOLE_TURNS: Final = 2
SETTINGS: Final = 3

GAME: Final = 2 * WORDS + MAX_LEGAL
"""Words of a game: the state, a state after a move, the legal moves."""
RESULT_AT: Final = SCRATCH + MAX_SEATS + MAX_LEGAL
NUMBERS: Final = RESULT_AT + MAX_SEATS + 1
"""Numbers of a game: what evaluating needs, values, chances of the moves, and the result of comparing turns."""

_chooser = kernel.legal.chooser
_due = kernel.chance.due
_winner = kernel.legal.winner


class SelfPlay(NamedTuple):
    """What the games are played by, and working space for one of them.

    ``settings`` are the heat, the number of decisions of which one is written, and whether whole turns are played.
    """

    rules: RuleTable
    weights: Numbers
    settings: Numbers
    game: Words
    numbers: Numbers


class Samples(NamedTuple):
    """Samples to be written: the features of all seats, the winner from 0 (or -1), and the seats that were guests.

    Guests play by the second set of weights; they are the bits of a number.
    """

    features: FloatArray
    winners: IntArray
    guests: IntArray


@block
def heated(rules: RuleTable, game: Words, weights: Numbers, heat: float, numbers: Numbers, x: Word) -> int:
    """Draw a move by the value of the position after it."""
    after = part(game, WORDS)
    moves = part(game, 2 * WORDS)
    value = part(numbers, SCRATCH)
    chances = part(numbers, SCRATCH + MAX_SEATS)
    seat = _chooser(game)
    size = list_moves(rules, game, moves)
    top = -1.0
    for number in range(size):
        copy(game, after)
        apply(rules, after, moves[number])
        feature_chances(rules, after, weights, numbers, value)
        chances[number] = value[seat]
        top = max(top, value[seat])
    total = 0.0
    for number in range(size):
        chances[number] = exp((chances[number] - top) / heat)
        total += chances[number]
    mark = total * (float(x >> word(11)) / 9007199254740992.0)
    for number in range(size):
        mark -= chances[number]
        if mark < 0.0:
            return int(moves[number])
    return int(moves[size - 1])


@block
def planned(play: SelfPlay, turn: TurnSpace, weights: Numbers) -> int:
    """The first action of the turn that ends best."""
    copy(play.game, turn.states)
    return compare_turns(play.rules, weights, turn, part(play.numbers, RESULT_AT))


@block
def write_features(rules: RuleTable, state: Words, features: Numbers) -> None:
    """Write the features of all seats."""
    for seat in range(rules[T_SEATS]):
        feature_vector(rules, state, seat, part(features, seat * SIZE))
    compare(rules, features)


@block
def play_game(play: SelfPlay, turn: TurnSpace, features: Numbers, space: int, guests: int, x: Word) -> int:
    """Play on from the state in ``play.game`` and keep some samples. Returns their number, at most ``space``."""
    rules, state, settings = play.rules, play.game, play.settings
    kept = 0
    for _ in range(MOST):
        if state[OVER]:
            break
        x += GOLDEN
        if _due(state):
            deal_card(rules, state, mix(x))
            continue
        if below(mix(x ^ FIRST), int(settings[EVERY])) == 0 and kept < space:
            write_features(rules, state, part(features, kept * rules[T_SEATS] * SIZE))
            kept += 1
        weights = part(play.weights, ((guests >> _chooser(state)) & 1) * WEIGHTS)
        if settings[WHOLE_TURNS] > 0.0 and below(mix(x ^ SECOND), HEATED) != 0:
            apply(rules, state, planned(play, turn, weights))
        else:
            apply(rules, state, heated(rules, state, weights, settings[HEAT], play.numbers, mix(x)))
    return kept


@entry
def play_games(
    arrays: SelfPlay, space: TurnSpace, starts: IntArray, first: int, last: int, seed: int, out: Samples
) -> int:
    """Play the games ``first`` to ``last`` - 1 of a seed, from each opening in turn, and write samples.

    Where whole turns are played, ``weights`` are two sets, and every seat plays by the second one with chance a half.
    Returns the number of samples.
    """
    play, turn = pointers(arrays), pointers(space)
    rules, state = play.rules, play.game
    kept = 0
    openings = starts.size // WORDS
    for game in range(first, last):
        copy(pointer(starts, (game % openings) * WORDS), state)
        x = mix(word(seed) * GOLDEN + word(game))
        guests = below(mix(x), 1 << MAX_SEATS) if play.settings[WHOLE_TURNS] > 0.0 else 0
        features = pointer(out.features, kept * rules[T_SEATS] * SIZE)
        added = play_game(play, turn, features, out.winners.size - kept, guests, x)
        for sample in range(kept, kept + added):
            out.guests[sample] = guests
            out.winners[sample] = _winner(state)
        kept += added
    return kept


@entry
def node_of(rules: RuleTable, trees: Tree, root: Words, observer: int) -> int:
    """The node of a view in a search tree, or -1. Self-play by search reads the tree from there."""
    tree = pointers(trees)
    return find(tree, key_of(pointer(rules, 0), pointer(root, 0), observer, part(tree.states, WORDS)))
