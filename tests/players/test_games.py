"""Players keep their games apart: a pooled player plays like a fresh one, and analysing leaves no trace."""

import pytest
from tests.players.pooled import GAMES, NODES, compare, moves_of

from cartagena import Game, Position
from cartagena.players import LEVELS, Limit, analyse, choose, create
from cartagena.players.repetition import MOST_GAMES, PATIENCE

STAND_OFF = (
    "nest-nl DCGMPST/GPCDMTS|TPMCGSD/PSGDCTM/GPDCMTS "
    "b,n,n,n,n,n/35,n,n,n,n,n -/- - C5C!D8G10M10P6S6S!T12 C9D6D!G4G!M4M!P8P!S8T2T! 1 1.0c"
)


@pytest.mark.parametrize("rules", GAMES)
@pytest.mark.parametrize("level", ["random", *LEVELS])
def test_a_pooled_player_decides_like_a_fresh_one(level: str, rules: str) -> None:
    assert compare(level, rules, range(4)) > 0  # 200 games each: make endurance


@pytest.mark.parametrize("level", ["random", *LEVELS])
def test_games_on_the_same_board_are_kept_apart(level: str) -> None:
    pooled = create(level, 5)
    first = list(moves_of(pooled, 1, "nest-nl"))
    again = [choose(pooled, view, NODES, "another").move for view in views(1)]
    fresh = create(level, 5)
    assert again == [choose(fresh, view, NODES, "another").move for view in views(1)]
    assert first


def views(seed: int) -> list[Position]:
    """Some views of the first seat in the same game."""
    game = Game.new("nest-nl", seats=2, seed=seed)
    found: list[Position] = []
    while len(found) < 8:
        if game.turn == 1:
            found.append(game.view(1))
        game.play(game.legal_moves[0])
    return found


@pytest.mark.parametrize("level", ["sailor", "gunner", "captain"])
def test_two_games_at_the_same_time_do_not_mix(level: str) -> None:
    view = Position.parse(STAND_OFF)
    pooled = create(level, 1)
    usual = choose(create(level, 1), view, NODES, "one").move
    for _ in range(PATIENCE):
        assert choose(pooled, view, NODES, "one").move == usual
        choose(pooled, view.play("sail"), NODES, "one")
    assert choose(pooled, view, NODES, "one").move != usual, "it has lost patience in this game"
    assert choose(pooled, view, NODES, "two").move == usual


@pytest.mark.parametrize("level", ["random", *LEVELS])
def test_without_a_game_nothing_is_remembered(level: str) -> None:
    view = Position.parse(STAND_OFF)
    player = create(level, 3)
    first = choose(player, view, NODES)
    for other in views(2):
        choose(player, other, NODES)
    assert {choose(player, view, NODES) == first for _ in range(PATIENCE + 5)} == {True}


@pytest.mark.parametrize("level", ["random", *LEVELS])
def test_analysing_never_counts_as_playing(level: str) -> None:
    view = Position.parse(STAND_OFF)
    asked, silent = create(level, 3), create(level, 3)
    for _ in range(PATIENCE + 5):
        analyse(view, NODES, player=asked)
    assert asked.decide(view, NODES) == silent.decide(view, NODES)


@pytest.mark.parametrize("level", ["random", *LEVELS])
def test_a_hint_in_the_middle_of_a_game_changes_no_move(level: str) -> None:
    asked, silent = create(level, 5), create(level, 5)
    for view in views(3):
        choose(asked, view, NODES)
        analyse(Position.parse(STAND_OFF), NODES, player=asked)
        assert choose(asked, view, NODES, "game").move == choose(silent, view, NODES, "game").move


def test_the_number_of_remembered_games_is_bounded() -> None:
    player = create("sailor", 1)
    view = Position.parse(STAND_OFF)
    for number in range(MOST_GAMES + 20):
        choose(player, view, NODES, f"game {number}")
    assert len(player.games) == MOST_GAMES  # type: ignore[attr-defined]


def test_a_player_without_a_memory_needs_no_hook() -> None:
    class First:
        name = "first"

        def decide(self, view: Position, limit: Limit | None = None) -> object:
            return view.legal_moves[0]

    view = Position.parse(STAND_OFF)
    assert choose(First(), view, NODES, "a game").move == view.legal_moves[0]  # type: ignore[arg-type]
