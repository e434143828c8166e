"""Information-set Monte Carlo tree search: an iteration deals the hidden cards, walks down, adds a node and backs up.

Every legal move of a new node is played once and its position evaluated: that gives the move's first guess and, through
a softmax, its prior. The best of them is the node's first value, mixed with the result of a playout if the style says
so. Values are vectors, one number a seat; each seat maximises its own.
"""

import math
from typing import Final, NamedTuple

from cartagena.backends.cpu import (
    GOLDEN,
    Numbers,
    Word,
    apply,
    block,
    copy,
    deal_card,
    deal_hidden,
    entry,
    exp,
    kernel,
    list_moves,
    mix,
    part,
    pointer,
    pointers,
    rule,
    word,
)
from cartagena.kernel.intrinsics import RuleTable, Words
from cartagena.kernel.layout import MAX_SEATS, OVER, T_OPEN, T_SEATS, WORDS

from .constants import MAX_DEPTH, PLAYOUT_MOVES
from .evaluation import evaluate
from .playout import playout
from .tree import (
    DEEPEST,
    EDGE_LIMIT,
    ITERATIONS,
    STAMP,
    SUMS,
    USED_EDGES,
    Tree,
    add_edge,
    add_node,
    find,
    key_of,
)

# --- settings[]: the numbers of a player's Style, each explained there
EXPLORE: Final = 0
HEAT: Final = 1
TRUST: Final = 2
MIX: Final = 3
SETTINGS: Final = 4

_due = kernel.chance.due
_chooser = kernel.legal.chooser
_winner = kernel.legal.winner


class Basis(NamedTuple):
    """What a search is based on: the rule table, the weights of the evaluation, and the settings."""

    rules: RuleTable
    weights: Numbers
    settings: Numbers


class Moves(NamedTuple):
    """What a tree knows of the moves from a view, as arrays to be written.

    ``total`` has what the view brought each seat, then its visits, then the certain winner (seat + 1) or 0.
    """

    actions: Words
    counts: Words
    gains: Numbers
    sure: Words
    total: Numbers


@rule
def try_move(basis: Basis, tree: Tree, state: Words, action: int, value: Numbers) -> int:
    """Evaluate the position after a move. Returns the seat that has won by it, or -1."""
    after = part(tree.states, 2 * WORDS)
    copy(state, after)
    apply(basis.rules, after, action)
    evaluate(basis.rules, after, basis.weights, tree.scratch, value)
    return int(_winner(after))


@block
def expand(basis: Basis, tree: Tree, state: Words, node: int, size: int, best: Numbers) -> None:
    """Add the moves marked with the present stamp, and write the value of the best one to ``best``."""
    seat = _chooser(state)
    value = part(tree.values, MAX_SEATS)
    stamp = tree.numbers[STAMP]
    before = tree.first[node]
    top = -1.0
    for number in range(size):
        action = tree.moves[number]
        if tree.marks[action] != stamp:
            continue
        if tree.numbers[USED_EDGES] >= tree.numbers[EDGE_LIMIT]:
            break
        won = try_move(basis, tree, state, action, value)
        edge = add_edge(tree, node, action, value[seat])
        if won >= 0:
            tree.sure[edge] = won + 1
        if value[seat] > top:
            top = value[seat]
            for other in range(basis.rules[T_SEATS]):
                best[other] = value[other]
    if tree.top[node] < 0.0:
        tree.top[node] = top
    edge = tree.first[node]
    while edge != before:
        tree.prior[edge] = exp(min(0.0, tree.guess[edge] - tree.top[node]) / basis.settings[HEAT])
        edge = tree.next[edge]


@rule
def mark_legal(rules: RuleTable, tree: Tree, state: Words) -> int:
    """Mark the legal moves with a new stamp. Returns their number."""
    tree.numbers[STAMP] += 2
    stamp = tree.numbers[STAMP]
    size = list_moves(rules, state, tree.moves)
    for number in range(size):
        tree.marks[tree.moves[number]] = stamp
    return size


