"""``cartagena serve``: the game server."""

import atexit
import os
import shutil
import subprocess
import sys
import webbrowser
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, Annotated

import typer

from cartagena.server.settings import describe_settings, load_settings
from cartagena.server.workers import Workers, end_with_parent

if TYPE_CHECKING:
    from cartagena.server.run import Server


def command(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.", min=0, max=65535)] = None,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME.")
    ] = None,
    redis: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Redis that all servers of a PostgreSQL database share: redis://HOST:6379/0."),
    ] = None,
    workers: Annotated[
        int, typer.Option(help="Servers to start, on this port and the following ones (needs --redis).", min=1, max=256)
    ] = 1,
    open_browser: Annotated[bool, typer.Option("--open", help="Open a browser, if there is one.")] = False,
) -> None:
    """Run the game server until interrupted."""
    end_with_parent()
    settings = load_settings(host=host, port=port, database=database, redis=redis)
    if workers > 1:
        raise typer.Exit(Workers(settings, workers).run())
    from cartagena.server.run import run  # takes seconds, which help, bad settings and several workers do not wait for

    run(settings, partial(tell, open_browser=open_browser))


def tell(server: "Server", *, open_browser: bool = False, page: str = "") -> None:
    """Print the addresses, and open a browser if asked to. ``page`` is the part of an address after the host."""
    sockets = [socket for listener in server.servers for socket in listener.sockets]
    addresses = [address_of(*socket.getsockname()[:2]) + page for socket in sockets]
    for address in addresses:
        typer.echo(f"Cartagena is served at {address}")
    if open_browser:
        warm_players()
    if open_browser and addresses and may_show_windows():
        Thread(target=webbrowser.open, args=(addresses[0],), daemon=True).start()


def warm_players() -> None:
    """Compile the computer players in a background process, which ends with this one."""
    command = [sys.executable, "-m", "cartagena", "warmup", "--players"]
    nice = shutil.which("nice")
    try:
        process = subprocess.Popen([nice, "-n", "10", *command] if nice else command, stdin=subprocess.DEVNULL)  # noqa: S603
    except OSError:  # each player compiles what it needs on first use
        return
    atexit.register(process.kill)


def address_of(host: str, port: int) -> str:
    """The address at which a browser on this machine reaches a listening socket."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    return f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"


def may_show_windows() -> bool:
    """True where a window can open. Without a screen ``webbrowser`` would start a text browser."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


command.__doc__ = f"{command.__doc__}\n\nSettings are read from the environment:\n\n\b\n{describe_settings()}"
