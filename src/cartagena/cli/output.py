"""What verbs print: text for people, or JSON where a program asks for it."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from cartagena.game import CartagenaError

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a program.")]


def emit(text: str, data: Any, as_json: bool) -> None:
    """Print the text, or the data as one line of JSON."""
    typer.echo(json.dumps(data) if as_json else text)


def write_file(path: str, text: str) -> None:
    """Write a file, or say in one sentence why it cannot be written."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a file name"
        raise CartagenaError(f"{path}: cannot be written: {reason}") from None
