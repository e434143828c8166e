"""The output of verbs: text for people, or JSON for programs."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cartagena.game import CartagenaError

if TYPE_CHECKING:
    from rich.progress import Progress

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def emit(text: str, data: Any, as_json: bool) -> None:
    """Print the text, or the data as one line of JSON."""
    typer.echo(json.dumps(data) if as_json else text)


def write_file(path: str, text: str) -> None:
    """Write a text file, completely or not at all. Raises CartagenaError with the reason.

    A device or a pipe is written to directly.
    """
    from cartagena.players.files import save

    try:
        target = Path(path).resolve() if Path(path).is_symlink() else Path(path)
        if target.exists() and not target.is_file():
            target.write_text(text, encoding="utf-8")
        else:
            save(target, text.encode("utf-8"))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a file name"
        raise CartagenaError(f"{path}: cannot be written: {reason}") from None


def progress_bar() -> "Progress":
    """A progress bar on standard error, shown only in a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty())
