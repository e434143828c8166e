"""Deadlines in days: what a turn, a discard and a holiday have, and what follows when the days run out.

All clocks are set by the tests; none is waited for.
"""

import json
import random
from datetime import UTC, datetime
from typing import Any

import pytest

from cartagena.game import Position
from cartagena.server.live import seating
from cartagena.server.protocol.errors import Refused
from cartagena.server.protocol.requests import SeatComputer, TableSetup, TakeHoliday
from cartagena.server.storage.rows import Key
from cartagena.server.tables import by_post, decide
from cartagena.server.tables.clocks import DAY, HOUR, Deadline, Moment
from cartagena.server.tables.decide import Change
from cartagena.server.tables.events import Dealt, Joined, Left, Resigned
from cartagena.server.tables.state import Table
from cartagena.server.tables.tokens import Requester
from cartagena.server.tables.updates import UpdateBuilder

START = 1_800_000_000_000
ANN, BEN = Requester(1, (1,), (1,)), Requester(2, (2,), (2,))


def dealt(rules: str = "tortuga-en", seats: int = 2, **clock: Any) -> Table:
    """A game by post that begins at ``START``; seat 1 must choose."""
    people = [{"kind": "here"}, *[{"kind": "link"}] * (seats - 1)]
    post = {"kind": "post", "days": 2, **clock}
    setup = TableSetup.model_validate({"rules": rules, "seats": people, "clock": post, "lots": False})
    table = Table("t", START, setup, "00", [])
    change = Change()
    for chair in range(2, seats + 1):
        change.add(table, Moment(START, 0), Joined(chair, "", ""))
    table.replay(decide.deal_if_full(table, change, Moment(START, 0)).events)
    return table


def play_move(move: str, table: Table, now: Moment) -> Change:
    return decide.play_for(table, decide.wanted_move(table, move), now)


def play(table: Table, move: str, at: int) -> None:
    table.replay(play_move(move, table, Moment(at, 0)).events)


def other_than_end(table: Table) -> str:
    assert table.position is not None
    return next(move for move in table.position.legal_words() if move != "end")


def due_of(table: Table) -> int:
    assert table.deadline is not None
    assert table.deadline.due is not None
    return table.deadline.due


def options_of(table: Table) -> object:
    """What Ann is offered."""
    return json.loads(UpdateBuilder(table).update(ANN, 1, 0, 0))["options"]


def test_a_turn_has_its_days_however_many_moves_it_takes() -> None:
    table = dealt()
    assert due_of(table) == START + 2 * DAY
    play(table, other_than_end(table), START + DAY)
    assert due_of(table) == START + 2 * DAY
    play(table, "end", START + DAY + HOUR)
    assert (table.chooser, due_of(table)) == (2, START + 3 * DAY + HOUR)
    assert not table.clocks.runs
    assert table.thinking(10**9) == 0


def test_daylight_saving_neither_gives_nor_takes_an_hour() -> None:
    before = int(datetime(2026, 10, 24, 12, tzinfo=UTC).timestamp() * 1000)
    deadline = Deadline(2)
    deadline.follow(1, 1, before)
    assert deadline.due is not None
    assert datetime.fromtimestamp(deadline.due / 1000, UTC) == datetime(2026, 10, 26, 12, tzinfo=UTC)


def test_a_rival_who_must_drop_a_card_has_days_of_its_own() -> None:
    deadline = Deadline(2)
    deadline.follow(1, 5, START)
    deadline.follow(2, 5, START + DAY)
    assert deadline.due == START + 3 * DAY
    deadline.follow(1, 5, START + 2 * DAY)
    assert deadline.due == START + 3 * DAY, "the turn goes on with the day that it had left"
    deadline.follow(2, 5, START + 3 * DAY - HOUR)
    deadline.follow(1, 5, START + 3 * DAY)
    assert deadline.due == START + 3 * DAY + 12 * HOUR, "but never with less than twelve hours"


def test_a_discard_in_a_game_has_its_days_and_the_turn_goes_on_with_its_rest() -> None:
    table, chance, at = dealt("nest-nl"), random.Random(2), START
    assert table.deadline is not None
    while not table.deadline.left:
        at += HOUR
        mover, until = table.chooser, due_of(table)
        play(table, chance.choice(decide.must_play(table).legal_words()), at)
    assert (mover, table.chooser, due_of(table)) == (1, 2, at + 2 * DAY), "Ben must drop a card within Ann's turn"
    dropped = at + DAY
    play(table, decide.must_play(table).legal_words()[0], dropped)
    assert (table.chooser, due_of(table)) == (1, dropped + until - at)


def test_holidays_put_the_deadline_off_and_there_are_ten_days_of_them() -> None:
    table = dealt()
    table.replay(by_post.take_holiday(table, ANN, TakeHoliday(days=3), Moment(START + DAY, 0)).events)
    assert due_of(table) == START + 5 * DAY
    table.replay(by_post.take_holiday(table, BEN, TakeHoliday(days=6), Moment(START + DAY, 0)).events)
    play(table, other_than_end(table), START + 2 * DAY)
    play(table, "end", START + 2 * DAY)
    assert due_of(table) == START + 9 * DAY, "the days of a turn begin after the holiday"
    with pytest.raises(Refused, match="You have 4 days of holiday left"):
        by_post.take_holiday(table, BEN, TakeHoliday(days=5), Moment(START + 3 * DAY, 0))
    seen = table.events[-3].seen_by(table, 1)
    assert seen is not None
    assert (seen["type"], seen["seat"], seen["until"]) == ("holiday", 2, START + 7 * DAY), "the others are told"


