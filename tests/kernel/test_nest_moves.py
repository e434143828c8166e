"""The Pirate's Nest: advances and pushes."""

import pytest
from tests.support import booklet, hand, lay, moves, word

from cartagena import IllegalMove, Outcome, Position

# --- an own pirate with a card


@booklet("nest", "advance", "to the next vacant field of the motif on the card")
@pytest.mark.parametrize(
    ("pirates", "move", "after"),
    [("s,9/s,s", "s:G", "3,9/s,s"), ("s,3/s,s", "3:G", "s,10/s,s"), ("s,20/s,s", "20:C", "s,22/s,s")],
)
def test_a_pirate_goes_to_the_next_vacant_field_of_the_motif(pirates: str, move: str, after: str) -> None:
    assert word(lay("nest-nl", pirates, "CG/-").play(move), "pirates") == after


@booklet("nest", "advance", "other motifs and occupied fields are jumped over")
def test_occupied_fields_of_the_motif_are_jumped_over() -> None:
    position = lay("nest-nl", "s,16,16/3,15,15", "CG/-").play("s:G")
    assert word(position, "pirates") == "10,16,16/3,15,15"


@booklet("nest", "advance", "no vacant field before the sloop: the pirate lands in the sloop")
def test_a_pirate_with_no_field_ahead_on_the_first_island_goes_aboard() -> None:
    assert word(lay("nest-nl", "s,12/s,s", "C/-").play("12:C"), "pirates") == "s,b/s,s"
    assert word(lay("nest-nl", "s,s/1,8", "C/-").play("s:C"), "pirates") == "s,b/1,8"


@booklet("nest", "advance", "no vacant field before the nest: the pirate lands in the nest")
def test_a_pirate_with_no_field_ahead_on_the_second_island_goes_to_the_nest() -> None:
    assert word(lay("nest-nl", "s,30/s,s", "C/-").play("30:C"), "pirates") == "s,n/s,s"
    assert word(lay("nest-nl", "s,20/22,29", "C/-").play("20:C"), "pirates") == "s,n/22,29"


@booklet("nest", "advance", "a pirate of the first island never walks on to the second")
def test_the_islands_are_walked_one_at_a_time() -> None:
    position = lay("nest-nl", "s,12/s,s", "C/-", sloop="2")
    assert moves(position) == {"s:C", "sail", "2@s"}
    with pytest.raises(IllegalMove, match="the sloop lies at the other island") as caught:
        position.play("12:C")
    assert caught.value.reason == "sloop-is-away"


@booklet("nest", "advance", "at most three pirates of one colour in the sloop")
@booklet("nest", "sail", "three of each colour is the most the sloop holds")
def test_a_fourth_pirate_of_a_colour_cannot_go_aboard() -> None:
    position = lay("nest-nl", "s,12,b,b,b/s,s,s,b,b", "C/-")
    with pytest.raises(IllegalMove, match="three blue pirates are aboard already") as caught:
        position.play("12:C")
    assert caught.value.reason == "sloop-is-full"
    assert word(position.play("s:C"), "pirates") == "1,12,b,b,b/s,s,s,b,b"


@booklet("ruling", "the sloop", "it holds three of each colour, so all colours together may be more")
def test_the_sloop_holds_three_of_each_colour() -> None:
    position = lay("nest-nl", "s,12,b,b/s,b,b,b/s,b,b,b", "C/-/-")
    assert word(position.play("12:C"), "pirates") == "s,b,b,b/s,b,b,b/s,b,b,b"


@booklet("nest", "advance", "pirates on an island, at the start, or in the sloop at the second island can move")
def test_pirates_aboard_move_only_while_the_sloop_lies_at_the_second_island() -> None:
    there = lay("nest-nl", "s,b,20/s,s,s", "D/-", sloop="2")
    assert {"s:D", "b:D", "20:D"} <= moves(there)
    assert word(there.play("b:D"), "pirates") == "s,16,20/s,s,s"
    here = lay("nest-nl", "s,b,20/s,s,s", "D/-", sloop="1")
    assert {"s:D", "20:D"} <= moves(here)
    with pytest.raises(IllegalMove, match="the sloop lies at the other island") as caught:
        here.play("b:D")
    assert caught.value.reason == "sloop-is-away"


