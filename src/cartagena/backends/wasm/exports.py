"""What browsers get of the rules: the kernel's functions on pointers, chance, deals and rollouts."""

from collections.abc import Callable
from typing import Any, Final

from cartagena.backends.cpu import compiled, kernel
from cartagena.kernel.intrinsics import RuleTable, Words
from cartagena.kernel.layout import OVER

_chance, _legal, _validate = kernel.chance, kernel.legal, kernel.validate
_set_up = compiled.load("backends.portable.deal").set_up
_generator: Any = compiled.load("backends.portable.generator")
_playout: Any = compiled.load("backends.portable.playout")
_key_of, _next_key = _generator.key_of, _generator.next_key
_play = _playout.play
_draw: Callable[..., int] = _playout.chance
_choose: Callable[..., int] = compiled.load("backends.portable.policy").choose
_sequences: Callable[..., int] = compiled.load("backends.cpu.perft").sequences
_list, _count, _chooser, _due, _weight = _legal.legal, _legal.count, _legal.chooser, _chance.due, _chance.weight
_step, _view, _reason = kernel.step.step, kernel.view.view, kernel.reasons.reason
_fault, _gather, _put = _validate.fault, _validate.gather, kernel.track.put
_word: Any = compiled.load("backends.portable.intrinsics").word
_number: Any = compiled.load("backends.portable.intrinsics").number

SEED, FIRST, LAST, CAP, LONGEST = range(5)
"""The numbers of the games that ``rollout`` plays."""


def legal(table: RuleTable, state: Words, out: Words) -> int:
    """Write the legal actions in ascending order, and return their number."""
    return _list(table, state, out)


def chooser(state: Words) -> int:
    """The seat that must choose, from 0, or -1 for a deal or a finished game."""
    return _chooser(state)


def due(state: Words) -> int:
    """How many cards are to be dealt."""
    return _due(state)


def weight(table: RuleTable, state: Words, card: int) -> int:
    """How many such cards could be dealt now."""
    return _weight(table, state, card)


def step(table: RuleTable, state: Words, action: int) -> None:
    """Play a legal action on the state, in place."""
    _step(table, state, action)


def view(table: RuleTable, state: Words, seat: int, out: Words) -> None:
    """Write what a seat may know. Seat -1 is a spectator."""
    _view(table, state, seat, out)


def reason(table: RuleTable, state: Words, action: int) -> int:
    """0 for a legal action, else the number of the first reason that forbids it."""
    return _reason(table, state, action)


def put(table: RuleTable, state: Words, seat: int, place: int) -> None:
    """Set one pirate of a seat down on a place."""
    _put(table, state, seat, place)


def gather(table: RuleTable, state: Words) -> int:
    """Complete a state whose pirates are set down. Returns 0 or the number of its fault."""
    return _gather(table, state)


def fault(table: RuleTable, state: Words) -> int:
    """0 for a possible position, else the number of its first fault."""
    return _fault(table, state)


def perft(table: RuleTable, stack: Words, depth: int) -> int:
    """Count the sequences of ``depth`` (1 or more) moves from the state in the first words of the stack."""
    return _sequences(table, stack, depth)


def opening(
    table: RuleTable, plan: RuleTable, words: RuleTable, state: Words, seed: int, game: int, key: Words
) -> None:
    """Write the start of a game of a seed, and the key of its last draw."""
    key[0] = _number(_set_up(table, plan, words, state, _key_of(_word(seed), _word(game))))


def draw(table: RuleTable, state: Words, key: Words) -> int:
    """The deal that the next key brings, where a card is due, else the action of the policy ``uniform``."""
    now = _next_key(_word(key[0]))
    key[0] = _number(now)
    if _due(state):
        return _draw(table, state, now)
    return _choose(table, state, now)


def rollout(
    table: RuleTable, plan: RuleTable, words: RuleTable, games: RuleTable, state: Words, ends: Words, lengths: Words
) -> int:
    """Play the games that the numbers ``games`` say, and count how they end and how long they are.

    Returns the number of all moves.
    """
    moves = 0
    for game in range(games[FIRST], games[LAST]):
        key = _set_up(table, plan, words, state, _key_of(_word(games[SEED]), _word(game)))
        made = _play(table, state, key, games[CAP])
        ends[state[OVER]] += 1
        lengths[min(made, games[LONGEST])] += 1
        moves += made
    return moves


EXPORTS: Final = (
    legal, chooser, due, weight, step, view, reason, put, gather, fault, perft, opening, draw, rollout,
)  # fmt: skip
