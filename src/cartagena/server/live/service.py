"""The actions of people in a game, from requests to changes in the registry."""

from collections.abc import Callable

from ..protocol.errors import Refused
from ..protocol.requests import PlayMove, SayTalk, TakeBack
from ..tables import decide
from ..tables.clocks import Moment
from ..tables.decide import Change
from ..tables.events import Talked
from ..tables.state import Table
from ..tables.tokens import Requester
from .live_table import LiveTable
from .registry import TableRegistry


async def play(
    registry: TableRegistry,
    live: LiveTable,
    who: Requester,
    want: PlayMove,
    then: Callable[[Change], None] | None = None,
) -> Change:
    """Play a person's move. ``then`` is called when it is durable, before any update is sent."""
    return await registry.change(live, lambda table, now: decide.play(table, table.current(who), want, now), then)


async def take_back(registry: TableRegistry, live: LiveTable, who: Requester, want: TakeBack) -> Change:
    return await registry.change(live, lambda table, now: decide.take_back(table, table.current(who), want, now))


async def resign(
    registry: TableRegistry, live: LiveTable, who: Requester, seat: int | None, level: str | None
) -> Change:
    return await registry.change(live, lambda table, now: decide.resign(table, table.current(who), seat, now, level))


async def leave(
    registry: TableRegistry, live: LiveTable, who: Requester, seat: int | None, level: str | None
) -> Change:
    """Leave some seats to the computer."""
    return await registry.change(
        live, lambda table, now: decide.leave_by_choice(table, table.current(who), seat, now, level)
    )


async def come_back(registry: TableRegistry, live: LiveTable, who: Requester, seat: int | None) -> Change:
    return await registry.change(live, lambda table, now: decide.come_back(table, table.current(who), seat, now))


async def say(registry: TableRegistry, live: LiveTable, who: Requester, want: SayTalk) -> Change:
    """Say something at a table with talk."""

    def proposal(table: Table, now: Moment) -> Change:
        seat = decide.seat_for(table, table.current(who), want.seat)
        if not table.setup.talk:
            raise Refused("off", "This table has turned talk off.")
        persons = sum(chair.kind == "person" for chair in table.chairs)
        share = max(1, registry.settings.talk_lines // max(1, persons))
        decide.must_be_within(table, "talk", [table.order[seat - 1]], share)
        return Change().add(table, now, Talked(seat, want.text))

    return await registry.change(live, proposal)