@block
def meet(basis: Basis, tree: Tree, state: Words, node: int) -> None:
    """Mark the moves that a rival has in this deal, and add those that are new."""
    size = mark_legal(basis.rules, tree, state)
    stamp = tree.numbers[STAMP]
    known = 0
    edge = tree.first[node]
    while edge >= 0:
        if tree.marks[tree.action[edge]] == stamp:
            tree.marks[tree.action[edge]] = stamp + 1
            known += 1
        edge = tree.next[edge]
    if known < size:
        expand(basis, tree, state, node, size, tree.values)
        for number in range(size):
            tree.marks[tree.moves[number]] = stamp + 1


@rule
def worth(tree: Tree, edge: int, seat: int, trust: float) -> float:
    """A move's mean value to the seat, with the first guess counted as ``trust`` visits."""
    if tree.sure[edge]:
        return 0.0  # a sure win is taken before it is weighed
    count = tree.tries[edge]
    seen = tree.gain[edge]
    child = tree.child[edge]
    if child >= 0:
        count = tree.visits[child]
        seen = tree.total[child * MAX_SEATS + seat]
    return (seen + trust * tree.guess[edge]) / (count + trust)


@block
def select(tree: Tree, settings: Numbers, node: int, seat: int, every: bool) -> int:
    """The move to try next: PUCT over the node's moves, or only those marked as possible in this deal."""
    stamp = tree.numbers[STAMP] + 1
    priors = 0.0
    tries = 1
    edge = tree.first[node]
    while edge >= 0:
        if every or tree.marks[tree.action[edge]] == stamp:
            priors += tree.prior[edge]
            tries += tree.tries[edge]
            if tree.sure[edge] == seat + 1:
                return edge
        edge = tree.next[edge]
    spread = settings[EXPLORE] * math.sqrt(tries) / max(priors, 1e-12)
    top = -1e9
    chosen = -1
    edge = tree.first[node]
    while edge >= 0:
        if every or tree.marks[tree.action[edge]] == stamp:
            merit = worth(tree, edge, seat, settings[TRUST]) + spread * tree.prior[edge] / (1 + tree.tries[edge])
            if merit > top:
                top = merit
                chosen = edge
        edge = tree.next[edge]
    return chosen


@block
def leaf(basis: Basis, tree: Tree, state: Words, node: int, x: Word) -> None:
    """Write the value of a new node to ``values``.

    A playout that ends in a deadlock brings nothing to any seat: it says that careless play got stuck, not that the
    seats could agree on it. Deadlocks that the tree itself reaches are shared (``evaluation.settle``).
    """
    rules = basis.rules
    value = tree.values
    size = mark_legal(rules, tree, state)
    expand(basis, tree, state, node, size, value)
    share = basis.settings[MIX]
    if share > 0.0:
        after = part(tree.states, 2 * WORDS)
        copy(state, after)
        playout(rules, after, x, PLAYOUT_MOVES)
        if after[OVER]:
            won = _winner(after)
            for seat in range(rules[T_SEATS]):
                value[seat] += share * ((1.0 if seat == won else 0.0) - value[seat])


@rule
def prove(tree: Tree, node: int, edge: int, seat: int) -> None:
    """Mark a node without hidden cards as won: by its seat if one move wins, by a rival if every move loses to it."""
    child = tree.child[edge]
    if tree.sure[edge] == 0 and child >= 0:
        tree.sure[edge] = tree.proof[child]
    winner = tree.sure[edge]
    if winner == 0 or tree.proof[node]:
        return
    other = tree.first[node]
    while other >= 0 and winner != seat + 1:
        if tree.sure[other] != winner:
            return
        other = tree.next[other]
    tree.proof[node] = winner


@rule
def back_up(rules: RuleTable, tree: Tree, depth: int) -> None:
    """Add the value to every node and move on the path, and carry proofs upwards."""
    for step in range(depth - 1, -1, -1):
        node = tree.path[2 * step]
        edge = tree.path[2 * step + 1] >> 4
        tree.visits[node] += 1
        for seat in range(rules[T_SEATS]):
            tree.total[node * MAX_SEATS + seat] += tree.values[seat]
        if edge >= 0:
            seat = tree.path[2 * step + 1] & 7
            tree.tries[edge] += 1
            tree.gain[edge] += tree.values[seat]
            if tree.path[2 * step + 1] & 8:
                prove(tree, node, edge, seat)


