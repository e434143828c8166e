"""What people who are away are told about a table: their turn, the end, a rematch, talk. One cause, one notice.

A notice is stored in the transaction of the event that caused it. Its cause names the table and the event, so the same
message is never new twice, however often it is sent. It holds no names and nothing that a seat may not see.
"""

from collections.abc import Sequence
from typing import Final

from ..storage.rows import Notice
from .state import Event, Table

HOUR: Final = 3_600_000
LASTS: Final = {"turn": 48 * HOUR, "over": 168 * HOUR, "rematch": 48 * HOUR, "talk": 12 * HOUR}
"""Milliseconds after which a notice of each kind is not worth sending any more."""


def notices(table: Table, events: Sequence[Event], delay: int) -> list[Notice]:
    """The notices that events cause. The table is as it was before them.

    Args:
        table: The table before the events.
        events: The events of one change.
        delay: Milliseconds that people have to see it for themselves.
    """
    found = []
    for event in events:
        told = event.tells(table, events)
        if told is not None and (chairs := tuple(chair for chair in told[1] if is_told(table, chair, told[0]))):
            kind, at = told[0], event.at
            cause = f"{table.id}-{event.number}"
            found.append(Notice(cause, kind, chairs, event.number, at, at + delay, at + delay + LASTS[kind]))
    return found


def is_told(table: Table, chair: int, kind: str) -> bool:
    """Whether a person sits on a chair and, where it is about a turn, plays for it."""
    seated = table.chairs[chair - 1]
    return seated.kind != "computer" and not (kind == "turn" and seated.by_computer)
