"""``python -m tools.play``: what ``make play`` does, for machines without make. Options are those of ``serve``."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STEPS = (("tools/programs", "play"), ("tools/setup", "play"), ("tools/build-web", "--without-engine"))
"""The steps of the Makefile before the table is served; a test compares the two."""
TABLE = ROOT / "src" / "cartagena" / "server" / "static" / "index.html"


def by_shell(shell: str, options: list[str]) -> int:
    """Take the steps of the Makefile by the shell."""
    for step in (*STEPS, ("tools/play", *options)):
        status = subprocess.call([shell, *step], cwd=ROOT)  # noqa: S603
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
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-e", ".[server]"]
    status = subprocess.call(install, cwd=ROOT)  # noqa: S603
    if status:
        return status
    if TABLE.is_file():
        return subprocess.call([python, "-m", "cartagena", "serve", "--open", *options], cwd=ROOT)  # noqa: S603
    sys.stderr.write("The browser table is built by a POSIX shell, which this machine lacks; this is the terminal's.\n")
    return subprocess.call([python, "-m", "cartagena", "play"], cwd=ROOT)  # noqa: S603


def main() -> int:
    """Set everything up and play."""
    shell, options = shutil.which("sh"), sys.argv[1:]
    return without_shell(options) if shell is None else by_shell(shell, options)


if __name__ == "__main__":
    sys.exit(main())
