"""Quick games for training: every seat plays one action ahead by its evaluation, hundreds of games a second.

A move is drawn by the value of the position after it, with little heat; now and then one is drawn by chance alone, so
that training sees what follows mistakes. Some positions of each game are kept with two labels: the seat that won, and
the lambda return: the evaluations of the rest of the game, those nearer in time counting more, and in the end the
result.
"""

from typing import Any, Final, NamedTuple

from cartagena.backends.cpu import (
    Numbers,
    Word,
    apply,
    below,
    block,
    compiled,
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

from .evaluation import SCRATCH, evaluate, settle

LONGEST: Final = 1500
"""Decisions after which a game is broken off."""

# --- settings[]
HEAT: Final = 0  # of the values by which a move is drawn; 0: the best one is played
STRAY: Final = 1  # a decision is drawn by chance alone with a chance of 1 in this number
EVERY: Final = 2  # a position is kept before the move with a chance of 1 in this number, and as often after it
LAMBDA: Final = 3  # how much of a return is taken from the next decision
SETTINGS: Final = 4

GAME: Final = 2 * WORDS + MAX_LEGAL
"""Words of a game: the state, a state after a move, the legal moves."""
CHANCES: Final = SCRATCH + MAX_SEATS
VALUES: Final = CHANCES + MAX_LEGAL
NUMBERS: Final = VALUES + MAX_LEGAL * MAX_SEATS
"""Numbers of a game: what evaluating needs, the value of the move played, chances and values of all moves."""
RETURNS: Final = (LONGEST + 1) * MAX_SEATS
"""Numbers of the values of a game's decisions, which become returns."""

# --- what the draws of a decision are for, added to its key
STRAYS: Final = 1
KEEPS: Final = 2
CHOOSES: Final = 3
STRAYS_TO: Final = 4

_chooser = kernel.legal.chooser
_due = kernel.chance.due
_winner = kernel.legal.winner
_generator: Any = compiled.load("backends.portable.generator")
_key_of, _next_key = _generator.key_of, _generator.next_key
_set_up: Any = compiled.load("backends.portable.deal").set_up


class QuickRoom(NamedTuple):
    """What the games are played by, and working space for one of them.

    ``plan`` and ``opening`` say how a game is dealt (see ``backends.openings``), ``settings`` are named above, ``when``
    has the decision that each position kept comes before.
    """

    rules: Any
    plan: Any
    opening: Any
    weights: Any
    settings: Any
    game: Any
    numbers: Any
    returns: Any
    when: Any


class QuickSamples(NamedTuple):
    """Samples to be written: states, the winner from 0, the returns of all seats, and the number of the game."""

    states: Any
    winners: Any
    returns: Any
    games: Any


@block
def choose(rules: RuleTable, game: Words, weights: Numbers, heat: float, numbers: Numbers, x: Word) -> int:
    """Draw a move by the value of the position after it, which is written to ``numbers`` at SCRATCH."""
    after, moves = part(game, WORDS), part(game, 2 * WORDS)
    chances = part(numbers, CHANCES)
    seat = _chooser(game)
    size = list_moves(rules, game, moves)
    top = -1.0
    found = 0
    for number in range(size):
        value = part(numbers, VALUES + number * MAX_SEATS)
        copy(game, after)
        apply(rules, after, moves[number])
        evaluate(rules, after, weights, numbers, value)
        chances[number] = value[seat]
        if value[seat] > top:
            top = value[seat]
            found = number
    if heat > 0.0:
        total = 0.0
        for number in range(size):
            chances[number] = exp((chances[number] - top) / heat)
            total += chances[number]
        mark = total * (float(x >> word(11)) / 9007199254740992.0)
        for number in range(size):
            mark -= chances[number]
            if mark < 0.0:
                found = number
                break
    for other in range(rules[T_SEATS]):
        numbers[SCRATCH + other] = numbers[VALUES + found * MAX_SEATS + other]
    return int(moves[found])


@block
def stray(rules: RuleTable, game: Words, x: Word) -> int:
    """Any legal move."""
    moves = part(game, 2 * WORDS)
    return int(moves[below(x, list_moves(rules, game, moves))])


@block
def finish_returns(rules: RuleTable, state: Words, share: float, made: int, returns: Numbers) -> None:
    """Turn the values of ``made`` decisions into lambda returns, from the result of the game back."""
    seats = rules[T_SEATS]
    settle(rules, state, part(returns, made * MAX_SEATS))
    for back in range(made):
        at = (made - 1 - back) * MAX_SEATS
        for seat in range(seats):
            returns[at + seat] += share * (returns[at + MAX_SEATS + seat] - returns[at + seat])


@block
def play_quick(play: QuickRoom, states: Words, space: int, key: Word) -> int:
    """Play on from the state in ``play.game`` and keep some positions. Returns their number, at most ``space``."""
    rules, state, settings, numbers = play.rules, play.game, play.settings, play.numbers
    made = 0
    kept = 0
    while state[OVER] == 0 and made < LONGEST:
        key = _next_key(key)
        x = mix(key)
        if _due(state):
            deal_card(rules, state, x)
            continue
        strays = below(mix(x + word(STRAYS)), int(settings[STRAY])) == 0
        keeps = below(mix(x + word(KEEPS)), int(settings[EVERY]))
        if keeps == 0 and kept < space:
            copy(state, part(states, kept * WORDS))
            play.when[kept] = made
            kept += 1
        action = choose(rules, state, play.weights, settings[HEAT], numbers, mix(x + word(CHOOSES)))
        if strays:
            action = stray(rules, state, mix(x + word(STRAYS_TO)))
        for seat in range(rules[T_SEATS]):
            play.returns[made * MAX_SEATS + seat] = numbers[SCRATCH + seat]
        apply(rules, state, action)
        made += 1
        if (keeps == 1 or strays) and kept < space and state[OVER] == 0:
            copy(state, part(states, kept * WORDS))
            play.when[kept] = made
            kept += 1
    finish_returns(rules, state, settings[LAMBDA], made, play.returns)
    return kept


@entry
def quick_games(arrays: QuickRoom, seed: int, first: int, last: int, out: QuickSamples) -> int:
    """Play the games ``first`` to ``last`` - 1 of a seed, and write samples of those that had a winner.

    Returns the number of samples. The same seed and number of a game give the same game on every machine.
    """
    play = pointers(arrays)
    rules, state = play.rules, play.game
    kept = 0
    for game in range(first, last):
        key = _set_up(rules, play.plan, play.opening, state, _key_of(word(seed), word(game)))
        added = play_quick(play, pointer(out.states, kept * WORDS), out.winners.size - kept, key)
        won = _winner(state)
        if won >= 0:
            for sample in range(kept, kept + added):
                out.winners[sample] = won
                out.games[sample] = game
                at = play.when[sample - kept] * MAX_SEATS
                for seat in range(rules[T_SEATS]):
                    out.returns[sample * MAX_SEATS + seat] = play.returns[at + seat]
            kept += added
    return kept
