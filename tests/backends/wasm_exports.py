"""What browsers get of the rules does what the kernel does; run with ``NUMBA_DISABLE_JIT=1``.

Prints the number of moves that were compared.
"""

import warnings
from typing import Any

import numpy as np

from cartagena import Game, perft
from cartagena.backends.openings import start_of
from cartagena.backends.results import ENDS, LENGTHS
from cartagena.backends.rollouts import opening, plain_rollout
from cartagena.backends.wasm import exports
from cartagena.kernel import layout as at
from cartagena.kernel.legal import chooser, legal
from cartagena.kernel.step import step
from cartagena.kernel.validate import FIELD_IS_FULL
from cartagena.kernel.view import view

SEED, CAP, MOST = 7, 20, 120


def numbers(values: Any) -> Any:
    return np.array(values, np.int64)


def zeros(size: int) -> Any:
    return np.zeros(size, np.int64)


def compare_a_game(rules: str, seats: int) -> int:
    """Play a game through the exports and through the kernel. Returns the number of moves."""
    start = start_of(rules, seats)
    table, plan, words = map(numbers, (start.table, start.plan, start.words))
    state, key, out, seen = zeros(at.WORDS), numbers([0]), zeros(at.MAX_LEGAL), [0] * at.MAX_LEGAL
    exports.opening(table, plan, words, state, SEED, 0, key)
    own, _ = opening(start, SEED, 0)
    moves = 0
    while own[at.OVER] == 0 and moves < MOST:
        assert state.tolist() == own
        listed = seen[: legal(start.table, own, seen)]
        assert out[: exports.legal(table, state, out)].tolist() == listed
        assert (exports.chooser(state), exports.fault(table, state)) == (chooser(own), 0)
        mine, theirs = [0] * at.WORDS, zeros(at.WORDS)
        view(start.table, own, chooser(own), mine)
        exports.view(table, state, chooser(own), theirs)
        assert theirs.tolist() == mine
        action = int(exports.draw(table, state, key))
        assert action in listed
        assert exports.reason(table, state, action) == 0
        assert exports.reason(table, state, at.DEAL if chooser(own) >= 0 else at.END) != 0
        if exports.due(state):
            assert exports.weight(table, state, action - at.DEAL) > 0
        exports.step(table, state, action)
        step(start.table, own, action)
        moves += 1
    return moves


def compare_rollouts(rules: str) -> None:
    start = start_of(rules, 2)
    table, plan, words = map(numbers, (start.table, start.plan, start.words))
    games, state, ends = numbers([SEED, 0, 3, CAP, LENGTHS - 1]), zeros(at.WORDS), zeros(ENDS)
    made = exports.rollout(table, plan, words, games, state, ends, zeros(LENGTHS))
    expected = plain_rollout(start, SEED, 0, 3, CAP)
    assert made == expected.actions
    assert ends.tolist() == expected.ends.tolist()
    sums = zeros(3)
    assert exports.trace(table, plan, words, games, state, zeros(at.MAX_LEGAL), sums) > made
    assert len(set(sums.tolist())) == 3


def compare_set_up() -> None:
    """A board that is laid, a pirate that is set down, a card that is dealt and a count of moves."""
    position = Game.new("nest-nl", seed=3).position
    table, words, state = numbers(position.table), numbers(position.words), zeros(at.WORDS)
    exports.lay(table, words, state)
    assert state[at.SIGN : at.SEAT].tolist() == words[at.SIGN : at.SEAT].tolist()
    before = int(state[at.SEAT + at.HAND])
    exports.deal_first(state, 0, 2)
    assert int(state[at.SEAT + at.HAND]) > before
    for _ in range(4):
        exports.put(table, state, 0, 3)
    assert exports.gather(table, state) == FIELD_IS_FULL
    stack = zeros(8 * (at.WORDS + at.MAX_LEGAL))
    stack[: at.WORDS] = words
    assert exports.perft(table, stack, 2) == perft(position, 2)


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # 64-bit words wrap around, and NumPy warns of it
    compare_rollouts("jamaica-en")
    compare_set_up()
    print(sum(compare_a_game(rules, 3) for rules in ("tortuga-en", "nest-nl")))
