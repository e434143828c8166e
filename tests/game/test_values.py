"""Moves, positions, records and outcomes are values: only meaningful ones exist, and ``repr`` can be typed in."""

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from tests.game.played import EXAMPLES, positions

from cartagena import (
    CartagenaError,
    Entry,
    Game,
    IllegalMove,
    Limit,
    Move,
    NotationError,
    Outcome,
    Position,
    Record,
    analyse,
    create_player,
    perft,
    play_match,
    rollouts,
    rule_set,
)

OPENING = "jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0"
WORDS = ("s:S", "17:B", "b:C!", "18<", "3@14", "sail", "drop:D", "drop:D!", "end", "+D", "+D!", "+?")


def typed_in(value: object) -> Any:
    """The value of what ``repr`` prints, typed in."""
    import cartagena

    return eval(repr(value), vars(cartagena))


@pytest.mark.parametrize("word", WORDS)
def test_a_move_is_what_its_text_says(word: str) -> None:
    move = Move(word)
    assert str(move) == word
    assert move == Move.parse(word) == typed_in(move) == pickle.loads(pickle.dumps(move)) == copy.deepcopy(move)
    assert hash(move) == hash(typed_in(move))


def test_a_move_from_the_output_of_play_plays_itself_and_not_the_end_of_the_turn() -> None:
    game = Game.new("tortuga-en", seats=3, seed=7)
    game.play("s:D")
    assert game.play(Move("s:S")) == [Move("s:S")]
    assert game.position.used == 2


@pytest.mark.parametrize("text", ["", "advance", "deal", "s:", "0:B", "100:B", "s:b", "0@3", "+", "s:S\n", 3, None])
def test_text_that_is_not_a_move_makes_no_move(text: Any) -> None:
    with pytest.raises(NotationError, match="is not a move"):
        Move(text)


def test_a_move_has_no_parts_that_can_be_given_or_changed_singly() -> None:
    with pytest.raises(TypeError):
        Move("advance", "s", "B")  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        Move("s:B").card = "D"  # type: ignore[misc]


@pytest.mark.parametrize("position", positions(), ids=lambda p: str(p)[:12])
def test_a_position_can_be_typed_in(position: Position) -> None:
    for again in (typed_in(position), pickle.loads(pickle.dumps(position)), copy.deepcopy(position)):
        assert again == position
        assert hash(again) == hash(position)
        assert str(again) == str(position)


def test_a_position_cannot_be_changed() -> None:
    position = Position(OPENING)
    with pytest.raises(AttributeError):
        position.board = "KDSHPB"
    with pytest.raises(AttributeError):
        del position.words


@pytest.mark.parametrize("text", ["", "nonsense", 3, None])
def test_text_that_is_not_a_position_makes_no_position(text: Any) -> None:
    with pytest.raises(NotationError):
        Position(text)


@pytest.mark.parametrize("text", EXAMPLES)
@pytest.mark.parametrize("seat", [-1, 0, 6, True, 1.0, "1", None])
def test_a_seat_that_is_not_at_the_table_is_refused_everywhere(text: str, seat: Any) -> None:
    position = Position(text)
    for ask in (position.places, position.hand, position.hand_size):
        with pytest.raises(IllegalMove, match=r"there is no seat .* at this table") as caught:
            ask(seat)
        assert caught.value.reason == "no-such-seat"


@pytest.mark.parametrize("seat", [-1, 6, True, 1.0, "1"])
def test_a_view_is_for_a_seat_or_a_spectator(seat: Any) -> None:
    position = Position(OPENING)
    for ask in (position.view, lambda seat: position.seen(Move("s:B"), seat)):
        with pytest.raises(IllegalMove, match=r"there is no seat .* at this table"):
            ask(seat)


def test_a_deal_given_as_text_is_seen_as_one_given_as_a_move() -> None:
    position = Position("jamaica-en BDHKPS s,3/2,2 BD/H2 - B16D16H15K17P17S17 - - 1.0").play("3<")
    for seat in (0, 1, 2):
        assert position.seen("+K", seat) == position.seen(Move("+K"), seat) == Move("+K" if seat == 1 else "+?")


