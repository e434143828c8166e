"""What browsers get of the players: single actions, whole turns, and the search, on blocks of memory.

A caller asks for the size of a tree or of the space for whole turns, provides as many words of memory, and passes its
address. How such a block is divided is known only here.
"""

from typing import TYPE_CHECKING, Final

from cartagena.backends.cpu import Numbers, apply, compiled, copy, part, rule
from cartagena.backends.cpu.compiler import float64s
from cartagena.kernel.intrinsics import RuleTable, Words
from cartagena.kernel.layout import ACTIONS, END, MAX_LEGAL, MAX_SEATS, OVER, T_SEATS

from .constants import SLOTS, STATES
from .evaluation import SCRATCH
from .explanation import PAIRS, PROSPECTS, REACH
from .features import PAIRS_TO_DRAW, REACH_ANY, SIZE, compare, feature_vector
from .ismcts import Basis, Moves, iterate, known_moves
from .tree import (
    COUNTERS,
    DEEPEST,
    EDGE_LIMIT,
    ITERATIONS,
    NODE_LIMIT,
    SLOT_MASK,
    SUMS,
    VALUES,
    Tree,
    edges_for,
    sizes_for,
    slots_for,
)
from .turn_search import NUMBERS, SPACE, TurnSpace, compare_turns
from .valuation import split

_slots_for, _edges_for, _sizes_for = rule(slots_for), rule(edges_for), rule(sizes_for)
if TYPE_CHECKING:
    from . import picks as _picks
    from . import repetition as _repetition
    from .explanation import move_reasons as _move_reasons
else:
    _move_reasons = compiled.load("players.compiled.explanation").move_reasons
    _picks = compiled.load("players.compiled.picks")
    _repetition = compiled.load("players.compiled.repetition")
_is_barred, _least_repeated, _note = _repetition.is_barred, _repetition.least_repeated, _repetition.note
_standing_key, _move_key = _repetition.standing_key, _repetition.move_key
_key_at, _deckhand_action, _sailor_order = _picks.key_at, _picks.deckhand_action, _picks.sailor_order

WHY_ROOM: Final = SCRATCH + 2 * MAX_SEATS * PROSPECTS
"""Numbers that ``why`` works in."""


@rule
def tree_at(block: Words, nodes: int, slots: int, edges: int) -> Tree:
    """The fields of a tree, one after the other in a block of memory."""
    size = _sizes_for(nodes, slots, edges)
    hashes = part(block, size[0])
    key = part(hashes, size[1])
    first = part(key, size[2])
    visits = part(first, size[3])
    top = part(visits, size[4])
    total = part(top, size[5])
    proof = part(total, size[6])
    action = part(proof, size[7])
    following = part(action, size[8])
    child = part(following, size[9])
    tries = part(child, size[10])
    gain = part(tries, size[11])
    guess = part(gain, size[12])
    prior = part(guess, size[13])
    sure = part(prior, size[14])
    marks = part(sure, size[15])
    moves = part(marks, size[16])
    states = part(moves, size[17])
    path = part(states, size[18])
    scratch = part(path, size[19])
    values = part(scratch, size[20])
    return Tree(
        block, hashes, key, first, visits, float64s(top), float64s(total), proof, action, following, child, tries,
        float64s(gain), float64s(guess), float64s(prior), sure, marks, moves, states, path, float64s(scratch),
        float64s(values),
    )  # fmt: skip


@rule
def tree_of(block: Words) -> Tree:
    """The fields of a tree that was made before."""
    return tree_at(block, block[NODE_LIMIT], block[SLOT_MASK] + 1, block[EDGE_LIMIT])


def tree_size(nodes: int) -> int:
    """Words of memory of a tree for ``nodes`` nodes."""
    size = 0
    for number in _sizes_for(nodes, _slots_for(nodes), _edges_for(nodes)):
        size += number
    return size


def empty_tree(block: Words, nodes: int) -> None:
    """Make a block of memory an empty tree for ``nodes`` nodes. What it held before is lost."""
    slots, edges = _slots_for(nodes), _edges_for(nodes)
    tree = tree_at(block, nodes, slots, edges)
    for number in range(COUNTERS):
        tree.numbers[number] = 0
    tree.numbers[SLOT_MASK] = slots - 1
    tree.numbers[NODE_LIMIT] = nodes
    tree.numbers[EDGE_LIMIT] = edges
    for slot in range(slots):
        tree.slots[slot] = -1
    for action in range(ACTIONS):
        tree.marks[action] = 0
    for number in range(VALUES):
        tree.values[number] = 0.0


