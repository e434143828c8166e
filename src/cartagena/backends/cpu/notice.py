"""One line on standard error, in a terminal only, that says what is compiled and how far it is."""

import sys
import time
from threading import Lock
from typing import Final

CLEAR: Final = "\r\x1b[K"


def beside_a_bar() -> bool:
    """Whether Rich draws a progress bar there: it prints whole lines above the bar, and control codes as text."""
    return hasattr(sys.stderr, "rich_proxied_file")


class Notice:
    """The line. It is written when a function is not on disk and must be compiled, and removed afterwards."""

    def __init__(self) -> None:
        self.begun = time.monotonic()
        self.done = 0
        self.lock = Lock()

    def begin(self, name: str) -> None:
        """Say that a function is compiled. What was compiled before in this process is counted."""
        with self.lock:
            if self.done == 0:
                self.begun = time.monotonic()
            spent = f" {self.done} done in {time.monotonic() - self.begun:.0f} s." if self.done else ""
            self.done += 1
            line = f"Compiling {name} for the first use, which takes some seconds.{spent}"
            self._write(f"{line}\n" if beside_a_bar() else f"{CLEAR}{line}")

    def end(self) -> None:
        """Remove the line."""
        with self.lock:
            if not beside_a_bar():
                self._write(CLEAR)

    def _write(self, text: str) -> None:
        if sys.stderr is not None and sys.stderr.isatty():
            sys.stderr.write(text)
            sys.stderr.flush()


NOTICE: Final = Notice()
