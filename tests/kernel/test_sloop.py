"""The Pirate's Nest: sailing, the captain, freebooters."""

import pytest
from tests.support import booklet, hand, lay, moves, word

from cartagena import Game, IllegalMove, Position

# --- sailing


@booklet("nest", "sail", "moving the sloop is one action and costs no card")
@booklet("nest", "summary", "moving the sloop is an action")
def test_sailing_is_an_action_that_costs_no_card() -> None:
    position = lay("nest-nl", "s,b/s,b", "CD/-", turn="1.1")
    after = position.play("sail")
    assert (word(after, "sloop"), word(after, "turn")) == ("2", "1.2")
    assert hand(after, 1) == "CD"
    assert word(after, "discard") == "-"


@booklet("nest", "sail", "pirates aboard cross with the sloop and stay aboard")
@booklet("ruling", "sailing", "crew may ride back")
@pytest.mark.parametrize("sloop", ["1", "2"])
def test_the_crew_stays_aboard(sloop: str) -> None:
    position = lay("nest-nl", "s,b/s,b", "C/-", sloop=sloop, turn="1.1").play("sail")
    assert word(position, "pirates") == "s,b/s,b"


@booklet("nest", "sail", "from the first island only with an own pirate aboard")
@booklet("nest", "summary", "only players with a pirate aboard move the sloop out")
def test_sailing_out_needs_an_own_pirate_aboard() -> None:
    with pytest.raises(IllegalMove, match="no blue pirate is aboard, so blue may not sail") as caught:
        lay("nest-nl", "s,s/s,b", "C/-").play("sail")
    assert caught.value.reason == "nobody-aboard"
    assert "sail" in moves(lay("nest-nl", "s,b/s,b", "C/-", turn="1.1"))


@booklet("nest", "sail", "back only with an own pirate still on the first island")
@booklet("nest", "summary", "only players with a pirate on the first island fetch the sloop")
@booklet("ruling", "sailing", "the start belongs to the first island")
@pytest.mark.parametrize(
    ("own", "allowed"), [("s,n", True), ("1,n", True), ("14,n", True), ("b,n", False), ("15,35", False)]
)
def test_sailing_back_needs_an_own_pirate_on_the_first_island(own: str, allowed: bool) -> None:
    position = lay("nest-nl", f"{own}/s,s", "C/-", sloop="2", turn="1.1")
    assert ("sail" in moves(position)) is allowed
    if not allowed:
        with pytest.raises(IllegalMove, match="no blue pirate is left on the first island") as caught:
            position.play("sail")
        assert caught.value.reason == "nobody-ashore"


@booklet("ruling", "sailing", "the tunnel games know no sailing, and the nest no retreat")
def test_only_the_nest_has_a_sloop_that_sails() -> None:
    for move in ("sail", "2@s", "drop:B"):
        with pytest.raises(IllegalMove) as caught:
            lay("jamaica-en", "s,b/s,b", "B/-").play(move)
        assert caught.value.reason == "not-in-this-game"
    with pytest.raises(IllegalMove) as caught:
        lay("nest-nl", "s,9/s,8", "C/-").play("9<")
    assert caught.value.reason == "not-in-this-game"


# --- the captain


@booklet("nest", "captain", "at the start of the turn as many aboard as any other seat or more: captain")
@booklet("nest", "summary", "the most aboard, or a tie, makes a captain")
@pytest.mark.parametrize(
    ("pirates", "mark"),
    [
        ("s,s,b/s,b,b", "c"),  # seat 2 has the most
        ("s,b,b/s,b,b", "c"),  # a tie
        ("b,b,b/s,b,b", ""),  # seat 1 has more
        ("b,b,b/s,s,s", ""),  # no pirate of seat 2 is aboard
    ],
)
def test_the_captain_is_found_at_the_start_of_the_turn(pirates: str, mark: str) -> None:
    position = lay("nest-nl+pass", pirates, "C/C").play("end")
    assert word(position, "turn") == f"2.0{mark}"


