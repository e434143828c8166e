"""Games between equals: the same search with few nodes in every seat, played by compiled code alone.

One tree is searched anew for each decision, from the view of the seat that decides. So a game costs little more than
its nodes, and tens of thousands of them can be played on an ordinary machine.
"""

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from cartagena import Position
from cartagena.backends.cpu import (
    FIRST,
    GOLDEN,
    SECOND,
    Word,
    apply,
    below,
    block,
    copy,
    deal_card,
    entry,
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
from cartagena.kernel.layout import MAX_LEGAL, OVER, WORDS
from cartagena.players.compiled.constants import MOST
from cartagena.players.compiled.evaluation import evaluate
from cartagena.players.compiled.ismcts import Basis, iterate
from cartagena.players.compiled.tree import ITERATIONS, NODES, SLOT_MASK, USED_EDGES, Tree, find, key_of, new_tree
from cartagena.players.ismcts import ADMIRAL, CAPTAIN
from cartagena.players.networks import has_network
from cartagena.players.weights import weights_for

ROOM: Final = 4
"""A tree has room for so many times the nodes of a search: rivals' moves differ from deal to deal."""

_chooser = kernel.legal.chooser
_due = kernel.chance.due
_view = kernel.view.view


class Table(NamedTuple):
    """Working space of a game: its state, the view of a seat, the moves, and the position that is kept."""

    state: Any
    root: Any
    moves: Any
    kept: Any


@rule
def forget(tree: Tree) -> None:
    """Empty a tree. The stamps of its marks go on."""
    tree.numbers[NODES] = 0
    tree.numbers[USED_EDGES] = 0
    tree.numbers[ITERATIONS] = 0
    for slot in range(tree.numbers[SLOT_MASK] + 1):
        tree.slots[slot] = -1


@block
def best_move(table: RuleTable, tree: Tree, root: Words, seat: int) -> int:
    """The move that was tried most; a sure win before all others, sure losses after them."""
    edge = tree.first[find(tree, key_of(table, root, seat, part(tree.states, WORDS)))]
    top = -1.0
    found = -1
    while edge >= 0:
        rank = tree.tries[edge] + 0.001 * tree.guess[edge]
        if tree.sure[edge]:
            rank = 1e9 if tree.sure[edge] == seat + 1 else -0.5
        if rank > top:
            top = rank
            found = edge
        edge = tree.next[edge]
    return int(tree.action[found])


@block
def decide(basis: Basis, tree: Tree, room: Table, nodes: int, x: Word) -> int:
    """Search for the seat that must choose, from its view."""
    seat = _chooser(room.state)
    _view(basis.rules, room.state, seat, room.root)
    forget(tree)
    iterate(basis, tree, room.root, seat, int(mix(x) >> word(33)), nodes)
    return best_move(basis.rules, tree, room.root, seat)


@block
def play_on(basis: Basis, tree: Tree, room: Table, nodes: int, x: Word) -> None:
    """Play on to the end from the state in ``room``, and keep the position before one free decision, drawn evenly."""
    table, state = basis.rules, room.state
    free = 0
    for _ in range(MOST):
        if state[OVER]:
            return
        x += GOLDEN
        if _due(state):
            deal_card(table, state, mix(x))
            continue
        size = list_moves(table, state, room.moves)
        if size == 1:
            apply(table, state, room.moves[0])
            continue
        free += 1
        if below(mix(x ^ FIRST), free) == 0:
            copy(state, room.kept)
        apply(table, state, decide(basis, tree, room, nodes, x ^ SECOND))


@entry
def play_all(arrays: Basis, trees: Tree, table: Table, starts: Any, seeds: Any, nodes: int, ends: Any) -> None:
    """Play a game from each start. ``starts`` then has the kept positions and ``ends`` the results (word OVER)."""
    basis, tree, room = pointers(arrays), pointers(trees), pointers(table)
    for number in range(seeds.size):
        place = pointer(starts, number * WORDS)
        copy(place, room.state)
        copy(place, room.kept)
        play_on(basis, tree, room, nodes, mix(word(seeds[number])))
        copy(room.kept, place)
        ends[number] = room.state[OVER]


@entry
def evaluate_all(arrays: Basis, trees: Tree, states: Any, rounds: int) -> float:
    """Evaluate every state so many times. Returns a sum, so that no evaluation is left out."""
    basis, tree = pointers(arrays), pointers(trees)
    total = 0.0
    for _ in range(rounds):
        for number in range(states.size // WORDS):
            evaluate(basis.rules, pointer(states, number * WORDS), basis.weights, tree.scratch, tree.values)
            total += tree.values[0]
    return total


# --- for Python


@dataclass(frozen=True)
class Played:
    """Games that were played: the position before one decision of each, and the result (word OVER; 0: broken off)."""

    kept: list[Position]
    ends: list[int]


def basis_of(position: Position, weights: str) -> Basis:
    """What a search of this game is based on."""
    table: Any = np.array(position.table, np.int64)
    style = ADMIRAL if has_network(position) else CAPTAIN
    return Basis(table, weights_for(position, weights), style.settings(position.seats))


def play(starts: list[Position], seeds: list[int], nodes: int, weights: str) -> Played:
    """Play a game from each position, all of the same rules and seats. The same seeds give the same games."""
    words = np.array([start.words for start in starts], np.int64).reshape(-1)
    ends = np.zeros(len(starts), np.int64)
    room = Table(*(np.zeros(size, np.int64) for size in (WORDS, WORDS, MAX_LEGAL, WORDS)))
    tree = new_tree(ROOM * nodes + 64)
    play_all(basis_of(starts[0], weights), tree, room, words, np.array(seeds, np.int64), nodes, ends)
    kept = [start.with_words(row.tolist()) for start, row in zip(starts, words.reshape(-1, WORDS), strict=True)]
    return Played(kept, ends.tolist())
