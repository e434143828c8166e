"""Run a program that is silent for long, and say how far it is.

``progress.py --what TEXT --total N --count PATTERN ... [--names REGEX] LOG COMMAND ...`` writes the program's output to
LOG. It counts the new files that match a PATTERN; until there is one, it counts what REGEX finds in LOG. With ``--about
SECONDS`` instead of a total it counts seconds. On a terminal one line is kept up to date; elsewhere a line is printed
every few seconds. The exit status is the program's.
"""

import argparse
import glob
import re
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

PAUSE = 0.25
BETWEEN_LINES = 5.0
"""Seconds between two lines where the output is not a terminal."""


class Line:
    """One line of progress."""

    def __init__(self) -> None:
        self.terminal = sys.stderr.isatty()
        self.begun = self.told = time.monotonic()
        self.last = ""

    def show(self, text: str, final: bool = False) -> None:
        """Show the text if it is new. The final text always stands in a line of its own."""
        now = time.monotonic()
        if self.terminal:
            sys.stderr.write(f"\r\033[K{text}" + ("\n" if final else ""))
        elif final or (text != self.last and now - self.told >= BETWEEN_LINES):
            sys.stderr.write(f"{text}\n")
            self.told = now
        sys.stderr.flush()
        self.last = text


def counted(patterns: list[str]) -> int:
    """The number of files that are there."""
    return sum(len(glob.glob(pattern)) for pattern in patterns)  # noqa: PTH207


def how_far(given: argparse.Namespace, before: int, seconds: float) -> str:
    """What is done, in a few words."""
    if given.about:
        return f"{seconds:.0f} of about {given.about} s"
    there = counted(given.count) - before
    if there > 0:
        return f"{min(there, given.total)} of {given.total}"
    found = re.findall(given.names, given.log.read_text("utf-8", errors="replace"), re.MULTILINE) if given.names else []
    return f"fetching {min(len(found), given.total)} of {given.total}, {found[-1]}" if found else "starting"


def follow(given: argparse.Namespace, before: int) -> int:
    """Run the program and report until it ends. Returns its exit status."""
    line = Line()
    with given.log.open("w") as output, subprocess.Popen(given.command, stdout=output, stderr=output) as process:  # noqa: S603
        while process.poll() is None:
            line.show(f"{given.what}: {how_far(given, before, time.monotonic() - line.begun)} ...")
            with suppress(subprocess.TimeoutExpired):
                process.wait(PAUSE)
    seconds = time.monotonic() - line.begun
    line.show(f"{given.what}: {'done' if process.returncode == 0 else 'failed'} after {seconds:.0f} s.", final=True)
    return process.returncode


def main() -> int:
    """Read the command line and run the program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--what", required=True)
    parser.add_argument("--total", type=int, default=0)
    parser.add_argument("--about", type=int, default=0)
    parser.add_argument("--count", default=[], action="append")
    parser.add_argument("--names")
    parser.add_argument("log", type=Path)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    given = parser.parse_args()
    return follow(given, counted(given.count))


if __name__ == "__main__":
    sys.exit(main())
