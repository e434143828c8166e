"""The turn of the tunnel games: order, number of actions, passing, the end of the game."""

import pytest
from tests.support import booklet, lay, moves, word

from cartagena import IllegalMove, Outcome, Position
from cartagena.kernel.legal import winner

ALL = ["jamaica-en", "jamaica-de", "jamaica-nl", "jamaica-sv", "tortuga-en", "hispaniola-en"]


@booklet("en de nl sv", "how to play", "turns go round clockwise")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_turns_go_round_clockwise_and_come_back_to_the_first_seat(seats: int) -> None:
    position = lay("jamaica-de", "/".join(["s"] * seats), "/".join(["B"] * seats))
    order = []
    for _ in range(seats + 1):
        order.append(position.turn)
        position = position.play("end")
    assert order == [*range(1, seats + 1), 1]


@booklet("en nl sv", "how to play", "at least one move must be made")
@pytest.mark.parametrize("rules", ["jamaica-en", "jamaica-nl", "jamaica-sv", "tortuga-en", "tortuga-nl", "tortuga-sv"])
def test_a_turn_cannot_end_before_an_action(rules: str) -> None:
    position = lay(rules, "s/s", "B/D")
    assert moves(position) == {"s:B"}
    with pytest.raises(IllegalMove, match="at least one action must be taken") as caught:
        position.play("end")
    assert caught.value.reason == "must-act"
    assert "end" in moves(lay(rules, "s,1/s,s", "BD/D").play("s:B"))


@booklet("de", "the game", "a player may pass")
@pytest.mark.parametrize("rules", ["jamaica-de", "tortuga-de", "hispaniola-de", "jamaica-en+pass", "nest-nl+pass"])
def test_a_turn_may_be_passed_where_the_edition_or_the_option_says_so(rules: str) -> None:
    position = lay(rules, "s/s", "D/D")
    assert "end" in moves(position)
    assert position.play("end").turn == 2


@booklet("ruling", "options", "-pass takes the right to pass away")
def test_the_option_takes_passing_from_the_german_edition() -> None:
    assert "end" not in moves(lay("jamaica-de-pass", "s/s", "B/D"))


@booklet("en de nl sv", "how to play", "one to three moves a turn")
@booklet("nest", "the turn", "one action is owed and three are allowed")
@pytest.mark.parametrize("rules", [*ALL, "nest-nl"])
def test_a_turn_may_end_after_one_two_or_three_actions_and_has_no_fourth(rules: str) -> None:
    position = lay(rules, "s,s,s,s/s,s,s,s", "D4/D")
    for used in (1, 2, 3):
        position = position.play("s:D")
        assert position.used == used
        assert "end" in moves(position)
    assert moves(position) == {"end"}
    with pytest.raises(IllegalMove, match="all 3 actions of this turn are taken") as caught:
        position.play("s:D")
    assert caught.value.reason == "no-actions-left"


@booklet("ruling", "options", "+actionsN sets the number of actions a turn")
@pytest.mark.parametrize("actions", [1, 2, 4, 5])
def test_the_number_of_actions_is_an_option(actions: int) -> None:
    position = lay(f"jamaica-en+actions{actions}", "s,s,s,s,s,s/s,s,s,s,s,s", "B6/D")
    for _ in range(actions):
        assert "s:B" in moves(position)
        position = position.play("s:B")
    assert moves(position) == {"end"}


@booklet("en de nl sv", "how to play", "two kinds of moves in any order and combination")
def test_both_kinds_of_moves_mix_in_any_order() -> None:
    position = lay("jamaica-en", "s,s,3/5,5,6", "BD/D")
    assert word(position.play("s:B", "3<", "+K", "s:D"), "pirates") == "1,1,2/5,5,6"
    assert word(position.play("s:B", "s:D", "3<", "+K"), "pirates") == "1,2,2/5,5,6"


@booklet("de nl", "the game", "the same pirate may move three times, or up to three different ones")
@booklet("nest", "advance", "the same or different pirates in one turn")
@pytest.mark.parametrize(("rules", "end"), [("jamaica-de", "7"), ("nest-nl", "8")])
def test_one_pirate_moves_three_times_or_three_pirates_once(rules: str, end: str) -> None:
    first = "C" if rules == "nest-nl" else "B"
    position = lay(rules, "s,s,s/s,s,s", f"{first}2P/-")
    thrice = position.play(f"s:{first}", "1:P", f"5:{first}")
    assert word(thrice, "pirates") == f"s,s,{end}/s,s,s"
    assert word(position.play(f"s:{first}", "s:P", f"s:{first}"), "pirates") == f"1,5,{end}/s,s,s"


