"""The command line: ``cartagena VERB``. Every error is one sentence."""

import io
import os
import sys
from collections.abc import Sequence

from cartagena.errors import CartagenaError

from .interrupts import INTERRUPTED, await_interrupt, expect_end
from .sentences import sentence

USAGE_ERROR = 2
LEAKS = "ignore:resource_tracker:UserWarning"
"""What the process that frees the semaphores of an interrupted program must not say."""
COMPLETION = "_CARTAGENA_COMPLETE"
"""The variable that the completion script of a shell sets."""


def main() -> None:
    """Run the command line and exit with its status."""
    await_interrupt()
    os.environ.setdefault("PYTHONWARNINGS", LEAKS)
    open_closed_streams()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a character that the terminal cannot show must not end a game
    status = run(sys.argv[1:])
    expect_end()
    sys.exit(status)


def open_closed_streams() -> None:
    """Connect standard streams that were closed by the caller to the null device.

    Otherwise the next file that the program opens would take their place.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123


def run(arguments: Sequence[str]) -> int:
    """Carry out one command line. Returns the exit status; errors are one sentence on standard error."""
    try:
        import typer

        from .hello import hello
        from .verbs import VERBS, build
    except KeyboardInterrupt:
        return INTERRUPTED
    words = words_to_complete() or arguments
    verb = next((word for word in words if not word.startswith("-")), None)
    try:
        if not words:
            typer.echo(hello())
            return 0
        status = build(verb if verb in VERBS else None)(list(arguments), prog_name="cartagena", standalone_mode=False)
        sys.stdout.flush()
    except typer.TyperException as error:
        return complain(error.format_message(), error.exit_code)
    except CartagenaError as error:
        return complain(str(error), typed=arguments)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        return stop_writing()
    except OSError as error:
        return complain(f"{error.filename or 'standard input or output'}: {error.strerror or 'cannot be used'}")
    except UnicodeError:
        return complain("the input is not UTF-8 text")
    return int(status or 0)


def words_to_complete() -> list[str]:
    """The words of the command line that a shell asks to complete, without the program; empty in any other call."""
    if COMPLETION not in os.environ:
        return []
    typed = os.environ.get("_TYPER_COMPLETE_ARGS") or os.environ.get("COMP_WORDS", "")
    return typed.split()[1:] or ["--help"]


def complain(message: str, status: int = USAGE_ERROR, typed: Sequence[str] = ()) -> int:
    """Print one sentence on standard error. Words that were ``typed`` keep their small letters."""
    try:
        print(message if "\n\n" in message else sentence(message, typed), file=sys.stderr)
    except OSError:
        return stop_writing()
    return status


def stop_writing() -> int:
    """Discard further output after the reader has left, also when Python flushes at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    return 1
