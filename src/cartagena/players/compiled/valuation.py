"""V of the positions of a game, and the split of a game into luck and decisions (see ``study/luck.py``).

A game is a list of states, one after the other in memory. V of a position is its evaluation with all cards known; where
one or two cards are due it is the mean over them, and while a row is laid out the mean over ways to complete it, drawn
with the same keys every time. V of a view is the mean over deals of what the seat cannot see.
"""

from typing import Final, NamedTuple

from cartagena.backends.cpu import (
    Numbers,
    block,
    compiled,
    copy,
    deal_card,
    deal_hidden,
    entry,
    kernel,
    mix,
    part,
    pointer,
    rule,
    word,
)
from cartagena.backends.cpu.compiler import float64s
from cartagena.kernel import layout
from cartagena.kernel.intrinsics import RuleTable, Words

from .evaluation import settle
from .network import SCORES, network_chances
from .network_inputs import SLOTS

FEW: Final = 2
"""V is an exact mean over the due cards up to this number of them; a whole row has too many orders."""
DEALS: Final = 32
"""Deals of the hidden cards over which V of a view is the mean."""
ROWS: Final = 64
"""Ways to complete a row over which V is the mean while it is laid out."""
LEVELS: Final = FEW + 3
"""Positions that are worked on at once: one, those after the cards, and a deal of what is hidden."""
ROOM: Final = LEVELS * (layout.WORDS + layout.MAX_SEATS + 2) + layout.MAX_SEATS + SCORES
"""Words of memory that a valuation works in."""
TOTALS: Final = 4
"""Rows after a split: the luck of all cards, the shares of all decisions, the move after which V had changed most (from
1; 0 for none), and that change."""
UNSEEN: Final = -1
"""The mark of a dealt card that the seat is not shown."""

_chooser = kernel.legal.chooser
_due, _weight, _view = kernel.chance.due, kernel.chance.weight, kernel.view.view
_deal = kernel.chance.deal
_generator = compiled.load("backends.portable.generator")
_key_of, _next_key = _generator.key_of, _generator.next_key


class Judged(NamedTuple):
    """What a valuation is made with. ``seat`` counts from 0; -1 means that all cards are known."""

    rules: RuleTable
    weights: Numbers
    seat: int
    scratch: Numbers


@rule
def hidden_cards(state: Words, seat: int) -> int:
    """How many cards of a seat are not shown."""
    return (state[layout.HIDDEN] >> (seat * layout.HIDDEN_BITS)) & 0xFF


@rule
def is_chance(state: Words) -> int:
    """1 where a card is to be dealt."""
    return 1 if _chooser(state) < 0 and state[layout.OVER] == 0 else 0


@rule
def looks_ahead(by: Judged, state: Words) -> int:
    """1 where V is the mean over the cards that are due, which the seat must be shown."""
    if is_chance(state) == 0 or _due(state) > FEW:
        return 0
    if by.seat < 0 or state[layout.ROW_DUE] > 0 or hidden_cards(state, state[layout.TURN]) == 0:
        return 1
    return 0


@rule
def samples(by: Judged, state: Words) -> int:
    """How many deals V is the mean over: of hidden cards, of the rest of a row, or 1 where nothing is open.

    The value looks at no more than ``SLOTS`` cards of a row, behind those that the mover still takes from it.
    """
    if state[layout.ROW_DUE] > 0 and state[layout.ROW_LEN] < SLOTS + state[layout.OWED]:
        return ROWS
    deals = 1
    for seat in range(by.rules[layout.T_SEATS]):
        if by.seat >= 0 and hidden_cards(state, seat):
            deals = DEALS
    return deals


@block
def complete(rules: RuleTable, state: Words, after: Words, game: int) -> None:
    """Write a position with hidden cards dealt and its row laid out, in the way of that number."""
    key = _key_of(word(0), word(game))
    copy(state, after)
    deal_hidden(rules, after, mix(key))
    while after[layout.ROW_DUE] > 0:
        key = _next_key(key)
        deal_card(rules, after, mix(key))


@block
def judge(by: Judged, state: Words, states: Words, numbers: Numbers, out: Numbers) -> None:
    """Write the mean of the evaluation over deals of what is hidden or due, or the result of a game that is over."""
    if state[layout.OVER]:
        settle(by.rules, state, out)
        return
    deals = samples(by, state)
    for seat in range(by.rules[layout.T_SEATS]):
        out[seat] = 0.0
    for game in range(deals):
        complete(by.rules, state, states, game)
        network_chances(by.rules, states, by.weights, by.scratch, numbers)
        for seat in range(by.rules[layout.T_SEATS]):
            out[seat] += numbers[seat]
    for seat in range(by.rules[layout.T_SEATS]):
        out[seat] /= deals


@rule
def whole_weight(rules: RuleTable, state: Words) -> int:
    """How many cards could be dealt now."""
    whole = 0
    for card in range(layout.CARDS):
        whole += _weight(rules, state, card)
    return whole


@block
def deal_and_see(by: Judged, state: Words, card: int, after: Words) -> int:
    """Write what is known after a card is dealt, and return how many such cards could be dealt."""
    ways = _weight(by.rules, state, card)
    if ways:
        copy(state, after)
        _deal(by.rules, after, card)
        if by.seat >= 0:
            _view(by.rules, after, by.seat, after)
    return ways


