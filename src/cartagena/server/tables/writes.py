"""What a change writes to the database."""

from ..storage.rows import Stage, TableRow, TableWrite
from .decide import Change
from .state import Table


def written(table: Table, change: Change, row: TableRow | None = None, stage: Stage | None = None) -> TableWrite:
    """The write of a change."""
    return TableWrite(
        table.id,
        [event.row() for event in change.events],
        change.keys,
        change.revoked,
        row,
        stage,
        rewritten=[event.row() for event in change.rewritten],
        setup=None if change.setup is None else change.setup.model_dump_json(),
    )


def new_stage(table: Table, change: Change) -> Stage | None:
    """The row's new stage if the change sets one."""
    for event in change.events:
        wake = event.wakes(table)
        if wake is not None:
            return Stage("playing", wake, event.at)
    return None
