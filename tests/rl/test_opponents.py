"""The other seats: compiled levels, players, policies and leagues; masks and states for learners; wrappers."""

from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from tests.rl.play import TABLES, random_position, redealt

import cartagena.rl.gymnasium  # noqa: F401  # registers the environments
from cartagena import Position
from cartagena.kernel import layout as at
from cartagena.players import create
from cartagena.players.compiled.greedy import worth
from cartagena.players.compiled.picks import any_action, deckhand_action, sailor_order
from cartagena.players.gunner import Gunner
from cartagena.players.repetition import Memory
from cartagena.rl import pettingzoo
from cartagena.rl.opponents import League
from cartagena.rl.spaces import observation
from cartagena.rl.tables import LEVELS, EnvSettings, Tables, compiled_opponents
from cartagena.rl.vector import CartagenaVectorEnv
from cartagena.rl.wrappers import Flat, FlatAgents, FlatVector, flattened


def lowest_action(seen: dict[str, Any]) -> Any:
    """A policy: the legal action with the lowest number."""
    assert seen["observation"].shape == (len(seen["action_mask"]), observation.SIZE)
    return seen["action_mask"].argmax(axis=1)


def tables_at(positions: list[Position], seats: int) -> Tables:
    """Tables at these positions, all with the same chance."""
    tables = Tables(EnvSettings.of(positions[0].rules, seats), len(positions))
    tables.start()
    tables.engine.arrays.states[:] = [position.state() for position in positions]
    tables.seed(5)
    return tables


def scores(position: Position) -> dict[int, float]:
    view = position.view(position.turn)
    after = [0] * at.WORDS
    return {action: worth(view.table, view.state(), action, after) for action in view.legal_actions()}


# --- levels in compiled code


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_compiled_levels_choose_as_the_players_of_their_names(rules: str, seats: int) -> None:
    positions = [random_position(rules, seats, seed, 3 * seed) for seed in range(12)]
    tables = tables_at(positions, seats)
    replies = {name: tables.reply(np.full(12, level)) for level, name in enumerate(LEVELS)}
    for number, position in enumerate(positions):
        legal = position.legal_actions()
        assert replies["random"][number] in legal
        assert replies["deckhand"][number] in ([action for action in legal if action != at.END] or legal)
        ranked = scores(position)
        assert ranked[int(replies["sailor"][number])] == pytest.approx(max(ranked.values()))
        planned = Gunner().analyse(position.view(position.turn)).move
        assert replies["gunner"][number] == position.action(planned)


def plain_choice(level: str, view: Position, key: int, memory: Memory) -> int:
    """What the player of that name chooses by this key, with what it remembers of the game."""
    state, out, scores = view.state(), [0] * at.MAX_LEGAL, [0.0] * at.MAX_LEGAL
    if level == "random":
        return any_action(view.table, state, key)
    if level == "deckhand":
        return deckhand_action(view.table, state, key, out)
    if level == "gunner":
        gunner, result = Gunner(), np.zeros(at.MAX_SEATS + 1)
        chosen = gunner.first_action(view, memory.barred(view), result)
        action = chosen if chosen >= 0 else gunner.first_action(view, [], result)
    else:
        size = sailor_order(view.table, state, key, [0] * at.WORDS, out, scores)
        action = memory.best(view, out[:size])
    memory.note(view, action)
    return action


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("rules", ["jamaica-en", "nest-nl"])
def test_whole_games_of_a_compiled_level_are_those_of_the_player(rules: str, level: str) -> None:
    """The same key brings the same move."""
    tables = Tables(EnvSettings.of(rules, 2), 3)
    tables.seed(np.arange(3, dtype=np.uint64))
    tables.start()
    memories = [[Memory(), Memory()] for _ in range(3)]
    for _ in range(150):
        tables.forget(np.flatnonzero(tables.status != 0))
        replies = tables.reply(np.where(tables.status == 0, LEVELS.index(level), -1))
        for number in np.flatnonzero(tables.status == 0).tolist():
            view = tables.position(number).view(int(tables.viewers[number]) + 1)
            memory = memories[number][view.turn - 1]
            assert replies[number] == plain_choice(level, view, int(tables.engine.arrays.keys[number]), memory)
        for number in np.flatnonzero(tables.status != 0).tolist():
            memories[number], replies[number] = [Memory(), Memory()], at.END
        tables.step(replies)


