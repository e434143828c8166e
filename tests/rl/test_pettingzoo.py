"""The PettingZoo environment: PettingZoo's own tests, rewards, masks, the end, and what is refused."""

import random
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from tests.rl.play import TABLES

from cartagena.kernel import layout as at
from cartagena.rl import pettingzoo
from cartagena.rl.spaces import observation

with warnings.catch_warnings():  # PettingZoo's tests import one of its games in a way that PettingZoo warns of
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, render_test, seed_test
    from pettingzoo.test.state_test import test_state as check_state
    from pettingzoo.test.state_test import test_state_space as check_state_space


def choose(seen: dict[str, Any], rng: random.Random) -> int:
    return rng.choice(np.flatnonzero(seen["action_mask"]).tolist())


def play_out(env: Any, seed: int) -> dict[str, float]:
    """A whole random game; what each agent got in the end."""
    env.reset(seed=seed)
    rng, totals = random.Random(seed), dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, info = env.last()
        assert seen["action_mask"].any()
        assert (info["action_mask"] == seen["action_mask"]).all()
        totals[agent] += reward
        env.step(None if terminated or truncated else choose(seen, rng))
    return totals


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_pettingzoos_own_tests(rules: str, seats: int) -> None:
    def make(**options: Any) -> Any:
        return pettingzoo.env(rules=rules, seats=seats, **options)

    with warnings.catch_warnings():
        # These two are said of every environment with a mask in its observation that is not PettingZoo's own.
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        env = make()
        for number, agent in enumerate(env.possible_agents):
            env.action_space(agent).seed(number)
        api_test(env, num_cycles=150)
    seed_test(make, num_cycles=60)
    render_test(make)


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_rewards_of_a_won_game(rules: str, seats: int) -> None:
    zero_sum = sorted(play_out(pettingzoo.env(rules, seats), 5).values())
    assert zero_sum == pytest.approx([-1 / (seats - 1)] * (seats - 1) + [1.0])
    win = sorted(play_out(pettingzoo.env(rules, seats, rewards="win"), 5).values())
    assert win == [0.0] * (seats - 1) + [1.0]


def test_a_deadlock_is_shared() -> None:
    """Without retreat from the sloop and with one card each, no seat can move after the first turns."""
    ends = set()
    for seed in range(40):
        env = pettingzoo.env("jamaica-en-return", 2, rewards="win", turns=400)
        totals = play_out(env, seed)
        ends.add(tuple(sorted(totals.values())))
    assert (0.5, 0.5) in ends


def test_the_turn_limit_truncates() -> None:
    env = pettingzoo.env("jamaica-en", 3, turns=4)
    env.reset(seed=1)
    rng = random.Random(1)
    while not any(env.truncations.values()):
        env.step(choose(env.last()[0], rng))
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert set(env.rewards.values()) == {0.0}


def test_an_illegal_action_loses_the_game() -> None:
    env = pettingzoo.env("jamaica-en", 3)
    env.reset(seed=1)
    env.step(16)
    assert env.rewards == {"player_1": -1.0, "player_2": 0.0, "player_3": 0.0}
    assert all(env.terminations.values())
    info = env.infos["player_2"]
    assert info["reason"] == "no-pirate-there"
    assert info["forfeit"] == "player_1"
    assert info["why"] == "no blue pirate stands on field 1"


def test_observations_are_those_of_the_specification() -> None:
    env = pettingzoo.env("nest-nl", 3)
    env.reset(seed=2)
    rng = random.Random(2)
    for _ in range(60):
        position = env.unwrapped._tables.position()
        for seat, agent in enumerate(env.agents):
            seen = env.observe(agent)
            assert (seen["observation"] == observation.observe(position.table, position.words, seat)).all()
            assert (seen["action_mask"] == observation.mask(position.table, position.words, seat)).all()
        env.step(choose(env.last()[0], rng))


