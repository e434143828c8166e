"""A game being played: looking, playing, taking back; nothing typed in wrong changes it."""

import pytest

from cartagena import CHANCE, Game, IllegalMove, Move, NotationError, Outcome, RuleSetError
from cartagena.rulesets import names


def test_the_same_seed_deals_the_same_game() -> None:
    one, two = (Game.new("tortuga-en", seats=3, seed=7) for _ in range(2))
    assert one.position == two.position
    assert Game.new("tortuga-en", seats=3, seed=8).position != one.position
    assert Game.new("tortuga-en", seats=3).tags["Seed"] != Game.new("tortuga-en", seats=3).tags["Seed"]


@pytest.mark.parametrize("name", names())
def test_legal_moves_can_be_asked_in_every_way(name: str) -> None:
    game = Game.new(name, seats=3, seed=7)
    moves = list(game.legal_moves)
    assert len(game.legal_moves) == game.legal_moves.count() == len(moves) > 0
    assert moves[0] in game.legal_moves
    word: object = str(moves[0])
    assert word in game.legal_moves
    assert game.legal_moves[0] == moves[0]
    assert game.legal_moves.count(moves[0]) == 1
    for wrong in ("99:B", "nonsense", 3, None, Move("sail") if name != "nest-nl" else Move("retreat", "s")):
        assert wrong not in game.legal_moves


@pytest.mark.parametrize(
    ("move", "error"), [("nonsense", NotationError), ("36:B", IllegalMove), ("+B", IllegalMove), ("end", IllegalMove)]
)
def test_a_wrong_move_changes_nothing(move: str, error: type[Exception]) -> None:
    game = Game.new("jamaica-en", seats=2, seed=7)
    before = game.position
    with pytest.raises(error):
        game.play(move)
    assert game.position == before
    assert not game.moves


def test_a_game_with_a_seed_deals_by_itself_and_one_without_leaves_it_to_you() -> None:
    text = "jamaica-en BDHKPS s,3/2,2 BD/H2 - B16D16H15K17P17S17 - - 1.0"
    dealt = Game(text, seed=3).play("3<")
    assert [move.is_chance for move in dealt] == [False, True, True]
    left = Game(text)
    assert left.play("3<") == [Move.parse("3<")]
    assert left.turn == CHANCE
    assert left.play("+K") == [Move.parse("+K")]
    assert left.undo() == [Move.parse("+K")]


def test_taking_back_needs_a_move() -> None:
    with pytest.raises(IllegalMove, match="no move to take back") as caught:
        Game.new("jamaica-en", seed=1).undo()
    assert caught.value.reason == "nothing-to-undo"


def test_the_outcome_is_the_winner_or_nobody() -> None:
    game = Game("jamaica-en BDHKPS 6,b/2,2 B/H2 - B16D17H15K17P17S17 - - 1.0")
    assert game.outcome() is None
    game.play("6:B")
    assert game.outcome() == Outcome(1)
    assert (str(game.outcome()), game.is_over, game.turn) == ("1", True, CHANCE)
    stuck = Game("jamaica-en+cards2 BDHKPS s,s/s,s -/- - B2D2H2K2P2S2 - - 1.0")
    stuck.play("end")
    stuck.play("end")
    assert stuck.outcome() == Outcome(None)
    assert str(stuck.outcome()) == "0"


def test_what_no_table_can_be_is_refused() -> None:
    for sizes in ({"pirates": 9}, {"pieces": 7}, {"deal": 13}, {"colour": "red"}, {"islands": [2, 3]}):
        with pytest.raises(RuleSetError, match="jamaica-en: "):
            Game.new("jamaica-en", seed=1, **sizes)
