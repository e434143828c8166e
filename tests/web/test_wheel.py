"""The wheel carries the built client: installed into an empty environment, it serves a table to play at."""

import sys
from pathlib import Path

import pytest

from tests import image, wheel
from tests.wheel import run

from .conftest import Opener
from .playing import ask_for_a_short_game, play_out
from .rig import Served


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the wheel and the server, as the image has it."""
    return image.installed(tmp_path_factory).python


def test_the_server_needs_no_research_library(installed: Path) -> None:
    found = wheel.distributions(installed)
    assert {"fastapi", "sqlalchemy", "uvicorn"} <= found
    research = {
        "gymnasium",
        "jax",
        "matplotlib",
        "open-spiel",
        "pandas",
        "pettingzoo",
        "pyarrow",
        "pygame-ce",
        "ray",
        "scipy",
    }
    assert found & {*research, "cupy", "numba-cuda", "torch"} == set()


def test_the_wheel_plays(installed: Path, visits: Opener, tmp_path: Path) -> None:
    assert str(installed.parents[1]) in run(str(installed), "-c", "import cartagena; print(cartagena.__file__)")
    run(sys.executable, "-m", "pip", "--python", str(installed), "check")
    run(str(installed), "-m", "cartagena", "site", str(tmp_path / "site"))
    assert (tmp_path / "site" / "service-worker.js").is_file()
    own = Served(tmp_path, python=str(installed))
    visit = visits(own)
    visit.page.route("**/api/tables", ask_for_a_short_game)
    visit.page.click("[data-play=jamaica]")
    assert {"end", "over"} <= play_out(visit.page)
    assert visit.page.locator(".over").get_attribute("data-result") in ("won", "lost", "draw")
    assert visit.page.locator(".log .turn").count() > 1
    visit.context.close()
    own.kill()
