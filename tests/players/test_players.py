"""All players: legal moves, the same ones for the same seed, and none that depends on hidden cards."""

import os
import random
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from cartagena import Game, Move, Position
from cartagena.arena.peeking import redealt
from cartagena.players import (
    LEVELS,
    WHY,
    Analyst,
    GamePlayer,
    Limit,
    Player,
    PlayerError,
    PolicyPlayer,
    analyse,
    create,
    names,
)
from cartagena.players import threads as search_threads
from cartagena.players.compiled import repetition
from cartagena.players.ismcts import ADMIRAL, CAPTAIN, QUARTERMASTER, Searcher
from cartagena.players.model import THREADS
from cartagena.players.repetition import AT_ONCE, PATIENCE, Memory
from cartagena.players.simple import Sailor
from cartagena.players.threads import thread_budget

RULES = [
    "jamaica-en",
    "jamaica-de",
    "jamaica-en-return+actions1",
    "tortuga-nl",
    "tortuga-en+actions5+cards5",
    "hispaniola-sv+pass",
    "nest-nl",
    "nest-nl-crew+pass",
]
SHORT = Limit(nodes=24)


def play(game: Game, players: list[Player], limit: Limit | None, most: int) -> int:
    """Play on, and return the number of moves. Game.play refuses illegal ones."""
    made = 0
    while not game.is_over and made < most:
        game.play(players[game.turn - 1].decide(game.view(game.turn), limit))
        made += 1
    return made


@pytest.mark.parametrize("rules", RULES)
def test_all_levels_play_legal_moves_at_every_table(rules: str) -> None:
    for seats in (2, 3, 4, 5):
        game = Game.new(rules, seats=seats, seed=seats)
        players = [create(LEVELS[(seat + seats) % len(LEVELS)], seat) for seat in range(seats)]
        assert play(game, players, SHORT, 160) > 20


@pytest.mark.parametrize("level", LEVELS)
def test_a_finished_game_has_nothing_to_choose(level: str) -> None:
    over = Position.parse("jamaica-en BPHSDK b,b/s,s B2/DK - B15D16H17K16P17S17 - - =1")
    with pytest.raises(PlayerError, match="nothing to choose"):
        create(level).decide(over)


@pytest.mark.parametrize("level", [*LEVELS, "random"])
@pytest.mark.parametrize("rules", ["jamaica-en", "tortuga-en", "nest-nl"])
def test_the_same_seed_and_calls_give_the_same_moves(level: str, rules: str) -> None:
    records = []
    for _ in range(2):
        game = Game.new(rules, seats=2, seed=11)
        play(game, [create(level, 1), create(level, 2)], Limit(nodes=80), 40)
        records.append([str(move) for move in game.moves])
    assert records[0] == records[1]


def test_the_number_of_cores_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    view = Game.new("jamaica-en", seats=3, seed=5).view(1)
    found = []
    for cores in ({0}, {0, 1}, {0, 1, 2, 3, 4}):
        monkeypatch.setattr(os, "sched_getaffinity", lambda _, cores=cores: cores)
        analysis = analyse(view, Limit(nodes=900), player=create("captain", 9))
        found.append((analysis.move, analysis.value, analysis.turns, analysis.nodes))
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("rules", ["jamaica-en", "nest-nl", "hispaniola-en"])
def test_hidden_cards_permuted_change_no_move(level: str, rules: str) -> None:
    chance = random.Random(3)
    game = Game.new(rules, seats=2 if level == "admiral" else 3, seed=21)  # its networks are for two
    helper = create("sailor", 1)
    moved = 0
    for _ in range(12):
        for _ in range(5):
            game.play(helper.decide(game.view(game.turn)))
        other = redealt(game.position, game.turn, chance)
        moved += other != game.position
        seat = game.turn
        one = create(level, 4).decide(game.view(seat), Limit(nodes=60))
        assert create(level, 4).decide(other.view(seat), Limit(nodes=60)) == one
    assert moved


@pytest.mark.parametrize("level", ["random", "deckhand", "sailor", "gunner"])
@pytest.mark.parametrize("rules", ["jamaica-en", "nest-nl"])
def test_a_policy_is_how_often_each_move_is_chosen(level: str, rules: str) -> None:
    """Over seeds, with nothing remembered. 0.15 is five standard errors of one half in 300 draws."""
    game = Game.new(rules, seats=2, seed=3)
    for _ in range(4):
        view, chosen = game.view(game.turn), Counter[Move]()
        for seed in range(3 if level == "gunner" else 300):
            player = create(level, seed)
            assert isinstance(player, GamePlayer)
            player.enter_game(None)
            chosen[player.decide(view)] += 1
        asked = create(level, 999)
        assert isinstance(asked, PolicyPlayer)
        policy = asked.policy(view)
        assert sum(policy.values()) == pytest.approx(1)
        assert set(chosen) <= set(policy) <= set(view.legal_moves)
        for move, chance in policy.items():
            assert chosen[move] / chosen.total() == pytest.approx(chance, abs=0.15), (move, view)
        game.play(max(policy, key=policy.__getitem__))


