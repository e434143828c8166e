"""Tables by post: what is decided when days run out, what is played at once, and what the table's row says."""

from collections.abc import Sequence
from typing import Final

from cartagena.players import LEVELS

from ..protocol.errors import Refused
from ..protocol.requests import PostClock, TakeHoliday
from ..storage.rows import Notice, Stage
from .clocks import DAY, WARNING, Moment
from .decide import Change, held_seats, is_notified, must_play, play_for, wanted_move
from .events import Forgotten, Holiday, Left, Resigned, Talked, read_event
from .state import Event, Table
from .tokens import Requester

UNCHANGING: Final = (Forgotten, Talked)
"""Kinds that change nothing about whose days run."""


def ahead(table: Table, events: Sequence[Event]) -> Table:
    """The table after further events, which stay as they are. Words of people are left out."""
    return table.copied().replay(read_event(event.row()) for event in events if not isinstance(event, UNCHANGING))


def stage_of(table: Table, at: int) -> Stage:
    """What the row of a table by post says: it wakes for a computer only, and is looked at when days run out."""
    playing = table.stage == "playing"
    return Stage(table.stage, playing and table.chooser_is_computer, at, next_look(table, at))


def next_look(table: Table, at: int) -> int | None:
    """When the due-time query is next to find the table after an event at ``at``: in time for the reminder.

    In the last hours of a turn, whose person was reminded, it is the end of the turn.
    """
    due = table.deadline.due if table.deadline else None
    if due is None:
        return None
    return due - WARNING if at < due - WARNING else due


def stage_after(table: Table, events: Sequence[Event]) -> Stage | None:
    """What the row of a table by post says after a change, or None if the change leaves it as it is."""
    if all(isinstance(event, UNCHANGING) for event in events):
        return None
    later = ahead(table, events)
    return None if later.stage == "waiting" else stage_of(later, events[-1].at)


def forced_move(table: Table) -> str | None:
    """The only legal decision of a person whose days run, unless the person can still take a move back."""
    if table.deadline is None or not table.deadline.seat or table.position is None:
        return None
    if table.undo_block(table.chooser) is None:
        return None
    legal = table.position.view(table.chooser).legal_words()
    return legal[0] if len(legal) == 1 else None


def play_forced(table: Table, now: Moment) -> Change:
    """Play the only legal decision, if there is one."""
    move = forced_move(table)
    return Change() if move is None else play_for(table, wanted_move(table, move), now, by_hand=False)


def is_late(table: Table, now: int, earliest: int) -> bool:
    """Whether the days of the person who must choose have run out."""
    return table.deadline is not None and table.deadline.due is not None and now >= max(table.deadline.due, earliest)


def run_out(table: Table, now: Moment, earliest: int, level: str | None) -> Change:
    """What the set-up says for days that have run out. Checks again that they have."""
    if not is_late(table, now.at, earliest) or not isinstance(table.setup.clock, PostClock):
        return Change()
    seat = table.chooser
    if table.setup.clock.late == "computer" and level is not None:
        return Change().add(table, now, Left(seat, "time", level))
    return Change().add(table, now, Resigned(seat, level or LEVELS[0], why="time", by_hand=False))


def reminder(table: Table, now: int) -> list[Notice]:
    """The notice that twelve hours are left, once for each turn."""
    deadline = table.deadline
    if deadline is None or deadline.due is None:
        return []
    chair = table.order[deadline.seat - 1]
    if not is_notified(table, chair, "turn"):
        return []
    cause = f"{table.id}-{table.seq}-h"
    return [Notice(cause, "late", (chair,), table.seq, now, now, max(deadline.due, now + WARNING))]


def take_holiday(table: Table, who: Requester, want: TakeHoliday, now: Moment) -> Change:
    """Announce days in which no time runs for a person's seats."""
    must_play(table)
    seats = [seat for seat in held_seats(table, who, want.seat) if not table.chair(seat).by_computer]
    if table.deadline is None:
        raise Refused("off", "Only a table by post has holidays.")
    if not seats:
        raise Refused("not-your-turn", "The computer plays for you; come back first.", version=table.version)
    left = min(table.deadline.holidays_left(seat) for seat in seats)
    if want.days > left:
        days = "day" if left == 1 else "days"
        raise Refused("limit", f"You have {left} {days} of holiday left in this game.", version=table.version)
    change = Change()
    for seat in seats:
        start = max(now.at, table.deadline.holiday.get(seat, 0))
        change.add(table, now, Holiday(seat, want.days, start + want.days * DAY))
    return change
