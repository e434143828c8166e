"""The wheel carries the built client: installed into an environment of its own, it serves a table to play at."""

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from .conftest import Opener
from .playing import step, wait
from .rig import ROOT, Served


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with nothing of ours but the wheel; other people's packages are borrowed from this one."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    [wheel] = folder.glob("*.whl")
    venv.create(folder / "env", with_pip=False)
    python = folder / "env/bin/python"
    install = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "-q",
        "--no-deps",
        "--no-index",
        str(wheel),
    ]
    subprocess.run(install, check=True, capture_output=True)
    [packages] = (folder / "env/lib").glob("python*/site-packages")
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return python


def test_the_wheel_plays(installed: Path, visits: Opener, tmp_path: Path) -> None:
    where = subprocess.run(
        [str(installed), "-c", "import cartagena; print(cartagena.__file__)"],
        check=True,
        capture_output=True,
        text=True,
    )
    assert str(installed.parents[1]) in where.stdout
    own = Served(tmp_path, python=str(installed))
    visit = visits(own)
    visit.page.click("[data-play=jamaica]")
    assert wait(visit.page) == "choose"
    step(visit.page, 0)
    visit.page.wait_for_selector(".pip.spent")
    own.kill()
    visit.errors[:] = [error for error in visit.errors if "ERR_CONNECTION" not in error and "WebSocket" not in error]