def test_the_numbers_of_the_levels_are_those_of_the_compiled_code() -> None:
    code = compiled_opponents()
    assert [getattr(code, name.upper()) for name in LEVELS] == list(range(len(LEVELS)))


@pytest.mark.parametrize("rules", ["jamaica-en", "nest-nl"])
def test_levels_do_not_see_hidden_cards(rules: str) -> None:
    for seed in range(6):
        position = random_position(rules, 3, seed, 4 * seed)
        same = [redealt(position, position.turn - 1, number) for number in range(4)]
        tables = tables_at(same, 3)
        for level in range(len(LEVELS)):
            tables.seed(seed)
            assert len(set(tables.reply(np.full(4, level)).tolist())) == 1


def test_a_held_table_stays_as_it_is() -> None:
    positions = [random_position("jamaica-en", 2, seed, 9) for seed in range(3)]
    tables = tables_at(positions, 2)
    levels = np.array([2, -1, 1])
    before = tables.engine.arrays.states.copy()
    tables.step(tables.reply(levels))
    changed = (tables.engine.arrays.states != before).any(axis=1)
    assert changed.tolist() == [True, False, True]


# --- in the vector environment


def play_vector(env: Any, steps: int, seed: int = 1) -> tuple[int, int]:
    """Play random legal actions. Returns how many games have ended and how many of them the learner has won."""
    seen, info = env.reset(seed=seed)
    seats = info["seat"].tolist()
    rng, ends, wins = Random(seed), 0, 0
    for _ in range(steps):
        actions = [rng.choice(np.flatnonzero(mask).tolist()) for mask in seen["action_mask"]]
        before = env.tables.status.copy()
        seen, gained, ended, _, info = env.step(np.array(actions))
        assert info["seat"].tolist() == seats, "the learner keeps its seat"
        assert (gained[before != 0] == 0).all()
        running = env.tables.status == 0
        assert (seen["action_mask"][running].sum(axis=1) > 0).all()
        for row in np.flatnonzero(running).tolist():
            assert env.tables.position(row).turn == seats[row]
        ends, wins = ends + int(ended.sum()), wins + int((gained[ended] == 1).sum())
    return ends, wins


def test_a_random_learner_loses_against_a_compiled_sailor() -> None:
    env = CartagenaVectorEnv(8, "jamaica-en", 3, opponents=("sailor", "deckhand"))
    ends, wins = play_vector(env, 250)
    assert ends >= 8
    assert wins < ends / 4


def test_players_policies_and_leagues_play_in_the_vector_environment() -> None:
    league = League(["sailor", lowest_action])
    for opponents in (lowest_action, create("deckhand", 3), type(create("sailor")), league):
        env = CartagenaVectorEnv(4, "tortuga-en", 2, opponents=opponents, turns=12)
        assert env.tables.number == 4
        play_vector(env, 40)


def test_a_league_grows_while_games_are_played() -> None:
    met: list[int] = []

    def newcomer(seen: dict[str, Any]) -> Any:
        met.append(len(seen["action_mask"]))
        return lowest_action(seen)

    league = League(["deckhand"])
    env = CartagenaVectorEnv(4, "jamaica-en", 2, opponents=league, turns=4)
    play_vector(env, 10)
    league.add(newcomer)
    assert met == []
    env.reset(seed=2)
    for _ in range(40):
        env.step(env.action_masks().argmax(axis=1))
    assert met


