"""The engine for browsers plays the same games and searches the same trees as plain Python and the processor."""

import gzip
import hashlib
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from tests.conformance.tracing import Case, cases
from tests.conformance.wasm import CODE, ROOT, ask, closely_hashed, games, texts
from tests.perft.test_perft_files import FILES, rows
from tests.variants import every_key

from cartagena import Game, Position
from cartagena.backends.openings import start_of
from cartagena.backends.rollouts import plain_rollout
from cartagena.kernel import validate
from cartagena.kernel.layout import MAX_LEGAL, MAX_SEATS, WORDS
from cartagena.players.browser_data import FAULTS, browser_data, numbers_of
from cartagena.players.compiled.ismcts import Basis, run
from cartagena.players.compiled.picks import deckhand_action, key_at, sailor_order
from cartagena.players.compiled.tree import new_tree
from cartagena.players.compiled.turn_search import best_turn, new_space
from cartagena.players.ismcts import ADMIRAL, CAPTAIN, QUARTERMASTER, Style
from cartagena.players.networks import fresh, pack
from cartagena.players.weights import by_hand, weights_for
from cartagena.rulesets import by_name, compile_table, rule_sets

SEED = 2026
GAMES = 2
CAP = 400
"""Turns after which a game is cut: random play in the nest goes on for long."""
NODES = 300

SEARCHES = [
    ("jamaica-en", 2, CAPTAIN, "tuned"),
    ("tortuga-en", 3, CAPTAIN, "tuned"),
    ("nest-nl", 2, QUARTERMASTER, "tuned"),
    ("nest-nl", 4, CAPTAIN, "tuned"),
    ("hispaniola-en", 2, CAPTAIN, "fresh network"),
    ("nest-nl", 3, CAPTAIN, "fresh network"),
    ("jamaica-en", 3, ADMIRAL, "fresh pairs"),
    ("tortuga-en", 4, ADMIRAL, "fresh pairs"),
    ("nest-nl", 5, ADMIRAL, "fresh pairs"),
]


def test_the_built_engine_belongs_to_the_sources() -> None:
    done = subprocess.run([sys.executable, "tools/build_wasm.py", "--check"], cwd=ROOT, check=False)
    assert done.returncode == 0


def test_the_engine_stays_small_to_load() -> None:
    code = CODE.read_bytes()
    assert len(code) < 300_000
    assert len(gzip.compress(code, 9)) < 80_000


def test_games_of_every_case_are_the_same() -> None:
    answers = ask([games(case, SEED, 0, GAMES, CAP, closely=True) for case in cases()])
    for case, found in zip(cases(), answers, strict=True):
        assert found == [closely_hashed(case, SEED, game, CAP) for game in range(GAMES)], case


def test_games_of_variants_are_the_same() -> None:
    odd = [Case((name,), 3, start_of(rules, 3)) for name, rules in every_key().items()]
    answers = ask([games(case, SEED, 0, GAMES, 100, closely=True) for case in odd])
    for case, found in zip(odd, answers, strict=True):
        assert found == [closely_hashed(case, SEED, game, 100) for game in range(GAMES)], case


def test_rollouts_end_the_same() -> None:
    some = [case for case in cases() if case.seats == 3]
    asked = [{**games(case, SEED, 0, 1, CAP, closely=False), "kind": "rollout", "games": 3} for case in some]
    for case, found in zip(some, ask(asked), strict=True):
        tally = plain_rollout(case.start, SEED, 0, 3, CAP)
        assert found["moves"] == tally.actions
        assert found["ends"][: len(tally.ends)] == list(map(int, tally.ends))


def test_the_perft_files_hold() -> None:
    lines = [line for path in FILES for line in rows(path)]
    asked = []
    for text, counts in lines:
        position = Position.parse(text)
        asked.append(
            {"kind": "perft", "table": texts(position.table), "state": texts(position.words), "depths": len(counts)}
        )
    assert ask(asked) == [list(counts) for _, counts in lines]


def looked_at(rules: str, seats: int) -> Position:
    """A view in the middle of a game."""
    game = Game.new(rules, seats=seats, seed=5)
    for _ in range(9):
        game.play(game.legal_moves[-1])
    return game.view(game.turn)


