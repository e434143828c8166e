"""The running server: uvicorn with our limits, structured logs and a graceful stop."""

import asyncio
import contextlib
import errno
import gc
import logging
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Final

import uvicorn
from fastapi import FastAPI

from cartagena.errors import CartagenaError

from .addresses import Networks
from .app import create_app
from .cluster.redis import RedisError
from .http.connection import Config, FrameProtocol, HttpProtocol, OperatorProtocol
from .http.listener import Listener, bound_sockets
from .logs import set_up_logs
from .settings import Settings, load_settings
from .storage.database import StorageError
from .tasks import ignore

log = logging.getLogger("cartagena.server")
LAST_REQUESTS: Final = 0.5
"""Seconds in which a drained server that listens no more still serves what balancers sent before they saw that."""


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
        forwarded_allow_ips=str(Networks(settings.forwarded)) or None,  # what the gate trusts, uvicorn trusts too
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

    The thread that writes to the database waits for Python's global lock, by default up to 5 ms each time. Many small
    collections stop nobody for long; one of all new objects at once took a quarter of a second.
    """
    sys.setswitchinterval(0.0005)
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 8, 500)


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


def main() -> None:
    """Run a server with the settings of the environment until it is stopped."""
    try:
        run(load_settings())
    except CartagenaError as error:
        logging.getLogger("cartagena").critical(str(error))
        sys.exit(1)


if __name__ == "__main__":
    main()