def test_who_has_nothing_to_choose_has_only_end_in_the_mask() -> None:
    env = pettingzoo.env("jamaica-en", 2)
    env.reset(seed=2)
    assert np.flatnonzero(env.observe("player_2")["action_mask"]).tolist() == [at.END]
    assert np.flatnonzero(env.infos["player_2"]["action_mask"]).tolist() == [at.END]


def test_a_seed_gives_the_same_game_and_no_seed_another() -> None:
    env = pettingzoo.env("jamaica-en", 2)
    env.reset(seed=3)
    first = str(env.unwrapped._tables.position())
    env.reset()
    second = str(env.unwrapped._tables.position())
    env.reset(seed=3)
    assert str(env.unwrapped._tables.position()) == first != second


def test_the_board_can_be_named() -> None:
    env = pettingzoo.env("jamaica-en", 2, board="BPHSDK/DBKPHS")
    env.reset(seed=3)
    assert str(env.unwrapped._tables.position()).split(" ")[1] == "BPHSDK/DBKPHS"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"seats": 6}, "seats must be a whole number from 2 to 5, not 6"),
        ({"rules": "poker-en"}, "poker-en is not a rule set"),
        ({"rules": None}, "rules must be the name of a rule set, not None"),
        ({"board": 7}, "board must be a text such as BPHSDK/DBKPHS, not 7"),
        ({"board": "AAA"}, "AAA is not a board piece"),
        ({"turn": 9}, "turn is not an argument of the environment; some are board, turns, rewards"),
        ({"turns": 0}, "turns must be a whole number from 1"),
        ({"rewards": "gold"}, "rewards must be zero-sum or win, not 'gold'"),
        ({"render_mode": "hologram"}, "render_mode must be human, rgb_array, ansi or None"),
    ],
)
def test_bad_arguments_are_the_librarys_kind_of_error(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(gymnasium.error.Error, match=sentence):
        pettingzoo.env(**options)


def test_steps_that_cannot_be_are_refused() -> None:
    env = pettingzoo.env("jamaica-en", 2, turns=1)
    env.reset(seed=1)
    with pytest.raises(gymnasium.error.InvalidAction, match="an action is a whole number from 0 to 1199, not 'left'"):
        env.step("left")
    with pytest.raises(gymnasium.error.InvalidAction, match="an action is a whole number from 0 to 1199, not 1000"):
        env.step(10**30)
    with pytest.raises(gymnasium.error.Error, match="Seed must be greater or equal to zero"):
        env.reset(seed=-1)
    with pytest.raises(gymnasium.error.Error, match="there is no player_9 at this table"):
        env.observe("player_9")
    env.step(16)
    with pytest.raises(ValueError, match="the game is over for player_1: the only step left is None"):
        env.step(0)
    env.step(None)
    env.step(None)
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"the game is over and all agents are done; call reset\(\)"):
        env.unwrapped.step(None)


def test_pictures_show_the_table() -> None:
    env = pettingzoo.env("nest-nl", 5, render_mode="rgb_array")
    env.reset(seed=1)
    before = env.render()
    assert before.shape[2] == 3
    assert before.dtype == np.uint8
    assert len(np.unique(before.reshape(-1, 3), axis=0)) >= 9, "five colours of seats, letters, fields"
    env.step(choose(env.last()[0], random.Random(1)))
    assert (env.render() != before).any()
    assert pettingzoo.env("jamaica-en", 2).unwrapped.render() is None


def test_without_a_display_a_window_is_refused_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "none-of-all")
    env = pettingzoo.env("jamaica-en", 2, render_mode="human")
    with pytest.raises(gymnasium.error.Error, match="no window can be opened here"):
        env.reset(seed=1)
    env.close()


@pytest.mark.filterwarnings("ignore:Environment's maximum and minimum state space values are equal")
def test_the_state_passes_pettingzoos_own_tests() -> None:
    env = pettingzoo.env(seats=3)
    env.reset(seed=1)
    check_state_space(env)
    check_state(env, 10)
    env.reset(seed=1)
    assert (env.action_masks() == (env.last()[0]["action_mask"] != 0)).all()
