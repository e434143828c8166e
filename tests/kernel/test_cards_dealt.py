"""Cards come from the stock, the discard pile turned over, and the open row."""

import pytest
from tests.support import booklet, hand, lay, moves, word

from cartagena import IllegalMove, Position

ROW = ["tortuga-en", "hispaniola-en"]
TWELVE = ["+B"] * 5 + ["+D"] * 7


@booklet("en de nl sv", "Jamaica version", "new cards come from the stock")
@booklet("nest", "push", "the cards come from the stock")
@pytest.mark.parametrize(("rules", "move"), [("jamaica-en", "8<"), ("nest-nl", "2@5")])
def test_drawn_cards_come_from_the_stock(rules: str, move: str) -> None:
    nest = rules == "nest-nl"
    sign = "C" if nest else "B"
    position = lay(rules, "s,8/5,6", "-/-", stock=f"{sign}2", turn="1.0").play(move)
    assert word(position, "turn") == "1.1+1"
    assert moves(position) == {f"+{sign}"}
    discard = word(position, "discard")
    position = position.play(f"+{sign}")
    assert hand(position, 1) == sign
    assert (word(position, "stock"), word(position, "discard")) == (sign, discard)


@booklet("en de nl sv", "moving back", "a used up deck is replaced by the discard pile")
@booklet("ruling", "stock", "the discard pile is turned over only when a card is to be dealt, as part of that deal")
@pytest.mark.parametrize(("rules", "move"), [("jamaica-en", "8<"), ("nest-nl", "2@5")])
def test_the_discard_pile_is_turned_over_when_a_card_is_due(rules: str, move: str) -> None:
    nest = rules == "nest-nl"
    sign = "C" if nest else "B"
    position = lay(rules, "s,8/6,6" if not nest else "s,6/5,6", "-/-", stock=sign).play(move, f"+{sign}")
    assert word(position, "stock") == "-"
    assert word(position, "turn") == ("1.1+1")
    assert len(moves(position)) == (14 if nest else 6)
    pile = word(position, "discard")
    assert pile != "-"
    position = position.play("+D")
    assert word(position, "discard") == "-"
    assert word(position, "stock") == pile.replace("D17" if not nest else "D14", "D16" if not nest else "D13")


@booklet("ruling", "stock", "an empty stock alone turns nothing over")
def test_an_empty_stock_stays_empty_while_no_card_is_due() -> None:
    position = lay("jamaica-en", "s,8/6,7", "B/-", stock="B").play("8<", "+B")
    assert word(position, "stock") == "-"
    pile = word(position, "discard")
    after = position.play("s:B")
    assert word(after, "stock") == "-"
    assert word(after, "discard") != pile


@booklet("ruling", "chance", "while a card is due nothing else can be played, and no card without one")
def test_a_due_card_comes_first() -> None:
    position = lay("jamaica-en", "s,8/6,7", "B/-")
    with pytest.raises(IllegalMove, match="no card is to be dealt now") as caught:
        position.play("+B")
    assert caught.value.reason == "no-card-is-due"
    position = position.play("8<")
    assert position.turn == 0
    assert position.is_chance
    for move in ("s:B", "end", "8<"):
        with pytest.raises(IllegalMove, match="a card is to be dealt first") as caught:
            position.play(move)
        assert caught.value.reason == "card-is-due"


@booklet("ruling", "chance", "only a card that is left can come")
def test_a_card_that_is_not_left_cannot_come() -> None:
    position = lay("jamaica-en", "s,8/6,7", "-/-", stock="B2D").play("8<")
    assert position.chances() == {"B": 2, "D": 1}
    with pytest.raises(IllegalMove, match="no card K can come") as caught:
        position.play("+K")
    assert caught.value.reason == "no-such-card-left"


@booklet("en de nl sv", "Tortuga version", "cards are taken from the front of the row, in the arrow's direction")
@booklet("de nl", "moving back", "a card taken from the row is laid open with the others")
@pytest.mark.parametrize("rules", ROW)
def test_cards_are_taken_from_the_front_of_the_row(rules: str) -> None:
    position = lay(rules, "s,8/6,6", "P/-", row="KSBBD")
    after = position.play("8<")
    assert hand(after, 1) == "KPS"
    assert word(after, "row") == "BBD"
    assert word(after, "turn") == "1.1"
    assert word(after, "stock") == word(position, "stock")


@booklet("en de nl sv", "Tortuga version", "a used up row is replaced by a new one of twelve")
@booklet("ruling", "row", "an empty row is laid out at once")
@pytest.mark.parametrize("rules", ROW)
def test_an_empty_row_is_laid_out_at_once(rules: str) -> None:
    position = lay(rules, "s,8/6,6", "-/-", row="KS").play("8<")
    assert word(position, "turn") == "1.1r12"
    assert position.turn == 0
    for number, move in enumerate(TWELVE, 1):
        position = position.play(move)
        assert word(position, "turn") == ("1.1" if number == 12 else f"1.1r{12 - number}")
    assert word(position, "row") == "BBBBBDDDDDDD"
    assert hand(position, 1) == "KS"