@booklet("en de nl sv", "end of game", "the first to bring all pirates aboard wins")
@booklet("de", "end of game", "the win is immediate")
@booklet("en de nl sv", "the game in brief", "all pirates aboard end the game")
@booklet("ruling", "the end", "unused actions lapse with the winning move")
@pytest.mark.parametrize("rules", ALL)
def test_the_last_pirate_aboard_wins_at_once(rules: str) -> None:
    position = lay(rules, "31,b,b/s,s,b", "B3/D2", turn="1.1p1")
    over = position.play("31:B")
    assert over.outcome() == Outcome(1)
    assert (winner(position.state()), winner(over.state())) == (-1, 0)
    assert word(over, "turn") == "=1"
    assert over == Position.parse(str(over)), "nothing of the turn is left behind"
    assert over.turn == 0
    assert moves(over) == set()
    with pytest.raises(IllegalMove, match="the game is over") as caught:
        over.play("end")
    assert caught.value.reason == "game-is-over"


@booklet("ruling", "the end", "no win before the last pirate is aboard")
def test_all_but_one_aboard_is_no_win() -> None:
    position = lay("jamaica-en", "s,31,b/s,s,b", "B3/D2").play("31:B")
    assert position.outcome() is None
    assert word(position, "turn") == "1.1"


@booklet("ruling", "forced pass", "no card and no retreat: the turn is a forced pass")
def test_a_player_with_no_card_and_no_retreat_must_pass() -> None:
    position = lay("jamaica-en", "s,s/1,b", "-/B")
    assert moves(position) == {"end"}
    assert word(position.play("end"), "turn") == "2.0p1"


@booklet("ruling", "forced pass", "a card can always be played on a pirate not yet aboard")
@pytest.mark.parametrize("sign", list("BDHKPS"))
def test_every_card_can_be_played_while_a_pirate_is_not_aboard(sign: str) -> None:
    assert moves(lay("jamaica-en-return", "36,b/s,b", f"{sign}/-")) == {f"36:{sign}"}


@booklet("ruling", "deadlock", "every seat in a row had to pass: the game is over without a winner")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_forced_passes_all_round_end_the_game_without_a_winner(seats: int) -> None:
    position = lay("jamaica-en", "/".join(["s"] * seats), "/".join(["-"] * seats))
    for number in range(1, seats):
        position = position.play("end")
        assert word(position, "turn") == f"{number + 1}.0p{number}"
    over = position.play("end")
    assert word(over, "turn") == "=0"
    assert over == Position.parse(str(over)), "nothing of the turn is left behind"
    assert over.outcome() == Outcome(None)
    assert winner(over.state()) == -1
    assert moves(over) == set()


@booklet("ruling", "deadlock", "any other turn starts the count of forced passes anew")
def test_a_turn_with_an_action_ends_the_count_of_passes_only_with_its_end() -> None:
    position = lay("jamaica-en", "s,s/s,s/s,s", "-/B/-")
    position = position.play("end")
    assert word(position, "turn") == "2.0p1"
    position = position.play("s:B")
    assert word(position, "turn") == "2.1p1"
    assert word(position.play("end"), "turn") == "3.0"


@booklet("ruling", "deadlock", "a voluntary pass is no forced pass")
def test_a_voluntary_pass_starts_the_count_anew() -> None:
    position = lay("jamaica-de", "s/s", "B/-", turn="1.0p1")
    assert word(position.play("end"), "turn") == "2.0"


@booklet("ruling", "deadlock", "a turn that ran out of moves after an action is no pass")
def test_a_turn_that_took_an_action_is_no_pass_though_only_its_end_is_left() -> None:
    position = lay("jamaica-en", "s,s/s,s", "B/-", turn="1.0p1").play("s:B")
    assert moves(position) == {"end"}
    assert word(position.play("end"), "turn") == "2.0"


@booklet("ruling", "deadlock", "where passing is allowed, a pass with nothing else to do is still forced")
def test_a_pass_with_no_choice_is_forced_in_the_german_edition_too() -> None:
    assert word(lay("jamaica-de", "s/s", "-/-").play("end"), "turn") == "2.0p1"
