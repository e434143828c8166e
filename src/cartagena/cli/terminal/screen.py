"""The keyboard and the screen of the terminal game."""

import sys
from typing import Final

import typer

MAX_LINE: Final = 4096
WIPE: Final = "\x1b[2J\x1b[3J\x1b[H"  # the screen, what scrolled off it, and back to the corner


class Terminal:
    """Prints and asks. Without a terminal, answers are read line by line and the screen is not cleared."""

    def __init__(self) -> None:
        self.interactive = sys.stdin.isatty() and sys.stdout.isatty()
        if self.interactive:
            import readline  # noqa: F401  # gives input() line editing and history

    def say(self, text: str = "") -> None:
        typer.echo(text)
        sys.stdout.flush()

    def ask(self, prompt: str) -> str:
        """Read one line, stripped of spaces. Raises EOFError at the end of the input."""
        if self.interactive:
            return input(prompt).strip()
        print(prompt, flush=True)
        line = sys.stdin.readline(MAX_LINE)
        if not line:
            raise EOFError
        return line.strip()

    def wipe(self) -> None:
        """Clear the screen, so that the next person sees nothing of the previous hand."""
        if self.interactive:
            print(WIPE, end="", flush=True)
        else:
            self.say("\n" * 3)