def test_a_policy_follows_what_the_player_has_repeated_in_its_game() -> None:
    view = Game.new("jamaica-en", seats=2, seed=3).view(1)
    player = Sailor(1)
    first = player.policy(view)
    for _ in range(AT_ONCE + PATIENCE):
        player.decide(view)
    assert player.policy(view) != first
    assert player.analyse(view).move in player.policy(view)


def test_a_searching_player_gives_no_policy() -> None:
    assert not isinstance(create("captain"), PolicyPlayer)


@pytest.mark.parametrize("level", ["gunner", "quartermaster", "captain"])
@pytest.mark.parametrize("rules", ["jamaica-en", "tortuga-en", "nest-nl"])
def test_an_analysis_is_whole(level: str, rules: str) -> None:
    game = Game.new(rules, seats=4, seed=2)
    player = create(level, 1)
    assert isinstance(player, Analyst)
    for _ in range(15):
        view = game.view(game.turn)
        analysis = player.analyse(view, Limit(nodes=200))
        assert analysis.move in view.legal_moves
        assert analysis.why
        assert set(analysis.why) <= set(WHY)
        assert not analysis.value or (len(analysis.value) == 4 and sum(analysis.value) == pytest.approx(1.0, abs=1e-6))
        for line in analysis.turns:
            view.play(*line.moves)
            assert sum(line.value) == pytest.approx(1.0, abs=1e-6)
        game.play(analysis.move)


@pytest.mark.parametrize("rules", ["jamaica-en", "nest-nl"])
def test_a_time_limit_is_kept(rules: str) -> None:
    view = Game.new(rules, seats=2, seed=4).view(1)
    player = create("captain", 1)
    player.decide(view, Limit(nodes=50))
    begin = time.process_time()
    player.decide(view, Limit(time=0.2))
    assert (
        time.process_time() - begin < 2.0
    )  # processor time, which a busy machine does not change; the benchmark checks 50 ms


def test_a_stop_is_for_the_search_that_comes_and_for_no_other() -> None:
    captain = Searcher(CAPTAIN)
    view = Game.new("jamaica-en", seats=2, seed=3).view(1)
    captain.stop()
    first = captain.analyse(view, Limit(nodes=40_000))
    assert 0 < first.nodes < 2_000
    captain.stop()
    captain.go_on()
    assert captain.analyse(view, Limit(nodes=4_000)).nodes >= 1_000


def test_what_was_searched_is_used_again_within_a_turn() -> None:
    game = Game.new("tortuga-en", seats=2, seed=8)
    player = create("captain", 1)
    first = analyse(game.view(1), Limit(nodes=4000), player=player)
    game.play(first.move)
    second = analyse(game.view(1), Limit(nodes=4000), player=player)
    assert second.nodes < first.nodes


def test_a_limit_that_names_nothing_is_the_players_own() -> None:
    view = Game.new("jamaica-en", seats=2, seed=3).view(1)
    brief = Searcher(replace(CAPTAIN, limit=Limit(nodes=100)))
    assert 100 <= brief.analyse(view, Limit()).nodes < 200
    assert brief.decide(view, Limit()) in view.legal_moves


def test_the_search_keeps_to_its_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    view = Game.new("jamaica-en", seats=2, seed=3).view(1)
    monkeypatch.setenv(THREADS, "1")
    before = {thread.name for thread in threading.enumerate()}
    create("captain", 1).decide(view, Limit(nodes=400))
    assert {thread.name for thread in threading.enumerate()} == before
    assert thread_budget() == 1
    monkeypatch.setenv(THREADS, "many")
    with pytest.raises(PlayerError, match="CARTAGENA_THREADS"):
        create("captain", 1).decide(view, Limit(nodes=400))


@pytest.mark.parametrize("rules", ["jamaica-en", "nest-nl"])
def test_compiled_seats_remember_repeated_moves_as_players_do(rules: str) -> None:
    """The same few views come again and again, some of them in a row, also after many turns."""
    rng, game, memory, words = random.Random(3), Game.new(rules, seats=2, seed=4), Memory(), [0] * repetition.MEMORY
    views: list[Position] = []
    while len(views) < 5:
        if game.turn == 1:
            views.append(game.view(1))
        game.play(rng.choice(list(game.legal_moves)))
    barred = 0
    for _ in range(400):
        view = rng.choice(views)
        for _ in range(rng.choice((1, 1, 2, 6))):
            ranked = rng.sample(view.legal_actions(), len(view.legal_actions()))[:3]
            barred += bool(memory.barred(view))
            standing = repetition.standing_key(view.state())
            for action in view.legal_actions():
                key = repetition.move_key(standing, action)
                assert repetition.is_barred(words, view.state(), key) == (action in memory.barred(view))
            action = repetition.least_repeated(words, view.state(), standing, ranked, len(ranked))
            assert action == memory.best(view, ranked)
            repetition.note(words, view.state(), standing, action)
            memory.note(view, action)
    assert barred > 100
    assert memory.patience == 1