@booklet("nest", "captain", "the captain may cross for nothing before the actions")
@booklet("nest", "summary", "the captain's crossing at the start of the turn is free")
@booklet("nest", "sail", "only the captain crosses without spending an action")
def test_the_captains_crossing_is_free() -> None:
    position = lay("nest-nl", "s,s,b/s,s,b", "C3/-", turn="1.0c").play("sail")
    assert (word(position, "sloop"), word(position, "turn")) == ("2", "1.0")
    position = position.play("s:C", "s:C", "b:C")
    assert word(position, "turn") == "1.3"


@booklet("ruling", "captain", "one free crossing only; another one is an action")
def test_a_second_crossing_is_an_action() -> None:
    position = lay("nest-nl", "s,b/s,b", "C/-", turn="1.0c").play("sail", "sail")
    assert (word(position, "sloop"), word(position, "turn")) == ("1", "1.1")


@booklet("ruling", "captain", "the free crossing is gone with the first action")
@pytest.mark.parametrize("move", ["s:C", "2@s"])
def test_the_first_action_forgoes_the_free_crossing(move: str) -> None:
    position = lay("nest-nl", "s,s,b/s,s,b", "C/-", turn="1.0c").play(move)
    assert "c" not in word(position, "turn")
    if position.is_chance:
        position = position.play("+C", "+C")
    assert word(position.play("sail"), "turn") == "1.2"


@booklet("ruling", "captain", "the free crossing is no action: one is still owed")
def test_one_action_is_still_owed_after_the_free_crossing() -> None:
    position = lay("nest-nl", "s,b/s,b", "C/-", turn="1.0c")
    assert "end" not in moves(position)
    after = position.play("sail")
    assert "end" not in moves(after)
    with pytest.raises(IllegalMove, match="at least one action must be taken"):
        after.play("end")


@booklet("ruling", "captain", "the captain crosses either way under the same conditions")
@pytest.mark.parametrize(("own", "mark"), [("s,b", "c"), ("b,20", "")])
def test_a_captain_who_may_not_sail_has_no_free_crossing(own: str, mark: str) -> None:
    position = lay("nest-nl+pass", f"s,s/{own}", "C/C", sloop="2").play("end")
    assert word(position, "turn") == f"2.0{mark}"


@booklet("ruling", "options", "-crew makes a captain of a seat with no pirate aboard")
def test_without_crew_a_seat_with_no_pirate_aboard_can_be_captain() -> None:
    fetch = lay("nest-nl+pass-crew", "s,s/s,s", "C/C", sloop="2").play("end")
    assert word(fetch, "turn") == "2.0c"
    assert word(lay("nest-nl+pass", "s,s/s,s", "C/C", sloop="2").play("end"), "turn") == "2.0"
    assert word(lay("nest-nl+pass-crew", "s,s/s,s", "C/C", sloop="1").play("end"), "turn") == "2.0"


@booklet("ruling", "captain", "only the crossing is possible: sail and end are legal, and that end is no forced pass")
def test_a_captain_with_nothing_but_the_crossing_may_end_without_a_forced_pass() -> None:
    position = lay("nest-nl", "b,n/20,n", "-/-", turn="1.0cp1")
    assert moves(position) == {"sail", "end"}
    assert word(position.play("end"), "turn") == "2.0"


@booklet("ruling", "captain", "a crossing that leaves no action makes the end a forced pass, the first of a new count")
def test_a_crossing_that_leaves_no_action_starts_a_new_count() -> None:
    position = lay("nest-nl", "b,n/20,n", "-/-", turn="1.0cp1").play("sail")
    assert word(position, "turn") == "1.0"
    assert moves(position) == {"end"}
    assert word(position.play("end"), "turn") == "2.0p1"


@booklet("ruling", "captain", "a crossing that is an action leaves the count of passes to the turn's end")
def test_an_ordinary_crossing_leaves_the_count_until_the_end() -> None:
    position = lay("nest-nl", "b,n/b,n", "-/C", turn="1.0p1").play("sail")
    assert word(position, "turn") == "1.1p1"
    assert word(position.play("end"), "turn") == "2.0"


@booklet("ruling", "captain", "no pirate aboard at the start of the game: no captain")
def test_a_new_game_has_no_captain() -> None:
    assert word(Game.new("nest-nl", seats=3, seed=1).position, "turn") == "1.0"