@booklet("ruling", "row", "a draw of two that emptied the row takes its second card from the new row")
@pytest.mark.parametrize("rules", ROW)
def test_the_second_card_comes_from_the_new_row(rules: str) -> None:
    position = lay(rules, "s,8/6,6", "-/-", row="K").play("8<")
    assert word(position, "turn") == "1.1r12+1"
    assert hand(position, 1) == "K"
    position = position.play(*TWELVE)
    assert hand(position, 1) == "BK"
    assert word(position, "row") == "BBBBDDDDDDD"
    assert word(position, "turn") == "1.1"


@booklet("ruling", "row", "a row that could not be laid out is laid out at the next draw")
@pytest.mark.parametrize("rules", ["tortuga-en+cards2", "hispaniola-en+cards2"])
def test_a_row_that_could_not_be_laid_out_waits_for_the_next_draw(rules: str) -> None:
    position = lay(rules, "s,8,8/5,6,6", "B2D2H2/K2P2", row="SS").play("8<")
    assert (word(position, "row"), word(position, "turn")) == ("-", "1.1")
    position = position.play("s:B")
    assert (word(position, "row"), word(position, "discard"), word(position, "turn")) == ("-", "B", "1.2")
    position = position.play("8<")
    assert word(position, "turn") == "1.3r12+1"
    position = position.play("+B")
    assert (word(position, "row"), word(position, "turn")) == ("-", "1.3")
    assert hand(position, 1) == "B2D2H2S2"


@booklet("ruling", "row", "the row is shorter where the cards run out, and gives what it has")
@pytest.mark.parametrize("rules", ["tortuga-en+cards2", "hispaniola-en+cards2"])
def test_a_row_is_shorter_where_the_cards_run_out(rules: str) -> None:
    position = lay(rules, "s,8/6,6", "B2D2H2/K2P", row="S").play("8<")
    assert word(position, "turn") == "1.1r12+1"
    position = position.play("+S")
    assert word(position, "turn") == "1.1r11+1"
    position = position.play("+P")
    assert (word(position, "row"), word(position, "turn")) == ("P", "1.1")
    assert hand(position, 1) == "B2D2H2S2"


@booklet("ruling", "row", "two owed from a row of one with nothing left: one is drawn")
def test_the_rest_of_a_draw_lapses_with_the_last_card() -> None:
    position = lay("tortuga-en+cards2", "s,8/6,6", "B2D2H2/K2P2S", row="S").play("8<")
    assert (word(position, "row"), word(position, "turn")) == ("-", "1.1")
    assert hand(position, 1) == "B2D2H2S"


@booklet("ruling", "row", "a new row that is used up by the same draw is laid out again")
def test_a_row_can_be_laid_out_twice_in_one_draw() -> None:
    # Two are owed and the row is laid out from a single card: it is taken, nothing is left for the second.
    position = lay("tortuga-en+cards2", "s,8/6,6", "B2D2H2/K2P2S", turn="1.0").play("8<")
    assert word(position, "turn") == "1.1r12+2"
    position = position.play("+S")
    assert (word(position, "row"), word(position, "turn")) == ("-", "1.1")


@booklet("ruling", "row", "the discard pile is turned over to lay out the row")
def test_the_discard_pile_fills_the_row() -> None:
    position = lay("tortuga-en", "s,8/6,6", "-/-", row="BB", stock="D3").play("8<", "+D", "+D", "+D")
    assert (word(position, "stock"), word(position, "turn")) == ("-", "1.1r9")
    position = position.play("+S")
    assert word(position, "discard") == "-"
    assert word(position, "row") == "DDDS"


@booklet("ruling", "hands", "the tunnel games have no hand limit")
def test_there_is_no_hand_limit_in_the_tunnel() -> None:
    position = lay("jamaica-en", "s,8/6,6", "B17D17H17/-").play("8<", "+K", "+K")
    assert hand(position, 1) == "B17D17H17K2"
    assert word(position, "turn") == "1.1"


@booklet("ruling", "views", "in a view any card out of sight can come from the hidden stock")
def test_a_card_can_be_dealt_in_a_view() -> None:
    position = lay("jamaica-en+cards2", "s,8/6,6", "B2D2/K2", stock="P").play("8<")
    assert position.chances() == {"P": 1}
    seen = position.view(1)
    assert seen.chances() == {"K": 2, "P": 1}
    assert moves(seen) == {"+K", "+P"}
    after = seen.play("+K")
    assert (hand(after, 1), hand(after, 2), word(after, "stock")) == ("B2D2K", "?2", "-")
    assert moves(after) == {"+H", "+P", "+S"}
    assert word(after.play("+H"), "stock") == "HPS2"


@booklet("ruling", "views", "where hands lie open the stock is what lies nowhere else")
def test_the_hidden_stock_of_an_open_game_can_be_worked_out() -> None:
    position = lay("tortuga-en+cards2", "s,8/6,6", "B2D2/K2", row="P", stock="P").play("8<")
    assert position.view(2).chances() == position.chances() == {"P": 1}


def test_two_positions_with_the_same_words_are_the_same() -> None:
    text = str(lay("jamaica-en", "s,8/6,6", "B2/-"))
    assert Position.parse(text) == Position.parse(text)


@booklet("ruling", "views", "the cards of a row that is being laid out are in sight")
def test_cards_in_the_row_cannot_come_again_in_a_view() -> None:
    position = lay("tortuga-en+cards2", "s,8/6,6", "B2D2H/K2", row="PP", turn="1.1r10")
    assert position.view(1).chances() == position.chances() == {"H": 1, "S": 2}