@booklet("ruling", "advance", "from the sloop straight to the nest where no field of the motif is vacant")
def test_a_pirate_may_go_from_the_sloop_to_the_nest() -> None:
    position = lay("nest-nl", "s,b,20/15,22,29", "C/-", sloop="2")
    assert word(position.play("b:C"), "pirates") == "s,20,n/15,22,29"


@booklet("ruling", "advance", "a pirate in the nest stays")
def test_a_pirate_in_the_nest_is_home() -> None:
    position = lay("nest-nl", "s,n/s,n", "C/-")
    for move in ("n:C", "2@n"):
        with pytest.raises(IllegalMove, match="a pirate that is home stays there") as caught:
            position.play(move)
        assert caught.value.reason == "already-home"


@booklet("nest", "advance", "the same motif on a freebooter card moves the pirate alike")
def test_a_freebooter_moves_like_a_plain_card() -> None:
    position = lay("nest-nl", "s,s/s,s", "GG!/-").play("s:G!")
    assert word(position, "pirates") == "s,3/s,s"
    assert word(position, "discard") == "G!"
    with pytest.raises(IllegalMove, match="blue holds no card G!"):
        position.play("s:G!")


# --- a foreign pirate


@booklet("nest", "push", "a foreign pirate goes forward to the next field with one or two pirates")
@booklet("nest", "push", "one pirate there brings one card, two bring two")
@booklet("nest", "summary", "one card for one pirate, two for two")
@pytest.mark.parametrize(("others", "owed"), [("s,9/1,20", 1), ("9,9/1,20", 2), ("s,9/1,9", 2)])
def test_a_push_ends_on_the_next_field_with_company(others: str, owed: int) -> None:
    seat2 = others.split("/")[1]
    position = lay("nest-nl", others, "-/-").play("2@1")
    assert position.places(2) == sorted(["9", seat2.split(",")[1]], key=int)
    assert word(position, "turn") == f"1.1+{owed}"


@booklet("nest", "push", "colours and the motif of the target play no part")
@pytest.mark.parametrize("target", range(2, 15))
def test_any_field_with_company_is_a_target(target: int) -> None:
    own, foreign = lay("nest-nl", f"{target},20/s,1/s,s", "-/-/-"), f"s,1/s,{target}"
    assert own.play("2@1").places(2) == ["s", str(target)]
    assert lay("nest-nl", f"s,s/{foreign}", "-/-/-").play("2@1").places(2) == ["s", str(target)]


@booklet("nest", "push", "never an own pirate")
def test_an_own_pirate_cannot_be_pushed() -> None:
    with pytest.raises(IllegalMove, match="only pirates of other colours can be pushed") as caught:
        lay("nest-nl", "1,9/s,s", "-/-").play("1@1")
    assert caught.value.reason == "own-pirate"


@booklet("nest", "push", "free fields and fields with three pirates are jumped over")
@booklet("nest", "summary", "empty fields and fields with three are jumped over")
def test_free_and_full_fields_are_jumped_over() -> None:
    position = lay("nest-nl", "5,5,5/1,9,20", "-/-").play("2@1")
    assert word(position, "pirates") == "5,5,5/9,9,20"


@booklet("nest", "push", "a pirate at the start may be pushed")
def test_a_pirate_at_the_start_may_be_pushed() -> None:
    assert word(lay("nest-nl", "s,9/s,s", "-/-").play("2@s"), "pirates") == "s,9/s,9"


@booklet("nest", "push", "a pirate in the sloop may be pushed while it lies at the second island")
def test_a_pirate_aboard_may_be_pushed_at_the_second_island_only() -> None:
    there = lay("nest-nl", "s,22/s,b", "-/-", sloop="2")
    assert word(there.play("2@b"), "pirates") == "s,22/s,22"
    with pytest.raises(IllegalMove, match="the sloop lies at the other island") as caught:
        lay("nest-nl", "s,22/s,b", "-/-", sloop="1").play("2@b")
    assert caught.value.reason == "sloop-is-away"


