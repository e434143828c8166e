"""Events: the stored truth about a table. Each kind is one class: its fields, its effect, and what each seat sees.

To add a kind, write its class in ``game`` or ``people`` and name it in ``KINDS``.
"""

from typing import Any, Final, get_type_hints

from pydantic import BaseModel, ConfigDict, create_model

from ...storage.rows import EventRow
from ..state import Event
from .game import Dealt, Moved, Paused, Undone, parse_move, plain_setup, table_rules
from .people import (
    Cancelled,
    ComputerSeated,
    Forgotten,
    Holiday,
    Joined,
    Left,
    Rematched,
    Removed,
    Resigned,
    Returned,
    Salted,
    StoodIn,
    Talked,
    Unknown,
    nameless,
)

__all__ = [
    "KINDS", "Cancelled", "ComputerSeated", "Dealt", "Forgotten", "Holiday", "Joined", "Left", "Moved", "Paused",
    "Rematched", "Removed", "Resigned", "Returned", "Salted", "StoodIn", "Talked", "Undone", "Unknown", "nameless",
    "parse_move", "plain_setup", "read_any_event", "read_event", "table_rules",
]  # fmt: skip

KINDS: Final[dict[str, type[Event]]] = {
    kind.kind: kind
    for kind in (
        Joined, Removed, ComputerSeated, Cancelled, Salted, Dealt, Moved, Undone, Left, Returned, Resigned, Holiday,
        Paused, Talked, StoodIn, Forgotten, Rematched,
    )
}  # fmt: skip


def stored_form(kind: type[Event]) -> type[BaseModel]:
    """A model that checks the stored fields of a kind."""
    hints = get_type_hints(kind, include_extras=True)
    fields: dict[str, Any] = {name: (hints[name], kind.older.get(name, ...)) for name in kind.stored}
    return create_model(kind.__name__, __config__=ConfigDict(strict=True, arbitrary_types_allowed=True), **fields)


FORMS: Final = {name: stored_form(kind) for name, kind in KINDS.items()}


def read_event(row: EventRow) -> Event:
    """Read an event from its row. Raises ValueError for an unknown kind or damaged fields."""
    if row.kind not in KINDS:
        raise ValueError(f"There is no event of kind {row.kind[:20]}.")
    fields = dict(FORMS[row.kind].model_validate(row.data))
    return KINDS[row.kind](number=row.number, at=row.at, move_id=row.move_id, **fields)


def read_any_event(row: EventRow) -> Event:
    """As ``read_event``, where a server of a newer version may have written events of a kind that is unknown here."""
    if row.kind not in KINDS:
        return Unknown(row.kind, row.data, number=row.number, at=row.at, move_id=row.move_id)
    return read_event(row)
