"""The wheel carries the built client: installed into an empty environment, it serves a table to play at."""

import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from .conftest import Opener
from .playing import step, wait
from .rig import ROOT, Served


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with nothing but the wheel and what it declares to need, in the locked versions."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT))
    [wheel] = folder.glob("*.whl")
    locked = (ROOT / "requirements/play.txt").read_text(encoding="utf-8")
    versions = folder / "versions.txt"
    found = re.findall(r"^([\w.-]+)(?:\[.*?\])?(==.*?)(?: \\)?$", locked, re.MULTILINE)
    versions.write_text("\n".join(map("".join, found)), encoding="utf-8")
    venv.create(folder / "env")
    python = folder / "env/bin/python"
    run(
        sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-input", "--no-compile",
        "--disable-pip-version-check", "--constraint", str(versions), f"{wheel}[server]",
    )  # fmt: skip
    return python


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_plays(installed: Path, visits: Opener, tmp_path: Path) -> None:
    assert str(installed.parents[1]) in run(str(installed), "-c", "import cartagena; print(cartagena.__file__)")
    run(sys.executable, "-m", "pip", "--python", str(installed), "check")
    own = Served(tmp_path, python=str(installed))
    visit = visits(own)
    visit.page.click("[data-play=jamaica]")
    assert wait(visit.page) == "choose"
    step(visit.page, 0)
    visit.page.wait_for_selector(".pip.spent")
    while step(visit.page, 0) != "end":
        pass
    visit.page.wait_for_function("() => document.querySelectorAll('.log .turn').length > 1")
    visit.context.close()
    own.kill()
