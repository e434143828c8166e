"""The OpenSpiel game: OpenSpiel's own tests, playthroughs, its searchers, true chances, perfect recall."""

import lzma
import random
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms import ismcts, mcts
from tests.rl.play import TABLES

import cartagena.rl.openspiel  # registers the game
from cartagena.kernel import layout as at
from cartagena.kernel.cards import tally
from cartagena.rl.spaces import observation

PLAYTHROUGHS = sorted((Path(__file__).parent / "playthroughs").glob("*.txt.xz"))
SMALL = "board=BPHSDK/DBKPHS"


def load(text: str = "") -> pyspiel.Game:
    return pyspiel.load_game(f"python_cartagena({text})")


def play_on(state: pyspiel.State, rng: random.Random, choices: int) -> None:
    """Chance and so many random choices, then chance again up to the next choice."""
    while not state.is_terminal() and (choices or state.is_chance_node()):
        if state.is_chance_node():
            cards, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(cards, weights)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            choices -= 1


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_openspiels_own_random_test(rules: str, seats: int) -> None:
    pyspiel.random_sim_test(load(f"rules={rules},seats={seats}"), num_sims=1, serialize=False, verbose=False)


def test_openspiels_own_random_test_with_serialization() -> None:
    pyspiel.random_sim_test(load(f"rules=hispaniola-de,seats=3,turns=6,{SMALL}"), 1, True, False)


def test_there_is_a_playthrough_of_each_game_at_two_and_five_seats() -> None:
    assert [path.name for path in PLAYTHROUGHS] == sorted(f"{rules}_{seats}.txt.xz" for rules, seats in TABLES)


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=lambda path: path.stem)
def test_playthroughs_come_out_the_same(path: Path, tmp_path: Path) -> None:
    from open_spiel.python.algorithms import generate_playthrough  # it takes a second to load, and only here

    flags.FLAGS(["test"])  # OpenSpiel reads a flag of its own there, which must be parsed first
    unpacked = tmp_path / path.stem
    unpacked.write_bytes(lzma.decompress(path.read_bytes()))
    original, again = generate_playthrough.replay(str(unpacked))
    assert again.splitlines() == original.splitlines()


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_compiled_steps_are_those_of_the_plain_rules(rules: str, seats: int) -> None:
    state, rng = load(f"rules={rules},seats={seats},turns=30").new_initial_state(), random.Random(6)
    while not state.is_terminal():
        past, copy = state.past, state.clone().past
        assert past.words == past.memory().words == copy.words
        assert past.tokens_of(0) == copy.tokens_of(0)
        if state.current_player() >= 0:
            assert state.legal_actions() == past.position().legal_actions()
            assert state.legal_actions(1 - state.current_player()) == []
            state.apply_action(rng.choice(state.legal_actions()))
        else:
            assert state.current_player() == pyspiel.PlayerId.CHANCE
            assert state.legal_actions() == [card for card, _ in state.chance_outcomes()]
            state.apply_action(rng.choice(state.legal_actions()))
    assert state.current_player() == pyspiel.PlayerId.TERMINAL
    assert state.legal_actions() == state.chance_outcomes() == []


def test_a_copy_plays_on_alone() -> None:
    state, rng = load(f"rules=jamaica-en,seats=2,{SMALL}").new_initial_state(), random.Random(2)
    play_on(state, rng, 4)
    before, told = state.past.words, state.information_state_string(0)
    other = state.clone()
    play_on(other, rng, 5)
    assert other.information_state_string(0).startswith(told)
    assert other.information_state_string(0) != told
    assert (state.past.words, state.information_state_string(0)) == (before, told)


def play_whole_game(game: pyspiel.Game, bots: list[pyspiel.Bot], seed: int) -> pyspiel.State:
    state, rng = game.new_initial_state(), np.random.RandomState(seed)
    while not state.is_terminal():
        if state.is_chance_node():
            cards, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choice(cards, p=chances))
        else:
            state.apply_action(bots[state.current_player()].step(state))
    return state


