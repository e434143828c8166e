"""Running the server: uvicorn with our limits, structured logs, a graceful stop."""

import asyncio
import contextlib
import gc
import logging
import signal
import sys
import threading
from collections.abc import Callable, Iterator

import uvicorn
from fastapi import FastAPI

from .app import create_app
from .http.frames import FrameProtocol
from .logs import set_up_logs
from .settings import Settings, load_settings
from .storage.database import StorageError


class StartFailed(Exception):
    """The server cannot start; one sentence for a person."""


class Server(uvicorn.Server):
    """Uvicorn, with somebody told once it listens."""

    def __init__(self, config: uvicorn.Config, listening: "Listening", stopping: Callable[[], None]) -> None:
        super().__init__(config)
        self.listening = listening
        self.stopping = stopping

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """A signal ends serving, and nothing more: what comes after it has its own order."""
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
        """Stop gracefully; told twice, at once."""
        self.stopping()
        self.handle_exit(signal.SIGTERM, None)

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        await super().startup(sockets)  # type: ignore[arg-type]
        if self.started:
            self.listening(self)


Listening = Callable[[Server], None]


def nobody(_server: Server) -> None:
    """Nobody wants to know."""


def configuration(settings: Settings, app: object) -> uvicorn.Config:
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        host=settings.host,
        port=settings.port,
        loop="uvloop" if sys.platform != "win32" else "asyncio",
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


async def serve(settings: Settings, listening: Listening = nobody) -> None:
    """Serve until told to stop. Raises StartFailed where the database or the port cannot be had."""
    set_up_logs(settings.log_level)
    app = create_app(settings)
    server = Server(configuration(settings, app), listening, lambda: stop_registry(app))
    try:
        async with contextlib.AsyncExitStack() as stack:
            await stack.enter_async_context(app.router.lifespan_context(app))
            await server.serve()
            if not server.started:
                raise StartFailed(f"Port {settings.port} of {settings.host} cannot be had; is another server running?")
    except StorageError as error:
        raise StartFailed(str(error)) from None


def stop_registry(app: FastAPI) -> None:
    """The first thing a signal does: nothing new is taken, and those who watch are sent away kindly."""
    app.state.registry.begin_to_stop()


def tune() -> None:
    """What makes serving smoother: Python's lock changes hands sooner, and what is loaded once is never looked through.

    The thread that writes to the database waits for that lock; by default it may have to wait 5 ms each time.
    """
    sys.setswitchinterval(0.0005)
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def run(settings: Settings, listening: Listening = nobody) -> None:
    """As ``serve``, with an event loop of its own."""
    tune()
    try:
        import uvloop
    except ImportError:
        factory = asyncio.new_event_loop
    else:
        factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        try:
            runner.run(serve(settings, listening))
        except SystemExit:
            raise StartFailed(
                f"Port {settings.port} of {settings.host} cannot be had; is another server running?"
            ) from None


if __name__ == "__main__":
    try:
        run(load_settings())
    except (StartFailed, ValueError) as error:
        logging.getLogger("cartagena").critical(str(error))
        sys.exit(1)