def weights_of(view: Position, kind: str) -> Any:
    return weights_for(view, kind) if kind == "tuned" else pack(fresh(3, pairs=kind == "fresh pairs"))


def native_tree(view: Position, style: Style, weights: Any) -> bytes:
    """Every number of the tree that this processor grows."""
    table: Any = np.array(view.table, np.int64)
    tree = new_tree(NODES + 8)
    run(Basis(table, weights, style.settings(view.seats)), tree, np.array(view.words), view.turn - 1, 7, NODES)
    return b"".join(np.asarray(field).tobytes() for field in tree)


def test_search_trees_are_the_same_to_the_bit() -> None:
    asked, wanted = [], []
    for rules, seats, style, kind in SEARCHES:
        view = looked_at(rules, seats)
        weights = weights_of(view, kind)
        about = {"table": texts(view.table), "state": texts(view.words), "seat": view.turn - 1}
        settings = style.settings(seats).tolist()
        limits = {"seed": 7, "nodes": NODES + 8, "number": NODES}
        asked.append({"kind": "search", **about, "weights": bits(weights), "settings": settings, **limits})
        tree = native_tree(view, style, weights)
        wanted.append({"size": len(tree) // 8, "hash": hashlib.sha256(tree).hexdigest()})
    assert ask(asked) == wanted


def bits(weights: Any) -> list[str]:
    """Weights as whole numbers: those of a network are no decimal numbers."""
    return texts(np.asarray(weights, np.float64).view(np.int64).tolist())


@pytest.mark.parametrize("rules", ["jamaica-en", "tortuga-en", "nest-nl"])
def test_whole_turns_and_single_actions_are_the_same(rules: str) -> None:
    view = looked_at(rules, 3)
    about = {"table": texts(view.table), "state": texts(view.words)}
    weights = by_hand(by_name(rules))
    seed, number = 2**32 - 1, 3
    drawn = {"kind": "picks", **about, "seed": seed, "number": number}
    turn, picks = ask([{"kind": "turn", **about, "weights": bits(weights)}, drawn])
    result = np.zeros(MAX_SEATS + 1)
    found = best_turn(np.array(view.table), np.array(view.words), weights, new_space(), result)
    assert turn == [int(found), *result.tolist()]
    room, scores = [0] * MAX_LEGAL, [0.0] * MAX_LEGAL
    key = key_at(view.state(), seed, number)
    size = sailor_order(view.table, view.state(), key, [0] * WORDS, room, scores)
    assert picks[1:] == [room[:size], scores[:size]]
    assert picks[0] == deckhand_action(view.table, view.state(), key, room)


def test_rule_tables_are_put_together_from_the_data() -> None:
    data = browser_data()["editions"]
    for rules in rule_sets():
        about = data[rules.name]
        for step, (seats, pirates, actions, cards, switch) in enumerate(
            [(2, 1, 1, 2, 0), (5, 8, 5, 20, 1), (3, 6, 3, 9, 1)]
        ):
            pieces = rules.pieces if rules.nest else 1 + 3 * step
            changed = rules.changed(actions=actions, cards=cards, may_pass=bool(switch))
            chosen = {"seats": seats, "pirates": pirates, "actions": actions, "cards": cards, "pass": switch}
            if rules.nest:
                changed, chosen["crew"] = changed.changed(crew=bool(switch)), switch
            else:
                changed, chosen[f"pieces-{switch}"] = changed.changed(may_return=bool(switch)), pieces
            table = [int(number) for number in about["table"]]
            for option, value in chosen.items():
                for place, number in about["changes"][option][str(value)].items():
                    table[int(place)] = int(number)
            assert tuple(table) == compile_table(changed, seats, pieces, pirates)


def test_faults_have_the_names_of_the_kernel() -> None:
    kernel = {
        name: number for name, number in vars(validate).items() if name.isupper() and name in numbers_of(validate)
    }
    own = {name.upper().replace("-", "_"): number for number, name in enumerate(FAULTS)}
    assert own.items() <= kernel.items()
