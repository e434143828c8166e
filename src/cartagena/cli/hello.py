"""What ``cartagena`` alone says: where to begin."""

from importlib.util import find_spec

from cartagena import __version__

HELLO = """Cartagena {version}: the pirates' escape, and the Pirate's Nest.

  cartagena play            a game in the terminal
  cartagena serve --open    the table in your browser, alone or with friends
  cartagena learn           the rules in your browser, lesson by lesson
{missing}
cartagena --help lists all verbs; --install-completion completes them in your shell."""
MISSING = "\nThe browser table is not installed: pip install 'cartagena[server]'\n"


def hello() -> str:
    """A greeting with the three ways to begin. Says so where the browser table is not installed."""
    return HELLO.format(version=__version__, missing="" if find_spec("fastapi") else MISSING)
