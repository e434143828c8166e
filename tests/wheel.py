"""The wheel, built once for all test processes, and empty environments to install it into."""

import fcntl
import json
import os
import shutil
import subprocess
import sys
import tomllib
import venv
from collections.abc import Callable, Iterator
from importlib.metadata import distribution
from importlib.util import cache_from_source
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
    """Put a wheel and what it needs, in the locked versions, into an empty environment.

    What it needs comes from the environment of the tests, with its bytecode: to unpack and to compile it takes half a
    minute of the processor. ``tests.image`` installs the packages from the index.
    """
    folder.mkdir()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    start = [Requirement(line) for line in project["dependencies"]]
    known, here = json.loads(locked.KNOWN.read_text("utf-8")), {**default_environment()}
    met = locked.needed(known, locked.read("serve"), start, {name: str(value) for name, value in here.items()})
    venv.create(folder / "env")
    [site] = (folder / "env").glob("lib/python*/site-packages")
    for name, version in {(pin.name, pin.version) for _, _, pin in met if pin}:
        link(name, version, site)
    pip = (sys.executable, "-m", "pip", "--python", str(folder / "env/bin/python"))
    run(*pip, "install", "-q", "--no-compile", "--disable-pip-version-check", "--no-input", "--no-deps", str(wheel))
    run(*pip, "check")


def link(name: str, version: str, site: Path) -> None:
    """Give another environment the modules of a package that is installed in this one."""
    found = distribution(name)
    assert found.version == version, f"{name} {found.version} is installed here, and {version} is pinned"
    for listed in found.files or ():
        if listed.parts[0] == "..":  # a script
            continue
        for path in with_bytecode(Path(str(found.locate_file(listed)))):
            target = site / path.relative_to(Path(str(found.locate_file(""))))
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists():
                try:
                    os.link(path, target)
                except OSError:  # on another disk
                    shutil.copy2(path, target)


def with_bytecode(path: Path) -> Iterator[Path]:
    """A file of a package and what Python has compiled from it, as far as they are there."""
    compiled = [Path(cache_from_source(path))] if path.suffix == ".py" else []
    yield from (each for each in (path, *compiled) if each.is_file())


def distributions(python: Path) -> set[str]:
    """The names of everything that is installed for a Python."""
    code = "from importlib.metadata import distributions; print(*{item.name for item in distributions()})"
    return {name.lower().replace("_", "-") for name in run(str(python), "-c", code).split()}
