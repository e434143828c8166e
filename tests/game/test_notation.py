"""Text that is not notation or not possible is refused with the word at fault."""

import pickle

import pytest

from cartagena import CartagenaError, IllegalMove, ImpossiblePosition, Move, NotationError, Position

GOOD = "jamaica-en BDHKPS/BDHKPS s,3/2,b BD/H2 - B16D16H15K17P17S17 - - 1.0"
NEST = "nest-nl CDGMPST/CDGMPST|CDGMPST/CDGMPST/CDGMPST s,s/s,s C!/D9 - C14D5D!G14G!M14M!P14P!S14S!T14T! - 1 1.0"


def test_the_examples_of_the_notation_are_positions() -> None:
    assert str(Position.parse(GOOD)) == GOOD
    assert str(Position.parse(NEST)) == NEST
    assert str(Position.parse(f"  {GOOD}\n")) == GOOD


def test_a_redundant_option_is_read_and_dropped() -> None:
    for option in ("-pass", "+return", "+actions3", "+cards17", "-crew"):
        assert str(Position.parse(GOOD.replace("jamaica-en", f"jamaica-en{option}"))) == GOOD


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ("jamaica-en", "chess-en", "rule set"),
        ("jamaica-en", "jamaica-en+cards99", "rule set"),
        ("BDHKPS/", "BDHKPX/", "board"),
        ("BDHKPS/", "/", "board"),
        ("s,3/2,b", "s,x/2,b", "pirates"),
        ("s,3/2,b", "s,/2,b", "pirates"),
        ("s,3/2,b", "3,s/2,b", "pirates"),
        ("s,3/2,b", "s,03/2,b", "pirates"),
        ("BD/H2", "DB/H2", "hands"),
        ("BD/H2", "BD/H1", "hands"),
        ("BD/H2", "BD/", "hands"),
        ("BD/H2", "BD/?x", "hands"),
        ("BD/H2", "BD/?-1", "hands"),
        ("BD/H2", "BD/C2", "hands"),
        ("B16D16", "D16B16", "stock"),
        ("S17 -", "S17 x", "discard pile"),
        ("- - 1.0", "- 3 1.0", "sloop"),
        ("1.0", "1", "turn"),
        ("1.0", "1.0x", "turn"),
        ("1.0", "1.0+1r2", "turn"),
        ("1.0", "1.0p0", "turn"),
        ("1.0", "=x", "turn"),
    ],
)
def test_text_that_is_not_notation_is_refused_with_the_word_at_fault(old: str, new: str, word: str) -> None:
    with pytest.raises(NotationError) as caught:
        Position.parse(GOOD.replace(old, new, 1))
    assert caught.value.word == word
    assert str(caught.value).startswith(f"{word}:")
    assert caught.value.code == "not-notation"


@pytest.mark.parametrize("text", ["", "jamaica-en", GOOD + " x", GOOD.replace(" ", "  ", 1), "x" * 5000])
def test_a_position_has_nine_words(text: str) -> None:
    with pytest.raises(NotationError, match="a position"):
        Position.parse(text)


@pytest.mark.parametrize(
    ("text", "old", "new", "word", "sentence"),
    [
        (GOOD, "BDHKPS/BDHKPS", "BDHKPP/BDHKPS", "board", "the piece BDHKPP must show each sign once"),
        (GOOD, "BDHKPS/BDHKPS", "/".join(["BDHKPS"] * 9), "board", "the tunnel is one row of 1 to 8 pieces"),
        (GOOD, "BDHKPS/BDHKPS", "BDHKPS|BDHKPS", "board", "the tunnel is one row of 1 to 8 pieces"),
        (NEST, "|CDGMPST/CDGMPST/CDGMPST", "", "board", "the nest has an island of 2 pieces and one of 3"),
        (GOOD, "s,3/2,b", "/".join(["s"] * 9), "pirates", "9 seats; there are 2 to 5"),
        (GOOD, "s,3/2,b", "s,3", "pirates", "1 seat; there are 2 to 5"),
        (GOOD, "s,3/2,b", "s,3/2", "pirates", "each seat has the same number of pirates, 1 to 8"),
        (GOOD, "s,3/2,b", "s,s,s,s,s,s,s,s,s/s,s,s,s,s,s,s,s,s", "pirates", "1 to 8"),
        (GOOD, "s,3/2,b", "s,13/2,b", "pirates", "this board has no place 13"),
        (GOOD, "BD/H2", "BD/H2/-", "hands", "3 hands for 2 seats"),
        (GOOD, "BD/H2", "B18D/H2", "hands", "there are not 18 cards B in the deck"),
        (GOOD, "BD/H2", "BD/?300", "hands", "300 cards are more than there are"),
        (GOOD, "B16D16H15K17P17S17", "?300", "stock", "300 cards are more than there are"),
        (GOOD, "H2 -", "H2 B", "row", "jamaica has no open row"),
        (GOOD, "- - 1.0", "- 1 1.0", "sloop", "it is - in jamaica"),
        (NEST, "- 1 1.0", "- - 1.0", "sloop", "it is 1 or 2 in nest"),
        (GOOD, "1.0", "6.0", "turn", "there is no seat 6"),
    ],
)
def test_an_impossible_position_is_refused_with_the_word_at_fault(
    text: str, old: str, new: str, word: str, sentence: str
) -> None:
    with pytest.raises(ImpossiblePosition, match=sentence) as caught:
        Position.parse(text.replace(old, new, 1))
    assert caught.value.word == word
    assert caught.value.code == "impossible-position"


@pytest.mark.parametrize(
    "text", ["17:B", "s:D", "b:C!", "18<", "b<", "3@14", "2@s", "sail", "drop:D!", "end", "+D", "+?"]
)
def test_a_move_is_read_and_written_alike(text: str) -> None:
    assert str(Move.parse(text)) == text
    assert repr(Move.parse(text)) == f"Move({text!r})"


@pytest.mark.parametrize(
    "text", ["", "0:B", "017:B", "100:B", "17:b", "17:BB", "17:?", "<", "0@3", "sail ", "END", "+", "drop:?"]
)
def test_text_that_is_not_a_move_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is not a move; moves look like 17:B"):
        Move.parse(text)


@pytest.mark.parametrize(
    "error",
    [NotationError("no", "turn"), ImpossiblePosition("no", "row"), IllegalMove("no", "must-act"), CartagenaError("no")],
)
def test_errors_can_be_pickled(error: CartagenaError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (str(again), vars(again)) == (str(error), vars(error))