def late(table: Table, level: str | None, *, earliest: int = 0) -> list[Any]:
    change = by_post.run_out(table, Moment(due_of(table), 0), earliest, level)
    table.replay(change.events)
    return change.events


def test_the_computer_takes_over_or_the_seat_gives_up() -> None:
    table = dealt()
    assert not by_post.run_out(table, Moment(due_of(table) - 1, 0), 0, "8").events
    assert not late(table, "8", earliest=due_of(table) + 1)
    assert options_of(table)
    assert [event.kind for event in late(table, "8")] == ["away"]
    assert options_of(table) is None, "the person is not asked to choose"
    assert table.deadline is not None
    assert (table.chooser_is_computer, table.deadline.due, table.may_return(1)) == (True, None, True)
    table = dealt(late="resign")
    [resigned] = late(table, "8")
    assert resigned.seen_by(table, 2) == {"seq": 3, "at": START + 2 * DAY, "type": "resigned", "seat": 1, "why": "time"}
    assert table.outcome == (2, "resigned")
    table = dealt(seats=3, late="resign")
    assert [(event.kind, event.level) for event in late(table, None)] == [("resign", "deckhand")]
    assert table.stage == "playing", "two people play on although the server offers no computers"


def test_a_person_is_told_of_an_end_that_was_not_brought_about_by_hand() -> None:
    table = dealt(late="resign")
    change = by_post.run_out(table, Moment(due_of(table), 0), 0, None)
    assert told(table, change) == [("over", (1, 2))], "Ann was away when her days ran out"
    by_hand = decide.resign(table, ANN, None, Moment(START, 0), None)
    assert told(table, by_hand) == [("over", (2,))]
    table = dealt("jamaica-en")
    late(table, "8")
    rules, board, _, *rest = str(decide.must_play(table)).split(" ")
    table.position = Position.parse(" ".join([rules, board, "36,b,b,b,b,b/s,s,s,s,s,s", *rest]))
    home = next(move for move in table.position.legal_words() if move.startswith("36:"))
    by_computer = decide.play_by_computer(table, 1, "8", home, Moment(START, 0))
    assert told(table, by_computer) == [("over", (1, 2))], "the computer has won for Ann"
    assert told(table, play_move(home, table, Moment(START, 0))) == [("over", (2,))]


def test_looking_ahead_leaves_the_table_as_it_is() -> None:
    setup = TableSetup.model_validate(
        {"seats": [{"kind": "here"}, {"kind": "link"}], "clock": {"kind": "post", "days": 2}}
    )
    secret = next(f"{number:02}" for number in range(99) if Dealt.drawn(seated(setup, f"{number:02}")).order == [2, 1])
    table = seated(setup, secret)
    key = Key(1, "seat", "", (1,))
    assert table.holder(key).seats == (1,)
    before = shape(table)
    later = by_post.ahead(table, decide.deal_if_full(table, Change(), Moment(START, 0)).events)
    assert later.holder(key).seats == (2,), "lots were drawn"
    assert table.holder(key).seats == (1,)
    play(later, other_than_end(later), START)
    later.clocks.spend(1000)
    later.keys.append(key)
    assert shape(table) == before
    assert not {id(each) for each in containers(table)} & {id(each) for each in containers(later)}


def seated(setup: TableSetup, secret: str) -> Table:
    """A table at which all people sit and the cards are not dealt."""
    return Table("t", START, setup, secret, []).replay([Joined(2, "", "", number=1)])


def containers(table: Table) -> list[Any]:
    """Whatever of a table can change."""
    values = [value for part in (table, table.clocks, table.deadline) for value in vars(part).values()]
    return [*table.chairs, table.clocks, table.deadline, *(each for each in values if isinstance(each, (list, dict)))]


def shape(table: Table) -> str:
    return repr((vars(table), vars(table.clocks), vars(table.deadline)))


def test_no_message_tells_a_chair_of_its_turn_that_the_same_change_gives_to_a_computer() -> None:
    setup = TableSetup.model_validate({"seats": [{"kind": "link"}, {"kind": "here"}], "lots": False})
    table, now = Table("t", START, setup, "00", []), Moment(START, 0)
    dealt_to = seating.seat_computer(table, Requester(1, (2,), (2,), host=True), SeatComputer(seat=1, level="8"), now)
    assert [event.kind for event in dealt_to.events] == ["computer", "deal"]
    assert told(table, dealt_to) == []
    joined = decide.deal_if_full(table, Change().add(table, now, Joined(1, "", "")), now)
    assert told(table, joined) == [("turn", (1,))]
    table.replay(joined.events)
    play(table, other_than_end(table), START)
    passing = play_move("end", table, now)
    assert told(table, passing) == [("turn", (2,))]
    for event in (Left(2, "left", "8"), Resigned(2, "8")):
        both = Change().add(table, now, passing.events[0]).add(table, now, event)
        assert ("turn", (2,)) not in told(table, both), "the computer has the turn"


def told(table: Table, change: Change) -> list[tuple[str, tuple[int, ...]]]:
    return [(notice.kind, notice.chairs) for notice in decide.notices(table, change.events, 0)]


def test_the_only_decision_is_played_at_once_unless_a_move_can_be_taken_back() -> None:
    table = dealt("jamaica-en")
    for _ in range(3):
        assert by_post.forced_move(table) is None
        play(table, other_than_end(table), START)
    assert decide.must_play(table).legal_words() == ["end"]
    assert table.undo_block(1) is None
    assert by_post.forced_move(table) is None, "Ann may still take her move back"
    table.stack, table.wall = [], "cards-dealt"
    assert by_post.forced_move(table) == "end"
    table.replay(by_post.play_forced(table, Moment(START, 0)).events)
    assert table.chooser == 2
