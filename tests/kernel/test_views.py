"""A view shows exactly what a seat may know."""

import pytest
from tests.support import booklet, lay, moves

from cartagena import IllegalMove, Position


@booklet("en de nl sv", "Jamaica version", "players hold their cards hidden from the others")
@booklet("nest", "preparation", "seven cards are held hidden in the hand")
@booklet("ruling", "views", "hispaniola hides hands like jamaica")
@pytest.mark.parametrize("rules", ["jamaica-en", "hispaniola-en", "nest-nl"])
def test_other_hands_are_hidden_but_their_sizes_are_not(rules: str) -> None:
    position = lay(rules, "s,s/s,s/s,s", "D2P/DPS/-")
    stock = "?96" if rules != "nest-nl" else "?99"
    assert str(position.view(1)).split(" ")[3] == "D2P/?3/-"
    assert str(position.view(2)).split(" ")[3] == "?3/DPS/-"
    assert str(position.view(3)).split(" ")[3:6] == ["?3/?3/-", "-", stock]
    assert str(position.view(0)).split(" ")[3] == "?3/?3/-"
    assert position.view(1).hand_size(2) == 3


@booklet("en de nl sv", "Tortuga version", "hands lie open for all to see")
def test_open_hands_are_seen_by_all() -> None:
    position = lay("tortuga-en", "s,s/s,s", "D2P/DPS", row="KSB")
    for seat in (0, 1, 2):
        assert str(position.view(seat)).split(" ")[3:6] == ["D2P/DPS", "KSB", "?93"]
        assert position.view(seat) == position.view(0), "the server shows all seats one view"


@booklet("en de nl sv", "Jamaica version", "the rest of the deck lies face down as the stock")
@booklet("nest", "preparation", "the other cards lie face down as the stock")
@pytest.mark.parametrize("rules", ["jamaica-en", "tortuga-en", "hispaniola-en", "nest-nl"])
def test_the_stock_is_hidden_in_every_game_and_an_empty_one_is_a_dash(rules: str) -> None:
    full = lay(rules, "s,s/s,s", "D/D")
    assert str(full.view(1)).split(" ")[5].startswith("?")
    kinds = "CDGMPST" if rules == "nest-nl" else "BDHKPS"
    all_but_one = "".join(kinds[:-1]) if rules != "nest-nl" else "CC!DD!GG!MM!PP!SS!T"
    empty = lay(
        rules + "+cards2", "s,s/s,s", f"{all_but_one}/{kinds[-1] + '!' if rules == 'nest-nl' else kinds[-1]}", stock="-"
    )
    assert str(empty.view(1)).split(" ")[5] == "-"


@booklet("de nl", "Jamaica version", "played cards lie open on the discard pile")
def test_the_discard_pile_is_public() -> None:
    position = lay("jamaica-de", "s,s/s,s", "D/D", discard="K3P")
    assert [str(position.view(seat)).split(" ")[6] for seat in (0, 1, 2)] == ["K3P"] * 3


def test_views_of_states_that_differ_only_in_hidden_things_are_equal() -> None:
    one = lay("jamaica-en", "s,s/s,s/s,s", "D2P/DPS/K2")
    two = lay("jamaica-en", "s,s/s,s/s,s", "D2P/BHK/P2")
    assert one.view(1) == two.view(1)
    assert one.view(1).words == two.view(1).words
    assert one.view(2) != two.view(2)


def test_the_view_of_a_view_shows_no_more_than_either() -> None:
    position = lay("jamaica-en", "s,s/s,s", "D2P/DPS")
    assert position.view(1).view(1) == position.view(1)
    assert position.view(1).view(2) == position.view(0)


def test_legal_moves_can_be_asked_of_the_movers_view() -> None:
    position = lay("jamaica-en", "s,8/6,6", "D2P/DPS")
    assert moves(position.view(1)) == moves(position)


def test_a_hidden_set_of_no_cards_is_read() -> None:
    text = "jamaica-en+cards2 BDHKPS s/s ?0/B2D2H2K2P2S2 - ?0 - - 2.0"
    position = Position.parse(text)
    assert str(position) == text.replace("?0", "-")
    assert not position.is_view


def test_only_seats_of_the_table_have_a_view() -> None:
    with pytest.raises(IllegalMove, match="no seat 3"):
        lay("jamaica-en", "s,s/s,s", "D2P/DPS").view(3)
