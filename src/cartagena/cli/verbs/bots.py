"""``cartagena bots``: computer players for servers on this and other machines."""

import asyncio
import signal
from contextlib import suppress
from typing import Annotated

import typer

from cartagena.errors import CartagenaError
from cartagena.game.plurals import counted
from cartagena.server.bots.jobs import JobBoard
from cartagena.server.bots.worker import Worker
from cartagena.server.cluster.redis import RedisLink
from cartagena.server.logs import set_up_logs
from cartagena.server.settings import Settings, load_settings


def command(
    redis: Annotated[
        str | None,
        typer.Option(metavar="URL", help="The Redis of the servers, by default CARTAGENA_REDIS.", show_default=False),
    ] = None,
    engines: Annotated[
        int, typer.Option(min=0, max=1000, help="Players that think at once (0: one for each core).")
    ] = 0,
) -> None:
    """Think for the computer players of servers, until interrupted.

    Start it on as many machines as wanted. The servers and all workers name the same Redis. A worker sees the view of
    the seat that must choose and nothing else.
    """
    settings = load_settings(redis=redis)
    if not settings.redis:
        raise CartagenaError("Name the Redis of the servers: cartagena bots --redis redis://HOST.")
    asyncio.run(work(settings, engines))


async def work(settings: Settings, engines: int) -> None:
    """Run a worker until SIGTERM or Ctrl-C."""
    release_logs = set_up_logs(settings.log_level)
    link = RedisLink(settings.redis)
    try:
        await link.check()
        worker = Worker(JobBoard(link), settings, engines)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with suppress(NotImplementedError):  # on Windows Ctrl-C ends the loop itself
                loop.add_signal_handler(number, worker.stopping.set)
        release_logs()
        typer.echo(f"Bot worker {worker.name} with {counted(worker.info.engines, 'engine')} works for {link.shown}")
        await worker.run()
    finally:
        await link.close()
