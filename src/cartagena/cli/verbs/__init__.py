"""The verbs of the command line. To add one, add a line here and a file of its name beside this one.

The file (``-`` becomes ``_``) has either a function ``command``, whose parameters are the verb's arguments and
options, or a Typer ``app`` with verbs of its own. It is imported only when its verb is called.
"""

from importlib import import_module
from typing import Any, Final

import typer

from cartagena.errors import CartagenaError, missing

VERBS: Final = {
    "play": "Play in the terminal, one to five people at one keyboard.",
    "new": "Deal a new game and print its position.",
    "show": "Show a position, or the last position of a record.",
    "legal": "List the legal moves of a position.",
    "apply": "Play moves on a position and print the result.",
    "perft": "Count the move sequences of a given length.",
    "replay": "Print a recorded game turn by turn.",
    "rules": "Explain a rule set, or list all of them.",
    "verify": "Verify the deal of a recorded game.",
    "review": "Judge every decision of a finished game, and tell luck from skill.",
    "puzzles": "Positions with one clearly best turn: solve, list, verify and mine them.",
    "learn": "Learn the rules in the browser, lesson by lesson.",
    "serve": "Run the game server.",
    "bots": "Think for the computer players of servers, on any number of machines.",
    "site": "Write the browser table as a folder for any static host.",
    "db": "Back up, restore and check the server's database; close, revoke, block.",
    "arena": "Let players play each other and rate them.",
    "balance": "Measure how balanced a rule set is, by seat, length and luck.",
    "leaderboard": "Rate the players of several files of results together.",
    "tune": "Tune the evaluation's weights by self-play.",
    "train": "Train a network by self-play.",
    "solve": "Solve a small game exactly, or show the solved ones.",
    "dataset": "Write games of computer players to a Parquet file.",
    "warmup": "Compile the computer players and simulations ahead of time.",
    "engine": "Serve other programs over JSON lines on standard input and output.",
}


EXTRAS: Final = {"serve": "server", "bots": "server", "db": "server", "learn": "server"}
"""The verbs whose files need an extra."""


def not_loaded() -> None:
    """Placeholder for a verb that was not called. Help needs only its name and summary."""


def build(wanted: str | None) -> typer.Typer:
    """The command line with one verb loaded and the others as placeholders."""
    app = typer.Typer(
        name="cartagena",
        help="Play, study and do research on Cartagena and Cartagena 2, the Pirate's Nest.",
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
    """Import the file of a verb and add it."""
    module = load_verb(name)
    if hasattr(module, "app"):
        app.add_typer(module.app, name=name)
    else:
        app.command(name)(module.command)


def load_verb(name: str) -> Any:
    """Import the file of a verb. Raises CartagenaError where a package of its extra is not installed."""
    try:
        return import_module(f"cartagena.cli.verbs.{name.replace('-', '_')}")
    except ModuleNotFoundError as error:
        if (error.name or "cartagena").startswith("cartagena"):
            raise
        core = error.name in ("numba", "llvmlite", "numpy")
        raise CartagenaError(str(missing(error, f"cartagena {name}", "" if core else EXTRAS.get(name, "")))) from None


def show_version(wanted: bool) -> None:
    if wanted:
        from cartagena import __version__

        typer.echo(f"cartagena {__version__}")
        raise typer.Exit


def version_option(
    version: bool = typer.Option(False, "--version", callback=show_version, is_eager=True, help="Show the version."),
) -> None:
    """Options before the verb. The callback of --version has printed it by now."""
