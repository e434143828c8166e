"""What browsers get of the players decides as the players do; run with ``NUMBA_DISABLE_JIT=1``.

Prints the number of views that were compared.
"""

import warnings
from typing import Any

import numpy as np

from cartagena import Game, Position
from cartagena.kernel import layout as at
from cartagena.players.compiled import exports
from cartagena.players.compiled.evaluation import SCRATCH, evaluate
from cartagena.players.compiled.ismcts import Basis, Moves, moves_at, run
from cartagena.players.compiled.tree import DEEPEST, SUMS, new_tree
from cartagena.players.compiled.valuation import ROOM, TOTALS, split
from cartagena.players.explain import CODES, reasons
from cartagena.players.gunner import Gunner
from cartagena.players.ismcts import CAPTAIN
from cartagena.players.luck import luck_value
from cartagena.players.simple import Deckhand, Sailor
from cartagena.players.weights import by_hand

SEED, NODES, ITERATIONS = 5, 64, 6


def zeros(size: int) -> Any:
    return np.zeros(size, np.int64)


def floats(size: int) -> Any:
    return np.zeros(size)


def numbers_of(view: Position) -> tuple[Any, Any, Any]:
    """The rule table, the words of the view and the weights."""
    return np.array(view.table, np.int64), np.array(view.words, np.int64), by_hand(view.rules)


def compare_search(view: Position) -> None:
    """A search in a block of memory finds what one in arrays of their own finds."""
    table, root, weights = numbers_of(view)
    seat, settings = view.turn - 1, CAPTAIN.settings(view.seats)
    block: Any = np.full(exports.tree_size(NODES), 7, np.int64)  # whatever was there before
    exports.empty_tree(block, NODES)
    exports.search(table, weights, settings, block, root, seat, SEED, ITERATIONS)
    tree = new_tree(NODES)
    run(Basis(table, weights, settings), tree, root, seat, SEED, ITERATIONS)

    out, total, sums = zeros(4 * at.MAX_LEGAL), floats(at.MAX_SEATS + 2), floats(at.MAX_SEATS)
    own = Moves(zeros(at.MAX_LEGAL), zeros(at.MAX_LEGAL), floats(at.MAX_LEGAL), zeros(at.MAX_LEGAL), total.copy())
    size = exports.known(table, block, root, seat, out, total)
    assert size == moves_at(table, tree, root, seat, own) == len(view.legal_moves)
    parts = out.reshape(4, -1)[:, :size]
    assert parts[[0, 1, 3]].tolist() == [
        np.asarray(array)[:size].tolist() for array in (own.actions, own.counts, own.sure)
    ]
    assert parts[2].view(np.float64).tolist() == np.asarray(own.gains)[:size].tolist()
    assert total.tolist() == np.asarray(own.total).tolist()
    exports.sums(block, sums)
    trees: Any = tree
    assert sums.tolist() == trees.values[SUMS : SUMS + at.MAX_SEATS].tolist()
    assert (exports.iterations(block), exports.deepest(block)) == (ITERATIONS, trees.numbers[DEEPEST])


def compare_levels(view: Position) -> None:
    """The levels that do not search make the same decision, for the same reasons."""
    table, root, weights = numbers_of(view)
    state, result, out = zeros(at.WORDS), floats(at.MAX_SEATS + 1), zeros(at.MAX_LEGAL)
    told = Gunner().analyse(view)
    action = exports.best_turn(table, root, weights, zeros(at.ACTIONS), zeros(exports.turn_size()), result)
    assert (view.move(action), tuple(result[: view.seats])) == (told.move, told.value)
    bits = exports.why(table, root, action, state, floats(exports.WHY_ROOM))
    codes = tuple(code for bit, code in enumerate(CODES) if bits >> bit & 1)
    assert (codes or ("best-value",)) == reasons(view, told.move)
    assert view.move(exports.deckhand(table, root, SEED, 0, out)) == Deckhand(SEED).decide(view)
    assert exports.sailor(table, root, SEED, 0, state, out, floats(at.MAX_LEGAL)) == len(view.legal_moves)
    assert view.move(int(out[0])) == Sailor(SEED).decide(view)


def compare_split(position: Position) -> None:
    """A game of one position has its evaluation, by all cards and by what a seat can know, and no luck."""
    table, root, _ = numbers_of(position)
    weights, known = luck_value(position), floats(at.MAX_SEATS)
    evaluate(table, root, weights, floats(SCRATCH), known)
    for seat in (-1, 0):
        out = floats((2 + TOTALS) * position.seats)
        split(table, weights, root.copy(), 0, seat, zeros(ROOM), out)
        course, opening = out[: position.seats], out[position.seats : 2 * position.seats]
        assert seat == 0 or course.tolist() == known[: position.seats].tolist()
        assert abs(course.sum() - 1) < 1e-9
        assert opening.tolist() == (course - 1 / position.seats).tolist()


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # 64-bit words wrap around, and NumPy warns of it
    games = [Game.new(rules, seats=2, seed=3) for rules in ("tortuga-en", "nest-nl")]
    for game in games:
        compare_search(game.view(game.turn))
        compare_levels(game.view(game.turn))
        compare_split(game.position)
    print(len(games))
