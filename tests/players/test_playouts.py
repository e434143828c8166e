"""The playouts of the searching players: they end games, and where many play they do not help the leader."""

import numpy as np
import pytest

from cartagena import Game, Position
from cartagena.kernel.layout import DEADLOCK
from cartagena.players.compiled.playout import playouts

from .positions import build

MOST = 2_000


def play(view: Position, games: int, most: int, seed: int = 1) -> tuple[list[int], Position]:
    """Counts of games left open, won by each seat and without a winner; and the last position."""
    numbers, start = np.array(view.table, np.int64), np.array(view.words, np.int64)
    room, wins = start.copy(), np.zeros(DEADLOCK + 1, np.int64)
    playouts(numbers, start, room, seed, games, most, wins)
    return wins.tolist(), view.with_words(room.tolist())


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("rules", ["jamaica-en", "tortuga-en", "hispaniola-en", "nest-nl"])
def test_playouts_end_games_and_every_seat_has_a_chance(rules: str, seats: int) -> None:
    """In the nest two seats may run out of cards with no pirate to push: such a game has no end."""
    wins, _ = play(Game.new(rules, seats=seats, seed=3).view(1), 300, MOST)
    assert wins[0] <= (30 if (rules, seats) == ("nest-nl", 2) else 3)
    assert all(won > 300 / seats / 3 for won in wins[1 : seats + 1])


def test_a_game_that_is_stuck_is_soon_left() -> None:
    position = build("nest-nl", "13,34,35,n,n,n/b,b,35,35,n,n", "-/-", sloop="1", turn="2.0c")
    numbers, start = np.array(position.table, np.int64), np.array(position.words, np.int64)
    wins = np.zeros(DEADLOCK + 1, np.int64)
    assert playouts(numbers, start, start.copy(), 1, 1, MOST, wins) < 40
    assert wins[0] == 1


@pytest.mark.parametrize("seed", range(10))
def test_a_push_goes_to_a_rival_who_is_behind_though_the_leader_is_nearer(seed: int) -> None:
    position = build("nest-nl", "5,11,12,13,14,n/3,n,n,n,n,n/s,s,s,s,s,8", "-/CC/DD", sloop="1")
    _, after = play(position, 1, 1, seed)
    assert after.places(2) == position.places(2)
    assert after.places(3) != position.places(3)


@pytest.mark.parametrize(("rivals", "least", "most"), [(1, 10, 40), (2, 0, 6)])
def test_among_many_the_best_of_a_few_cards_is_played(rivals: int, least: int, most: int) -> None:
    """One card of four goes a single field: two seats play it as often as it is drawn, three hardly ever."""
    pirates = "/".join(["1,n,n,n,n,n", *["14,n,n,n,n,n"] * rivals])
    position = build("nest-nl", pirates, "/".join(["GGGT", *["D"] * rivals]), sloop="1")
    short = sum(play(position, 1, 1, seed)[1].places(1)[0] == "2" for seed in range(100))
    assert least <= short <= most
