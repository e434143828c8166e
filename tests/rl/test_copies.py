"""Environments can be copied and pickled with the same future, begin from positions, and refuse what they cannot do."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from cartagena import Game
from cartagena.rl.errors import BadArgument
from cartagena.rl.gymnasium import CartagenaEnv
from cartagena.rl.pettingzoo import env as agents_env
from cartagena.rl.vector import CartagenaVectorEnv
from cartagena.rulesets import from_data

pytestmark = pytest.mark.usefixtures("compiled_code")
MAKERS: dict[str, Callable[[], Any]] = {
    "pettingzoo": lambda: agents_env("tortuga-en", 2),
    "gymnasium": lambda: CartagenaEnv("tortuga-en", opponents="sailor"),
    "vector": lambda: CartagenaVectorEnv(3, "tortuga-en"),
    "vector with opponents": lambda: CartagenaVectorEnv(3, "tortuga-en", opponents="sailor"),
}
WAYS: dict[str, Callable[[Any], Any]] = {"copy": copy.deepcopy, "pickle": lambda env: pickle.loads(pickle.dumps(env))}


def played(env: Any, steps: int) -> list[bytes]:
    """What is seen in some steps, in which the first legal action is chosen."""
    seen = []
    for _ in range(steps):
        masks = np.atleast_2d(env.action_masks())
        chosen = masks.argmax(axis=1)
        if hasattr(env, "agent_selection"):
            env.step(int(chosen[0]))
            found = env.last()[0]
        else:
            found = env.step(chosen if hasattr(env, "num_envs") else int(chosen[0]))[0]
        seen.append(found["observation"].tobytes() + found["action_mask"].tobytes())
    return seen


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", MAKERS)
def test_a_copy_has_the_same_future_and_a_life_of_its_own(kind: str, way: str) -> None:
    env = MAKERS[kind]()
    env.reset(seed=4)
    played(env, 9)
    other = WAYS[way](env)
    future = played(other, 15)
    assert played(env, 15) == future


@pytest.mark.parametrize("kind", MAKERS)
def test_a_game_begins_from_a_position(kind: str) -> None:
    game = Game.new("tortuga-en", seats=2, seed=8)
    while len(game.moves) < 4 or game.turn != 1:
        game.play(game.legal_moves[0])
    env = MAKERS[kind]()
    for given in (game.position, str(game.position)):
        env.reset(seed=1, options={"position": given})
        tables = env.tables if hasattr(env, "tables") else env.unwrapped._tables
        if kind != "vector with opponents":  # its learners sit at both seats
            assert tables.position().words == game.position.words
    with pytest.raises(BadArgument, match="reset takes the option position, not 'reset_mask'"):
        env.reset(options={"reset_mask": np.array([True])})
    with pytest.raises(BadArgument, match=r"must be of tortuga-en with 2 seats .*, not of tortuga-en with 3\.$"):
        env.reset(options={"position": Game.new("tortuga-en", seats=3, seed=1).position})
    with pytest.raises(BadArgument):
        env.reset(options={"position": 5})


VARIANTS: dict[str, Callable[..., Any]] = {
    "pettingzoo": agents_env, "gymnasium": CartagenaEnv, "vector": lambda rules: CartagenaVectorEnv(2, rules),
}  # fmt: skip


@pytest.mark.parametrize("kind", VARIANTS)
def test_a_variant_has_its_seats_and_its_positions_are_read_by_its_rules(kind: str) -> None:
    rules = from_data({"base": "tortuga-en", "name": "narrow", "signs": "BDK", "row": 1, "pieces": 2, "seats": 4})
    game, base = Game.new(rules, seed=8), Game.new("tortuga-en", seats=4, seed=8, pieces=2)
    env = VARIANTS[kind](rules)
    tables = env.tables if kind == "vector" else env.unwrapped._tables
    for given in (game.position, str(game.position)):
        env.reset(seed=1, options={"position": given})
        assert tables.position() == game.position
    with pytest.raises(BadArgument, match=r"of narrow \(tortuga-en\) with 4 seats .*, not of tortuga-en with 4"):
        env.reset(options={"position": base.position})


def test_every_table_of_a_vector_has_its_seed_and_its_position() -> None:
    env, other = CartagenaVectorEnv(2, "jamaica-en"), CartagenaVectorEnv(2, "jamaica-en")
    first = env.reset(seed=[5, 6])[0]["observation"].copy()
    second = other.reset(seed=[6, 5])[0]["observation"].copy()
    assert (first == second[::-1]).all()
    assert (first != second).any()
    assert (env.reset(seed=np.array([5, 6]))[0]["observation"] == first).all()
    positions = [Game.new("jamaica-en", seats=2, seed=seed).position for seed in (1, 2)]
    env.reset(seed=1, options={"position": positions})
    assert [env.tables.position(number) for number in range(2)] == positions
    with pytest.raises(BadArgument, match="one for each of the 2 tables, not 3"):
        env.reset(seed=[1, 2, 3])


def test_environments_take_whole_numbers_of_numpy() -> None:
    two: Any = np.int64(2)
    three: Any = np.int64(3)
    many = CartagenaVectorEnv(two, "jamaica-en", three, seat=two, turns=two, opponents="sailor")
    assert many.reset(seed=three)[1]["seat"].tolist() == [2, 2]
    assert CartagenaEnv("jamaica-en", three, seat=two).reset(seed=1)[0]["observation"].shape == (832,)
    assert [type(number) for number in (many.num_envs, many.settings.seats, many.settings.turns)] == [int] * 3