def test_the_same_seed_gives_the_same_games_against_opponents() -> None:
    def trace(opponents: Any) -> list[Any]:
        env = CartagenaVectorEnv(5, "hispaniola-en", 2, opponents=opponents)
        env.reset(seed=7)
        for _ in range(25):
            env.step(env.sample())
        return [env.tables.engine.arrays.states.tolist()]

    for opponents in ("sailor", lowest_action, League(["deckhand", "gunner"])):
        assert trace(opponents) == trace(opponents)


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        (lambda seen: np.full(len(seen["action_mask"]), at.DEAL), "chose 1186, which is not legal here"),
        (lambda seen: np.full(len(seen["action_mask"]), 9999), "chose 9999, which is not legal here"),
        (lambda _: 3, "returns 1 whole numbers, one for each row"),
    ],
)
def test_a_bad_policy_gets_one_sentence(policy: Any, sentence: str) -> None:
    env = gymnasium.make("cartagena/Jamaica-v1", opponents=policy, seat=2)
    with pytest.raises(gymnasium.error.InvalidAction, match=sentence):
        env.reset(seed=1)


def test_copies_stay_as_they_were() -> None:
    env = CartagenaVectorEnv(3, "jamaica-en", 2, opponents="deckhand", copy=True)
    seen, info = env.reset(seed=1)
    kept = [array.copy() for array in (*seen.values(), *info.values())]
    first = env.step(env.sample())
    env.step(env.sample())
    assert all((array == was).all() for array, was in zip((*seen.values(), *info.values()), kept, strict=True))
    assert not np.shares_memory(first[1], env.tables.gained)


# --- in the single environment


@pytest.mark.parametrize("opponents", [lowest_action, create("sailor", 1), League(["deckhand", lowest_action])])
def test_the_single_environment_takes_players_policies_and_leagues(opponents: Any) -> None:
    env = gymnasium.make("cartagena/Jamaica-v1", opponents=opponents, seat=0, turns=30)
    for seed in range(3):
        env.reset(seed=seed)
        over = False
        while not over:
            masks = env.get_wrapper_attr("action_masks")()
            assert masks.dtype == np.bool_
            seen, _, terminated, truncated, info = env.step(int(masks.argmax()))
            over = terminated or truncated
            assert (env.get_wrapper_attr("action_masks")() == (info["action_mask"] != 0)).all()
            assert (seen["action_mask"] == info["action_mask"]).all()


def test_an_empty_league_is_refused() -> None:
    with pytest.raises(gymnasium.error.Error, match="a league needs at least one opponent"):
        League([])


# --- states for centralised critics, wrappers


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_a_state_shows_all_hands(rules: str, seats: int) -> None:
    env = CartagenaVectorEnv(4, rules, seats)
    env.reset(seed=3)
    for _ in range(20):
        env.step(env.sample())
    for row, whole in enumerate(env.state()):
        position = env.tables.position(row)
        for seat in range(seats):
            own = observation.part(observation.observe(position.table, position.words, seat), "hands")[0]
            assert (observation.part(whole, "hands")[seat] == own).all()
        seen = observation.observe(position.table, position.words, 0)
        for name in ("board", "pirates", "hand_sizes", "row", "discard", "stock", "turn", "actor", "used"):
            assert (observation.part(whole, name) == observation.part(seen, name)).all(), name


@pytest.mark.filterwarnings("ignore:.*WARN.*")
def test_wrappers_give_flat_observations() -> None:
    single = Flat(gymnasium.make("cartagena/Nest-v1", opponents="deckhand"))
    check_env(single, skip_render_check=True)
    seen, info = single.reset(seed=1)
    assert single.observation_space.contains(seen)
    assert (single.action_masks() == (info["action_mask"] != 0)).all()
    many = FlatVector(CartagenaVectorEnv(3, opponents="deckhand"))
    rows, _ = many.reset(seed=1)
    assert many.observation_space.contains(rows)
    assert many.action_masks().shape == (3, at.ACTIONS)
    agents = FlatAgents(pettingzoo.env(seats=2))
    agents.reset(seed=1)
    whole = agents.unwrapped.observe(agents.agent_selection)
    assert (agents.last()[0] == flattened(whole)).all()
    assert agents.observation_space("player_1").contains(agents.last()[0])
