"""Positions with one right turn that the captain must find within a node budget, and small games solved exactly."""

import gzip
import json

import pytest

from cartagena import Game, Move, Position
from cartagena.players import Limit, create
from cartagena.players.explain import reasons
from cartagena.players.ismcts import captain

from .positions import build, whole_turn
from .solver import DATA, solved

NODES = 1200


@pytest.mark.parametrize(
    ("position", "order"),
    [
        (build("jamaica-en", "34,35,b,b,b,b/30,b,b,b,b,b", "PP/BDHKS"), ["34:P", "35:P"]),
        (build("tortuga-en", "34,35,b,b,b,b/30,b,b,b,b,b", "PP/BDHKS", "BDHKSBDHKSBD"), ["34:P", "35:P"]),
        (build("nest-nl", "34,35,n,n,n,n/30,n,n,n,n,n", "MM/CDGPS", sloop="2"), ["34:M", "35:M"]),
    ],
)
@pytest.mark.parametrize("level", ["quartermaster", "captain"])
def test_wins_now_though_the_order_matters(position: Position, order: list[str], level: str) -> None:
    assert position.play(*order).outcome() is not None
    assert position.play(*reversed(order[1:]), "34:" + order[0][-1]).outcome() is None, "the other order does not win"
    moves, after = whole_turn(create(level, 5), position, NODES)
    assert after.outcome() is not None, moves


def test_wins_now_with_three_actions_the_last_pirate_last() -> None:
    position = build("tortuga-en", "33,34,35,b,b,b/36,b,b,b,b,b", "PPP/BDHKS", "BDHKSBDHKSBD")
    moves, after = whole_turn(create("captain", 1), position, NODES)
    assert moves[-1] == "35:P"
    assert after.outcome() is not None


@pytest.mark.parametrize(
    ("position", "idle", "threat"),
    [
        (build("jamaica-en", "s,5,12,18,24,36/35,b,b,b,b,b", "DDD/S", stock_of="S"), "s:D", "35:S"),
        (build("tortuga-en", "s,5,12,18,24,36/35,b,b,b,b,b", "DDD/S", "BBBBBBBBBBBB"), "s:D", "35:S"),
        (build("tortuga-de", "s,5,12,18,24,36/35,b,b,b,b,b", "DDD/S", "BBBBBBBBBBBB"), "s:D", "35:S"),
        (
            build("nest-nl+actions1", "s,s,2,3,9,35/34,n,n,n,n,n", "CDG/M", sloop="2", stock_of="M"),
            "s:C",
            "34:M",
        ),
    ],
)
def test_breaks_the_chain_that_would_win_for_the_rival(position: Position, idle: str, threat: str) -> None:
    """The rival's card takes its last pirate home only while the field in front is occupied.

    Where hands are hidden all cards out of sight have the same sign, so that the threat is certain there too.
    """
    assert position.play(idle, "end", threat).outcome() is not None
    for seed in range(3):
        moves, after = whole_turn(create("captain", seed), position, NODES)
        assert after.play(threat).outcome() is None, moves


@pytest.mark.parametrize(
    ("position", "move"),
    [
        (build("jamaica-en", "s,s,s,s,10,20/9,19,19,b,b,b", "-/B"), "20<"),
        (build("tortuga-en", "s,s,s,s,10,20/9,19,19,b,b,b", "-/B", "BDHKPSBDHKPS"), "20<"),
        (build("nest-nl", "s,s,3,3,9,20/s,s,2,8,b,30", "-/CDG", sloop="1"), "2@2"),
    ],
)
def test_takes_the_pair(position: Position, move: str) -> None:
    moves, _ = whole_turn(create("captain", 3), position, NODES)
    assert move in moves


# --- small games


def small_games(game: str) -> list[tuple[Position, list[str]]]:
    told = json.loads(gzip.decompress(DATA.read_bytes()))
    entries = [(Position.parse(entry["position"]), entry["best"]) for entry in told]
    return [(position, best) for position, best in entries if position.rules.game == game]


@pytest.mark.parametrize("game", ["tortuga", "jamaica", "nest"])
def test_the_solved_positions_are_solved_right(game: str) -> None:
    for position, best in small_games(game)[::15]:
        assert solved(position) == best


@pytest.mark.parametrize("game", ["tortuga", "jamaica", "nest"])
def test_captain_plays_solved_small_games_optimally(game: str) -> None:
    games = small_games(game)
    assert len(games) >= 60
    wrong = []
    for number, (position, best) in enumerate(games):
        move = str(create("captain", number).decide(position.view(position.turn), Limit(nodes=6000)))
        if move not in best:
            wrong.append((str(position), move, best))
    assert len(wrong) <= 0.02 * len(games), wrong


def test_a_turn_is_worth_what_was_searched_of_it_where_its_end_was_not() -> None:
    for rules in ("nest-nl", "jamaica-en"):
        view = Game.new(rules, seats=2, seed=1).view(1)
        turns = captain(1).analyse(view, Limit(nodes=40)).turns
        assert len(turns) > 1
        assert all(turn.value[0] > 0.05 for turn in turns), turns


@pytest.mark.parametrize(
    ("pirates", "move", "fetched"),
    [
        ("s,s,s,s,s,s/s,s,s,s,s,s", "s:D", False),
        ("4,4,12,18,24,36/s,s,s,s,s,s", "4:D", False),
        ("4,9,12,18,24,36/s,s,s,s,s,s", "9:D", False),
        ("4,9,12,18,24,36/s,s,s,s,s,s", "4:D", True),
        ("35,b,b,b,b,b/s,s,s,s,s,s", "35:D", True),
    ],
)
def test_a_move_brings_the_last_pirate_along_only_if_none_stays_behind(pirates: str, move: str, fetched: bool) -> None:
    position = build("jamaica-en", pirates, "DD/S", stock_of="S")
    assert ("moves-straggler" in reasons(position, Move.parse(move))) == fetched
