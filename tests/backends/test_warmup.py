"""``warmup`` compiles everything that the verbs and environments call: nothing is left for the first use."""

import subprocess
import sys

PROGRAM = """
import gc
from numba.core.dispatcher import Dispatcher
from numba.core.caching import NullCache

from cartagena.backends.warmup import compile_parts
from cartagena.cli.verbs.warmup import PARTS


def compiled():
    entries = [item for item in gc.get_objects() if isinstance(item, Dispatcher)]
    kept = [item for item in entries if not isinstance(item._cache, NullCache)]
    return {(item.py_func.__module__, item.py_func.__name__, str(sign)) for item in kept for sign in item.overloads}


parts = []
compile_parts(PARTS, lambda done, number, what: parts.append((done, number, what)))
before = compiled()

import numpy as np
from cartagena import Game, Limit, rollouts
from cartagena.backends import Batch, perft
from cartagena.players import LEVELS, choose, create
from cartagena.rl.tables import EnvSettings, Tables

for rules, seats in (("jamaica-en", 2), ("nest-nl", 4), ("tortuga-de", 3)):
    game = Game.new(rules, seats=seats, seed=2)
    for level in LEVELS:
        choose(create(level), game.view(1), Limit(nodes=10), "g")
        create(level).decide(game.view(1), Limit(nodes=10))
    rollouts(game.view(1), 10)
    rollouts(rules, 10, seats=seats, threads=2)
    perft(game.position, 2)
    batch = Batch(rules, 4, seats=seats)
    batch.step(batch.sample())
    batch.reset(np.ones(4, bool))
    batch.legal(), batch.views()
    for masks in (True, "bits", False):
        tables = Tables(EnvSettings.of(rules, seats), 3, masks=masks)
        tables.seat_learners([0])
        tables.start()
        tables.step(tables.sample())
        tables.afterstates()

from cartagena.arena.tune import TuneConfig, self_play
from cartagena.players.weights import by_hand

for whole in (0, 1):
    config = TuneConfig("jamaica-en", generations=1, games=4, whole=whole)
    self_play(config, 2, by_hand(config.content), 0)

from cartagena.arena.game_chunks import inputs_of
from cartagena.arena.quick import QuickPlay
from cartagena.arena.searched import SearchedPlay, play_searched
from cartagena.rl.dataset import DatasetConfig, play_game
from cartagena.rulesets import rule_set

for rules, seats in (("jamaica-en", 2), ("nest-nl", 3)):
    play = QuickPlay(rule_set(rules, pirates=2), seats, "tuned", 1)
    inputs_of(play.games(0, 20).states, play.room.rules)
    play_searched(SearchedPlay(rule_set(rules, pirates=1), seats, "tuned", 4, 1), 0, 1)
    for player, columns in {"sailor": [], "gunner": ["observation", "mask"], "captain": ["policy", "value"]}.items():
        limits = {"rules": rules, "seats": seats, "seed": "1", "nodes": 10, "turns": 3, "columns": columns}
        play_game(DatasetConfig.of([player], 1, **limits), 0)
new = compiled() - before
assert not new, new
assert [done for done, _, _ in parts] == list(range(len(parts))), parts
assert parts[-1][2] == "" and all(what for _, _, what in parts[:-1])
print("complete")
"""


def test_nothing_is_left_to_compile_after_a_warmup() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "complete", done.stderr
