"""Computer seats: let the computer choose at every table that waits for it."""

import asyncio
import logging
import math

from ..live.live_table import LoadedTable
from ..live.registry import TableRegistry
from ..protocol.errors import Refused
from ..settings import Settings
from ..tables import decide
from ..tables.clocks import Moment
from ..tables.decide import Change
from ..tables.state import Table
from .pool import COMPUTERS_ONLY, PEOPLE, Pool
from .stand_ins import StandIns

log = logging.getLogger("cartagena.computers")


def has_people(table: Table) -> bool:
    """Whether a person plays at the table."""
    return any(not chair.by_computer for chair in table.chairs)


def is_watched(loaded: LoadedTable, own: int) -> bool:
    """Whether a viewer is connected, besides ``own`` watchers, or looked at the table lately."""
    return loaded.watchers > own or loaded.was_looked_at


class ComputerSeats:
    """Plays the computer seats of all loaded tables, each table in a task of its own."""

    def __init__(self, registry: TableRegistry, pool: Pool, settings: Settings) -> None:
        self.registry = registry
        self.pool = pool
        self.settings = settings
        self.stand_ins = StandIns()
        self.thinking: set[LoadedTable] = set()
        self.stopping = False

    def consider(self, loaded: LoadedTable) -> None:
        """Start a task if the computer must choose and none is running."""
        if loaded not in self.thinking and self._may_play(loaded):
            self.thinking.add(loaded)
            loaded.watchers += 1  # a table in which the computer thinks stays in memory
            self.registry.spawn(self._play_on(loaded))

    def _may_play(self, loaded: LoadedTable) -> bool:
        """Whether the computer must choose now. A table of computers only plays while it is watched."""
        if not loaded.table.chooser_is_computer or self.stopping or loaded.gone or not self.registry.cares(loaded):
            return False
        return has_people(loaded.table) or is_watched(loaded, int(loaded in self.thinking))

    async def _play_on(self, loaded: LoadedTable) -> None:
        """Play until a person must choose, the game is over or the server stops."""
        table_id = loaded.table.id
        try:
            while self._may_play(loaded):
                await self._play_once(loaded)
        except Refused as error:
            log.info("a computer's move was refused", extra={"table": table_id, "why": error.code})
        except Exception:
            log.exception("a computer seat failed", extra={"table": table_id})
            self.registry.reload_later(loaded)
        finally:
            self.thinking.discard(loaded)
            loaded.watchers -= 1

    async def _play_once(self, loaded: LoadedTable) -> None:
        table, began = loaded.table, asyncio.get_running_loop().time()
        seat, version = table.chooser, table.version
        level, move = await self._choose(loaded, seat)
        await self._keep_pace(began)

        def proposal(table: Table, now: Moment) -> Change:
            if table.version != version or table.chooser != seat or not table.chooser_is_computer:
                return Change()  # the game has moved on, or the person is back
            return decide.play_by_computer(table, seat, level, move, now)

        if not self.stopping:
            await self.registry.change(loaded, proposal)

    async def _choose(self, loaded: LoadedTable, seat: int) -> tuple[str, str]:
        """The level that chooses and its move: the seat's own, or a weaker one if that fails."""
        table, rank = loaded.table, PEOPLE if has_people(loaded.table) else COMPUTERS_ONLY
        view, level = decide.must_play(table).view(seat), table.chair(seat).level or ""
        legal = view.legal_words()
        if len(legal) == 1:
            return level, legal[0]
        move = await self.pool.choose(level, view, table.id, loaded.owner or table.id, rank)
        if move is not None:
            return level, move
        if self.stopping:
            raise Refused("stopping", "The server is stopping.")
        async with self.pool.queue.turn(loaded.owner or table.id, rank):
            return await self.stand_ins.choose(level, view, table.id)

    async def _keep_pace(self, began: float) -> None:
        """Wait for the next full step, so that the thinking time says nothing about a hand."""
        step = self.settings.pace_seconds
        if step > 0:
            passed = asyncio.get_running_loop().time() - began
            await asyncio.sleep(max(1, math.ceil(passed / step)) * step - passed)

    def stop(self) -> None:
        """Start nothing new."""
        self.stopping = True
        self.stand_ins.stop()