@block
def value(by: Judged, state: Words, space: Words, is_mean: int, out: Numbers) -> None:
    """Write V of a position or, for ``is_mean``, the mean of V after each card that may be dealt.

    A tree of at most LEVELS positions in a row is walked: a card less is due at every level, and at most FEW are looked
    ahead to. ``cards`` has the next card of every level, from 0, or -1 where a level has not begun.
    """
    seats = by.rules[layout.T_SEATS]
    values = float64s(part(space, LEVELS * layout.WORDS))
    cards = part(space, LEVELS * (layout.WORDS + layout.MAX_SEATS))
    ways = part(cards, LEVELS)
    copy(state, space)
    level, cards[0] = 0, -1
    while level >= 0:
        here, own = part(space, level * layout.WORDS), part(values, level * layout.MAX_SEATS)
        if cards[level] < 0 and (is_mean == 0 or level > 0) and looks_ahead(by, here) == 0:
            judge(
                by, here, part(space, (LEVELS - 1) * layout.WORDS), part(values, (LEVELS - 1) * layout.MAX_SEATS), own
            )
            level -= 1
            continue
        if cards[level] < 0:
            for seat in range(seats):
                own[seat] = 0.0
        else:
            share = ways[level] / whole_weight(by.rules, here)
            for seat in range(seats):
                own[seat] += share * own[layout.MAX_SEATS + seat]
        cards[level] += 1
        ways[level] = 0
        while cards[level] < layout.CARDS and ways[level] == 0:
            number = cards[level]  # cards in writing order, which is that of the sum
            ways[level] = deal_and_see(
                by, here, (number >> 1) + layout.FREEBOOTER * (number & 1), part(here, layout.WORDS)
            )
            cards[level] += 1
        cards[level] -= 1
        if ways[level] == 0:
            level -= 1
        else:
            level += 1
            cards[level] = -1
    for seat in range(seats):
        out[seat] = values[seat]


@rule
def mark_of(by: Judged, state: Words, after: Words) -> int:
    """0 for a decision between two states, the seat (from 1) whose turn it was for a dealt card, or UNSEEN."""
    if is_chance(state) == 0:
        return 0
    if by.seat >= 0 and state[layout.ROW_DUE] == 0 and hidden_cards(after, state[layout.TURN]):
        return UNSEEN
    return state[layout.TURN] + 1


@rule
def value_all(by: Judged, states: Words, moves: int, space: Words, course: Numbers) -> None:
    """Write V of all positions. With a seat the states become its views."""
    for number in range(moves + 1):
        state = part(states, number * layout.WORDS)
        if by.seat >= 0:
            _view(by.rules, state, by.seat, state)
        value(by, state, space, 0, part(course, number * by.rules[layout.T_SEATS]))


@rule
def add_up(seats: int, moves: int, rows: Numbers, totals: Numbers) -> None:
    """Write the totals of a split, whose rows are complete. The first of equal changes counts."""
    luck, shares = part(rows, moves * seats), part(rows, (2 * moves + 1) * seats)
    point, change = part(totals, 2 * seats), part(totals, 3 * seats)
    for number in range(1, moves + 1):
        for seat in range(seats):
            at = number * seats + seat
            totals[seat] += luck[at]
            totals[seats + seat] += shares[at]
            turned = rows[at] - rows[at - seats]
            if abs(turned) > abs(change[seat]):
                point[seat], change[seat] = float(number), turned


@block
def split_game(by: Judged, states: Words, moves: int, space: Words, marks: Words, out: Numbers) -> None:
    """Split a game into the worth of its opening, the luck of each card, and the share of each decision.

    ``marks`` gets the mark of every move. ``out``, which is zero, gets rows of a number for each seat: V of every
    position, the luck of every move, what the opening was worth against equal shares, what every move changed, and
    ``TOTALS``.
    """
    seats = by.rules[layout.T_SEATS]
    luck = part(out, (moves + 1) * seats)
    shares = part(luck, moves * seats)
    value_all(by, states, moves, space, out)
    for seat in range(seats):
        shares[seat] = out[seat] - 1.0 / seats
    decided = 0
    for number in range(moves):
        state, own = part(states, number * layout.WORDS), part(luck, number * seats)
        marks[number] = mark_of(by, state, part(state, layout.WORDS))
        if marks[number] == 0:
            decided = number + 1
        elif marks[number] > 0:
            value(by, state, space, 1, own)
        for seat in range(seats):
            after = out[(number + 1) * seats + seat]
            rest = after - out[number * seats + seat]
            if marks[number] > 0:
                own[seat] = after - own[seat]
                rest -= own[seat]
            shares[decided * seats + seat] += rest
    add_up(seats, moves, out, part(shares, (moves + 1) * seats))


@rule
def judged(rules: RuleTable, weights: Numbers, seat: int, space: Words) -> Judged:
    """The means of a valuation, with the rest of its space."""
    return Judged(rules, weights, seat, float64s(part(space, LEVELS * (layout.WORDS + layout.MAX_SEATS + 2))))


def split(rules: RuleTable, weights: Numbers, states: Words, moves: int, seat: int, space: Words, out: Numbers) -> None:
    """Split a game (see ``split_game``). ``space`` has the marks first, then ``ROOM`` words to work in."""
    own = part(space, moves)
    split_game(judged(rules, weights, seat, own), states, moves, own, space, out)


_split = block(split)


@entry
def split_arrays(
    rules: RuleTable, weights: Numbers, states: Words, moves: int, seat: int, space: Words, out: Numbers
) -> None:
    """``split`` for Python."""
    _split(pointer(rules, 0), pointer(weights, 0), pointer(states, 0), moves, seat, pointer(space, 0), pointer(out, 0))
