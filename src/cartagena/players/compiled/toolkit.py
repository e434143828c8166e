"""Small parts the compiled players share: copies, chance, deals of what is hidden."""

from collections.abc import Callable, MutableSequence
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np
from numba import njit, types
from numba.extending import intrinsic

from cartagena.backends.cpu import kernel, rule
from cartagena.backends.cpu.compiler import INNER
from cartagena.kernel.intrinsics import RuleTable, Words
from cartagena.kernel.layout import (
    HAND,
    HIDDEN,
    HIDDEN_BITS,
    HIDDEN_STOCK,
    MAX_SEATS,
    SEAT,
    SEAT_WORDS,
    STOCK,
    WORDS,
)

Numbers: TypeAlias = MutableSequence[float]
Bits: TypeAlias = Any
"""64 bits without a sign, which Python does not know."""

F = TypeVar("F", bound=Callable[..., Any])

U: Final = np.uint64
GOLDEN: Final = U(0x9E3779B97F4A7C15)
ONE: Final = U(0xBF58476D1CE4E5B9)
TWO: Final = U(0x94D049BB133111EB)

_step = kernel.step.step
_legal = kernel.legal.legal
_source = kernel.chance.source
_deal = kernel.chance.deal
_unseen = kernel.chance.unseen
_total = kernel.cards.total
_tally = kernel.cards.tally
_unit = kernel.cards.unit
_held = kernel.cards.held
_first_card = kernel.cards.first_card


def block(function: F) -> F:
    """Compile a function that stays a piece of its own: the rules are inlined into few of them, not everywhere."""
    compiled: F = njit(**{**INNER, "forceinline": False})(function)
    return compiled


@intrinsic
def floats(_, array, first):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """The numbers of a contiguous float64 array from index ``first`` on, as a bare pointer."""

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        return builder.gep(data, [arguments[1]])

    return types.CPointer(types.float64)(array, types.int64), generate


@intrinsic
def shift(_, numbers, offset):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """The same pointer so many numbers on."""

    def generate(_context, builder, _signature, arguments):  # type: ignore[no-untyped-def]
        return builder.gep(arguments[0], [arguments[1]])

    return numbers(numbers, types.int64), generate


@rule
def mix(x: Bits) -> Bits:
    """A number that looks random and follows from another (splitmix64)."""
    x = (x ^ (x >> U(30))) * ONE
    x = (x ^ (x >> U(27))) * TWO
    return x ^ (x >> U(31))


@rule
def below(x: Bits, limit: int) -> Any:
    """A whole number from 0 to ``limit`` - 1 out of 64 mixed bits."""
    return np.int64(((x >> U(32)) * U(limit)) >> U(32))


@rule
def copy(source: Words, target: Words) -> None:
    """Copy the words of a state."""
    for word in range(WORDS):
        target[word] = source[word]


@block
def apply(table: RuleTable, state: Words, action: int) -> None:
    """Play an action."""
    _step(table, state, action)


@block
def list_moves(table: RuleTable, state: Words, out: Words) -> int:
    """All legal moves."""
    return _legal(table, state, out)


@rule
def pick_card(cards: int, number: int) -> int:
    """The card with that number when the cards of a word are laid out one by one."""
    kinds = _held(cards)
    while True:
        card = _first_card(kinds)
        kinds &= kinds - 1
        number -= _tally(cards, card)
        if number < 0:
            return card


@block
def deal_card(table: RuleTable, state: Words, x: Bits) -> None:
    """Deal one due card, each of those it is drawn from as likely as any other."""
    cards = _source(table, state)
    _deal(table, state, pick_card(cards, below(x, _total(cards))))


@block
def deal_hidden(table: RuleTable, state: Words, x: Bits) -> None:
    """Make a full state of a view: hidden hands and the stock get cards that lie nowhere in sight."""
    hidden = state[HIDDEN]
    if hidden == 0:
        return
    cards = _unseen(table, state)
    left = _total(cards)
    for seat in range(MAX_SEATS):
        size = (hidden >> (seat * HIDDEN_BITS)) & 0xFF
        for _ in range(size):
            x += GOLDEN
            card = pick_card(cards, below(mix(x), left))
            cards -= _unit(card)
            left -= 1
            state[SEAT + seat * SEAT_WORDS + HAND] += _unit(card)
    if hidden >> HIDDEN_STOCK:
        state[STOCK] = cards
    state[HIDDEN] = 0
