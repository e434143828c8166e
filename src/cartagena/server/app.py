"""The application: how its parts are wired, and what happens at start and stop."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from prometheus_client import generate_latest
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response
from starlette.websockets import WebSocketDisconnect

import cartagena

from .bots.hints import Hints
from .bots.pool import EnginePool
from .bots.seats import ComputerSeats
from .http.middleware import GuardMiddleware, origin_allowed, refusal_body
from .http.ratelimit import Slots, Windows
from .http.routes import router
from .http.static_files import add_client
from .http.study_routes import router as study_router
from .http.websocket import Connection
from .metrics import REGISTRY
from .protocol.errors import Refused, malformed
from .settings import Settings, split_list
from .storage.database import Database, StorageError
from .storage.migrate import SoleServer, upgrade
from .storage.pruning import prune_hourly
from .storage.write_queue import WriteQueue
from .tables.registry import TableRegistry
from .tables.state import Table
from .tables.timeouts import AbsenceTimeouts, ClockTimeouts

log = logging.getLogger("cartagena.server")

DESCRIPTION = """
Tables for Cartagena and Cartagena 2, the Pirate's Nest. Set a table up, keep the token, send it as
`Authorization: Bearer TOKEN`. Positions, moves and rule sets are written in the project's notation.
Live updates come over a WebSocket at `/api/tables/{table}/live` (first message `{"type": "hello", "token": …}`), over
`/api/tables/{table}/stream` as one JSON object a line, or by asking
`/api/tables/{table}/events?after=N&wait=30` again and again.
"""


def create_app(settings: Settings) -> FastAPI:
    """Build the server. The database is opened at start, not before."""
    app = FastAPI(
        title="Cartagena",
        version=cartagena.__version__,
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.settings = settings
    app.state.ready = False
    app.state.levels = split_list(settings.levels)
    app.state.request_windows = Windows(settings.requests, settings.window_seconds)
    app.state.creation_windows = Windows(settings.tables_per_hour, 3600)
    app.state.slots = Slots(settings.sockets_per_address, settings.table_sockets)
    app.state.level_for = lambda table: replacement(table, app.state.levels)
    app.include_router(router)
    app.include_router(study_router)
    add_handlers(app)
    add_operation(app)
    add_socket(app)
    add_client(app, settings)
    app.add_middleware(GuardMiddleware, settings=settings)
    return app


def replacement(table: Table, levels: tuple[str, ...]) -> str | None:
    """The computer player that replaces a person: the one that the table chose, or the weakest on offer."""
    return table.setup.replace or (levels[0] if levels else None)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Open and migrate the database, serve, and stop gracefully."""
    settings: Settings = app.state.settings
    database = Database(settings.database, settings.database_mb)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(database.close)
        sole = SoleServer(database)
        stack.push_async_callback(sole.free)
        database.make_folder()
        await sole.take()
        await upgrade(database)
        await database.check_writable()
        writes = WriteQueue(database, settings.batch_moves)
        writes.start()
        stack.push_async_callback(writes.stop)
        registry = app.state.registry = TableRegistry(database, writes, settings)
        stack.push_async_callback(registry.stop)
        await open_registry(app, registry, stack)
        log.info("ready", extra={"database": database.url.get_backend_name()})
        yield
        app.state.ready = False
    log.info("stopped")


async def open_registry(app: FastAPI, registry: TableRegistry, stack: AsyncExitStack) -> None:
    """Start what runs by itself. The stack ends it in reverse order."""
    settings: Settings = app.state.settings
    pool = app.state.pool = EnginePool(settings)
    stack.push_async_callback(pool.stop)
    app.state.hints = Hints(pool, app.state.levels)
    computers = ComputerSeats(registry, pool, settings)
    stack.callback(computers.stop)
    clocks = ClockTimeouts(registry, app.state.level_for)
    stack.callback(clocks.stop)
    absence = AbsenceTimeouts(registry, app.state.level_for)
    stack.callback(absence.stop)
    registry.after_change += [computers.consider, clocks.consider, absence.consider]
    registry.on_presence = absence.consider
    for work in (wake(registry), prune_hourly(registry.database, settings, registry.forget)):
        stack.push_async_callback(end_task, asyncio.create_task(work))
    app.state.ready = True


async def end_task(task: "asyncio.Task[None]") -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def wake(registry: TableRegistry) -> None:
    """After a restart, load the games in which a computer player must move or a clock runs."""
    try:
        sleeping = await registry.database.to_wake()
    except StorageError as error:
        log.warning("running games could not be loaded", extra={"why": str(error)})
        return
    for table_id in sleeping:
        try:
            await registry.find(table_id)
        except Refused as error:
            log.warning("a running game could not be loaded", extra={"table": table_id, "why": str(error)})
        except Exception:
            log.exception("a running game could not be loaded", extra={"table": table_id})
        await asyncio.sleep(0)


def add_handlers(app: FastAPI) -> None:
    @app.exception_handler(Refused)
    async def refused(_request: Request, error: Refused) -> Response:
        headers = {"retry-after": str(error.wire.retry_after)} if error.wire.retry_after is not None else None
        return Response(refusal_body(error), error.status, headers, "application/json")

    @app.exception_handler(RequestValidationError)
    async def invalid(_request: Request, error: RequestValidationError) -> Response:
        return Response(refusal_body(malformed(error)), 422, media_type="application/json")

    @app.exception_handler(HTTPException)
    async def http_error(_request: Request, error: HTTPException) -> Response:
        told = Refused("no-such-page" if error.status_code == 404 else "malformed", f"{error.detail}.")
        return Response(refusal_body(told), error.status_code, error.headers, "application/json")


def add_operation(app: FastAPI) -> None:
    @app.get("/healthz", response_class=PlainTextResponse)
    async def healthz() -> str:
        """Whether the process is alive."""
        return "ok\n"

    @app.get("/readyz", response_class=PlainTextResponse, responses={503: {"description": "Not ready."}})
    async def readyz(request: Request) -> Response:
        """Whether requests are served: the database answers and commits succeed. Failing computer players are named."""
        state = request.app.state
        if not state.ready or state.registry.stopping:
            return PlainTextResponse("stopping\n", 503)
        if state.registry.writes.fault is not None:
            return PlainTextResponse("changes cannot be stored\n", 503)
        try:
            await state.registry.database.ping()
        except StorageError:
            return PlainTextResponse("the database does not answer\n", 503)
        failing = [f"computer player {level} fails\n" for level in state.pool.failing]
        return PlainTextResponse("".join(["ready\n", *failing]))

    @app.get("/metrics", response_class=PlainTextResponse)
    async def metrics() -> Response:
        """Metrics for Prometheus."""
        return Response(generate_latest(REGISTRY), media_type="text/plain; version=0.0.4; charset=utf-8")


def add_socket(app: FastAPI) -> None:
    @app.websocket("/api/tables/{table}/live")
    async def live(socket: WebSocket, table: str) -> None:
        state = socket.app.state
        if not origin_allowed(socket.headers, state.settings):
            await socket.close(4403, "origin")
            return
        await socket.accept()
        address = socket.client.host if socket.client else "?"
        connection = Connection(socket, state.registry, state.settings, state.level_for)
        try:
            state.slots.take(address, table)
        except Refused as error:
            await connection.refuse(error, 4000 + error.status)
            return
        try:
            await connection.run(table)
        except (WebSocketDisconnect, RuntimeError, TimeoutError):
            return
        finally:
            state.slots.free(address, table)