@booklet("nest", "push", "no such field before the sloop: into the sloop, always for two cards")
@booklet("nest", "summary", "the sloop always brings two cards")
@pytest.mark.parametrize("pirates", ["s,20/s,12", "b,20/s,12", "b,b/12,b"])
def test_a_pirate_with_no_pirate_ahead_is_pushed_into_the_sloop_for_two_cards(pirates: str) -> None:
    position = lay("nest-nl", pirates, "-/-")
    after = position.play("2@12")
    assert after.places(2).count("b") == position.places(2).count("b") + 1
    assert word(after, "turn").startswith("1.1")
    assert word(after, "turn").endswith("+2")


@booklet("nest", "push", "into the sloop only while it lies at the first island")
def test_no_pirate_is_pushed_into_a_sloop_that_is_away() -> None:
    with pytest.raises(IllegalMove, match="the sloop lies at the other island") as caught:
        lay("nest-nl", "s,20/s,12", "-/-", sloop="2").play("2@12")
    assert caught.value.reason == "sloop-is-away"


@booklet("nest", "push", "into the sloop only while fewer than three of that colour are aboard")
def test_no_pirate_is_pushed_into_a_sloop_full_of_that_colour() -> None:
    position = lay("nest-nl", "s,s,s,20/12,b,b,b", "-/-")
    with pytest.raises(IllegalMove, match="three red pirates are aboard already") as caught:
        position.play("2@12")
    assert caught.value.reason == "sloop-is-full"
    assert "2@12" in moves(lay("nest-nl", "s,b,b,b/s,12,b,b", "-/-"))


@booklet("nest", "push", "a foreign pirate is never put into the nest")
def test_no_pirate_is_pushed_into_the_nest() -> None:
    position = lay("nest-nl", "s,20/s,30", "-/-", sloop="2")
    with pytest.raises(IllegalMove, match="no pirate is pushed into the nest") as caught:
        position.play("2@30")
    assert caught.value.reason == "nothing-ahead"
    with pytest.raises(IllegalMove, match="no pirate is pushed into the nest"):
        lay("nest-nl", "s,s/s,b", "-/-", sloop="2").play("2@b")


@booklet("nest", "push", "the same pirate may be pushed more than once in a turn")
def test_the_same_pirate_may_be_pushed_three_times() -> None:
    position = lay("nest-nl", "3,5,7/s,1,20", "-/-")
    position = position.play("2@1", "+C", "2@3", "+C", "2@5", "+C")
    assert word(position, "pirates") == "3,5,7/s,7,20"


def test_a_push_needs_a_seat_and_a_pirate_there() -> None:
    position = lay("nest-nl", "3,5/s,1", "-/-")
    for move, reason in (("3@1", "no-such-seat"), ("2@2", "no-pirate-there"), ("6@1", "not-in-this-game")):
        with pytest.raises(IllegalMove) as caught:
            position.play(move)
        assert caught.value.reason == reason


# --- the end


@booklet("nest", "end of the game", "the first to bring all pirates into the nest wins")
@booklet("nest", "the idea", "all pirates safe in the nest win the game")
def test_the_last_pirate_into_the_nest_wins_at_once() -> None:
    position = lay("nest-nl", "30,n,n/s,s,n", "C2/-", turn="1.1").play("30:C")
    assert position.outcome() == Outcome(1)
    assert word(position, "turn") == "=1"
    assert moves(position) == set()


@booklet("ruling", "the end", "a winning freebooter ends the game before any seat drops a card")
def test_a_winning_freebooter_makes_no_seat_drop() -> None:
    position = lay("nest-nl", "30,n/s,n", "C!/D9").play("30:C!")
    assert word(position, "turn") == "=1"
    assert hand(position, 2) == "D9"
    assert position == Position.parse(str(position)), "nothing of a drop is left behind"


@booklet("ruling", "forced pass", "no card to play, no pirate to push and no right to sail: a forced pass")
def test_a_seat_with_nothing_to_do_must_pass() -> None:
    position = lay("nest-nl", "20,n/s,s", "-/C", sloop="2")
    assert moves(position) == {"end"}
    assert word(position.play("end"), "turn") == "2.0p1"


@booklet("ruling", "deadlock", "all seats forced to pass in a row end the nest too")
def test_forced_passes_all_round_end_the_game() -> None:
    position = lay("nest-nl", "20,n/20,n", "-/-", sloop="2", turn="2.0p1")
    assert moves(position) == {"end"}
    assert word(position.play("end"), "turn") == "=0"