@rule
def award(rules: RuleTable, winner: int, value: Numbers) -> None:
    """Write the value of a game that a seat has won for certain."""
    for seat in range(rules[T_SEATS]):
        value[seat] = 0.0
    value[winner] = 1.0


@rule
def settle_chance(rules: RuleTable, state: Words, x: Word) -> int:
    """Deal the cards that are due. Returns their number."""
    dealt = 0
    while _due(state) and state[OVER] == 0:
        deal_card(rules, state, mix(x + word(dealt)))
        dealt += 1
    return dealt


@block
def descend(basis: Basis, tree: Tree, observer: int, x: Word) -> int:
    """Walk down to a new node or the end of the game, and write its value. Returns the length of the path."""
    rules = basis.rules
    state = tree.states
    seen = part(tree.states, WORDS)
    value = tree.values
    depth = 0
    last = -1
    while True:
        x += GOLDEN
        dealt = settle_chance(rules, state, x)
        if state[OVER]:
            evaluate(rules, state, basis.weights, tree.scratch, value)
            return depth
        key = key_of(rules, state, observer, seen)
        node = find(tree, key)
        fresh = node < 0
        if fresh:
            node = add_node(tree, key)
        if node < 0 or depth >= MAX_DEPTH:
            evaluate(rules, state, basis.weights, tree.scratch, value)
            return depth
        if last >= 0 and dealt == 0:
            tree.child[last] = node
        if fresh:
            leaf(basis, tree, state, node, x)
            tree.path[2 * depth] = node
            tree.path[2 * depth + 1] = -1
            return depth + 1
        if tree.proof[node] and depth > 0:
            award(rules, tree.proof[node] - 1, value)
            return depth
        seat = _chooser(state)
        every = rules[T_OPEN] == 1 or seat == observer
        if not every:
            meet(basis, tree, state, node)
        last = select(tree, basis.settings, node, seat, every)
        if last < 0:
            evaluate(rules, state, basis.weights, tree.scratch, value)
            return depth
        tree.path[2 * depth] = node
        tree.path[2 * depth + 1] = last * 16 + 8 * every + seat
        apply(rules, state, tree.action[last])
        depth += 1


@rule
def iterate(basis: Basis, tree: Tree, root: Words, observer: int, seed: int, number: int) -> None:
    """Make ``number`` iterations from a view."""
    state = tree.states
    for _ in range(number):
        x = mix(word(seed) * GOLDEN + word(tree.numbers[ITERATIONS]))
        tree.numbers[ITERATIONS] += 1
        copy(root, state)
        deal_hidden(basis.rules, state, x)
        depth = descend(basis, tree, observer, x)
        tree.numbers[DEEPEST] = max(tree.numbers[DEEPEST], depth)
        back_up(basis.rules, tree, depth)
        for seat in range(basis.rules[T_SEATS]):
            tree.values[SUMS + seat] += tree.values[seat]


@rule
def known_moves(rules: RuleTable, tree: Tree, root: Words, observer: int, out: Moves) -> int:
    """Write what the tree knows of a view. Returns the number of its moves, or -1 for an unknown view."""
    node = find(tree, key_of(rules, root, observer, part(tree.states, WORDS)))
    if node < 0:
        return -1
    size = 0
    edge = tree.first[node]
    while edge >= 0:
        out.actions[size] = tree.action[edge]
        out.counts[size] = tree.tries[edge]
        out.gains[size] = tree.gain[edge]
        out.sure[size] = tree.sure[edge]
        size += 1
        edge = tree.next[edge]
    for seat in range(MAX_SEATS):
        out.total[seat] = tree.total[node * MAX_SEATS + seat]
    out.total[MAX_SEATS] = tree.visits[node]
    out.total[MAX_SEATS + 1] = tree.proof[node]
    return size


@entry
def run(arrays: Basis, trees: Tree, root: Words, observer: int, seed: int, number: int) -> None:
    """Make ``number`` iterations from a view."""
    iterate(pointers(arrays), pointers(trees), pointer(root, 0), observer, seed, number)


@entry
def moves_at(rules: RuleTable, trees: Tree, root: Words, observer: int, out: Moves) -> int:
    """Write what the tree knows of a view. Returns the number of its moves, or -1 for an unknown view."""
    return known_moves(pointer(rules, 0), pointers(trees), pointer(root, 0), observer, pointers(out))
