"""A click on a game whose server is gone or hangs: it starts in the browser, at once or when the person wants it to."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page

from tests.catalogues import messages

from .conftest import Opener
from .rig import Served, Visit

ENGLISH = messages("en")
INSTALLED = "async () => { await navigator.serviceWorker.ready; }"


class Failing(Served):
    """A server that can also hang: it takes connections and answers nothing."""

    def hang(self) -> None:
        self.signal(signal.SIGSTOP)

    def wake(self) -> None:
        self.signal(signal.SIGCONT)

    def signal(self, number: int) -> None:
        assert self.process is not None
        os.kill(self.process.pid, number)


@pytest.fixture
def failing(tmp_path: Path) -> Iterator[Failing]:
    server = Failing(tmp_path)
    yield server
    server.kill()


def visited(visits: Opener, server: Failing, workers: Literal["allow", "block"] = "allow") -> tuple[Visit, Page]:
    """The start page with all that it loads by itself; with a worker, this browser has what it needs to play alone."""
    visit = visits(server, service_workers=workers)
    visit.forgive("ERR_")
    page = visit.page
    page.wait_for_selector("[data-daily]")
    if workers == "allow":
        page.evaluate(INSTALLED)
    return visit, page


def choose(page: Page) -> None:
    """Click on a game, and then on the offer to play it without the server."""
    page.click("[data-play=jamaica]")
    page.get_by_role("button", name=ENGLISH["slow.play"]).click()


def played(page: Page) -> str:
    """The address of the table that can be played at; a lesson has a table, too."""
    page.wait_for_url("**/#/table/*")
    page.wait_for_selector(".table[data-ready=true]")
    return page.url.rpartition("/")[2]


def test_a_server_that_refuses_is_done_without(visits: Opener, failing: Failing) -> None:
    _, page = visited(visits, failing)
    failing.kill()
    page.click("[data-play=jamaica]")
    assert played(page).startswith("local-")


def test_a_server_that_hangs_is_not_heard_once_the_person_plays_without_it(visits: Opener, failing: Failing) -> None:
    _, page = visited(visits, failing)
    failing.hang()
    with page.expect_event("requestfailed", lambda request: request.method == "POST"):
        choose(page)
    table = played(page)
    failing.wake()
    failing.post("/tables", {"seats": [{"kind": "here"}] * 2})  # it answers again, and what was asked before
    page.goto(f"{failing.address}#/")
    page.wait_for_selector("[data-mine]")
    assert table.startswith("local-")
    assert [each.get_attribute("data-mine") for each in page.locator("[data-mine]").all()] == [table]


def test_an_answer_that_comes_first_takes_the_offer_away(visits: Opener, failing: Failing) -> None:
    _, page = visited(visits, failing)
    failing.hang()
    page.click("[data-play=jamaica]")
    page.get_by_role("button", name=ENGLISH["slow.play"]).wait_for()
    failing.wake()
    assert not played(page).startswith("local-")
    assert page.locator("[data-slow]").count() == 0


def test_a_page_that_opens_while_the_server_hangs_takes_the_first_click(visits: Opener, failing: Failing) -> None:
    _, page = visited(visits, failing)
    failing.hang()
    page.reload()
    choose(page)
    assert played(page).startswith("local-")


def test_who_leaves_while_the_server_hangs_is_taken_nowhere(visits: Opener, failing: Failing) -> None:
    _, page = visited(visits, failing)
    failing.hang()
    page.click("[data-play=jamaica]")
    page.get_by_role("button", name=ENGLISH["slow.play"]).wait_for()
    with page.expect_event("requestfailed", lambda request: request.method == "POST"):
        page.click("[data-go=learn]")
    failing.wake()
    page.get_by_role("heading", name=ENGLISH["learn.title"]).wait_for()
    assert page.url.endswith("#/learn")
    page.goto(f"{failing.address}#/")
    page.wait_for_selector("[data-daily]")
    assert page.locator("[data-mine]").count() == 0


def test_the_game_after_the_last_lesson_does_not_wait_for_a_server_that_hangs(visits: Opener, failing: Failing) -> None:
    visit, _ = visited(visits, failing)
    page = visit.go("lesson/tunnel/8")
    page.click("[data-card=P]")
    page.click("[data-place='30']")
    page.wait_for_selector("[data-action=next]")
    failing.hang()
    page.click("[data-action=next]")
    page.get_by_role("button", name=ENGLISH["slow.play"]).click()
    assert played(page).startswith("local-")


@pytest.mark.parametrize("how", ["kill", "hang"])
def test_a_first_visit_says_what_has_not_been_downloaded(visits: Opener, failing: Failing, how: str) -> None:
    _, page = visited(visits, failing, "block")
    getattr(failing, how)()
    page.click("[data-play=jamaica]")
    page.get_by_text(ENGLISH["code.not-downloaded"]).wait_for()
    assert page.url.endswith("#/")
