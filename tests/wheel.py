"""The wheel, built once for all test processes, and empty environments to install it into."""

import fcntl
import json
import subprocess
import sys
import tomllib
import venv
from collections.abc import Callable
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from tools import locked

ROOT = Path(__file__).parents[1]


def run(*command: str) -> str:
    """The output of a program that must succeed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def shared(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder that all test processes of a run share. The first one makes it, the others wait for it."""
    base = factory.getbasetemp()
    top = base.parent if base.name.startswith("popen-") else base
    folder, done = top / f"shared-{name}", top / f"shared-{name}-done"
    with (top / f"shared-{name}-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            make(folder)
            done.touch()
    return folder


def built(factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source distribution, once for all test processes."""

    def build(folder: Path) -> None:
        run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT))

    [wheel] = shared(factory, "wheel", build).glob("*.whl")
    return wheel


def installed(factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the wheel and what it needs without any extra, once for all test processes."""
    wheel = built(factory)
    return shared(factory, "environment", lambda folder: install(wheel, folder)) / "env/bin/python"


def install(wheel: Path, folder: Path) -> None:
    """Install a wheel and what it needs, in the locked versions, into an empty environment."""
    folder.mkdir()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    start = [Requirement(line) for line in project["dependencies"]]
    known, here = json.loads(locked.KNOWN.read_text("utf-8")), {**default_environment()}
    met = locked.needed(known, locked.read("serve"), start, {name: str(value) for name, value in here.items()})
    pins = folder / "pins.txt"
    pins.write_text("\n".join({pin.lines for _, _, pin in met if pin}), encoding="utf-8")
    venv.create(folder / "env")
    pip = (sys.executable, "-m", "pip", "--python", str(folder / "env/bin/python"))
    words = (*pip, "install", "-q", "--no-compile", "--disable-pip-version-check", "--no-input")
    run(str(ROOT / "tools/install-locked"), str(pins), *words)
    run(*words, "--no-deps", str(wheel))
    run(*pip, "check")


def distributions(python: Path) -> set[str]:
    """The names of everything that is installed for a Python."""
    code = "from importlib.metadata import distributions; print(*{item.name for item in distributions()})"
    return {name.lower().replace("_", "-") for name in run(str(python), "-c", code).split()}
