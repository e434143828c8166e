"""What the routes share: how a request names its table, its person and its answer, and how it ends in an error."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from typing import Annotated, Final, Literal, TypeVar

from fastapi import Depends, Header, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from ..addresses import address_key, person_or_network
from ..live.live_table import LiveTable, now_ms
from ..live.lobby import OpenSeats
from ..live.registry import TableRegistry
from ..protocol.encoding import spliced
from ..protocol.errors import RefusalBody, Refused, malformed
from ..tables.state import Table
from ..tables.tokens import Requester, find
from ..tables.updates import FULL, Detail, looking_seat
from .compression import OpenAnswer
from .gate import Visitor
from .middleware import refusal_body
from .ratelimit import LIMITS, SharedCounter, Windows, host_of, must_not_wait

T = TypeVar("T")
SEAT_SECONDS: Final = 10.0  # in which busy servers too have told each other about a seat that was taken
ANSWERS: dict[int | str, dict[str, object]] = {
    code: {"model": RefusalBody, "description": text}
    for code, text in {
        401: "The token holds no seat here.",
        403: "Not allowed.",
        404: "No such table.",
        409: "Not possible now: stale, illegal, not your turn, over and the like.",
        413: "The body is too large.",
        422: "The request is invalid.",
        429: "Too many requests.",
        503: "The database or the computer players cannot be reached, or the server is stopping.",
    }.items()
}

TableId = Annotated[str, Path(pattern=r"^[a-z0-9]{4,20}$", examples=["k3v9x2m4q8rt"])]
SeatQuery = Annotated[int | None, Query(ge=1, le=5, description="Which of the seats held to look through.")]
After = Annotated[int, Query(ge=0, le=2**31 - 1, description="The seq you have seen; you get what came after it.")]


async def the_detail(
    detail: Annotated[
        Literal["full", "text"], Query(description="text: the view in notation, without options.")
    ] = "full",
    legal: Annotated[bool, Query(description="The legal moves in notation too, while it is your choice.")] = False,
) -> Detail:
    """What the updates that are asked for show."""
    return Detail(text=detail == "text", legal=legal)


ADetail = Annotated[Detail, Depends(the_detail)]


def json_answer(text: bytes, status: int = 200) -> Response:
    """An answer that may hold a secret, so it is never compressed."""
    return Response(text, status, media_type="application/json")


def view_answer(text: bytes, token: str | None) -> Response:
    """An answer with what the holder of a token may see: hidden cards, beside names and talk of other people."""
    return OpenAnswer(text) if token is None else json_answer(text)


async def the_registry(request: Request) -> TableRegistry:
    registry: TableRegistry = request.app.state.registry
    return registry


def visitor_of(request: Request) -> Visitor:
    """What the address of the request has used."""
    visitor: Visitor = request.app.state.gate.visitor(host_of(request))
    return visitor


async def count_new_table(request: Request) -> None:
    """Count a table that the address of the request sets up, or refuse it."""
    creations: Windows = request.app.state.creation_windows
    await creations.check(host_of(request), "new tables")


async def count_listing(request: Request) -> None:
    """Refuse a table for the lobby if servers of a cluster list too many of an address before they tell each other."""
    listings: Windows = request.app.state.listing_windows
    if listings.shared is not None:
        await listings.check(host_of(request), "tables in the lobby")


async def count_open_seat(request: Request, table: Table, token: str | None) -> None:
    """Refuse an open seat if servers of a cluster give a network too many before they tell each other.

    A request that is repeated with the token that it chose does not count.
    """
    seats: SharedCounter | None = request.app.state.seat_counter
    if seats is not None and table.setup.lobby and not (token and find(table.keys, token, "seat")):
        holder = person_or_network(address_key(host_of(request)))
        limits = {f"{table.id} {holder}": OpenSeats.share(table)}
        must_not_wait(await seats.count(limits, SEAT_SECONDS) or 0.0, "open seats")


async def bearer(
    authorization: Annotated[str | None, Header(max_length=200, description="Bearer TOKEN")] = None,
) -> str | None:
    """The token of a request; it travels in this header only, never in the address."""
    if authorization is None:
        return None
    kind, _, token = authorization.partition(" ")
    if kind.lower() != "bearer" or not token.strip():
        raise Refused("not-seated", "The header Authorization must read: Bearer TOKEN.")
    return token.strip()


ARegistry = Annotated[TableRegistry, Depends(the_registry)]
AToken = Annotated[str | None, Depends(bearer)]


async def at_table(request: Request, table: TableId, registry: ARegistry, token: AToken) -> AsyncIterator[LiveTable]:
    """The table, held until the request is answered, with its holder's address noted as one of a seated player."""
    async with registry.lease(table) as live:
        note_holder(request, live, token)
        yield live


def note_holder(request: Request, live: LiveTable, token: str | None) -> None:
    """Note the address of the person who holds a seat, as one of a player while the game is under way."""
    key = None if token is None else find(live.table.keys, token, "seat")
    if key is not None:
        if live.table.stage == "playing":
            visitor_of(request).sit()
        live.sit_at(address_key(host_of(request)), key.number)


ATable = Annotated[LiveTable, Depends(at_table)]


async def seated_person(live: ATable, token: AToken) -> Requester:
    """The holder of the token. Refused without one."""
    return live.note(live.table.requester(token, watching=False))


Person = Annotated[Requester, Depends(seated_person)]


def snapshot(live: LiveTable, token: str | None, seat: int | None = None, detail: Detail = FULL) -> bytes:
    who = live.note(live.table.requester(token))
    who.must_hold(seat)
    return live.updates.snapshot(who, looking_seat(live.table, who, seat), now_ms(), detail=detail)


def joined(live: LiveTable, token: str) -> Response:
    """A token with the snapshot that it shows."""
    return json_answer(spliced({"table": live.table.id, "token": token}, snapshot=snapshot(live, token)))


async def refused(request: Request, error: Refused) -> Response:
    """A refusal with its status, and when to try again."""
    LIMITS.note_refusal(error, host_of(request))
    headers = {"retry-after": str(error.wire.retry_after)} if error.wire.retry_after is not None else None
    return Response(refusal_body(error), error.status, headers, "application/json")


async def invalid(_request: Request, error: RequestValidationError) -> Response:
    """The first field that is invalid."""
    return Response(refusal_body(malformed(error)), 422, media_type="application/json")


async def http_error(_request: Request, error: HTTPException) -> Response:
    """An error of the framework, such as an unknown address, in our own form."""
    refusal = Refused("no-such-page" if error.status_code == 404 else "malformed", f"{error.detail}.")
    return Response(refusal_body(refusal), error.status_code, error.headers, "application/json")


async def while_connected(request: Request, work: Coroutine[object, None, T]) -> T:
    """The result of the work. If the client leaves, the work is cancelled and ClientDisconnect is raised."""
    task, gone = asyncio.ensure_future(work), asyncio.ensure_future(_disconnected(request))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientDisconnect
        return task.result()
    finally:
        for each in (task, gone):
            each.cancel()
        await asyncio.gather(task, gone, return_exceptions=True)


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
