"""The verbs of the command line. A new one is a line here and a file of its name (``-`` becomes ``_``) beside this one.

The file has either a function ``command``, whose parameters are the verb's arguments and options, or a Typer ``app``
with verbs of its own. It is imported only when its verb is called, so the start stays quick whatever it needs.
"""

from importlib import import_module
from typing import Final

import typer

VERBS: Final = {
    "play": "Play in the terminal, one to five people at one keyboard.",
    "new": "Deal a new game and print its position.",
    "show": "Show a position, or how a recorded game stands.",
    "legal": "List the legal moves of a position.",
    "apply": "Play moves on a position and print the one they lead to.",
    "perft": "Count the move sequences of a length.",
    "replay": "Tell a recorded game turn by turn.",
    "rules": "Say what a rule set says and why, or list the rule sets.",
    "verify": "Prove the deal of a recorded game.",
    "serve": "Serve tables to browsers and programs.",
    "db": "Back up, restore and check the server's database.",
    "arena": "Let players play each other, and rate them.",
    "tune": "Tune the evaluation's weights by self-play.",
    "dataset": "Let computer players play and write a Parquet file for research.",
    "warmup": "Compile ahead what is compiled on first use.",
    "engine": "Speak JSON lines on standard input and output, for other programs.",
}


def not_loaded() -> None:
    """Stands for a verb that was not called: help needs its name and summary only."""


def build(wanted: str | None) -> typer.Typer:
    """The command line with one verb loaded, the others known by name and summary."""
    app = typer.Typer(
        name="cartagena",
        help="Play, study and do research on Cartagena and Cartagena 2, the Pirate's Nest.",
        add_completion=False,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(version_option)
    for name, summary in VERBS.items():
        if name == wanted:
            add_verb(app, name)
        else:
            app.command(name, help=summary)(not_loaded)
    return app


def add_verb(app: typer.Typer, name: str) -> None:
    """Import a verb's file and add it."""
    module = import_module(f"cartagena.cli.verbs.{name.replace('-', '_')}")
    if hasattr(module, "app"):
        app.add_typer(module.app, name=name)
    else:
        app.command(name)(module.command)


def show_version(wanted: bool) -> None:
    if wanted:
        from cartagena import __version__

        typer.echo(f"cartagena {__version__}")
        raise typer.Exit


def version_option(
    version: bool = typer.Option(False, "--version", callback=show_version, is_eager=True, help="Say which one it is."),
) -> None:
    """Options before the verb; --version has done its work when it was read."""
