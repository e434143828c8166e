"""The output of verbs: text for people, or JSON for programs."""

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.progress import Progress

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def emit(text: str, data: object, as_json: bool) -> None:
    """Print the text, or the data as one line of JSON."""
    typer.echo(json.dumps(data) if as_json else text)


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
