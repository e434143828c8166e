"""``python -m tools.play``: what ``make play`` does, for machines without make. Options are those of ``serve``."""

from __future__ import annotations  # an old Python gets as far as the sentence that says so

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STEPS = (("tools/programs", "play"), ("tools/setup", "play"), ("tools/build-web", "--without-engine"))
"""The steps of the Makefile before the table is served; a test compares the two."""
INTERRUPTED = 130
OLDEST = (3, 11)
TABLE = ROOT / "src" / "cartagena" / "server" / "static" / "index.html"


def this_python() -> dict[str, str]:
    """Names this Python to the steps, unless it is too old or part of the environment that they make."""
    fits = sys.version_info >= OLDEST and Path(sys.prefix) != ROOT / ".venv"
    return {"PYTHON": sys.executable} if fits else {}


def run(*words: str) -> int:
    """Run a program in the repository and return its status, or 130 if it was interrupted.

    An interrupt reaches the program too; wait for its end, so that it can end in order.
    """
    interrupted = False
    with subprocess.Popen(words, cwd=ROOT, env={**this_python(), **os.environ}) as program:  # noqa: S603
        while True:
            try:
                status = program.wait()
            except KeyboardInterrupt:
                interrupted = True  # the status may be lost with it
                continue
            return INTERRUPTED if interrupted else status


def by_shell(shell: str, options: list[str]) -> int:
    """Take the steps of the Makefile by the shell."""
    for step in (*STEPS, ("tools/play", *options)):
        status = run(shell, *step)
        if status:
            return status
    return 0


def without_shell(options: list[str]) -> int:
    """Install the package and serve the table, where one was built before; otherwise play in the terminal."""
    folder = ROOT / ".venv"
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    if not programs.exists():
        venv.create(folder, with_pip=True)
    python = str(programs / ("python.exe" if os.name == "nt" else "python"))
    status = run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-e", ".[server]")
    if status:
        return status
    if TABLE.is_file():
        return run(python, "-m", "cartagena", "serve", "--open", *options)
    sys.stderr.write("The browser table is built by a POSIX shell, which this machine lacks; this is the terminal's.\n")
    return run(python, "-m", "cartagena", "play")


def main() -> int:
    """Set everything up and play."""
    shell, options = shutil.which("sh"), sys.argv[1:]
    try:
        return without_shell(options) if shell is None else by_shell(shell, options)
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
