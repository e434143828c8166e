"""Install the wheel with every Python from 3.11 that this machine has, and try the package in each environment.

``python tools/pythons.py`` says which versions were tried and which were not found; not finding one is no failure.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
TRIES = (
    ("--version",),
    ("new", "nest-nl", "--seed", "7"),
    ("arena", "sailor", "random", "--rules", "tortuga-en", "--games", "4", "--processes", "1"),
    ("arena", "gunner", "sailor", "--games", "4", "--processes", "1"),
)
"""Command lines that use the rules, the players and the compiled code."""


def candidates(version: str) -> Iterator[Path]:
    """Where a version may be: this Python, on the search path, and among the versions of pyenv."""
    if sys.version_info[:2] == tuple(map(int, version.split("."))):
        yield Path(sys.executable)
    on_path = shutil.which(f"python{version}")
    if on_path:
        yield Path(on_path)
    yield from sorted((Path.home() / ".pyenv/versions").glob(f"{version}.*/bin/python"))


def works(python: Path, version: str) -> bool:
    """True for a Python of that version that starts; a shim may be there without a version behind it."""
    code = "import sys; print('.'.join(map(str, sys.version_info[:2])))"
    try:
        done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)  # noqa: S603
    except OSError:
        return False
    return done.stdout.strip() == version


@cache
def found_pythons() -> dict[str, Path]:
    """The Pythons of this machine, by version."""
    found = {version: next((p for p in candidates(version) if works(p, version)), None) for version in VERSIONS}
    return {version: path for version, path in found.items() if path}


class Failed(Exception):
    """A program ended with an error. The message has its last words."""


def run(*command: str | Path) -> None:
    """Run a program. Raises Failed if it ends with an error."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise Failed(f"{' '.join(map(str, command))} failed:\n{(done.stdout + done.stderr)[-2000:]}")


def step(what: str, *command: str | Path) -> None:
    """Run a program, and say before what it is and afterwards how long it took."""
    print(f"  {what} ...", end=" ", flush=True)
    begun = time.monotonic()
    try:
        run(*command)
    finally:
        print(f"{time.monotonic() - begun:.0f} s", flush=True)


def try_python(python: Path, wheel: Path, folder: Path) -> None:
    """Install the wheel into an empty environment and use it there. Raises Failed."""
    own = folder / "bin/python"
    step("making an environment", python, "-m", "venv", folder)
    step("installing", own, "-m", "pip", "install", "-q", "--disable-pip-version-check", f"{wheel}[server]")
    for words in TRIES:
        step(f"cartagena {' '.join(words)}", own, "-m", "cartagena", *words)


def main() -> int:
    """Try every Python that is found. Returns 1 if one of them fails; the others are tried all the same."""
    found, failed = found_pythons(), []
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        print(f"{len(found)} Pythons: {', '.join(found)}. Each takes one to three minutes: its code is compiled anew.")
        step("building the wheel", sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT)
        [wheel] = folder.glob("*.whl")
        for number, (version, python) in enumerate(found.items(), 1):
            print(f"[{number} of {len(found)}] Python {version} ({python})", flush=True)
            try:
                try_python(python, wheel, folder / version)
            except Failed as error:
                failed.append(version)
                print(error, file=sys.stderr)
    missing = ", ".join(version for version in VERSIONS if version not in found)
    print(f"Tried: {', '.join(found)}. Failed: {', '.join(failed) or 'none'}. Not found: {missing or 'none'}.")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
