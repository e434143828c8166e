"""Games that went on after a becalmed position, before that ruling: they replay, but a new move there is refused."""

import pytest
from tests.support import lay, word

from cartagena import Game, IllegalMove, NotationError, Outcome, Position, Record
from cartagena.cli.verbs.replay import page, turns

FULL = "s,s,s,b,b,b"
OPENING = lay("nest-nl", f"{FULL}/{FULL}", "-/-", turn="1.0c")
OLD = ["end", "sail", "sail", "end", "end", "sail", "sail", "end"]
TURNS = ["1.0c", "2.0c", "2.0", "2.1", "1.0c", "2.0c", "2.0", "2.1"]
"""The turn word before each of those moves, as older versions had it."""


def test_a_record_that_continues_after_a_becalmed_position_replays_as_before() -> None:
    record = Record(OPENING, OLD)
    assert [word(position, "turn") for position in record.positions()] == [*TURNS, "=0"]
    assert record.tags["Result"] == "0"
    assert Record.parse(str(record)) == record
    assert [turn.seat for turn in turns(record)] == [1, 2, 1, 2]
    assert page(record, boards=True).endswith("no pirate can be moved any more: the game is a draw.")


@pytest.mark.parametrize("length", range(len(OLD) + 1))
def test_every_beginning_of_such_a_record_replays(length: int) -> None:
    record = Record(OPENING, OLD[:length])
    ended = length > 0 and OLD[length - 1] == "end"
    assert word(record.final, "turn") == ("=0" if ended else [*TURNS, ""][length])
    unfinished = str(record).replace('[Result "0"]', '[Result "*"]')
    assert Record.parse(unfinished) == record, "older versions wrote it as a game that went on"


def test_the_tag_of_another_result_is_refused() -> None:
    text = str(Record(OPENING, OLD)).replace('[Result "0"]', '[Result "1"]')
    with pytest.raises(NotationError, match="the tag Result says 1, the moves 0"):
        Record.parse(text)


def test_a_new_move_in_a_becalmed_game_is_refused() -> None:
    game = Game.from_record(Record(OPENING, OLD[:4]))
    assert game.is_over
    assert game.outcome() == Outcome(None)
    for move in ("sail", "end"):
        with pytest.raises(IllegalMove, match="the game is over"):
            game.play(move)


def test_a_game_that_is_taken_back_to_a_becalmed_position_is_over_there() -> None:
    game = Game.from_record(Record(OPENING, OLD))
    assert [len(list(game.history())), word(game.position, "turn")] == [8, "=0"]
    game.undo()
    assert word(game.position, "turn") == "2.1"
    game.undo()
    game.undo()
    assert word(game.position, "turn") == "=0", "the last move left is the end of a turn"
    assert Record(OPENING, game.moves).final == game.position


def test_a_record_cannot_go_on_after_any_other_end() -> None:
    passed = lay("nest-nl", "20,n/20,n", "-/-", sloop="2", turn="2.0p1")
    won = lay("nest-nl", "30,n/s,n", "C2/-")
    for opening, moves in ((passed, ["end", "end"]), (won, ["30:C", "end"])):
        with pytest.raises(IllegalMove, match="move 2, end: the game is over"):
            Record(opening, moves)


def test_a_becalmed_position_is_read_and_ends_with_the_turn() -> None:
    text = str(OPENING)
    assert str(Position(text)) == text
    assert Position(text).is_becalmed
    assert Position(text).legal_words() == ["sail", "end"]
    over = Position(text).play("end")
    assert "No winner: becalmed, only sailing is left." in over.text()
