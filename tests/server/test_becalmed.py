"""Tables whose game went on after a becalmed position, before that ruling, and tables that end there now."""

import random
from dataclasses import replace
from typing import Any

import pytest

from cartagena import Move
from cartagena.server.bots.jobs import Job, JobError
from cartagena.server.live.loading import check_table
from cartagena.server.protocol.errors import Refused
from cartagena.server.protocol.requests import PlayMove, TableSetup
from cartagena.server.storage.rows import TableRow
from cartagena.server.tables import decide
from cartagena.server.tables.clocks import Moment
from cartagena.server.tables.events import Dealt, Left, Moved, Paused, Resigned, Returned, Talked
from cartagena.server.tables.state import Event, Table
from cartagena.server.tables.tokens import Requester
from tests.support import lay

FULL = "s,s,s,b,b,b"
OPENING = str(lay("nest-nl", f"{FULL}/{FULL}", "-/-", turn="1.0c"))
SETUP: dict[str, Any] = {
    "rules": "nest-nl",
    "seats": [{"kind": "here"}, {"kind": "here"}],
    "clock": {"kind": "bank", "seconds": 60, "increment": 5},
    "lots": False,
}


def moved(seat: int, move: str, ms: int = 0) -> Moved:
    return Moved(seat, Move(move), [], ms=ms)


def table_of(*events: Event) -> Table:
    table = Table("t", 0, TableSetup.model_validate(SETUP), "00", [])
    for number, event in enumerate(events, 2):
        event.number = number
    return table.replay([Dealt(OPENING, [1, 2], number=1), *events])


def shape(table: Table) -> tuple[Any, ...]:
    """What a replay must give again."""
    assert table.position is not None
    return str(table.position).split()[-1], table.outcome, table.turn, table.clocks.chooser, table.clocks.banks


def test_a_turn_that_leaves_only_sailing_ends_the_table() -> None:
    table = table_of(moved(1, "end"))
    assert (table.stage, table.outcome, table.chooser) == ("over", (None, "becalmed"), 0)
    assert not table.clocks.runs


@pytest.mark.parametrize("move", ["sail", "end"])
def test_a_new_move_there_is_refused(move: str) -> None:
    table = table_of(moved(1, "end"))
    want = PlayMove(id="m1", version=table.version, move=move)
    with pytest.raises(Refused, match="The game is over"):
        decide.play(table, Requester(1, (2,), (2,), False), want, Moment(0, 0))


def test_an_older_table_that_went_on_replays_as_before() -> None:
    first = [moved(1, "end", 3000), moved(2, "sail", 2000)]
    assert shape(table_of(*first)) == ("2.0", None, 2, 2, [63_000, 60_000])
    second = [*first, moved(2, "sail", 2000)]
    assert shape(table_of(*second)) == ("2.1", None, 2, 2, [63_000, 60_000])
    assert table_of(*second).clocks.stint == 4000
    third = [*second, moved(2, "end")]
    assert shape(table_of(*third)) == ("=0", (None, "becalmed"), 3, 0, [63_000, 62_000])
    assert table_of(*third).undo_block(2) == "game-is-over"
    assert list(table_of(*third).played) == [2, 3, 4, 5]


def test_what_only_a_running_game_has_continues_it() -> None:
    ended = moved(1, "end")
    assert table_of(ended, Paused(2500)).clocks.left(2, 0) == 58_500
    assert table_of(ended, Left(2, "left", "sailor")).chooser_is_computer
    assert table_of(ended, Left(2, "left", "sailor"), Returned(2)).chooser == 2
    assert table_of(ended, Resigned(2, None)).outcome == (1, "resigned")


def test_talk_after_the_end_leaves_the_game_over() -> None:
    assert table_of(moved(1, "end"), Talked(2, "Becalmed!")).outcome == (None, "becalmed")


def test_a_deadlock_of_an_older_table_keeps_its_name() -> None:
    table = Table("t", 0, TableSetup.model_validate(SETUP), "00", [])
    stuck = str(lay("nest-nl", "20,n/20,n", "-/-", sloop="2"))
    table.replay([Dealt(stuck, [1, 2], number=1), moved(1, "end"), moved(2, "end")])
    assert table.outcome == (None, "deadlock")


def test_a_worker_with_other_rulings_refuses_jobs_of_the_nest_alone() -> None:
    nest, tunnel = lay("nest-nl", "s,s/s,s", "C/D"), lay("jamaica-en", "s,s/s,s", "B/D")
    for position in (nest, tunnel):
        assert Job.of("captain", position, 1.0, None, 60.0, "me").position() == position.view(1)
    older = replace(Job.of("captain", nest, 1.0, None, 60.0, "me"), rules=list(nest.table[:17]))
    with pytest.raises(JobError, match="The rules of nest-nl differ between the server and this worker"):
        older.position()
    told = Job.of("captain", tunnel, 1.0, None, 60.0, "me").rules
    assert told == list(tunnel.table[:17]), "as older workers know them, without the numbers of variants"


def played_until_becalmed() -> Table:
    """A table with a proved deal, played at random until nothing but sailing is left."""
    setup = {"rules": "nest-nl", "seats": SETUP["seats"], "lots": False, "deal": 1, "pirates": 4}
    table = Table("t", 0, TableSetup.model_validate(setup), "22", [])
    rng = random.Random("22")
    table.apply(numbered(table, Dealt.drawn(table)))
    while table.stage == "playing":
        assert table.position is not None
        table.apply(numbered(table, Moved.decided(table, Move(rng.choice(table.position.legal_words())), 0)))
    return table


def numbered(table: Table, event: Event) -> Event:
    event.number = table.seq + 1
    return event


def test_a_database_with_such_a_table_passes_its_check() -> None:
    table = played_until_becalmed()
    assert table.outcome == (None, "becalmed")
    for seat in (1, 2):
        table.apply(numbered(table, moved(seat, "end")))
    assert table.outcome == (None, "deadlock"), "the passes were played out"
    row = TableRow("t", 0, 0, "playing", False, False, table.setup.model_dump_json(), table.secret)
    assert check_table(row, [event.row() for event in table.events]) is None