@pytest.mark.parametrize("rules", ["tortuga-en", "jamaica-en"])
def test_mcts_plays_a_whole_game(rules: str) -> None:
    game = load(f"rules={rules},seats=2,board=BPHSDK")
    rng = np.random.RandomState(7)
    bots = [mcts.MCTSBot(game, 1.4, 3, mcts.RandomRolloutEvaluator(1, rng), random_state=rng) for _ in range(2)]
    state = play_whole_game(game, bots, 3)
    assert sorted(state.returns()) == [-1.0, 1.0]


def searchers(game: pyspiel.Game, simulations: int, seed: int) -> list[pyspiel.Bot]:
    """Two searchers all of whose chance follows from the seed; by itself the search draws states without one."""
    rng = np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bots = [ismcts.ISMCTSBot(game, evaluator, 1.4, simulations, random_state=rng) for _ in range(2)]
    for bot in bots:
        bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.random_sample))
    return bots


@pytest.mark.parametrize("rules", ["jamaica-en", "hispaniola-en"])
def test_information_set_mcts_plays_a_whole_game(rules: str) -> None:
    game = load(f"rules={rules},seats=2,board=BPHSDK")
    state = play_whole_game(game, searchers(game, 3, seed=5), 4)
    assert sorted(state.returns()) == [-1.0, 1.0]
    assert str(state).split()[-1] == f"={state.returns().index(1.0) + 1}"


def test_information_set_mcts_plays_the_nest() -> None:
    game = load("rules=nest-nl,seats=2,turns=12")
    ends = [play_whole_game(game, searchers(game, 2, seed=5), 4) for _ in range(2)]
    assert all(state.is_terminal() and state.past.turns == 12 for state in ends)
    assert ends[0].history() == ends[1].history(), "the same seed gives the same game"


def test_a_deadlock_pays_nobody() -> None:
    """On one piece of board a game in thirty ends so: both hands are empty and no pirate has a field to retreat to."""
    state = load("rules=hispaniola-en,seats=2,board=BPHSDK").new_initial_state()
    play_on(state, random.Random(2), 1000)
    assert str(state).split()[-1] == "=0"
    assert state.past.turns < 1000
    assert state.returns() == [0.0, 0.0]


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_chances_are_the_true_ones_from_the_first_card_on(rules: str, seats: int) -> None:
    state, rng = load(f"rules={rules},seats={seats}").new_initial_state(), random.Random(3)
    deck = state.past.setup.deck
    outcomes = dict(state.chance_outcomes())
    number = sum(tally(deck, card) for card in range(at.CARDS))
    assert outcomes == {card: tally(deck, card) / number for card in range(at.CARDS) if tally(deck, card)}
    first = max(outcomes)
    state.apply_action(first)
    left = tally(deck, first) - 1
    assert dict(state.chance_outcomes()).get(first, 0.0) == pytest.approx(left / (number - 1))
    play_on(state, rng, 25)
    assert not state.is_chance_node()
    assert state.position.turn == state.current_player() + 1


def test_the_opening_is_dealt_by_chance_on_a_fixed_board() -> None:
    state = load("rules=tortuga-en,seats=3").new_initial_state()
    assert str(state).split(" ")[1] == "BPHSDK/DBKPHS/HKPBSD/KBSDHP/PKDHSB/HDKBPS"
    for _ in range(3 * 6 + 12):
        assert state.is_chance_node()
        state.apply_action(state.chance_outcomes()[0][0])
    assert state.current_player() == 0
    assert str(load("rules=tortuga-en,seats=2,board=PKDHSB").new_initial_state()).split(" ")[1] == "PKDHSB"


def test_information_is_perfect_where_hands_lie_open() -> None:
    kinds = pyspiel.GameType.Information
    assert load("rules=tortuga-de").get_type().information == kinds.PERFECT_INFORMATION
    assert load("rules=jamaica-de").get_type().information == kinds.IMPERFECT_INFORMATION


