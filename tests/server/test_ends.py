"""However a game ends, the commit that ends it also says so in the table's row: no later commit is needed for that."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest

from cartagena.server.live import privacy, seating
from cartagena.server.live.live_table import LiveTable
from cartagena.server.live.operator import Operator
from cartagena.server.protocol.requests import CreateTable
from cartagena.server.storage.database import StorageError
from cartagena.server.storage.rows import CommitRows
from cartagena.server.tables import decide
from cartagena.server.tables.clocks import DAY

from .test_deadline import play_move
from .test_post import House, house

End = Callable[[House, LiveTable, str], Awaitable[object]]
HERE: dict[str, Any] = {"kind": "here"}
SMALL: dict[str, Any] = {"rules": "jamaica-en", "pirates": 1, "pieces": 1, "lots": False, "lobby": True}
POST: dict[str, Any] = {"clock": {"kind": "post", "days": 1, "late": "resign"}}


def forward(live: LiveTable) -> str:
    """A move that brings the game nearer to its end."""
    legal = decide.must_play(live.table).legal_words()
    return next((move for sign in (":", "<") for move in legal if sign in move), legal[0])


async def moves(home: House, live: LiveTable, _token: str) -> None:
    while live.table.stage == "playing":
        await home.registry.change(live, partial(play_move, forward(live)))


async def moves_of_computers(home: House, live: LiveTable, _token: str) -> None:
    """Each move comes with the notice that a weaker player stands in."""
    while live.table.stage == "playing":
        seat, move = live.table.chooser, forward(live)
        await home.registry.change(live, lambda table, now: decide.play_by_computer(table, seat, "7", move, now))  # noqa: B023


async def resigning(home: House, live: LiveTable, token: str) -> None:
    who = live.table.requester(token)
    await home.registry.act(live, who, partial(decide.resign, level="sailor"), None)


async def resigning_one_by_one(home: House, live: LiveTable, token: str) -> None:
    for seat in (2, 1):
        who = live.table.requester(token)
        await home.registry.act(live, who, partial(decide.resign, level="sailor"), seat)


async def forgetting(home: House, live: LiveTable, token: str) -> None:
    await privacy.forget(home.registry, live, token)


async def closing_a_game(home: House, live: LiveTable, _token: str) -> None:
    operator = Operator(home.registry, lambda _blocks: None)
    await operator.close({"table": live.id})


async def calling_off(home: House, live: LiveTable, token: str) -> None:
    await home.registry.act(live, live.table.requester(token), seating.cancel, None)


async def letting_days_run_out(home: House, _live: LiveTable, _token: str) -> None:
    await home.deadlines.look()
    await home.pass_by(2 * DAY)


WAYS: list[tuple[End, dict[str, Any]]] = [
    (moves, {}),
    (moves, POST),
    (moves, {"clock": {"kind": "bank", "seconds": 60, "increment": 5}}),
    (moves_of_computers, {"seats": [{"kind": "computer", "level": "sailor"}] * 2}),
    (resigning, {}),
    (resigning, {"seats": [HERE] * 3}),
    (resigning, POST),
    (resigning_one_by_one, {"seats": [HERE] * 3}),
    (forgetting, {}),
    (forgetting, {"seats": [HERE, {"kind": "link"}]}),
    (closing_a_game, {}),
    (closing_a_game, POST),
    (calling_off, {"seats": [HERE, {"kind": "link"}]}),
    (calling_off, {"seats": [HERE, {"kind": "link"}], **POST}),
    (letting_days_run_out, POST),
]


@pytest.mark.parametrize(
    ("end", "setup"), WAYS, ids=[f"{end.__name__} {number}" for number, (end, _) in enumerate(WAYS)]
)
def test_the_commit_that_ends_a_game_says_so_in_its_row(
    sqlite: str, end: End, setup: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> None:
        levels = "" if end is forgetting else "sailor"
        async with house(sqlite, levels=levels) as home:
            want = CreateTable.model_validate({"seats": [HERE, HERE], **SMALL, **setup})
            made = await seating.create(home.registry, want)
            database = home.registry.database
            write = database.write

            async def write_no_stage_alone(batch: CommitRows) -> None:
                if batch.stages and not batch.events:
                    raise StorageError("The disk is full.")
                await write(batch)

            database.write = write_no_stage_alone  # type: ignore[method-assign]
            async with home.registry.lease(made.id) as live:
                await end(home, live, made.token)
                await home.registry.tasks.finish(10)
                assert live.table.stage == "over"
                last = live.table.events[-1]
            row = await database.table_row(made.id)
            assert row is not None
            assert (row.stage, row.wake, row.due, row.touched) == ("over", False, None, last.at)
            assert await database.to_wake() == []
            assert await database.lobby(10) == []

    asyncio.run(work())
