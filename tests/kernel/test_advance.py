"""Forward through the tunnel with a card."""

import pytest
from tests.support import WORKED_A, booklet, hand, lay, moves, word

from cartagena import IllegalMove, Outcome, Position


@booklet("en de nl sv", "advance", "the card goes to the discard pile")
@booklet("nest", "advance", "the card goes face up to the discard pile")
@pytest.mark.parametrize("rules", ["jamaica-en", "tortuga-en", "hispaniola-en", "nest-nl"])
def test_a_played_card_lies_on_the_discard_pile(rules: str) -> None:
    position = lay(rules, "s,s/s,s", "D2P/-").play("s:D")
    assert hand(position, 1) == "DP"
    assert word(position, "discard") == "D"


@booklet("en de nl sv", "advance", "a pirate in the passage or one that has yet to enter")
def test_a_pirate_at_the_start_or_in_the_tunnel_may_be_chosen() -> None:
    assert moves(lay("jamaica-en", "s,7/20,21", "B/-")) == {"s:B", "7:B"}


@booklet("en de nl sv", "advance", "only an own pirate")
def test_a_pirate_of_another_seat_cannot_be_advanced() -> None:
    with pytest.raises(IllegalMove, match="no blue pirate stands on field 20") as caught:
        lay("jamaica-en", "s,7/20,21", "B/-").play("20:B")
    assert caught.value.reason == "no-pirate-there"


@booklet("en de nl sv", "advance", "only with a card from the player's own hand")
def test_a_card_that_is_not_held_cannot_be_played() -> None:
    with pytest.raises(IllegalMove, match="blue holds no card D") as caught:
        lay("jamaica-en", "s,7/20,21", "B/D").play("s:D")
    assert caught.value.reason == "card-not-held"


@booklet("en de nl sv", "advance", "to the next vacant space with the card's sign")
@pytest.mark.parametrize(("sign", "target"), [*zip("BDHKPS", (7, 8, 9, 10, 5, 6), strict=True)])
def test_a_pirate_goes_to_the_next_vacant_field_of_the_sign(sign: str, target: int) -> None:
    position = lay("jamaica-en", "s,4/s,s", f"{sign}/-").play(f"4:{sign}")
    assert word(position, "pirates") == f"s,{target}/s,s"


@booklet("en de nl sv", "advance", "occupied spaces are skipped, whichever pirates stand there")
@booklet("de nl", "advance", "spaces of other signs are jumped over, however many stand there")
def test_fields_with_one_two_or_three_pirates_are_skipped() -> None:
    position = lay("jamaica-en", "s,7,13/1,7,13/2,2,13", "B/-/-").play("s:B")
    assert word(position, "pirates") == "7,13,19/1,7,13/2,2,13"


@booklet("en de nl sv", "advance", "example: Yellow from 9 to 23 over 12 and 17")
def test_yellow_goes_from_9_to_23() -> None:
    position = Position.parse(WORKED_A.replace("1.0", "3.0")).play("9:S")
    assert word(position, "pirates").split("/")[2] == "s,5,12,23,26,34"


@booklet("en de nl sv", "advance", "no vacant space of the sign ahead: aboard the sloop")
def test_a_pirate_with_no_field_of_the_sign_ahead_goes_aboard() -> None:
    assert word(lay("jamaica-en", "s,31/s,s", "B/-").play("31:B"), "pirates") == "s,b/s,s"


@booklet("de nl", "advance", "aboard also where all such spaces ahead are occupied")
def test_a_pirate_with_only_occupied_fields_of_the_sign_ahead_goes_aboard() -> None:
    assert word(lay("jamaica-en", "s,24/25,31", "B/-").play("24:B"), "pirates") == "s,b/25,31"


@booklet("ruling", "advance", "boarding is forced, not a choice, and never happens while a field is free")
def test_boarding_cannot_be_chosen_while_a_field_is_vacant() -> None:
    position = lay("jamaica-en", "s,24/s,25", "B/-").play("24:B")
    assert word(position, "pirates") == "s,31/s,25"


@booklet("ruling", "advance", "a pirate aboard goes no farther")
def test_a_pirate_aboard_is_home() -> None:
    with pytest.raises(IllegalMove, match="a pirate that is home stays there") as caught:
        lay("jamaica-en", "s,b/s,s", "B/-").play("b:B")
    assert caught.value.reason == "already-home"


@booklet("ruling", "sizes", "a tunnel has 1 to 8 pieces")
@pytest.mark.parametrize("pieces", range(1, 9))
def test_the_tunnel_may_be_shorter_or_longer(pieces: int) -> None:
    board = "/".join(["BDHKPS"] * pieces)
    last = pieces * 6
    position = lay("jamaica-en", f"s,{last}/s,s", "S/-", board=board)
    assert word(position.play(f"{last}:S"), "pirates") == "s,b/s,s"
    assert word(position.play("s:S"), "pirates") == (f"6,{last}/s,s" if pieces > 1 else "6,b/s,s")


@booklet("ruling", "sizes", "a seat has 1 to 8 pirates")
@pytest.mark.parametrize("pirates", range(1, 9))
def test_a_seat_may_have_one_to_eight_pirates(pirates: int) -> None:
    aboard = ",".join(["36", *["b"] * (pirates - 1)])
    position = lay("jamaica-en", f"{aboard}/{','.join(['s'] * pirates)}", "S/-")
    assert position.pirates == pirates
    assert position.play("36:S").outcome() == Outcome(1)
    crowd = lay("jamaica-en", f"{','.join(['s'] * pirates)}/{','.join(['s'] * pirates)}", "S/-").play("s:S")
    assert crowd.places(1) == ["s"] * (pirates - 1) + ["6"]
    assert crowd.outcome() is None
