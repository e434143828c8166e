"""One server and one browser for each test process; a window of its own for each test."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.cli.helpers import cartagena
from tests.wheel import shared

from .rig import FLAGS, PATIENCE, STATIC, Served, Visit, chromium, open_visit
from .static_host import Host

Opener = Callable[..., Visit]


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    assert (STATIC / "index.html").is_file(), "The client is not built; run tools/build-web."
    server = Served(tmp_path_factory.mktemp("served"))
    yield server
    server.kill()


@pytest.fixture(scope="session")
def kept_browser() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop | None]]:
    """The browser and its event loop, which is set aside between tests: others of this process run their own."""
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium(), args=FLAGS, timeout=PATIENCE)
        loop = asyncio._get_running_loop()
        asyncio._set_running_loop(None)
        yield found, loop
        asyncio._set_running_loop(loop)
        found.close()


@pytest.fixture
def browser(kept_browser: tuple[Browser, asyncio.AbstractEventLoop | None]) -> Iterator[Browser]:
    found, loop = kept_browser
    asyncio._set_running_loop(loop)
    yield found
    asyncio._set_running_loop(None)


@pytest.fixture
def visits(browser: Browser, served: Served) -> Iterator[Opener]:
    """Opens windows; at the end none of them may have told an error."""
    opened: list[Visit] = []

    def opener(server: Served = served, **options: Any) -> Visit:
        opened.append(open_visit(browser, server, **options))
        return opened[-1]

    yield opener
    for visit in opened:
        visit.context.close()
    assert [error for visit in opened for error in visit.faults] == []


@pytest.fixture
def visit(visits: Opener) -> Visit:
    return visits()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the static site, written once for all test processes: a test that changes it makes a copy."""

    def write(folder: Path) -> None:
        found = cartagena("site", str(folder))
        assert (found.returncode, found.stderr) == (0, "")

    return shared(tmp_path_factory, "site", write)


@pytest.fixture
def host(site: Path) -> Iterator[Host]:
    found = Host(site)
    yield found
    found.kill()
