"""The HTTP interface. It offers everything that a socket offers."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import ExitStack, aclosing, suppress
from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

import cartagena
from cartagena.rulesets import by_name, names

from ..addresses import address_key, network_addresses
from ..live import privacy, seating
from ..live.loading import no_such_table
from ..live.lobby import host_name, rules_title
from ..live.registry import OLD_SERVER, TableRegistry
from ..live.rematch import ask as ask_people
from ..live.rematch import rematch as set_up_rematch
from ..live.subscription import Subscription
from ..live.timers import salts_over
from ..metrics import MOVE, SOCKETS
from ..protocol.contacts import Asked, Forgotten, HeldSeat, Kept, LookAtTables, OwnSeat
from ..protocol.encoding import dumps, spliced
from ..protocol.errors import Refused
from ..protocol.requests import (
    POST_DAYS,
    PROTOCOL,
    AddSalt,
    AskHint,
    CreateTable,
    JoinTable,
    PlayMove,
    PreviewTable,
    RemovePerson,
    RenewToken,
    SayTalk,
    SeatAction,
    SeatComputer,
    TakeBack,
    TakeHoliday,
)
from ..protocol.responses import About, Ack, Created, Hint, Joined, Lobby, Looks, Preview, Snapshot, Update
from ..storage.rows import TableRow
from ..tables import by_post, decide
from ..tables.records import table_record
from ..tables.state import Table
from ..tables.tokens import seat_key
from .compression import OpenAnswer
from .dependencies import (
    ANSWERS,
    ADetail,
    After,
    ARegistry,
    ATable,
    AToken,
    Person,
    SeatQuery,
    count_listing,
    count_new_table,
    count_open_seat,
    joined,
    json_answer,
    note_holder,
    snapshot,
    view_answer,
    visitor_of,
    while_connected,
)
from .gate import Gate
from .ratelimit import Slots, host_of
from .websocket import ack

router = APIRouter(prefix="/api", responses=ANSWERS)


class Lines(StreamingResponse):
    """Lines until the client disconnects. ``freed`` is called even if it disconnects before the first line.

    The lines are closed then. A generator that is not asked for its next line lives until it is collected.
    """

    def __init__(self, lines: AsyncGenerator[bytes, None], freed: Callable[[], None]) -> None:
        super().__init__(lines, media_type="application/x-ndjson")
        self.lines, self.freed = lines, freed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with aclosing(self.lines):
                await super().__call__(scope, receive, send)
        finally:
            self.freed()


# --- all tables


@router.get("/about", response_model=About)
async def about(request: Request, registry: ARegistry) -> Response:
    """What this server offers: rule sets, computer players, limits."""
    settings = request.app.state.settings
    rules = [by_name(name) for name in names()]
    answer = {
        "version": cartagena.__version__,
        "protocol": PROTOCOL,
        "rules": [
            {"name": item.name, "game": item.game, "edition": item.edition, "title": item.title, "about": item.about}
            for item in rules
        ],
        "levels": list(request.app.state.levels),
        "limits": {
            "frame_bytes": settings.frame_bytes,
            "body_bytes": settings.body_bytes,
            "messages": settings.messages,
        },
        "post": {"days": list(POST_DAYS), "why": None if registry.knows_post else OLD_SERVER},
        "notify": request.app.state.notifier.offer,
        "addresses": network_addresses(settings.host, request.url.port),
    }
    return OpenAnswer(dumps(answer))


@router.post("/tables", response_model=Created, status_code=201)
async def create_table(request: Request, registry: ARegistry, want: CreateTable) -> Response:
    """Set a table up. Keep the token: it holds the seats at this device."""
    await count_new_table(request)
    if want.lobby:
        await count_listing(request)
    address = address_key(host_of(request))
    created = await seating.create(registry, want, address)
    invites = [{"chair": chair, "invite": word} for chair, word in created.invites.items()]
    answer = {"table": created.id, "token": created.token, "invites": invites}
    async with registry.lease(created.id, checked=True) as live:
        live.sit_at(address, seat_key(live.table.keys, created.token).number)
        return json_answer(spliced(answer, snapshot=snapshot(live, created.token)), 201)


@router.get("/tables", response_model=Lobby)
async def lobby(registry: ARegistry, limit: Annotated[int, Query(ge=1, le=100)] = 50) -> Response:
    """The tables that are listed, newest first."""
    listed = []
    for row in await registry.lobby_rows(limit):
        with suppress(Refused):  # a table that cannot be read is left out
            async with registry.lease(row.id, checked=True) as live:
                if live.table.stage != "over":  # it may have ended since its row was read
                    listed.append(listing(row, live.table))
    return OpenAnswer(dumps({"tables": listed}))


def listing(row: TableRow, table: Table) -> dict[str, object]:
    """A table as the lobby lists it."""
    return {
        "table": row.id, "host": host_name(table), "rules": table.setup.rules, "title": rules_title(table),
        "stage": row.stage,
        "free": sum(not chair.taken for chair in table.chairs),
        "seats": [chair.name or chair.level or "" for chair in table.chairs],
        "clock": table.setup.clock.model_dump(), "spectators": table.setup.spectators, "created": row.created,
    }  # fmt: skip


@router.post("/look", response_model=Looks)
async def look_at_all(request: Request, registry: ARegistry, want: LookAtTables) -> Response:
    """All your tables as they are now, without their events. It counts as a request for each table."""
    gate: Gate = request.app.state.gate
    gate.count_more(visitor_of(request), len(want.seats) - 1)
    found = [await look_at(request, registry, seat) for seat in want.seats]
    return json_answer(b'{"tables":[' + b",".join(found) + b"]}")


async def look_at(request: Request, registry: TableRegistry, seat: OwnSeat) -> bytes:
    """What the holder of a seat is told of its table, or why it is refused."""
    await asyncio.sleep(0)  # others are answered between two tables
    try:
        async with registry.lease(seat.table) as live:
            note_holder(request, live, seat.token)
            update = Subscription(registry, live, seat.token, after=live.table.seq).news()
            return spliced({"table": seat.table, "error": None}, update=update)
    except Refused as error:
        return dumps({"table": seat.table, "update": None, "error": error.wire.model_dump(exclude_none=True)})


# --- one table


@router.get("/tables/{table}", response_model=Snapshot)
async def look(live: ATable, token: AToken, detail: ADetail, seat: SeatQuery = None) -> Response:
    """The table as seen from the seat."""
    return view_answer(snapshot(live, token, seat, detail), token)


@router.get("/tables/{table}/events", response_model=Update)
async def events(
    registry: ARegistry,
    live: ATable,
    token: AToken,
    detail: ADetail,
    after: After = 0,
    wait: Annotated[float, Query(ge=0, le=30, description="Seconds to wait for news.")] = 0,
    seat: SeatQuery = None,
) -> Response:
    """The events after ``after``; with ``wait`` as soon as there is one, or when the time is up."""
    subscription = Subscription(registry, live, token, after=after, seat=seat, detail=detail)
    deadline = asyncio.get_running_loop().time() + wait
    while live.table.seq == after and not subscription.over:
        left = deadline - asyncio.get_running_loop().time()
        if left <= 0:
            break
        try:
            await asyncio.wait_for(live.bell.wait(), left)
        except TimeoutError:
            break
    if live.is_gone:
        raise no_such_table()
    return view_answer(subscription.news(), token)


@router.get(
    "/tables/{table}/stream",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/x-ndjson": {"schema": {"$ref": "#/components/schemas/Update"}}}}},
)
async def stream(
    request: Request,
    registry: ARegistry,
    live: ATable,
    token: AToken,
    detail: ADetail,
    after: After = 0,
    seat: SeatQuery = None,
) -> Response:
    """Updates as one JSON object a line until the client disconnects. An empty object is a heartbeat."""
    subscription = Subscription(registry, live, token, after=after, seat=seat, detail=detail)
    slots: Slots = request.app.state.slots
    heartbeat = registry.settings.heartbeat_seconds
    with ExitStack() as taken:
        taken.callback(slots.take(host_of(request), live.id, subscription.who.key))
        taken.enter_context(registry.hold(live))  # the lease of the request ends before the stream does
        held = taken.pop_all()

    async def lines() -> AsyncGenerator[bytes, None]:
        SOCKETS.inc()
        try:
            with subscription.present():
                async for text in subscription.updates(heartbeat):
                    yield b"{}\n" if text is None else text + b"\n"
        except Refused as error:
            yield dumps({"type": "rejected", **error.wire.model_dump(exclude_none=True)}) + b"\n"
        finally:
            SOCKETS.dec()

    return Lines(lines(), held.close)


@router.get(
    "/tables/{table}/record",
    response_class=PlainTextResponse,
    responses={200: {"content": {"text/plain": {}, "application/json": {}}}},
)
async def record(
    live: ATable, who: Person, form: Annotated[Literal["text", "json"], Query(alias="format")] = "text"
) -> Response:
    """The record of a finished game with the proof of its deal, for its players."""
    game_record = table_record(live.table, who)
    return OpenAnswer(dumps(game_record.to_json())) if form == "json" else PlainTextResponse(str(game_record))


@router.post("/tables/{table}/preview", response_model=Preview)
async def preview(live: ATable, token: AToken, want: PreviewTable) -> Response:
    """The set-up and the commitment to the deal, before you join. Changes nothing."""
    if not seating.may_preview(live.table, want.invite, token):
        raise Refused("not-allowed", "You need an invitation to see this table.")
    return json_answer(live.updates.preview())


@router.post("/tables/{table}/join", response_model=Joined)
async def join(request: Request, registry: ARegistry, live: ATable, token: AToken, want: JoinTable) -> Response:
    """Take a seat. With a token that holds a seat here the new seat is added to it."""
    if not want.invite:
        await count_open_seat(request, live.table, want.token)
    answer = await seating.join(registry, live, want, token, address_key(host_of(request)))
    return joined(live, answer)


@router.post("/tables/{table}/start", response_model=Snapshot)
async def start(registry: ARegistry, live: ATable, who: Person, token: AToken) -> Response:
    """Deal at a table that waits for its host."""
    await registry.act(live, who, seating.start, lambda: salts_over(registry, live))
    return json_answer(snapshot(live, token))


@router.post("/tables/{table}/salt", response_model=Snapshot)
async def salt(registry: ARegistry, live: ATable, who: Person, token: AToken, want: AddSalt) -> Response:
    """Add randomness to the deal."""
    await registry.act(live, who, seating.add_salt, want)
    return json_answer(snapshot(live, token))


@router.post("/tables/{table}/moves", response_model=Ack)
async def move(registry: ARegistry, live: ATable, who: Person, want: PlayMove) -> Response:
    """Play a move, exactly once for each id."""
    with MOVE.time():
        change = await registry.act(live, who, decide.play, want)
    return json_answer(ack(live.table, change, want.id))


@router.post("/tables/{table}/undo", response_model=Ack)
async def undo(registry: ARegistry, live: ATable, who: Person, want: TakeBack) -> Response:
    """Take back the last move of your turn, up to the last deal or choice of another seat."""
    change = await registry.act(live, who, decide.take_back, want)
    return json_answer(ack(live.table, change, want.id))


@router.post("/tables/{table}/resign", response_model=Ack)
async def resign(registry: ARegistry, live: ATable, who: Person, want: SeatAction) -> Response:
    """Give up."""
    resigning = partial(decide.resign, level=registry.level_for(live.table))
    return json_answer(ack(live.table, await registry.act(live, who, resigning, want.seat), None))


@router.post("/tables/{table}/leave", response_model=Ack)
async def leave(
    request: Request, registry: ARegistry, live: ATable, who: Person, token: AToken, want: SeatAction
) -> Response:
    """Leave the seat to the computer until you come back. Your devices are told about this game no longer."""
    leaving = partial(decide.leave_by_choice, level=registry.level_for(live.table))
    change = await registry.act(live, who, leaving, want.seat)
    if all(live.table.chair(seat).by_computer for seat in who.seats):
        await request.app.state.notifier.let_go(token or "")
    return json_answer(ack(live.table, change, None))


@router.post("/tables/{table}/back", response_model=Ack)
async def back(registry: ARegistry, live: ATable, who: Person, want: SeatAction) -> Response:
    """Take the seat back from the computer."""
    return json_answer(ack(live.table, await registry.act(live, who, decide.come_back, want.seat), None))


@router.post("/tables/{table}/holiday", response_model=Ack)
async def holiday(registry: ARegistry, live: ATable, who: Person, want: TakeHoliday) -> Response:
    """At a table by post: announce days in which no time runs for you, up to ten in a game."""
    return json_answer(ack(live.table, await registry.act(live, who, by_post.take_holiday, want), None))


@router.post("/tables/{table}/talk", response_model=Ack)
async def talk(registry: ARegistry, live: ATable, who: Person, want: SayTalk) -> Response:
    """Say something at the table."""
    saying = partial(decide.say, most=registry.settings.talk_lines)
    return json_answer(ack(live.table, await registry.act(live, who, saying, want), None))


@router.post("/tables/{table}/hint", response_model=Hint)
async def hint(request: Request, live: ATable, who: Person, want: AskHint) -> Response:
    """What the computer would do with what this seat can see."""
    asked = request.app.state.hints.ask(live, who, want, address_key(host_of(request)))
    return OpenAnswer(dumps(await while_connected(request, asked)))


@router.post("/tables/{table}/rematch", response_model=Joined)
async def rematch(request: Request, registry: ARegistry, live: ATable, who: Person, token: AToken) -> Response:
    """Play again with the next seat starting. The same token is valid at the new table, where the others join."""
    if live.table.stage == "over" and live.table.next is None:
        await count_new_table(request)
    async with registry.lease(await set_up_rematch(registry, live, who)) as again:
        return joined(again, token or "")


@router.post("/tables/{table}/ask", response_model=Asked)
async def ask(registry: ARegistry, live: ATable, who: Person, want: HeldSeat) -> Response:
    """Ask the others of a finished game of yours to this table, where their tokens hold free seats; for the host."""
    return json_answer(dumps({"seats": await ask_people(registry, live, who, want)}))


@router.post("/tables/{table}/token", response_model=Joined)
async def renew_token(
    request: Request, registry: ARegistry, live: ATable, token: AToken, want: RenewToken | None = None
) -> Response:
    """Replace the token by a new one, at this table and at its rematches. The old one works nowhere any more."""
    new = await seating.renew_token(registry, live, token or "", want.token if want else None)
    await request.app.state.notifier.let_go(token or "")
    return joined(live, new)


@router.post("/tables/{table}/remove", response_model=Snapshot)
async def remove(registry: ARegistry, live: ATable, who: Person, token: AToken, want: RemovePerson) -> Response:
    """Remove a person from a table that has not started; for the host."""
    await registry.act(live, who, privacy.remove, want)
    return json_answer(snapshot(live, token))


@router.post("/tables/{table}/computer", response_model=Snapshot)
async def seat_computer(registry: ARegistry, live: ATable, who: Person, token: AToken, want: SeatComputer) -> Response:
    """Give a free seat of a table that has not started to a computer player; for the host."""
    decide.check_level(want.level, registry.levels)
    await registry.act(live, who, seating.seat_computer, want)
    return json_answer(snapshot(live, token))


@router.post("/tables/{table}/cancel", response_model=Snapshot)
async def cancel(registry: ARegistry, live: ATable, who: Person, token: AToken) -> Response:
    """Close a table that has not started; for the host."""
    await registry.act(live, who, seating.cancel, None)
    return json_answer(snapshot(live, token))


@router.post("/tables/{table}/invites/{chair}")
async def renew_invite(
    registry: ARegistry, live: ATable, who: Person, chair: Annotated[int, Path(ge=1, le=5)]
) -> dict[str, int | str]:
    """Replace the invitation to a free seat by a new one."""
    return {"chair": chair, "invite": await seating.renew_invite(registry, live, who, chair)}


@router.get("/tables/{table}/mine", response_model=Kept)
async def mine(request: Request, registry: ARegistry, live: ATable, _who: Person, token: AToken) -> Response:
    """Everything that is kept about you here and at the rematches of this game: names, talk, your token's row."""
    kept = await privacy.kept_about(registry, live, token or "")
    return json_answer(dumps({"tables": kept, "contacts": await request.app.state.notifier.linked(token or "")}))


@router.post("/tables/{table}/forget", response_model=Forgotten)
async def forget(request: Request, registry: ARegistry, live: ATable, _who: Person, token: AToken) -> Response:
    """Delete your names and your talk here and at the rematches of this game, and revoke your token.

    The moves stay, for the records of the other players. In a game that is not over the computer plays on for you.
    """
    number = await privacy.forget(registry, live, token or "")
    await request.app.state.notifier.let_go(token or "", forgotten=True)
    return json_answer(dumps({"tables": number}))
