"""Results of the compiled code, as JSON on standard output: players, self-play, rollouts, vector games.

``test_uncompiled`` compares what this prints with and without the compiler (``NUMBA_DISABLE_JIT=1``).
"""

import json
import sys
import warnings
from typing import Any

import numpy as np

from cartagena import Game, Limit, analyse, create_player, rollouts, rule_set
from cartagena.arena.quick import QuickPlay
from cartagena.arena.tune import TuneConfig, self_play
from cartagena.backends import Batch, perft
from cartagena.players.compiled.ismcts import Basis, run
from cartagena.players.compiled.tree import NODES, USED_EDGES, new_tree
from cartagena.players.ismcts import CAPTAIN
from cartagena.players.networks import fresh, pack
from cartagena.players.weights import by_hand
from cartagena.rl.compiled.one_game import CHANCE, FINISHED
from cartagena.rl.history import set_up_game
from cartagena.rl.stepping import SteppedGame
from cartagena.rl.tables import LEVELS as REPLYING
from cartagena.rl.tables import EnvSettings, Tables
from cartagena.rl.vector import CartagenaVectorEnv
from cartagena.rulesets import by_name

LEVELS = [
    ("jamaica-en", "gunner", 2),
    ("tortuga-en", "quartermaster", 3),
    ("hispaniola-en", "captain", 2),
    ("nest-nl", "gunner", 2),
    ("nest-nl", "quartermaster", 2),
    ("nest-nl", "captain", 3),
]

NETWORKS = [
    ("tortuga-en", 2, False),
    ("jamaica-en", 5, False),
    ("nest-nl", 2, False),
    ("nest-nl", 3, False),
    ("nest-nl", 3, True),
    ("tortuga-en", 4, True),
]


def decisions(rules: str, level: str, seats: int) -> list[Any]:
    """The analysis of two positions of a game, with few nodes."""
    game = Game.new(rules, seats=seats, seed=5)
    found = []
    for _ in range(2):
        told = analyse(game.view(game.turn), Limit(nodes=24), player=create_player(level, 1))
        found.append([str(told.move), [round(value, 6) for value in told.value]])
        for _ in range(6):
            game.play(game.legal_moves[-1])
    return found


def network_search(rules: str, seats: int, pairs: bool) -> list[Any]:
    """The tree of a short search by a network that knows nothing: every value counts to the last bit."""
    view = Game.new(rules, seats=seats, seed=3).view(1)
    table: Any = np.array(view.table, np.int64)
    tree = new_tree(64)
    basis = Basis(table, pack(fresh(seats, pairs)), CAPTAIN.settings(seats))
    run(basis, tree, np.array(view.words, np.int64), view.turn - 1, 5, 12)
    edges = np.asarray(tree.guess)[: tree.numbers[USED_EDGES]]
    return [int(tree.numbers[NODES]), [float(guess).hex() for guess in edges]]


def random_games(rules: str) -> list[Any]:
    """The totals of a few rollouts, and the moves counted from the opening."""
    result = rollouts(rules, games=2, seed=3, backend="cpu", threads=1, cap=30)
    return [*map(int, result.wins), int(result.actions), perft(Game.new(rules, seed=2).position, 2)]


def samples(rules: str) -> list[float]:
    """The sums of the features that self-play finds."""
    config = TuneConfig(rules, (2,), generations=1, games=1, seed=4)
    found = self_play(config, 2, by_hand(by_name(rules)), 0)
    return [len(found.winners), round(float(found.features.sum()), 3)]


def batch(rules: str) -> Any:
    """What a batch holds after a few steps."""
    games = Batch(rules, 2, seed=1, threads=1)
    for _ in range(12):
        games.step(games.sample())
    games.reset(np.array([True, False]))
    return [
        int(array.astype(np.int64).sum()) for array in (games.legal(), games.views())
    ] + games.states.ravel().tolist()


def quick(rules: str, seats: int) -> list[Any]:
    """What is kept of a quick game of a small rule set."""
    play = QuickPlay(rule_set(rules, pirates=1, pieces=2), seats, "tuned", 3, every=4)
    found = play.games(0, 1)
    return [found.states.sum(axis=0).tolist(), found.winners.tolist(), [each.hex() for each in found.returns.ravel()]]


def environment(rules: str, masks: bool | str, opponents: str) -> list[float]:
    """What a vector environment shows after a few steps."""
    env = CartagenaVectorEnv(2, rules, 2, opponents=opponents, masks=masks, turns=8)
    env.reset(seed=1)
    found: list[float] = []
    for _ in range(15):
        seen, rewards, ended, cut, _ = env.step(env.sample())
        found += [float(seen["observation"].sum()), float(seen["action_mask"].astype(np.int64).sum())]
        found += [float(rewards.sum()), float(ended.sum()), float(cut.sum())]
    _, actions, after = env.tables.afterstates()
    return [*found, float(actions.sum()), float(after.sum())]


def replies(rules: str) -> list[Any]:
    """What the levels choose inside the environments, the games with open hands, and a single game step by step."""
    tables = Tables(EnvSettings.of(rules, 2), len(REPLYING))
    tables.seed(np.arange(1, len(REPLYING) + 1).astype(np.uint64))
    tables.start()
    found: list[Any] = []
    for _ in range(6):
        chosen = tables.reply(np.arange(len(REPLYING)))
        found.append(chosen.tolist())
        tables.step(chosen)
    found.append(int(tables.state().astype(np.int64).sum()))
    game = SteppedGame(set_up_game(rules, 2, "", 2))
    while game.player != FINISHED and len(found) < 60:
        game.play(game.outcomes()[-1][0] if game.player == CHANCE else game.legal()[-1])
        found.append([int(game.player), int(game.observation(0).astype(np.int64).sum())])
    return found


def everything() -> dict[str, Any]:
    """All results by name."""
    found: dict[str, Any] = {" ".join(map(str, case)): decisions(*case) for case in LEVELS}
    found |= {f"network {' '.join(map(str, each))}": network_search(*each) for each in NETWORKS}
    found |= {f"games {rules}": random_games(rules) for rules in ("jamaica-en", "tortuga-en", "nest-nl")}
    found |= {f"self-play {rules}": samples(rules) for rules in ("tortuga-en", "nest-nl")}
    found |= {"quick": quick("tortuga-en", 3)}
    found |= {f"batch {rules}": batch(rules) for rules in ("jamaica-en", "nest-nl")}
    found |= {f"replies {rules}": replies(rules) for rules in ("tortuga-en", "nest-nl")}
    found["self"] = environment("tortuga-en", True, "self")
    found["random"] = environment("nest-nl", "bits", "random")
    return found


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # 64-bit words wrap around, and NumPy warns of it
    json.dump(everything(), sys.stdout)
