"""The one writer: changes of several tables go into one commit, because a commit for each move is too slow by far."""

import asyncio
import logging
from dataclasses import dataclass, field

from ..metrics import BATCH, COMMIT
from ..tables.decide import Change
from .database import Conflict, Row, Store, StoreError, write_chairs
from .sqlite_writer import Batch

log = logging.getLogger("cartagena.writer")


@dataclass
class Item:
    """A change that waits to be written."""

    table_id: str
    change: Change
    row: Row | None
    stage: tuple[str, bool, int] | None
    done: "asyncio.Future[None]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())


def collect(items: list[Item]) -> Batch:
    """The rows that the items add up to."""
    batch = Batch([], [], [], [], [])
    for item in items:
        table = item.table_id
        if item.row is not None:
            row = item.row
            batch.new.append({name: getattr(row, name) for name in Row.__slots__})
        batch.events += [
            {"table_id": table, "number": e.number, "at": e.at, "kind": e.kind, "data": e.dump(), "move_id": e.move_id}
            for e in item.change.events
        ]
        batch.keys += [
            {"table_id": table, "number": key.number, "kind": key.kind, "digest": key.digest,
             "chairs": write_chairs(key.chairs), "revoked": key.revoked, "host": key.host}
            for key in item.change.keys
        ]  # fmt: skip
        batch.revoked += [{"of_table": table, "of_number": number} for number in item.change.revoked]
        if item.stage is not None:
            stage, wake, touched = item.stage
            batch.stages.append({"of_table": table, "new_stage": stage, "new_wake": wake, "new_touched": touched})
    return batch


class Writer:
    """Takes changes one by one, writes what has gathered, and tells each sender when its own is on disk."""

    def __init__(self, store: Store, most: int) -> None:
        self.store = store
        self.most = max(1, most)
        self.waiting: list[Item] = []
        self.arrived = asyncio.Event()
        self.task: asyncio.Task[None] | None = None
        self.stopping = False

    def start(self) -> None:
        self.task = asyncio.create_task(self._run(), name="writer")

    async def write(
        self, table_id: str, change: Change, row: Row | None = None, stage: tuple[str, bool, int] | None = None
    ) -> None:
        """Returns when the change is durable; raises StoreError when it is not and will not be."""
        if self.stopping:
            raise StoreError("The server is stopping.")
        item = Item(table_id, change, row, stage)
        self.waiting.append(item)
        self.arrived.set()
        await item.done

    async def _run(self) -> None:
        while True:
            await self.arrived.wait()
            self.arrived.clear()
            while self.waiting:
                items, self.waiting = self.waiting[: self.most], self.waiting[self.most :]
                await self._commit(items)
            if self.stopping:
                return

    async def _commit(self, items: list[Item]) -> None:
        """Write the items together. Where one is at fault itself, one by one, so that it spoils no other."""
        BATCH.observe(len(items))
        try:
            with COMMIT.time():
                await self.store.write(collect(items))
        except StoreError as error:
            if len(items) > 1 and isinstance(error, Conflict):
                for item in items:
                    await self._commit([item])
                return
            log.warning("changes were not stored", extra={"changes": len(items), "why": str(error)})
            for item in items:
                settle(item, error)
        else:
            for item in items:
                settle(item, None)

    async def stop(self) -> None:
        """Write what is waiting, then end."""
        self.stopping = True
        self.arrived.set()
        if self.task is not None:
            await self.task


def settle(item: Item, error: StoreError | None) -> None:
    """Tell the sender, if it still listens."""
    if item.done.done():
        return
    if error is None:
        item.done.set_result(None)
    else:
        item.done.set_exception(error)
