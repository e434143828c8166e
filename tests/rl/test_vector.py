"""The vector environment: it follows the plain rules, starts new games, and copies nothing."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from tests.rl.play import TABLES

from cartagena import Position
from cartagena.kernel import layout as at
from cartagena.rl import vector
from cartagena.rl.compiled.episode import HOLD
from cartagena.rl.gymnasium import CartagenaEnv
from cartagena.rl.spaces import observation
from cartagena.rl.tables import CUT, FORFEIT, unpacked
from cartagena.rl.vector import CartagenaVectorEnv


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_every_step_is_what_the_plain_rules_say(rules: str, seats: int) -> None:
    env = CartagenaVectorEnv(6, rules, seats)
    seen, info = env.reset(seed=4)
    for _ in range(80):
        before = [env.tables.position(number) for number in range(6)]
        actions = env.sample()
        seen, _, _, _, info = env.step(actions)
        for number, position in enumerate(before):
            after = env.tables.position(number)
            assert same_but_for_chance(position.play(position.move(int(actions[number]))), after)
            seat = int(info["seat"][number]) - 1
            assert (seen["observation"][number] == observation.observe(after.table, after.words, seat)).all()
            assert (seen["action_mask"][number] == observation.mask(after.table, after.words, seat)).all()
            assert after.turn == seat + 1


def same_but_for_chance(played: Position, reached: Position) -> bool:
    """Whether the positions are equal apart from the cards that were dealt."""
    public = [at.TURN, at.USED, at.PASSES, at.CAPTAIN, at.OVER, at.SLOOP, at.LOW, at.HIGH]
    return not reached.is_chance and all(played.words[word] == reached.words[word] for word in public)


def test_a_finished_table_starts_anew_at_its_next_step() -> None:
    env = CartagenaVectorEnv(16, "nest-nl", 2)
    seen, _ = env.reset(seed=1)
    finished = 0
    for _ in range(400):
        over = env.tables.status != 0
        seen, gained, ended, cut, info = env.step(env.sample())
        assert not ended[over].any()
        assert (gained[over] == 0).all()
        assert not cut.any()
        assert (seen["action_mask"].sum(axis=1) > 0).all()
        assert (seen["action_mask"][ended].sum(axis=1) == 1).all()
        assert set(gained[ended].tolist()) <= {0.0, 1.0}, "who ends the game has won it, or it is a deadlock"
        assert np.allclose(info["rewards"].sum(axis=1), 0)
        finished += int(ended.sum())
    assert finished > 16


def test_illegal_actions_forfeit_only_their_own_table() -> None:
    env = CartagenaVectorEnv(3, "jamaica-en", 2)
    env.reset(seed=1)
    actions = env.sample()
    actions[1] = at.DEAL
    _, gained, ended, _, info = env.step(actions)
    assert gained.tolist() == [0, -1, 0]
    assert ended.tolist() == [False, True, False]
    assert info["rewards"][1].tolist() == [-1, 0]


@pytest.mark.parametrize("opponents", ["self", "random", "sailor"])
def test_the_info_has_the_reason_of_a_forfeit_as_that_of_a_single_environment(opponents: str) -> None:
    """Also for numbers outside the space of actions. At a table that goes on, and at its next step, there is none."""
    actions = np.array([at.END, 5000, -7, at.RETREAT + 7, HOLD])
    env, single = CartagenaVectorEnv(6, "jamaica-en", 2, opponents=opponents, seat=1), CartagenaEnv("jamaica-en", 2)
    env.reset(seed=1)
    legal = env.sample()[-1:]
    _, gained, ended, _, info = env.step(np.concatenate([actions, legal]))
    assert (gained.tolist(), ended.tolist()) == ([-1, -1, -1, -1, -1, 0], [True] * 5 + [False])
    for key in ("reason", "why"):
        assert info[f"_{key}"].tolist() == ended.tolist()
        assert info[key][5] is None
        for number, action in enumerate(actions[:-1].tolist()):
            single.reset(seed=1)
            assert info[key][number] == single.step(action)[4][key]
    assert (info["reason"][0], info["why"][1]) == ("must-act", "jamaica-en has no action 5000 that a seat could choose")
    assert info["reason"][4] == "not-in-this-game", "only the environment itself can hold a table"
    assert env.step(env.sample())[4].keys() == {"seat", "rewards"}


def test_the_turn_limit_cuts_a_game() -> None:
    env = CartagenaVectorEnv(4, "jamaica-en", 2, turns=2)
    env.reset(seed=1)
    cuts = sum(int(env.step(env.sample())[3].sum()) for _ in range(60))
    assert cuts > 4


def test_a_learner_meets_random_players_in_the_other_seats() -> None:
    env = CartagenaVectorEnv(6, "jamaica-en", 3, opponents="random")
    _, info = env.reset(seed=1)
    assert info["seat"].tolist() == [1, 2, 3, 1, 2, 3]
    ends = 0
    for _ in range(900):
        _, gained, ended, _, info = env.step(env.sample())
        assert info["seat"].tolist() == [1, 2, 3, 1, 2, 3]
        assert set(np.unique(gained[ended]).tolist()) <= {1.0, -0.5}
        ends += int(ended.sum())
    assert ends > 6
    fixed = CartagenaVectorEnv(2, "jamaica-en", 3, opponents="random", seat=2)
    assert fixed.reset(seed=1)[1]["seat"].tolist() == [2, 2]


def test_the_same_seed_gives_the_same_games() -> None:
    def trace(seed: int) -> list[Any]:
        env = CartagenaVectorEnv(8, "tortuga-en", 2)
        seen, _ = env.reset(seed=seed)
        for _ in range(30):
            seen, *_ = env.step(env.sample())
        return [seen["observation"].tolist(), env.tables.engine.arrays.states.tolist()]

    assert trace(5) == trace(5) != trace(6)


def test_arrays_are_handed_over_without_a_copy() -> None:
    env = CartagenaVectorEnv(8, "jamaica-en", 2)
    seen, _ = env.reset(seed=1)
    taken = np.from_dlpack(seen["observation"])
    assert np.shares_memory(taken, seen["observation"])
    again, gained, *_ = env.step(env.sample())
    assert np.shares_memory(taken, again["observation"]), "the next step writes the same place"
    assert gained.dtype == np.float32
    assert seen["action_mask"].dtype == np.int8


def test_observations_and_masks_can_be_switched_off() -> None:
    env = CartagenaVectorEnv(8, "jamaica-en", 2, observations=False, masks=True)
    seen, _ = env.reset(seed=1)
    assert list(seen) == ["action_mask"]
    assert list(spaces(env)) == ["action_mask"]
    assert CartagenaVectorEnv(8, "jamaica-en", 2, observations=False, masks=False).reset(seed=1)[0] == {}


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_masks_of_bits_equal_masks_of_bytes(rules: str, seats: int) -> None:
    bits = CartagenaVectorEnv(6, rules, seats, masks="bits", turns=9)
    whole = CartagenaVectorEnv(6, rules, seats, turns=9)
    (packed, _), (seen, _) = bits.reset(seed=4), whole.reset(seed=4)
    cuts = 0
    for step in range(60):
        assert packed["action_mask"].shape == (6, 152)
        assert (unpacked(packed["action_mask"]) == seen["action_mask"]).all()
        assert (packed["action_mask"][:, 150:] == 0).all()
        assert (packed["observation"] == seen["observation"]).all()
        assert bits.observation_space.contains(packed)
        actions = whole.sample()
        assert (bits.sample() == actions).all()
        if step % 20 == 19:
            actions[step % 6] = at.DEAL
        packed, *_ = bits.step(actions)
        seen, _, _, cut, _ = whole.step(actions)
        cuts += int(cut.sum())
    assert cuts > 0


def test_a_game_that_is_over_leaves_only_end_however_it_ended() -> None:
    env = CartagenaVectorEnv(12, "jamaica-en", 2, turns=3)
    env.reset(seed=1)
    ways = set()
    for step in range(60):
        actions = env.sample()
        if step % 7 == 6:
            actions[step % 12] = at.DEAL
        seen, _, ended, cut, _ = env.step(actions)
        for number in np.flatnonzero(ended | cut):
            assert np.flatnonzero(seen["action_mask"][number]).tolist() == [at.END]
            ways.add(int(env.tables.status[number]))
    assert {CUT, FORFEIT} <= ways


def spaces(env: CartagenaVectorEnv) -> Any:
    return env.single_observation_space


def test_observations_lie_in_their_space() -> None:
    env = CartagenaVectorEnv(8, "nest-nl", 5)
    seen, _ = env.reset(seed=1)
    assert env.observation_space.contains(seen)
    assert env.action_space.contains(env.sample())


@pytest.mark.parametrize("rules", ["jamaica-en", "nest-nl"])
def test_afterstates_are_what_each_choice_leads_to_before_a_card_is_dealt(rules: str) -> None:
    env = CartagenaVectorEnv(5, rules, 3)
    env.reset(seed=2)
    for _ in range(40):
        env.step(env.sample())
    firsts, actions, seen = env.tables.afterstates()
    for number in range(5):
        position = env.tables.position(number)
        own = slice(firsts[number], firsts[number + 1])
        assert actions[own].tolist() == position.legal_actions()
        for action, row in zip(actions[own], seen[own], strict=True):
            after = position.play(position.move(int(action)))
            assert (row == observation.observe(after.table, after.words, position.turn - 1)).all()


def test_a_finished_table_has_one_choice_that_leads_nowhere() -> None:
    env = CartagenaVectorEnv(1, "jamaica-en", 2)
    env.reset(seed=1)
    env.step(np.array([at.DEAL]))
    firsts, actions, seen = env.tables.afterstates()
    assert firsts.tolist() == [0, 1]
    assert actions.tolist() == [at.END]
    assert seen.any()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"num_envs": 0}, "num_envs must be a whole number from 1 to"),
        ({"seats": 1}, "seats must be a whole number from 2 to 5, not 1"),
        ({"opponents": "friends"}, "'friends' is not a player"),
        ({"opponents": ("sailor", "sailor")}, "name one opponent, not 2"),
        ({"opponents": max, "masks": False}, "opponents that are policies need observations=True and masks=True"),
        ({"backend": "abacus"}, "backend must be cpu or cuda, not 'abacus'"),
        ({"masks": "bytes"}, "masks must be True, False or 'bits', not 'bytes'"),
        ({"seat": 4}, "seat must be a whole number from 0 to 2, not 4"),
    ],
)
def test_bad_arguments_raise_errors_of_gymnasium(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(gymnasium.error.Error, match=sentence):
        CartagenaVectorEnv(**options)


def test_bad_steps_are_refused() -> None:
    env = CartagenaVectorEnv(3, "jamaica-en", 2)
    for early in (lambda: env.step(np.zeros(3, np.int64)), env.sample, env.action_masks):
        with pytest.raises(gymnasium.error.ResetNeeded, match="no game has begun"):
            early()
    env.reset(seed=1)
    for wrong in (np.zeros(4, np.int64), np.zeros(3, np.float32), "left"):
        with pytest.raises(gymnasium.error.InvalidAction, match="actions must be 3 whole numbers"):
            env.step(wrong)


def test_without_a_device_cuda_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector, "has_cuda", lambda: False)
    with pytest.raises(gymnasium.error.Error, match="there is no CUDA device here"):
        CartagenaVectorEnv(4, backend="cuda")