def test_searches_that_begin_at_once_share_their_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    class SlowToStart(ThreadPoolExecutor):
        def __init__(self, *args: Any, **options: Any) -> None:
            time.sleep(0.05)
            super().__init__(*args, **options)
            made.append(self)

    monkeypatch.setenv(THREADS, "3")
    monkeypatch.setattr(search_threads, "ThreadPoolExecutor", SlowToStart)
    callers = [threading.Thread(target=search_threads.with_threads, args=(3, abs)) for _ in range(8)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert len(made) == 1


def test_nodes_are_searched_in_the_trees_of_the_style_and_time_on_all_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    view = Game.new("tortuga-en", seed=3).view(1)
    for threads, trees in (("1", 1), ("3", 3), ("16", 4)):
        monkeypatch.setenv(THREADS, threads)
        player = Searcher(ADMIRAL)
        for limit, wanted in ((Limit(nodes=100), 1), (Limit(time=0.2), trees), (Limit(nodes=90, time=60), 1)):
            player.analyse(view, limit)
            assert len(player.analysing.trees) == wanted
        assert CAPTAIN.trees_for(Limit(nodes=100)) == CAPTAIN.trees_for(Limit(time=1)) == 4


def test_the_default_limits_are_a_tenth_and_the_whole() -> None:
    assert Limit(time=0.7, nodes=30_000) == CAPTAIN.limit
    assert Limit(time=0.2, nodes=3_000) == QUARTERMASTER.limit


def test_the_captain_plays_games_out_only_where_more_than_two_play() -> None:
    usual = list(CAPTAIN.settings())
    assert list(CAPTAIN.settings(2)) == usual
    assert list(CAPTAIN.settings(3)) == list(CAPTAIN.settings(5)) != usual
    assert list(QUARTERMASTER.settings(4)) == list(QUARTERMASTER.settings())


def test_the_admiral_explores_less_where_two_play_with_hidden_hands() -> None:
    assert ADMIRAL.settings(2, hidden=True)[0] < ADMIRAL.settings(2)[0] == CAPTAIN.settings(2, hidden=True)[0]
    assert list(ADMIRAL.settings(3, hidden=True)) == list(ADMIRAL.settings(3))


def test_the_registry_knows_all_levels_and_says_what_it_does_not_know() -> None:
    assert names()[: len(LEVELS)] == LEVELS
    with pytest.raises(PlayerError, match="'corsair' is not a player; there are deckhand, sailor"):
        create("corsair")


@pytest.mark.parametrize(
    "limit",
    [
        {"time": 0},
        {"time": True},
        {"time": -1.0},
        {"time": float("nan")},
        {"nodes": 0},
        {"nodes": True},
        {"nodes": 1.5},
    ],
)
def test_a_limit_must_make_sense(limit: dict[str, float]) -> None:
    with pytest.raises(PlayerError):
        Limit(**limit)  # type: ignore[arg-type]


def made(memory: Memory, view: Position, ranked: list[int]) -> int:
    """The move that a player with this memory makes, which it remembers."""
    action = memory.best(view, ranked)
    memory.note(view, action)
    return action


def test_a_player_tries_another_move_when_it_comes_back_too_often() -> None:
    one = Game.new("jamaica-en", seed=1).view(1)
    other = one.play(one.legal_moves[0])
    memory = Memory()
    moves = []
    for _ in range(PATIENCE + 1):
        moves.append(made(memory, one, [7, 5]))
        made(memory, other, [1])
    assert moves == [7] * PATIENCE + [5]


def test_asking_again_is_no_repetition_until_it_is_asked_too_often() -> None:
    view = Game.new("jamaica-en", seed=1).view(1)
    memory = Memory()
    moves = [made(memory, view, [3, 5]) for _ in range(AT_ONCE + PATIENCE)]
    assert moves == [3] * (AT_ONCE + PATIENCE - 1) + [5]


@pytest.mark.parametrize("level", ["sailor", "gunner", "quartermaster", "captain", "admiral"])
@pytest.mark.parametrize(
    "words",
    [
        "35,35,n,n,n,n/b,n,n,n,n,n -/C3M2 - C10C!D9G9G!M6P7S7T7T! CD5D!G5M6M!P7P!S7S!T7 1 2.0cp1",
        "3,n,n,n,n,n/b,b,b,n,n,n -/- - C7D8D!G8G!M8P6P!S10S!T9T! C7C!D6G6M6M!P8S4T5 2 1.0p1",
        "b,n,n,n,n,n/35,n,n,n,n,n -/- - C5C!D8G10M10P6S6S!T12 C9D6D!G4G!M4M!P8P!S8T2T! 1 1.0c",
    ],
)
def test_a_stand_off_in_the_nest_ends(level: str, words: str) -> None:
    """The first to move loses, or the sloop may sail back and forth: positions that once lasted 300 turns."""
    board = "DCGMPST/GPCDMTS|TPMCGSD/PSGDCTM/GPDCMTS"
    game = Game(Position.parse(f"nest-nl {board} {words}"), seed=1)
    play(game, [create(level, 1), create(level, 2)], Limit(nodes=60), 400)
    assert game.is_over
    assert sum(move.kind == "end" for move in game.moves) < 60