@pytest.mark.parametrize("action", [-1, -(10**20), 10**6, 10**20, True, 1.0, "1", None])
def test_a_number_that_is_not_an_action_is_refused(action: Any) -> None:
    for text in EXAMPLES:
        with pytest.raises(IllegalMove, match="has no action") as caught:
            Position(text).move(action)
        assert caught.value.reason == "not-in-this-game"


@pytest.mark.parametrize("text", EXAMPLES)
def test_every_action_that_the_board_has_is_a_move_and_no_other(text: str) -> None:
    from cartagena.kernel import layout as at

    position = Position(text)
    for action in range(at.ACTIONS):
        try:
            move = position.move(action)
        except IllegalMove:
            continue
        assert position.action(move) == position.action(str(move)) == action


def test_a_record_can_be_typed_in() -> None:
    game = Game.new("nest-nl", seats=3, seed=7)
    for _ in range(20):
        game.play(game.legal_moves[0])
    record = game.record()
    assert typed_in(record) == record == Record.parse(str(record)) == pickle.loads(pickle.dumps(record))
    noted = Record(OPENING, [Entry("s:B", 'so "far" {good}\n', (0.5, -1.0)), "end"], {"Event": "it's"})
    assert typed_in(noted) == noted == Record.parse(json.dumps(noted.to_json()))


def test_a_record_of_moves_that_do_not_fit_cannot_exist() -> None:
    with pytest.raises(IllegalMove, match="move 2, s:K"):
        Record(OPENING, ["s:B", "s:K"])
    with pytest.raises(NotationError, match="a tag's name"):
        Record(OPENING, [], {"two words": "x"})
    with pytest.raises(NotationError, match="tags must be"):
        Record(OPENING, [], {"Round": 3})  # type: ignore[dict-item]


def test_a_record_computes_its_result_and_rules_tags() -> None:
    record = Record(OPENING, ["s:B"], {"Result": "2", "Rules": "nest-nl"})
    assert (record.tags["Result"], record.tags["Rules"]) == ("*", "jamaica-en")
    assert record.final == Position(OPENING).play("s:B")


@pytest.mark.parametrize(
    "entry",
    [("fly",), ("s:B", 3), ("s:B", "", ("high",)), ("s:B", "", (float("inf"),)), ("s:B", "", (True,)), ("s:B", "", 1)],
)
def test_an_entry_that_no_record_can_hold_cannot_exist(entry: Any) -> None:
    with pytest.raises(NotationError):
        Entry(*entry)


@pytest.mark.parametrize("outcome", [Outcome(1), Outcome(5), Outcome(None)])
def test_an_outcome_can_be_typed_in(outcome: Outcome) -> None:
    assert typed_in(outcome) == outcome


@pytest.mark.parametrize("winner", [0, 6, -1, True, "1"])
def test_an_outcome_has_a_winner_that_can_sit_at_a_table(winner: Any) -> None:
    with pytest.raises(IllegalMove, match="there is no seat"):
        Outcome(winner)


class Unreadable:
    """An object that cannot be shown."""

    def __repr__(self) -> str:
        raise RuntimeError

    __str__ = __repr__


