"""What browsers get of the rules does what the kernel does; run with ``NUMBA_DISABLE_JIT=1``.

Prints the number of moves that were compared.
"""

import warnings
from typing import Any

import numpy as np

from cartagena import Game, Position
from cartagena.backends.openings import start_of
from cartagena.backends.results import ENDS, LENGTHS
from cartagena.backends.rollouts import opening, plain_rollout
from cartagena.backends.wasm import exports, facts
from cartagena.game.notation.actions import place_words
from cartagena.game.options import elsewhere, options, refusals
from cartagena.game.reasons import CODES
from cartagena.kernel import layout as at
from cartagena.kernel.legal import chooser, legal
from cartagena.kernel.step import step
from cartagena.kernel.validate import FIELD_IS_FULL, TOO_MANY_CARDS, fault
from cartagena.kernel.view import view

SEED, CAP, MOST = 7, 20, 120


def numbers(values: Any) -> Any:
    return np.array(values, np.int64)


def zeros(size: int) -> Any:
    return np.zeros(size, np.int64)


def compare_a_game(rules: str, seats: int) -> int:
    """Play a game through the exports and through the kernel. Returns the number of moves."""
    start = start_of(rules, seats)
    table, plan, words = map(numbers, (start.rules, start.plan, start.words))
    state, key, out, seen = zeros(at.WORDS), numbers([0]), zeros(at.MAX_LEGAL), [0] * at.MAX_LEGAL
    exports.opening(table, plan, words, state, SEED, 0, key)
    own, _ = opening(start, SEED, 0)
    position = Game.new(rules, seats=seats, seed=1).position
    moves = 0
    while own[at.OVER] == 0 and moves < MOST:
        assert state.tolist() == own
        listed = seen[: legal(start.rules, own, seen)]
        assert out[: exports.legal(table, state, out)].tolist() == listed
        assert exports.chooser(state) == chooser(own)
        compare_facts(table, state)
        compare_options(position.with_words(own), table, state)
        mine, theirs = [0] * at.WORDS, zeros(at.WORDS)
        view(start.rules, own, chooser(own), mine)
        exports.view(table, state, chooser(own), theirs)
        assert theirs.tolist() == mine
        action = int(exports.draw(table, state, key))
        assert action in listed
        assert exports.reason(table, state, action) == 0
        assert exports.reason(table, state, at.DEAL if chooser(own) >= 0 else at.END) != 0
        if exports.due(state):
            assert exports.weight(table, state, action - at.DEAL) > 0
        exports.step(table, state, action)
        step(start.rules, own, action)
        moves += 1
    return moves


def compare_facts(table: Any, state: Any) -> None:
    """The facts of a position and of a view lead to the same words again."""
    seen = state.copy()
    exports.view(table, state, 0, seen)
    for words in (state, seen):
        told, again = zeros(facts.FACTS), zeros(at.WORDS)
        facts.describe(table, words, told)
        assert facts.compose(table, told, again) == fault(table.tolist(), words.tolist()) == 0
        assert again.tolist() == words.tolist()


def compare_options(position: Position, table: Any, state: Any) -> None:
    """The choices as the library lists them."""
    out = zeros(facts.CHOICES)
    facts.options(table, state, out)
    legal, misses = out[:2].tolist()
    names, rows = place_words(position.table), out[2 : 2 + 4 * legal].reshape(-1, 4).tolist()
    listed = [(each.move, each.to, each.cards, each.passed) for each in options(position)] if position.turn else []
    told = [
        (position.move(action), names[to] if to >= 0 else "", cards, tuple(fields(names, mask)))
        for action, to, cards, mask in rows
    ]
    assert told == listed or not position.turn
    found = out[2 + 4 * legal :].tolist()
    near = [(position.move(found[n]), CODES[found[misses + n]]) for n in range(misses)]
    assert near == [(each.move, each.error.reason) for each in refusals(position)]
    rest = dict(zip(names, found[2 * misses :], strict=False)) if position.turn else {}
    assert {name: CODES[why] for name, why in rest.items() if why} == {
        place: code for code, places in elsewhere(position).items() for place in places
    }
    for action, to, _, _ in rows:
        assert exports.destination(table, state, action) == to


def fields(names: Any, mask: int) -> list[str]:
    return [name for place, name in enumerate(names) if mask >> place & 1]


def compare_rollouts(rules: str) -> None:
    start = start_of(rules, 2)
    table, plan, words = map(numbers, (start.rules, start.plan, start.words))
    games, state, ends = numbers([SEED, 0, 3, CAP, LENGTHS - 1]), zeros(at.WORDS), zeros(ENDS)
    made = exports.rollout(table, plan, words, games, state, ends, zeros(LENGTHS))
    expected = plain_rollout(start, SEED, 0, 3, CAP)
    assert made == expected.actions
    assert ends.tolist() == expected.ends.tolist()
    sums = zeros(3)
    assert exports.trace(table, plan, words, games, state, zeros(at.MAX_LEGAL), sums) > made
    assert len(set(sums.tolist())) == 3


def compare_set_up() -> None:
    """A board that is laid, a pirate that is set down and a card that is dealt."""
    position = Game.new("nest-nl", seed=3).position
    table, words, state = numbers(position.table), numbers(position.words), zeros(at.WORDS)
    exports.lay(table, words, state)
    assert state[at.SIGN : at.SEAT].tolist() == words[at.SIGN : at.SEAT].tolist()
    before = int(state[at.SEAT + at.HAND])
    exports.deal_first(state, 0, 2)
    assert int(state[at.SEAT + at.HAND]) > before
    told = zeros(facts.FACTS)
    facts.describe(table, state, told)
    told[facts.F_PLACES : facts.F_PLACES + 4] = 3
    assert facts.compose(table, told, zeros(at.WORDS)) == FIELD_IS_FULL
    for count in (facts.F_PILES, facts.F_PILES + 1):
        wrong = told.copy()
        wrong[count] = 256
        assert facts.compose(table, wrong, zeros(at.WORDS)) == TOO_MANY_CARDS


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # 64-bit words wrap around, and NumPy warns of it
    compare_rollouts("jamaica-en")
    compare_set_up()
    print(sum(compare_a_game(rules, 3) for rules in ("tortuga-en", "nest-nl")))
