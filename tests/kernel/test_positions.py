"""Impossible positions are refused with the word at fault."""

import pytest
from tests.support import ISLANDS, TUNNEL, booklet

from cartagena import ImpossiblePosition, Position
from cartagena.kernel import layout as at
from cartagena.kernel import validate

JAMAICA = f"jamaica-en {TUNNEL} s,5,8/s,5,b BD/H - B16D16H16K17P17S17 - - 1.0"
TORTUGA = f"tortuga-en {TUNNEL} s,5,8/s,5,b BD/H KK B16D16H16K15P17S17 - - 1.0"
NEST = f"nest-nl {ISLANDS} s,5,b,n/s,5,b,n CD/C!G8 - C13D13D!G6G!M14M!P14P!S14S!T14T! - 1 1.0"


@pytest.mark.parametrize("text", [JAMAICA, TORTUGA, NEST])
def test_the_examples_are_possible(text: str) -> None:
    assert str(Position.parse(text)) == text


@booklet("en de nl sv", "contents", "102 cards besides the arrow card, seventeen of each sign")
@booklet("nest", "material", "105 cards, fifteen of each motif, one of them a freebooter")
@pytest.mark.parametrize(
    ("text", "old", "new", "word", "sentence"),
    [
        (JAMAICA, "BD/H", "BD/H2", "stock", "18 cards H, the deck has 17; 103 cards in all, the deck has 102"),
        (JAMAICA, "BD/H -", "?1/H -", "stock", "101 cards in all; the deck has 102"),
        (JAMAICA, "BD/H -", "B2D/H -", "stock", "18 cards B, the deck has 17"),
        (JAMAICA, "BD/H -", "?3/H -", "stock", "103 cards in all; the deck has 102"),
        (JAMAICA, "S17 -", "S17 B", "discard pile", "18 cards B, the deck has 17"),
        (JAMAICA, "BD/H", "BD/B17H", "hands", "18 cards B, the deck has 17"),
        (TORTUGA, "BD/H KK", "BDK16/H KK", "row", "18 cards K, the deck has 17"),
        (TORTUGA, "KK ", "KKKKKKKKKKKKK ", "row", "13 cards; the row has at most 12"),
        (NEST, "CD/C!G8", "CC!D/C!G8", "hands", "2 cards C!, the deck has 1"),
        (NEST, "G!M14", "G!M13", "stock", "104 cards in all; the deck has 105"),
        (JAMAICA, "H16", "H15", "stock", "101 cards in all; the deck has 102"),
        (NEST, "CD/", "C15D/", "hands", "15 cards C, the deck has 14"),
    ],
)
def test_cards_are_counted(text: str, old: str, new: str, word: str, sentence: str) -> None:
    refuse(text.replace(old, new, 1), word, sentence)


@booklet("en de nl sv", "moving back", "more than three pirates on a space are impossible")
@booklet("nest", "advance", "more than three pirates of a colour in the sloop are impossible")
@pytest.mark.parametrize(
    ("text", "old", "new", "word", "sentence"),
    [
        (JAMAICA, "s,5,8/s,5,b", "5,5,8/5,5,b", "pirates", "a fourth pirate on field 5"),
        (NEST, "s,5,b,n/s,5,b,n", "b,b,b,b/s,5,b,n", "pirates", "a fourth blue pirate aboard the sloop"),
        (JAMAICA, "s,5,8/", "s,5,37/", "pirates", "this board has no place 37"),
        (JAMAICA, "s,5,b", "s,5,n", "pirates", "this board has no place n"),
        (NEST, "s,5,b,n/", "s,5,b,36/", "pirates", "this board has no place 36"),
    ],
)
def test_pirates_are_counted(text: str, old: str, new: str, word: str, sentence: str) -> None:
    refuse(text.replace(old, new, 1), word, sentence)


