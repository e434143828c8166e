"""``cartagena serve``: the game server."""

from typing import Annotated

import typer

from cartagena.game import CartagenaError
from cartagena.server.serving import Server, StartFailed, run
from cartagena.server.settings import Settings, SettingsError, describe


def command(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.", min=0, max=65535)] = None,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME.")
    ] = None,
) -> None:
    """Serve tables to browsers and programs until interrupted."""
    try:
        settings = Settings.from_environment(host=host, port=port, database=database)
        run(settings, tell)
    except (StartFailed, SettingsError) as error:
        raise CartagenaError(str(error)) from None


def tell(server: Server) -> None:
    """Say where to look."""
    for listener in server.servers:
        for socket in listener.sockets:
            host, port = socket.getsockname()[:2]
            typer.echo(f"Cartagena is served at http://{'[' + host + ']' if ':' in host else host}:{port}/", err=True)


command.__doc__ = f"{command.__doc__}\n\nSettings are read from the environment:\n\n\b\n{describe()}"
