"""The search tree: information sets (nodes) and the moves from them (edges), in flat arrays.

A node is what the searching seat would see: its key is a hash of that seat's view. So turns with the same actions in
another order meet in one node, dealt cards that the seat sees lead to different nodes, and those it does not see to
the same one. The edges of a node are a linked list, because a rival's moves differ from deal to deal.
"""

from typing import Final, NamedTuple

import numpy as np

from cartagena.backends.cpu import GOLDEN, Numbers, block, kernel, mix, number, rule, word
from cartagena.kernel.intrinsics import RuleTable, Words
from cartagena.kernel.layout import ACTIONS, MAX_LEGAL, MAX_SEATS, SEAT, SIGN, WORDS

from .constants import EDGES, MAX_DEPTH
from .evaluation import SCRATCH

# --- numbers[]
NODES: Final = 0
USED_EDGES: Final = 1
STAMP: Final = 2
ITERATIONS: Final = 3
DEEPEST: Final = 4
COUNTERS: Final = 5  # the numbers up to here are zero in an empty tree
SLOT_MASK: Final = 5
NODE_LIMIT: Final = 6
EDGE_LIMIT: Final = 7
NUMBERS: Final = 8

# --- values[]: the value of an iteration, the value of a move that is tried, and the sum over all iterations
SUMS: Final = 2 * MAX_SEATS
VALUES: Final = 3 * MAX_SEATS

_view = kernel.view.view


class Tree(NamedTuple):
    """One tree. ``slots`` is the hash table; ``marks`` and the fields below it are working space.

    ``proof`` (of a node) and ``sure`` (of an edge) are the certain winner (seat + 1), or 0 while that is open.
    """

    numbers: Words
    slots: Words
    key: Words
    first: Words
    visits: Words
    top: Numbers
    total: Numbers
    proof: Words
    action: Words
    next: Words
    child: Words
    tries: Words
    gain: Numbers
    guess: Numbers
    prior: Numbers
    sure: Words
    marks: Words
    moves: Words
    states: Words
    path: Words
    scratch: Numbers
    values: Numbers


def slots_for(nodes: int) -> int:
    """The size of the hash table for ``nodes`` nodes: a power of two, at least twice their number."""
    slots = 16
    while slots < 2 * nodes:
        slots *= 2
    return slots


def edges_for(nodes: int) -> int:
    """The most edges of a tree with ``nodes`` nodes."""
    return nodes * EDGES + MAX_LEGAL


FLOATS: Final = frozenset({"top", "total", "gain", "guess", "prior", "scratch", "values"})
"""The fields that hold floating-point numbers."""


def sizes_for(nodes: int, slots: int, edges: int) -> tuple[int, ...]:
    """How many numbers each field of a tree has, in their order."""
    of_nodes = (nodes, nodes, nodes, nodes, nodes * MAX_SEATS, nodes)
    of_edges = (edges, edges, edges, edges, edges, edges, edges, edges)
    working = (ACTIONS, MAX_LEGAL, 3 * WORDS, 2 * MAX_DEPTH, SCRATCH, VALUES)
    return (NUMBERS, slots, *of_nodes, *of_edges, *working)


def new_tree(nodes: int) -> Tree:
    """An empty tree for ``nodes`` nodes."""
    slots, edges = slots_for(nodes), edges_for(nodes)
    sizes = zip(Tree._fields, sizes_for(nodes, slots, edges), strict=True)
    tree = Tree._make(np.zeros(size, np.float64 if name in FLOATS else np.int64) for name, size in sizes)
    np.asarray(tree.numbers)[COUNTERS:] = (slots - 1, nodes, edges)
    np.asarray(tree.slots)[:] = -1
    return tree


def emptied(tree: Tree, nodes: int) -> Tree:
    """Empty a tree, or return a new one if it is too small for ``nodes`` nodes."""
    if nodes > np.asarray(tree.key).size:
        return new_tree(nodes)
    numbers = np.asarray(tree.numbers)
    numbers[:COUNTERS] = 0
    numbers[COUNTERS:] = (slots_for(nodes) - 1, nodes, edges_for(nodes))
    np.asarray(tree.slots)[:] = -1
    np.asarray(tree.marks)[:] = 0
    np.asarray(tree.values)[:] = 0.0
    return tree


@block
def key_of(rules: RuleTable, state: Words, observer: int, seen: Words) -> int:
    """A hash of the observer's view of the state. ``seen`` is working space for the view."""
    _view(rules, state, observer, seen)
    key = word(0)
    for index in range(SIGN):
        key = mix(key + word(seen[index]) + GOLDEN)
    for index in range(SEAT, WORDS):
        key = mix(key + word(seen[index]) + GOLDEN)
    return number(key >> word(1))


@rule
def find(tree: Tree, key: int) -> int:
    """The node with a key, or -1."""
    mask = tree.numbers[SLOT_MASK]
    slot = key & mask
    while tree.slots[slot] >= 0:
        if tree.key[tree.slots[slot]] == key:
            return tree.slots[slot]
        slot = (slot + 1) & mask
    return -1


@rule
def add_node(tree: Tree, key: int) -> int:
    """Add a node. Returns it, or -1 if the tree is full."""
    node = tree.numbers[NODES]
    if node >= tree.numbers[NODE_LIMIT] or tree.numbers[USED_EDGES] + MAX_LEGAL > tree.numbers[EDGE_LIMIT]:
        return -1
    tree.numbers[NODES] = node + 1
    mask = tree.numbers[SLOT_MASK]
    slot = key & mask
    while tree.slots[slot] >= 0:
        slot = (slot + 1) & mask
    tree.slots[slot] = node
    tree.key[node] = key
    tree.first[node] = -1
    tree.visits[node] = 0
    tree.top[node] = -1.0
    tree.proof[node] = 0
    for seat in range(MAX_SEATS):
        tree.total[node * MAX_SEATS + seat] = 0.0
    return node


@rule
def add_edge(tree: Tree, node: int, action: int, guess: float) -> int:
    """Add a move to a node with its first guess. ``expand`` sets the prior."""
    edge = tree.numbers[USED_EDGES]
    tree.numbers[USED_EDGES] = edge + 1
    tree.action[edge] = action
    tree.next[edge] = tree.first[node]
    tree.child[edge] = -1
    tree.tries[edge] = 0
    tree.gain[edge] = 0.0
    tree.guess[edge] = guess
    tree.prior[edge] = 0.0
    tree.sure[edge] = 0
    tree.first[node] = edge
    return edge
