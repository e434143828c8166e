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
    """A progress bar on standard error, shown only in a terminal: what is done, how fast, and what time is left."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        """Games, decisions or other pieces of work a second."""

        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text("" if speed is None else f"{speed:.1f}/s")

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty())
