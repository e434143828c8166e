"""Back through the tunnel for cards."""

import pytest
from tests.support import WORKED_A, booklet, hand, lay, moves, word

from cartagena import IllegalMove, Position


@booklet("en de nl sv", "moving back", "to the nearest space behind with one or two pirates of any seat")
@pytest.mark.parametrize(("others", "target"), [("4,6", 6), ("4,5", 5), ("3,4", 4)])
def test_a_retreat_goes_to_the_nearest_field_behind_with_company(others: str, target: int) -> None:
    position = lay("jamaica-en", f"s,8/{others}", "-/-").play("8<")
    assert word(position, "pirates") == f"s,{target}/{others}"


@booklet("en de nl sv", "moving back", "own pirates count like an opponent's")
def test_an_own_pirate_is_company_too() -> None:
    assert word(lay("jamaica-en", "6,8/s,s", "-/-").play("8<"), "pirates") == "6,6/s,s"


@booklet("en de nl sv", "moving back", "vacant spaces and spaces with three pirates are passed by")
def test_vacant_and_full_fields_are_passed_over() -> None:
    position = lay("jamaica-en", "2,8,8/5,5,5", "-/-").play("8<")
    assert word(position, "pirates") == "2,2,8/5,5,5"


@booklet("en de nl sv", "moving back", "there are never more than three pirates on a space")
def test_a_third_pirate_may_come_but_a_fourth_goes_on() -> None:
    position = lay("jamaica-en", "2,8,8/s,5,5", "-/-").play("8<", "+B", "+B")
    assert word(position, "pirates") == "2,5,8/s,5,5"
    assert word(position.play("8<"), "pirates") == "2,2,5/s,5,5"


@booklet("en de nl sv", "moving back", "one card for one pirate, two cards for two")
@pytest.mark.parametrize(("others", "owed"), [("s,6", 1), ("6,6", 2)])
def test_as_many_cards_are_drawn_as_pirates_stood_there(others: str, owed: int) -> None:
    position = lay("jamaica-en", f"s,8/{others}", "-/-").play("8<")
    assert word(position, "turn") == f"1.1+{owed}"
    for _ in range(owed):
        position = position.play("+B")
    assert word(position, "turn") == "1.1"
    assert position.hand_size(1) == owed


@booklet("en de nl sv", "moving back", "example: Red from 8 to 6 for two cards of the row's front")
def test_red_retreats_from_8_to_6_and_takes_two_cards() -> None:
    position = Position.parse(WORKED_A.replace("1.0", "2.0")).play("8<")
    assert position.places(2) == ["s", "6", "17", "17", "22", "30"]
    assert hand(position, 2) == "B2DHKP"
    assert word(position, "row") == "DHKSPBH"


@booklet("en de nl sv", "moving back", "a single may not be skipped to reach a pair")
def test_a_single_is_not_skipped_for_a_pair() -> None:
    position = lay("jamaica-en", "s,8,9/2,2,5", "-/-").play("8<")
    assert word(position, "pirates") == "s,5,9/2,2,5"
    assert word(position, "turn") == "1.1+1"


@booklet("de nl", "moving back", "the same pirate may go on to the pair with the next action")
def test_the_pirate_may_go_on_to_the_pair_with_the_next_action() -> None:
    position = lay("jamaica-de", "s,s,8/2,2,5", "-/-").play("8<", "+B", "5<")
    assert word(position, "pirates") == "s,s,2/2,2,5"
    assert word(position, "turn") == "1.2+2"


@booklet("de", "moving back", "a pirate in the boat may be chosen")
@booklet("ruling", "moving back", "a pirate may return from the sloop in every edition")
@pytest.mark.parametrize("edition", ["en", "de", "nl", "sv"])
@pytest.mark.parametrize("game", ["jamaica", "tortuga", "hispaniola"])
def test_a_pirate_may_go_back_from_the_sloop(game: str, edition: str) -> None:
    position = lay(f"{game}-{edition}", "s,b/s,36", "-/-", row="-" if game == "jamaica" else "BBBB")
    assert word(position.play("b<"), "pirates") == "s,36/s,36"


@booklet("ruling", "options", "-return forbids going back from the sloop")
def test_the_option_forbids_going_back_from_the_sloop() -> None:
    position = lay("jamaica-en-return", "s,b/s,36", "-/-")
    assert moves(position) == {"end"}
    with pytest.raises(IllegalMove, match="no pirate go back from the sloop") as caught:
        position.play("b<")
    assert caught.value.reason == "no-return"


@booklet("de", "moving back", "a pirate never leaves the tunnel again at its entrance")
@booklet("ruling", "moving back", "the start is no target in any edition")
def test_no_pirate_goes_back_to_the_start() -> None:
    position = lay("jamaica-en", "s,8/s,9", "-/-")
    assert moves(position) == {"end"}
    with pytest.raises(IllegalMove, match="no field behind field 8 has one or two pirates") as caught:
        position.play("8<")
    assert caught.value.reason == "nothing-behind"


@booklet("ruling", "moving back", "a pirate at the start cannot go back")
def test_a_pirate_at_the_start_cannot_go_back() -> None:
    with pytest.raises(IllegalMove, match="has not set out") as caught:
        lay("jamaica-en", "s,8/s,7", "-/-").play("s<")
    assert caught.value.reason == "not-in-the-tunnel"
    with pytest.raises(IllegalMove, match="no blue pirate stands on field 7"):
        lay("jamaica-en", "s,8/s,7", "-/-").play("7<")


@booklet("ruling", "moving back", "a retreat stays legal where no card is left, and draws fewer")
@pytest.mark.parametrize("rules", ["jamaica-en+cards2", "tortuga-en+cards2", "hispaniola-en+cards2"])
def test_a_retreat_without_a_card_to_draw_is_legal(rules: str) -> None:
    position = lay(rules, "s,8/6,6", "B2D2H2/K2P2S2")
    after = position.play("8<")
    assert word(after, "pirates") == "s,6/6,6"
    assert word(after, "turn") == "1.1"
    assert hand(after, 1) == "B2D2H2"


@booklet("ruling", "moving back", "two owed and one card left: one is drawn")
def test_a_draw_is_smaller_where_the_cards_run_out() -> None:
    position = lay("jamaica-en+cards2", "s,8/6,6", "B2D2H2/K2P2S").play("8<")
    assert word(position, "turn") == "1.1+2"
    assert moves(position) == {"+S"}
    position = position.play("+S")
    assert word(position, "turn") == "1.1"
    assert hand(position, 1) == "B2D2H2S"
