"""The wheel, built once for all test processes, and empty environments to install it into."""

import fcntl
import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest

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
    locked = "".join((ROOT / f"requirements/{name}.txt").read_text(encoding="utf-8") for name in ("play", "serve"))
    versions = folder / "versions.txt"
    found = re.findall(r"^([\w.-]+)(?:\[.*?\])?(==.*?)(?: \\)?$", locked, re.MULTILINE)
    versions.write_text("\n".join(map("".join, found)), encoding="utf-8")
    venv.create(folder / "env")
    python = folder / "env/bin/python"
    run(
        sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-input", "--no-compile",
        "--disable-pip-version-check", "--constraint", str(versions), str(wheel),
    )  # fmt: skip
    return python


def distributions(python: Path) -> set[str]:
    """The names of everything that is installed for a Python."""
    code = "from importlib.metadata import distributions; print(*{item.name for item in distributions()})"
    return {name.lower().replace("_", "-") for name in run(str(python), "-c", code).split()}