# --- freebooters


@booklet("nest", "freebooter", "more than seven cards may be held until a freebooter is played")
def test_seven_is_no_limit_while_no_freebooter_is_played() -> None:
    position = lay("nest-nl", "s,s/s,9", "C9/D9").play("2@9", "+G", "+G", "s:C")
    assert (position.hand_size(1), position.hand_size(2)) == (10, 9)
    assert word(position, "turn") == "1.2"


@booklet("nest", "freebooter", "every hand above seven is cut to seven, the player's own too")
@booklet("nest", "summary", "all players with more than seven cards put the surplus away")
@booklet("ruling", "freebooter", "clockwise from the active player, who drops first")
def test_a_freebooter_cuts_every_hand_to_seven_clockwise() -> None:
    position = lay("nest-nl", "s,s/s,s/s,s/s,s", "D8/C!G8/P7/M9", turn="2.0").play("s:C!")
    asked = []
    while word(position, "turn") != "2.1":
        asked.append(position.turn)
        assert word(position, "turn") == f"2.1!{position.turn}"
        position = position.play(next(iter(position.legal_moves)))
    assert asked == [2, 4, 4, 1]
    assert word(position, "hands") == "D7/G7/P7/M7"
    assert word(position, "discard") == "C!DGM2"


@booklet("ruling", "freebooter", "the pirate moves first, and the freebooter itself counts no more")
def test_the_freebooter_itself_has_left_the_hand() -> None:
    position = lay("nest-nl", "s,s/s,s", "C!D7/-").play("s:C!")
    assert word(position, "turn") == "1.1"
    assert word(position, "pirates") == "s,1/s,s"


@booklet("ruling", "freebooter", "each chooses what to drop, face up")
def test_each_seat_chooses_what_it_drops() -> None:
    position = lay("nest-nl", "s,s/s,s", "C!/C2D2G4T!").play("s:C!")
    assert moves(position) == {"drop:C", "drop:D", "drop:G", "drop:T!"}
    assert position.turn == 2
    assert word(position.play("drop:D"), "hands") == "-/C2DG4T!"
    for move in ("end", "s:C", "sail"):
        with pytest.raises(IllegalMove, match="red has too many cards and must drop one first") as caught:
            position.play(move)
        assert caught.value.reason == "drop-is-due"
    with pytest.raises(IllegalMove, match="red holds no card M") as caught:
        position.play("drop:M")
    assert caught.value.reason == "card-not-held"


@booklet("ruling", "freebooter", "a freebooter that is dropped does nothing")
def test_a_dropped_freebooter_does_nothing() -> None:
    position = lay("nest-nl", "s,s/s,s/s,s", "C!/D7T!/-").play("s:C!", "drop:T!")
    assert word(position, "turn") == "1.1"
    assert word(position, "discard") == "C!T!"


@booklet("ruling", "freebooter", "without one no seat drops a card")
def test_no_seat_drops_without_a_freebooter() -> None:
    position = lay("nest-nl", "s,s/s,s", "C9/-")
    with pytest.raises(IllegalMove, match="no seat has to drop a card now") as caught:
        position.play("drop:C")
    assert caught.value.reason == "no-drop-is-due"
    assert word(position.play("s:C"), "turn") == "1.1"


@booklet("ruling", "freebooter", "who must drop is asked of sizes, so it shows in every view")
def test_drops_are_called_in_a_view_too() -> None:
    position = lay("nest-nl", "s,s/s,s", "C!/D9")
    seen = position.view(1).play("s:C!")
    assert word(seen, "turn") == "1.1!2"
    with pytest.raises(IllegalMove, match="the hand of red is hidden in this view"):
        moves(seen)
    dropper = position.play("s:C!").view(2)
    assert moves(dropper) == {"drop:D"}
    assert word(dropper.play("drop:D", "drop:D"), "turn") == "1.1"


def test_positions_with_drops_and_crossings_read_back() -> None:
    for position in (
        lay("nest-nl", "s,s/s,s", "C!/D9").play("s:C!"),
        lay("nest-nl", "s,b/s,b", "C/-", turn="1.0cp1"),
    ):
        assert Position.parse(str(position)) == position
