"""The Pirate's Nest becalmed: no card is left to any seat, and no pirate could be pushed at either shore."""

import pytest
from tests.support import booklet, lay, moves, word

from cartagena import IllegalMove, Outcome, Position
from cartagena.kernel.moves import is_becalmed

FULL = "s,s,s,b,b,b"
"""Three of a crew at the start and three aboard: with no card and no field taken, none of them ever moves."""


def ended(pirates: str, hands: str = "-/-", *, sloop: str = "1", turn: str = "1.1", rules: str = "nest-nl") -> str:
    """The turn word after a turn ends in such a position."""
    return word(lay(rules, pirates, hands, sloop=sloop, turn=turn).play("end"), "turn")


@booklet("ruling", "becalmed", "no card and no push at either shore: the game is over without a winner")
@pytest.mark.parametrize("sloop", ["1", "2"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_turn_that_ends_with_nothing_but_sailing_left_ends_the_game(seats: int, sloop: str) -> None:
    position = lay("nest-nl", "/".join([FULL] * seats), "/".join("-" * seats), sloop=sloop, turn="1.1")
    over = position.play("end")
    assert word(over, "turn") == "=0"
    assert over.outcome() == Outcome(None)
    assert over == Position.parse(str(over)), "nothing of the turn is left behind"
    assert moves(over) == set()
    with pytest.raises(IllegalMove, match="the game is over"):
        over.play("sail")


@booklet("ruling", "becalmed", "it is looked for only when a turn ends, so a crossing is still played to its end")
def test_a_becalmed_position_in_the_middle_of_a_turn_goes_on_to_its_end() -> None:
    position = lay("nest-nl", f"{FULL}/{FULL}", "-/-", turn="2.0c")
    assert moves(position) == {"sail", "end"}
    sailed = position.play("sail")
    assert (word(sailed, "sloop"), word(sailed, "turn")) == ("2", "2.0")
    assert word(sailed.play("sail", "end"), "turn") == "=0"


@booklet("ruling", "becalmed", "also where nobody could sail: the passes are not played out")
def test_the_passes_of_a_game_in_which_nobody_can_sail_are_not_played_out() -> None:
    position = lay("nest-nl", "20,n/20,n/20,n", "-/-/-", turn="1.0")
    assert moves(position) == {"end"}
    assert word(position.play("end"), "turn") == "=0"


@booklet("ruling", "becalmed", "a card in any hand lets the game go on")
@pytest.mark.parametrize("hands", ["C/-", "-/C", "-/C!"])
def test_a_game_with_a_card_in_a_hand_is_not_becalmed(hands: str) -> None:
    assert ended(f"{FULL}/{FULL}", hands) == "2.0c"


@booklet("ruling", "becalmed", "a push that only the other shore allows lets the game go on")
@pytest.mark.parametrize(
    ("pirates", "sloop"),
    [
        ("s,b,b/s,b,b", "2"),  # a berth is free: the sloop at the first island takes them
        ("b,n/20,n", "1"),  # at the second island the one aboard is pushed to field 20
    ],
)
def test_a_push_at_the_other_shore_counts(pirates: str, sloop: str) -> None:
    position = lay("nest-nl", pirates, "-/-", sloop=sloop, turn="1.1")
    assert not any("@" in move for move in moves(position))
    assert word(position.play("end"), "turn").startswith("2.0")


@booklet("ruling", "becalmed", "a push that is possible now lets the game go on")
@pytest.mark.parametrize("pirates", [f"{FULL}/s,s,5,b,b,b", "20,25,n/20,n,n", "s,n/s,n"])
def test_a_push_at_this_shore_counts(pirates: str) -> None:
    assert ended(pirates).startswith("2.0")


@booklet("ruling", "becalmed", "hands are counted by their size, so every view of a becalmed game is becalmed")
def test_hidden_hands_count_by_their_size() -> None:
    empty = lay("nest-nl", f"{FULL}/{FULL}", "-/-", turn="1.1")
    held = lay("nest-nl", f"{FULL}/{FULL}", "-/C", turn="1.1")
    assert [word(empty.view(seat).play("end"), "turn") for seat in (0, 1, 2)] == ["=0"] * 3
    assert word(held.view(1).play("end"), "turn") == "2.0c"


@booklet("ruling", "becalmed", "the tunnel games know no calm: there the passes are played out")
def test_the_tunnel_games_are_never_becalmed() -> None:
    position = lay("jamaica-en", "s,s/s,s", "-/-")
    assert is_becalmed(position.table, position.state()) == 0
    assert word(position.play("end"), "turn") == "2.0p1"