def search(
    rules: RuleTable, weights: Numbers, settings: Numbers, block: Words, root: Words, seat: int, seed: int, number: int
) -> None:
    """Make ``number`` iterations of a search from the view of a seat."""
    iterate(Basis(rules, weights, settings), tree_of(block), root, seat, seed, number)


def known(rules: RuleTable, block: Words, root: Words, seat: int, out: Words, total: Numbers) -> int:
    """Write what a tree knows of a view: ``MAX_LEGAL`` actions, visits, sums of values (floating) and certain winners.

    ``total`` gets what the view brought each seat, its visits and its certain winner. Returns the number of moves, or
    -1 for an unknown view.
    """
    counts = part(out, MAX_LEGAL)
    gains = part(counts, MAX_LEGAL)
    return known_moves(
        rules, tree_of(block), root, seat, Moves(out, counts, float64s(gains), part(gains, MAX_LEGAL), total)
    )


def iterations(block: Words) -> int:
    """Iterations that a tree has made."""
    return block[ITERATIONS]


def sums(block: Words, out: Numbers) -> None:
    """Write what all iterations of a tree together brought each seat, those that began with a dealt card included."""
    tree = tree_of(block)
    for seat in range(MAX_SEATS):
        out[seat] = tree.values[SUMS + seat]


def deepest(block: Words) -> int:
    """The longest path that a tree has walked."""
    return block[DEEPEST]


def turn_size() -> int:
    """Words of memory that ``best_turn`` works in."""
    return SPACE + SLOTS + NUMBERS + STATES


def best_turn(rules: RuleTable, root: Words, weights: Numbers, bars: Words, block: Words, result: Numbers) -> int:
    """The first action of the turn that ends best for the seat to choose, or -1 where every action is barred.

    ``bars`` has a 1 for every barred action. ``result`` gets the win chances after the turn, and how many positions
    were compared.
    """
    slots = part(block, SPACE)
    numbers = part(slots, SLOTS)
    space = TurnSpace(block, slots, float64s(numbers), part(numbers, NUMBERS), bars)
    copy(root, space.states)
    return compare_turns(rules, weights, space, result)


@rule
def prospects(rules: RuleTable, state: Words, features: Numbers, out: Numbers) -> None:
    """Write the features of every seat that explanations compare."""
    for seat in range(rules[T_SEATS]):
        feature_vector(rules, state, seat, part(features, seat * SIZE))
    compare(rules, features)
    for seat in range(rules[T_SEATS]):
        out[seat * PROSPECTS + REACH] = features[seat * SIZE + REACH_ANY]
        out[seat * PROSPECTS + PAIRS] = features[seat * SIZE + PAIRS_TO_DRAW]


def why(rules: RuleTable, state: Words, action: int, after: Words, numbers: Numbers) -> int:
    """The bits of the reasons for a move; ``after`` has space for a state, ``numbers`` for ``WHY_ROOM`` numbers."""
    old = part(numbers, SCRATCH)
    new = part(old, MAX_SEATS * PROSPECTS)
    copy(state, after)
    apply(rules, after, action)
    if action < END and after[OVER] == 0:
        prospects(rules, state, numbers, old)
        prospects(rules, after, numbers, new)
    return int(_move_reasons(rules, state, after, action, old, new))


def deckhand(rules: RuleTable, state: Words, seed: int, number: int, out: Words) -> int:
    """The deckhand's action as decision ``number`` of a game; ``out`` has space for the legal ones."""
    return _deckhand_action(rules, state, _key_at(state, seed, number), out)


def sailor(rules: RuleTable, state: Words, seed: int, number: int, after: Words, out: Words, scores: Numbers) -> int:
    """Write the legal actions in the sailor's order with their scores, and return their number."""
    return _sailor_order(rules, state, _key_at(state, seed, number), after, out, scores)


def barred(memory: Words, state: Words, action: int) -> int:
    """1 for a move that was made too often here, else 0."""
    return int(_is_barred(memory, state, _move_key(_standing_key(state), action)))


def least_repeated(memory: Words, state: Words, ranked: Words, size: int) -> int:
    """The best of the ranked actions that was not made too often here, or the least frequent one if all were."""
    return int(_least_repeated(memory, state, _standing_key(state), ranked, size))


def remember(memory: Words, state: Words, action: int) -> None:
    """Remember in a block of ``MEMORY`` words that a move was made."""
    _note(memory, state, _standing_key(state), action)


EXPORTS: Final = (
    tree_size, empty_tree, search, known, iterations, sums, deepest, turn_size, best_turn, why, deckhand,
    sailor, split, barred, least_repeated, remember,
)  # fmt: skip
