"""Options tell the target and the cards of a move, refusals the reason of the rule."""

import random

import pytest
from tests.positions import A, B
from tests.support import lay

from cartagena import Game, Move, Position
from cartagena.game.options import destination, elsewhere, options, refusals
from cartagena.game.position import shows_card
from cartagena.kernel import options as kernel
from cartagena.kernel.track import places_of

DROPS = (
    "nest-nl STMDCPG/DCGMPST|GPDCMTS/TPMCGSD/PSGDCTM s,s,s,s,3,16/s,s,s,s,5,18 C!D2G2M2PS/CT - "
    "C13D12D!G12G!M12M!P13P!S13S!T13T! - 1 1.0"
)


def play_on(position: Position, moves: tuple[str, ...]) -> Position:
    """Play moves and deal any card that is due."""
    for move in moves:
        position = position.play(move)
        while position.is_chance:
            position = position.play(position.legal_moves[0])
    return position


@pytest.mark.parametrize(
    ("text", "before", "move", "to", "cards"),
    [
        (A, (), "s:D", "7", 0),
        (A, ("s:D",), "6:D", "15", 0),
        (A, ("s:D", "6:D"), "6:D", "24", 0),
        (A, (), "17:B", "b", 0),
        (A, (), "17<", "12", 1),
        (A, ("17<",), "18<", "17", 2),
        (A, ("17<", "18<"), "17<", "12", 2),
        (B, ("sail",), "b:C", "33", 0),
        (B, ("sail", "b:C"), "b:C", "n", 0),
        (B, (), "2@13", "14", 2),
        (B, ("2@13",), "3@3", "5", 2),
        (B, ("2@13", "3@3"), "4@s", "3", 2),
        (B, (), "sail", "", 0),
    ],
)
def test_options_match_the_worked_examples(text: str, before: tuple[str, ...], move: str, to: str, cards: int) -> None:
    position = play_on(Position.parse(text), before)
    parsed = Move.parse(move)
    [option] = [item for item in options(position) if item.move == parsed]
    assert (option.to, option.cards) == (to, cards)
    assert destination(position, parsed) == to


@pytest.mark.parametrize("rules", ["jamaica-en", "tortuga-en", "hispaniola-en", "nest-nl"])
def test_a_move_ends_and_pays_as_its_option_says(rules: str) -> None:
    chance = random.Random(3)
    game = Game.new(rules, seats=3, seed=5)
    for _ in range(300):
        if game.is_over:
            break
        position, seat = game.position, game.turn
        option = chance.choice(options(position))
        own = option.move.seat or position.active
        before = position.hand_size(seat)
        places = position.places(own)
        game.play(option.move)
        spent = option.move.kind in ("advance", "drop")
        assert game.position.hand_size(seat) == before - spent + option.cards
        if option.to:
            places.remove(option.move.place)
            assert sorted([*places, option.to]) == sorted(game.position.places(own))


@pytest.mark.parametrize("rules", ["jamaica-en", "tortuga-en", "nest-nl"])
def test_a_view_offers_what_the_position_offers(rules: str) -> None:
    chance = random.Random(4)
    game = Game.new(rules, seats=2, seed=9)
    for _ in range(60):
        if game.is_over:
            break
        view = game.view(game.turn)
        assert options(view) == options(game.position)
        told = [(str(item.move), item.error.reason) for item in refusals(view)]
        assert told == [(str(item.move), item.error.reason) for item in refusals(game.position)]
        assert not {move for move, _ in told} & {str(item.move) for item in options(view)}
        game.play(chance.choice(list(game.legal_moves)))


def test_no_refusals_while_nothing_can_be_chosen() -> None:
    assert refusals(Position.parse(A)) != []
    waiting = Position.parse("jamaica-en BPHSDK s,5/s,3 B2/DK - B15D16H17K16P17S17 - - 1.0").play("5<")
    assert waiting.is_chance
    assert refusals(waiting) == []


def test_every_place_has_an_option_a_refusal_or_one_reason() -> None:
    """A board that answers each click needs no rule: nothing is left out and nothing is told twice."""
    for text, fields, ends in ((A, 36, {"s", "b"}), (B, 35, {"s", "b", "n"})):
        position = Position.parse(text)
        told = [place for places in elsewhere(position).values() for place in places]
        started = {item.move.place for item in options(position)} | {item.move.place for item in refusals(position)}
        assert set(elsewhere(position)) == {"no-pirate-there"}
        assert sorted([*(started - {""}), *told]) == sorted({str(number) for number in range(1, fields + 1)} | ends)
    drops = Position.parse(DROPS).play("16:C!")
    assert [*elsewhere(drops)] == ["drop-is-due"]
    assert refusals(drops) == []


def test_an_option_names_the_taken_fields_that_it_leaps_over() -> None:
    position = Position.parse(A)
    leaps = {str(item.move): (item.passed, item.to) for item in options(position)}
    assert leaps["s:D"] == (("5",), "7")
    assert leaps["17:B"][1] == "b"
    assert set(leaps["17:B"][0]) == {"18", "22", "26", "34"}
    assert leaps["18<"][0] == ()


def test_a_deal_is_shown_to_the_drawing_seat_and_a_row_to_all() -> None:
    waiting = Position.parse("jamaica-en BPHSDK s,5/s,3 B2/DK - B15D16H17K16P17S17 - - 1.0").play("5<")
    dealt = waiting.play("+H")
    assert [shows_card(waiting, dealt, seat) for seat in (0, 1, 2)] == [False, True, False]


def test_only_retreats_and_pushes_bring_cards() -> None:
    position = Position.parse(A)
    for move, cards in (("s:D", 0), ("17<", 1)):
        assert kernel.brought(position.state(), position.action(move), position.play(move).state()) == cards


def test_in_the_nest_a_mover_without_cards_starts_nowhere_with_an_own_pirate() -> None:
    position = lay("nest-nl", "s,3/5,8", "-/C")
    assert kernel.starts(position.table, position.state()) == places_of(position.state(), 1)


def test_no_place_has_a_reason_of_its_own_while_a_card_is_due() -> None:
    waiting = lay("jamaica-en", "s,8/6,6", "B/-", turn="1.1+2")
    assert waiting.is_chance
    assert kernel.elsewhere(waiting.table, waiting.state(), [0] * 64) == 0


@pytest.mark.parametrize(
    ("text", "move", "dealt", "wall"),
    [
        (A, "s:D", 0, kernel.MAY_UNDO),
        (A, "17<", 1, kernel.CARDS_DEALT),
        ("jamaica-en BDHKPS 6,b,b/s,s,s B/D - B16D16H17K17P17S17 - - 1.0", "6:B", 0, kernel.CARDS_DEALT),
    ],
)
def test_a_move_is_taken_back_unless_it_showed_something(text: str, move: str, dealt: int, wall: int) -> None:
    before = Position.parse(text)
    after = before.play(move)
    assert kernel.undo_wall(before.state(), after.state(), before.action(move), dealt) == wall


def test_the_end_of_a_turn_and_a_rivals_discard_cannot_be_taken_back() -> None:
    ended = play_on(Position.parse(A), ("s:D", "6:D", "6:D"))
    assert kernel.undo_wall(ended.state(), ended.play("end").state(), ended.action("end"), 0) == kernel.NEW_TURN
    drops = lay("nest-nl", "s,s/s,s", "C6G!/D9", turn="1.1!2")
    assert (
        kernel.undo_wall(drops.state(), drops.play("drop:D").state(), drops.action("drop:D"), 0) == kernel.OTHERS_CHOSE
    )