def test_the_tensor_is_the_one_observation() -> None:
    state, rng = load("rules=nest-nl,seats=3").new_initial_state(), random.Random(8)
    play_on(state, rng, 30)
    for seat in range(3):
        expected = observation.observe(state.position.table, state.position.words, seat)
        assert state.observation_tensor(seat) == expected.tolist()


@pytest.mark.parametrize("rules", ["jamaica-en", "nest-nl", "hispaniola-en"])
def test_a_seat_remembers_its_own_deals_and_not_those_of_others(rules: str) -> None:
    game = load(f"rules={rules},seats=2")
    one, two = game.new_initial_state(), game.new_initial_state()
    deal = one.past.setup.laid.rules.deal
    for number in range(2 * deal):
        cards = [card for card, _ in one.chance_outcomes()]
        one.apply_action(cards[0])
        two.apply_action(cards[0] if number < deal else cards[1])
    assert one.information_state_string(0) == two.information_state_string(0)
    assert one.information_state_string(1) != two.information_state_string(1)
    assert one.observation_string(0) == two.observation_string(0)
    assert one.observation_string(1) != two.observation_string(1)


def test_the_turn_limit_is_a_draw() -> None:
    state = load("rules=jamaica-en,seats=3,turns=2").new_initial_state()
    play_on(state, random.Random(1), 1000)
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("rules=monopoly", "monopoly is not a rule set"),
        ("seats=6", "seats must be a whole number from 2 to 5, not 6"),
        ("board=XYZ", "XYZ is not a board piece"),
        ("turns=0", "turns must be a whole number from 1"),
    ],
)
def test_bad_parameters_are_openspiels_kind_of_error(text: str, sentence: str) -> None:
    with pytest.raises(pyspiel.SpielError, match=sentence):
        load(text)


def test_bad_actions_raise_errors_of_openspiel() -> None:
    state = load(f"rules=jamaica-en,seats=2,{SMALL}").new_initial_state()
    with pytest.raises(pyspiel.SpielError, match="Card 12 cannot be dealt now"):
        state.apply_action(12)
    play_on(state, random.Random(1), 0)
    with pytest.raises(pyspiel.SpielError, match="no blue pirate stands on field 1"):
        state.apply_action(16)
    with pytest.raises(pyspiel.SpielError, match="has no action 1199"):
        state.apply_action(1199)
    play_on(state, random.Random(1), 10_000)
    with pytest.raises(pyspiel.SpielError, match="The game is over"):
        state.apply_action(0)


def test_a_file_of_rules_that_is_written_again_is_another_game(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    sizes = []
    for pirates in (3, 4, 3):
        path.write_text(f'base = "tortuga-en"\npirates = {pirates}')
        game = cartagena.rl.openspiel.CartagenaGame({"rules": str(path)})
        sizes.append(game.setup.laid.table[at.T_PIRATES])
    assert sizes == [3, 4, 3]


def test_a_file_of_rules_names_the_seats(tmp_path: Path) -> None:
    file = tmp_path / "four.toml"
    file.write_text('base = "jamaica-en"\npieces = 1\nseats = 4\n')
    assert pyspiel.load_game("python_cartagena", {"rules": str(file)}).num_players() == 4
    assert pyspiel.load_game("python_cartagena", {"rules": str(file), "seats": 3}).num_players() == 3
    assert pyspiel.load_game("python_cartagena").num_players() == 2


def test_a_tensor_of_what_a_seat_remembers_is_refused_in_one_sentence() -> None:
    game = pyspiel.load_game("python_cartagena")
    state = game.new_initial_state()
    for asked in (game.information_state_tensor_shape, game.information_state_tensor_size):
        with pytest.raises(pyspiel.SpielError, match=r"has no information_state_tensor: .* Use observation_tensor"):
            asked()
    with pytest.raises(pyspiel.SpielError, match="has no information_state_tensor"):
        state.information_state_tensor(0)