JUNK: tuple[Any, ...] = (
    None,
    1.5,
    True,
    7,
    10**30,
    10**5000,
    -(10**5000),
    b"x",
    bytearray(b"x"),
    "",
    "\0",
    "\ud800",
    "x" * 100_000,
    [0],
    {1: 2},
    object,
    int,
    Unreadable(),
)
POSITION = Position(OPENING)
CALLS: dict[str, Callable[[Any], object]] = {
    "rule_set": rule_set,
    "rules of a file": lambda value: rule_set(f"{value[:99] if isinstance(value, str) else value is None}.toml"),
    "Game.new": Game.new,
    "board": lambda value: Game.new("jamaica-en", board=value),
    "style": lambda value: Game.new("jamaica-en", style=value),
    "Game": Game,
    "Game.play": lambda value: Game(OPENING).play(value),
    "Game.from_record": Game.from_record,
    "Position": Position,
    "Position.play": POSITION.play,
    "Position.action": POSITION.action,
    "Position.why_not": POSITION.why_not,
    "Position.after": POSITION.after,
    "Position.move": POSITION.move,
    "Position.view": POSITION.view,
    "Position.deals": POSITION.deals,
    "Position.seen": lambda value: POSITION.seen(value, 1),
    "legal_moves": POSITION.legal_moves.index,
    "seed of a game": lambda value: Game.new("jamaica-en", seed=value),
    "Entry": Entry,
    "Record": Record,
    "moves": lambda value: Record(OPENING, value),
    "Record.parse": Record.parse,
    "Record.from_json": Record.from_json,
    "perft": lambda value: perft(value, 1),
    "limit": lambda value: perft(OPENING, 2, value),
    "create_player": create_player,
    "Limit": lambda value: Limit(nodes=value),
    "view": lambda value: create_player("sailor").decide(value),
    "seed": lambda value: create_player("sailor", value),
    "play_match": play_match,
    "rollouts": lambda value: rollouts(value, games=1, backend="plain"),
    "games": lambda value: rollouts("jamaica-en", games=value, backend="plain"),
    "backend": lambda value: rollouts("jamaica-en", games=1, backend=value),
    "policy": lambda value: rollouts("jamaica-en", games=1, policy=value, backend="plain"),
    "player": lambda value: analyse(POSITION, Limit(nodes=1), player=value),
}
FITTING = {
    ("board", None),
    ("style", None),
    ("limit", None),
    ("moves", ""),
    ("Limit", None),
    ("player", None),
    ("Position.after", ""),
    ("Position.deals", 7),
    ("Position.move", 7),
    ("games", 7),
    *(("seed of a game", seed) for seed in (None, 7, 10**30, "", "\0", "x" * 100_000)),
}
NUMBERS = ("limit", "Limit", "seed")


@pytest.mark.parametrize("call", CALLS)
def test_what_is_no_argument_is_refused_in_one_short_sentence(call: str) -> None:
    for value in JUNK:
        if (call in NUMBERS and type(value) is int) or any((call, value) == fit for fit in FITTING):
            continue
        with pytest.raises(CartagenaError) as caught:
            CALLS[call](value)
        assert 10 < len(str(caught.value)) < 400, (call, value)


def test_a_seed_is_kept_by_the_record_whatever_it_is() -> None:
    for seed in (0, -3, 10**900, "", "x", 'say "rum"', "\\", "\u00e9\U0001f3f4"):
        record = Game.new("jamaica-en", seed=seed).record()
        assert Record.parse(str(record)) == record
        assert Record.from_json(json.loads(json.dumps(record.to_json()))) == record
        assert Game.from_record(record).record() == record


def test_a_record_is_a_value_that_can_be_a_key() -> None:
    game = Game.new("jamaica-en", seed=7)
    game.play(game.legal_moves[0])
    record = game.record()
    for again in (
        Record.parse(str(record)),
        pickle.loads(pickle.dumps(record)),
        copy.deepcopy(record),
        typed_in(record),
    ):
        assert again == record
        assert {record: "kept"}[again] == "kept"
        assert again.tags == dict(record.tags)
    for change in ("tags['Seed'] = '8'", "tags |= {}", "tags.clear()", "del tags['Seed']", "tags.update(a='b')"):
        with pytest.raises(TypeError, match="the tags of a record cannot be changed"):
            exec(change, {"tags": record.tags})
    assert record == game.record()


def test_a_copy_of_a_game_goes_its_own_way() -> None:
    game = Game.new("jamaica-en", seed=7)
    for other in (copy.copy(game), copy.deepcopy(game), game.copy()):
        assert other == game
        other.play(other.legal_moves[0])
        other.tags["Event"] = "Tea"
        assert (game.moves, "Event" in game.tags) == ((), False)
        assert other.undo() == [Game.new("jamaica-en", seed=7).legal_moves[0]]
