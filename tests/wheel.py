"""The wheel, built once for all test processes, and empty environments to install it into."""

import fcntl
import json
import subprocess
import sys
import tomllib
import venv
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


def built(factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source distribution. The first test process builds it, the others wait for it."""
    base = factory.getbasetemp()
    folder = (base.parent if base.name.startswith("popen-") else base) / "shared-wheel"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not list(folder.glob("*.whl")):
            run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT))
    [wheel] = folder.glob("*.whl")
    return wheel


def installed(factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the wheel and what it needs without any extra, in the locked versions."""
    wheel, folder = built(factory), factory.mktemp("wheel")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    start = [Requirement(line) for line in project["dependencies"]]
    known, here = json.loads(locked.KNOWN.read_text("utf-8")), {**default_environment()}
    met = locked.needed(known, locked.read("serve"), start, {name: str(value) for name, value in here.items()})
    pins = folder / "pins.txt"
    pins.write_text("\n".join({pin.lines for _, _, pin in met if pin}), encoding="utf-8")
    venv.create(folder / "env")
    python = folder / "env/bin/python"
    pip = (sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check", "--no-input")
    install = (*pip, "install", "-q", "--no-compile")
    run(str(ROOT / "tools/install-locked"), str(pins), *install)
    run(*install, "--no-deps", str(wheel))
    run(*pip, "check")
    return python


def distributions(python: Path) -> set[str]:
    """The names of everything that is installed for a Python."""
    code = "from importlib.metadata import distributions; print(*{item.name for item in distributions()})"
    return {name.lower().replace("_", "-") for name in run(str(python), "-c", code).split()}
