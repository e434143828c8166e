"""``cartagena learn``: the lessons of the browser table."""

from functools import partial
from typing import Annotated

import typer

from cartagena.cli.verbs.serve import tell
from cartagena.server.settings import load_settings

LESSONS = "#/learn"


def command(
    port: Annotated[int | None, typer.Option(help="Port to listen on.", min=0, max=65535)] = None,
) -> None:
    """Serve the table on this machine until interrupted, and open its lessons in a browser."""
    from cartagena.server.run import run  # takes seconds, which help does not wait for

    run(load_settings(host="127.0.0.1", port=port), partial(tell, open_browser=True, page=LESSONS))
