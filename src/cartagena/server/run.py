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

import uvicorn
from fastapi import FastAPI

from cartagena.errors import CartagenaError

from .app import create_app
from .cluster.redis import RedisError
from .http.connection import Config, FrameProtocol, HttpProtocol
from .logs import set_up_logs
from .settings import Settings, load_settings
from .storage.database import StorageError
from .tasks import ignore


class StartFailed(CartagenaError):
    """The server cannot start. The message is one sentence for the person who runs it."""


class Server(uvicorn.Server):
    """Uvicorn with callbacks: ``listening`` once it listens, ``stopping`` when it is told to stop."""

    def __init__(self, config: uvicorn.Config, listening: "Listening", stopping: Callable[[], None]) -> None:
        super().__init__(config)
        self.listening = listening
        self.stopping = stopping

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End serving on a signal. ``serve`` closes everything else in order."""
        loop = asyncio.get_running_loop()
        in_main = threading.current_thread() is threading.main_thread()
        signals = (signal.SIGINT, signal.SIGTERM) if in_main else ()
        for number in signals:
            loop.add_signal_handler(number, self.end)
        try:
            yield
        finally:
            for number in signals:
                loop.remove_signal_handler(number)

    def end(self) -> None:
        """Stop gracefully. A second call stops at once."""
        self.stopping()
        self.handle_exit(signal.SIGTERM, None)

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        await super().startup(sockets)  # type: ignore[arg-type]
        if self.started:
            self.listening(self)


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

    server = Server(configuration(settings, app), listens, lambda: stop_registry(app))
    try:
        async with contextlib.AsyncExitStack() as stack:
            await stack.enter_async_context(app.router.lifespan_context(app))
            try:
                await server.serve()
            except SystemExit:  # uvicorn exits if it cannot listen
                raise StartFailed(port_problem(settings.host, settings.port)) from None
    except (StorageError, RedisError) as error:
        raise StartFailed(str(error)) from None


def stop_registry(app: FastAPI) -> None:
    """Refuse new changes; close sockets with 1012 so that clients reconnect."""
    app.state.registry.begin_to_stop()


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


if __name__ == "__main__":
    try:
        run(load_settings())
    except CartagenaError as error:
        logging.getLogger("cartagena").critical(str(error))
        sys.exit(1)
