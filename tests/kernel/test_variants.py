"""The rules that only files of rule sets can change."""

import pytest
from tests.support import moves, word

from cartagena import Game, ImpossiblePosition, Position
from cartagena.rulesets import RuleSet, from_data


def tunnel(places: str, hands: str, turn: str = "1.0", **entries: object) -> Position:
    """A tunnel of two pieces with four cards of each sign, at most one of each in a hand."""
    rules = from_data({"base": "jamaica-en+cards4", **entries})
    stock = "".join(f"{letter}{4 - hands.count(letter)}" for letter in "BDHKPS")
    return Position(f"{rules.name} BPHSDK/DBKPHS {places} {hands} - {stock} - - {turn}", rules)


@pytest.mark.parametrize(("draw", "others", "owed"), [(1, "4,4", 1), (2, "s,4", 2), ("as many", "s,4", 1)])
def test_a_retreat_draws_the_number_of_the_rule_set(draw: object, others: str, owed: int) -> None:
    assert word(tunnel(f"s,6/{others}", "-/-", draw=draw).play("6<"), "turn") == f"1.1+{owed}"


@pytest.mark.parametrize(("hand", "owed"), [("-", 2), ("B", 1), ("BD", 0), ("BDH", 0)])
def test_a_draw_stops_at_the_limit_of_the_hand(hand: str, owed: int) -> None:
    after = tunnel("s,6/4,4", f"{hand}/-", hold=2).play("6<")
    assert after.places(1) == ["s", "4"]
    assert after.owed == owed


def test_a_row_of_one_is_laid_out_again_for_the_second_card() -> None:
    rules = from_data({"base": "tortuga-en+cards4", "row": 1})
    position = Position(f"{rules.name} BPHSDK/DBKPHS s,6/4,4 -/- B B3D4H4K4P4S4 - - 1.0", rules).play("6<")
    assert (position.hand(1), word(position, "turn")) == ({"B": 1}, "1.1r1+1")
    position = position.play("+K")
    assert (position.hand(1), word(position, "turn")) == ({"B": 1, "K": 1}, "1.1r1")
    assert word(position.play("+P"), "row") == "P"


def test_a_full_hand_takes_nothing_from_the_row() -> None:
    rules = from_data({"base": "tortuga-en+cards4", "row": 2, "hold": 1})
    position = Position(f"{rules.name} BPHSDK/DBKPHS s,6/4,4 K/- BD B3D3H4K3P4S4 - - 1.0", rules).play("6<")
    assert (word(position, "row"), word(position, "turn")) == ("BD", "1.1")


@pytest.mark.parametrize(("home", "over"), [(0, False), (2, True), (3, False)])
def test_enough_pirates_home_win(home: int, over: bool) -> None:
    position = tunnel("s,12,b/s,s,s", "H/-", pirates=3, home=home)
    assert position.play("12:H").is_over == over


def test_a_position_that_was_won_before_is_impossible() -> None:
    with pytest.raises(ImpossiblePosition, match="a seat has 2 pirates home, so it has won"):
        tunnel("s,b,b/s,s,s", "-/-", pirates=3, home=2)
    with pytest.raises(ImpossiblePosition, match="that seat has not 2 pirates home"):
        tunnel("s,s,b/s,s,s", "-/-", "=1", pirates=3, home=2)
    assert tunnel("s,b,b/s,s,s", "-/-", "=1", pirates=3, home=2).is_over


def test_signs_out_of_play_have_no_field_and_no_card() -> None:
    rules = from_data({"base": "jamaica-en", "signs": "BDK", "cards": {"D": 0}})
    game = Game.new(rules, seed=2)
    assert set(game.position.board) == {"B", "D", "K", "/"}
    assert len(game.position.board.replace("/", "")) == 18
    assert "H" not in str(game.position).split(" ", 1)[1]
    assert {move[-1] for move in moves(game.position)} <= {"B", "K"}


def test_hands_are_open_or_hidden_as_the_rule_set_says() -> None:
    shown = Game.new(from_data({"base": "jamaica-en", "hands": "open"}), seed=1)
    hidden = Game.new(from_data({"base": "tortuga-en", "hands": "hidden"}), seed=1)
    assert shown.view(2).hand(1) == shown.position.hand(1)
    assert hidden.view(2).hand(1) is None
    assert len(hidden.view(2).row) == 12


def test_later_seats_are_dealt_extra_cards_on_the_board_of_the_rule_set() -> None:
    rules = from_data({"base": "jamaica-en", "board": "BPHSDK", "deal": 3, "extra": [0, 1, 2]})
    position = Game.new(rules, seats=4, seed=1).position
    assert [position.hand_size(seat) for seat in range(1, 5)] == [3, 4, 5, 3]
    assert position.board == "BPHSDK"


def nest(pirates: str, hands: str, **entries: object) -> tuple[RuleSet, Position]:
    rules = from_data({"base": "nest-nl+cards2", "islands": [1, 2], **entries})
    left = {letter: 1 - hands.replace(f"{letter}!", "").count(letter) for letter in "CDGMPST"}
    golden = {letter: 1 - hands.count(f"{letter}!") for letter in "CDGMPST"}
    stock = "".join(letter * left[letter] + f"{letter}!" * golden[letter] for letter in "CDGMPST")
    board = "CDGMPST|CDGMPST/CDGMPST"
    return rules, Position(f"{rules.name} {board} {pirates} {hands} - {stock} - 1 1.0", rules)


def test_the_nest_has_islands_of_other_sizes() -> None:
    _, position = nest("7,21/s,s", "CD/-")
    assert word(position.play("7:C"), "pirates") == "b,21/s,s"
    assert word(position.play("21:D"), "pirates") == "7,n/s,s"
    with pytest.raises(ImpossiblePosition, match="an island of 1 pieces and one of 2"):
        Position(str(position).replace("|", "/", 1).replace("/CDGMPST/CDGMPST", "/CDGMPST|CDGMPST"), position.rules)


def test_a_push_draws_the_number_of_the_rule_set() -> None:
    _, position = nest("s,4/4,7", "-/-", draw=1)
    assert word(position.play("2@7"), "turn") == "1.1+1"
    assert word(nest("s,4/s,7", "-/-", draw=2)[1].play("2@s"), "turn") == "1.1+2"


def test_a_freebooter_cuts_hands_to_the_limit_of_the_rule_set() -> None:
    _, position = nest("s,4/4,7", "C!DG/MPST", limit=2)
    assert word(position.play("s:C!"), "turn") == "1.1!2"
