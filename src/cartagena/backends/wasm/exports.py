"""What browsers get of the rules: the kernel's functions on pointers, chance, deals, rollouts and traces."""

from collections.abc import Callable
from typing import Final

from cartagena.backends.cpu import apply, compiled, kernel, list_moves, number, part, word
from cartagena.kernel.intrinsics import RuleTable, Words
from cartagena.kernel.layout import MAX_SIGNS, OVER, SIGN

from .facts import compose, describe, options

_chance, _legal, _validate = kernel.chance, kernel.legal, kernel.validate
_set_up = compiled.load("backends.portable.games").lay_out  # called, not inlined three times
_generator, _tracing = compiled.load("backends.portable.generator"), compiled.load("backends.portable.trace")
_key_of, _next_key = _generator.key_of, _generator.next_key
_play: Callable[..., int] = compiled.load("backends.portable.playout").play
_trace: Callable[..., int] = _tracing.trace
_next_action: Callable[..., int] = _tracing.next_action
_chooser, _due, _weight = _legal.chooser, _chance.due, _chance.weight
_start_turn, _view, _reason = kernel.step.start_turn, kernel.view.view, kernel.reasons.reason
_pass_turn, _is_becalmed = kernel.step.pass_turn, kernel.moves.is_becalmed
_destination, _undo_wall = kernel.options.destination, kernel.options.undo_wall
_clear, _lay_out, _deal_first = _validate.clear, _validate.lay_out, _validate.deal_first

SEED, FIRST, LAST, CAP, LONGEST = range(5)
"""The numbers of the games that ``rollout`` plays."""


def legal(rules: RuleTable, state: Words, out: Words) -> int:
    """Write the legal actions in ascending order, and return their number."""
    return list_moves(rules, state, out)


def chooser(state: Words) -> int:
    """The seat that must choose, from 0, or -1 for a deal or a finished game."""
    return _chooser(state)


def due(state: Words) -> int:
    """How many cards are to be dealt."""
    return _due(state)


def weight(rules: RuleTable, state: Words, card: int) -> int:
    """How many such cards could be dealt now."""
    return _weight(rules, state, card)


def step(rules: RuleTable, state: Words, action: int) -> None:
    """Play a legal action on the state, in place."""
    apply(rules, state, action)


def pass_turn(rules: RuleTable, state: Words) -> None:
    """End a turn as games did before a becalmed game was over, for records that go on there."""
    _pass_turn(rules, state)


def becalmed(rules: RuleTable, state: Words) -> int:
    """1 if nothing but sailing is left for ever."""
    return _is_becalmed(rules, state)


def view(rules: RuleTable, state: Words, seat: int, out: Words) -> None:
    """Write what a seat may know. Seat -1 is a spectator."""
    _view(rules, state, seat, out)


def reason(rules: RuleTable, state: Words, action: int) -> int:
    """0 for a legal action, else the number of the first reason that forbids it."""
    return _reason(rules, state, action)


def destination(rules: RuleTable, state: Words, action: int) -> int:
    """The place where the pirate of an action ends, also for a card that the state hides, or -1."""
    return _destination(rules, state, action)


def undo_wall(before: Words, after: Words, action: int, dealt: int) -> int:
    """0 if a move can be taken back, else the number of the reason why neither it nor one before it can."""
    return _undo_wall(before, after, action, dealt)


def lay(rules: RuleTable, board: RuleTable, state: Words) -> None:
    """Write the position before the first card is dealt, on the board of a state."""
    _clear(rules, state)
    for sign in range(MAX_SIGNS):
        state[SIGN + sign] = board[SIGN + sign]
    _lay_out(rules, state)
    _start_turn(rules, state)


def deal_first(state: Words, target: int, card: int) -> None:
    """Deal a card before the first turn, to a seat's hand or, for the target -1, to the row."""
    _deal_first(state, target, card)


def opening(
    rules: RuleTable, plan: RuleTable, words: RuleTable, state: Words, seed: int, game: int, key: Words
) -> None:
    """Write the start of a game of a seed, and the key of its last draw."""
    key[0] = number(_set_up(rules, plan, words, state, _key_of(word(seed), word(game))))


def draw(rules: RuleTable, state: Words, key: Words) -> int:
    """The deal that the next key brings, where a card is due, else the action of the policy ``uniform``."""
    now = _next_key(word(key[0]))
    key[0] = number(now)
    return _next_action(rules, state, now)


def rollout(
    rules: RuleTable, plan: RuleTable, words: RuleTable, games: RuleTable, state: Words, ends: Words, lengths: Words
) -> int:
    """Play the games that the numbers ``games`` say, and count how they end and how long they are.

    Returns the number of all moves.
    """
    moves = 0
    for game in range(games[FIRST], games[LAST]):
        key = _set_up(rules, plan, words, state, _key_of(word(games[SEED]), word(game)))
        made = _play(rules, state, key, games[CAP])
        ends[state[OVER]] += 1
        lengths[min(made, games[LONGEST])] += 1
        moves += made
    return moves


def trace(
    rules: RuleTable, plan: RuleTable, words: RuleTable, games: RuleTable, state: Words, seen: Words, sums: Words
) -> int:
    """Play the games that ``rollout`` plays, and write the hash of each with all its states.

    ``seen`` has space for a list of moves. Returns the number of all states.
    """
    states = 0
    for game in range(games[FIRST], games[LAST]):
        key = _set_up(rules, plan, words, state, _key_of(word(games[SEED]), word(game)))
        states += _trace(rules, state, seen, key, games[CAP], part(sums, game - games[FIRST]))
    return states


EXPORTS: Final = (
    legal, chooser, due, weight, step, pass_turn, becalmed, view, reason, destination, undo_wall, describe, compose,
    options, lay, deal_first, opening, draw, rollout, trace,
)  # fmt: skip
