"""The application: how its parts are wired, and what happens at start and stop."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

import cartagena
from cartagena.backends.arguments import cores

from .bots.computer_seats import ComputerSeats, Hints
from .bots.jobs import JobBoard
from .bots.pool import EnginePool, Pool
from .bots.remote import RemotePool
from .cluster.notices import Cluster, member_of, must_fit_in
from .http.dependencies import http_error, invalid, refused
from .http.files import add_client
from .http.gate import Gate
from .http.middleware import GuardMiddleware, HeadMiddleware
from .http.notify_routes import router as notify_router
from .http.ratelimit import HelloLimiter, Slots, Windows, raise_file_limit
from .http.routes import router as table_router
from .http.site import router as operation_router
from .http.study_routes import router as study_router
from .http.websocket import router as socket_router
from .live.operator import Operator, listening, socket_path
from .live.privacy import Pruning
from .live.registry import TableRegistry
from .live.timers import AbsenceTimers, ClockNotes, ClockTimers, Deadlines, SaltTimers
from .notify.notifier import Notifier, server_secrets
from .protocol.errors import Refused
from .settings import Settings, split_list
from .storage.database import Database
from .storage.migrate import SoleServer, upgrade
from .storage.write_queue import WriteQueue
from .study.pool import StudyPool
from .tasks import cancel_all

log = logging.getLogger("cartagena.server")
LISTING_SECONDS: Final = 30.0  # in which busy servers too have told each other about a new table in the lobby
ROUTERS: Final = (socket_router, table_router, study_router, notify_router, operation_router)
"""In the order in which an address is looked up. Their routes are added to the application as they are: those of an
included router would all be built again at the first request, and looked through twice at each."""

CONTACTS_PER_HOUR: Final = 100
"""Devices, mail addresses and webhooks that an address may set up in an hour."""
MAILS_PER_DAY: Final = 5
"""Mails a day that ask the owner of one address to confirm it."""

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
        openapi_url=None,  # served from memory by ``site``
        exception_handlers={Refused: refused, RequestValidationError: invalid, HTTPException: http_error},
    )
    app.state.settings = settings
    app.state.ready = app.state.draining = False
    app.state.cluster = None
    app.state.levels = split_list(settings.levels)
    app.state.gate = Gate(settings, raise_file_limit())
    app.state.hello_limiter = HelloLimiter(settings.waiting_sockets)
    app.state.creation_windows = Windows(settings.tables_per_hour, 3600)
    app.state.listing_windows = Windows(settings.lobby_tables, LISTING_SECONDS)
    app.state.contact_windows = Windows(CONTACTS_PER_HOUR, 3600)
    app.state.mail_windows = Windows(MAILS_PER_DAY, 86400)
    app.state.seat_counter = None
    app.state.slots = Slots(settings.sockets_per_address, settings.table_sockets)
    app.router.routes.extend(route for each in ROUTERS for route in each.routes)
    add_client(app, settings)
    app.add_middleware(HeadMiddleware)
    app.add_middleware(GuardMiddleware, settings=settings, gate=app.state.gate)
    return app


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Open and migrate the database, serve, and stop gracefully."""
    settings: Settings = app.state.settings
    database = Database(settings.database, settings.database_mb)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(database.close)
        member = member_of(settings, database)
        sole = SoleServer(database, member)
        stack.push_async_callback(sole.free)
        database.make_folder()
        await sole.take()
        await database.must_be_sound()
        living = None if member is None else await must_fit_in(database)
        await upgrade(database, shared=member is not None)
        await database.check_writable()
        writes = WriteQueue(database, settings.batch_moves)
        writes.start()
        stack.push_async_callback(writes.stop)
        registry = app.state.registry = TableRegistry(database, writes, settings)
        stack.push_async_callback(cancel_all, asyncio.create_task(sole.watch(registry.go_on)))
        cluster, keys = None, await server_secrets(database, writes)
        if member is not None and living is not None:
            cluster = app.state.cluster = await Cluster.join(settings, registry, member, living, keys["servers"])
            stack.push_async_callback(cluster.stop)
            registry.observers.connect(cluster.sharing, cluster.notices)
            share_limits(app, cluster)
        stack.push_async_callback(registry.stop)
        await open_registry(app, registry, keys, stack)
        if cluster is not None:
            cluster.start()
        log.info("ready", extra={"database": database.url.get_backend_name()})
        yield
        app.state.ready = False
    log.info("stopped")


def share_limits(app: FastAPI, cluster: Cluster) -> None:
    """Share the limits of addresses with the other servers."""
    gate, state = app.state.gate, app.state
    gate.on_request = cluster.share_limit("requests", gate.note)
    windows = {
        "tables": state.creation_windows, "listings": state.listing_windows, "contacts": state.contact_windows,
        "mails": state.mail_windows,
    }  # fmt: skip
    for name, each in windows.items():
        each.shared = cluster.counter(name)
    state.seat_counter = cluster.counter("seats")


async def open_registry(app: FastAPI, registry: TableRegistry, keys: dict[str, str], stack: AsyncExitStack) -> None:
    """Start the background work. The stack ends it in reverse order."""
    settings: Settings = app.state.settings
    pool = app.state.pool = await open_pool(settings, app.state.cluster)
    stack.push_async_callback(pool.stop)
    study = app.state.study = StudyPool(app.state.gate.study_budget, cores())
    stack.push_async_callback(study.stop)
    app.state.hints = Hints(pool, app.state.levels)
    computers = ComputerSeats(registry, pool, settings)
    stack.callback(computers.stop)
    timers = [kind(registry) for kind in (SaltTimers, ClockTimers, ClockNotes, AbsenceTimers)]
    for each in timers:
        stack.callback(each.stop)
    notifier = app.state.notifier = Notifier(registry, keys)
    stack.push_async_callback(notifier.sender.stop)
    deadlines = app.state.deadlines = Deadlines(registry)
    registry.observers.connect(computers, *timers, deadlines, notifier.sender)
    operator = Operator(registry, app.state.gate.block)
    if registry.database.is_sqlite:
        await stack.enter_async_context(listening(operator, socket_path(registry.database.file)))
    wake = [registry.wake()] if registry.sharing is None else []  # in a cluster each server wakes its part
    care = (app.state.gate.sweep(), Pruning(registry).prune_hourly(), registry.database.look_for_damage())
    for work in (*wake, operator.watch(), *care, deadlines.run(), notifier.sender.run(), notifier.sweep_hourly()):
        stack.push_async_callback(cancel_all, asyncio.create_task(work))
    app.state.ready = True


async def open_pool(settings: Settings, cluster: Cluster | None) -> Pool:
    """Where computer players think: here, or in a cluster in bot workers while there are any."""
    local = EnginePool(settings)
    if cluster is None:
        return local
    pool = RemotePool(local, JobBoard(cluster.link))
    await pool.start()
    return pool
