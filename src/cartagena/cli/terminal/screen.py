"""The keyboard and the screen of the terminal game."""

import sys
from typing import Final

import typer

MAX_LINE: Final = 4096
WIPE: Final = "\x1b[2J\x1b[3J\x1b[H"  # the screen, what scrolled off it, and back to the corner


class Terminal:
    """Asks and says. Works without a terminal too: then questions are read line by line and nothing is wiped."""

    def __init__(self) -> None:
        self.interactive = sys.stdin.isatty() and sys.stdout.isatty()
        if self.interactive:
            import readline  # noqa: F401  # gives input() editing and a memory

    def say(self, text: str = "") -> None:
        typer.echo(text)
        sys.stdout.flush()

    def ask(self, prompt: str) -> str:
        """One line, without what surrounds it. Raises EOFError where there is no more."""
        if self.interactive:
            return input(prompt).strip()
        print(prompt, flush=True)
        line = sys.stdin.readline(MAX_LINE)
        if not line:
            raise EOFError
        return line.strip()

    def wipe(self) -> None:
        """Leave nothing on the screen that the next person must not see."""
        if self.interactive:
            print(WIPE, end="", flush=True)
        else:
            self.say("\n" * 3)
