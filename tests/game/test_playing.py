"""Playing a game: looking, playing, taking back, and wrong input that changes nothing."""

import pytest

from cartagena import NO_SEAT, Game, IllegalMove, Move, NotationError, Outcome, RuleSetError, rule_set
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
    for wrong in ("99:B", "nonsense", 3, None, Move("sail") if name != "nest-nl" else Move("s<")):
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


def test_a_game_with_a_seed_deals_itself_and_one_without_waits_for_deals() -> None:
    text = "jamaica-en BDHKPS s,3/2,2 BD/H2 - B16D16H15K17P17S17 - - 1.0"
    dealt = Game(text, seed=3).play("3<")
    assert [move.is_chance for move in dealt] == [False, True, True]
    left = Game(text)
    assert left.play("3<") == [Move.parse("3<")]
    assert left.turn == NO_SEAT
    assert left.play("+K") == [Move.parse("+K")]
    assert left.undo() == [Move.parse("+K")]


def test_taking_back_needs_a_move() -> None:
    with pytest.raises(IllegalMove, match="no move to take back") as caught:
        Game.new("jamaica-en", seed=1).undo()
    assert caught.value.reason == "nothing-to-undo"


def test_the_outcome_names_the_winner_or_a_deadlock() -> None:
    game = Game("jamaica-en BDHKPS 6,b/2,2 B/H2 - B16D17H15K17P17S17 - - 1.0")
    assert game.outcome() is None
    game.play("6:B")
    assert game.outcome() == Outcome(1)
    assert (str(game.outcome()), game.is_over, game.turn) == ("1", True, NO_SEAT)
    stuck = Game("jamaica-en+cards2 BDHKPS s,s/s,s -/- - B2D2H2K2P2S2 - - 1.0")
    stuck.play("end")
    stuck.play("end")
    assert stuck.outcome() == Outcome(None)
    assert str(stuck.outcome()) == "0"


def test_sizes_out_of_range_are_refused() -> None:
    for key, value in (("pirates", 9), ("pieces", 7), ("deal", 13)):
        with pytest.raises(RuleSetError, match=f"jamaica-en: {key} must be"):
            rule_set("jamaica-en", **{key: value})  # type: ignore[arg-type]
    with pytest.raises(RuleSetError, match="jamaica-en: pirates must be"):
        Game.new("jamaica-en", seed=1, pirates=9)


def test_a_copy_goes_its_own_way() -> None:
    game = Game.new("nest-nl", seats=3, seed=7)
    game.play(game.legal_moves[0], comment="so far so good")
    other = game.copy()
    assert other == game
    assert Game.from_record(game.record()) == game
    other.play(other.legal_moves[-1])
    other.tags["Event"] = "Tea"
    assert other != game
    assert len(game.moves) == 1
    assert "Event" not in game.tags


def test_games_are_equal_when_everything_in_them_is() -> None:
    game = Game.new("jamaica-en", seed=7)
    move = game.legal_moves[0]
    assert game == Game.new("jamaica-en", seed=7) != Game.new("jamaica-en", seed=8)
    assert game != Game(game.opening)
    plain, noted = game.copy(), game.copy()
    plain.play(move)
    noted.play(move, comment="hm")
    assert plain != noted
    assert game != "game"


def test_legal_moves_take_text_wherever_they_take_a_move() -> None:
    moves = Game.new("tortuga-en", seats=3, seed=7).legal_moves
    for number, move in enumerate(moves):
        assert moves.index(str(move)) == moves.index(move) == number
        assert moves.count(str(move)) == 1
    assert moves[1:3] == list(moves)[1:3]
    assert moves.count("end") == moves.count("nonsense") == 0
    for wrong in ("end", "nonsense", Move("end")):
        with pytest.raises(ValueError, match=f"{wrong} is not among the legal moves"):
            moves.index(wrong)