@pytest.mark.parametrize(
    ("text", "turn", "sentence"),
    [
        (JAMAICA, "3.0", "there is no seat 3"),
        (JAMAICA, "6.0", "there is no seat 6"),
        (JAMAICA, "0.0", "there is no seat 0"),
        (JAMAICA, "1.4", "4 actions; a turn has at most 3"),
        (JAMAICA, "1.0p2", "after 2 forced passes the game is over"),
        (JAMAICA, "2.0c", "not a captain who may sail"),
        (JAMAICA, "1.0c", "not a captain who may sail"),
        (NEST, "1.1c", "not a captain who may sail"),
        (NEST.replace("s,5,b,n/", "s,5,9,n/"), "1.0c", "not a captain who may sail"),
        (NEST.replace("s,5,b,n/", "b,b,20,n/").replace(" 1 1.0", " 2 1.0"), "1.0c", "not a captain who may sail"),
        (JAMAICA, "1.1r3", "r does not fit the row"),
        (TORTUGA, "1.1r11", "r does not fit the row"),
        (TORTUGA, "1.1+1", r"\+ does not fit"),
        (JAMAICA, "1.1+3", r"\+ does not fit"),
        (JAMAICA, "1.1!2", "need not drop a card"),
        (NEST, "1.1!1", "need not drop a card"),
        (NEST, "1.1!3", "there is no seat 3"),
        (NEST, "1.1+1!2", "need not drop a card"),
        (NEST.replace("CD/C!G8", "CDG8/C!"), "2.1!2", "need not drop a card"),
        (NEST.replace("CD/C!G8", "C9/C!D8").replace("C13D13D!G6", "C5D6D!G14"), "1.1!2", "need not drop a card"),
        (JAMAICA, "=1", "has not all its pirates home"),
        (JAMAICA, "=3", "there is no seat 3"),
        (JAMAICA.replace("s,5,8", "b,b,b"), "1.0", "has all its pirates home, so it has won"),
        (JAMAICA.replace("s,5,8", "b,b,b"), "=0", "has all its pirates home, so it has won"),
        (JAMAICA.replace("s,5,8", "b,b,b"), "=2", "has all its pirates home, so it has won"),
    ],
)
def test_the_turn_fits_the_table(text: str, turn: str, sentence: str) -> None:
    refuse(text.rsplit(" ", 1)[0] + " " + turn, "turn", sentence)


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        (JAMAICA, "2.3"),
        (JAMAICA, "1.0p1"),
        (JAMAICA, "1.1+2"),
        (TORTUGA, "1.1r10+2"),
        (TORTUGA, "1.1r10"),
        (NEST, "1.0cp1"),
        (NEST, "1.1!2"),
        (NEST, "1.1+1"),
        (JAMAICA, "=0"),
        (JAMAICA.replace("s,5,8", "b,b,b"), "=1"),
    ],
)
def test_turns_that_fit_are_read(text: str, turn: str) -> None:
    whole = text.rsplit(" ", 1)[0] + " " + turn
    assert str(Position.parse(whole)) == whole


@pytest.mark.parametrize(
    "text",
    [
        "jamaica-en+cards2 BDHKPS s,5/s,5 B2D2H2/K2P2S2 - - - - 1.1+1",
        "tortuga-en+cards2 BDHKPS s,5/s,5 B2D2H2/K2P2S2 - - - - 1.1r12",
    ],
)
def test_no_card_is_due_where_none_is_left(text: str) -> None:
    refuse(text, "turn", "while cards are left")


def refuse(text: str, word: str, sentence: str) -> None:
    with pytest.raises(ImpossiblePosition, match=sentence) as caught:
        Position.parse(text)
    assert caught.value.word == word
    assert str(caught.value).startswith(f"{word}:")
    assert "\n" not in str(caught.value)


def test_the_kernel_refuses_by_itself_what_text_cannot_say() -> None:
    position = Position.parse(TORTUGA)
    for word, value, found in ((at.TURN, 2, validate.NO_SUCH_TURN), (at.ROW_LEN, 13, validate.TOO_MANY_CARDS)):
        words = position.state()
        words[word] = value
        assert validate.fault(position.table, words) == found


def test_a_row_longer_than_the_rule_set_says_is_refused() -> None:
    position = Position.parse(JAMAICA)
    words = position.state()
    words[at.ROW_LEN] = 1  # a bottle that Jamaica has no row for
    words[at.STOCK] -= 1
    assert validate.fault(position.table, words) == validate.ROW_TOO_LONG


def test_gathering_pirates_finds_crowds() -> None:
    position = Position.parse(NEST)
    words = position.state()
    low, high = words[at.LOW], words[at.HIGH]
    assert validate.gather(position.table, words) == validate.POSSIBLE
    assert (words[at.LOW], words[at.HIGH]) == (low, high)
