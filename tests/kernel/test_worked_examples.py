"""The booklets' worked examples, played exactly as written."""

import pytest
from tests.support import WORKED_A, WORKED_B, booklet, hand, lay, moves, word

from cartagena import Position, perft


@pytest.mark.parametrize(
    ("text", "counts"), [(WORKED_A, (16, 248, 3923, 17183)), (WORKED_B, (20, 345, 6060, 107966))], ids=["A", "B"]
)
def test_the_perft_table_holds(text: str, counts: tuple[int, ...]) -> None:
    position = Position.parse(text)
    assert tuple(perft(position, depth) for depth in (1, 2, 3, 4)) == counts


@booklet("de nl sv", "examples", "Blue 1: three daggers to 7, 15 and 24")
@booklet("ruling", "misprints", "the English booklet's 13 for the second dagger is 15")
def test_three_daggers_land_on_7_15_and_24() -> None:
    position = Position.parse(WORKED_A)
    assert position.play("s:D").places(1) == ["6", "6", "7", "17", "18", "b"]
    assert position.play("s:D", "6:D").places(1) == ["6", "7", "15", "17", "18", "b"]
    assert position.play("s:D", "6:D", "6:D").places(1) == ["7", "15", "17", "18", "24", "b"]


@booklet("en de nl sv", "examples", "Blue 1: the first and third dagger land on 7 and 24, skipping 7")
def test_field_13_shows_no_dagger() -> None:
    position = Position.parse(WORKED_A)
    letters = position.board.replace("/", "")
    assert [field for field, letter in enumerate(letters, 1) if letter == "D"] == [5, 7, 15, 24, 28, 32]
    assert letters[12] != "D"


@booklet("en de nl sv", "examples", "Blue 2: three retreats for one, two and two cards")
def test_three_retreats_draw_one_two_and_two() -> None:
    position = Position.parse(WORKED_A)
    sizes = [position.hand_size(1)]
    for move, places in (
        ("17<", "s,6,6,12,18,b"),
        ("18<", "s,6,6,12,17,b"),
        ("17<", "s,6,6,12,12,b"),
    ):
        position = position.play(move)
        sizes.append(position.hand_size(1))
        assert ",".join(position.places(1)) == places
    assert sizes == [6, 7, 9, 11]
    assert word(position, "row") == "SPBH"


@booklet("en de nl sv", "examples", "Blue 3: aboard with a bottle, back for two cards, a dagger to 7")
def test_a_bottle_boards_a_retreat_draws_and_a_dagger_enters() -> None:
    position = Position.parse(WORKED_A).play("17:B")
    assert position.places(1) == ["s", "6", "6", "18", "b", "b"]
    position = position.play("18<")
    assert position.places(1) == ["s", "6", "6", "17", "b", "b"]
    assert hand(position, 1) == "BD5H"
    assert position.play("s:D").places(1) == ["6", "6", "7", "17", "b", "b"]


@booklet("nest", "examples", "Yellow 1: a free crossing, then compasses to 33, the nest and the nest")
def test_three_compasses_reach_33_and_the_nest_twice() -> None:
    position = Position.parse(WORKED_B).play("sail")
    assert word(position, "turn") == "1.0"
    assert word(position, "sloop") == "2"
    position = position.play("b:C")
    assert position.places(1) == ["s", "3", "3", "b", "28", "33"]
    position = position.play("b:C")
    assert position.places(1) == ["s", "3", "3", "28", "33", "n"]
    position = position.play("28:C")
    assert position.places(1) == ["s", "3", "3", "33", "n", "n"]
    assert word(position, "turn") == "1.3"


@booklet("nest", "examples", "Yellow 2: three pushes for six cards")
@booklet("ruling", "misprints", "the nest booklet's five cards for the second push are two")
def test_three_pushes_draw_two_each() -> None:
    position = Position.parse(WORKED_B)
    for push, seat, place in (("2@13", 2, "14"), ("3@3", 3, "5"), ("4@s", 4, "3")):
        position = position.play(push)
        assert place in position.places(seat)
        assert word(position, "turn").endswith("+2")
        position = position.play("+C", "+D")
    assert position.hand_size(1) == 5 + 6


@booklet("nest", "examples", "Yellow 3: crossing, two compasses, and Blue pushed from 25 to 28")
@booklet("nest", "examples", "Blue 1: sail back for an action, board with a chest, push Green aboard for two")
@booklet("nest", "examples", "Blue 2: a parrot to 23, sail back, board with any card")
@booklet("nest", "examples", "Blue 3: push Red from the start to 5, a cannon to 26, a compass to the nest")
def test_yellow_then_blue_play_as_in_the_second_picture() -> None:
    position = Position.parse(WORKED_B).play("sail", "b:C", "b:C", "2@25")
    assert position.places(2) == ["5", "13", "b", "18", "28", "n"]
    blue = position.play("+D", "+D", "end")
    assert word(blue, "turn") == "2.0"  # one pirate aboard is not the most: no captain
    first = blue.play("sail")
    assert (word(first, "turn"), word(first, "sloop")) == ("2.1", "1")
    first = first.play("13:T")
    assert first.places(2) == ["5", "b", "b", "18", "28", "n"]
    first = first.play("3@14")
    assert first.places(3) == ["3", "14", "b", "b", "b", "16"]
    assert word(first, "turn") == "2.3+2"
    second = blue.play("b:P")
    assert second.places(2) == ["5", "13", "18", "23", "28", "n"]
    for card in "CGST":
        assert second.play("sail", f"13:{card}").places(2) == ["5", "b", "18", "23", "28", "n"]
    third = blue.play("4@s")
    assert third.places(4) == ["s", "5", "5", "28", "31", "n"]
    third = third.play("+D", "+D", "18:G")
    assert third.places(2) == ["5", "13", "b", "26", "28", "n"]
    assert third.play("26:C").places(2) == ["5", "13", "b", "28", "n", "n"]


@booklet("nest", "examples", "Blue fetches the sloop with an action: no pirate needs to be aboard for that")
@booklet("ruling", "misprints", "the nest booklet's summary box asks for a pirate aboard to fetch the sloop; it errs")
def test_an_empty_sloop_is_fetched() -> None:
    blue = Position.parse(WORKED_B).play("sail", "b:C", "b:C", "2@25", "+D", "+D", "end", "b:P")
    assert "b" not in blue.places(2)
    assert "sail" in moves(blue)
    assert "sail" in moves(lay("nest-nl", "s,s/s,b", "-/-", sloop="2"))
