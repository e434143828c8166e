"""The Gymnasium environments: Gymnasium's checker, opponents, rewards, refused arguments."""

import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from cartagena.rl.compiled.episode import HOLD
from cartagena.rl.errors import BadAction
from cartagena.rl.gymnasium import IDS
from cartagena.rl.vector import CartagenaVectorEnv


def play_out(env: Any, seed: int) -> tuple[float, dict[str, Any]]:
    seen, info = env.reset(seed=seed)
    rng = random.Random(seed)
    while True:
        assert seen["action_mask"].any()
        assert (seen["action_mask"] == info["action_mask"]).all()
        action = rng.choice(np.flatnonzero(seen["action_mask"]).tolist())
        seen, reward, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            return float(reward), info


@pytest.mark.filterwarnings("ignore:.*WARN.*The environment .* is out of date")
@pytest.mark.parametrize("seats", [2, 5])
@pytest.mark.parametrize("name", IDS)
def test_the_environments_pass_the_checker_of_gymnasium(name: str, seats: int) -> None:
    env = gymnasium.make(name, seats=seats, opponents="deckhand")
    env.action_space.seed(1)
    check_env(env.unwrapped)
    env.close()


def test_a_whole_game_against_chosen_players() -> None:
    env = gymnasium.make("cartagena/Jamaica-v1", seats=3, opponents=("sailor", "deckhand"))
    rewards = {play_out(env, seed)[0] for seed in range(3)}
    assert rewards <= {1.0, -0.5}
    assert -0.5 in rewards, "a random learner loses against a sailor"


def test_the_learner_may_sit_anywhere() -> None:
    env = gymnasium.make("cartagena/Tortuga-v1", seats=4, seat=0, opponents="deckhand")
    seats = {env.reset(seed=seed)[1]["seat"] for seed in range(30)}
    assert seats == {1, 2, 3, 4}
    fixed = gymnasium.make("cartagena/Tortuga-v1", seats=4, seat=3, opponents="deckhand")
    seen, info = fixed.reset(seed=1)
    assert info["seat"] == 3
    assert seen["action_mask"].sum() > 1


def test_an_illegal_action_loses_the_episode_and_the_info_has_the_reason() -> None:
    env = gymnasium.make("cartagena/Nest-v1", seats=2)
    env.reset(seed=1)
    _, reward, terminated, truncated, info = env.step(16)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["reason"] == "no-pirate-there"
    env.reset(seed=1)
    assert env.step(800)[4]["why"] == "nest-nl has no action 800 that a seat could choose"
    env.reset(seed=1)
    with pytest.raises(BadAction, match="an action is a whole number from 0 to 1199"):
        env.step(HOLD)


def test_the_turn_limit_truncates() -> None:
    env = gymnasium.make("cartagena/Jamaica-v1", turns=3, opponents="deckhand")
    env.reset(seed=1)
    rng = random.Random(1)
    seen, _ = env.reset(seed=1)
    truncated = False
    while not truncated:
        action = rng.choice(np.flatnonzero(seen["action_mask"]).tolist())
        seen, reward, terminated, truncated, _ = env.step(action)
        assert reward == 0.0
        assert not terminated


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"seats": 7}, "seats must be a whole number from 2 to 5, not 7"),
        ({"rules": "chess-en"}, "chess-en is not a rule set"),
        ({"opponents": "nobody"}, "'nobody' is not a player"),
        ({"opponents": ("sailor", "sailor")}, "name one opponent, not 2"),
        ({"opponents": 5}, "an opponent is the name of a player, a player, a policy or a League, not 5"),
        ({"opponents": [1]}, "an opponent is the name of a player, a player, a policy or a League, not 1"),
        ({"seat": 3}, r"seat must be a whole number from 0 \(any\) to 2, not 3"),
    ],
)
def test_bad_arguments_raise_errors_of_gymnasium(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(gymnasium.error.Error, match=sentence):
        gymnasium.make("cartagena/Jamaica-v1", **options)


def test_a_step_after_the_end_is_refused() -> None:
    env = gymnasium.make("cartagena/Jamaica-v1", render_mode="ansi").unwrapped
    with pytest.raises(gymnasium.error.ResetNeeded, match="the game is over or has not begun"):
        env.step(0)
    with pytest.raises(gymnasium.error.ResetNeeded, match="no game has begun"):
        env.render()
    env.reset(seed=1)
    env.step(1199)
    with pytest.raises(gymnasium.error.ResetNeeded, match="the game is over or has not begun"):
        env.step(0)


def test_make_vec_makes_the_native_vector_environment() -> None:
    env = gymnasium.make_vec("cartagena/Nest-v1", num_envs=4, seats=3)
    assert isinstance(env, CartagenaVectorEnv)
    assert env.settings.rules.name == "nest-nl"
