"""The running server: uvicorn with our limits, structured logs and a graceful stop."""

import asyncio
import contextlib
import errno
import gc
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import uvicorn
from fastapi import FastAPI

from cartagena.errors import CartagenaError

from .app import create_app
from .cluster.redis import RedisError
from .http.connection import Config, FrameProtocol, HttpProtocol, OperatorProtocol
from .http.listener import Listener, bound_sockets
from .logs import set_up_logs
from .settings import PREFIX, Settings, SettingsError, load_settings
from .storage.database import StorageError
from .tasks import ignore

log = logging.getLogger("cartagena.server")
START: Final = 10.0
"""A server that fails within this many seconds counts as one that cannot start."""
PAUSE: Final = 1.0
"""Seconds before a server that ended is started again."""
LAST_REQUESTS: Final = 0.5
"""Seconds in which a drained server that listens no more still serves what balancers sent before they saw that."""
SERVE: Final = (sys.executable, "-m", "cartagena", "serve")
WATCH: Final = "CARTAGENA_WATCH_PARENT"
"""The environment variable that tells a server that its standard input closes when its parent ends."""


class StartFailed(CartagenaError):
    """The server cannot start. The message is one sentence for the person who runs it."""


class Server(uvicorn.Server):
    """Uvicorn with a port for the operator and a time to drain. ``listening`` is called once it listens."""

    def __init__(self, config: Config, app: FastAPI, listening: "Listening") -> None:
        super().__init__(config)
        self.app = app
        self.listening = listening
        self.operator: asyncio.Server | None = None

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End serving on a signal. ``serve`` closes everything else in order."""
        loop = asyncio.get_running_loop()
        in_main = threading.current_thread() is threading.main_thread()
        signals = (signal.SIGINT, signal.SIGTERM) if in_main else ()
        for number in signals:
            with contextlib.suppress(NotImplementedError):  # on Windows Ctrl-C ends the loop itself
                loop.add_signal_handler(number, self.end)
        try:
            yield
        finally:
            for number in signals:
                loop.remove_signal_handler(number)

    def end(self) -> None:
        """Stop gracefully, after the time in which balancers notice it. A second call stops without that time."""
        state = self.app.state
        seconds = state.settings.drain_seconds
        if seconds and not state.draining:
            state.draining = True
            log.info("draining", extra={"seconds": seconds})
            asyncio.get_running_loop().call_later(seconds, self._stop)
        else:
            self._stop()

    def _stop(self) -> None:
        if not self.should_exit or not self.app.state.draining:
            self.handle_exit(signal.SIGTERM, None)

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        if sys.platform == "win32":
            await super().startup(sockets)  # type: ignore[arg-type]
        else:
            await self._listen()
        if self.started:
            await self._listen_for_operator()
            self.listening(self)

    async def _listen(self) -> None:
        """Listen for visitors, and ask the gate before anything is built for a connection."""
        settings: Settings = self.app.state.settings

        def protocol() -> HttpProtocol:
            return HttpProtocol(self.config, self.server_state, self.lifespan.state)  # type: ignore[arg-type]

        try:
            sockets = await bound_sockets(settings.host, settings.port, self.config.backlog)
        except OSError:
            raise StartFailed(port_problem(settings.host, settings.port)) from None
        self.servers = [Listener(sockets, self.app.state.gate, protocol)]  # type: ignore[list-item]
        self._log_started_message(sockets)
        self.started = True

    async def _listen_for_operator(self) -> None:
        """Listen on the operator's port, if there is one, until the very end."""
        settings: Settings = self.app.state.settings
        if not settings.operator_port:
            return

        def protocol() -> OperatorProtocol:
            return OperatorProtocol(self.config, self.server_state, self.lifespan.state)  # type: ignore[arg-type]

        try:
            self.operator = await asyncio.get_running_loop().create_server(
                protocol, settings.host, settings.operator_port
            )
        except OSError:
            raise StartFailed(port_problem(settings.host, settings.operator_port)) from None

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop listening, then refuse new changes and close sockets with 1012, so that clients reconnect elsewhere."""
        for server in self.servers:
            server.close()
        if self.app.state.draining:  # a proxy that sees failures only has sent its last requests until now
            await asyncio.sleep(LAST_REQUESTS)
        self.app.state.registry.begin_to_stop()
        await super().shutdown(sockets)
        if self.operator is not None:
            self.operator.close()


Listening = Callable[[Server], None]


def configuration(settings: Settings, app: FastAPI) -> Config:
    config = Config(
        app,
        host=settings.host,
        port=settings.port,
        loop="uvloop" if sys.platform != "win32" else "asyncio",
        http=HttpProtocol,
        ws=FrameProtocol,
        ws_max_size=settings.frame_bytes,
        ws_ping_interval=settings.heartbeat_seconds,
        ws_ping_timeout=settings.send_seconds,
        ws_per_message_deflate=False,
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=bool(settings.forwarded),
        forwarded_allow_ips=settings.forwarded or None,
        timeout_graceful_shutdown=max(1, int(settings.stop_seconds)),
        timeout_keep_alive=30,
        limit_concurrency=None,
        backlog=2048,
        lifespan="off",
    )
    config.gate = app.state.gate
    return config


async def serve(settings: Settings, listening: Listening = ignore) -> None:
    """Serve until told to stop. Raises StartFailed if the database or the port cannot be used."""
    release_logs = set_up_logs(settings.log_level)
    app = create_app(settings)

    def listens(server: Server) -> None:
        listening(server)
        release_logs()

    server = Server(configuration(settings, app), app, listens)
    try:
        async with contextlib.AsyncExitStack() as stack:
            await stack.enter_async_context(app.router.lifespan_context(app))
            try:
                await server.serve()
            except SystemExit:  # uvicorn exits if it cannot listen
                raise StartFailed(port_problem(settings.host, settings.port)) from None
    except (StorageError, RedisError) as error:
        raise StartFailed(str(error)) from None


def port_problem(host: str, port: int) -> str:
    """Why the server cannot listen there, in one sentence."""
    try:
        socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET).close()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return f"Port {port} is in use."
        return f"Port {port} of {host} cannot be opened: {error.strerror}."
    return f"The server cannot listen on port {port} of {host}."


def tune() -> None:
    """Switch threads more often, and exclude what is loaded at start from garbage collection.

    The thread that writes to the database waits for Python's global lock, by default up to 5 ms each time.
    """
    sys.setswitchinterval(0.0005)
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def run(settings: Settings, listening: Listening = ignore) -> None:
    """Run ``serve`` in an event loop of its own."""
    tune()
    try:
        import uvloop
    except ImportError:
        factory = asyncio.new_event_loop
    else:
        factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(serve(settings, listening))


# --- several servers on one machine, each a process of its own, on ports that follow one another


def must_allow_workers(settings: Settings, number: int) -> None:
    """Raise SettingsError unless several servers can run with these settings."""
    if number > 1 and (not settings.redis or not settings.database.startswith("postgres")):
        raise SettingsError("Several workers need --redis and a PostgreSQL database.")
    if settings.port and settings.port + number - 1 > 65535:
        raise SettingsError(f"There are no {number} ports from {settings.port} on.")


def end_with_parent() -> None:
    """Stop this server gracefully when its parent ends, even by SIGKILL. Only servers of ``Workers`` do so."""
    if os.environ.pop(WATCH, ""):
        threading.Thread(target=_wait_for_parent, name="parent", daemon=True).start()


def _wait_for_parent() -> None:
    os.read(0, 1)  # returns when the other end is closed: the parent writes nothing
    os.kill(os.getpid(), signal.SIGTERM)


class Workers:
    """Starts the servers, starts again those that die, and stops them all on a signal or when this process dies."""

    def __init__(self, settings: Settings, number: int, command: Sequence[str] = SERVE) -> None:
        must_allow_workers(settings, number)
        self.settings = settings
        self.number = number
        self.command = command
        self.pipe = os.pipe()
        """The standard input of the servers, and the end that only this process holds."""
        self.running: dict[int, tuple[int, float]] = {}
        """The number and the starting time of each process."""
        self.failed = self.stopping = False

    def _start(self, index: int) -> None:
        settings = self.settings
        port = settings.port + index if settings.port else 0
        given = {"database": settings.database, "redis": settings.redis, "host": settings.host, "port": port}
        named = {f"{PREFIX}{name.upper()}": str(value) for name, value in given.items()}
        environment = {**os.environ, **named, WATCH: "1"}
        process = subprocess.Popen(self.command, env=environment, stdin=self.pipe[0], start_new_session=True)  # noqa: S603
        process.returncode = 0  # ``run`` waits for all of them together
        self.running[process.pid] = index, time.monotonic()

    def stop(self, *_signal: object) -> None:
        """Stop all servers gracefully. They close their sockets so that clients go to other servers."""
        self.stopping = True
        for pid in self.running:
            os.kill(pid, signal.SIGTERM)

    def run(self) -> int:
        """Serve until a signal comes. Returns the exit status: 1 if a server cannot start."""
        if sys.platform == "win32":
            raise SettingsError("Several workers need Linux or macOS.")
        before = {number: signal.signal(number, self.stop) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            for index in range(self.number):
                self._start(index)
            while self.running:
                self._ended(*os.wait())
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        return int(self.failed)

    def _ended(self, pid: int, status: int) -> None:
        """Start a server again that died, or stop all if it cannot start."""
        if pid not in self.running:
            return
        index, began = self.running.pop(pid)
        code = os.waitstatus_to_exitcode(status)
        if self.stopping:
            self.failed = self.failed or code > 0
        elif code == 1 and time.monotonic() - began < START:
            self.failed = True
            self.stop()
        else:
            log.error("a server ended and is started again", extra={"worker": index, "status": code})
            time.sleep(PAUSE)
            if not self.stopping:
                self._start(index)


if __name__ == "__main__":
    try:
        run(load_settings())
    except CartagenaError as error:
        logging.getLogger("cartagena").critical(str(error))
        sys.exit(1)
