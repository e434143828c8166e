"""A view refuses to list the moves of a seat whose hand it hides."""

import pytest

from cartagena import Game, IllegalMove


def test_the_movers_view_has_the_positions_moves() -> None:
    game = Game.new("jamaica-en", seats=3, seed=1)
    assert list(game.view(1).legal_moves) == list(game.legal_moves)


@pytest.mark.parametrize("seat", [0, 2, 3])
def test_another_seats_view_refuses_to_tell_the_movers_moves(seat: int) -> None:
    view = Game.new("jamaica-en", seats=3, seed=1).view(seat)
    with pytest.raises(IllegalMove, match="the hand of blue is hidden") as caught:
        list(view.legal_moves)
    assert caught.value.reason == "hidden-hand"
    with pytest.raises(IllegalMove):
        view.legal_moves.count()
    with pytest.raises(IllegalMove):
        view.play("end")


def test_open_hands_hide_no_moves() -> None:
    game = Game.new("tortuga-en", seats=3, seed=1)
    assert list(game.view(3).legal_moves) == list(game.legal_moves)
